//! The operator can watch without lists.

use kube::runtime::watcher;
use website_operator::controller::{NAME, run_with};
use website_operator::recording::{builder, create_and_delete, website};

use crate::Outcome;

#[tokio::test(start_paused = true)]
async fn streaming_lists_need_no_other_lists() -> Outcome {
    let server = builder().with_workloads().start();
    let recording = server.record();
    let config = watcher::Config::default().streaming_lists();
    tokio::select! {
        () = run_with(server.client_of(NAME), config) => return Err("the operator ended".into()),
        ended = create_and_delete(server.client(), website()) => ended?,
    }
    let lists = recording.transcript().of_client(NAME).filtered(|info| info.verb == "list");
    assert_eq!(lists.to_string(), "");
    Ok(())
}
