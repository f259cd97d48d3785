//! The warnings of the strategies of built-in kinds.
//!
//! Source: `WarningsOnCreate` and `WarningsOnUpdate` in `pkg/registry` of kubernetes/kubernetes.
//! A number in a table here is the first minor that gives the warning.

mod pods;
#[cfg(test)]
mod tests;

use serde_json::Value;

use super::metadata;
use crate::names;

/// The first minors of the warnings that the oldest known minor does not give.
mod since {
    pub(super) const MOUNTABLE_SECRETS: u32 = 32;
    pub(super) const NEGATIVE_HISTORY_LIMITS: u32 = 33;
    pub(super) const GIT_DISABLED: u32 = 33;
    pub(super) const DUPLICATE_PORT_NAMES: u32 = 33;
    pub(super) const HEADLESS_SERVICES: u32 = 34;
    pub(super) const PREFER_CLOSE: u32 = 35;
    pub(super) const EXTERNAL_IPS: u32 = 36;
}

/// Returns the warnings that a minor gives for a new object. `kind` is the group and the kind.
pub(super) fn on_create(kind: (&str, &str), object: &Value, minor: u32) -> Vec<String> {
    let mut warnings = Vec::new();
    match kind {
        ("", "Pod") => {
            recommend_label(object, "the Pod's hostname", &mut warnings);
            pods::warn("", object, minor, &mut warnings);
        }
        ("apps", "Deployment" | "ReplicaSet") | ("batch", "Job" | "CronJob") => {
            recommend_label(object, "Pod names and hostnames", &mut warnings);
        }
        ("networking.k8s.io", "Ingress") => warn_of_class(object, &mut warnings),
        ("", "ServiceAccount") => warn_of_secrets(object, None, minor, &mut warnings),
        _ => {}
    }
    warn_of_template(kind, object, minor, &mut warnings);
    warn_always(kind, object, minor, &mut warnings);
    warnings
}

/// Returns the warnings that a minor gives for an object that replaces another.
pub(super) fn on_update(
    kind: (&str, &str),
    object: &Value,
    old: &Value,
    minor: u32,
) -> Vec<String> {
    let mut warnings = Vec::new();
    let generation = |object| metadata::of(object).and_then(|it| it.get("generation")).cloned();
    let template = |object: &Value| object.pointer("/spec/template").cloned();
    let is_changed = match kind {
        // Upstream: `spec.templateGeneration` decides, which counts the changes of the template.
        ("apps", "DaemonSet") => template(object) != template(old),
        _ => generation(object) != generation(old),
    };
    if is_changed {
        warn_of_template(kind, object, minor, &mut warnings);
    }
    if kind == ("", "ServiceAccount") {
        warn_of_secrets(object, Some(old), minor, &mut warnings);
    }
    let schedule = object.pointer("/spec/schedule").and_then(Value::as_str);
    if kind == ("batch", "CronJob") && schedule.is_some_and(|text| text.contains("TZ")) {
        warnings.push(
            "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see \
             https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details"
                .to_owned(),
        );
    }
    warn_always(kind, object, minor, &mut warnings);
    warnings
}

/// Adds the warnings for the template of a workload.
fn warn_of_template(kind: (&str, &str), object: &Value, minor: u32, warnings: &mut Vec<String>) {
    let path = match kind {
        ("apps", _) | ("batch", "Job") => "spec.template",
        ("batch", "CronJob") => "spec.jobTemplate.spec.template",
        _ => return,
    };
    let pointer = format!("/{}", path.replace('.', "/"));
    if let Some(template) = object.pointer(&pointer) {
        pods::warn(path, template, minor, warnings);
    }
}

