//! Generates values for a schema, most of them valid.

use arbitrary::{Result, Unstructured};
use serde_json::{Map, Value, json};

/// The deepest nesting of values, in levels.
const MAX_DEPTH: u32 = 6;
/// Strings that some format, pattern or length accepts.
const STRINGS: [&str; 14] = [
    "",
    "a",
    "b",
    "ab",
    "A b",
    "é",
    "\u{10FFFF}",
    "2024-02-29",
    "123e4567-e89b-12d3-a456-426614174000",
    "1.2.3.4",
    "YQ==",
    "1h",
    "10%",
    "-1",
];

/// Generates an object of the kind for its schema.
///
/// # Errors
/// If the fuzzer's input is too short or malformed.
pub fn object(u: &mut Unstructured<'_>, root: &Value) -> Result<Value> {
    let mut object = match value(u, root, 0)? {
        object @ Value::Object(_) => object,
        _ => json!({}),
    };
    object["apiVersion"] = "example.com/v1".into();
    object["kind"] = "Widget".into();
    object["metadata"] = json!({"name": "w", "namespace": "default"});
    if u.ratio(1, 10)? {
        object["metadata"][*u.choose(&["labels", "annotations", "finalizers", "x"])?] =
            anything(u, 3)?;
    }
    Ok(object)
}

/// Generates a value for a schema, most of the time a valid one.
///
/// # Errors
/// If the fuzzer's input is too short or malformed.
pub fn value(u: &mut Unstructured<'_>, schema: &Value, depth: u32) -> Result<Value> {
    if depth > MAX_DEPTH || u.ratio(1, 24)? {
        return anything(u, depth);
    }
    if schema["nullable"] == true && u.ratio(1, 4)? {
        return Ok(Value::Null);
    }
    if let Some(members) = schema["enum"].as_array().filter(|members| !members.is_empty()) {
        return Ok(u.choose(members)?.clone());
    }
    Ok(match schema["type"].as_str() {
        Some("string") => (*u.choose(&STRINGS)?).into(),
        Some("integer") => u.int_in_range(-4..=1_001)?.into(),
        Some("number") => json!(f64::from(u.int_in_range(-40..=400)?) / 8.0),
        Some("boolean") => u.arbitrary::<bool>()?.into(),
        Some("array") => {
            let count = u.int_in_range(0..=4)?;
            let items = (0..count).map(|_| value(u, &schema["items"], depth + 1));
            Value::Array(items.collect::<Result<_>>()?)
        }
        Some("object") => record(u, schema, depth)?,
        _ => anything(u, depth)?,
    })
}

fn record(u: &mut Unstructured<'_>, schema: &Value, depth: u32) -> Result<Value> {
    let mut out = Map::new();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        if !u.ratio(1, 4)? {
            out.insert(name.clone(), value(u, property, depth + 1)?);
        }
    }
    if schema["additionalProperties"].is_object() {
        for _ in 0..u.int_in_range(0..=3)? {
            let key = *u.choose(&["k", "l", "m.n"])?;
            out.insert(key.to_owned(), value(u, &schema["additionalProperties"], depth + 1)?);
        }
    }
    Ok(Value::Object(out))
}

/// Any JSON.
fn anything(u: &mut Unstructured<'_>, depth: u32) -> Result<Value> {
    Ok(match u.int_in_range(0..=if depth > MAX_DEPTH { 5 } else { 7 })? {
        0 => Value::Null,
        1 => u.arbitrary::<bool>()?.into(),
        2 => u.arbitrary::<i64>()?.into(),
        3 => json!(u.arbitrary::<f64>()?),
        4 => u.arbitrary::<&str>()?.into(),
        5 => (*u.choose(&STRINGS)?).into(),
        6 => {
            let count = u.int_in_range(0..=3)?;
            Value::Array((0..count).map(|_| anything(u, depth + 1)).collect::<Result<_>>()?)
        }
        _ => {
            let count = u.int_in_range(0..=3)?;
            let member = |u: &mut Unstructured<'_>| {
                Ok(((*u.choose(&["a", "b", "name", "x"])?).to_owned(), anything(u, depth + 1)?))
            };
            (0..count).map(|_| member(u)).collect::<Result<Map<_, _>>>()?.into()
        }
    })
}
