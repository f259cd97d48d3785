//! Lists over JSON: concatenation by the declared list type, and the keys of their elements.
//!
//! Source: `k8s.io/apiserver/pkg/cel/common/valuesunstructured.go`, `unstructuredList`,
//! `unstructuredSetList`, `unstructuredMapList`.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::Value as Json;

use super::list::{Item, Joined};
use super::merged::{self, Merged};
use super::raw::ScalarKey;
use super::{List, Map, Value, convert};
use crate::budget::Budget;
use crate::decl::{Decl, DeclKind, ListType};
use crate::error::EvalError;
use crate::escape::escape;
use crate::minors::Change;

/// From this number of keys on, Go compares the keys of a `map` list by their text.
/// Source: `unstructuredMapList.toMapKey`.
const PRINTED_KEYS: usize = 4;

/// Ends the evaluation if Go cannot use an element of a set, or a key of an element of a `map` list,
/// as the key of a map.
pub(super) fn hashable(item: &Item<'_>) -> Result<(), EvalError> {
    let ty = match item {
        Item::Json(Json::Object(_)) | Item::Value(Value::Map(_)) => "map[string]interface {}",
        Item::Json(Json::Array(_)) | Item::Value(Value::List(_)) => "[]interface {}",
        Item::Value(Value::Bytes(_)) => "[]uint8",
        _ => return Ok(()),
    };
    Err(EvalError::internal(&format_args!("runtime error: hash of unhashable type {ty}")))
}

/// The keys of an element of a `map` list, as Go compares them.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) enum ElementKey<'a> {
    Values(Vec<ScalarKey<'a>>),
    Printed(String),
}

pub(super) fn list_type(decl: &Decl) -> &ListType {
    match &decl.kind {
        DeclKind::List { list_type, element: _ } => list_type,
        _ => &ListType::Atomic,
    }
}

/// `a + b`.
///
/// # Errors
/// If elements of a declared list cannot be compared, or the memory limit is exceeded.
pub(crate) fn add<'a>(
    budget: &mut Budget,
    a: &List<'a>,
    b: &List<'a>,
) -> Result<Value<'a>, EvalError> {
    if let List::Merged(merged) = a {
        allocate_values(budget, a, b)?;
        return Ok(Value::List(List::Merged(Arc::new(merged.add(b)?))));
    }
    let Some(decl) = a.declared() else {
        if a.is_empty() || b.is_empty() {
            return Ok(Value::List(if a.is_empty() { b } else { a }.clone()));
        }
        allocate_values(budget, a, b)?;
        // Upstream: a concatenated list reads its elements only when they are used, so an element that
        // is an error is kept.
        return Ok(Value::List(List::of(a.iter().chain(b.iter()).collect())));
    };
    if budget.steps.server_has(Change::ListsAddValues) {
        allocate_values(budget, a, b)?;
        return add_values(a, decl, b);
    }
    budget.allocate((a.len() as u64 + b.len() as u64) * size_of::<Item<'_>>() as u64)?;
    let mut items = a.items();
    match list_type(decl) {
        ListType::Atomic | ListType::Invalid(_) => {
            for element in b.iter() {
                items.push(element.map_or(Item::Wrong, Item::Value));
            }
        }
        ListType::Set => {
            let added: Vec<Item<'a>> =
                b.iter().map(|element| element.map_or(Item::Wrong, Item::Value)).collect();
            items.iter().try_for_each(hashable)?;
            let mut set: HashSet<ScalarKey<'_>> = items.iter().filter_map(Item::key).collect();
            let mut fresh = Vec::new();
            for element in &added {
                hashable(element)?;
                if element.key().is_none_or(|key| set.insert(key)) {
                    fresh.push(element.clone());
                }
            }
            drop(set);
            items.extend(fresh);
        }
        ListType::Map(keys) => {
            let keys = escaped(keys);
            let mut indices = HashMap::new();
            for (index, item) in items.iter().enumerate() {
                if let Some(object) = item.object() {
                    indices.insert(element_key(object, &keys)?, index);
                }
            }
            for element in b.iter() {
                let Ok(element) = element else {
                    items.push(Item::Wrong);
                    continue;
                };
                let index = match json_members(&element) {
                    Some(object) => indices.get(&element_key(object, &keys)?),
                    None => None,
                };
                match index.and_then(|index| items.get_mut(*index)) {
                    Some(item) => *item = Item::Value(element),
                    None => items.push(Item::Value(element)),
                }
            }
        }
    }
    Ok(Value::List(List::Joined(Arc::new(Joined { items, decl }))))
}