/// Adds the warnings that creations and updates have in common.
fn warn_always(kind: (&str, &str), object: &Value, minor: u32, warnings: &mut Vec<String>) {
    match kind {
        ("", "Service") => warn_of_service(object, minor, warnings),
        ("apps", "StatefulSet") if minor >= since::NEGATIVE_HISTORY_LIMITS => {
            let limit = object.pointer("/spec/revisionHistoryLimit").and_then(Value::as_i64);
            if limit.is_some_and(|limit| limit < 0) {
                warnings.push(
                    "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is \
                     recommended"
                        .to_owned(),
                );
            }
        }
        _ => {}
    }
}

fn recommend_label(object: &Value, of: &str, warnings: &mut Vec<String>) {
    let problems = names::dns1123_label(metadata::text(object, "name"));
    if !problems.is_empty() {
        warnings.push(format!(
            "metadata.name: this is used in {of}, which can result in surprising behavior; a DNS label is recommended: \
             [{}]",
            problems.join(" ")
        ));
    }
}

fn has_annotation(object: &Value, key: &str) -> bool {
    let annotations = metadata::of(object).and_then(|metadata| metadata.get("annotations"));
    annotations.is_some_and(|annotations| annotations.get(key).is_some())
}

fn warn_of_class(ingress: &Value, warnings: &mut Vec<String>) {
    let key = "kubernetes.io/ingress.class";
    if has_annotation(ingress, key) && ingress.pointer("/spec/ingressClassName").is_none() {
        warnings.push(format!(
            "annotation {key:?} is deprecated, please use 'spec.ingressClassName' instead"
        ));
    }
}

fn warn_of_secrets(account: &Value, old: Option<&Value>, minor: u32, warnings: &mut Vec<String>) {
    let key = "kubernetes.io/enforce-mountable-secrets";
    if minor < since::MOUNTABLE_SECRETS {
        return;
    }
    if has_annotation(account, key) && !old.is_some_and(|old| has_annotation(old, key)) {
        warnings.push(format!(
            "metadata.annotations[{key}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted \
             secrets"
        ));
    }
}

/// Source: `GetWarningsForService` of `pkg/api/service`.
fn warn_of_service(service: &Value, minor: u32, warnings: &mut Vec<String>) {
    let hints = "service.kubernetes.io/topology-aware-hints";
    if has_annotation(service, hints) {
        warnings.push(format!(
            "annotation {hints} is deprecated, please use service.kubernetes.io/topology-mode instead"
        ));
    }
    let spec = |key: &str| service.get("spec").and_then(|spec| spec.get(key));
    let text = |key: &str| spec(key).and_then(Value::as_str).unwrap_or_default();
    let has_external =
        spec("externalIPs").and_then(Value::as_array).is_some_and(|list| !list.is_empty());
    let is_external_name = text("type") == "ExternalName";
    let is_headless = text("type") == "ClusterIP" && text("clusterIP") == "None";
    let ignored = [
        ("loadBalancerIP", !text("loadBalancerIP").is_empty()),
        ("externalIPs", has_external),
        ("SessionAffinity", text("sessionAffinity") != "None"),
    ];
    let warns_of_headless = is_headless && minor >= since::HEADLESS_SERVICES;
    for (field, _) in ignored.into_iter().filter(|(_, is_set)| warns_of_headless && *is_set) {
        warnings.push(format!("spec.{field} is ignored for headless services"));
    }
    let warns_of_external = minor >= since::EXTERNAL_IPS;
    if warns_of_external && has_external && !is_headless && !is_external_name {
        let text =
            "spec.externalIPs is deprecated and may no longer be implemented in some clusters";
        warnings.push(text.to_owned());
    }
    if has_external && is_external_name {
        warnings.push("spec.externalIPs is ignored when spec.type is \"ExternalName\"".to_owned());
    }
    if !text("externalName").is_empty() && !is_external_name {
        let text = "spec.externalName is ignored when spec.type is not \"ExternalName\"";
        warnings.push(text.to_owned());
    }
    if minor >= since::PREFER_CLOSE && text("trafficDistribution") == "PreferClose" {
        let text =
            "spec.trafficDistribution: \"PreferClose\" is deprecated; use \"PreferSameZone\"";
        warnings.push(text.to_owned());
    }
}
