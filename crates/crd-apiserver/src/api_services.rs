//! `APIService`s: which server answers the requests for a version of a group.
//!
//! Source: `pkg/controlplane/apiserver/aggregator.go` of kubernetes/kubernetes; `pkg/apis/apiregistration` and
//! `pkg/registry/apiservice` of kube-aggregator.

use crd_cel::gofmt::quote;
use serde_json::{Value, json};

use super::fields::{list, text};
use super::metadata;
use crate::field::{Path, Sink};
use crate::names;

/// The group of the kind.
pub(super) const GROUP: &str = "apiregistration.k8s.io";
/// The resource under which the objects are stored.
pub(super) const RESOURCE: &str = "apiregistration.k8s.io/apiservices";
/// The label of those that the server itself has made.
pub(super) const MANAGED: &str = "kube-aggregator.kubernetes.io/automanaged";

/// The priority of groups that are not built in. Source: `getGroupPriorityMin` of `pkg/controlplane/controller`.
const PRIORITY_OF_OTHERS: i64 = 1_000;

/// The priorities of the built-in groups. Upstream, the group of this kind comes first and has no priority.
const PRIORITIES: [(&str, i64); 22] = [
    (GROUP, 20_000),
    ("", 18_000),
    ("apps", 17_800),
    ("events.k8s.io", 17_750),
    ("authentication.k8s.io", 17_700),
    ("authorization.k8s.io", 17_600),
    ("autoscaling", 17_500),
    ("batch", 17_400),
    ("certificates.k8s.io", 17_300),
    ("networking.k8s.io", 17_200),
    ("policy", 17_100),
    ("rbac.authorization.k8s.io", 17_000),
    ("storage.k8s.io", 16_800),
    ("admissionregistration.k8s.io", 16_700),
    ("apiextensions.k8s.io", 16_700),
    ("scheduling.k8s.io", 16_600),
    ("coordination.k8s.io", 16_500),
    ("node.k8s.io", 16_300),
    ("discovery.k8s.io", 16_200),
    ("resource.k8s.io", 16_200),
    ("flowcontrol.apiserver.k8s.io", 16_100),
    ("storagemigration.k8s.io", 15_800),
];

/// Returns the priority by which discovery sorts groups, the greatest first.
pub(super) fn priority(group: &str) -> i64 {
    let found = PRIORITIES.iter().find(|(of, _)| *of == group);
    found.map_or(PRIORITY_OF_OTHERS, |(_, priority)| *priority)
}

fn is_built_in(group: &str) -> bool {
    PRIORITIES.iter().any(|(of, _)| *of == group)
}

/// Returns the name of the object of a version.
pub(super) fn name(group: &str, version: &str) -> String {
    format!("{version}.{group}")
}

/// Returns the object of a version. `service` is that of an aggregated API; the server itself answers for other ones.
/// The group of this kind has no object.
pub(super) fn object(group: &str, version: &str, service: Option<&Value>) -> Option<Value> {
    if group == GROUP {
        return None;
    }
    let of_version = match group {
        "" => 1,
        "autoscaling" if version == "v2" => 30,
        "flowcontrol.apiserver.k8s.io" | "resource.k8s.io" => 21,
        _ if is_built_in(group) => 15,
        _ => 100,
    };
    let mut spec = json!({
        "group": group, "version": version, "groupPriorityMinimum": priority(group),
        "versionPriority": of_version,
    });
    let mut metadata = json!({"name": name(group, version)});
    if let Some(service) = service {
        spec["service"] = service.clone();
        spec["insecureSkipTLSVerify"] = true.into();
    } else {
        let how = if is_built_in(group) { "onstart" } else { "true" };
        metadata["labels"] = json!({MANAGED: how});
    }
    Some(json!({
        "apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService", "metadata": metadata,
        "spec": spec,
    }))
}

/// Returns the service that answers for the version of an object; `None` if the server itself does.
pub(super) fn service(object: &Value) -> Option<&Value> {
    object.pointer("/spec/service").filter(|service| !service.is_null())
}

