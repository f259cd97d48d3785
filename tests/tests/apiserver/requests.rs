//! Generated sequences of requests, answered by two servers.
//!
//! `cargo dev requests` compares the API server of tests with a real kube-apiserver. These tests do so only if
//! `CRD_E2E_KUBECONFIG` names one; otherwise they compare two API servers of tests, which differ in ids and versions.

use std::env;
use std::path::{Path, PathBuf};

use crd_tests::apiserver::KUBECONFIG;
use crd_tests::requests::{Options, run};

#[test]
fn answers_are_equal() {
    let kubeconfig = env::var_os(KUBECONFIG).map(PathBuf::from);
    compare(kubeconfig.as_deref(), 400, false);
}

#[test]
fn answers_are_equal_if_a_webhook_converts() {
    compare(None, 200, true);
}

fn compare(kubeconfig: Option<&Path>, requests: u64, webhook: bool) {
    let number = |name: &str| env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let options = Options {
        requests: number("CRD_REQUESTS").unwrap_or(requests),
        seed: number("CRD_SEED").unwrap_or(1),
        only: number("CRD_ONLY"),
        show: 40,
        shrinks: number("CRD_SHRINKS") != Some(0),
        webhook,
    };
    let summary = run(kubeconfig, options, |_| {}).expect("both servers answer");
    assert!(summary.disagreements.is_empty(), "{}", summary.disagreements.join("\n"));
    assert_eq!(summary.failed, 0);
    assert!(summary.requests > 0);
    assert_eq!(summary.conversions > 0, webhook);
}
