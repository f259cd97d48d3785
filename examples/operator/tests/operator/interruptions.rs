//! The operator can be stopped after each of its requests, and continues after a restart.

use crd_apiserver::{ApiServer, Interruptions};
use kube::Client;
use website_operator::controller::NAME;
use website_operator::recording::{builder, ready, run_until, website};
use website_operator::website::Website;

use crate::{Outcome, gone};

fn with_website() -> ApiServer {
    builder().with_workloads().with_object(&website()).start()
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
async fn end(server: ApiServer) -> Outcome {
    // When the test is repeated after a stop, the deletion may have ended already.
    server.delete::<Website>("default", "blog").ok();
    gone(&server).await;
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_website_is_deleted_wherever_the_operator_is_stopped() -> Outcome {
    let first = with_website();
    run_until(first.client_of(NAME), ready(first.client())).await?;
    let moment = first.snapshot();
    // Each run begins with a ready website.
    let with_ready_website =
        || builder().seed(2).with_workloads().with_snapshot(moment.clone()).start();
    let run = async |server: ApiServer, client: Client| run_until(client, end(server)).await;
    let stops = Interruptions::new()
        .check(with_ready_website, run)
        .await
        .unwrap_or_else(|why| panic!("{why}"));
    assert!(stops > 5, "{stops}");
    Ok(())
}
