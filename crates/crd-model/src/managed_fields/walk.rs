//! Walks over an object, its type and a set of paths, and extracts the fields at the paths.
//!
//! Source: structured-merge-diff `typed/remove.go`, `removeItemsWithSchema` with `shouldExtract`;
//! `typed/helpers.go`, `listItemToPathElement`.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::Error;
use super::element::Element;
use super::field_set::{FieldSet, FieldSetNode};
use super::granularity::{FieldDeclared, Ownership, PlaceType};
use super::items::key_of;

/// Returns the fields of a whole object that are in the set.
pub(super) fn extract(
    object: &Value,
    ty: PlaceType<'_>,
    set: &FieldSet,
) -> Result<Map<String, Value>, Error> {
    match below("", object, ty, set)? {
        Some(Value::Object(extracted)) => Ok(extracted),
        _ => Ok(Map::new()),
    }
}

/// Returns the part of a value that a node of the set names.
fn at(
    path: &str,
    value: &Value,
    ty: PlaceType<'_>,
    node: &FieldSetNode,
) -> Result<Option<Value>, Error> {
    if !node.is_leaf() {
        return below(path, value, ty, &node.children);
    }
    // The parts have owners of their own, so a manager that owns only the value itself has applied it empty.
    Ok(Some(match (ty.ownership(value), value) {
        (Ownership::Whole, _) => value.clone(),
        (_, Value::Array(_)) => Value::Array(Vec::new()),
        _ => Value::Object(Map::new()),
    }))
}

/// Returns the part of a value that the paths below it name; `None` if there is none.
fn below(
    path: &str,
    value: &Value,
    ty: PlaceType<'_>,
    set: &FieldSet,
) -> Result<Option<Value>, Error> {
    match (ty.ownership(value), value) {
        (Ownership::Fields, Value::Object(fields)) => {
            let mut extracted = Map::new();
            for (name, value) in fields {
                let Some(node) = set.get(&Element::Field(name.clone())) else { continue };
                let path = format!("{path}.{name}");
                if let Some(value) = at(&path, value, ty.field(name).ty, node)? {
                    extracted.insert(name.clone(), value);
                }
            }
            Ok((!extracted.is_empty() || fields.is_empty()).then_some(Value::Object(extracted)))
        }
        (Ownership::Set(items), Value::Array(list)) => {
            let owned = with_elements(path, list, None, items)?;
            let items = owned.into_iter().filter_map(|(element, item)| {
                // The item is a scalar, or it is owned as a whole.
                set.get(&element).map(|_| item.clone())
            });
            Ok(list_of(list, items.collect()))
        }
        (Ownership::Map(keys, items), Value::Array(list)) => {
            let mut extracted = Vec::new();
            for (element, item) in with_elements(path, list, Some(keys), items)? {
                let Some(node) = set.get(&element) else { continue };
                let mut part = at(&format!("{path}{element}"), item, items, node)?
                    .unwrap_or_else(|| Value::Object(Map::new()));
                for key in keys {
                    if let (Some(part), Some(value)) = (part.as_object_mut(), item.get(key)) {
                        part.entry(key).or_insert_with(|| value.clone());
                    }
                }
                extracted.push(part);
            }
            Ok(list_of(list, extracted))
        }
        // The type has become atomic after the paths were written: a manager of a part owns the whole value.
        // Source: `typed/reconcile_schema.go`, `ReconcileFieldSetWithSchema`.
        _ => Ok(Some(value.clone())),
    }
}

/// Returns the extracted items as a list; `None` if there are none, unless the object's list is empty too.
fn list_of(list: &[Value], extracted: Vec<Value>) -> Option<Value> {
    (list.is_empty() || !extracted.is_empty()).then_some(Value::Array(extracted))
}

/// Returns the items of a list with their path elements: by their keys in a `map` list, else by their values.
fn with_elements<'a>(
    path: &str,
    list: &'a [Value],
    keys: Option<&[String]>,
    items: PlaceType<'_>,
) -> Result<Vec<(Element, &'a Value)>, Error> {
    let mut seen = BTreeSet::new();
    let mut with_elements = Vec::with_capacity(list.len());
    for (index, item) in list.iter().enumerate() {
        let element = match keys {
            None => Element::item(item),
            Some(keys) => key_of(item, keys, items)
                .map_err(|why| Error::list(path, format!("item {index} {why}")))?,
        };
        if !seen.insert(element.clone()) {
            return Err(Error::list(path, format!("{element} occurs twice")));
        }
        with_elements.push((element, item));
    }
    Ok(with_elements)
}

/// Checks that each owned field is in the object or in the schema.
///
/// Upstream ignores other fields, and the extracted configuration lacks them. A field that is in the schema alone is
/// harmless: an owned `null` that was pruned, or an empty list that a typed object leaves out.
pub(super) fn check_declared(
    object: &Value,
    ty: PlaceType<'_>,
    set: &FieldSet,
) -> Result<(), Error> {
    let mut fields = Vec::new();
    undeclared("", Some(object), ty, set, &mut fields);
    if fields.is_empty() { Ok(()) } else { Err(Error::Undeclared { fields }) }
}

fn undeclared(
    path: &str,
    value: Option<&Value>,
    ty: PlaceType<'_>,
    set: &FieldSet,
    into: &mut Vec<String>,
) {
    for (element, node) in set.nodes() {
        // An item that is not in the object has been removed with its fields; only the fields of existing items are
        // checked.
        let Element::Field(name) = element else { continue };
        let path = format!("{path}.{name}");
        let member = ty.field(name);
        let inner = value.and_then(|value| value.get(name));
        match inner {
            None if member.declared == FieldDeclared::Not => into.push(path),
            None => undeclared(&path, None, member.ty, &node.children, into),
            Some(inner) => {
                undeclared(&path, Some(inner), member.ty, &node.children, into);
                undeclared_in_items(&path, inner, member.ty, &node.children, into);
            }
        }
    }
}

fn undeclared_in_items(
    path: &str,
    list: &Value,
    ty: PlaceType<'_>,
    set: &FieldSet,
    into: &mut Vec<String>,
) {
    let (Ownership::Map(keys, items), Some(list)) = (ty.ownership(list), list.as_array()) else {
        return;
    };
    for item in list {
        let Ok(element) = key_of(item, keys, items) else { continue };
        if let Some(node) = set.get(&element) {
            undeclared(&format!("{path}{element}"), Some(item), items, &node.children, into);
        }
    }
}
