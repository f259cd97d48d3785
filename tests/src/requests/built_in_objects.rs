//! Generates objects of built-in kinds and patches of them.

use fastrand::Rng;
use serde_json::{Map, Value, json};

use super::built_in::BuiltIn;
use super::objects::{labels, once_in, pick};
use super::step::NAMESPACE;
use super::{built_in_specs, cluster_specs};

/// Generates a valid object. Fields that an update cannot change depend only on its name.
pub(super) fn object(rng: &mut Rng, kind: &BuiltIn, name: &str) -> Value {
    let mut metadata = json!({"name": kind.name(name)});
    if rng.bool() {
        metadata["labels"] = labels(rng);
    }
    if once_in(rng, 5) {
        metadata["annotations"] = json!({"example.com/note": pick(rng, &["x", "y"])});
    }
    if once_in(rng, 10) {
        metadata["finalizers"] = json!(["example.com/wait"]);
    }
    let mut object =
        json!({"apiVersion": kind.api_version, "kind": kind.kind, "metadata": metadata});
    if let (Value::Object(object), Value::Object(content)) = (&mut object, content(rng, kind, name))
    {
        object.extend(content);
    }
    if once_in(rng, 12) {
        object["unknown"] = 1.into();
    }
    object
}

/// Generates the fields of an object except its metadata.
fn content(rng: &mut Rng, kind: &BuiltIn, name: &str) -> Value {
    match kind.kind {
        "Secret" => secret(rng, name),
        "ConfigMap" => json!({"data": texts(rng, &["v", "", "two\nlines"])}),
        "Service" => json!({"spec": service(rng, name)}),
        "ServiceAccount" => account(rng),
        "Lease" => json!({"spec": lease(rng)}),
        "Event" if kind.api_version == "v1" => event(rng),
        "Event" => new_event(rng),
        "Role" => json!({"rules": rules(rng)}),
        "RoleBinding" => json!({
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "a"},
            "subjects": subjects(rng),
        }),
        "Pod" => json!({"spec": pod_spec(name)}),
        "Deployment" => json!({"spec": deployment(rng)}),
        _ if kind.is_cluster => cluster_specs::content(rng, kind.kind, name),
        _ => built_in_specs::content(rng, kind),
    }
}

/// Returns the spec of a pod, which an update cannot change. The pod `b` is on a node, so that it has a grace period.
fn pod_spec(name: &str) -> Value {
    let mut spec = json!({"containers": [{"name": "main", "image": "app:1"}]});
    if name == "b" {
        spec["nodeName"] = "n".into();
    }
    spec
}

/// Generates a map of texts.
fn texts(rng: &mut Rng, values: &[&str]) -> Value {
    let mut map = Map::new();
    for key in ["k", "l", "m"] {
        if rng.bool() {
            map.insert(key.to_owned(), pick(rng, values).into());
        }
    }
    map.into()
}

fn secret(rng: &mut Rng, name: &str) -> Value {
    let mut secret = json!({});
    if name == "b" {
        secret["type"] = "example.com/own".into();
    } else if rng.bool() {
        secret["type"] = "Opaque".into();
    }
    if !once_in(rng, 5) {
        secret["data"] = texts(rng, &["AAEC", "dg==", ""]);
    }
    if once_in(rng, 3) {
        secret["stringData"] = texts(rng, &["v", "ü", ""]);
    }
    secret
}

fn service(rng: &mut Rng, name: &str) -> Value {
    if name == "b" {
        return json!({"type": "ExternalName", "externalName": pick(rng, &["a.example.com", "b.example.com"])});
    }
    let mut spec = json!({"clusterIP": "None", "ports": service_ports(rng)});
    // A headless service without a selector gets two families of addresses, and its next update validates them.
    spec["selector"] = labels(rng);
    if once_in(rng, 4) {
        spec["publishNotReadyAddresses"] = rng.bool().into();
    }
    if once_in(rng, 5) {
        spec["sessionAffinity"] = pick(rng, &["None", "ClientIP"]).into();
    }
    spec
}

