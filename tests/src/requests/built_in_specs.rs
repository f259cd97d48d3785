//! Generates the content of objects of kinds that are seldom written: valid, with few fields.

use fastrand::Rng;
use serde_json::{Value, json};

use super::built_in::BuiltIn;
use super::built_in_objects::pod_template_spec;
use super::objects::{once_in, pick};

/// Generates the fields of an object except its metadata. Fields that an update cannot change are always the same.
pub(super) fn content(rng: &mut Rng, kind: &BuiltIn) -> Value {
    match kind.kind {
        "ControllerRevision" => json!({"data": {"a": 1}, "revision": rng.u32(1..4)}),
        "CSIStorageCapacity" => json!({
            "storageClassName": "fast", "capacity": pick(rng, &["1Gi", "2Gi"]),
            "nodeTopology": {"matchLabels": {"zone": "a"}},
        }),
        "Endpoints" => json!({"subsets": [
            {"addresses": [{"ip": pick(rng, &["10.1.2.3", "10.1.2.4"])}], "ports": [{"name": "web", "port": 80}]},
        ]}),
        "EndpointSlice" => json!({
            "addressType": "IPv4", "ports": [{"name": "web", "port": pick(rng, &[80, 81])}],
            "endpoints": [{"addresses": ["10.1.2.3"], "conditions": {"ready": rng.bool()}}],
        }),
        "PodTemplate" => json!({"template": template(rng)}),
        _ => json!({"spec": spec(rng, kind)}),
    }
}

/// Generates a spec.
fn spec(rng: &mut Rng, kind: &BuiltIn) -> Value {
    match kind.kind {
        "CronJob" => json!({
            "schedule": pick(rng, &["* * * * *", "@daily"]), "suspend": rng.bool(),
            "jobTemplate": {"spec": {"template": once(rng)}},
        }),
        "Job" => job(rng),
        "DaemonSet" => json!({"selector": selector(), "template": template(rng)}),
        "StatefulSet" => json!({
            "selector": selector(), "template": template(rng), "serviceName": "s", "replicas": rng.u32(..3),
        }),
        "ReplicaSet" => {
            json!({"selector": selector(), "template": template(rng), "replicas": rng.u32(..3)})
        }
        "ReplicationController" => {
            json!({"selector": {"app": "x"}, "template": template(rng), "replicas": rng.u32(..3)})
        }
        "HorizontalPodAutoscaler" if kind.api_version == "autoscaling/v1" => old_autoscaler(rng),
        "HorizontalPodAutoscaler" => autoscaler(rng),
        "Ingress" => ingress(rng),
        // Neither the limits nor the quotas are about what the requests create.
        "LimitRange" => {
            json!({"limits": [{"type": "PersistentVolumeClaim", "max": {"storage": "9Gi"}}]})
        }
        "ResourceQuota" => json!({"hard": {"count/tokens.example.com": pick(rng, &["4", "1k"])}}),
        "NetworkPolicy" => json!({
            "podSelector": selector(), "policyTypes": ["Ingress"],
            "ingress": [{"from": [{"podSelector": {}}], "ports": [{"port": pick(rng, &[80, 443])}]}],
        }),
        "PersistentVolumeClaim" => json!({
            "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}},
            "storageClassName": "fast",
        }),
        _ => json!({"minAvailable": pick(rng, &["50%", "10%"]), "selector": selector()}),
    }
}

fn selector() -> Value {
    json!({"matchLabels": {"app": "x"}})
}

/// Generates the template of a pod that runs forever.
fn template(rng: &mut Rng) -> Value {
    json!({"metadata": {"labels": {"app": "x"}}, "spec": pod_template_spec(rng)})
}

/// Generates the template of a pod that ends.
fn once(rng: &mut Rng) -> Value {
    let mut template = template(rng);
    template["spec"]["restartPolicy"] = pick(rng, &["Never", "OnFailure"]).into();
    template
}

/// Generates the spec of a job. An update cannot change its template.
fn job(rng: &mut Rng) -> Value {
    let mut spec = json!({"template": {"spec": {
        "containers": [{"name": "main", "image": "app:1"}], "restartPolicy": "Never",
    }}});
    if rng.bool() {
        spec["parallelism"] = rng.u32(1..4).into();
    }
    if rng.bool() {
        spec["activeDeadlineSeconds"] = rng.u32(10..13).into();
    }
    if once_in(rng, 3) {
        spec["ttlSecondsAfterFinished"] = rng.u32(10..13).into();
    }
    spec
}

fn autoscaler(rng: &mut Rng) -> Value {
    let mut spec = json!({
        "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "a"},
        "maxReplicas": rng.u32(3..6),
    });
    if rng.bool() {
        spec["minReplicas"] = rng.u32(1..3).into();
    }
    let cpu = json!({"type": "Resource", "resource": {
        "name": "cpu", "target": {"type": "Utilization", "averageUtilization": pick(rng, &[50, 70])},
    }});
    let pods = json!({"type": "Pods", "pods": {
        "metric": {"name": "m"}, "target": {"type": "AverageValue", "averageValue": "2"},
    }});
    match rng.u32(..4) {
        0 | 1 => spec["metrics"] = json!([cpu]),
        2 => spec["metrics"] = json!([pods, cpu]),
        _ => {}
    }
    if once_in(rng, 3) {
        spec["behavior"] =
            json!({"scaleDown": {"stabilizationWindowSeconds": pick(rng, &[0, 60])}});
    }
    spec
}

/// Generates the spec of an autoscaler in `autoscaling/v1`.
fn old_autoscaler(rng: &mut Rng) -> Value {
    let mut spec = json!({
        "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "a"},
        "maxReplicas": rng.u32(3..6),
    });
    if rng.bool() {
        spec["targetCPUUtilizationPercentage"] = pick(rng, &[50, 70]).into();
    }
    spec
}

fn ingress(rng: &mut Rng) -> Value {
    let service = json!({"service": {"name": "web", "port": {"number": 80}}});
    let mut spec = json!({"rules": [{
        "host": pick(rng, &["a.example.com", "*.example.com"]),
        "http": {"paths": [{"path": "/", "pathType": "Prefix", "backend": service}]},
    }]});
    if rng.bool() {
        spec["ingressClassName"] = "outer".into();
    }
    if once_in(rng, 3) {
        spec["tls"] = json!([{"hosts": ["a.example.com"], "secretName": "tls"}]);
    }
    spec
}
