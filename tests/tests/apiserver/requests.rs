//! Generated sequences of requests, answered by two in-process API servers, which differ in ids and versions: the
//! comparison must hide these, and nothing else may differ.
//!
//! `cargo dev requests` compares the in-process API server with a real kube-apiserver.

use crd_tests::requests::{Options, run};

#[test]
fn masks_hide_ids_and_versions() {
    compare(150, false);
}

#[test]
fn masks_hide_ids_and_versions_if_a_webhook_converts() {
    compare(80, true);
}

fn compare(requests: u64, webhook: bool) {
    let options = Options { requests, seed: 1, only: None, show: 40, shrinks: true, webhook };
    let summary = run(None, options, |_| {}).expect("both servers answer");
    assert!(summary.disagreements.is_empty(), "{}", summary.disagreements.join("\n"));
    assert_eq!(summary.failed, 0);
    // Servers that reject every request agree, too.
    assert!(summary.succeeded * 3 > summary.requests, "{summary:?}");
    assert_eq!(summary.conversions > 0, webhook);
}
