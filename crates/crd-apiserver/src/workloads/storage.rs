//! The volumes and addresses that a cloud provider supplies.

use serde_json::{Value, json};

/// Returns the name of the volume that a claim is bound to. Source: `getProvisionedVolumeNameForClaim` of
/// `pkg/controller/volume/persistentvolume/pv_controller.go`.
pub(super) fn volume_name(claim: &Value) -> String {
    let uid = claim.pointer("/metadata/uid").and_then(Value::as_str).unwrap_or_default();
    let named = claim.pointer("/spec/volumeName").and_then(Value::as_str);
    named.map_or_else(|| format!("pvc-{uid}"), str::to_owned)
}

/// Returns the status of a bound claim. Source: `updateClaimStatus`, in the same file.
pub(super) fn bound(claim: &Value) -> Value {
    let at = |path: &str| claim.pointer(path).cloned();
    let mut status = json!({"phase": "Bound"});
    if let Some(modes) = at("/spec/accessModes") {
        status["accessModes"] = modes;
    }
    if let Some(capacity) = at("/spec/resources/requests") {
        status["capacity"] = capacity;
    }
    status
}

/// Returns the status of a Service of type `LoadBalancer`. Source: `k8s.io/cloud-provider/controllers/service`.
pub(super) fn load_balancer(ip: &str) -> Value {
    json!({"loadBalancer": {"ingress": [{"ip": ip, "ipMode": "VIP"}]}})
}