/// Completes a new object: one without a service is available at once. Source: `PrepareForCreate`.
pub(super) fn prepare(object: &mut Value, now: &str) {
    if service(object).is_none() {
        let why = ("True", "Local", "Local APIServices are always available");
        set_available(object, why, now);
    }
}

/// Sets the condition `Available` to a status, a reason and a message. Source: `SetAPIServiceCondition`.
pub(super) fn set_available(
    object: &mut Value,
    (status, reason, message): (&str, &str, &str),
    now: &str,
) {
    let mut conditions: Vec<Value> = object
        .get("status")
        .into_iter()
        .flat_map(|status| list(status, "conditions"))
        .cloned()
        .collect();
    let mut new = json!({
        "type": "Available", "status": status, "lastTransitionTime": now, "reason": reason,
        "message": message,
    });
    match conditions.iter_mut().find(|condition| text(condition, "type") == "Available") {
        Some(old) => {
            if text(old, "status") == status {
                new["lastTransitionTime"] = old["lastTransitionTime"].clone();
            }
            *old = new;
        }
        None => conditions.push(new),
    }
    object["status"] = json!({"conditions": conditions});
}

/// Source: `ValidateAPIService`.
pub(super) fn validate(object: &Value, errors: &mut Sink) {
    let spec = object.get("spec").unwrap_or(&Value::Null);
    let (group, version) = (text(spec, "group"), text(spec, "version"));
    let (found, required) = (metadata::text(object, "name"), name(group, version));
    if found != required && names::path_segment(found, false).is_empty() {
        let why = format!("must be `spec.version+\".\"+spec.group`: {}", quote(&required));
        errors.invalid(&Path::new("metadata.name"), found, why);
    }
    if group.is_empty() {
        if version != "v1" {
            let why = "only v1 may have an empty group and it better be legacy kube";
            errors.required(&Path::new("spec.group"), why);
        }
    } else {
        for why in names::dns1123_subdomain(group) {
            errors.invalid(&Path::new("spec.group"), group, why);
        }
    }
    for why in names::dns1035_label(version) {
        errors.invalid(&Path::new("spec.version"), version, why);
    }
    for (key, most) in [("groupPriorityMinimum", 20_000), ("versionPriority", 1_000)] {
        let number = spec.get(key).and_then(Value::as_i64).unwrap_or_default();
        if !(1..=most).contains(&number) {
            let why = format!("must be positive and less than {most}");
            errors.invalid(&Path::new(&format!("spec.{key}")), &Value::from(number), why);
        }
    }
    validate_service(object, spec, errors);
}

fn validate_service(object: &Value, spec: &Value, errors: &mut Sink) {
    let bundle = spec.get("caBundle").and_then(Value::as_str).unwrap_or_default();
    let skips = spec.get("insecureSkipTLSVerify").is_some_and(|it| it == true);
    let insecure = Path::new("spec.insecureSkipTLSVerify");
    let Some(service) = service(object) else {
        if !bundle.is_empty() {
            let bytes =
                crd_cel::base64::STANDARD.decode(bundle.as_bytes()).map_or(0, |it| it.len());
            let shown = format!("{bytes} bytes");
            let why = "local APIServices may not have a caBundle";
            errors.invalid(&Path::new("spec.caBundle"), shown.as_str(), why);
        }
        if skips {
            let why = "local APIServices may not have insecureSkipTLSVerify";
            errors.invalid(&insecure, &Value::from(true), why);
        }
        return;
    };
    for key in ["namespace", "name"] {
        if text(service, key).is_empty() {
            errors.required(&Path::new(&format!("spec.service.{key}")), "");
        }
    }
    let port = service.get("port").and_then(Value::as_i64).unwrap_or_default();
    if !(1..=65_535).contains(&port) {
        let why = "port is not valid: must be between 1 and 65535, inclusive";
        errors.invalid(&Path::new("spec.service.port"), &Value::from(port), why);
    }
    if skips && !bundle.is_empty() {
        errors.invalid(&insecure, &Value::from(true), "may not be true if caBundle is present");
    }
}
