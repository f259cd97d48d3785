//! Strategic merge patch, which merges lists of objects by a key and has directives: `$patch`, `$retainKeys`,
//! `$setElementOrder` and `$deleteFromPrimitiveList`.
//!
//! Source: `k8s.io/apimachinery/pkg/util/strategicpatch/patch.go`.

mod keys;
mod malformed;
mod order;

use std::mem;

use serde_json::{Map, Value};

use self::keys::{Merged, is_replaced, items, merged, property};
pub(super) use self::malformed::Malformed;
use self::malformed::{ElementType, element_type, objects};
use crate::json::go_type;
use crate::model::JsonSchemaProps;

const DIRECTIVE: &str = "$patch";
const RETAIN_KEYS: &str = "$retainKeys";
const SET_ELEMENT_ORDER: &str = "$setElementOrder";
const DELETE_FROM_LIST: &str = "$deleteFromPrimitiveList";

/// Returns the object with the patch merged into it.
///
/// # Errors
/// Returns an error if a directive is malformed or contradicts the patch, or if a list cannot be merged.
pub(super) fn merge(
    schema: &JsonSchemaProps,
    object: &Value,
    patch: &Value,
) -> Result<Value, Malformed> {
    let map = |value: &Value| value.as_object().cloned().unwrap_or_default();
    merge_maps(Some(schema), map(object), map(patch)).map(Value::Object)
}

/// Returns the object with the patch merged into it. Recursion follows the patch, whose depth
/// [`MAX_DEPTH`](crate::json::MAX_DEPTH) bounds.
///
/// Source: `mergeMap`.
fn merge_maps(
    schema: Option<&JsonSchemaProps>,
    mut original: Map<String, Value>,
    mut patch: Map<String, Value>,
) -> Result<Map<String, Value>, Malformed> {
    match patch.get(DIRECTIVE) {
        None => {}
        Some(directive) if directive == "replace" => {
            patch.remove(DIRECTIVE);
            return Ok(patch);
        }
        Some(directive) if directive == "delete" => return Ok(Map::new()),
        Some(directive) => return Err(Malformed::unknown_directive(directive, &patch)),
    }
    retain_keys(&mut original, &mut patch)?;
    set_element_orders(schema, &mut original, &mut patch)?;
    for (mut key, change) in patch {
        let is_deletion = key.starts_with(DELETE_FROM_LIST);
        if is_deletion {
            key = match named_list(&key, DELETE_FROM_LIST).ok_or(Malformed::PrimitiveList)? {
                // Upstream: without a name after the slash, the directive itself is the name of the field.
                "" => key,
                named => named.to_owned(),
            };
        }
        if change.is_null() {
            original.remove(&key);
            continue;
        }
        let below = property(schema, &key);
        let merged = match (original.get_mut(&key).map(mem::take), change) {
            (Some(Value::Object(_)), Value::Object(change)) if is_replaced(&key, schema) => {
                Some(change.into())
            }
            (Some(Value::Object(original)), Value::Object(change)) => {
                Some(merge_maps(below, original, change)?.into())
            }
            (Some(Value::Array(original)), Value::Array(change)) => {
                let merged = merged(&key, below);
                Some(merge_lists(below, merged, original, change, is_deletion)?.into())
            }
            (Some(original), change) if is_deletion && go_type(&original) != go_type(&change) => {
                Some(original)
            }
            (None, _) if is_deletion => None,
            (_, change) => without_directives(without_nulls(change)),
        };
        match merged {
            Some(merged) => {
                original.insert(key, merged);
            }
            None => {
                original.remove(&key);
            }
        }
    }
    Ok(original)
}

