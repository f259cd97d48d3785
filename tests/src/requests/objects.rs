//! Generates random objects, valid or nearly so.

use fastrand::Rng;
use serde_json::{Map, Value, json};

use super::kinds::Target;
use super::step::NAMESPACE;

/// The names of objects. They are few, so that several requests are about the same object.
pub(super) const NAMES: [&str; 3] = ["a", "b", "c"];
/// The field managers of writes.
pub(super) const MANAGERS: [&str; 3] = ["one", "two", "three"];

/// Chooses one of several values.
pub(super) fn pick<T: Copy>(rng: &mut Rng, of: &[T]) -> T {
    of[rng.usize(..of.len())]
}

/// Returns true in one of `n` cases, at random.
pub(super) fn once_in(rng: &mut Rng, n: u32) -> bool {
    rng.u32(..n) == 0
}

/// Generates a whole object.
pub(super) fn object(rng: &mut Rng, target: Target, name: &str) -> Value {
    let mut object = json!({
        "apiVersion": target.api_version(), "kind": target.kind(), "metadata": metadata(rng, name),
    });
    let map =
        object.as_object_mut().unwrap_or_else(|| unreachable!("an object has just been made"));
    fill(rng, target, map);
    match rng.u32(..60) {
        0 => {
            map.remove("kind");
        }
        1 => {
            map.insert("apiVersion".to_owned(), "demo.example.com/v9".into());
        }
        2 => {
            map.insert("kind".to_owned(), "Other".into());
        }
        3 => {
            map.insert("unknown".to_owned(), 1.into());
        }
        4 => {
            map.remove("apiVersion");
        }
        _ => {}
    }
    object
}

/// Generates the fields of an object except its metadata.
fn fill(rng: &mut Rng, target: Target, map: &mut Map<String, Value>) {
    match target {
        Target::Widgets | Target::OldWidgets => {
            map.insert("spec".to_owned(), spec(rng));
            if once_in(rng, 4) {
                map.insert("status".to_owned(), status(rng));
            }
        }
        Target::Gadgets => {
            map.insert("spec".to_owned(), json!({"x": rng.u32(..3), "free": free(rng, 2)}));
            if once_in(rng, 6) {
                map.insert("data".to_owned(), free(rng, 2));
            }
        }
        Target::ConfigMaps => {
            let mut data = Map::new();
            for key in ["k", "l"] {
                if once_in(rng, 2) {
                    data.insert(key.to_owned(), pick(rng, &["v", "", "two\nlines"]).into());
                }
            }
            map.insert("data".to_owned(), data.into());
            if once_in(rng, 8) {
                map.insert("binaryData".to_owned(), json!({"b": "AAEC"}));
            }
        }
    }
}

pub(super) fn metadata(rng: &mut Rng, name: &str) -> Value {
    let mut metadata = Map::new();
    if !name.is_empty() {
        metadata.insert("name".to_owned(), name.into());
    }
    if rng.bool() {
        metadata.insert("labels".to_owned(), labels(rng));
    }
    if once_in(rng, 5) {
        let value = pick(rng, &["x", "y", ""]);
        metadata.insert("annotations".to_owned(), json!({"example.com/note": value}));
    }
    if once_in(rng, 6) {
        let finalizers: &[&[&str]] = &[
            &["example.com/wait"],
            &["example.com/wait", "example.com/more"],
            &["bad"],
            &["orphan"],
        ];
        let found = finalizers[rng.usize(..finalizers.len() * 2) / 2];
        metadata.insert("finalizers".to_owned(), json!(found));
    }
    if once_in(rng, 10) {
        let owner = json!({
            "apiVersion": "v1", "kind": "ConfigMap", "name": "a", "uid": "11111111-0000-4000-8000-000000000000",
            "controller": rng.bool(),
        });
        let owners = match rng.u32(..4) {
            0 => json!([owner, owner]),
            1 => json!([{"apiVersion": "v1", "kind": "ConfigMap", "name": "a"}]),
            _ => json!([owner]),
        };
        metadata.insert("ownerReferences".to_owned(), owners);
    }
    match rng.u32(..80) {
        0 => {
            metadata.insert("namespace".to_owned(), "other".into());
        }
        1..4 => {
            metadata.insert("namespace".to_owned(), NAMESPACE.into());
        }
        4 => {
            metadata.insert("resourceVersion".to_owned(), "1".into());
        }
        5 => {
            metadata.insert("generation".to_owned(), 7.into());
        }
        6 => {
            metadata.insert("labels".to_owned(), json!({"app": "not a label"}));
        }
        7 => {
            metadata.insert("labels".to_owned(), json!({"app": 1}));
        }
        8 => {
            metadata.insert("annotations".to_owned(), json!({"a b": "c"}));
        }
        9 => {
            metadata.insert("uid".to_owned(), "22222222-0000-4000-8000-000000000000".into());
        }
        10 => {
            metadata.insert("deletionTimestamp".to_owned(), "2020-01-01T00:00:00Z".into());
        }
        11 => {
            metadata.insert("unknown".to_owned(), "x".into());
        }
        _ => {}
    }
    metadata.into()
}

