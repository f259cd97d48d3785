//! Each keyword on each type: accepted if it applies to the type, otherwise rejected at its token.

use serde_json::{Value, json};

use super::types::{Sort, Ty, types};
use super::{Probe, merged, push, with_field};

const NUMBERS: &[Sort] = &[Sort::Integer, Sort::Number, Sort::IntOrString, Sort::Any];
const TEXTS: &[Sort] = &[Sort::Text, Sort::IntOrString, Sort::Any];
const STRINGS: &[Sort] = &[Sort::Text, Sort::Word, Sort::IntOrString, Sort::Any];
/// Types whose schema says that they are lists.
const TYPED_LISTS: &[Sort] = &[Sort::List];
const LISTS: &[Sort] = &[Sort::List, Sort::Any];
const MAPS: &[Sort] = &[Sort::Map];
/// Types whose schema says that they are objects.
const TYPED_OBJECTS: &[Sort] = &[Sort::Map, Sort::Object, Sort::Union];
const OBJECTS: &[Sort] = &[Sort::Map, Sort::Object, Sort::Union, Sort::Any];
const ANY: &[Sort] = &[Sort::Any];
const ALL: &[Sort] = &[
    Sort::Integer,
    Sort::Number,
    Sort::Boolean,
    Sort::Text,
    Sort::Word,
    Sort::List,
    Sort::Map,
    Sort::Object,
    Sort::Any,
    Sort::IntOrString,
    Sort::Union,
];

/// Returns keys with values, each with its keywords in the schema and the types to which it applies.
fn keys() -> Vec<(&'static str, Value, &'static [Sort])> {
    vec![
        ("title = \"T\"", json!({"title": "T"}), ALL),
        ("description = \"D\"", json!({"description": "D"}), ALL),
        ("example = 1", json!({"example": 1}), ALL),
        (
            "external_docs(url = \"https://a.b\")",
            json!({"externalDocs": {"url": "https://a.b"}}),
            ALL,
        ),
        ("minimum = 1", json!({"minimum": 1}), NUMBERS),
        ("maximum = 9", json!({"maximum": 9}), NUMBERS),
        (
            "minimum = 1, exclusive_minimum",
            json!({"minimum": 1, "exclusiveMinimum": true}),
            NUMBERS,
        ),
        ("multiple_of = 5", json!({"multipleOf": 5}), NUMBERS),
        ("min_length = 1", json!({"minLength": 1}), STRINGS),
        ("max_length = 5", json!({"maxLength": 5}), STRINGS),
        ("pattern = \"^a\"", json!({"pattern": "^a"}), TEXTS),
        ("format = \"uuid\"", json!({"format": "uuid"}), TEXTS),
        ("enum_values(\"a\", \"b\")", json!({"enum": ["a", "b"]}), TEXTS),
        ("enum_values(1, 2)", json!({"enum": [1, 2]}), NUMBERS),
        ("min_items = 1", json!({"minItems": 1}), LISTS),
        ("max_items = 5", json!({"maxItems": 5}), LISTS),
        ("unique_items", json!({"uniqueItems": true}), &[]),
        ("list_type = \"atomic\"", json!({"x-kubernetes-list-type": "atomic"}), TYPED_LISTS),
        ("list_type = \"set\"", json!({"x-kubernetes-list-type": "set"}), TYPED_LISTS),
        (
            "list_type = \"map\", list_map_keys(\"s\")",
            json!({"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["s"]}),
            TYPED_LISTS,
        ),
        ("items(max_length = 5)", json!({"items": {"maxLength": 5}}), TYPED_LISTS),
        ("items(minimum = 1)", json!({"items": {"minimum": 1}}), &[]),
        ("values(maximum = 5)", json!({"additionalProperties": {"maximum": 5}}), MAPS),
        ("values(max_length = 5)", json!({"additionalProperties": {"maxLength": 5}}), &[]),
        ("min_properties = 1", json!({"minProperties": 1}), OBJECTS),
        ("max_properties = 5", json!({"maxProperties": 5}), OBJECTS),
        ("map_type = \"atomic\"", json!({"x-kubernetes-map-type": "atomic"}), TYPED_OBJECTS),
        ("nullable", json!({"nullable": true}), ANY),
        ("nullable = false", json!({"nullable": false}), ALL),
        (
            "int_or_string",
            json!({"x-kubernetes-int-or-string": true}),
            &[Sort::IntOrString, Sort::Any],
        ),
        ("preserve_unknown_fields", json!({"x-kubernetes-preserve-unknown-fields": true}), OBJECTS),
        (
            "embedded_resource",
            json!({"type": "object", "x-kubernetes-embedded-resource": true}),
            ANY,
        ),
        ("immutable", json!({"x-kubernetes-validations": [{"rule": "self == oldSelf"}]}), ALL),
        (
            "rule(\"self == self\")",
            json!({"x-kubernetes-validations": [{"rule": "self == self"}]}),
            ALL,
        ),
        ("recursive", json!({}), ANY),
    ]
}

pub(super) fn probes() -> Vec<Probe> {
    let mut probes = Vec::new();
    for ty in types() {
        for (key, keywords, of) in keys() {
            let applies = of.contains(&ty.sort) || applies_to_a_part(&ty, key);
            let why = reason(&ty, key).or((!applies).then_some("says nothing of this type"));
            push(
                &mut probes,
                Probe {
                    name: format!("{}: {key}", ty.text),
                    source: format!("#[crd({key})] a: {},", ty.text),
                    meant: Some(with_field(merged(ty.schema.clone(), &keywords))),
                    why: why.map(str::to_owned),
                    ..Probe::default()
                },
            );
        }
    }
    probes
}

/// Whether a keyword applies to a part of the type: to the `null` of an option, or to the elements of a list.
fn applies_to_a_part(ty: &Ty, key: &str) -> bool {
    match key {
        "nullable" => ty.text.starts_with("Option"),
        "preserve_unknown_fields" => ty.text == "Vec<Part>",
        _ => false,
    }
}

/// Returns why the derives reject a keyword on a type although the server accepts it, or why the type may break a law.
fn reason(ty: &Ty, key: &str) -> Option<&'static str> {
    let is_option = ty.text.starts_with("Option");
    Some(match key {
        "nullable = false" if is_option || ty.sort == Sort::Any => "serde writes null",
        _ if key.starts_with("enum_values") && is_option => {
            "serde writes null, which no enumeration admits"
        }
        "items(max_length = 5)" if ty.text == "Vec<Part>" => "says nothing of this type",
        "enum_values(\"a\", \"b\")" if ty.text == "Quantity" => "is no quantity",
        "embedded_resource" if ty.sort == Sort::Any => {
            "the type writes any JSON, also values that the keyword rejects"
        }
        "recursive" if ty.sort != Sort::Any => "the attribute ends the schema before the type ends",
        _ => return None,
    })
}
