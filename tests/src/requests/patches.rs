//! Generates random patches of each type.

use fastrand::Rng;
use serde_json::{Map, Value, json};

use super::kinds::Target;
use super::objects::{field, free, labels, object, once_in, pick, port, status};

/// Generates a patch, and returns it with its media type.
pub(super) fn patch(
    rng: &mut Rng,
    target: Target,
    name: &str,
    part: &str,
) -> (&'static str, String) {
    match rng.u32(..12) {
        0..4 => ("application/merge-patch+json", merge(rng, target, part).to_string()),
        4..7 => ("application/json-patch+json", json_patch(rng, target, part).to_string()),
        7..11 => ("application/apply-patch+yaml", apply(rng, target, name, part)),
        _ if target == Target::ConfigMaps || once_in(rng, 4) => {
            ("application/strategic-merge-patch+json", strategic(rng, target, part).to_string())
        }
        _ => (
            pick(rng, &["application/json", "text/plain", "application/merge-patch+json"]),
            "{}".to_owned(),
        ),
    }
}

fn merge(rng: &mut Rng, target: Target, part: &str) -> Value {
    if part == "/scale" {
        return scale(rng);
    }
    let mut patch = Map::new();
    if once_in(rng, 3) {
        patch.insert("metadata".to_owned(), metadata(rng));
    }
    if part == "/status" || once_in(rng, 8) {
        patch.insert("status".to_owned(), status(rng));
    }
    if part.is_empty() || once_in(rng, 3) {
        let (key, value) = body(rng, target);
        patch.insert(key.to_owned(), value);
    }
    if once_in(rng, 40) {
        return pick(rng, &["x", "[]"]).into();
    }
    patch.into()
}

/// Generates a part of the spec or data of an object, and returns it after its key, such as `spec`.
fn body(rng: &mut Rng, target: Target) -> (&'static str, Value) {
    match target {
        Target::Widgets | Target::OldWidgets => {
            let (key, mut value) = field(rng);
            if once_in(rng, 6) {
                value = Value::Null;
            }
            ("spec", json!({ key: value }))
        }
        Target::Gadgets => ("spec", free(rng, 3)),
        Target::ConfigMaps => {
            let value = [json!("v"), json!("w"), Value::Null];
            ("data", json!({pick(rng, &["k", "l", "m"]): value[rng.usize(..value.len())]}))
        }
    }
}

fn metadata(rng: &mut Rng) -> Value {
    match rng.u32(..12) {
        0..3 => json!({"labels": labels(rng)}),
        3 => json!({"labels": null}),
        4 => json!({"annotations": {"example.com/note": "patched"}}),
        5 | 6 => json!({"finalizers": null}),
        7 => json!({"finalizers": ["example.com/wait"]}),
        8 => json!({"ownerReferences": []}),
        9 => json!({"resourceVersion": "1"}),
        10 => json!({"name": "other"}),
        _ => json!({"managedFields": [{}]}),
    }
}

fn scale(rng: &mut Rng) -> Value {
    match rng.u32(..6) {
        0 => json!({"spec": {"replicas": -1}}),
        1 => json!({"spec": {"replicas": 12}}),
        2 => json!({"spec": {}}),
        _ => json!({"spec": {"replicas": rng.u32(..6)}}),
    }
}

fn json_patch(rng: &mut Rng, target: Target, part: &str) -> Value {
    let count = rng.usize(1..4);
    let operations: Vec<Value> = (0..count).map(|_| operation(rng, target, part)).collect();
    operations.into()
}

fn operation(rng: &mut Rng, target: Target, part: &str) -> Value {
    let path = match (part, target) {
        ("/scale", _) => pick(rng, &["/spec/replicas", "/spec"]),
        ("/status", _) => {
            pick(rng, &["/status", "/status/replicas", "/status/conditions/0", "/metadata/labels"])
        }
        (_, Target::ConfigMaps) => pick(
            rng,
            &["/data/k", "/data/m", "/data", "/metadata/labels/app", "/metadata/finalizers/0"],
        ),
        (_, Target::Gadgets) => {
            pick(rng, &["/spec/x", "/spec/free/p", "/new", "/metadata/finalizers"])
        }
        _ => pick(
            rng,
            &[
                "/spec/color",
                "/spec/replicas",
                "/spec/ports/0",
                "/spec/ports/-",
                "/spec/tags/1",
                "/spec/note",
                "/metadata/labels",
                "/metadata/labels/app",
                "/metadata/finalizers",
                "/metadata/finalizers/0",
                "/metadata/annotations/example.com~1note",
                "/spec/limits/cpu",
                "/nowhere/x",
            ],
        ),
    };
    let value = match path {
        "/spec/color" => json!(pick(rng, &["green", "pink"])),
        "/spec/replicas" | "/spec/x" | "/spec/limits/cpu" | "/status/replicas" => {
            json!(rng.u32(..5))
        }
        "/spec/ports/0" | "/spec/ports/-" => port(rng),
        "/spec/tags/1" | "/metadata/labels/app" | "/spec/note" | "/data/k" | "/data/m" => {
            json!("x")
        }
        "/metadata/labels" => labels(rng),
        "/metadata/finalizers" => json!(["example.com/wait"]),
        "/metadata/finalizers/0" => json!("example.com/wait"),
        "/status" => status(rng),
        "/status/conditions/0" => json!({"type": "Ready", "status": "Unknown"}),
        _ => free(rng, 1),
    };
    match rng.u32(..14) {
        0..4 => json!({"op": "add", "path": path, "value": value}),
        4..7 => json!({"op": "replace", "path": path, "value": value}),
        7..9 => json!({"op": "remove", "path": path}),
        9 | 10 => json!({"op": "test", "path": path, "value": value}),
        11 => json!({"op": "test", "path": path, "value": null}),
        12 => json!({"op": "copy", "from": path, "path": "/metadata/annotations"}),
        _ => json!({"op": pick(rng, &["move", "destroy"]), "from": path, "path": "/spec/note"}),
    }
}

/// Generates the configuration of a manager, as JSON.
fn apply(rng: &mut Rng, target: Target, name: &str, part: &str) -> String {
    if part == "/scale" {
        return json!({"apiVersion": "autoscaling/v1", "kind": "Scale", "spec": {"replicas": rng.u32(..5)}})
            .to_string();
    }
    let mut object = object(rng, target, name);
    if part == "/status" {
        object["status"] = status(rng);
    }
    if once_in(rng, 30) {
        object["metadata"]["managedFields"] = json!([]);
    }
    object.to_string()
}

fn strategic(rng: &mut Rng, target: Target, part: &str) -> Value {
    match rng.u32(..6) {
        0 => json!({"metadata": {"finalizers": ["example.com/more"]}}),
        1 => json!({"metadata": {"$deleteFromPrimitiveList/finalizers": ["example.com/wait"]}}),
        2 => json!({"data": {"$patch": "replace", "n": "1"}}),
        3 => json!({"$retainKeys": ["data"], "data": {"k": "r"}}),
        _ => merge(rng, target, part),
    }
}
