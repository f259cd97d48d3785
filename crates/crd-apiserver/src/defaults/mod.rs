//! The defaults that the server sets in objects of built-in kinds, before it tracks the ownership of fields.
//!
//! Most defaults are rows of a table ([`rows`]), keyed by the type that has the field, so that a pod template has the
//! same defaults in every kind. Some come from the published schemas ([`super::go_types::GoField::default`]). Those
//! that depend on other values are set by [`functions`]. The defaults of a struct are set before those of the structs
//! in it, as `defaulter-gen` orders them.
//!
//! Source: `pkg/apis/core/v1/defaults.go` of kubernetes/kubernetes, and the files of this name of other groups.

mod functions;
mod pods;
mod rows;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::go_types::{GoType, NamedType};
use super::metadata::is_unset;
use rows::{ROWS, Row};

static BY_TYPE: LazyLock<HashMap<&'static str, Vec<&'static Row>>> = LazyLock::new(|| {
    let mut rows: HashMap<&'static str, Vec<&'static Row>> = HashMap::new();
    for row in ROWS {
        rows.entry(row.type_).or_default().push(row);
    }
    rows
});

/// Sets the defaults of a decoded object.
pub(super) fn set(type_: &'static NamedType, object: &mut Value, minor: u32) {
    if let Value::Object(map) = object {
        set_struct(type_, map, minor);
    }
}

/// Sets the defaults of a struct, and then those of the structs in it. Recursion follows the types, which do not
/// contain themselves.
fn set_struct(type_: &'static NamedType, map: &mut Map<String, Value>, minor: u32) {
    for row in BY_TYPE.get(type_.name).into_iter().flatten() {
        row.set(map, minor);
    }
    functions::set(type_.name, map, minor);
    for field in type_.fields(minor) {
        if let Some(default) = &field.default {
            let is_pointer = matches!(field.type_, GoType::Pointer(_));
            // Zero values are published as defaults, too. They change nothing unless the field is a pointer.
            let is_zero =
                *default == field.type_.zero(minor) || *default == Value::Object(Map::new());
            if is_unset(map.get(field.name)) && (is_pointer || !is_zero) {
                map.insert(field.name.to_owned(), default.clone());
            }
        }
        if let Some(value) = map.get_mut(field.name) {
            set_value(field.type_.plain(), value, minor);
        }
    }
}

fn set_value(type_: &'static GoType, value: &mut Value, minor: u32) {
    match (type_, value) {
        (GoType::Named(named), Value::Object(map)) => set_struct(named, map, minor),
        (GoType::List(items), Value::Array(list)) => {
            let items = items.plain();
            for item in list {
                set_value(items, item, minor);
            }
        }
        (GoType::Map(_, values), Value::Object(map)) => {
            let values = values.plain();
            for value in map.values_mut() {
                set_value(values, value, minor);
            }
        }
        _ => {}
    }
}

/// Returns the objects in the list under a key; none if there is no list.
fn objects<'a>(
    map: &'a mut Map<String, Value>,
    key: &str,
) -> impl Iterator<Item = &'a mut Map<String, Value>> {
    let list = map.get_mut(key).and_then(Value::as_array_mut);
    list.into_iter().flatten().filter_map(Value::as_object_mut)
}
