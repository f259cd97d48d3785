//! JSON Merge Patch: RFC 7386, except that null is also removed from the objects in a list, unless the list replaces an
//! object.
//!
//! Source: `MergePatch` of `gopkg.in/evanphx/json-patch.v4`.

use serde_json::Value;

/// Returns the target with the patch merged into it; null removes a member.
///
/// Recursion follows the patch, whose depth [`MAX_DEPTH`](crate::json::MAX_DEPTH) bounds.
pub(super) fn merge(target: Value, patch: &Value) -> Value {
    let Value::Object(mut merged) = target else { return pruned(patch) };
    let Value::Object(patch) = patch else { return patch.clone() };
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

/// Returns a value without the members of its objects that are null. Source: `pruneNulls`.
pub(super) fn pruned(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let kept = map.iter().filter(|(_, value)| !value.is_null());
            Value::Object(kept.map(|(key, value)| (key.clone(), pruned(value))).collect())
        }
        Value::Array(list) => list.iter().map(pruned).collect::<Vec<_>>().into(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn null_removes_members() {
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
            // Two cases that the RFC does not list.
            (json!({"a": [1]}), json!({"a": [null, {"b": null}]}), json!({"a": [null, {}]})),
            (json!({"a": {}}), json!({"a": [{"b": null}]}), json!({"a": [{"b": null}]})),
        ] {
            assert_eq!(merge(target, &patch), want);
        }
    }
}