pub(super) fn labels(rng: &mut Rng) -> Value {
    let mut labels = Map::new();
    labels.insert("app".to_owned(), pick(rng, &["x", "y"]).into());
    if rng.bool() {
        labels.insert("tier".to_owned(), pick(rng, &["1", "2"]).into());
    }
    labels.into()
}

pub(super) fn spec(rng: &mut Rng) -> Value {
    let mut spec = Map::new();
    for _ in 0..rng.u32(1..5) {
        let (key, value) = field(rng);
        spec.insert(key.to_owned(), value);
    }
    spec.into()
}

/// Generates a field of a spec.
pub(super) fn field(rng: &mut Rng) -> (&'static str, Value) {
    match rng.u32(..24) {
        0..4 => ("color", pick(rng, &["red", "green", "blue", "blue", "pink"]).into()),
        4..7 => ("replicas", json!(pick(rng, &[0, 1, 2, 5, 7, 9, 12]))),
        7 => ("replicas", pick(rng, &["two", "3"]).into()),
        8..10 => ("size", if rng.bool() { 3.into() } else { "50%".into() }),
        10 => ("weight", json!(pick(rng, &[1.0, 1.5, -2.25, 1e9]))),
        11 => ("note", if rng.bool() { Value::Null } else { "a note".into() }),
        12 => ("note", "a note that is too long".into()),
        13..15 => {
            let tags = ["t", "u", "v", "t", "w"];
            ("tags", json!(tags[..rng.usize(..=tags.len())]))
        }
        15..18 => {
            let count = rng.usize(..4);
            let ports = (0..count).map(|_| port(rng)).collect();
            ("ports", Value::Array(ports))
        }
        18 => ("limits", json!({"cpu": rng.u32(..3), "mem": rng.u32(..3)})),
        19 => ("limits", json!({"cpu": "x"})),
        20 => ("place", json!({"x": rng.u32(..3)})),
        21 => ("extra", free(rng, 2)),
        22 => ("colour", "red".into()),
        _ => ("color", Value::Null),
    }
}

pub(super) fn port(rng: &mut Rng) -> Value {
    let mut port = Map::new();
    if !once_in(rng, 10) {
        port.insert("name".to_owned(), pick(rng, &["http", "https", "dns"]).into());
    }
    if rng.bool() {
        port.insert("port".to_owned(), pick(rng, &[80, 443, 53]).into());
    }
    if once_in(rng, 3) {
        port.insert("hosts".to_owned(), json!(["h", "i"][..rng.usize(..3)]));
    }
    port.into()
}

pub(super) fn status(rng: &mut Rng) -> Value {
    let mut status = Map::new();
    if rng.bool() {
        status.insert("replicas".to_owned(), pick(rng, &[0, 1, 3, -1]).into());
    }
    if rng.bool() {
        status.insert("selector".to_owned(), pick(rng, &["app=x", ""]).into());
    }
    if rng.bool() {
        let conditions = json!([
            {"type": "Ready", "status": pick(rng, &["True", "False"])}, {"type": "Done", "status": "False"},
            {"type": "Ready"},
        ]);
        let kept = rng.usize(..5).min(3);
        let kept: Vec<Value> =
            conditions.as_array().into_iter().flatten().take(kept).cloned().collect();
        status.insert("conditions".to_owned(), kept.into());
    }
    status.into()
}

/// Generates any JSON.
pub(super) fn free(rng: &mut Rng, depth: u32) -> Value {
    match rng.u32(..if depth == 0 { 6 } else { 9 }) {
        0 => Value::Null,
        1 => rng.bool().into(),
        2 => rng.i32(-5..5).into(),
        3 => 2.5.into(),
        4 | 5 => pick(rng, &["s", "", "<&>", "ü"]).into(),
        6 => (0..rng.u32(..3)).map(|_| free(rng, depth - 1)).collect::<Vec<_>>().into(),
        _ => {
            let mut map = Map::new();
            for key in ["p", "q"] {
                if rng.bool() {
                    map.insert(key.to_owned(), free(rng, depth - 1));
                }
            }
            map.into()
        }
    }
}
