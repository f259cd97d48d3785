//! `x-kubernetes-list-type`, `x-kubernetes-list-map-keys` and `x-kubernetes-map-type`.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{dump, search};
use crate::field::{Path, Shown, Sink};
use crate::model::{JsonSchemaProps, SchemaOrArray};

const LIST_TYPE: &str = "x-kubernetes-list-type";
const MAP_TYPE: &str = "x-kubernetes-map-type";
const MAP_KEYS: &str = "x-kubernetes-list-map-keys";

/// Checks the list type, its keys and the map type of a schema. `atomic_sets` enables the check
/// that the items of a set are atomic.
///
/// Source: `ValidateCustomResourceDefinitionOpenAPISchema`.
pub(super) fn check(
    props: &JsonSchemaProps,
    atomic_sets: bool,
    path: &Path<'_>,
    errors: &mut Sink,
) {
    check_map_type(props, path, errors);
    let Some(list_type) = props.x_list_type.as_deref() else {
        if has_map_keys(props) {
            let detail = "must be map if x-kubernetes-list-map-keys is non-empty";
            errors.required(&path.field(LIST_TYPE), detail);
        }
        return;
    };
    if props.type_ != "array" {
        let detail = "must be array if x-kubernetes-list-type is specified";
        wrong_type(props, path, detail, errors);
    } else if atomic_sets && list_type == "set" {
        check_set(props, path, errors);
    }
    if !matches!(list_type, "atomic" | "set" | "map") {
        let supported = ["atomic", "set", "map"];
        errors.not_supported(&path.field(LIST_TYPE), list_type, supported);
    }
    if list_type == "map" {
        check_map(props, path, errors);
    } else if has_map_keys(props) {
        let detail = "must be map if x-kubernetes-list-map-keys is non-empty";
        errors.invalid(&path.field(LIST_TYPE), list_type, detail);
    }
}

fn check_map_type(props: &JsonSchemaProps, path: &Path<'_>, errors: &mut Sink) {
    let Some(map_type) = props.x_map_type.as_deref() else { return };
    if props.type_ != "object" {
        let detail = "must be object if x-kubernetes-map-type is specified";
        wrong_type(props, path, detail, errors);
    }
    if !matches!(map_type, "atomic" | "granular") {
        let supported = ["atomic", "granular"];
        errors.not_supported(&path.field(MAP_TYPE), map_type, supported);
    }
}

fn wrong_type(props: &JsonSchemaProps, path: &Path<'_>, detail: &str, errors: &mut Sink) {
    let at = path.field("type");
    match props.type_.as_str() {
        "" => errors.required(&at, detail),
        type_ => errors.invalid(&at, type_, detail),
    }
}

/// Whether a schema is a set whose items are lists or objects that are not atomic.
///
/// Source: `hasNonAtomicSetType`.
pub(super) fn is_set_of_non_atomic_items(props: &JsonSchemaProps) -> bool {
    props.x_list_type.as_deref() == Some("set") && non_atomic_keyword(props).is_some()
}

/// Returns the keyword of `items` that must be `atomic` in a set, but is not.
fn non_atomic_keyword(props: &JsonSchemaProps) -> Option<&'static str> {
    let items = single_items(props)?;
    match items.type_.as_str() {
        "array" if !matches!(items.x_list_type.as_deref(), None | Some("atomic")) => {
            Some(LIST_TYPE)
        }
        "object" if items.x_map_type.as_deref() != Some("atomic") => Some(MAP_TYPE),
        _ => None,
    }
}

fn check_set(props: &JsonSchemaProps, path: &Path<'_>, errors: &mut Sink) {
    if let Some(keyword) = non_atomic_keyword(props) {
        // Upstream: the error shows the list type also for objects.
        let list_type = single_items(props).and_then(|items| items.x_list_type.as_deref());
        let shown = list_type.map_or(Shown::Json(&Value::Null), Shown::TypedText);
        let detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
        errors.invalid(&path.field("items").field(keyword), shown, detail);
    }
}