/// Removes the fields that the directive `$retainKeys` does not list.
///
/// Source: `applyRetainKeysDirective`.
fn retain_keys(
    original: &mut Map<String, Value>,
    patch: &mut Map<String, Value>,
) -> Result<(), Malformed> {
    let Some(retained) = patch.remove(RETAIN_KEYS) else { return Ok(()) };
    let Value::Array(retained) = retained else { return Err(Malformed::RetainKeys) };
    let is_retained = |key: &str| retained.iter().any(|retained| retained == key);
    let is_directive =
        |key: &str| key.starts_with(DELETE_FROM_LIST) || key.starts_with(SET_ELEMENT_ORDER);
    if patch.iter().any(|(key, value)| !value.is_null() && !is_directive(key) && !is_retained(key))
    {
        return Err(Malformed::RetainKeys);
    }
    original.retain(|key, _| is_retained(key));
    Ok(())
}

/// Merges the lists for which the patch sets an order (`$setElementOrder/<field>`), in that order. The lists and their
/// orders are removed from the patch.
///
/// Source: `mergePatchIntoOriginal`.
fn set_element_orders(
    schema: Option<&JsonSchemaProps>,
    original: &mut Map<String, Value>,
    patch: &mut Map<String, Value>,
) -> Result<(), Malformed> {
    let directives: Vec<String> =
        patch.keys().filter(|key| key.starts_with(SET_ELEMENT_ORDER)).cloned().collect();
    for directive in directives {
        let Some(order) = patch.remove(&directive) else { continue };
        let order = malformed::list(order)?;
        let name = named_list(&directive, SET_ELEMENT_ORDER).ok_or(Malformed::SetElementOrder)?;
        let before = original.get(name).cloned().map(malformed::list).transpose()?;
        let change = patch.get(name).cloned().map(malformed::list).transpose()?;
        let below = property(schema, name);
        let merged = merged(name, below);
        let key = merged.and_then(|merged| merged.key);
        order::validate(change.as_deref().unwrap_or_default(), &order, key)?;
        let elements =
            [before.as_deref().unwrap_or_default(), change.as_deref().unwrap_or_default()];
        let elements = element_type(&elements);
        let server = before.clone().unwrap_or_default();
        let merged = match (before, change) {
            (None, None) => continue,
            (Some(before), None) => before,
            (None, Some(change)) => change.into_iter().filter_map(without_directives).collect(),
            (Some(before), Some(change)) => merge_lists(below, merged, before, change, false)?,
        };
        let (in_order, others) = order::partition(merged, &order, key)?;
        elements?.ok_or(Malformed::NoElements)?;
        let list = order::normalize(in_order, others, &order, &server, key)?;
        original.insert(name.to_owned(), list.into());
        patch.remove(name);
    }
    Ok(())
}

/// Returns the list that a directive names, as `finalizers` in `$deleteFromPrimitiveList/finalizers`; `None` if it
/// names none.
///
/// Source: `extractKey`.
fn named_list<'d>(directive: &'d str, prefix: &str) -> Option<&'d str> {
    directive.split_once('/').filter(|(before, _)| *before == prefix).map(|(_, name)| name)
}

/// Returns the list with the patch merged into it; the patch itself if `merged` is `None`. If `is_deletion`, the patch
/// lists the scalars to remove.
///
/// Source: `mergeSliceHandler`, `mergeSlice`.
fn merge_lists(
    schema: Option<&JsonSchemaProps>,
    merged: Option<Merged<'_>>,
    original: Vec<Value>,
    patch: Vec<Value>,
    is_deletion: bool,
) -> Result<Vec<Value>, Malformed> {
    let Some(Merged { key }) = merged.or(is_deletion.then_some(Merged { key: None })) else {
        return Ok(patch);
    };
    let Some(elements) = element_type(&[&original, &patch])? else { return Ok(original) };
    let (merged, original, patch) = match (elements, key) {
        (ElementType::Scalar, _) if is_deletion => {
            let kept = original.into_iter().filter(|item| !patch.contains(item));
            return Ok(kept.collect());
        }
        (ElementType::Scalar, _) => {
            let all = original.iter().chain(&patch).cloned().collect();
            (order::without_duplicates(all), original, patch)
        }
        (ElementType::Object, None) => return Err(Malformed::NoMergeKeyOfList),
        (ElementType::Object, Some(key)) => {
            let (original, patch) = apply_directives(original, patch, key)?;
            (merge_items(schema, original.clone(), &patch, key)?, original, patch)
        }
    };
    let (in_patch, others) = order::partition(merged, &patch, key)?;
    order::normalize(in_patch, others, &patch, &original, key)
}

