//! Generates objects near a schema's boundary, and edits of objects.

use fastrand::Rng;
use serde_json::{Map, Number, Value, json};

use super::narrow;
use super::strings::{self, STRINGS};

/// Small numbers, and numbers near the limits of int64 and float64.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "3",
    "5",
    "10",
    "11",
    "99",
    "100",
    "101",
    "2147483647",
    "2147483648",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "1.0",
    "1.5",
    "0.1",
    "-0.0",
    "1e3",
    "1e21",
    "1e-7",
    "9007199254740993",
    "3.0000000001",
    "0.30000000000000004",
    "4e38",
    "1e300",
];
/// The largest `minItems` that generated lists satisfy, in items.
const MAX_ITEMS: u64 = 16;
/// The deepest nesting of values that no schema describes, in levels.
const MAX_DEPTH: u32 = 5;

/// Generates a whole object for a definition's schema. `wild` is the percentage of values of a wrong type.
pub(super) fn object(rng: &mut Rng, definition: &Value, schema: &Value, wild: u32) -> Value {
    let mut object = match value(rng, schema, 0, wild) {
        object @ Value::Object(_) => object,
        _ => json!({}),
    };
    super::identify(definition, &mut object);
    let mut metadata = json!({"name": "w", "uid": "u", "resourceVersion": "1"});
    let namespaced = definition.pointer("/spec/scope").and_then(Value::as_str) != Some("Cluster");
    if let Value::Object(metadata) = &mut metadata {
        if namespaced {
            metadata.insert("namespace".into(), "default".into());
        }
        if rng.u32(..100) < wild {
            set_unusual_metadata(rng, metadata);
        }
    }
    object["metadata"] = metadata;
    if rng.u32(..400) < wild {
        let key = *rng.choice(&["apiVersion", "kind", "metadata"]).unwrap_or(&"kind");
        object[key] = anything(rng, 0);
    }
    object
}

/// Sets one field of metadata, mostly to a value that the server rejects or changes.
fn set_unusual_metadata(rng: &mut Rng, metadata: &mut Map<String, Value>) {
    let unusual = [
        ("labels", json!({"a": "b", "a b": "c"})),
        ("labels", json!({"a": 1})),
        ("labels", json!({"example.com/a": "x y"})),
        ("annotations", json!({"A/b/c": "x"})),
        ("annotations", json!({"a": "b"})),
        ("finalizers", json!(["x", "example.com/y"])),
        ("finalizers", json!(["orphan", "foregroundDeletion"])),
        ("ownerReferences", json!([{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "1"}])),
        ("ownerReferences", json!([{"apiVersion": "", "kind": "", "name": "p", "uid": ""}])),
        ("creationTimestamp", json!("2024-01-01T00:00:00Z")),
        ("creationTimestamp", json!(null)),
        ("creationTimestamp", json!("bogus")),
        ("generation", json!(-1)),
        ("generateName", json!("w-")),
        ("generateName", json!("W_")),
        ("name", json!("UPPER")),
        ("name", json!("")),
        ("namespace", json!("a.b")),
        ("unknown", json!({"a": 1})),
        ("managedFields", json!([{"manager": "m", "operation": "Bogus"}])),
        ("deletionGracePeriodSeconds", json!(-3)),
    ];
    let (key, value) = unusual[rng.usize(..unusual.len())].clone();
    metadata.insert(key.into(), value);
}