fn service_ports(rng: &mut Rng) -> Value {
    let all = [
        json!({"name": "http", "port": 80, "targetPort": pick(rng, &["web", "http"])}),
        json!({"name": "https", "port": 443, "targetPort": 8443}),
        json!({"name": "dns", "port": 53, "protocol": "UDP"}),
    ];
    let first = rng.usize(..2);
    all[first..rng.usize(first + 1..=all.len())].into()
}

fn account(rng: &mut Rng) -> Value {
    let mut account = json!({});
    if rng.bool() {
        let secrets = [json!({"name": "one"}), json!({"name": "two"})];
        account["secrets"] = secrets[..rng.usize(..3)].into();
    }
    if rng.bool() {
        account["imagePullSecrets"] = json!([{"name": pick(rng, &["pull", "other"])}]);
    }
    if once_in(rng, 3) {
        account["automountServiceAccountToken"] = rng.bool().into();
    }
    account
}

fn lease(rng: &mut Rng) -> Value {
    let mut spec = json!({});
    if rng.bool() {
        spec["holderIdentity"] = pick(rng, &["me", "you"]).into();
    }
    if rng.bool() {
        spec["leaseDurationSeconds"] = rng.u32(1..20).into();
    }
    if rng.bool() {
        spec["leaseTransitions"] = rng.u32(..3).into();
    }
    if rng.bool() {
        let time = pick(rng, &["2026-01-02T03:04:05.000006Z", "2026-01-02T03:04:05Z"]);
        spec[pick(rng, &["acquireTime", "renewTime"])] = time.into();
    }
    spec
}

fn event(rng: &mut Rng) -> Value {
    let mut event = json!({
        "involvedObject": {"kind": "Pod", "name": "p", "namespace": NAMESPACE, "apiVersion": "v1"},
        "reason": pick(rng, &["Begun", "Ended"]), "message": pick(rng, &["all is well", "x"]),
    });
    if rng.bool() {
        event["type"] = pick(rng, &["Normal", "Warning"]).into();
    }
    if rng.bool() {
        event["count"] = rng.u32(1..4).into();
        event["firstTimestamp"] = "2026-01-02T03:04:05Z".into();
        event["lastTimestamp"] = "2026-01-02T03:04:06Z".into();
    }
    if rng.bool() {
        event["source"] = json!({"component": "tests"});
    }
    event
}

/// Generates an event of the group `events.k8s.io`, of which an update can change little.
fn new_event(rng: &mut Rng) -> Value {
    let mut event = json!({
        "regarding": {"kind": "Pod", "name": "p", "namespace": NAMESPACE, "apiVersion": "v1"},
        "reason": "Begun", "note": "all is well", "action": "Begin", "type": "Normal",
        "eventTime": "2026-01-02T03:04:05.000006Z", "reportingController": "example.com/tests",
        "reportingInstance": "one",
    });
    if rng.bool() {
        event["series"] =
            json!({"count": rng.u32(2..5), "lastObservedTime": "2026-01-02T03:04:06.000006Z"});
    }
    event
}

pub(super) fn rules(rng: &mut Rng) -> Value {
    let all = [
        json!({"apiGroups": [""], "resources": ["pods", "pods/log"], "verbs": ["get", "list"]}),
        json!({"apiGroups": ["apps"], "resources": ["deployments"], "verbs": ["*"]}),
        json!({"apiGroups": [""], "resources": ["configmaps"], "resourceNames": ["a"], "verbs": ["get"]}),
    ];
    let first = rng.usize(..all.len());
    all[first..rng.usize(first..=all.len())].into()
}

pub(super) fn subjects(rng: &mut Rng) -> Value {
    let all = [
        json!({"kind": "ServiceAccount", "name": "default", "namespace": NAMESPACE}),
        json!({"kind": "User", "name": "jo"}),
        json!({"kind": "Group", "name": "all", "apiGroup": "rbac.authorization.k8s.io"}),
    ];
    let first = rng.usize(..all.len());
    all[first..rng.usize(first..=all.len())].into()
}

