//! Strategic merge patch, which merges lists of objects by a key.
//!
//! The merge key of a list is the first of its `x-kubernetes-list-map-keys`. A table contains the merge keys of lists
//! that declare several keys, that are merged by another key, or that declare none.
//!
//! Source: `k8s.io/apimachinery/pkg/util/strategicpatch/patch.go`; `patchMergeKey` in `k8s.io/api`.

use serde_json::{Map, Value};

use crate::model::{JsonSchemaProps, SchemaOrArray, SchemaOrBool};

/// The merge keys of lists that declare several keys, that are merged by another key, or that declare none, by the name
/// of the field.
const KEYS: [(&str, &str); 7] = [
    ("conditions", "type"),
    ("ports", "containerPort"),
    ("volumeMounts", "mountPath"),
    ("volumeDevices", "devicePath"),
    ("ownerReferences", "uid"),
    ("hostAliases", "ip"),
    ("topologySpreadConstraints", "topologyKey"),
];
/// Lists of strings that are merged.
const SETS: [&str; 1] = ["finalizers"];

/// The error of an invalid patch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Malformed;

/// Returns the object with the patch merged into it.
pub(super) fn merge(
    schema: &JsonSchemaProps,
    object: &Value,
    patch: &Value,
) -> Result<Value, Malformed> {
    value(Some(schema), Some(object), patch)
}

/// Recursion follows the patch, whose depth [`MAX_DEPTH`](crate::json::MAX_DEPTH) bounds.
fn value(
    schema: Option<&JsonSchemaProps>,
    before: Option<&Value>,
    patch: &Value,
) -> Result<Value, Malformed> {
    let Value::Object(patch) = patch else { return Ok(patch.clone()) };
    let empty = Map::new();
    let mut out = match patch.get("$patch").and_then(Value::as_str) {
        Some("replace") => return Ok(without_directives(patch)),
        Some("delete") => return Ok(Value::Object(Map::new())),
        Some("merge") | None => before.and_then(Value::as_object).unwrap_or(&empty).clone(),
        Some(_) => return Err(Malformed),
    };
    for (key, change) in patch.iter().filter(|(key, _)| !key.starts_with('$')) {
        let below = field(schema, key);
        if change.is_null() {
            out.remove(key);
        } else if let Value::Array(items) = change {
            let before = out.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
            let merged = list(key, below, &before, items)?;
            out.insert(key.clone(), merged.into());
        } else {
            let merged = value(below, out.get(key), change)?;
            out.insert(key.clone(), merged);
        }
    }
    for (directive, removed) in patch {
        if let Some(key) = directive.strip_prefix("$deleteFromPrimitiveList/")
            && let (Some(Value::Array(list)), Value::Array(removed)) = (out.get_mut(key), removed)
        {
            list.retain(|item| !removed.contains(item));
        }
    }
    if let Some(Value::Array(kept)) = patch.get("$retainKeys") {
        out.retain(|key, _| kept.iter().any(|kept| kept == key));
    }
    Ok(Value::Object(out))
}

fn list(
    name: &str,
    schema: Option<&JsonSchemaProps>,
    before: &[Value],
    patch: &[Value],
) -> Result<Vec<Value>, Malformed> {
    if SETS.contains(&name) {
        let mut out = before.to_vec();
        out.extend(patch.iter().filter(|item| !before.contains(item)).cloned());
        return Ok(out);
    }
    let Some(key) = merge_key(name, schema) else { return Ok(patch.to_vec()) };
    if patch.iter().any(|item| item.get("$patch").is_some_and(|it| it == "replace")) {
        let kept = patch.iter().filter(|item| item.get("$patch").is_none());
        return Ok(kept.cloned().collect());
    }
    let items = match schema.and_then(|schema| schema.items.as_ref()) {
        Some(SchemaOrArray::Schema(items)) => Some(&**items),
        _ => None,
    };
    let mut out = before.to_vec();
    for change in patch {
        let id = change.get(&key).ok_or(Malformed)?;
        let at = out.iter().position(|item| item.get(&key) == Some(id));
        match (change.get("$patch").and_then(Value::as_str), at) {
            (Some("delete"), Some(at)) => {
                out.remove(at);
            }
            (Some("delete"), None) => {}
            (_, Some(at)) => out[at] = value(items, Some(&out[at]), change)?,
            (_, None) => out.push(value(items, None, change)?),
        }
    }
    Ok(out)
}

