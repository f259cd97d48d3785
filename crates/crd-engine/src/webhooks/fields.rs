//! Reads the fields of configurations, which are JSON.

use serde_json::Value;

use crate::field::{Path, Shown, Sink};

/// Checks that a field has one of the supported values, if it is set.
pub(super) fn check_choice(
    webhook: &Value,
    key: &str,
    supported: &[&str],
    path: &Path<'_>,
    errors: &mut Sink,
) {
    if let Some(value) = webhook.get(key).and_then(Value::as_str)
        && !supported.contains(&value)
    {
        errors.not_supported(&path.field(key), Shown::TypedText(value), supported);
    }
}

pub(super) fn has_wildcard(values: &[String]) -> bool {
    values.iter().any(|value| value == "*")
}

pub(super) fn list<'v>(value: &'v Value, key: &str) -> impl Iterator<Item = &'v Value> + use<'v> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

pub(super) fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Returns the object in a field, if there is one.
pub(super) fn object<'v>(value: &'v Value, key: &str) -> Option<&'v Value> {
    value.get(key).filter(|value| value.is_object())
}

pub(super) fn texts(value: &Value, key: &str) -> Vec<String> {
    list(value, key).filter_map(Value::as_str).map(str::to_owned).collect()
}