fn deployment(rng: &mut Rng) -> Value {
    let mut spec = json!({
        "selector": {"matchLabels": {"app": "x"}},
        "template": {"metadata": {"labels": {"app": "x"}}, "spec": pod_template_spec(rng)},
    });
    if rng.bool() {
        spec["replicas"] = rng.u32(..4).into();
    }
    match rng.u32(..6) {
        0 => spec["strategy"] = json!({"type": "Recreate"}),
        1 => {
            spec["strategy"] = json!({
                "type": "RollingUpdate",
                "rollingUpdate": {"maxSurge": pick(rng, &["50%", "10%"]), "maxUnavailable": 1},
            });
        }
        2 => spec["minReadySeconds"] = 5.into(),
        3 => spec["paused"] = rng.bool().into(),
        _ => {}
    }
    spec
}

pub(super) fn pod_template_spec(rng: &mut Rng) -> Value {
    let mut containers = vec![container(rng, "main")];
    if once_in(rng, 3) {
        containers.push(container(rng, "side"));
    }
    let mut spec = json!({"containers": containers});
    if once_in(rng, 3) {
        spec["volumes"] = json!([
            {"name": "tmp", "emptyDir": {}},
            {"name": "conf", "configMap": {"name": "conf"}},
        ]);
    }
    if once_in(rng, 4) {
        spec["serviceAccountName"] = "runner".into();
    }
    if once_in(rng, 4) {
        spec["nodeSelector"] = json!({"disk": "ssd"});
    }
    if once_in(rng, 4) {
        spec["tolerations"] = json!([{"key": "spot", "operator": "Exists"}]);
    }
    spec
}

fn container(rng: &mut Rng, name: &str) -> Value {
    let mut container = json!({"name": name, "image": pick(rng, &["app:1", "app:2", "app"])});
    if rng.bool() {
        container["ports"] = json!([{"containerPort": 80, "name": "web"}]);
    }
    if rng.bool() {
        container["env"] = env(rng);
    }
    if once_in(rng, 3) {
        container["args"] = json!(["-v", pick(rng, &["1", "2"])]);
    }
    if once_in(rng, 3) {
        container["resources"] = json!({
            "requests": {"cpu": pick(rng, &["100m", "0.1", "1"]), "memory": "64Mi"},
        });
    }
    if once_in(rng, 4) {
        container["readinessProbe"] = json!({"httpGet": {"path": "/ready", "port": "web"}});
    }
    container
}

fn env(rng: &mut Rng) -> Value {
    let all = [
        json!({"name": "A", "value": pick(rng, &["1", "2"])}),
        json!({"name": "B", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}),
        json!({"name": "C"}),
    ];
    let first = rng.usize(..2);
    all[first..rng.usize(first + 1..=all.len())].into()
}

/// Generates the status of a Deployment.
pub(super) fn status(rng: &mut Rng) -> Value {
    let count = rng.u32(..4);
    let mut status = json!({"replicas": count, "observedGeneration": rng.u32(..3)});
    if rng.bool() {
        status["readyReplicas"] = count.into();
        status["availableReplicas"] = count.into();
    }
    if rng.bool() {
        status["conditions"] = json!([
            {"type": "Available", "status": pick(rng, &["True", "False"]), "reason": "R", "message": "m"},
        ]);
    }
    status
}

