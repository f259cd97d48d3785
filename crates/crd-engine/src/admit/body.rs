//! Decoding of request bodies, with the checks of kind and version.
//!
//! Source: `k8s.io/apimachinery/pkg/runtime/serializer/json` and `createHandler` in
//! `k8s.io/apiserver/pkg/endpoints/handlers/create.go`.

use serde_json::Value;

use super::Rejection;
use crate::compiled::CompiledSchema;
use crate::json::{self, Decoded};
use crate::object_meta::parse_group_version;

/// The largest request body, in bytes. Source: `MaxRequestBodyBytes` in `k8s.io/apiserver/pkg/server`.
pub const MAX_BODY_BYTES: usize = 3 * 1024 * 1024;

/// Returns whether an object, as the JSON that a client sends, exceeds [`MAX_BODY_BYTES`].
pub fn is_too_large(object: &Value) -> bool {
    most_bytes(object) > MAX_BODY_BYTES && json::to_go_string(object).len() > MAX_BODY_BYTES
}

/// Returns an upper bound of the size of a value as JSON. It saves the exact computation for most objects, which are
/// far below the limit.
fn most_bytes(value: &Value) -> usize {
    // A byte of text takes at most six bytes of JSON, as `\u003c`.
    let text = |text: &str| 6 * text.len() + 2;
    match value {
        Value::Null | Value::Bool(_) => 5,
        Value::Number(_) => 32,
        Value::String(string) => text(string),
        Value::Array(items) => 2 + items.iter().map(|item| most_bytes(item) + 1).sum::<usize>(),
        Value::Object(map) => {
            2 + map.iter().map(|(key, value)| text(key) + most_bytes(value) + 2).sum::<usize>()
        }
    }
}

/// Decodes a body, which must be an object with a `kind`, and sorts its keys. [`check_version`] checks its version
/// later. The decoder limits the depth.
pub(super) fn decode(body: &[u8]) -> Result<Decoded, Rejection> {
    if body.len() > MAX_BODY_BYTES {
        return Err(Rejection::TooLarge);
    }
    let (mut decoded, numbers) = json::decode_any(body).map_err(|error| {
        let text = error.to_string();
        Rejection::Decode(if error.is_syntax() { not_interpreted(&text) } else { text })
    })?;
    interpret(&decoded.value)?;
    if let Some(number) = numbers.first() {
        return Err(Rejection::Decode(number.error().to_string()));
    }
    check_kind(&decoded.value, body)?;
    decoded.value.sort_all_objects();
    Ok(decoded)
}

/// Checks that a decoded value is an object or null, and that its `kind` and `apiVersion` are strings, as the server does
/// before it decodes anything else.
///
/// Source: `SimpleMetaFactory.Interpret` of apimachinery `pkg/runtime/serializer/json/meta.go`.
///
/// # Errors
/// If they are not, or the `apiVersion` has two slashes.
pub fn interpret(value: &Value) -> Result<(), Rejection> {
    let map = match value {
        Value::Null => return Ok(()),
        Value::Object(map) => map,
        other => {
            let kind = json::kind(other);
            return Err(Rejection::Decode(not_interpreted(&format!(
                "json: cannot unmarshal {kind} into Go value of type struct {{ APIVersion string \
                 \"json:\\\"apiVersion,omitempty\\\"\"; Kind string \"json:\\\"kind,omitempty\\\"\" }}"
            ))));
        }
    };
    let mut api_version = "";
    // Upstream: both fields are read regardless of the case of their keys.
    for (key, value) in map {
        let name = match key.len() {
            4 if key.eq_ignore_ascii_case("kind") => "kind",
            10 if key.eq_ignore_ascii_case("apiVersion") => "apiVersion",
            _ => continue,
        };
        match value {
            Value::String(text) if name == "apiVersion" => api_version = text,
            Value::String(_) | Value::Null => {}
            other => {
                let kind = json::kind(other);
                return Err(Rejection::Decode(not_interpreted(&format!(
                    "json: cannot unmarshal {kind} into Go struct field .{name} of type string"
                ))));
            }
        }
    }
    parse_group_version(api_version).map(drop).map_err(Rejection::Decode)
}

/// Checks that a decoded value is an object with a `kind`. The error message quotes `body`.
///
/// # Errors
/// If it is not an object, has no `kind`, or one of `kind` and `apiVersion` is not a string.
pub fn check_kind(value: &Value, body: &[u8]) -> Result<(), Rejection> {
    interpret(value)?;
    match value.get("kind").and_then(Value::as_str) {
        None | Some("") => {
            let body = String::from_utf8_lossy(body);
            Err(Rejection::Decode(format!("Object 'Kind' is missing in '{body}'")))
        }
        Some(_) => Ok(()),
    }
}

/// Checks that a decoded object is of the schema's version. The server checks this after it has coerced the object.
///
/// # Errors
/// If it is of another group, version or kind, or its `apiVersion` is not one.
pub fn check_version(schema: &CompiledSchema, object: &Value) -> Result<(), Rejection> {
    let api_version = object.get("apiVersion").and_then(Value::as_str).unwrap_or_default();
    if schema.is_api_version(api_version) {
        return Ok(());
    }
    let resource = schema.resource();
    let (group, version) = parse_group_version(api_version).map_err(Rejection::Decode)?;
    if (group, version) != (resource.group.as_str(), resource.version.as_str()) {
        // Upstream prints the parsed version, which has no slash if its group is empty. Source: `GroupVersion.String`.
        let found = if group.is_empty() { version } else { api_version };
        return Err(Rejection::Decode(format!(
            "the API version in the data ({found}) does not match the expected API version ({})",
            resource.api_version()
        )));
    }
    Ok(())
}

fn not_interpreted(text: &str) -> String {
    format!("couldn't get version/kind; json parse error: {text}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_upper_bound_is_at_least_the_size() {
        for (value, want) in [
            (json!(null), 5),
            (json!(false), 5),
            (json!(-1.5e-300), 32),
            (json!("ab"), 14),
            (json!([]), 2),
            (json!([true, "a"]), 17),
            (json!({}), 2),
            (json!({"a": null, "bc": "<"}), 41),
            (json!({"a": [{"b": 1}]}), 59),
        ] {
            assert_eq!(most_bytes(&value), want, "{value}");
            assert!(json::to_go_string(&value).len() <= want, "{value}");
        }
    }

    #[test]
    fn a_body_may_have_the_limit_and_not_a_byte_more() {
        let around = r#"{"a":""}"#.len();
        let object = |bytes: usize| json!({"a": "x".repeat(bytes - around)});
        assert!(!is_too_large(&object(MAX_BODY_BYTES / 2)));
        assert!(!is_too_large(&object(MAX_BODY_BYTES)));
        assert!(is_too_large(&object(MAX_BODY_BYTES + 1)));
    }
}
