//! Validates the statuses of built-in kinds: those of deployments, replica sets and namespaces.
//!
//! Source: `validation.go` of `pkg/apis/apps/validation` and `pkg/apis/core/validation` of kubernetes/kubernetes.

use serde_json::Value;

use super::metadata;
use crate::field::{Path, Sink};

/// The counts of a deployment's status, in the order in which they are validated.
const OF_DEPLOYMENT: &[&str] = &[
    "observedGeneration",
    "replicas",
    "updatedReplicas",
    "readyReplicas",
    "availableReplicas",
    "unavailableReplicas",
    "terminatingReplicas",
    "collisionCount",
];
/// The counts of a replica set's status, in the order in which they are validated.
const OF_REPLICA_SET: &[&str] = &[
    "replicas",
    "fullyLabeledReplicas",
    "readyReplicas",
    "availableReplicas",
    "observedGeneration",
    "terminatingReplicas",
];

/// Validates the status that a request writes to the subresource `status`.
pub(super) fn validate(kind: (&str, &str), object: &Value, old: &Value, errors: &mut Sink) {
    let (counts, special) = match kind {
        ("apps", "Deployment") => (OF_DEPLOYMENT, "updatedReplicas"),
        ("apps", "ReplicaSet") => (OF_REPLICA_SET, "fullyLabeledReplicas"),
        ("", "Namespace") => return check_phase(object, errors),
        _ => return,
    };
    for count in counts {
        check_not_negative(object, count, errors);
    }
    check_replicas(object, special, errors);
    if kind.1 == "Deployment" {
        check_collisions(object, old, errors);
    }
}

/// Checks that exactly a namespace that is being deleted terminates. Source: `ValidateNamespaceStatusUpdate`.
fn check_phase(namespace: &Value, errors: &mut Sink) {
    let (wanted, whether) = if metadata::is_deleting(namespace) {
        ("Terminating", "is not empty")
    } else {
        ("Active", "is empty")
    };
    let phase = namespace.pointer("/status/phase").and_then(Value::as_str).unwrap_or_default();
    if phase != wanted {
        let why = format!("may only be '{wanted}' if `deletionTimestamp` {whether}");
        errors.invalid(&Path::new("status.Phase"), phase, why);
    }
}

fn count(object: &Value, name: &str) -> Option<i64> {
    object.get("status")?.get(name)?.as_i64()
}

fn path(name: &str) -> String {
    format!("status.{name}")
}

/// Checks that a count is not negative. Source: `ValidateNonnegativeField` of
/// `k8s.io/apimachinery/pkg/api/validation/generic.go`.
fn check_not_negative(object: &Value, name: &str, errors: &mut Sink) {
    if let Some(count) = count(object, name).filter(|count| *count < 0) {
        errors.invalid(&Path::new(&path(name)), count, "must be greater than or equal to 0");
    }
}

/// Checks that no count, such as `readyReplicas`, exceeds `replicas`. `special` is the count that only one of the two
/// kinds has: `updatedReplicas` or `fullyLabeledReplicas`.
///
/// Source: `ValidateDeploymentStatus` and `ValidateReplicaSetStatus`.
fn check_replicas(object: &Value, special: &str, errors: &mut Sink) {
    let replicas = |name: &str| count(object, name).unwrap_or(0);
    for name in [special, "readyReplicas", "availableReplicas"] {
        if replicas(name) > replicas("replicas") {
            let why = "cannot be greater than status.replicas";
            errors.invalid(&Path::new(&path(name)), replicas(name), why);
        }
    }
    let available = "availableReplicas";
    if replicas(available) > replicas("readyReplicas") {
        let why = "cannot be greater than readyReplicas";
        errors.invalid(&Path::new(&path(available)), replicas(available), why);
    }
}

/// Checks that `collisionCount` does not decrease. Source: `ValidateDeploymentStatusUpdate`.
fn check_collisions(object: &Value, old: &Value, errors: &mut Sink) {
    let name = "collisionCount";
    let new = count(object, name).unwrap_or(0);
    let is_decremented = match (count(object, name), count(old, name)) {
        (None, old) => old.is_some(),
        (Some(new), old) => old.is_some_and(|old| new < old),
    };
    if is_decremented {
        errors.invalid(&Path::new(&path(name)), new, "cannot be decremented");
    }
}