/// Returns the original without the items that the patch deletes, and the patch without directives.
///
/// Source: `mergeSliceWithSpecialElements`.
fn apply_directives(
    mut original: Vec<Value>,
    patch: Vec<Value>,
    key: &str,
) -> Result<(Vec<Value>, Vec<Value>), Malformed> {
    let mut changes = Vec::new();
    let mut is_replaced = false;
    for item in patch {
        let map = objects(&item)?;
        match map.get(DIRECTIVE) {
            None => changes.push(item),
            Some(directive) if directive == "delete" => {
                let id = map.get(key).ok_or_else(|| Malformed::no_merge_key(&item, key))?;
                original.retain(|item| item.get(key) != Some(id));
            }
            Some(directive) if directive == "replace" => is_replaced = true,
            Some(directive) if directive == "merge" => return Err(Malformed::MergedList),
            Some(directive) => return Err(Malformed::unknown_directive(directive, map)),
        }
    }
    // Upstream: the patch becomes the original, and nothing is left to merge into it.
    Ok(if is_replaced { (changes, Vec::new()) } else { (original, changes) })
}

/// Merges each item of the patch into the item with the same key, or appends it.
///
/// Source: `mergeSliceWithoutSpecialElements`.
fn merge_items(
    schema: Option<&JsonSchemaProps>,
    mut original: Vec<Value>,
    patch: &[Value],
    key: &str,
) -> Result<Vec<Value>, Malformed> {
    for change in patch {
        let id = change.get(key).ok_or_else(|| Malformed::no_merge_key(change, key))?;
        match original.iter_mut().find(|item| item.get(key) == Some(id)) {
            Some(item) => {
                let (before, change) = (objects(item)?.clone(), objects(change)?.clone());
                *item = merge_maps(items(schema), before, change)?.into();
            }
            None => original.push(change.clone()),
        }
    }
    Ok(original)
}

/// Returns a value without the objects that have the directive `$patch`; `None` if it is such an object.
///
/// Source: `removeDirectives`.
fn without_directives(value: Value) -> Option<Value> {
    match value {
        Value::Object(map) if map.contains_key(DIRECTIVE) => None,
        Value::Object(map) => {
            let kept =
                map.into_iter().filter_map(|(key, value)| Some((key, without_directives(value)?)));
            Some(Value::Object(kept.collect()))
        }
        Value::Array(items) => {
            Some(items.into_iter().filter_map(without_directives).collect::<Vec<_>>().into())
        }
        scalar => Some(scalar),
    }
}