fn merge_key(name: &str, schema: Option<&JsonSchemaProps>) -> Option<String> {
    let declared = schema.and_then(|schema| schema.x_list_map_keys.as_ref()?.first().cloned());
    let known = KEYS.iter().find(|(known, _)| *known == name).map(|(_, key)| (*key).to_owned());
    match (known, declared) {
        // The ports of a service are merged by another key than those of a container.
        (Some(known), Some(declared)) if name == "ports" && declared != known => Some(declared),
        (Some(known), _) if has_property(schema, &known) => Some(known),
        (_, declared) => declared,
    }
}

fn has_property(list: Option<&JsonSchemaProps>, key: &str) -> bool {
    let Some(SchemaOrArray::Schema(items)) = list.and_then(|list| list.items.as_ref()) else {
        return true;
    };
    items.properties.as_ref().is_none_or(|properties| properties.contains_key(key))
}

fn field<'a>(schema: Option<&'a JsonSchemaProps>, name: &str) -> Option<&'a JsonSchemaProps> {
    let schema = schema?;
    if let Some(property) = schema.properties.as_ref().and_then(|properties| properties.get(name)) {
        return Some(property);
    }
    match &schema.additional_properties {
        Some(SchemaOrBool::Schema(values)) => Some(values),
        _ => None,
    }
}

fn without_directives(map: &Map<String, Value>) -> Value {
    let kept = map.iter().filter(|(key, _)| !key.starts_with('$'));
    Value::Object(kept.map(|(key, value)| (key.clone(), value.clone())).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::apiserver::builtin::KINDS;

    #[track_caller]
    fn check(kind: &str, object: &Value, patch: &Value, want: &Value) {
        let kind = KINDS.iter().find(|found| found.names.kind == kind).expect("a kind");
        assert_eq!(merge(&kind.schema(), object, patch).as_ref(), Ok(want));
    }

    #[test]
    fn lists_are_merged_by_their_keys() {
        let pod = json!({"spec": {"containers": [
            {"name": "a", "image": "1", "env": [{"name": "X", "value": "1"}]}, {"name": "b", "image": "1"},
        ], "tolerations": [{"key": "t"}]}});
        check(
            "Pod",
            &pod,
            &json!({"spec": {"containers": [
                {"name": "b", "image": "2"}, {"name": "c"}, {"name": "a", "env": [{"name": "Y"}]},
            ], "tolerations": []}}),
            &json!({"spec": {"containers": [
                {"name": "a", "image": "1", "env": [{"name": "X", "value": "1"}, {"name": "Y"}]},
                {"name": "b", "image": "2"}, {"name": "c"},
            ], "tolerations": []}}),
        );
        check(
            "Pod",
            &pod,
            &json!({"spec": {"containers": [{"$patch": "delete", "name": "a"}], "tolerations": null}}),
            &json!({"spec": {"containers": [{"name": "b", "image": "1"}]}}),
        );
    }

    #[test]
    fn directives() {
        let object = json!({"metadata": {"finalizers": ["a", "b"]}, "spec": {"strategy": {"type": "R", "x": 1}}});
        check(
            "Deployment",
            &object,
            &json!({"metadata": {"finalizers": ["c"], "$deleteFromPrimitiveList/finalizers": ["a"]}}),
            &json!({"metadata": {"finalizers": ["b", "c"]}, "spec": {"strategy": {"type": "R", "x": 1}}}),
        );
        check(
            "Deployment",
            &object,
            &json!({"spec": {"strategy": {"$retainKeys": ["type"], "type": "S"}}}),
            &json!({"metadata": {"finalizers": ["a", "b"]}, "spec": {"strategy": {"type": "S"}}}),
        );
        check(
            "Deployment",
            &object,
            &json!({"spec": {"$patch": "replace", "replicas": 1}}),
            &json!({"metadata": {"finalizers": ["a", "b"]}, "spec": {"replicas": 1}}),
        );
    }
}
