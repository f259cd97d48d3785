//! Finds required fields that an object of a built-in kind does not have.

use serde_json::Value;

use super::{GoType, NamedType};
use crate::field::{Error, ErrorList, Path};

/// The deepest nesting of types that is searched. No built-in kind nests as deep, except for the schemas of
/// definitions, which are not in the table.
const MAX_DEPTH: usize = 64;

/// Returns an error for each field that the published schema requires and the object does not have, with the server's
/// message. The status is not searched, because only the server writes it.
pub fn missing(type_: &'static NamedType, object: &Value, minor: u32) -> ErrorList {
    let mut errors = ErrorList::default();
    for field in type_.fields(minor).filter(|field| field.name != "status") {
        if let Some(value) = object.get(field.name) {
            search(&field.type_, value, minor, &Path::new(field.name), MAX_DEPTH, &mut errors);
        } else if field.is_required {
            errors.push(Error::required(&Path::new(field.name), ""));
        }
    }
    errors
}

fn search(
    type_: &'static GoType,
    value: &Value,
    minor: u32,
    path: &Path<'_>,
    depth: usize,
    errors: &mut ErrorList,
) {
    if depth == 0 {
        return;
    }
    match (type_.plain(), value) {
        (GoType::Named(named), Value::Object(map)) => {
            for field in named.fields(minor) {
                let path = path.field(field.name);
                match map.get(field.name) {
                    Some(value) if !value.is_null() => {
                        search(&field.type_, value, minor, &path, depth - 1, errors);
                    }
                    _ if field.is_required => {
                        errors.push(Error::required(&path, ""));
                    }
                    _ => {}
                }
            }
        }
        (GoType::List(items), Value::Array(list)) => {
            for (index, item) in list.iter().enumerate() {
                search(items, item, minor, &path.index(index), depth - 1, errors);
            }
        }
        (GoType::Map(_, values), Value::Object(map)) => {
            for (key, value) in map {
                search(values, value, minor, &path.key(key), depth - 1, errors);
            }
        }
        _ => {}
    }
}
