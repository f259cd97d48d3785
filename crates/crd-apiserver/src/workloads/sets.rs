//! The statuses of the kinds that manage pods: Deployments, `StatefulSet`s, `DaemonSet`s and Jobs.

use serde_json::{Value, json};

use super::owned::revision_name;
use super::{condition, number, with_reason, without_zeros};

/// Returns the status of a Deployment that has all of its pods; `is_available` is whether they are available. Source:
/// `calculateStatus` of `pkg/controller/deployment/sync.go`, and `progress.go` beside it.
pub(super) fn deployment(object: &Value, is_available: bool, now: &str) -> Value {
    let replicas = number(object, "/spec/replicas", 1);
    let available = if is_available { replicas } else { 0 };
    let mut status = without_zeros(&[
        ("observedGeneration", number(object, "/metadata/generation", 0)),
        ("replicas", replicas),
        ("updatedReplicas", replicas),
        ("readyReplicas", available),
        ("availableReplicas", available),
        ("unavailableReplicas", replicas - available),
    ]);
    status.insert("terminatingReplicas".to_owned(), 0.into());
    let is_minimum = available == replicas;
    let (reason, message) = if is_minimum {
        ("MinimumReplicasAvailable", "Deployment has minimum availability.")
    } else {
        ("MinimumReplicasUnavailable", "Deployment does not have minimum availability.")
    };
    let minimum = with_reason(condition(object, "Available", is_minimum, now), reason, message);
    let set = revision_name(object);
    let (reason, message) = if is_minimum {
        ("NewReplicaSetAvailable", format!("ReplicaSet {set:?} has successfully progressed."))
    } else {
        ("ReplicaSetUpdated", format!("ReplicaSet {set:?} is progressing."))
    };
    let progress = with_reason(condition(object, "Progressing", true, now), reason, &message);
    let conditions = [minimum, progress].map(|mut condition| {
        condition.insert("lastUpdateTime".to_owned(), now.into());
        Value::from(condition)
    });
    status.insert("conditions".to_owned(), conditions.to_vec().into());
    status.into()
}

/// Returns the status of a `ReplicaSet` whose pods are all available.
/// Source: `calculateStatus` of `pkg/controller/replicaset/replica_set_utils.go`.
pub(super) fn replica_set(object: &Value) -> Value {
    let replicas = number(object, "/spec/replicas", 1);
    let mut status = without_zeros(&[
        ("observedGeneration", number(object, "/metadata/generation", 0)),
        ("fullyLabeledReplicas", replicas),
        ("readyReplicas", replicas),
        ("availableReplicas", replicas),
    ]);
    status.insert("replicas".to_owned(), replicas.into());
    status.insert("terminatingReplicas".to_owned(), 0.into());
    status.into()
}

/// Returns the status of a `StatefulSet` whose pods are all ready.
/// Source: `pkg/controller/statefulset/stateful_set_control.go`, `updateStatefulSet` and `completeRollingUpdate`.
pub(super) fn stateful_set(object: &Value) -> Value {
    let replicas = number(object, "/spec/replicas", 1);
    let generation = number(object, "/metadata/generation", 0);
    let mut status = without_zeros(&[
        ("observedGeneration", generation),
        ("readyReplicas", replicas),
        ("currentReplicas", replicas),
        ("updatedReplicas", replicas),
    ]);
    // These two are written even if they are zero.
    for key in ["replicas", "availableReplicas"] {
        status.insert(key.to_owned(), replicas.into());
    }
    for key in ["currentRevision", "updateRevision"] {
        status.insert(key.to_owned(), revision_name(object).into());
    }
    status.insert("collisionCount".to_owned(), 0.into());
    status.into()
}

/// Returns the status of a `DaemonSet` with a ready pod on each node.
/// Source: `storeDaemonSetStatus` of `pkg/controller/daemon/daemon_controller.go`.
pub(super) fn daemon_set(object: &Value, nodes: u32) -> Value {
    let nodes = u64::from(nodes);
    let mut status = without_zeros(&[
        ("observedGeneration", number(object, "/metadata/generation", 0)),
        ("updatedNumberScheduled", nodes),
        ("numberAvailable", nodes),
    ]);
    for key in ["currentNumberScheduled", "desiredNumberScheduled", "numberReady"] {
        status.insert(key.to_owned(), nodes.into());
    }
    status.insert("numberMisscheduled".to_owned(), 0.into());
    status.into()
}

/// Returns the status of a Job that has completed or failed. Source: `syncJob` and `enactJobFinished` of
/// `pkg/controller/job/job_controller.go`.
pub(super) fn job(object: &Value, is_complete: bool, now: &str) -> Value {
    let start = object.pointer("/status/startTime").and_then(Value::as_str).unwrap_or(now);
    let mut status = json!({
        "startTime": start, "ready": 0, "terminating": 0, "uncountedTerminatedPods": {},
    });
    let (criterion, end, reason, message) = if is_complete {
        let succeeded = number(object, "/spec/completions", 1);
        // Upstream: left out if it is 0, as `failed` would be.
        if succeeded != 0 {
            status["succeeded"] = succeeded.into();
        }
        status["completionTime"] = now.into();
        let message = "Reached expected number of succeeded pods";
        ("SuccessCriteriaMet", "Complete", "CompletionsReached", message)
    } else {
        status["failed"] = (number(object, "/spec/backoffLimit", 6) + 1).into();
        let message = "Job has reached the specified backoff limit";
        ("FailureTarget", "Failed", "BackoffLimitExceeded", message)
    };
    let conditions = [criterion, end].map(|type_| {
        let mut condition = with_reason(condition(object, type_, true, now), reason, message);
        condition.insert("lastProbeTime".to_owned(), now.into());
        Value::from(condition)
    });
    status["conditions"] = conditions.to_vec().into();
    status
}