/// Generates a patch that is valid as a merge patch and as a strategic one.
pub(super) fn simple_patch(rng: &mut Rng, kind: &BuiltIn) -> Value {
    match rng.u32(..12) {
        0 => return json!({"metadata": {"labels": labels(rng)}}),
        1 => return json!({"metadata": {"labels": null, "finalizers": null}}),
        2 => {
            return json!({"metadata": {"annotations": {"example.com/note": pick(rng, &[None, Some("z")])}}});
        }
        3 => return json!({"metadata": {"finalizers": ["example.com/wait"]}}),
        _ => {}
    }
    let texts = [json!({"k": null}), json!({"m": ""}), json!({"k": null, "l": "dg=="})];
    match kind.kind {
        "Secret" if once_in(rng, 3) => json!({"stringData": {"s": "t"}}),
        "Secret" | "ConfigMap" => json!({"data": texts[rng.usize(..texts.len())]}),
        "Service" => json!({"spec": {"publishNotReadyAddresses": pick(rng, &[None, Some(true)])}}),
        "ServiceAccount" => account(rng),
        "Lease" => json!({"spec": lease(rng)}),
        "Event" if kind.api_version == "v1" => {
            json!({"count": 7, "message": pick(rng, &[None, Some("again")])})
        }
        "Event" => {
            json!({"series": {"count": 7, "lastObservedTime": "2026-01-02T03:04:07.000006Z"}})
        }
        "PriorityClass" => json!({"description": "three"}),
        "StorageClass" => json!({"allowVolumeExpansion": rng.bool()}),
        "CSIDriver" => json!({"spec": {"requiresRepublish": rng.bool()}}),
        "PersistentVolume" => {
            json!({"spec": {"storageClassName": pick(rng, &[None, Some("slow")])}})
        }
        "ValidatingAdmissionPolicy" | "MutatingAdmissionPolicy" => {
            json!({"spec": {"failurePolicy": pick(rng, &[None, Some("Ignore")])}})
        }
        "ValidatingAdmissionPolicyBinding" | "MutatingAdmissionPolicyBinding" => {
            json!({"spec": {"policyName": pick(rng, &["other", "nothing"])}})
        }
        "Role" | "ClusterRole" => json!({"rules": rules(rng)}),
        "RoleBinding" | "ClusterRoleBinding" => json!({"subjects": subjects(rng)}),
        "CronJob" => json!({"spec": {"suspend": rng.bool()}}),
        "Job" => json!({"spec": {"parallelism": rng.u32(1..4)}}),
        "HorizontalPodAutoscaler" if kind.api_version == "autoscaling/v1" && rng.bool() => {
            json!({"spec": {"targetCPUUtilizationPercentage": pick(rng, &[None, Some(30)])}})
        }
        "HorizontalPodAutoscaler" => {
            json!({"spec": {"minReplicas": pick(rng, &[None, Some(1)]), "maxReplicas": 4}})
        }
        "ResourceQuota" => json!({"spec": {"hard": {"count/things.example.com": "2"}}}),
        "Deployment" => match rng.u32(..4) {
            0 => json!({"spec": {"replicas": rng.u32(..4), "minReadySeconds": null}}),
            1 => json!({"spec": {"template": {"spec": {"nodeSelector": null}}}}),
            2 => json!({"spec": {"template": {"metadata": {"annotations": {"at": "now"}}}}}),
            _ => json!({"spec": {"strategy": null, "paused": rng.bool()}}),
        },
        "DaemonSet" | "StatefulSet" | "ReplicaSet" | "ReplicationController" => {
            json!({"spec": {"template": {"metadata": {"annotations": {"at": pick(rng, &["now", "then"])}}}}})
        }
        _ => json!({"metadata": {"labels": {"tier": pick(rng, &[None, Some("t")])}}}),
    }
}

/// Generates the operations of a JSON patch.
pub(super) fn json_patch(rng: &mut Rng, kind: &BuiltIn) -> Value {
    let (path, value) = match kind.kind {
        "Secret" => ("/data/k", json!("dg==")),
        "ConfigMap" => ("/data/k", json!("v")),
        "Service" => ("/spec/selector/app", json!("z")),
        "ServiceAccount" => ("/secrets/0", json!({"name": "three"})),
        "Lease" => ("/spec/holderIdentity", json!("them")),
        "Event" if kind.api_version == "v1" => ("/count", json!(9)),
        "Role" | "ClusterRole" => ("/rules/0/verbs/-", json!("watch")),
        "RoleBinding" | "ClusterRoleBinding" => {
            ("/subjects/-", json!({"kind": "User", "name": "al"}))
        }
        "CronJob" => ("/spec/schedule", json!("@weekly")),
        "DaemonSet" | "Deployment" | "StatefulSet" | "ReplicaSet" | "ReplicationController" => {
            ("/spec/template/spec/containers/0/image", json!("app:3"))
        }
        "EndpointSlice" => ("/endpoints/0/conditions/ready", json!(true)),
        "Ingress" => ("/spec/rules/0/host", json!("c.example.com")),
        _ => ("/metadata/labels/app", json!("z")),
    };
    let note = "/metadata/annotations/example.com~1note";
    json!([match rng.u32(..6) {
        0 => json!({"op": "test", "path": path, "value": value}),
        1 => json!({"op": "add", "path": "/metadata/labels", "value": labels(rng)}),
        2 => json!({"op": "remove", "path": pick(rng, &[note, "/metadata/finalizers"])}),
        _ => json!({"op": pick(rng, &["add", "replace"]), "path": path, "value": value}),
    }])
}

