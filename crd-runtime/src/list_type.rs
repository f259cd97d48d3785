//! Which elements of sets and maps stand in their list twice.
//!
//! Each list costs time in its length, whatever it holds.
//!
//! Source: `pkg/apiserver/schema/listtype/validation.go` of apiextensions-apiserver.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use serde_json::{Map, Value};

use crate::compiled::{Additional, CompiledSchema, ListType, Node};
use crate::field::{BadValue, Error, ErrorList, Path};
use crate::json::{self, Num};

/// Checks `x-kubernetes-list-type` `set` and `map` everywhere in an object.
///
/// Of a value that stands in a list more than once, the second place is reported, and only that one.
/// Values of a type that the schema does not expect are passed over.
///
/// Source: `ValidateListSetsAndMaps`.
pub fn validate(schema: &CompiledSchema, object: &Value) -> ErrorList {
    let mut errors = ErrorList::new();
    walk(schema, schema.root(), object, &Path::ROOT, &mut errors);
    errors
}

/// Recursion follows the schema, which is finite.
fn walk(
    schema: &CompiledSchema,
    node: &Node,
    value: &Value,
    path: &Path<'_>,
    errors: &mut ErrorList,
) {
    if !node.has_unique_lists {
        return;
    }
    match value {
        Value::Object(map) => {
            // Upstream: additional properties are checked for every key, declared ones included.
            if let Additional::Schema(id) = node.additional {
                for (key, value) in map {
                    walk(schema, &schema[id], value, &path.key(key), errors);
                }
            }
            for (name, id) in node.properties_at(&node.unique) {
                if let Some(value) = map.get(name) {
                    walk(schema, &schema[id], value, &path.field(name), errors);
                }
            }
        }
        // Upstream: a list at the root is no object, and not looked at.
        Value::Array(items) if !path.is_root() => {
            match &node.list_type {
                ListType::Set => validate_set(items, path, errors),
                ListType::Map(keys) => validate_map(items, keys, path, errors),
                ListType::Unset | ListType::Atomic => {}
            }
            if let Some(id) = node.items {
                let node = &schema[id];
                for (index, item) in items.iter().enumerate() {
                    walk(schema, node, item, &path.index(index), errors);
                }
            }
        }
        _ => {}
    }
}

/// Up to how many elements of a set are compared each with each: hashing costs more.
const PAIRED_ELEMENTS: usize = 12;

/// As [`PAIRED_ELEMENTS`], of a map, whose keys must be found first.
const PAIRED_OBJECTS: usize = 6;

/// Whether no two elements are alike, as far as `differ` can tell.
fn all_differ(items: &[Value], differ: impl Fn(&Value, &Value) -> bool) -> bool {
    items
        .iter()
        .enumerate()
        .all(|(index, item)| items.iter().take(index).all(|earlier| differ(item, earlier)))
}

/// Whether two values are different for sure.
fn scalars_differ(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::String(a), Value::String(b)) => a != b,
        (Value::Number(a), Value::Number(b)) => match (a.as_i64(), b.as_i64()) {
            (Some(a), Some(b)) => a != b,
            _ => false,
        },
        _ => false,
    }
}

fn validate_set(items: &[Value], path: &Path<'_>, errors: &mut ErrorList) {
    if items.len() <= PAIRED_ELEMENTS && all_differ(items, scalars_differ) {
        return;
    }
    for_each_repeated(items.iter().map(Identity::of), |index, _| {
        let value = items.get(index).cloned().unwrap_or_default();
        errors.push(Error::duplicate(&path.index(index), BadValue::Value(value)));
    });
}

fn validate_map(items: &[Value], keys: &[Box<str>], path: &Path<'_>, errors: &mut ErrorList) {
    let odd = items.iter().position(|item| !matches!(item, Value::Null | Value::Object(_)));
    if let Some(index) = odd {
        let value = items.get(index).cloned().unwrap_or_default();
        let detail = "must be an object for an array of list-type map";
        errors.push(Error::invalid(&path.index(index), BadValue::Value(value), detail));
        return;
    }
    let differ = |a: &Value, b: &Value| {
        let (Value::Object(a), Value::Object(b)) = (a, b) else { return false };
        let differs = |key: &str| match (a.get(key), b.get(key)) {
            (Some(a), Some(b)) => scalars_differ(a, b),
            _ => false,
        };
        keys.iter().any(|key| differs(key))
    };
    if items.len() <= PAIRED_OBJECTS && all_differ(items, differ) {
        return;
    }
    match keys {
        [key] => {
            // Upstream: no key and a null element are alike, and differ from a null key.
            let identities = items
                .iter()
                .map(|item| item.get(&**key).map_or(Identity::Unspecified, Identity::of));
            for_each_repeated(identities, |index, _| {
                let mut bad = Map::new();
                if let Some(value) = items.get(index).and_then(|item| item.get(&**key)) {
                    bad.insert(String::from(&**key), value.clone());
                }
                errors.push(Error::duplicate(&path.index(index), Value::Object(bad)));
            });
        }
        keys => {
            let mut sorted: Vec<&str> = keys.iter().map(|key| &**key).collect();
            sorted.sort_unstable();
            sorted.dedup();
            let identities = items.iter().map(|item| Identity::Compound(keys_json(item, &sorted)));
            for_each_repeated(identities, |index, identity| {
                let Identity::Compound(text) = identity else { return };
                errors.push(Error::duplicate(&path.index(index), BadValue::Json(text)));
            });
        }
    }
}

/// The keys of an element that are present, as JSON; what is compared is also what is shown.
fn keys_json(item: &Value, sorted: &[&str]) -> String {
    let mut out = String::from("{");
    for key in sorted {
        if let Some(value) = item.get(*key) {
            if out.len() > 1 {
                out.push(',');
            }
            json::write_string(&mut out, key);
            out.push(':');
            out.push_str(&json::to_go_string(value));
        }
    }
    out.push('}');
    out
}

/// What makes elements equal: Go compares scalars as typed values, and the rest as JSON.
#[derive(PartialEq, Eq, Hash, Clone)]
enum Identity<'a> {
    Unspecified,
    Null,
    Bool(bool),
    Int(i64),
    /// The bits, with one zero.
    Float(u64),
    Text(&'a str),
    Compound(String),
}

impl<'a> Identity<'a> {
    fn of(value: &'a Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(b) => Self::Bool(*b),
            Value::Number(number) => match Num::of(number) {
                Num::Int(int) => Self::Int(int),
                Num::Float(float) => Self::Float((float + 0.0).to_bits()),
            },
            Value::String(text) => Self::Text(text),
            Value::Array(_) | Value::Object(_) => Self::Compound(json::to_go_string(value)),
        }
    }
}

/// Calls back at the second place of each element that stands there more than once.
fn for_each_repeated<'a>(
    identities: impl ExactSizeIterator<Item = Identity<'a>>,
    mut found: impl FnMut(usize, Identity<'a>),
) {
    if identities.len() <= 1 {
        return;
    }
    // The value says whether the second place was already reported.
    let mut seen = HashMap::with_capacity(identities.len());
    for (index, identity) in identities.enumerate() {
        match seen.entry(identity) {
            Entry::Vacant(entry) => {
                entry.insert(false);
            }
            Entry::Occupied(mut entry) => {
                if !entry.insert(true) {
                    found(index, entry.key().clone());
                }
            }
        }
    }
}
