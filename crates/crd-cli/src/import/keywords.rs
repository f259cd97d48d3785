//! Reads keywords of a schema.

use serde_json::{Map, Value};

/// A schema in JSON.
pub(super) type Schema = Map<String, Value>;

/// Returns whether a flag is set.
pub(super) fn is_true(schema: &Schema, keyword: &str) -> bool {
    schema.get(keyword) == Some(&Value::Bool(true))
}

/// Returns the type; empty if there is none.
pub(super) fn type_of(schema: &Schema) -> &str {
    schema.get("type").and_then(Value::as_str).unwrap_or_default()
}

/// Returns the names of the required fields.
pub(super) fn required(schema: &Schema) -> Vec<&str> {
    schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

/// Returns whether two values are equal in JSON, where `1` is `1.0`.
pub(super) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        (a, b) => a == b,
    }
}
