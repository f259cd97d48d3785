//! Laws over many objects: admission is idempotent, and does not depend on the order of keys.

use crd_fixtures::has_uncorrelated_parts;
use crd_runtime::admit::{self, Admitted, Rejection};
use crd_runtime::compiled::CompiledSchema;
use fastrand::Rng;
use serde_json::{Map, Value, json};

use super::support::{object, widget};

/// How many objects each law is tried on.
const CASES: u64 = 4_000;

fn value(rng: &mut Rng, depth: u32) -> Value {
    match rng.u8(..if depth == 0 { 6 } else { 12 }) {
        0 => Value::Null,
        1 => json!(rng.u8(..3)),
        2 => json!(1.5),
        3 => json!("x"),
        4 => json!(true),
        5 => json!(""),
        6..9 => (0..rng.u8(..4)).map(|_| value(rng, depth - 1)).collect(),
        _ => Value::Object(map(rng, depth - 1)),
    }
}

fn map(rng: &mut Rng, depth: u32) -> Map<String, Value> {
    const KEYS: [&str; 11] =
        ["a", "b", "list", "map", "any", "kept", "res", "metadata", "kind", "name", "zz"];
    (0..rng.u8(..7))
        .map(|_| (KEYS[rng.usize(..KEYS.len())].to_owned(), value(rng, depth)))
        .collect()
}

/// The schema of `spec`.
fn spec() -> Value {
    let leaf = json!({"type": "object", "properties": {
        "a": {"type": "integer", "default": 5}, "b": {"type": "string", "nullable": true, "default": "x"},
        "name": {"type": "string"},
    }});
    let node = json!({"type": "object", "default": {}, "properties": {
        "a": leaf,
        "b": {"type": "string", "default": "b"},
        "list": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"], "items": leaf},
        "map": {"type": "object", "additionalProperties": leaf},
        "any": {"type": "object", "additionalProperties": true},
        "kept": {"x-kubernetes-preserve-unknown-fields": true, "type": "object", "properties": {"a": leaf}},
        "res": {"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"a": leaf}},
    }});
    let mut root = node.clone();
    root["properties"]["list"] =
        json!({"type": "array", "x-kubernetes-list-type": "set", "items": node});
    root["properties"]["map"] = json!({"type": "object", "additionalProperties": node});
    root
}

fn each(mut law: impl FnMut(&CompiledSchema, Value)) {
    let schema = widget(&spec());
    let mut rng = Rng::with_seed(7);
    for _ in 0..CASES {
        law(&schema, object(&Value::Object(map(&mut rng, 5))));
    }
}

#[test]
fn pruning_twice_is_pruning_once() {
    each(|schema, mut object| {
        schema.prune(&mut object);
        let once = object.clone();
        assert!(schema.prune(&mut object).is_empty());
        assert_eq!(object, once);
    });
}

#[test]
fn defaulting_twice_is_defaulting_once() {
    each(|schema, mut object| {
        schema.prune_nulls(&mut object);
        let once = object.clone();
        schema.prune_nulls(&mut object);
        assert_eq!(object, once);
        schema.apply_defaults(&mut object);
        let once = object.clone();
        schema.apply_defaults(&mut object);
        assert_eq!(object, once);
    });
}

#[test]
fn what_is_admitted_is_admitted_unchanged() {
    let mut admitted = 0;
    each(|schema, object| {
        let Ok(once) = admit::create(schema, object) else { return };
        admitted += 1;
        let twice = admit::create(schema, once.object.clone()).unwrap();
        assert_eq!(twice.object, once.object);
        assert!(twice.unknown_fields.is_empty());
        let read = admit::read(schema, once.object.clone()).unwrap();
        assert_eq!(read, once.object);
        let unchanged = admit::update(schema, once.object.clone(), &once.object).unwrap();
        assert_eq!(unchanged.object, once.object);
    });
    assert!(admitted > 100, "{admitted}");
}

/// Upstream: a value is not equal to itself if a part of it has no old value, so that its errors are not ratcheted. Those
/// of embedded resources never are.
///
/// Source: `CorrelatedObject.CachedDeepEqual` in `k8s.io/apiserver/pkg/cel/common/equality.go`
#[test]
fn an_update_that_changes_nothing_is_ratcheted() {
    let (spec, mut ratcheted, mut reported) = (spec(), 0, 0);
    each(|schema, object| {
        let Ok(read) = admit::read(schema, object) else { return };
        match admit::update(schema, read.clone(), &read) {
            Ok(_) => ratcheted += usize::from(!schema.validate(&read).is_empty()),
            Err(Rejection::Invalid(invalid)) => {
                let is_uncorrelated = has_uncorrelated_parts(&spec, &read["spec"]);
                for error in invalid.errors.iter().filter(|error| !error.field.contains("res")) {
                    assert!(is_uncorrelated, "{error}");
                    reported += 1;
                }
            }
            Err(_) => {}
        }
    });
    assert!(ratcheted > 100 && reported > 0, "{ratcheted} {reported}");
}

#[test]
fn the_order_of_keys_in_a_body_does_not_matter() {
    fn write(value: &Value, reversed: bool, out: &mut String) {
        match value {
            Value::Object(map) => {
                let mut entries: Vec<_> = map.iter().collect();
                if reversed {
                    entries.reverse();
                }
                out.push('{');
                for (i, (key, value)) in entries.into_iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    out.push_str(&json!(key).to_string());
                    out.push(':');
                    write(value, reversed, out);
                }
                out.push('}');
            }
            Value::Array(items) => {
                out.push('[');
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    write(item, reversed, out);
                }
                out.push(']');
            }
            scalar => out.push_str(&scalar.to_string()),
        }
    }
    each(|schema, object| {
        let [forward, backward]: [Result<Admitted, Rejection>; 2] = [false, true].map(|reversed| {
            let mut body = String::new();
            write(&object, reversed, &mut body);
            admit::create_from_slice(schema, body.as_bytes())
        });
        assert_eq!(forward, backward);
    });
}
