//! Hides the values of Secrets in what is printed, as `kubectl diff` does: the logs of a failed test are often public.

use serde_json::{Map, Value};

/// The text in place of a value.
const HIDDEN: &str = "***";
/// The annotation in which `kubectl apply` keeps the whole object.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Returns an object without the values of Secrets.
pub(super) fn object(object: &Value) -> Value {
    let mut object = object.clone();
    if is_secret(&object) {
        hide(&mut object);
    }
    object
}

/// Returns whether a value is a Secret or a list of Secrets.
fn is_secret(value: &Value) -> bool {
    value.get("kind").is_some_and(|kind| kind == "Secret" || kind == "SecretList")
}

/// Hides the values in a Secret, in a list of Secrets, or in a patch of a Secret.
pub(super) fn hide(value: &mut Value) {
    match value {
        // The operations of a JSON patch, or the items of a list.
        Value::Array(list) => {
            for entry in list {
                if let Some(value) = entry.get_mut("value") {
                    *value = HIDDEN.into();
                }
                hide(entry);
            }
        }
        Value::Object(map) => {
            for key in ["data", "stringData"] {
                for value in values(map, key) {
                    *value = HIDDEN.into();
                }
            }
            let annotations =
                map.get_mut("metadata").and_then(|metadata| metadata.get_mut("annotations"));
            if let Some(applied) = annotations.and_then(|it| it.get_mut(LAST_APPLIED)) {
                *applied = HIDDEN.into();
            }
            if let Some(items) = map.get_mut("items") {
                hide(items);
            }
        }
        _ => {}
    }
}

/// Hides the values of two states of a Secret, so that those which differ still do.
pub(super) fn hide_changes(before: &mut Value, after: &mut Value) {
    if !(is_secret(before) || is_secret(after)) {
        return;
    }
    let (old, new) = (before.clone(), after.clone());
    hide(before);
    hide(after);
    for key in ["data", "stringData"] {
        for (value, mark, own, other) in
            [(&mut *before, "before", &old, &new), (&mut *after, "after", &new, &old)]
        {
            let Value::Object(map) = value else { continue };
            let Some(Value::Object(map)) = map.get_mut(key) else { continue };
            for (name, value) in map {
                let at = |object: &Value| object.get(key).and_then(|data| data.get(name)).cloned();
                if at(own) != at(other) {
                    *value = format!("{HIDDEN} ({mark})").into();
                }
            }
        }
    }
}

fn values<'a>(map: &'a mut Map<String, Value>, key: &str) -> impl Iterator<Item = &'a mut Value> {
    let values = map.get_mut(key).and_then(Value::as_object_mut);
    values.into_iter().flat_map(|values| values.values_mut())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_of_secrets_are_hidden() {
        let secret =
            json!({"kind": "Secret", "data": {"a": "eA=="}, "stringData": {"b": "x"}, "type": "t"});
        let want = json!({"kind": "Secret", "data": {"a": "***"}, "stringData": {"b": "***"}, "type": "t"});
        assert_eq!(object(&secret), want);
        let list = json!({"kind": "SecretList", "items": [{"data": {"a": "eA=="}}]});
        assert_eq!(object(&list), json!({"kind": "SecretList", "items": [{"data": {"a": "***"}}]}));
        let map = json!({"kind": "ConfigMap", "data": {"a": "b"}});
        assert_eq!(object(&map), map);
        let mut patch = json!([{"op": "add", "path": "/data/a", "value": "eA=="}]);
        hide(&mut patch);
        assert_eq!(patch, json!([{"op": "add", "path": "/data/a", "value": "***"}]));
        let annotated = |text: &str| json!({"kind": "Secret", "metadata": {"annotations": {LAST_APPLIED: text}}});
        assert_eq!(object(&annotated("{}")), annotated("***"));
    }

    #[test]
    fn changed_values_still_differ() {
        let secret = |a: &str| json!({"kind": "Secret", "data": {"a": a, "same": "x"}});
        let (mut before, mut after) = (secret("1"), secret("2"));
        hide_changes(&mut before, &mut after);
        let hidden = |a: &str| json!({"kind": "Secret", "data": {"a": a, "same": "***"}});
        assert_eq!((before, after), (hidden("*** (before)"), hidden("*** (after)")));
    }
}
