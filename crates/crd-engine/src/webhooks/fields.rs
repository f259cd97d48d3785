//! Checks of fields of configurations.

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
