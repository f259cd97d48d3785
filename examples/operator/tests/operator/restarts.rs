//! The server restarts while the operator is running.

use std::time::Duration;

use crd_apiserver::{ApiServer, Storage};
use website_operator::recording::{builder, create_and_delete, install, website};

use crate::{Outcome, operate};

/// Runs the operator, restarts the server, and then creates and deletes a website.
async fn survives(restart: impl Fn(&ApiServer)) -> Outcome {
    let server = builder().with_workloads().start();
    operate(&server, async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        restart(&server);
        create_and_delete(server.client(), website()).await
    })
    .await
}

#[tokio::test(start_paused = true)]
async fn a_website_is_created_and_deleted_after_a_restart_of_the_server() -> Outcome {
    survives(|server| server.restart(Storage::Kept)).await
}

#[tokio::test(start_paused = true)]
async fn the_operator_lists_again_after_a_restore_from_a_backup() -> Outcome {
    survives(|server| server.restart(Storage::Restored(server.snapshot()))).await
}

#[tokio::test(start_paused = true)]
async fn the_operator_waits_for_the_definition_of_its_kind() -> Outcome {
    let server = builder().with_workloads().start();
    operate(&server, async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        server.restart(Storage::Lost);
        tokio::time::sleep(Duration::from_secs(60)).await;
        install(&server)?;
        create_and_delete(server.client(), website()).await
    })
    .await
}
