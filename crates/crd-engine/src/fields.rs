//! Fields of objects, which are empty if they are absent or of another type.

use serde_json::Value;

/// Returns the items of a list.
pub fn list<'v>(value: &'v Value, key: &str) -> impl Iterator<Item = &'v Value> + use<'v> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

/// Returns a text.
#[must_use]
pub fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Returns the texts in a list.
#[must_use]
pub fn texts(value: &Value, key: &str) -> Vec<String> {
    list(value, key).filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Returns an object, if there is one.
#[must_use]
pub fn object<'v>(value: &'v Value, key: &str) -> Option<&'v Value> {
    value.get(key).filter(|value| value.is_object())
}

/// Returns whether Go reads a value as the zero value of a type that is not a struct or a pointer.
#[must_use]
pub fn is_zero(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(value) => !value,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(_) => false,
    }
}
