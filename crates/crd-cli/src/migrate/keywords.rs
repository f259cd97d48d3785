//! Keywords of schemas as keys of `#[crd(..)]`.

use serde_json::Value;

use super::keys::{Key, literal};
use super::{json, rule};

/// What a keyword becomes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Keyword {
    Keys(Vec<Key>),
    /// No key says it, so that it is merged into the schema.
    Patch,
    /// The server does not have the keyword, and drops it.
    Unknown,
}

/// Returns the keys for a keyword with its value.
pub(super) fn convert(name: &str, value: &Value) -> Keyword {
    key(name, value).map_or_else(
        || {
            if KEYWORDS.contains(&name) { Keyword::Patch } else { Keyword::Unknown }
        },
        Keyword::Keys,
    )
}

/// The keywords that the server has.
const KEYWORDS: &[&str] = &[
    "additionalProperties",
    "allOf",
    "anyOf",
    "default",
    "description",
    "enum",
    "example",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "externalDocs",
    "format",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "nullable",
    "oneOf",
    "pattern",
    "properties",
    "required",
    "title",
    "type",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-list-type",
    "x-kubernetes-map-type",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-validations",
];

fn key(name: &str, value: &Value) -> Option<Vec<Key>> {
    let text = |key: &str| Some(vec![Key::value(key, literal(value.as_str()?))]);
    let number = |key: &str| value.is_number().then(|| vec![Key::value(key, value)]);
    let flag =
        |key: &str| if value.as_bool()? { Some(vec![Key::word(key)]) } else { Some(Vec::new()) };
    let list = |key: &'static str| {
        let items = value.as_array()?.iter().map(json::source).collect();
        Some(vec![Key::List(key, items)])
    };
    match name {
        "x-kubernetes-validations" => value.as_array()?.iter().map(rule::of_json).collect(),
        "x-kubernetes-list-type" => text("list_type"),
        "x-kubernetes-list-map-keys" => list("list_map_keys"),
        "x-kubernetes-map-type" => text("map_type"),
        "x-kubernetes-preserve-unknown-fields" => flag("preserve_unknown_fields"),
        "x-kubernetes-int-or-string" => flag("int_or_string"),
        "x-kubernetes-embedded-resource" => flag("embedded_resource"),
        "nullable" => flag("nullable"),
        "exclusiveMinimum" => flag("exclusive_minimum"),
        "exclusiveMaximum" => flag("exclusive_maximum"),
        "description" => text("description"),
        "title" => text("title"),
        "format" => text("format"),
        "pattern" => text("pattern"),
        "minimum" => number("minimum"),
        "maximum" => number("maximum"),
        "multipleOf" => number("multiple_of"),
        "minLength" => number("min_length"),
        "maxLength" => number("max_length"),
        "minItems" => number("min_items"),
        "maxItems" => number("max_items"),
        "minProperties" => number("min_properties"),
        "maxProperties" => number("max_properties"),
        "enum" => list("enum_values"),
        "default" => Some(vec![Key::value("default", expression(value))]),
        "example" => Some(vec![Key::value("example", expression(value))]),
        _ => None,
    }
}

/// Writes a value as an expression of Rust.
fn expression(value: &Value) -> String {
    match value {
        Value::Object(_) | Value::Array(_) | Value::Null => {
            format!("json!({})", json::source(value))
        }
        scalar => json::source(scalar),
    }
}

/// A key that merges keywords into the schema.
pub(super) fn patch(fields: &[(&str, &Value)]) -> Key {
    let fields: Vec<_> =
        fields.iter().map(|(name, value)| format!("{name:?}: {}", json::source(value))).collect();
    Key::value("patch", format_args!("json!({{{}}})", fields.join(", ")))
}
