//! The warnings of the strategies of built-in kinds.
//!
//! Source: `WarningsOnCreate` and `WarningsOnUpdate` in `pkg/registry` of kubernetes/kubernetes.

mod addresses;
mod pods;
#[cfg(test)]
mod tests;
mod volumes;

use serde_json::Value;

use self::addresses::{warn_of_cidr, warn_of_cidrs, warn_of_ip, warn_of_ips};
use self::pods::{warn_of_fractions, warn_of_terms};
use super::metadata;
use crate::names;

/// The annotation that named the class of storage before it was a field.
const STORAGE_CLASS: &str = "volume.beta.kubernetes.io/storage-class";

/// The first minor that gives each warning, or that gives it in its present wording, if that is not the oldest known
/// minor.
mod since {
    pub(super) const MOUNT_OPTIONS: u32 = 31;
    pub(super) const OVERLAPS: u32 = 32;
    pub(super) const MOUNTABLE_SECRETS: u32 = 32;
    pub(super) const NEGATIVE_HISTORY_LIMITS: u32 = 33;
    pub(super) const GIT_DISABLED: u32 = 33;
    pub(super) const DUPLICATE_PORT_NAMES: u32 = 33;
    pub(super) const LABEL_VALUES: u32 = 33;
    /// Earlier minors warn only of addresses in services, with other texts.
    pub(super) const ADDRESSES: u32 = 33;
    pub(super) const HEADLESS_SERVICES: u32 = 34;
    pub(super) const PREFER_CLOSE: u32 = 35;
    pub(super) const EXTERNAL_IPS: u32 = 36;
    /// Earlier minors warn that a nonstandard address will be considered invalid.
    pub(super) const INVALID_ADDRESSES: u32 = 36;
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
    if kind == ("apps", "StatefulSet") {
        warn_of_claims(object, "", &mut warnings);
    }
    warn_always(kind, object, minor, &mut warnings);
    warnings
}

/// Returns the warnings that a minor gives for an object whose status is replaced.
pub(super) fn on_status(kind: (&str, &str), object: &Value, minor: u32) -> Vec<String> {
    let mut warnings = Vec::new();
    let lists = match kind {
        ("", "Pod") => &[("podIPs", true), ("hostIPs", true)][..],
        ("", "Service") | ("networking.k8s.io", "Ingress") => &[("loadBalancer.ingress", false)],
        _ => &[],
    };
    for (path, has_key) in lists {
        let list = object.pointer(&format!("/status/{}", path.replace('.', "/")));
        // Upstream: the path ends at the item of a load balancer, not at its address.
        for (index, item) in list.and_then(Value::as_array).into_iter().flatten().enumerate() {
            let dot_key = if *has_key { ".ip" } else { "" };
            let path = format!("status.{path}[{index}]{dot_key}");
            warn_of_ip(&path, text(item, "ip"), minor, &mut warnings);
        }
    }
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
        // Upstream compares `spec.templateGeneration`, which counts the changes of the template.
        ("apps", "DaemonSet") => template(object) != template(old),
        _ => generation(object) != generation(old),
    };
    if is_changed {
        warn_of_template(kind, object, minor, &mut warnings);
    }
    if kind == ("", "ServiceAccount") {
        warn_of_secrets(object, Some(old), minor, &mut warnings);
    }
    if kind == ("apps", "StatefulSet") {
        // Upstream: this path has an additional `Spec`.
        warn_of_claims(object, ".Spec", &mut warnings);
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
    let job = path.trim_end_matches(".template");
    if kind.0 == "batch"
        && let Some(spec) = object.pointer(pointer.trim_end_matches("/template"))
    {
        warn_of_job(job, spec, warnings);
    }
    if let Some(template) = object.pointer(&pointer) {
        pods::warn(path, template, minor, warnings);
    }
}

