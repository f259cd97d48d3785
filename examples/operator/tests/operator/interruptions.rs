//! The operator can be stopped after each of its requests, and continues after a restart.

use crd_runtime::apiserver::{ApiServer, Interruptions};
use kube::Client;
use kube::api::{Api, DeleteParams};
use kube::runtime::wait::{await_condition, conditions};
use website_operator::recording::{ready, run_until, server, website};
use website_operator::website::Website;

fn with_website() -> ApiServer {
    server().with_workloads().with_object(&website())
}

#[tokio::test(start_paused = true)]
async fn a_website_becomes_ready_wherever_it_is_stopped() {
    let run =
        async |server: ApiServer, client: Client| run_until(client, ready(server.client())).await;
    let stops =
        Interruptions::new().check(with_website, run).await.unwrap_or_else(|why| panic!("{why}"));
    assert!(stops > 5, "{stops}");
}

/// Deletes the website once it is ready, and waits until it is gone.
async fn end(client: Client) -> Result<(), Box<dyn std::error::Error>> {
    let api = Api::<Website>::default_namespaced(client.clone());
    // When the test is repeated after a stop, the deletion may have begun or ended already.
    let Some(website) = api.get_opt("blog").await? else { return Ok(()) };
    if website.metadata.deletion_timestamp.is_none() {
        ready(client).await?;
        api.delete("blog", &DeleteParams::default()).await?;
    }
    let uid = website.metadata.uid.unwrap_or_default();
    await_condition(api, "blog", conditions::is_deleted(&uid)).await?;
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_website_goes_wherever_it_is_stopped() {
    let run =
        async |server: ApiServer, client: Client| run_until(client, end(server.client())).await;
    let stops =
        Interruptions::new().check(with_website, run).await.unwrap_or_else(|why| panic!("{why}"));
    assert!(stops > 5, "{stops}");
}
