//! Changes definitions and objects: fields of a definition, mostly other than its schemas, metadata, values at the
//! limits of Go's types, duplicate keys.

use fastrand::Rng;
use serde_json::{Value, json};

use super::object;

/// Sets a member of the object at the JSON pointer `at`, if there is an object.
pub(super) fn put(value: &mut Value, at: &str, key: &str, member: &Value) {
    if let Some(Value::Object(map)) = value.pointer_mut(at) {
        map.insert(key.to_owned(), member.clone());
    }
}

/// Changes fields of a definition, mostly other than its schemas, and usually sets the name that they require.
pub(super) fn spec(rng: &mut Rng, crd: &mut Value) {
    let client = json!({"service": {"namespace": "ns", "name": "svc", "path": "/convert"}});
    let webhook = |config: Value, versions: Value| {
        json!({"strategy": "Webhook",
               "webhook": {"clientConfig": config, "conversionReviewVersions": versions}})
    };
    let name_fields = [
        ("shortNames", json!(["a", "b-c"])),
        ("shortNames", json!(["A", "b_c", ""])),
        ("categories", json!(["all", "x"])),
        ("categories", json!(["All"])),
        ("listKind", json!("Lists")),
        ("singular", json!("Upper")),
        ("kind", json!("K\u{130}nd")),
        ("kind", json!("lower")),
        ("plural", json!("things")),
    ];
    let spec_fields = [
        ("preserveUnknownFields", json!(true)),
        ("preserveUnknownFields", json!(false)),
        ("scope", json!("Cluster")),
        ("scope", json!("cluster")),
        ("group", json!("apps.k8s.io")),
        ("group", json!("x.kubernetes.io")),
        ("group", json!("single")),
        ("conversion", json!({"strategy": "None"})),
        (
            "conversion",
            json!({"strategy": "None", "webhook": {"conversionReviewVersions": ["v1"]}}),
        ),
        ("conversion", json!({"strategy": "Other"})),
        ("conversion", webhook(client.clone(), json!(["v1"]))),
        ("conversion", webhook(client.clone(), json!(["v1beta1", "v2"]))),
        ("conversion", webhook(client, json!(["v2"]))),
        ("conversion", webhook(json!({"url": "https://a.b:443/c?d#e"}), json!(["v1", "v1"]))),
        ("conversion", webhook(json!({"url": "http://u@a"}), json!([]))),
        ("conversion", webhook(json!({"url": "https://a", "caBundle": "Cg=="}), json!(["v1"]))),
        ("conversion", webhook(json!({}), json!(["v1"]))),
    ];
    let annotations = [
        json!({"api-approved.kubernetes.io": "https://github.com/kubernetes/kubernetes/pull/1"}),
        json!({"api-approved.kubernetes.io": "unapproved, experimental"}),
        json!({"api-approved.kubernetes.io": "yes"}),
        json!({"\u{130}.com/K": "v"}),
    ];
    match rng.u8(..6) {
        0 => {
            let (key, value) = &name_fields[rng.usize(..name_fields.len())];
            put(crd, "/spec/names", key, value);
        }
        1 | 2 => {
            let (key, value) = &spec_fields[rng.usize(..spec_fields.len())];
            put(crd, "/spec", key, value);
        }
        3 => put(crd, "/metadata", "annotations", &annotations[rng.usize(..annotations.len())]),
        4 => versions(rng, crd),
        _ => crd.get_mut("spec").map_or((), |spec| change(rng, spec)),
    }
    // Most definitions are named by plural and group, as the server requires.
    if rng.u8(..8) != 0 {
        let text = |at: &str| crd.pointer(at).and_then(Value::as_str).unwrap_or_default();
        let name = format!("{}.{}", text("/spec/names/plural"), text("/spec/group"));
        put(crd, "/metadata", "name", &name.into());
    }
}

/// Adds a changed copy of a version, or replaces a field of one.
fn versions(rng: &mut Rng, crd: &mut Value) {
    let Some(Value::Array(versions)) = crd.pointer_mut("/spec/versions") else { return };
    if versions.is_empty() {
        return;
    }
    let index = rng.usize(..versions.len());
    if rng.bool() {
        let mut copy = versions[index].clone();
        let names = ["v1", "v2", "v1beta1", "v1alpha3", "v10", "foo", "V1", "v1-", ""];
        put(&mut copy, "", "name", &names[rng.usize(..names.len())].into());
        put(&mut copy, "", "storage", &(rng.u8(..6) == 0).into());
        if let Some(root) = copy.pointer_mut("/schema/openAPIV3Schema")
            && rng.bool()
        {
            change(rng, root);
        }
        versions.insert(rng.usize(..=versions.len()), copy);
        return;
    }
    let docs = json!({"description": "d", "url": "https://a.b"});
    let version_fields = [
        ("served", json!(false)),
        ("storage", json!(false)),
        ("storage", json!(true)),
        ("deprecated", json!(true)),
        ("deprecationWarning", json!("gone soon")),
        ("deprecationWarning", json!("")),
        ("deprecationWarning", json!("a\nb")),
        ("schema", json!({})),
        ("schema", json!({"openAPIV3Schema": {"type": "object", "externalDocs": docs}})),
        ("subresources", json!({"status": {}})),
        (
            "subresources",
            json!({"scale": {"specReplicasPath": ".spec.replicas",
                                          "statusReplicasPath": ".status.replicas"}}),
        ),
        (
            "subresources",
            json!({"scale": {"specReplicasPath": "spec.a", "statusReplicasPath": ""}}),
        ),
        ("selectableFields", json!([{"jsonPath": ".spec.a"}, {"jsonPath": ".spec.a"}])),
        ("selectableFields", json!([{"jsonPath": ".metadata.name"}])),
        ("additionalPrinterColumns", json!([{"name": "A", "type": "date", "jsonPath": ".a"}])),
        ("additionalPrinterColumns", json!([{"name": "", "type": "x", "jsonPath": "{"}])),
    ];
    let (key, value) = &version_fields[rng.usize(..version_fields.len())];
    put(&mut versions[index], "", key, value);
}

