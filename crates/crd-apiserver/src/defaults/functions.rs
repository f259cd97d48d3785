//! Defaults that depend on other values.

use serde_json::{Map, Value, json};

use super::{objects, pods};
use crate::object_meta::text;

/// The default time for which a client reaches the same pod, in seconds.
/// Source: `DefaultClientIPServiceAffinitySeconds`.
const AFFINITY_SECONDS: i64 = 10_800;
/// The first minor whose servers set a default for the pull policy of image volumes.
const IMAGE_PULL_POLICY_MINOR: u32 = 35;
/// The label with the name of a namespace.
const NAME_LABEL: &str = "kubernetes.io/metadata.name";

/// Sets the defaults of a struct that are not rows of the table.
pub(super) fn set(type_: &str, map: &mut Map<String, Value>, minor: u32) {
    match type_ {
        "autoscaling.v2.HorizontalPodAutoscalerSpec" => autoscaler(map),
        "batch.v1.Job" => job(map),
        "core.v1.Container" | "core.v1.EphemeralContainer" => {
            pull_policy(map, "image", "imagePullPolicy");
        }
        "core.v1.LimitRangeItem" => limits(map),
        "core.v1.Namespace" => namespace(map),
        "core.v1.NodeStatus" => {
            if let (None, Some(capacity)) = (map.get("allocatable"), map.get("capacity").cloned()) {
                map.insert("allocatable".to_owned(), capacity);
            }
        }
        "core.v1.Pod" => pods::pod(map, minor),
        "core.v1.PodSpec" => pods::spec(map),
        "core.v1.PodStatus" => pods::status(map),
        "core.v1.ReplicationController" => replication_controller(map),
        "core.v1.Service" => service(map),
        "core.v1.Volume" => volume(map, minor),
        "flowcontrol.v1.FlowSchemaSpec" => replace_zero(map, "matchingPrecedence", 1_000),
        "flowcontrol.v1.QueuingConfiguration" => {
            replace_zero(map, "handSize", 8);
            replace_zero(map, "queueLengthLimit", 50);
            replace_zero(map, "queues", 64);
        }
        "networking.v1.NetworkPolicySpec" => policy_types(map),
        "resource.v1.DeviceSubRequest" | "resource.v1.ExactDeviceRequest"
            if map.get("allocationMode").is_some_and(|mode| mode == "ExactCount") =>
        {
            replace_zero(map, "count", 1);
        }
        "storage.v1.CSIDriverSpec" => {
            let modes = map.get("volumeLifecycleModes").and_then(Value::as_array);
            if modes.is_none_or(Vec::is_empty) {
                map.insert("volumeLifecycleModes".to_owned(), json!(["Persistent"]));
            }
        }
        _ => {}
    }
}

/// Sets a number that is no pointer in Go, so that 0 is as good as absent.
fn replace_zero(map: &mut Map<String, Value>, key: &str, default: i64) {
    if map.get(key).and_then(Value::as_i64).unwrap_or_default() == 0 {
        map.insert(key.to_owned(), default.into());
    }
}

/// Gives a job without labels those of its template. Source: `SetDefaults_Job`.
fn job(map: &mut Map<String, Value>) {
    let labels =
        map.get("spec").and_then(|spec| spec.pointer("/template/metadata/labels")).cloned();
    if let (Some(labels @ Value::Object(_)), Some(Value::Object(metadata))) =
        (labels, map.get_mut("metadata"))
    {
        metadata.entry("labels").or_insert(labels);
    }
}

/// Completes the defaults of a limit range for containers: `default` from `max`, and `defaultRequest` from `default`,
/// then from `min`. Source: `SetDefaults_LimitRangeItem`.
fn limits(map: &mut Map<String, Value>) {
    if text(map, "type") != "Container" {
        return;
    }
    for (field, source) in
        [("default", "max"), ("defaultRequest", "default"), ("defaultRequest", "min")]
    {
        let source = map.get(source).and_then(Value::as_object).cloned().unwrap_or_default();
        let target = map.entry(field).or_insert(Value::Null);
        if target.is_null() {
            *target = json!({});
        }
        if let Value::Object(target) = target {
            for (resource, quantity) in source {
                target.entry(resource).or_insert(quantity);
            }
        }
    }
}

/// Sets the label with the name of the namespace. Source: `SetDefaults_Namespace`.
fn namespace(map: &mut Map<String, Value>) {
    let Some(Value::Object(metadata)) = map.get_mut("metadata") else { return };
    let name = text(metadata, "name").to_owned();
    if name.is_empty() {
        return;
    }
    if let Value::Object(labels) = metadata.entry("labels").or_insert_with(|| json!({})) {
        labels.insert(NAME_LABEL.to_owned(), name.into());
    }
}

/// Sets the pull policy to `Always` for an image with the tag `latest` or without a tag and digest, and to
/// `IfNotPresent` for others. `image` and `policy` are names of fields. Source: `ParseImageName`.
fn pull_policy(map: &mut Map<String, Value>, image: &str, policy: &str) {
    if !text(map, policy).is_empty() {
        return;
    }
    let image = text(map, image);
    let (name, has_digest) = image.split_once('@').map_or((image, false), |(name, _)| (name, true));
    let last = name.rsplit('/').next().unwrap_or_default();
    let tag = last.split_once(':').map(|(_, tag)| tag);
    // Upstream: an image that is not a valid reference has no tag, not even `latest`.
    let is_reference = !image.is_empty() && !image.contains(char::is_whitespace);
    let is_latest = match tag {
        Some(tag) => tag == "latest",
        None => !has_digest && is_reference,
    };
    let value = if is_latest { "Always" } else { "IfNotPresent" };
    map.insert(policy.to_owned(), value.into());
}

