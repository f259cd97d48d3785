//! The status of a Pod, as a kubelet writes it.
//!
//! Source: `generateAPIPodStatus` of `pkg/kubelet/kubelet_pods.go`, and `pkg/kubelet/status/generate.go`.

use serde_json::{Value, json};

use super::super::preparation::qos_class;
use super::condition;

/// The phase of a Pod, and whether it is ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PodPhase {
    Running,
    Ready,
    Succeeded,
    Failed { exit_code: i32 },
}

/// Returns the status of a Pod in a phase.
pub(super) fn pod(object: &Value, phase: PodPhase, now: &str) -> Value {
    let generation = object.pointer("/metadata/generation").cloned().unwrap_or_default();
    let start = object.pointer("/status/startTime").and_then(Value::as_str).unwrap_or(now);
    let is_running = matches!(phase, PodPhase::Running | PodPhase::Ready);
    let text = match phase {
        PodPhase::Running | PodPhase::Ready => "Running",
        PodPhase::Succeeded => "Succeeded",
        PodPhase::Failed { .. } => "Failed",
    };
    let types = [
        ("PodReadyToStartContainers", is_running),
        ("Initialized", true),
        ("Ready", phase == PodPhase::Ready),
        ("ContainersReady", phase == PodPhase::Ready),
        ("PodScheduled", true),
    ];
    let conditions = types.map(|(type_, is_true)| {
        let mut condition = condition(object, type_, is_true, now);
        if !generation.is_null() {
            condition.insert("observedGeneration".to_owned(), generation.clone());
        }
        condition.insert("lastProbeTime".to_owned(), Value::Null);
        let why = match (type_, phase) {
            ("Ready" | "ContainersReady", PodPhase::Succeeded) => Some("PodCompleted"),
            ("Ready" | "ContainersReady", PodPhase::Failed { .. }) => Some("PodFailed"),
            ("Ready" | "ContainersReady", PodPhase::Running) => Some("ContainersNotReady"),
            _ => None,
        };
        if let Some(why) = why {
            condition.insert("reason".to_owned(), why.into());
        }
        Value::from(condition)
    });
    let containers = object.pointer("/spec/containers").and_then(Value::as_array);
    let statuses = containers.into_iter().flatten().map(|it| container(it, phase, start, now));
    let mut status = json!({
        "phase": text, "startTime": start, "qosClass": qos_class(object),
        "conditions": conditions, "containerStatuses": statuses.collect::<Vec<_>>(),
        // Addresses that are reserved for documentation. Source: RFC 5737.
        "hostIP": "192.0.2.1", "hostIPs": [{"ip": "192.0.2.1"}],
    });
    if is_running {
        status["podIP"] = "198.51.100.1".into();
        status["podIPs"] = json!([{"ip": "198.51.100.1"}]);
    }
    if !generation.is_null() {
        status["observedGeneration"] = generation;
    }
    status
}

fn container(container: &Value, phase: PodPhase, start: &str, now: &str) -> Value {
    let text = |key: &str| container.get(key).and_then(Value::as_str).unwrap_or_default();
    let name = text("name");
    let id = format!("containerd://{name}");
    let ended = |exit_code: i32, reason: &str| {
        json!({"terminated": {
            "exitCode": exit_code, "reason": reason, "startedAt": start, "finishedAt": now,
            "containerID": id,
        }})
    };
    let state = match phase {
        PodPhase::Running | PodPhase::Ready => json!({"running": {"startedAt": start}}),
        PodPhase::Succeeded => ended(0, "Completed"),
        PodPhase::Failed { exit_code } => ended(exit_code, "Error"),
    };
    json!({
        "name": name, "image": text("image"), "imageID": text("image"), "containerID": id,
        "ready": phase == PodPhase::Ready, "started": matches!(phase, PodPhase::Running | PodPhase::Ready),
        "restartCount": 0, "state": state, "lastState": {},
    })
}