fn check_map(props: &JsonSchemaProps, path: &Path<'_>, errors: &mut Sink) {
    if !has_map_keys(props) {
        let detail = "must not be empty if x-kubernetes-list-type is map";
        errors.required(&path.field(MAP_KEYS), detail);
    }
    let at = path.field("items");
    let items = match &props.items {
        Some(SchemaOrArray::Schema(items)) => items,
        Some(items @ (SchemaOrArray::Array(_) | SchemaOrArray::Neither(_))) => {
            let detail = "must only have a single schema if x-kubernetes-list-type is map";
            errors.invalid(&at, Shown::Make(&|_| dump::items(items)), detail);
            return;
        }
        None => {
            let detail = "must have a schema if x-kubernetes-list-type is map";
            errors.required(&at, detail);
            return;
        }
    };
    let type_ = items.type_.as_str();
    if type_ != "object" {
        let detail = "must be object if parent array's x-kubernetes-list-type is map";
        errors.invalid(&at.field("type"), type_, detail);
        return;
    }
    let keys = props.x_list_map_keys.as_deref().unwrap_or_default();
    let mut seen = BTreeSet::new();
    for key in keys {
        match property(items, key) {
            Some(property) if matches!(property.type_.as_str(), "array" | "object") => {
                // Upstream: the error shows the type of the item, not that of the key.
                let path = at.field("properties");
                let path = path.key(key);
                let detail =
                    "must be a scalar type if parent array's x-kubernetes-list-type is map";
                errors.invalid(&path.field("type"), type_, detail);
            }
            Some(_) => {}
            None => {
                let detail = "entries must all be names of item properties";
                errors.invalid(&path.field(MAP_KEYS), Shown::Texts(keys), detail);
            }
        }
        if !seen.insert(key) {
            let detail = "must not contain duplicate entries";
            errors.invalid(&path.field(MAP_KEYS), Shown::Texts(keys), detail);
        }
    }
}

/// Checks that the items of a set or list map cannot be null, and that the keys of a list map are
/// required or have defaults and cannot be null.
///
/// Source: `validateMapListKeysMapSet`.
pub(super) fn check_map_keys(props: &JsonSchemaProps, path: &Path<'_>, errors: &mut Sink) {
    let Some(list_type @ ("set" | "map")) = props.x_list_type.as_deref() else { return };
    let Some(items) = single_items(props) else { return };
    let at = path.field("items");
    if items.nullable {
        let detail = format!("cannot be nullable when x-kubernetes-list-type is {list_type}");
        errors.forbidden(&at.field("nullable"), detail);
    }
    if list_type == "set" {
        return;
    }
    let required: BTreeSet<&String> = items.required.iter().flatten().collect();
    for key in props.x_list_map_keys.iter().flatten() {
        let Some(property) = property(items, key) else { continue };
        let path = at.field("properties");
        let path = path.key(key);
        if !required.contains(key) && !search::has_default(property) {
            let detail = "this property is in x-kubernetes-list-map-keys, so it must have a default \
                          or be a required property";
            errors.required(&path.field("default"), detail);
        }
        if property.nullable {
            let detail = "this property is in x-kubernetes-list-map-keys, so it cannot be nullable";
            errors.forbidden(&path.field("nullable"), detail);
        }
    }
}

fn has_map_keys(props: &JsonSchemaProps) -> bool {
    props.x_list_map_keys.as_ref().is_some_and(|keys| !keys.is_empty())
}

fn single_items(props: &JsonSchemaProps) -> Option<&JsonSchemaProps> {
    match &props.items {
        Some(SchemaOrArray::Schema(items)) => Some(items),
        Some(SchemaOrArray::Array(_) | SchemaOrArray::Neither(_)) | None => None,
    }
}

fn property<'a>(props: &'a JsonSchemaProps, name: &str) -> Option<&'a JsonSchemaProps> {
    props.properties.as_ref()?.get(name).map(|property| &**property)
}
