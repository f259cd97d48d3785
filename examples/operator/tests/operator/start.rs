//! Each test has a server of its own. `.ci/example` counts the instructions of this test, and divides them by its four
//! servers.

use crd_apiserver::ApiServer;
use kube::api::{Api, ListParams, PostParams};
use website_operator::recording::{install, website};
use website_operator::website::Website;

use crate::Outcome;

#[tokio::test(start_paused = true)]
async fn servers_share_nothing() -> Outcome {
    let servers = [0; 4].map(|_| ApiServer::new());
    for server in &servers {
        install(server)?;
    }
    let apis = servers.map(|server| Api::<Website>::default_namespaced(server.client()));
    apis[0].create(&PostParams::default(), &website()).await?;
    assert_eq!(apis[0].list(&ListParams::default()).await?.items.len(), 1);
    assert_eq!(apis[1].list(&ListParams::default()).await?.items.len(), 0);
    Ok(())
}
