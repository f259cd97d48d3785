//! JSON Merge Patch: RFC 7386.
//!
//! Source: `MergePatch` of `gopkg.in/evanphx/json-patch.v4`.

use serde_json::{Map, Value};

/// Returns the target with the patch merged into it; null removes a member.
///
/// Recursion follows the patch, whose depth [`MAX_DEPTH`](crate::json::MAX_DEPTH) bounds.
pub(super) fn merge(target: Value, patch: &Value) -> Value {
    let Value::Object(patch) = patch else { return patch.clone() };
    let mut merged = match target {
        Value::Object(map) => map,
        _ => Map::new(),
    };
    for (key, value) in patch {
        if value.is_null() {
            merged.remove(key);
            continue;
        }
        let before = merged.remove(key).unwrap_or(Value::Null);
        merged.insert(key.clone(), merge(before, value));
    }
    Value::Object(merged)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn cases_of_the_rfc() {
        for (target, patch, want) in [
            (json!({"a": "b"}), json!({"a": "c"}), json!({"a": "c"})),
            (json!({"a": "b"}), json!({"a": null}), json!({})),
            (json!({"a": ["b"]}), json!({"a": "c"}), json!({"a": "c"})),
            (
                json!({"a": {"b": "c"}}),
                json!({"a": {"b": "d", "c": null}}),
                json!({"a": {"b": "d"}}),
            ),
            (json!({"a": [{"b": "c"}]}), json!({"a": [1]}), json!({"a": [1]})),
            (json!({}), json!({"a": {"bb": {"ccc": null}}}), json!({"a": {"bb": {}}})),
        ] {
            assert_eq!(merge(target, &patch), want);
        }
    }
}
