//! Decodes objects of built-in kinds as Go's decoder does: reports unknown fields, and values of the wrong type.
//!
//! Only the top-level fields of an object and its metadata are checked; deeper fields are stored as they are written.
//!
//! Source: `sigs.k8s.io/json`.

use serde_json::Value;

use crate::field::Sink;
use crate::model::{JsonSchemaProps, SchemaOrBool};
use crate::object_meta;

/// The Go type of a field, as far as it is checked.
enum GoType<'a> {
    /// A scalar: the name of its Go type, and a predicate for the JSON values of that type.
    Scalar(&'a str, fn(&Value) -> bool),
    /// `map[string]string`
    Texts,
    /// `map[string][]byte`
    Bytes,
    Other,
}

impl GoType<'_> {
    fn of(schema: &JsonSchemaProps, kind: &str) -> Self {
        match (schema.type_.as_str(), schema.format.as_str()) {
            ("string", _) if kind == "Secret" => Self::Scalar("v1.SecretType", Value::is_string),
            ("string", "") => Self::Scalar("string", Value::is_string),
            ("boolean", _) => Self::Scalar("bool", Value::is_boolean),
            ("object", _) => match &schema.additional_properties {
                Some(SchemaOrBool::Schema(items)) if items.type_ == "string" => {
                    if items.format == "byte" { Self::Bytes } else { Self::Texts }
                }
                _ => Self::Other,
            },
            _ => Self::Other,
        }
    }
}

/// Removes the fields of an object that its kind does not have, and returns the messages of strict field validation, in
/// the order of the fields.
///
/// # Errors
/// Returns the message of Go's decoder if a value is of the wrong type.
pub(super) fn decode(
    kind: &str,
    schema: &JsonSchemaProps,
    object: &mut Value,
) -> Result<Vec<String>, String> {
    let Value::Object(map) = object else { return Ok(Vec::new()) };
    let properties = schema.properties.as_ref();
    let (mut strict, mut first) = (Vec::new(), None);
    let mut dropped = Vec::new();
    for (key, value) in map.iter_mut() {
        let schema = properties.and_then(|properties| properties.get(key));
        match (key.as_str(), schema) {
            ("apiVersion" | "kind", _) => {}
            ("metadata", _) => strict.extend(normalized(value, kind)?),
            (_, None) => {
                strict.push(format!("unknown field \"{key}\""));
                dropped.push(key.clone());
            }
            (_, Some(schema)) => {
                let type_ = GoType::of(schema, kind);
                if value.is_null() && !matches!(type_, GoType::Other) {
                    dropped.push(key.clone());
                } else if let Some((found, type_)) = mismatch(&type_, value) {
                    first.get_or_insert_with(|| {
                        format!(
                            "json: cannot unmarshal {found} into Go struct field {kind}.{key} of type {type_}"
                        )
                    });
                }
            }
        }
    }
    if let Some(first) = first {
        return Err(first);
    }
    for key in dropped {
        map.remove(&key);
    }
    Ok(strict)
}

/// Does what [`decode`] does, but only for the metadata of an object.
///
/// # Errors
/// Returns the errors of [`decode`].
pub(super) fn metadata(object: &mut Value, kind: &str) -> Result<Vec<String>, String> {
    object.get_mut("metadata").map_or_else(|| Ok(Vec::new()), |metadata| normalized(metadata, kind))
}

fn normalized(metadata: &mut Value, kind: &str) -> Result<Vec<String>, String> {
    object_meta::check_typed(metadata, kind)?;
    let mut found = Sink::new();
    object_meta::normalize(metadata, || "metadata".to_owned(), Some(&mut found))?;
    let unknown = std::mem::take(found.unknown_fields());
    Ok(unknown.into_iter().map(|path| format!("unknown field \"{path}\"")).collect())
}

/// Returns the JSON type of the value that does not match, and the Go type that is expected. Null strings in a map are
/// replaced by `""`, the zero value.
fn mismatch<'t>(type_: &GoType<'t>, value: &mut Value) -> Option<(&'static str, &'t str)> {
    let (whole, part) = match type_ {
        GoType::Other => return None,
        GoType::Scalar(name, is_of_type) => {
            return (!is_of_type(value)).then(|| (object_meta::json_kind(value), *name));
        }
        GoType::Texts => ("map[string]string", "string"),
        GoType::Bytes => ("map[string][]uint8", "[]uint8"),
    };
    let Value::Object(map) = value else {
        return Some((object_meta::json_kind(value), whole));
    };
    for item in map.values_mut() {
        if item.is_null() && part == "string" {
            *item = "".into();
        }
    }
    let wrong = map.values().find(|item| !matches!(item, Value::String(_) | Value::Null))?;
    Some((object_meta::json_kind(wrong), part))
}
