//! Reads fields of metadata.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use crate::go_types::time::Time;

/// Returns the group and the version of an `apiVersion`. The group of `v1` is empty.
///
/// # Errors
/// If the text has more than one slash, with the server's text.
pub fn parse_group_version(text: &str) -> Result<(&str, &str), String> {
    match split_at_slash(text) {
        _ if text.is_empty() || text == "/" => Ok(("", "")),
        None => Ok(("", text)),
        Some((_, version)) if version.contains('/') => {
            Err(format!("unexpected GroupVersion string: {text}"))
        }
        Some(parts) => Ok(parts),
    }
}

/// The text before and after the first slash.
///
/// PERF: for a short text such as an `apiVersion`, a loop takes less time than the standard library's search.
pub fn split_at_slash(text: &str) -> Option<(&str, &str)> {
    let at = text.bytes().position(|byte| byte == b'/')?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

/// An element of a list of structs, as Go decodes it: `null` is an empty one.
pub(super) fn as_struct(value: &Value) -> Option<&Map<String, Value>> {
    static EMPTY: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);
    match value {
        Value::Object(map) => Some(map),
        Value::Null => Some(&EMPTY),
        _ => None,
    }
}

/// A string field, empty if absent.
pub fn text<'a>(map: &'a Map<String, Value>, key: &str) -> &'a str {
    map.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// The elements of a list of strings.
pub fn strings<'a>(
    map: &'a Map<String, Value>,
    key: &str,
) -> impl Iterator<Item = &'a str> + use<'a> {
    map.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// The generation, 0 if absent.
pub fn generation(metadata: &Map<String, Value>) -> i64 {
    metadata.get("generation").and_then(Value::as_i64).unwrap_or_default()
}

/// The keys and values of a map; none if it is absent.
pub(super) fn entries<'a>(
    map: &'a Map<String, Value>,
    key: &str,
) -> impl Iterator<Item = (&'a String, &'a Value)> + use<'a> {
    map.get(key).and_then(Value::as_object).into_iter().flatten()
}

/// A time that is set and not zero.
pub(super) fn time(map: &Map<String, Value>, key: &str) -> Option<Time> {
    Time::parse(map.get(key)?.as_str()?).ok().filter(|time| !time.is_zero())
}
