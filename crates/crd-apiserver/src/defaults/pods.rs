//! Defaults of pods and of their templates.
//!
//! Source: `SetDefaults_Pod`, `SetDefaults_PodSpec` and `SetDefaults_PodStatus` of `pkg/apis/core/v1/defaults.go`.

use serde_json::{Map, Value, json};

use super::objects;
use crate::object_meta::text;

/// The first minor whose servers replace a negative grace period by one second.
const POSITIVE_GRACE_MINOR: u32 = 32;

/// Sets the defaults that pods have, but not pod templates.
pub(super) fn pod(map: &mut Map<String, Value>, minor: u32) {
    let Some(Value::Object(spec)) = map.get_mut("spec") else { return };
    let grace = spec.get("terminationGracePeriodSeconds").and_then(Value::as_i64);
    if minor >= POSITIVE_GRACE_MINOR && grace.is_some_and(|seconds| seconds < 0) {
        spec.insert("terminationGracePeriodSeconds".to_owned(), 1.into());
    }
    let is_on_host = spec.get("hostNetwork") == Some(&Value::Bool(true));
    for list in ["containers", "initContainers"] {
        for container in objects(spec, list) {
            request_limits(container);
            if is_on_host {
                for port in objects(container, "ports") {
                    let number = port.get("containerPort").cloned().unwrap_or_default();
                    port.entry("hostPort").or_insert(number);
                }
            }
        }
    }
}

/// Sets the missing requests of a container to its limits.
fn request_limits(container: &mut Map<String, Value>) {
    let Some(Value::Object(resources)) = container.get_mut("resources") else { return };
    let Some(Value::Object(limits)) = resources.get("limits").cloned() else { return };
    if let Value::Object(requests) = resources.entry("requests").or_insert_with(|| json!({})) {
        for (name, limit) in limits {
            requests.entry(name).or_insert(limit);
        }
    }
}

/// Sets `serviceAccountName` and the deprecated `serviceAccount` to the same name. `serviceAccountName` takes
/// precedence unless it is empty.
pub(super) fn spec(spec: &mut Map<String, Value>) {
    let mut account = text(spec, "serviceAccountName");
    if account.is_empty() {
        account = text(spec, "serviceAccount");
    }
    let account = account.to_owned();
    for key in ["serviceAccountName", "serviceAccount"] {
        if account.is_empty() {
            spec.remove(key);
        } else {
            spec.insert(key.to_owned(), account.clone().into());
        }
    }
}

/// Sets `podIP` and the first of `podIPs` to the same address. `podIP` takes precedence unless it is empty.
pub(super) fn status(status: &mut Map<String, Value>) {
    let first = status.get("podIPs").and_then(|ips| ips.get(0)?.get("ip")?.as_str());
    let first = first.map(str::to_owned);
    let ip = text(status, "podIP").to_owned();
    match first {
        Some(first) if ip.is_empty() => {
            status.insert("podIP".to_owned(), first.into());
        }
        Some(first) if first == ip => {}
        _ if ip.is_empty() => {}
        _ => {
            status.insert("podIPs".to_owned(), json!([{"ip": ip}]));
        }
    }
}