/// Generates a value for a schema. `wild` is the percentage of values of a wrong type.
pub(super) fn value(rng: &mut Rng, schema: &Value, depth: u32, wild: u32) -> Value {
    if rng.u32(..100) < wild {
        return match rng.u8(..4) {
            0 => Value::Null,
            1 => anything(rng, depth),
            2 => number(rng),
            _ => STRINGS[rng.usize(..STRINGS.len())].into(),
        };
    }
    let get = |key: &str| schema.get(key);
    if let Some(Value::Array(members)) = get("enum")
        && rng.u8(..4) != 0
        && let Some(member) = rng.choice(members)
    {
        return member.clone();
    }
    if get("nullable").and_then(Value::as_bool) == Some(true)
        && rng.u8(..6) < if allows_only_null(schema) { 5 } else { 1 }
    {
        return Value::Null;
    }
    if rng.u8(..8) != 0
        && let Some(narrow) = narrow::narrowed(rng, schema)
    {
        return value(rng, &narrow, depth, wild);
    }
    match get("type").and_then(Value::as_str) {
        Some("string") => string(rng, schema),
        Some("integer") => integer(rng, schema),
        Some("number") => match rng.u8(..3) {
            0 => number(rng),
            1 => json!(rng.f64().mul_add(10.0, -1.0)),
            _ => integer(rng, schema),
        },
        Some("boolean") => rng.bool().into(),
        Some("array") => {
            let least = get("minItems").and_then(Value::as_u64).unwrap_or(0).min(MAX_ITEMS);
            let most = get("maxItems").and_then(Value::as_u64).unwrap_or(3).min(5).max(least);
            let count = rng.u64(least..=most) + u64::from(rng.u32(..100) < wild);
            let items = get("items").unwrap_or(&Value::Null);
            let mut list: Vec<Value> =
                (0..count).map(|_| value(rng, items, depth + 1, wild)).collect();
            if list.len() > 1 && rng.u8(..8) == 0 {
                list[0] = list[1].clone();
            }
            Value::Array(list)
        }
        Some("object") => record(rng, schema, depth, wild),
        _ if get("x-kubernetes-int-or-string").is_some() => {
            if rng.bool() {
                integer(rng, schema)
            } else {
                string(rng, schema)
            }
        }
        _ if get("properties").is_some() => record(rng, schema, depth, wild),
        _ => anything(rng, depth),
    }
}

/// Whether `null` is the only valid value, as in the schema of Rust's `()`.
fn allows_only_null(schema: &Value) -> bool {
    let bound = |key: &str| schema.get(key).and_then(Value::as_u64);
    bound("maxProperties") == Some(0) && bound("minProperties") == Some(1)
}

fn record(rng: &mut Rng, schema: &Value, depth: u32, wild: u32) -> Value {
    let mut out = Map::new();
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    if let Some(Value::Object(properties)) = schema.get("properties") {
        for (name, property) in properties {
            let wanted =
                if required.contains(&&**name) { rng.u32(..100) >= wild } else { rng.u8(..3) != 0 };
            if wanted {
                out.insert(name.clone(), value(rng, property, depth + 1, wild));
            }
        }
    }
    if let Some(values @ (Value::Object(_) | Value::Bool(_))) = schema.get("additionalProperties") {
        for _ in 0..rng.u8(..4) {
            let key = *rng.choice(&["a", "b", "k.1", "x-y", "日"]).unwrap_or(&"a");
            out.insert(key.to_owned(), value(rng, values, depth + 1, wild));
        }
    }
    if schema.get("x-kubernetes-embedded-resource").is_some() && rng.u8(..3) != 0 {
        let mut metadata = json!({"name": "e", "labels": {"a": "b"}});
        if let (Value::Object(metadata), true) = (&mut metadata, rng.u32(..50) < wild) {
            set_unusual_metadata(rng, metadata);
        }
        out.insert("apiVersion".into(), "v1".into());
        out.insert("kind".into(), "Pod".into());
        out.insert("metadata".into(), metadata);
    }
    if rng.u32(..100) < wild.max(2) {
        let unknown = anything(rng, depth + 1);
        out.insert((*rng.choice(&["unknown", "zz", "kind"]).unwrap_or(&"zz")).to_owned(), unknown);
    }
    Value::Object(out)
}

/// The largest `maxLength` or `minLength` for which a text at the limit is generated, in code points. Errors with
/// longer texts would disagree: the server shows a value whole, but errors here show at most 16 KiB of it
/// (`values_in_errors_end` in `tests/divergence.rs`).
const LONGEST_AT_LIMIT: usize = 4096;

fn string(rng: &mut Rng, schema: &Value) -> Value {
    let limit = |key: &str| {
        let limit = schema.get(key).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
        limit.filter(|limit| *limit <= LONGEST_AT_LIMIT)
    };
    match (limit("maxLength"), limit("minLength"), rng.u8(..3)) {
        (Some(most), _, 0) => "é".repeat(most + usize::from(rng.u8(..4) == 0)).into(),
        (_, Some(least), 0) => {
            "x".repeat(least.saturating_sub(usize::from(rng.u8(..4) == 0))).into()
        }
        _ => {
            let text = |key: &str| schema.get(key).and_then(Value::as_str);
            let known = match (text("pattern"), text("format")) {
                (Some(pattern), _) => strings::matching(pattern),
                (None, Some(format)) => strings::of_format(format).to_vec(),
                (None, None) => Vec::new(),
            };
            let pool = if known.is_empty() || rng.u8(..3) == 0 { STRINGS } else { &known };
            pool[rng.usize(..pool.len())].into()
        }
    }
}

