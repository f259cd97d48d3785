//! From a schema of a catalog back to the schema of a definition.
//!
//! Schemas of others are made by `openapi2jsonschema`, which closes objects and writes out integers or strings. Those of
//! [`super::of_version`] have more of JSON Schema, and say what they were made from.

use serde_json::{Map, Value, json};

use super::{DIALECT, EXCLUSIVE, KINDS, OWN, TYPE_FIELDS, metadata};
use crate::schemas::{self, OF_RESOURCES};

/// Undoes what was changed for JSON Schema. The depth is that of JSON, which is bounded.
pub(crate) fn reopen(root: &mut Value) {
    let is_own =
        root.get("$schema").is_some_and(|dialect| dialect == DIALECT) && root.get(KINDS).is_some();
    if let Some(map) = root.as_object_mut() {
        map.remove("$schema");
        map.remove("$defs");
        if is_own {
            forget_type_fields(map);
        }
    }
    schema(root, is_own);
}

fn schema(schema: &mut Value, is_own: bool) {
    let Some(map) = schema.as_object_mut() else { return };
    if map.get("additionalProperties") == Some(&Value::Bool(false)) {
        map.remove("additionalProperties");
    }
    if is_own {
        own_keywords(map);
    } else if map.get("oneOf") == Some(&json!([{"type": "string"}, {"type": "integer"}])) {
        map.remove("oneOf");
        map.insert("x-kubernetes-int-or-string".to_owned(), true.into());
    }
    if let Some(Value::Array(types)) = map.get("type")
        && let [Value::String(type_), Value::String(null)] = &types[..]
        && null == "null"
    {
        let type_ = type_.clone();
        map.insert("type".to_owned(), type_.into());
        if !is_own {
            map.insert("nullable".to_owned(), true.into());
        }
    }
    schemas::each_below(map, &mut |_, _, below| self::schema(below, is_own));
}

/// Undoes what only [`super::of_version`] does.
fn own_keywords(map: &mut Map<String, Value>) {
    if map.remove("if").is_some()
        && let Some(Value::Object(junctors)) = map.remove("then")
    {
        map.extend(junctors);
    }
    for (flag, bound) in EXCLUSIVE {
        if let Some(value) = map.remove(flag) {
            map.insert(bound.to_owned(), value);
            map.insert(flag.to_owned(), true.into());
        }
    }
    for (keyword, own) in OWN {
        if let Some(value) = map.remove(own) {
            map.insert(keyword.to_owned(), value);
        }
    }
    if map.get("format").is_some_and(|format| format == "int32") {
        // The bounds of the format, which the server knows.
        map.retain(|keyword, bound| match keyword.as_str() {
            "minimum" => *bound != json!(i32::MIN),
            "maximum" => *bound != json!(i32::MAX),
            _ => true,
        });
    }
    if map.contains_key("x-kubernetes-list-type") {
        map.remove("uniqueItems");
    }
    if let Some(Value::Array(members)) = map.get_mut("enum") {
        members.retain(|member| !member.is_null());
    }
    if map.get("x-kubernetes-int-or-string") == Some(&Value::Bool(true)) {
        map.remove("type");
    }
    if map.get("x-kubernetes-embedded-resource") == Some(&Value::Bool(true)) {
        forget_type_fields(map);
    }
}

/// Removes what every object has.
fn forget_type_fields(map: &mut Map<String, Value>) {
    if let Some(Value::Object(properties)) = map.get_mut("properties") {
        for field in TYPE_FIELDS {
            properties.remove(field);
        }
        if let Some(Value::Object(known)) = properties.get_mut("metadata") {
            metadata::forget(known);
            if known.is_empty() {
                properties.remove("metadata");
            }
        }
    }
    if let Some(Value::Array(required)) = map.get_mut("required") {
        required.retain(|name| !OF_RESOURCES.iter().any(|field| name == field));
    }
}
