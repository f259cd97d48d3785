//! The fields that the server sets in pods.
//!
//! Source: `pkg/registry/core/pod/strategy.go`, `pkg/apis/core/helper/qos/qos.go`, and the admission plugin
//! `DefaultTolerationSeconds`.

use std::cmp::Ordering;

use crd_cel::domain::quantity::Quantity;
use crd_cel::kubernetes::KubernetesVersion;
use serde_json::{Map, Value, json};

use super::{part_mut, put};
use crate::differences::Difference;
use crate::metadata;
use crate::object_meta::text;

/// The taints that a pod tolerates for five minutes.
const TOLERATED: [&str; 2] = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];
const TOLERATION_SECONDS: i64 = 300;

/// Drops image volumes and their mounts from the spec of a new pod or template, where the feature is off.
///
/// Source: `dropImageVolumes` of `pkg/api/pod/util.go`.
pub(super) fn drop_image_volumes(spec: &mut Value, kubernetes: KubernetesVersion) {
    if Difference::ImageVolumes.is_in(kubernetes) {
        return;
    }
    let take_list = |value: &mut Value, key: &str| value.get_mut(key).map(Value::take);
    let Some(Value::Array(volumes)) = take_list(spec, "volumes") else { return };
    let (dropped, kept): (Vec<Value>, Vec<Value>) =
        volumes.into_iter().partition(|volume| volume.get("image").is_some());
    set_list(spec, "volumes", kept);
    let is_dropped = |mount: &Value| dropped.iter().any(|volume| volume["name"] == mount["name"]);
    for containers in ["containers", "initContainers"] {
        for container in
            spec.get_mut(containers).and_then(Value::as_array_mut).into_iter().flatten()
        {
            if let Some(Value::Array(mut mounts)) = take_list(container, "volumeMounts") {
                mounts.retain(|mount| !is_dropped(mount));
                set_list(container, "volumeMounts", mounts);
            }
        }
    }
}

/// Sets a list, or removes it if it is empty.
fn set_list(object: &mut Value, key: &str, list: Vec<Value>) {
    if let Value::Object(map) = object {
        metadata::set(map, key, (!list.is_empty()).then(|| list.into()));
    }
}

/// Sets the default tolerations and the status of a new pod.
pub(super) fn create(pod: &mut Value, kubernetes: KubernetesVersion) {
    if let Value::Object(spec) = part_mut(pod, "spec") {
        add_tolerations(spec);
    }
    let mut status = json!({"phase": "Pending", "qosClass": qos_class(pod)});
    let gates = pod.pointer("/spec/schedulingGates").and_then(Value::as_array);
    if gates.is_some_and(|gates| !gates.is_empty()) {
        let has_time = Difference::TimesOfGates.is_in(kubernetes);
        let now = has_time.then(|| metadata::text(pod, "creationTimestamp"));
        status["conditions"] = json!([{
            "type": "PodScheduled", "status": "False", "reason": "SchedulingGated",
            "message": "Scheduling is blocked due to non-empty scheduling gates",
            "lastProbeTime": null, "lastTransitionTime": now,
        }]);
    }
    put(pod, "status", status);
}

/// Keeps the priority of a pod if an update omits it, and adds the default tolerations.
pub(super) fn update(pod: &mut Value, old: &Value) {
    let Value::Object(spec) = part_mut(pod, "spec") else { return };
    for key in ["priority", "preemptionPolicy"] {
        if let (None, Some(known)) = (spec.get(key), old.get("spec").and_then(|it| it.get(key))) {
            spec.insert(key.to_owned(), known.clone());
        }
    }
    add_tolerations(spec);
}

/// Tolerates the taints of nodes that are not ready or unreachable for five minutes, unless the pod already tolerates
/// them.
fn add_tolerations(spec: &mut Map<String, Value>) {
    let known = spec.get("tolerations").and_then(Value::as_array).cloned().unwrap_or_default();
    let mut tolerations = known.clone();
    for taint in TOLERATED {
        let is_tolerated = known.iter().filter_map(Value::as_object).any(|toleration| {
            let (key, effect) = (text(toleration, "key"), text(toleration, "effect"));
            (key == taint || key.is_empty()) && matches!(effect, "" | "NoExecute")
        });
        if !is_tolerated {
            tolerations.push(json!({
                "key": taint, "operator": "Exists", "effect": "NoExecute",
                "tolerationSeconds": TOLERATION_SECONDS,
            }));
        }
    }
    if !tolerations.is_empty() {
        spec.insert("tolerations".to_owned(), tolerations.into());
    }
}

/// Returns the quality-of-service class of a pod: `Guaranteed`, `Burstable` or `BestEffort`.
pub(crate) fn qos_class(pod: &Value) -> &'static str {
    if let Some(resources) = pod.pointer("/spec/resources") {
        return qos_class_of_resources(Some(resources));
    }
    let list = |key: &str| {
        let list = pod.get("spec").and_then(|spec| spec.get(key)?.as_array());
        list.into_iter().flatten()
    };
    let classes = list("initContainers")
        .chain(list("containers"))
        .map(|it| qos_class_of_resources(it.get("resources")));
    common_class(classes).unwrap_or("BestEffort")
}

/// Returns the class that all parts have, or `Burstable`; `None` if there are no parts.
fn common_class(mut classes: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let first = classes.next()?;
    Some(if classes.all(|class| class == first) { first } else { "Burstable" })
}

fn qos_class_of_resources(resources: Option<&Value>) -> &'static str {
    let amount = |list: &str, name: &str| {
        let text = resources?.get(list)?.get(name)?.as_str()?;
        Quantity::parse(text).ok().filter(|quantity| quantity.signum() != 0)
    };
    let is_empty = |list: &str| {
        let list = resources.and_then(|resources| resources.get(list)?.as_object());
        list.is_none_or(Map::is_empty)
    };
    if is_empty("limits") && is_empty("requests") {
        return "BestEffort";
    }
    let classes = ["cpu", "memory"].into_iter().map(|name| {
        match (amount("limits", name), amount("requests", name)) {
            (None, None) => "BestEffort",
            (Some(limit), Some(request)) if limit.compare(&request) == Ordering::Equal => {
                "Guaranteed"
            }
            _ => "Burstable",
        }
    });
    common_class(classes).unwrap_or("BestEffort")
}
