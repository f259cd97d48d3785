//! Generates the content of objects of built-in kinds without a namespace: valid, with few fields. None of them has an effect
//! on other objects.

use fastrand::Rng;
use serde_json::{Value, json};

use super::built_in_objects::{rules, subjects};
use super::objects::{once_in, pick};

/// Generates the fields of an object except its metadata. Fields that an update cannot change depend only on its name.
pub(super) fn content(rng: &mut Rng, kind: &str, name: &str) -> Value {
    let is_first = name == "a";
    match kind {
        "ClusterRole" => json!({"rules": rules(rng)}),
        "ClusterRoleBinding" => json!({
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "a"},
            "subjects": subjects(rng),
        }),
        "CSIDriver" => json!({"spec": driver(rng)}),
        "IngressClass" => ingress_class(rng, is_first),
        "PersistentVolume" => json!({"spec": {
            "capacity": {"storage": pick(rng, &["1Gi", "2Gi"])}, "accessModes": ["ReadWriteOnce"],
            "storageClassName": pick(rng, &["fast", "slow"]), "hostPath": {"path": "/tmp"},
        }}),
        "PriorityClass" => json!({
            "value": if is_first { 7 } else { 8 }, "description": pick(rng, &["one", "two"]),
        }),
        "RuntimeClass" => json!({"handler": "runc"}),
        "StorageClass" => json!({
            "provisioner": "example.com/x", "allowVolumeExpansion": rng.bool(),
            "mountOptions": if is_first { json!(["ro"]) } else { Value::Null },
        }),
        "VolumeAttachment" => json!({"spec": {
            "attacher": "x.example.com", "nodeName": "n", "source": {"persistentVolumeName": "v"},
        }}),
        "MutatingAdmissionPolicy" => json!({"spec": policy(rng, true)}),
        "ValidatingAdmissionPolicy" => json!({"spec": policy(rng, false)}),
        "MutatingAdmissionPolicyBinding" => json!({"spec": binding(rng)}),
        "ValidatingAdmissionPolicyBinding" => {
            let mut spec = binding(rng);
            let actions: &[&[&str]] = &[
                &["Deny"],
                &["Warn", "Audit"],
                &["Deny", "Warn"],
                &["Deny", "Deny"],
                &["Other"],
                &[],
            ];
            spec["validationActions"] = json!(pick(rng, actions));
            json!({"spec": spec})
        }
        _ => json!({"webhooks": webhooks(rng, kind == "MutatingWebhookConfiguration")}),
    }
}

fn driver(rng: &mut Rng) -> Value {
    let mut spec = json!({"requiresRepublish": rng.bool()});
    if rng.bool() {
        spec["tokenRequests"] = json!([{"audience": pick(rng, &["one", "two"])}]);
    }
    if rng.bool() {
        spec["storageCapacity"] = rng.bool().into();
    }
    spec
}

fn ingress_class(rng: &mut Rng, is_first: bool) -> Value {
    let mut spec = json!({"controller": if is_first { "example.com/a" } else { "example.com/b" }});
    if rng.bool() {
        spec["parameters"] =
            json!({"apiGroup": "example.com", "kind": "Thing", "name": pick(rng, &["x", "y"])});
    }
    json!({"spec": spec})
}

/// Generates rules that no request of these tests matches.
fn far_rules(rng: &mut Rng) -> Value {
    let mut rule = json!({
        "apiGroups": ["none.example.com"], "apiVersions": ["v1"],
        "operations": pick(rng, &[&["CREATE"][..], &["CREATE"], &["UPDATE", "DELETE"], &["*"], &["*", "CREATE"], &["GET"]]),
        "resources": pick(rng, &[&["things"][..], &["things"], &["things/status"], &["*"], &["*", "things"], &[""]]),
    });
    if once_in(rng, 4) {
        rule["scope"] = pick(rng, &["Namespaced", "Cluster", "*", "Other"]).into();
    }
    json!([rule])
}