/// Makes a volume without a source an `emptyDir`, and sets the pull policy of an image. Source: `SetDefaults_Volume`.
fn volume(map: &mut Map<String, Value>, minor: u32) {
    if map.keys().all(|key| key == "name") {
        map.insert("emptyDir".to_owned(), json!({}));
    }
    if minor >= IMAGE_PULL_POLICY_MINOR
        && let Some(Value::Object(image)) = map.get_mut("image")
    {
        pull_policy(image, "reference", "pullPolicy");
    }
}

/// Sets the defaults that depend on the type, the session affinity and the ports. Source: `SetDefaults_Service`.
fn service(map: &mut Map<String, Value>) {
    let Some(Value::Object(spec)) = map.get_mut("spec") else { return };
    // `ServiceSpec` gets the defaults of the table after this function, so they are repeated here.
    let or = |text: &str, default: &str| if text.is_empty() { default } else { text }.to_owned();
    let (affinity, type_) =
        (or(text(spec, "sessionAffinity"), "None"), or(text(spec, "type"), "ClusterIP"));
    if affinity == "None" {
        spec.remove("sessionAffinityConfig");
    } else if affinity == "ClientIP" {
        let found = spec.get("sessionAffinityConfig");
        if found.and_then(|config| config.pointer("/clientIP/timeoutSeconds")).is_none() {
            let config = json!({"clientIP": {"timeoutSeconds": AFFINITY_SECONDS}});
            spec.insert("sessionAffinityConfig".to_owned(), config);
        }
    }
    for port in objects(spec, "ports") {
        let target = port.get("targetPort");
        if target.is_none_or(|target| *target == 0 || *target == "") {
            let same = port.get("port").cloned().unwrap_or_default();
            port.insert("targetPort".to_owned(), same);
        }
    }
    let has_external_ips =
        spec.get("externalIPs").and_then(Value::as_array).is_some_and(|ips| !ips.is_empty());
    let is_external =
        matches!(&*type_, "LoadBalancer" | "NodePort") || type_ == "ClusterIP" && has_external_ips;
    if is_external && text(spec, "externalTrafficPolicy").is_empty() {
        spec.insert("externalTrafficPolicy".to_owned(), "Cluster".into());
    }
    if matches!(&*type_, "NodePort" | "LoadBalancer" | "ClusterIP") {
        spec.entry("internalTrafficPolicy").or_insert_with(|| "Cluster".into());
    }
    if type_ == "LoadBalancer" {
        spec.entry("allocateLoadBalancerNodePorts").or_insert(Value::Bool(true));
        let ingress = map.get_mut("status").and_then(|status| status.get_mut("loadBalancer"));
        for entry in
            ingress.and_then(Value::as_object_mut).into_iter().flat_map(|it| objects(it, "ingress"))
        {
            if !text(entry, "ip").is_empty() {
                entry.entry("ipMode").or_insert_with(|| "VIP".into());
            }
        }
    }
}

/// Labels a replication controller like its template, and selects these labels.
/// Source: `SetDefaults_ReplicationController`.
fn replication_controller(map: &mut Map<String, Value>) {
    let labels = map.get("spec").and_then(|spec| spec.pointer("/template/metadata/labels"));
    let Some(labels) = labels.filter(|labels| labels.is_object()).cloned() else { return };
    let is_empty =
        |value: Option<&Value>| value.and_then(Value::as_object).is_none_or(Map::is_empty);
    if let Some(Value::Object(spec)) = map.get_mut("spec")
        && is_empty(spec.get("selector"))
    {
        spec.insert("selector".to_owned(), labels.clone());
    }
    if let Some(Value::Object(metadata)) = map.get_mut("metadata")
        && is_empty(metadata.get("labels"))
    {
        metadata.insert("labels".to_owned(), labels);
    }
}

/// Scales by the utilization of the processor, and completes the rules of a behavior.
/// Source: `SetDefaults_HorizontalPodAutoscaler` of `pkg/apis/autoscaling/v2`.
fn autoscaler(spec: &mut Map<String, Value>) {
    if spec.get("metrics").and_then(Value::as_array).is_none_or(Vec::is_empty) {
        let target = json!({"type": "Utilization", "averageUtilization": 80});
        let metric = json!({"type": "Resource", "resource": {"name": "cpu", "target": target}});
        spec.insert("metrics".to_owned(), json!([metric]));
    }
    let Some(Value::Object(behavior)) = spec.get_mut("behavior") else { return };
    let all = json!({"type": "Percent", "value": 100, "periodSeconds": 15});
    let four = json!({"type": "Pods", "value": 4, "periodSeconds": 15});
    for (key, policies, window) in
        [("scaleUp", json!([four, all]), Some(0)), ("scaleDown", json!([all]), None)]
    {
        let rules = behavior.entry(key).or_insert_with(|| json!({}));
        let Value::Object(rules) = rules else { continue };
        if let Some(window) = window {
            rules.entry("stabilizationWindowSeconds").or_insert_with(|| window.into());
        }
        rules.entry("selectPolicy").or_insert_with(|| "Max".into());
        rules.entry("policies").or_insert(policies);
    }
}

/// Sets the policy types: `Ingress`, and `Egress` if there are egress rules. Source: `SetDefaults_NetworkPolicy`.
fn policy_types(spec: &mut Map<String, Value>) {
    let is_empty = |key: &str| spec.get(key).and_then(Value::as_array).is_none_or(Vec::is_empty);
    if is_empty("policyTypes") {
        let types: &[&str] = if is_empty("egress") { &["Ingress"] } else { &["Ingress", "Egress"] };
        spec.insert("policyTypes".to_owned(), types.into());
    }
}