fn allocate_values(budget: &mut Budget, a: &List<'_>, b: &List<'_>) -> Result<(), EvalError> {
    budget.allocate((a.len() as u64 + b.len() as u64) * size_of::<Value<'_>>() as u64)
}

/// `a + b` of a declared list, as a list of CEL values.
///
/// # Errors
/// If an element of a set is a list or a map.
fn add_values<'a>(a: &List<'a>, decl: &Decl, b: &List<'a>) -> Result<Value<'a>, EvalError> {
    let merged = match list_type(decl) {
        ListType::Atomic | ListType::Invalid(_) => {
            return Ok(Value::List(List::of(a.iter().chain(b.iter()).collect())));
        }
        ListType::Set => Merged::union(a.iter().collect(), b.iter())?,
        ListType::Map(keys) => {
            Merged::merge(a.iter().collect(), b.iter(), merged::identifiers(keys))
        }
    };
    Ok(Value::List(List::Merged(Arc::new(merged))))
}

/// The names of the keys of a `map` list, escaped.
///
/// Upstream: the keys are looked up under their escaped names in raw JSON, so a key that needs
/// escaping is never found.
pub(super) fn escaped(keys: &[Arc<str>]) -> Vec<String> {
    keys.iter().map(|key| escape(key).map_or_else(|| key.to_string(), Into::into)).collect()
}

/// The keys of an element of a `map` list; null for a key that it does not have.
///
/// # Errors
/// If Go cannot use the value of a key as the key of a map. Keys that are compared by their text have no
/// such error.
pub(super) fn element_key<'a>(
    object: &'a serde_json::Map<String, Json>,
    keys: &[String],
) -> Result<ElementKey<'a>, EvalError> {
    let values = keys.iter().map(|key| object.get(key).unwrap_or(&Json::Null));
    if keys.len() < PRINTED_KEYS {
        let key = |value: &'a Json| {
            hashable(&Item::Json(value))?;
            Ok(ScalarKey::of_json(value).unwrap_or(ScalarKey::Null))
        };
        return values.map(key).collect::<Result<_, _>>().map(ElementKey::Values);
    }
    let mut text = String::new();
    for value in values {
        let _ = match value {
            Json::Null => write!(text, "<nil> "),
            Json::String(s) => write!(text, "{s} "),
            other => write!(text, "{} ", convert::raw(other)),
        };
    }
    Ok(ElementKey::Printed(text))
}

/// The JSON object of a map over JSON.
pub(super) fn json_members<'a>(value: &Value<'a>) -> Option<&'a serde_json::Map<String, Json>> {
    match value {
        Value::Map(Map::Object { entries, .. } | Map::Json { entries, .. } | Map::Raw(entries)) => {
            Some(entries)
        }
        _ => None,
    }
}

impl<'a> Item<'a> {
    pub(super) fn key(&self) -> Option<ScalarKey<'_>> {
        match self {
            Self::Json(json) => ScalarKey::of_json(json),
            Self::Value(value) => ScalarKey::of_value(value),
            Self::Wrong => None,
        }
    }

    pub(super) fn object(&self) -> Option<&'a serde_json::Map<String, Json>> {
        match self {
            Self::Json(Json::Object(object)) => Some(object),
            Self::Json(_) | Self::Wrong => None,
            Self::Value(value) => json_members(value),
        }
    }

    pub(super) fn value<'d>(&self, decl: &'d Decl) -> Result<Value<'d>, EvalError>
    where
        'a: 'd,
    {
        match (self, decl.element()) {
            (Self::Json(json), Some(element)) => convert::typed(json, element),
            (Self::Value(value), Some(element)) => convert::retyped(value, element),
            (Self::Json(json), None) => Ok(convert::raw(json)),
            (Self::Value(value), None) => Ok(value.clone()),
            (Self::Wrong, Some(element)) => Err(convert::wrong(element)),
            (Self::Wrong, None) => Ok(Value::Null),
        }
    }
}
