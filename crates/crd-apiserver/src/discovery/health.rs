//! The checks of a server's health: `/healthz`, `/livez` and `/readyz`. All of them pass.
//!
//! Source: `handleRootHealth` of `pkg/server/healthz/healthz.go`.

use crd_cel::gofmt::quote;

use super::super::failure::{Answer, Failure};
use super::super::query::Query;
use super::super::reply::Reply;

/// The checks of a server of 1.37, in its order. Those that only `/readyz` has begin with `!`.
const CHECKS: [&str; 33] = [
    "ping",
    "log",
    "etcd",
    "!etcd-readiness",
    "!informer-sync",
    "poststarthook/start-apiserver-admission-initializer",
    "poststarthook/generic-apiserver-start-informers",
    "poststarthook/priority-and-fairness-config-consumer",
    "poststarthook/priority-and-fairness-filter",
    "poststarthook/storage-object-count-tracker-hook",
    "poststarthook/start-apiextensions-informers",
    "poststarthook/start-apiextensions-controllers",
    "poststarthook/crd-informer-synced",
    "poststarthook/start-system-namespaces-controller",
    "poststarthook/start-cluster-authentication-info-controller",
    "poststarthook/start-kube-apiserver-identity-lease-controller",
    "poststarthook/start-kube-apiserver-identity-lease-garbage-collector",
    "poststarthook/start-legacy-token-tracking-controller",
    "poststarthook/start-service-ip-repair-controllers",
    "poststarthook/rbac/bootstrap-roles",
    "poststarthook/scheduling/bootstrap-system-priority-classes",
    "poststarthook/priority-and-fairness-config-producer",
    "poststarthook/bootstrap-controller",
    "poststarthook/start-kube-aggregator-informers",
    "poststarthook/apiservice-status-local-available-controller",
    "poststarthook/apiservice-status-remote-available-controller",
    "poststarthook/apiservice-registration-controller",
    "poststarthook/apiservice-discovery-controller",
    "poststarthook/kube-apiserver-autoregistration",
    "autoregister-completion",
    "poststarthook/apiservice-openapi-controller",
    "poststarthook/apiservice-openapiv3-controller",
    "!shutdown",
];

/// Answers a request for a set of checks, such as `livez`, or for one of its checks.
///
/// # Errors
/// Returns an error if there is no check of this name.
pub(super) fn health(set: &str, check: &str, query: &Query) -> Answer<Reply> {
    let of_set = |check: &'static str| match check.strip_prefix('!') {
        Some(name) => (set == "readyz").then_some(name),
        None => Some(check),
    };
    let checks: Vec<&str> = CHECKS.into_iter().filter_map(of_set).collect();
    if !check.is_empty() && !checks.contains(&check) {
        return Err(Failure::no_such_path());
    }
    let text = if check.is_empty() && query.get("verbose").is_some() {
        verbose(set, &checks, query)
    } else {
        "ok".to_owned()
    };
    Ok(Reply::Document {
        media_type: "text/plain; charset=utf-8",
        body: text.into_bytes(),
        etag: None,
    })
}

/// Returns the results of all checks, a line each.
fn verbose(set: &str, checks: &[&str], query: &Query) -> String {
    let mut excluded: Vec<&str> = query.all("exclude");
    excluded.sort_unstable();
    excluded.dedup();
    let line = |check: &&str| {
        let how = if excluded.contains(check) { " excluded: ok" } else { " ok" };
        format!("[+]{check}{how}\n")
    };
    let mut text: String = checks.iter().map(line).collect();
    excluded.retain(|name| !checks.contains(name));
    if !excluded.is_empty() {
        let names: Vec<String> = excluded.into_iter().map(quote).collect();
        text.push_str("warn: some health checks cannot be excluded: no matches for ");
        text.push_str(&names.join(","));
        text.push('\n');
    }
    text + set + " check passed\n"
}
