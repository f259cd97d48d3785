//! Each test has a server of its own. `.ci/example` counts the instructions of this test, and divides them by its four
//! servers.

use crd_apiserver::ApiServer;
use kube::api::{Api, ListParams, PostParams};
use website_operator::recording::{website, with_prerequisites};
use website_operator::website::Website;

use crate::Outcome;

#[tokio::test(start_paused = true)]
async fn servers_share_nothing() -> Outcome {
    let apis = [0; 4]
        .map(|_| with_prerequisites(ApiServer::new()))
        .map(|server| Api::<Website>::default_namespaced(server.client()));
    apis[0].create(&PostParams::default(), &website()).await?;
    assert_eq!(apis[0].list(&ListParams::default()).await?.items.len(), 1);
    assert_eq!(apis[1].list(&ListParams::default()).await?.items.len(), 0);
    Ok(())
}
