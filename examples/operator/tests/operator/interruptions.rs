//! The operator can be stopped after each of its requests, and continues after a restart.

use crd_apiserver::{ApiServer, Interruptions, Storage};
use kube::Client;
use kube::api::{Api, DeleteParams};
use kube::runtime::wait::{await_condition, conditions};
use website_operator::controller::NAME;
use website_operator::recording::{ready, run_until, server, website};
use website_operator::website::Website;

use crate::Outcome;

fn with_website() -> ApiServer {
    server().with_workloads().with_object(&website())
}

#[tokio::test(start_paused = true)]
async fn a_website_becomes_ready_wherever_the_operator_is_stopped() {
    let run =
        async |server: ApiServer, client: Client| run_until(client, ready(server.client())).await;
    let stops =
        Interruptions::new().check(with_website, run).await.unwrap_or_else(|why| panic!("{why}"));
    assert!(stops > 5, "{stops}");
}

/// Deletes the website, and waits until it is gone.
async fn end(client: Client) -> Outcome {
    let api = Api::<Website>::default_namespaced(client.clone());
    // When the test is repeated after a stop, the deletion may have begun or ended already.
    let Some(website) = api.get_opt("blog").await? else { return Ok(()) };
    if website.metadata.deletion_timestamp.is_none() {
        api.delete("blog", &DeleteParams::default()).await?;
    }
    let uid = website.metadata.uid.unwrap_or_default();
    await_condition(api, "blog", conditions::is_deleted(&uid)).await?;
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_website_is_deleted_wherever_the_operator_is_stopped() -> Outcome {
    let first = with_website();
    run_until(first.client_of(NAME), ready(first.client())).await?;
    let moment = first.snapshot();
    // Each run begins with a ready website.
    let with_ready_website = || {
        let server = server().seed(2).with_workloads();
        server.restart(Storage::Restored(moment.clone()));
        server
    };
    let run =
        async |server: ApiServer, client: Client| run_until(client, end(server.client())).await;
    let stops = Interruptions::new()
        .check(with_ready_website, run)
        .await
        .unwrap_or_else(|why| panic!("{why}"));
    assert!(stops > 5, "{stops}");
    Ok(())
}
