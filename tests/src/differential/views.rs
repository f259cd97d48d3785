//! Generates the parts of a version other than its schema: subresources, columns, selectable fields, deprecation.

use fastrand::Rng;
use serde_json::{Map, Value, json};

use super::schema::{Settings, set};

/// Adds subresources, columns, selectable fields and deprecation to a version that has its schema.
pub(super) fn add(rng: &mut Rng, version: &mut Value, settings: Settings) {
    let mut subresources = Map::new();
    if rng.bool() {
        subresources.insert("status".into(), json!({}));
    }
    if rng.u8(..5) == 0 {
        subresources.insert("scale".into(), scale(rng, settings));
    }
    if !subresources.is_empty() {
        set(version, "subresources", Value::Object(subresources));
    }
    if rng.u8(..10) == 0 {
        let columns: Vec<Value> = (0..rng.u8(1..4)).map(|_| column(rng, settings)).collect();
        set(version, "additionalPrinterColumns", Value::Array(columns));
    }
    if rng.u8(..12) == 0 {
        let paths = scalar_paths(version);
        let mut fields: Vec<Value> = Vec::new();
        for _ in 0..rng.u8(1..3) {
            let path = rng.choice(&paths).cloned().unwrap_or_else(|| ".spec.a".to_owned());
            fields.push(json!({"jsonPath": path}));
        }
        if settings.broken && rng.u8(..4) == 0 {
            fields.push(json!({"jsonPath": ".metadata.name"}));
        }
        set(version, "selectableFields", Value::Array(fields));
    }
    if rng.u8(..20) == 0 {
        set(version, "deprecated", true.into());
        if rng.bool() {
            set(version, "deprecationWarning", "use another".into());
        }
    }
}

fn scale(rng: &mut Rng, settings: Settings) -> Value {
    let mut scale =
        json!({"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"});
    if rng.bool() {
        set(&mut scale, "labelSelectorPath", ".status.value".into());
    }
    if settings.broken && rng.u8(..3) == 0 {
        let keys = ["specReplicasPath", "statusReplicasPath", "labelSelectorPath"];
        let paths = ["", "spec.replicas", ".replicas", ".status.a[0]", ".spec.a"];
        let key = keys[rng.usize(..keys.len())];
        set(&mut scale, key, paths[rng.usize(..paths.len())].into());
    }
    scale
}

fn column(rng: &mut Rng, settings: Settings) -> Value {
    let types = ["string", "integer", "number", "boolean", "date"];
    let paths = [".spec.a", ".spec.name", ".status.value", ".spec['a']", ".spec.b[*]"];
    let mut column = json!({
        "name": "Column", "type": types[rng.usize(..types.len())],
        "jsonPath": paths[rng.usize(..paths.len())],
    });
    if rng.u8(..3) == 0 {
        set(&mut column, "priority", rng.i32(-1..3).into());
    }
    if settings.broken && rng.u8(..3) == 0 {
        let mistakes = [
            ("name", ""),
            ("type", "bogus"),
            ("jsonPath", ""),
            ("jsonPath", "spec"),
            ("format", "x"),
        ];
        let (key, value) = mistakes[rng.usize(..mistakes.len())];
        set(&mut column, key, value.into());
    }
    column
}

/// Returns paths that can be selectable fields, and a few that cannot.
fn scalar_paths(version: &Value) -> Vec<String> {
    let mut out = Vec::new();
    for top in ["spec", "status"] {
        let at = format!("/schema/openAPIV3Schema/properties/{top}/properties");
        let properties = version.pointer(&at).and_then(Value::as_object);
        for (name, property) in properties.into_iter().flatten() {
            let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric());
            let is_list = property.get("type").and_then(Value::as_str) == Some("array");
            if is_plain && !is_list {
                out.push(format!(".{top}.{name}"));
            }
        }
    }
    out
}