fn integer(rng: &mut Rng, schema: &Value) -> Value {
    let factor = schema.get("multipleOf").and_then(Value::as_i64).filter(|factor| *factor > 1);
    match (any_integer(rng, schema), factor) {
        (Value::Number(n), Some(factor)) if rng.u8(..4) != 0 => {
            n.as_i64().map_or(Value::Number(n), |n| json!(n - n % factor))
        }
        (any, _) => any,
    }
}

fn any_integer(rng: &mut Rng, schema: &Value) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "any number near the bound will do")]
    let bound = |key: &str| schema.get(key)?.as_f64().map(|bound| bound.trunc() as i64);
    let (least, most) = (bound("minimum"), bound("maximum"));
    let either = if rng.bool() { least.or(most) } else { most.or(least) };
    match (rng.u8(..16), either, least.zip(most)) {
        (0..3, ..) => number(rng),
        (3 | 4, Some(bound), _) => json!(bound.saturating_add(rng.i64(-1..=1))),
        (5..10, Some(bound), _) => json!(bound),
        (_, _, Some((least, most))) if least <= most => json!(rng.i64(least..=most)),
        _ => json!(rng.i64(-1..12)),
    }
}

fn number(rng: &mut Rng) -> Value {
    let text = NUMBERS[rng.usize(..NUMBERS.len())];
    text.parse::<Number>().map_or(Value::Null, Value::Number)
}

pub(super) fn anything(rng: &mut Rng, depth: u32) -> Value {
    match rng.u8(..if depth >= MAX_DEPTH { 5 } else { 8 }) {
        0 => Value::Null,
        1 => rng.bool().into(),
        2 => number(rng),
        3 | 4 => STRINGS[rng.usize(..STRINGS.len())].into(),
        5 => Value::Array((0..rng.u8(..3)).map(|_| anything(rng, depth + 1)).collect()),
        _ => {
            let keys = ["a", "b", "name", "value", "my-key"];
            (0..rng.u8(..3))
                .map(|_| (keys[rng.usize(..keys.len())].to_owned(), anything(rng, depth + 1)))
                .collect::<Map<_, _>>()
                .into()
        }
    }
}

/// Returns the object after up to three rounds of edits of its `spec`, `status` and `extra`.
pub(super) fn edited(rng: &mut Rng, object: &Value, wild: u32) -> Value {
    let mut out = object.clone();
    for _ in 0..rng.u8(..4) {
        for key in ["spec", "status", "extra"] {
            if let Some(part) = out.get_mut(key)
                && rng.bool()
            {
                edit(rng, part, wild);
            }
        }
    }
    out
}

fn edit(rng: &mut Rng, value: &mut Value, wild: u32) {
    let stop = rng.u8(..4) == 0;
    match value {
        Value::Object(map) if !map.is_empty() && !stop => {
            let index = rng.usize(..map.len());
            let key = map.keys().nth(index).cloned().unwrap_or_default();
            if rng.u8(..5) == 0 {
                map.remove(&key);
            } else if let Some(inner) = map.get_mut(&key) {
                edit(rng, inner, wild);
            }
        }
        Value::Array(list) if !list.is_empty() && !stop => {
            let index = rng.usize(..list.len());
            match rng.u8(..6) {
                0 => {
                    list.remove(index);
                }
                1 => list.reverse(),
                2 => list.push(list[index].clone()),
                _ => edit(rng, &mut list[index], wild),
            }
        }
        Value::Number(_) => *value = if rng.bool() { json!(rng.i64(..12)) } else { number(rng) },
        Value::String(_) => *value = STRINGS[rng.usize(..STRINGS.len())].into(),
        Value::Bool(flag) => *flag = !*flag,
        _ if rng.u32(..100) < wild => *value = anything(rng, 2),
        _ => {}
    }
}
