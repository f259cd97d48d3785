//! Strategic merge patch, which merges lists of objects by a key and has directives: `$patch`, `$retainKeys`,
//! `$setElementOrder` and `$deleteFromPrimitiveList`.
//!
//! Source: `k8s.io/apimachinery/pkg/util/strategicpatch/patch.go`.

mod malformed;
mod order;
#[cfg(test)]
mod tests;
mod types;

use std::mem;

use serde_json::{Map, Value};

pub(super) use self::malformed::Malformed;
use self::malformed::{ElementType, as_map, element_type};
pub(super) use self::types::Type;
use self::types::{FieldType, Merging};
use crate::json::go_type;

const DIRECTIVE: &str = "$patch";
const RETAIN_KEYS: &str = "$retainKeys";
const SET_ELEMENT_ORDER: &str = "$setElementOrder";
const DELETE_FROM_LIST: &str = "$deleteFromPrimitiveList";

/// Returns the object with the patch merged into it.
///
/// # Errors
/// Returns an error if a directive is malformed or contradicts the patch, or if a list cannot be merged.
pub(super) fn merge(type_: Type, object: &Value, patch: &Value) -> Result<Value, Malformed> {
    let map = |value: &Value| value.as_object().cloned().unwrap_or_default();
    merge_maps(type_, map(object), map(patch)).map(Value::Object)
}

/// Returns the object with the patch merged into it. Recursion follows the patch, whose depth
/// [`MAX_DEPTH`](crate::json::MAX_DEPTH) bounds.
///
/// Source: `mergeMap`.
fn merge_maps(
    type_: Type,
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
    set_element_orders(type_, &mut original, &mut patch)?;
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
        let merged = match (original.get_mut(&key).map(mem::take), change) {
            (Some(Value::Object(original)), Value::Object(change)) => {
                let field = type_.field(&key)?;
                Some(match field.merging {
                    Merging::Replace => change.into(),
                    _ => merge_maps(field.type_, original, change)?.into(),
                })
            }
            (Some(Value::Array(original)), Value::Array(change)) => {
                Some(merge_lists(type_.list(&key)?, original, change, is_deletion)?.into())
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
    type_: Type,
    original: &mut Map<String, Value>,
    patch: &mut Map<String, Value>,
) -> Result<(), Malformed> {
    let directives: Vec<String> =
        patch.keys().filter(|key| key.starts_with(SET_ELEMENT_ORDER)).cloned().collect();
    for directive in directives {
        let Some(order) = patch.remove(&directive) else { continue };
        let order = malformed::into_items(order)?;
        let name = named_list(&directive, SET_ELEMENT_ORDER).ok_or(Malformed::SetElementOrder)?;
        let before = original.get(name).cloned().map(malformed::into_items).transpose()?;
        let change = patch.get(name).cloned().map(malformed::into_items).transpose()?;
        let field = type_.list(name)?;
        let key = field.key;
        order::validate(change.as_deref().unwrap_or_default(), &order, key)?;
        let elements =
            [before.as_deref().unwrap_or_default(), change.as_deref().unwrap_or_default()];
        let elements = element_type(&elements);
        let server = before.clone().unwrap_or_default();
        let merged = match (before, change) {
            (None, None) => continue,
            (Some(before), None) => before,
            (None, Some(change)) => change.into_iter().filter_map(without_directives).collect(),
            (Some(before), Some(change)) => merge_lists(field, before, change, false)?,
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

/// Returns the list with the patch merged into it; the patch itself if the list is not merged. If `is_deletion`, the
/// patch lists the scalars to remove.
///
/// Source: `mergeSliceHandler`, `mergeSlice`.
fn merge_lists(
    list: FieldType,
    original: Vec<Value>,
    patch: Vec<Value>,
    is_deletion: bool,
) -> Result<Vec<Value>, Malformed> {
    if list.merging != Merging::Merge && !is_deletion {
        return Ok(patch);
    }
    let Some(elements) = element_type(&[&original, &patch])? else { return Ok(original) };
    let (merged, original, patch) = match (elements, list.key) {
        (ElementType::Scalar, _) if is_deletion => {
            let kept = original.into_iter().filter(|item| !patch.contains(item));
            return Ok(kept.collect());
        }
        (ElementType::Scalar, _) => {
            let all = original.iter().chain(&patch).cloned().collect();
            (order::without_duplicates(all), original, patch)
        }
        (ElementType::Object, None) => {
            return Err(Malformed::no_merge_key_of_list(list.type_.kind()));
        }
        (ElementType::Object, Some(key)) => {
            let (original, patch) = apply_directives(original, patch, key)?;
            (merge_items(list.type_, original.clone(), &patch, key)?, original, patch)
        }
    };
    let (in_patch, others) = order::partition(merged, &patch, list.key)?;
    order::normalize(in_patch, others, &patch, &original, list.key)
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
        let map = as_map(&item)?;
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
    type_: Type,
    mut original: Vec<Value>,
    patch: &[Value],
    key: &str,
) -> Result<Vec<Value>, Malformed> {
    for change in patch {
        let id = change.get(key).ok_or_else(|| Malformed::no_merge_key(change, key))?;
        match original.iter_mut().find(|item| item.get(key) == Some(id)) {
            Some(item) => {
                let (before, change) = (as_map(item)?.clone(), as_map(change)?.clone());
                *item = merge_maps(type_, before, change)?.into();
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
