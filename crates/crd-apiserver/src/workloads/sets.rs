//! The statuses of the kinds that manage pods: Deployments, `StatefulSet`s, `DaemonSet`s and Jobs.

use serde_json::{Value, json};

use super::super::store::Store;
use super::owned::{Pods, rests, revision_name};
use super::{
    DAEMON_SETS, DEPLOYMENTS, JOBS, REPLICA_SETS, Resource, STATEFUL_SETS, condition, number,
    with_reason, without_zeros,
};

/// Returns the status of a workload by the pods that exist; `None` if the resource has no pods.
pub(super) fn status_by_pods(
    store: &Store,
    resource: Resource,
    object: &Value,
    now: &str,
) -> Option<Value> {
    let pods = || Pods::of(store, resource, object);
    Some(match resource {
        DEPLOYMENTS => deployment(object, pods(), now),
        REPLICA_SETS => replica_set(object, pods()),
        STATEFUL_SETS => stateful_set(object, pods()),
        DAEMON_SETS => daemon_set(object, pods()),
        JOBS => job(object, pods(), now),
        _ => return None,
    })
}

/// Returns the status of a Deployment. Source: `calculateStatus` of `pkg/controller/deployment/sync.go`, and `progress.go`
/// beside it.
pub(super) fn deployment(object: &Value, pods: Pods, now: &str) -> Value {
    let Pods { wanted, existing, updated, ready, .. } = pods;
    let mut status = without_zeros(&[
        ("observedGeneration", number(object, "/metadata/generation", 0)),
        ("replicas", existing),
        ("updatedReplicas", updated),
        ("readyReplicas", ready),
        ("availableReplicas", ready),
        ("unavailableReplicas", wanted.saturating_sub(ready)),
    ]);
    status.insert("terminatingReplicas".to_owned(), 0.into());
    let is_minimum = ready >= wanted;
    let (reason, message) = if is_minimum {
        ("MinimumReplicasAvailable", "Deployment has minimum availability.")
    } else {
        ("MinimumReplicasUnavailable", "Deployment does not have minimum availability.")
    };
    let minimum = with_reason(condition(object, "Available", is_minimum, now), reason, message);
    let set = revision_name(object);
    let is_complete = [existing, updated, ready] == [wanted; 3];
    let (reason, message) = if is_complete {
        ("NewReplicaSetAvailable", format!("ReplicaSet {set:?} has successfully progressed."))
    } else {
        ("ReplicaSetUpdated", format!("ReplicaSet {set:?} is progressing."))
    };
    let progress = with_reason(condition(object, "Progressing", true, now), reason, &message);
    // A time changes with the rest of its condition.
    let conditions = [minimum, progress].map(|mut condition| {
        let known = object.pointer("/status/conditions").and_then(Value::as_array);
        let same = known.into_iter().flatten().find(|known| {
            ["type", "status", "reason", "message"]
                .iter()
                .all(|key| condition.get(*key) == known.get(*key))
        });
        let since = same.and_then(|same| same["lastUpdateTime"].as_str()).unwrap_or(now);
        condition.insert("lastUpdateTime".to_owned(), since.into());
        Value::from(condition)
    });
    status.insert("conditions".to_owned(), conditions.to_vec().into());
    status.into()
}

/// Returns the status of a `ReplicaSet`.
/// Source: `calculateStatus` of `pkg/controller/replicaset/replica_set_utils.go`.
pub(super) fn replica_set(object: &Value, pods: Pods) -> Value {
    let mut status = without_zeros(&[
        ("observedGeneration", number(object, "/metadata/generation", 0)),
        ("fullyLabeledReplicas", pods.existing),
        ("readyReplicas", pods.ready),
        ("availableReplicas", pods.ready),
    ]);
    status.insert("replicas".to_owned(), pods.existing.into());
    status.insert("terminatingReplicas".to_owned(), 0.into());
    status.into()
}

/// Returns the status of a `StatefulSet`.
/// Source: `pkg/controller/statefulset/stateful_set_control.go`, `updateStatefulSet` and `completeRollingUpdate`.
pub(super) fn stateful_set(object: &Value, pods: Pods) -> Value {
    let newest = revision_name(object);
    let known = object.pointer("/status/currentRevision").and_then(Value::as_str);
    let is_complete = [pods.existing, pods.updated, pods.ready] == [pods.wanted; 3];
    let current = if is_complete { &*newest } else { known.unwrap_or(&newest) };
    let old = if current == newest { pods.updated } else { pods.existing - pods.updated };
    let mut status = without_zeros(&[
        ("observedGeneration", number(object, "/metadata/generation", 0)),
        ("readyReplicas", pods.ready),
        ("currentReplicas", old),
        ("updatedReplicas", pods.updated),
    ]);
    // These are written even if they are zero.
    status.insert("replicas".to_owned(), pods.existing.into());
    status.insert("availableReplicas".to_owned(), pods.ready.into());
    status.insert("currentRevision".to_owned(), current.into());
    status.insert("updateRevision".to_owned(), newest.into());
    status.insert("collisionCount".to_owned(), 0.into());
    status.into()
}

/// Returns the status of a `DaemonSet` that wants a pod on each node.
/// Source: `storeDaemonSetStatus` of `pkg/controller/daemon/daemon_controller.go`.
pub(super) fn daemon_set(object: &Value, pods: Pods) -> Value {
    let mut status = without_zeros(&[
        ("observedGeneration", number(object, "/metadata/generation", 0)),
        ("updatedNumberScheduled", pods.updated),
        ("numberAvailable", pods.ready),
        ("numberUnavailable", pods.wanted.saturating_sub(pods.ready)),
    ]);
    status.insert("currentNumberScheduled".to_owned(), pods.existing.into());
    status.insert("desiredNumberScheduled".to_owned(), pods.wanted.into());
    status.insert("numberReady".to_owned(), pods.ready.into());
    status.insert("numberMisscheduled".to_owned(), 0.into());
    status.into()
}

/// Returns the status of a Job, which stays as it is if the Job has ended or is suspended.
fn job(object: &Value, pods: Pods, now: &str) -> Value {
    let at = |path: &str| object.pointer(path).unwrap_or(&Value::Null);
    if rests(object) {
        return at("/status").clone();
    }
    if pods.succeeded >= pods.wanted {
        return ended_job(object, Some(pods.succeeded), now);
    }
    let mut status = without_zeros(&[("active", pods.existing), ("succeeded", pods.succeeded)]);
    let start = at("/status/startTime").as_str().unwrap_or(now);
    status.insert("startTime".to_owned(), start.into());
    status.insert("ready".to_owned(), pods.ready.into());
    status.insert("terminating".to_owned(), 0.into());
    status.insert("uncountedTerminatedPods".to_owned(), json!({}));
    status.into()
}

/// Returns the status of a Job that is complete, with the number of pods that have succeeded, or has failed. Source:
/// `syncJob` and `enactJobFinished` of `pkg/controller/job/job_controller.go`.
pub(super) fn ended_job(object: &Value, succeeded: Option<u64>, now: &str) -> Value {
    let start = object.pointer("/status/startTime").and_then(Value::as_str).unwrap_or(now);
    let mut status = json!({
        "startTime": start, "ready": 0, "terminating": 0, "uncountedTerminatedPods": {},
    });
    let (criterion, end, reason, message) = if let Some(succeeded) = succeeded {
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