/// Generates the spec of a policy that is never evaluated, with errors in some of them.
fn policy(rng: &mut Rng, is_mutating: bool) -> Value {
    let mut spec = json!({"matchConstraints": {"resourceRules": far_rules(rng)}});
    if rng.bool() {
        spec["failurePolicy"] = pick(rng, &["Fail", "Ignore", "Ignore", "Other"]).into();
    }
    if once_in(rng, 4) {
        let names = ["labels", "labels", "two words", ""];
        let expressions =
            ["object.metadata.labels", "object.metadata.labels", "object.", "nothing"];
        spec["variables"] =
            json!([{"name": pick(rng, &names), "expression": pick(rng, &expressions)}]);
    }
    if once_in(rng, 4) {
        let names = ["some", "some", "a/b", "not a name", ""];
        let expressions = ["true", "request.operation == 'CREATE'", "1", "variables.labels == {}"];
        spec["matchConditions"] =
            json!([{"name": pick(rng, &names), "expression": pick(rng, &expressions)}]);
    }
    if once_in(rng, 6) {
        let kinds = [("v1", "ConfigMap"), ("v1", ""), ("a/b/c", "X"), ("", "X")];
        let (version, kind) = pick(rng, &kinds);
        spec["paramKind"] = json!({"apiVersion": version, "kind": kind});
    }
    if is_mutating {
        let expressions = [
            "Object{}",
            "Object{metadata: Object.metadata{labels: {'a': 'b'}}}",
            "Object{",
            "1",
            "[JSONPatch{op: 'remove', path: '/a'}]",
        ];
        let expression = pick(rng, &expressions);
        let key = if expression.starts_with('[') { "JSONPatch" } else { "ApplyConfiguration" };
        let field = if once_in(rng, 10) || expression.starts_with('[') {
            "jsonPatch"
        } else {
            "applyConfiguration"
        };
        let mut mutation = json!({"patchType": key});
        mutation[field] = json!({"expression": expression});
        spec["mutations"] = json!([mutation]);
        spec["reinvocationPolicy"] = pick(rng, &["Never", "IfNeeded", "IfNeeded", "Other"]).into();
        return spec;
    }
    let expressions = [
        "object.metadata.name != 'x'",
        "object.metadata.name != 'x'",
        "has(object.spec)",
        "object.metadata.name",
        "object.metadata.name ==",
        "has(variables.labels)",
        "params.data.x == 'y'",
        "  ",
    ];
    let mut validation = json!({"expression": pick(rng, &expressions)});
    if once_in(rng, 3) {
        validation["reason"] = pick(rng, &["Forbidden", "Invalid", "Unauthorized"]).into();
    }
    if once_in(rng, 3) {
        validation["message"] = pick(rng, &["no", "two\nlines", " "]).into();
    }
    if once_in(rng, 4) {
        let expression = pick(rng, &["'not ' + object.metadata.name", "1", "object."]);
        validation["messageExpression"] = expression.into();
    }
    spec["validations"] = if once_in(rng, 10) { json!([]) } else { json!([validation]) };
    if once_in(rng, 4) {
        let keys = ["why", "not a key", ""];
        let expression = pick(rng, &["'x'", "1", "null"]);
        spec["auditAnnotations"] =
            json!([{"key": pick(rng, &keys), "valueExpression": expression}]);
    }
    spec
}

/// Generates the spec of a binding of a policy that does not exist.
fn binding(rng: &mut Rng) -> Value {
    let mut spec = json!({"policyName": pick(rng, &["nothing", "nothing", "not a name", ""])});
    if rng.bool() {
        spec["matchResources"] = json!({"resourceRules": far_rules(rng)});
    }
    if once_in(rng, 3) {
        let mut params = json!({"name": "x"});
        match rng.u32(..4) {
            0 => params["selector"] = json!({"matchLabels": {"a": "b"}}),
            1 => params["parameterNotFoundAction"] = "Other".into(),
            2 => params["name"] = Value::Null,
            _ => params["parameterNotFoundAction"] = "Deny".into(),
        }
        spec["paramRef"] = params;
    }
    spec
}

/// Generates webhooks that are never called, with errors in some of them.
fn webhooks(rng: &mut Rng, is_mutating: bool) -> Value {
    let url =
        pick(rng, &["https://127.0.0.1:1/x", "https://127.0.0.1:1/x", "http://a", "https://a/?x"]);
    let mut webhook = json!({
        "name": pick(rng, &["a.example.com", "a.example.com", "a.example.com", "short"]),
        "clientConfig": {"url": url}, "rules": far_rules(rng),
        "sideEffects": pick(rng, &["None", "None", "NoneOnDryRun", "Some"]),
        "admissionReviewVersions": pick(rng, &[&["v1"][..], &["v1", "v1beta1"], &["v2"], &[]]),
    });
    if once_in(rng, 3) {
        webhook["timeoutSeconds"] = pick(rng, &[1, 30, 31]).into();
    }
    if is_mutating && rng.bool() {
        webhook["reinvocationPolicy"] = pick(rng, &["Never", "IfNeeded"]).into();
    }
    if once_in(rng, 3) {
        webhook["matchConditions"] =
            json!([{"name": "some", "expression": pick(rng, &["true", "1", "object."])}]);
    }
    json!([webhook])
}