/// Adds the warnings that creations and updates have in common.
fn warn_always(kind: (&str, &str), object: &Value, minor: u32, warnings: &mut Vec<String>) {
    match kind {
        ("", "Service") => warn_of_service(object, minor, warnings),
        ("", "Node") => warn_of_node(object, minor, warnings),
        ("", "PersistentVolume") => warn_of_volume(object, minor, warnings),
        ("", "PersistentVolumeClaim") => {
            warn_of_annotation(
                object,
                STORAGE_CLASS,
                "deprecated since v1.8; use \"storageClassName\" attribute instead",
                warnings,
            );
            warn_of_claim("spec", object.get("spec"), warnings);
        }
        ("networking.k8s.io", "NetworkPolicy") => warn_of_policy(object, minor, warnings),
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

/// Warns of a name that is not a DNS label. `of` is what is made from the name.
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

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn items<'v>(of: &'v Value, key: &str) -> impl Iterator<Item = &'v Value> {
    of.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn warn_of_annotation(object: &Value, key: &str, why: &str, warnings: &mut Vec<String>) {
    if has_annotation(object, key) {
        warnings.push(format!("metadata.annotations[{key}]: {why}"));
    }
}

/// Source: `WarningsForJobSpec` of `pkg/api/job`.
fn warn_of_job(path: &str, spec: &Value, warnings: &mut Vec<String>) {
    let number = |key: &str| spec.get(key).and_then(Value::as_i64).unwrap_or_default();
    let is_indexed = text(spec, "completionMode") == "Indexed";
    if is_indexed && number("completions") > 100_000 && number("parallelism") > 10_000 {
        warnings.push(format!(
            "{path}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, \
             Kubernetes might not be able to track completedIndexes when a big number of indexes fail"
        ));
    }
}

/// Source: `GetWarningsForPersistentVolumeClaimSpec` of `pkg/api/persistentvolumeclaim`.
fn warn_of_claim(path: &str, spec: Option<&Value>, warnings: &mut Vec<String>) {
    for list in ["requests", "limits"] {
        let amounts = spec.and_then(|spec| spec.get("resources")?.get(list));
        warn_of_fractions(&format!("{path}.resources.{list}"), amounts, &["storage"], warnings);
    }
}

/// Warns of the claim templates of a stateful set. `below` follows the index in the paths of warnings.
fn warn_of_claims(set: &Value, below: &str, warnings: &mut Vec<String>) {
    let claims = set.get("spec").into_iter().flat_map(|spec| items(spec, "volumeClaimTemplates"));
    for (index, claim) in claims.enumerate() {
        let path = format!("spec.volumeClaimTemplates[{index}]{below}");
        warn_of_claim(&path, claim.get("spec"), warnings);
    }
}

/// Source: `warningsForPersistentVolumeSpecAndMeta` of `pkg/api/persistentvolume`.
fn warn_of_volume(volume: &Value, minor: u32, warnings: &mut Vec<String>) {
    let annotations = [
        (STORAGE_CLASS, "deprecated since v1.8; use \"storageClassName\" attribute instead"),
        (
            "volume.beta.kubernetes.io/mount-options",
            "deprecated since v1.31; use \"mountOptions\" attribute instead",
        ),
    ];
    let known = if minor >= since::MOUNT_OPTIONS { &annotations[..] } else { &annotations[..1] };
    for (key, why) in known {
        warn_of_annotation(volume, key, why, warnings);
    }
    let Some(spec) = volume.get("spec") else { return };
    if text(spec, "persistentVolumeReclaimPolicy") == "Recycle" {
        let text = "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended \
                    approach is to use dynamic provisioning.";
        warnings.push(text.to_owned());
    }
    if let Some(required) = spec.pointer("/nodeAffinity/required") {
        warn_of_terms("spec.nodeAffinity.required.nodeSelectorTerms", required, minor, warnings);
    }
    for source in ["cephfs", "photonPersistentDisk", "scaleIO", "storageos", "glusterfs", "rbd"] {
        pods::warn_of_source("spec", spec, source, minor, warnings);
    }
}

/// Source: `nodeWarnings` of `pkg/registry/core/node/strategy.go`.
fn warn_of_node(node: &Value, minor: u32, warnings: &mut Vec<String>) {
    let Some(spec) = node.get("spec") else { return };
    if spec.get("configSource").is_some() {
        warnings.push("spec.configSource: the feature is removed".to_owned());
    }
    if !text(spec, "externalID").is_empty() {
        let text = "spec.externalID: this field is deprecated, and is unused by Kubernetes";
        warnings.push(text.to_owned());
    }
    warn_of_cidrs("spec.podCIDRs", spec.get("podCIDRs"), minor, warnings);
}

/// Source: `networkPolicyWarnings` of `pkg/registry/networking/networkpolicy/strategy.go`.
fn warn_of_policy(policy: &Value, minor: u32, warnings: &mut Vec<String>) {
    let Some(spec) = policy.get("spec") else { return };
    for (direction, list) in [("ingress", "from"), ("egress", "to")] {
        for (index, rule) in items(spec, direction).enumerate() {
            for (peer_index, peer) in items(rule, list).enumerate() {
                let Some(block) = peer.get("ipBlock") else { continue };
                let path = format!("spec.{direction}[{index}].{list}[{peer_index}].ipBlock");
                warn_of_cidr(&format!("{path}.cidr"), text(block, "cidr"), minor, warnings);
                warn_of_cidrs(&format!("{path}.except"), block.get("except"), minor, warnings);
            }
        }
    }
}

/// Warns of the annotation that named the class of an ingress before it was a field.
fn warn_of_class(ingress: &Value, warnings: &mut Vec<String>) {
    let key = "kubernetes.io/ingress.class";
    if has_annotation(ingress, key) && ingress.pointer("/spec/ingressClassName").is_none() {
        warnings.push(format!(
            "annotation {key:?} is deprecated, please use 'spec.ingressClassName' instead"
        ));
    }
}

/// Warns of the annotation that limits which secrets pods can mount, unless the account already had it.
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
    // Source: `IsServiceIPSet`.
    if !is_external_name && !matches!(text("clusterIP"), "" | "None") {
        warn_of_ips("spec.clusterIPs", spec("clusterIPs"), None, minor, warnings);
    }
    let ignored = [
        ("loadBalancerIP", !text("loadBalancerIP").is_empty()),
        ("externalIPs", has_external),
        ("SessionAffinity", text("sessionAffinity") != "None"),
    ];
    let warns_of_headless = is_headless && minor >= since::HEADLESS_SERVICES;
    for (field, _) in ignored.into_iter().filter(|(_, is_set)| warns_of_headless && *is_set) {
        warnings.push(format!("spec.{field} is ignored for headless services"));
    }
    warn_of_ips("spec.externalIPs", spec("externalIPs"), None, minor, warnings);
    let warns_of_external = minor >= since::EXTERNAL_IPS;
    if warns_of_external && has_external && !is_headless && !is_external_name {
        let text =
            "spec.externalIPs is deprecated and may no longer be implemented in some clusters";
        warnings.push(text.to_owned());
    }
    warn_of_ip("spec.loadBalancerIP", text("loadBalancerIP"), minor, warnings);
    let ranges = "loadBalancerSourceRanges";
    warn_of_cidrs(&format!("spec.{ranges}"), spec(ranges), minor, warnings);
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