/// Generates a strategic merge patch with its directives and merged lists.
pub(super) fn strategic_patch(rng: &mut Rng, kind: &BuiltIn) -> Value {
    match (kind.kind, rng.u32(..7)) {
        (_, 0) => {
            json!({"metadata": {"$deleteFromPrimitiveList/finalizers": ["example.com/wait"]}})
        }
        (_, 1) => json!({"metadata": {"labels": {"$patch": "replace", "app": "r"}}}),
        ("Secret" | "ConfigMap", _) => json!({"data": {"$patch": "replace", "n": "AAEC"}}),
        ("Service", 2) => json!({"spec": {"ports": [{"$patch": "delete", "port": 443}]}}),
        ("Service", 3) => json!({"spec": {"selector": {"$patch": "replace", "app": "s"}}}),
        ("Service", 4) => json!({"spec": {
            "$setElementOrder/ports": [{"port": 9}, {"port": 80}],
            "ports": [{"port": 9, "name": "nine"}],
        }}),
        ("Service", _) => {
            json!({"spec": {"ports": [{"port": 80, "name": "web", "targetPort": 9}]}})
        }
        ("ServiceAccount", 2..5) => json!({"secrets": [{"name": "one", "$patch": "delete"}]}),
        ("ServiceAccount", _) => json!({
            "secrets": [{"name": "three"}], "imagePullSecrets": [{"name": "more"}],
        }),
        ("Deployment", _) => json!({"spec": strategic_workload_patch(rng)}),
        ("DaemonSet" | "StatefulSet" | "ReplicaSet" | "ReplicationController", _) => {
            // Only a Deployment has a strategy.
            let mut patch = strategic_workload_patch(rng);
            if let Some(patch) = patch.as_object_mut() {
                patch.remove("strategy");
            }
            json!({"spec": patch})
        }
        _ => simple_patch(rng, kind),
    }
}

fn strategic_workload_patch(rng: &mut Rng) -> Value {
    let spec = match rng.u32(..9) {
        0 => return json!({"strategy": {"$retainKeys": ["type"], "type": "Recreate"}}),
        1 => json!({"containers": [{"name": "side", "image": "app:4"}]}),
        2 => json!({"containers": [{"name": "side", "$patch": "delete"}]}),
        3 => json!({"containers": [{"name": "main", "env": env(rng)}]}),
        4 => json!({
            "$setElementOrder/containers": [{"name": "more"}, {"name": "main"}],
            "containers": [{"name": "more", "image": "app:5"}, {"name": "main", "args": null}],
        }),
        5 => {
            json!({"volumes": [{"name": "tmp", "$retainKeys": ["name", "hostPath"], "hostPath": {"path": "/tmp"}}]})
        }
        6 => json!({"containers": [{"name": "main", "ports": [{"containerPort": 81}]}]}),
        7 => {
            json!({"tolerations": [{"key": "other", "operator": "Exists"}], "imagePullSecrets": [{"name": "p"}]})
        }
        _ => json!({"containers": [{"name": "main", "env": [{"name": "A", "$patch": "delete"}]}]}),
    };
    json!({"template": {"spec": spec}})
}
