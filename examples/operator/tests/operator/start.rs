//! Each test has a server of its own. `.ci/example` checks that one starts in less than 10 milliseconds.

use kube::api::{Api, ListParams, PostParams};
use website_operator::recording::{server, website};
use website_operator::website::Website;

use crate::Outcome;

#[tokio::test(start_paused = true)]
async fn servers_share_nothing() -> Outcome {
    let apis = [0; 10].map(|_| Api::<Website>::default_namespaced(server().client()));
    apis[0].create(&PostParams::default(), &website()).await?;
    assert_eq!(apis[0].list(&ListParams::default()).await?.items.len(), 1);
    assert_eq!(apis[1].list(&ListParams::default()).await?.items.len(), 0);
    Ok(())
}
