//! Which requests the operator makes.

use std::time::Duration;

use website_operator::controller::NAME;
use website_operator::recording::{builder, ready, website};

use crate::{Outcome, operate};

#[tokio::test(start_paused = true)]
async fn a_ready_website_is_left_alone() -> Outcome {
    let server = builder().with_workloads().with_object(&website()).start();
    let recording = server.record();
    operate(&server, async {
        ready(server.client()).await?;
        let writes = recording.transcript().of_client(NAME).writes().to_string();
        assert_eq!(writes, include_str!("writes.txt"));
        // What the operator writes last may cause a last reconciliation, but not an endless loop.
        tokio::time::sleep(Duration::from_secs(60)).await;
        recording.clear();
        tokio::time::sleep(Duration::from_secs(3_600)).await;
        assert_eq!(recording.transcript().of_client(NAME).writes().to_string(), "");
        Ok(())
    })
    .await
}
