//! The operator recovers from faults of the server.

use std::time::Duration;

use crd_apiserver::faults::{Fault, Requests};
use website_operator::controller::NAME;
use website_operator::recording::{builder, create_and_delete, website};

use crate::operate;

#[tokio::test(start_paused = true)]
async fn a_website_lives_through_each_fault() {
    let operator = || Requests::all().client(NAME);
    let faults = [
        (operator().verb("patch").times(3), Fault::Conflict),
        (operator().verb("patch").times(2), Fault::TooManyRequests { retry_after: 1 }),
        (operator().verb("list").times(3), Fault::Unavailable),
        (operator().verb("patch").times(3), Fault::Internal("a bad day".to_owned())),
        (operator().verb("patch").nth(2), Fault::Timeout { is_done: true }),
        (operator().verb("create").once(), Fault::Timeout { is_done: false }),
        (operator().verb("patch").times(4), Fault::LoseAnswer),
        (operator().verb("delete").once(), Fault::LoseAnswer),
        (operator().verb("watch").times(2), Fault::Gone),
        (operator().verb("watch"), Fault::EndWatch { after: 1 }),
        (operator().verb("watch"), Fault::DelayEvents(Duration::from_secs(9))),
        (operator().verb("list").once(), Fault::Disconnect),
        (operator(), Fault::Delay(Duration::from_secs(2))),
    ];
    for (requests, fault) in faults {
        let server = builder().with_workloads().start();
        let _expected = server.inject(requests, fault.clone()).expect(1..);
        let ended = operate(&server, create_and_delete(server.client(), website())).await;
        assert!(ended.is_ok(), "{fault:?}: {ended:?}");
    }
}