/// Sets metadata that the server treats specially.
pub(super) fn metadata(rng: &mut Rng, object: &mut Value) {
    let time = "2024-01-02T03:04:05Z";
    let entry = |fields: Value| {
        json!([{"manager": "m", "operation": "Update", "apiVersion": "v1", "time": time,
                "fieldsType": "FieldsV1", "fieldsV1": fields}])
    };
    let metadata_fields = [
        ("annotations", json!({"\u{130}": "x"})),
        ("annotations", json!({"\u{212a}.com/\u{3a3}": "x", "A": ""})),
        ("annotations", json!({"a": null})),
        ("labels", json!({"A": "b"})),
        ("generation", json!(i64::MAX)),
        ("generation", json!(-1)),
        ("generation", json!(1.0)),
        ("managedFields", entry(json!({"a": -0.0, "b": 1.0, "c": [1e3, 1e21]}))),
        ("managedFields", entry(json!({"f:spec": {}}))),
        ("managedFields", json!([{"manager": "\u{7f}", "operation": "x"}, null])),
        ("finalizers", json!(["a", "example.com/b", "orphan"])),
        (
            "ownerReferences",
            json!([{"apiVersion": "v1", "kind": "Pod", "name": "n", "uid": "u",
                                    "controller": true}, {"controller": true}]),
        ),
        ("ownerReferences", json!([{"apiVersion": "v1", "kind": "Event", "name": "n"}])),
        ("deletionTimestamp", json!(time)),
        ("creationTimestamp", json!("2024-01-02T03:04:05.678+01:00")),
        ("creationTimestamp", json!(null)),
        ("deletionGracePeriodSeconds", json!(30)),
        ("generateName", json!("a-")),
        ("selfLink", json!("/x")),
        ("uid", json!("other")),
        ("name", json!("A_b")),
        ("zz", json!({"a": 1})),
    ];
    let (key, value) = &metadata_fields[rng.usize(..metadata_fields.len())];
    put(object, "/metadata", key, value);
}

/// Makes one change at a random place in a value.
pub(super) fn change(rng: &mut Rng, value: &mut Value) {
    let below = match value {
        Value::Object(map) => map.len(),
        Value::Array(items) => items.len(),
        _ => 0,
    };
    if below > 0 && rng.u8(..5) != 0 {
        let index = rng.usize(..below);
        let child = match value {
            Value::Object(map) => map.values_mut().nth(index),
            Value::Array(items) => items.get_mut(index),
            _ => None,
        };
        return child.map_or((), |child| change(rng, child));
    }
    let index = rng.usize(..below.max(1));
    match value {
        Value::Object(map) if rng.u8(..4) != 0 => {
            let key = map.keys().nth(index).cloned();
            match (key, rng.u8(..3)) {
                (Some(key), 0) => drop(map.remove(&key)),
                (Some(key), 1) => {
                    if let Some(old) = map.remove(&key) {
                        map.insert(key + "X", old);
                    }
                }
                _ => drop(map.insert("zz".to_owned(), object::anything(rng, 3))),
            }
        }
        Value::Array(items) if rng.u8(..4) != 0 => match rng.u8(..4) {
            _ if items.is_empty() => items.push(object::anything(rng, 3)),
            0 => drop(items.remove(index)),
            1 => items.reverse(),
            2 => items.push(items[index].clone()),
            _ => items[index] = Value::Null,
        },
        value if rng.u8(..3) == 0 => *value = edge(rng),
        value => *value = object::anything(rng, 2),
    }
}

/// Chooses a value at a limit of Go's types.
fn edge(rng: &mut Rng) -> Value {
    let edges = [
        json!(-9_223_372_036_854_775_808.0),
        json!(i64::MIN),
        json!(i64::MAX),
        json!(u64::MAX),
        json!(-0.0),
        json!("\u{130}"),
        json!("\u{fffd}"),
        json!(""),
        json!([[]]),
        json!({"": null}),
    ];
    edges[rng.usize(..edges.len())].clone()
}

/// Writes a value as JSON with some duplicate keys.
pub(super) fn write_with_duplicates(rng: &mut Rng, out: &mut String, value: &Value) {
    match value {
        Value::Object(map) => {
            out.push('{');
            let mut is_first = true;
            for (key, value) in map {
                for _ in 0..=u8::from(rng.u8(..12) == 0) {
                    if !is_first {
                        out.push(',');
                    }
                    is_first = false;
                    out.push_str(&Value::from(key.as_str()).to_string());
                    out.push(':');
                    write_with_duplicates(rng, out, value);
                }
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write_with_duplicates(rng, out, item);
            }
            out.push(']');
        }
        scalar => out.push_str(&scalar.to_string()),
    }
}