/// Returns a value without the fields that are null.
///
/// Source: `discardNullValuesFromPatch`.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let kept = map.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(kept.map(|(key, value)| (key, without_nulls(value))).collect())
        }
        Value::Array(items) => items.into_iter().map(without_nulls).collect::<Vec<_>>().into(),
        scalar => scalar,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::apiserver::catalog::KINDS;

    fn merged(kind: &str, object: &Value, patch: &Value) -> Result<Value, String> {
        let kind = KINDS.iter().find(|found| found.names.kind == kind).expect("a kind");
        merge(&kind.schema(), object, patch).map_err(|malformed| malformed.to_string())
    }

    #[track_caller]
    fn check(kind: &str, object: &Value, patch: &Value, want: &Value) {
        assert_eq!(merged(kind, object, patch).as_ref(), Ok(want));
    }

    fn pod(spec: &Value) -> Value {
        json!({"spec": spec})
    }

    #[test]
    fn lists_are_merged_by_their_keys() {
        let object = pod(&json!({"containers": [
            {"name": "a", "image": "1", "env": [{"name": "X", "value": "1"}]}, {"name": "b", "image": "1"},
        ], "tolerations": [{"key": "t"}]}));
        check(
            "Pod",
            &object,
            &pod(&json!({"containers": [
                {"name": "b", "image": "2"}, {"name": "c"}, {"name": "a", "env": [{"name": "Y"}]},
            ], "tolerations": []})),
            &pod(&json!({"containers": [
                {"name": "b", "image": "2"}, {"name": "c"},
                {"name": "a", "image": "1", "env": [{"name": "Y"}, {"name": "X", "value": "1"}]},
            ], "tolerations": []})),
        );
        check(
            "Pod",
            &object,
            &pod(&json!({"containers": [{"$patch": "delete", "name": "a"}], "tolerations": null})),
            &pod(&json!({"containers": [{"name": "b", "image": "1"}]})),
        );
        check(
            "Pod",
            &object,
            &pod(
                &json!({"containers": [{"name": "c"}, {"$patch": "replace"}], "tolerations": null}),
            ),
            &pod(&json!({"containers": [{"name": "c"}]})),
        );
    }

    /// Each item of the server is put before the first item of the patch that follows it on the server.
    #[test]
    fn items_of_the_server_are_put_among_those_of_the_patch() {
        let names = |names: &[&str]| -> Value {
            names.iter().map(|name| json!({"name": name})).collect::<Vec<_>>().into()
        };
        let object = pod(&json!({"containers": names(&["a", "b", "c", "d"])}));
        for (patch, order, want) in [
            (&["d", "b"][..], None, &["a", "c", "d", "b"][..]),
            (&["b", "d"], None, &["a", "b", "c", "d"]),
            (&["e"], None, &["e", "a", "b", "c", "d"]),
            (&["e"], Some(&["c", "e", "a"][..]), &["b", "c", "e", "a", "d"]),
            (&[], Some(&["d", "c", "b", "a"]), &["d", "c", "b", "a"]),
        ] {
            let mut patch = json!({"containers": names(patch)});
            if let Some(order) = order {
                patch["$setElementOrder/containers"] = names(order);
            }
            check("Pod", &object, &pod(&patch), &pod(&json!({"containers": names(want)})));
        }
    }

    #[test]
    fn scalars_are_merged_where_the_type_says_so() {
        let object = json!({"metadata": {"finalizers": ["a", "b"]}, "spec": {"finalizers": ["a"]}});
        check(
            "Namespace",
            &object,
            &json!({"metadata": {"finalizers": ["c", "b"]}, "spec": {"finalizers": ["b"]}}),
            &json!({"metadata": {"finalizers": ["c", "a", "b"]}, "spec": {"finalizers": ["b"]}}),
        );
        check(
            "Namespace",
            &object,
            &json!({"metadata": {"$setElementOrder/finalizers": ["b", "a"]}}),
            &json!({"metadata": {"finalizers": ["b", "a"]}, "spec": {"finalizers": ["a"]}}),
        );
        check(
            "Namespace",
            &object,
            &json!({"metadata": {"finalizers": ["c"], "$deleteFromPrimitiveList/finalizers": ["a"]}}),
            &json!({"metadata": {"finalizers": ["c", "b"]}, "spec": {"finalizers": ["a"]}}),
        );
    }

    #[test]
    fn objects_with_directives() {
        let object = json!({"spec": {"strategy": {"type": "R", "x": 1}, "selector": {"matchLabels": {"a": "b"}}}});
        check(
            "Deployment",
            &object,
            &json!({"spec": {"strategy": {"$retainKeys": ["type"], "type": "S"}, "selector": null}}),
            &json!({"spec": {"strategy": {"type": "S"}}}),
        );
        check(
            "Deployment",
            &object,
            &json!({"spec": {"$patch": "replace", "replicas": 1}}),
            &json!({"spec": {"replicas": 1}}),
        );
        check("Deployment", &object, &json!({"spec": {"$patch": "delete"}}), &json!({"spec": {}}));
        let selector = json!({"spec": {"selector": {"matchLabels": {"c": "d"}}}});
        check(
            "PodDisruptionBudget",
            &object,
            &selector,
            &json!({"spec": {
                "strategy": {"type": "R", "x": 1}, "selector": {"matchLabels": {"c": "d"}},
            }}),
        );
    }

    #[test]
    fn new_fields_have_no_nulls_and_no_directives() {
        check(
            "Deployment",
            &json!({"metadata": {}}),
            &json!({"spec": {"a": null, "b": [{"c": null}, {"$patch": "delete", "d": 1}], "e": {"$patch": "merge"}}}),
            &json!({"metadata": {}, "spec": {"b": [{}]}}),
        );
    }

    #[test]
    fn malformed_patches() {
        let object = json!({
            "metadata": {"finalizers": ["a"]},
            "spec": {"containers": [{"name": "a"}], "strategy": {"type": "R"}},
        });
        for (patch, want) in [
            (json!({"$patch": "x"}), "unknown patch type: x in map: map[$patch:x]"),
            (
                pod(&json!({"containers": [{"image": "b"}]})),
                "map: map[image:b] does not contain declared merge key: name",
            ),
            (
                pod(&json!({"containers": [{"$patch": "merge"}]})),
                "merging lists cannot yet be specified in the patch",
            ),
            (
                pod(&json!({"containers": [{"name": "a"}, "b"]})),
                "list element types are not identical: [[map[name:a]] [map[name:a] b]]",
            ),
            (
                pod(&json!({"containers": [[]]})),
                "list element types are not identical: [[map[name:a]] [[]]]",
            ),
            (
                pod(&json!({"$setElementOrder/containers": {}})),
                "expected a []interface {}, but received a map[string]interface {}",
            ),
            (pod(&json!({"$setElementOrder": []})), "invalid patch format of setElementOrder list"),
            (
                json!({"metadata": {"finalizers": ["b", "a"], "$setElementOrder/finalizers": ["a", "b"]}}),
                "The order in patch list:\n[b a]\n doesn't match $setElementOrder list:\n[a b]\n",
            ),
            (
                json!({"metadata": {"$deleteFromPrimitiveList": ["a"]}}),
                "invalid patch format of primitive list",
            ),
            (
                pod(&json!({"strategy": {"$retainKeys": ["type"], "type": "S", "x": 1}})),
                "invalid patch format of retainKeys",
            ),
        ] {
            assert_eq!(merged("Pod", &object, &patch), Err(want.to_owned()), "{patch}");
        }
    }

    /// The exceptions of [`keys`], and some lists that are merged by their list type.
    #[test]
    fn the_types_say_which_lists_are_merged() {
        for (kind, pointer, want) in [
            ("Pod", "spec containers", Some("name")),
            ("Pod", "spec containers [] ports", Some("containerPort")),
            ("Pod", "spec containers [] resources claims", None),
            ("Pod", "spec topologySpreadConstraints", Some("topologyKey")),
            ("Pod", "spec tolerations", None),
            ("Pod", "status hostIPs", Some("ip")),
            ("Pod", "metadata ownerReferences", Some("uid")),
            ("Job", "status conditions", Some("type")),
            ("Deployment", "status conditions", Some("type")),
            ("Service", "spec ports", Some("port")),
            ("NetworkPolicy", "spec ingress [] ports", None),
            ("ServiceAccount", "secrets", Some("name")),
            ("ServiceAccount", "imagePullSecrets", None),
        ] {
            let kind_of = KINDS.iter().find(|found| found.names.kind == kind).expect("a kind");
            let root = kind_of.schema();
            let mut at = Some(&*root);
            for step in pointer.split(' ') {
                at = if step == "[]" { items(at) } else { property(at, step) };
            }
            assert!(at.is_some(), "{kind} {pointer}");
            let name = pointer.rsplit(' ').next().unwrap_or_default();
            assert_eq!(
                keys::merged(name, at).and_then(|merged| merged.key),
                want,
                "{kind} {pointer}"
            );
        }
    }
}
