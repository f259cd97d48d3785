//! Which requests the operator makes.

use std::time::Duration;

use website_operator::controller::NAME;
use website_operator::recording::{ready, run_until, server, website};

use crate::Outcome;

#[tokio::test(start_paused = true)]
async fn a_ready_website_is_left_alone() -> Outcome {
    let server = server().with_workloads().with_object(&website());
    let recording = server.record();
    run_until(server.client_of(NAME), async {
        ready(server.client()).await?;
        let writes = recording.transcript().of_client(NAME).writes().to_string();
        assert_eq!(writes, include_str!("writes.txt"));
        // What the operator writes last may cause a last reconciliation, but not an endless loop.
        tokio::time::sleep(Duration::from_secs(60)).await;
        recording.clear();
        tokio::time::sleep(Duration::from_secs(3_600)).await;
        assert_eq!(recording.transcript().of_client(NAME).writes().to_string(), "");
        Outcome::Ok(())
    })
    .await?;
    Ok(())
}
