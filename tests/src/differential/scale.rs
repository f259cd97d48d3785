//! Generates reads and writes of the scales of stored objects. The objects are near the boundary of their schema.

use fastrand::Rng;
use serde_json::{Map, Value, json};

use super::{SCALES, object, root_schema};

/// The replicas of written scales.
const REPLICAS: &[i64] = &[0, 1, 2, 3, 5, 10, 11, 100, -1, 2_147_483_647, -2_147_483_648];
/// Values at the paths of the scale in stored objects.
const STORED: &[&str] = &[
    "0",
    "3",
    "-1",
    "2147483647",
    "2147483648",
    "1.0",
    "1.5",
    "\"a=b\"",
    "null",
    "true",
    "{}",
    "[]",
];

/// Generates reads and writes of scales, if the definition has the subresource.
pub(super) fn cases(seed: u64, number: u64, crd: &Value) -> impl Iterator<Item = Value> + use<> {
    let mut rng = super::generator(seed ^ 0x5CA1E, number);
    let paths = crd.pointer("/spec/versions/0/subresources/scale").cloned();
    let crd = crd.clone();
    let count = if paths.is_some() { SCALES } else { 0 };
    (0..count).map(move |n| {
        let wild = [0, 2, 8][rng.usize(..3)];
        let mut old = object::object(&mut rng, &crd, root_schema(&crd), wild);
        super::identify(&crd, &mut old);
        old["metadata"] = json!({"name": "w", "uid": "u", "resourceVersion": "1", "generation": 1,
            "creationTimestamp": "2024-01-01T00:00:00Z"});
        if crd.pointer("/spec/scope").and_then(Value::as_str) != Some("Cluster") {
            old["metadata"]["namespace"] = "default".into();
        }
        for path in paths.iter().filter_map(Value::as_object).flat_map(Map::values) {
            let path = path.as_str().unwrap_or_default();
            if rng.bool() {
                let text = STORED[rng.usize(..STORED.len())];
                place(&mut old, path, serde_json::from_str(text).unwrap_or_default());
            }
        }
        let scale = if n % 3 == 0 { Value::Null } else { written(&mut rng) };
        json!({"crd": crd, "old": old, "scale": scale})
    })
}

fn written(rng: &mut Rng) -> Value {
    let mut scale = json!({"metadata": {"name": "w"}});
    if rng.u8(..8) != 0 {
        scale["spec"] = json!({"replicas": REPLICAS[rng.usize(..REPLICAS.len())]});
    }
    if rng.bool() {
        scale["metadata"]["resourceVersion"] = "1".into();
    }
    if rng.u8(..4) == 0 {
        scale["status"] = json!({"replicas": 7, "selector": "c=d"});
    }
    scale
}

/// Sets the value at a path, if the path leads through objects only.
fn place(object: &mut Value, path: &str, value: Value) {
    let mut at = object;
    for name in path.trim_start_matches('.').split('.') {
        let Value::Object(map) = at else { return };
        at = map.entry(name).or_insert_with(|| json!({}));
    }
    *at = value;
}
