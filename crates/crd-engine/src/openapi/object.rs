//! The published schemas of a kind and of its list.
//!
//! Source: `buildKubeNative`, `addEmbeddedProperties` and `buildListSchema` in `builder.go`;
//! `pkg/apiserver/schema/kubeopenapi.go` and `unfold.go` of apiextensions-apiserver.

use std::borrow::Cow;

use crd_cel::gofmt;
use serde_json::{Map, Value, json};

use super::downgrade::downgrade;
use super::{Edition, names, shared};
use crate::compiled::{CompiledSchema, Resource};
use crate::schema::{
    AdditionalProperties, Extensions, Generic, NestedValueValidation, Structural, ValueValidation,
    is_structural,
};

const API_VERSION: &str = "APIVersion defines the versioned schema of this representation of an object. Servers should \
    convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: \
    https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources";
const KIND: &str = "Kind is a string value representing the REST resource this object represents. Servers may infer this \
    from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: \
    https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds";
const METADATA: &str = "Standard object's metadata. More info: \
    https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";
const LIST_METADATA: &str = "Standard list metadata. More info: \
    https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds";
const EMBEDDED_API_VERSION: &str = "apiVersion defines the versioned schema of this representation of an object. More \
    info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources";
const EMBEDDED_KIND: &str = "kind is a string value representing the type of this object. In CamelCase. More info: \
    https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds";

/// Returns the schema of an object of a kind.
pub(super) fn object(schema: &CompiledSchema, edition: Edition) -> Value {
    let resource = schema.resource();
    let mut object = match schema.structural().and_then(publishable) {
        None => bare(),
        Some(structural)
            if edition == Edition::V2
                && (structural.extensions.preserve_unknown_fields
                    || resource.preserve_unknown_fields) =>
        {
            bare()
        }
        Some(structural) => {
            let mut structural = structural.into_owned();
            unfold(&mut structural);
            if edition == Edition::V2 {
                downgrade(&mut structural);
            }
            let mut object = of_structural(&structural, edition);
            let properties = object.entry("properties").or_insert_with(|| json!({}));
            if let Some(properties) = properties.as_object_mut() {
                properties.insert(
                    "metadata".to_owned(),
                    reference(shared::OBJECT_META, METADATA, edition),
                );
                properties.insert("apiVersion".to_owned(), text(API_VERSION));
                properties.insert("kind".to_owned(), text(KIND));
            }
            object
        }
    };
    add_kind_extensions(&mut object, resource, &resource.names.kind);
    Value::Object(object)
}

/// Returns the schema of a list of objects of a kind.
pub(super) fn list(resource: &Resource, edition: Edition) -> Value {
    let kinds = &resource.names;
    let about = "More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md";
    let mut list = Map::new();
    list.insert("type".to_owned(), json!("object"));
    list.insert(
        "description".to_owned(),
        json!(format!("{} is a list of {}", kinds.list_kind, kinds.kind)),
    );
    list.insert("required".to_owned(), json!(["items"]));
    list.insert(
        "properties".to_owned(),
        json!({
            "apiVersion": text(API_VERSION),
            "kind": text(KIND),
            "metadata": reference(shared::LIST_META, LIST_METADATA, edition),
            "items": {
                "type": "array",
                "description": format!("List of {}. {about}", kinds.plural),
                "items": {"$ref": edition.reference(&names::model(resource, &kinds.kind))},
            },
        }),
    );
    add_kind_extensions(&mut list, resource, &kinds.list_kind);
    Value::Object(list)
}

/// Returns the schema if the server publishes it: it is structural, and its types are known.
fn publishable(schema: &Structural) -> Option<Cow<'_, Structural>> {
    (has_known_types(schema) && is_structural(schema)).then_some(Cow::Borrowed(schema))
}

/// Returns whether the type of a schema and of those in it is one of JSON Schema, or absent.
///
/// Source: `SchemaHasInvalidTypes` in `pkg/apis/apiextensions/validation`.
fn has_known_types(schema: &Structural) -> bool {
    let known = ["", "array", "boolean", "integer", "null", "number", "object", "string"];
    known.contains(&schema.generic.type_.as_str())
        && schema.items.as_deref().is_none_or(has_known_types)
        && schema.properties.values().all(has_known_types)
        && schema.additional_schema().is_none_or(has_known_types)
}

fn bare() -> Map<String, Value> {
    Map::from_iter([("type".to_owned(), json!("object"))])
}

/// Adds the group, version and kind, and the fields that selectors can use.
fn add_kind_extensions(schema: &mut Map<String, Value>, resource: &Resource, kind: &str) {
    let gvk = json!([{"group": resource.group, "kind": kind, "version": resource.version}]);
    schema.insert("x-kubernetes-group-version-kind".to_owned(), gvk);
    if !resource.selectable_fields.is_empty() {
        let fields = resource.selectable_fields.iter().map(|field| {
            let path = &field.json_path;
            json!({"fieldPath": path.strip_prefix('.').unwrap_or(path)})
        });
        schema.insert("x-kubernetes-selectable-fields".to_owned(), fields.collect());
    }
}

fn text(description: &str) -> Value {
    json!({"type": "string", "description": description})
}

fn reference(name: &str, description: &str, edition: Edition) -> Value {
    let reference = edition.reference(name);
    match edition {
        Edition::V2 => json!({"description": description, "$ref": reference}),
        Edition::V3 => json!({"description": description, "allOf": [{"$ref": reference}]}),
    }
}

/// Adds `anyOf: [integer, string]` to an int-or-string that does not have it.
fn unfold(schema: &mut Structural) {
    if schema.extensions.int_or_string {
        let validation = &mut schema.validation;
        let first = validation.all_of.first().map(|first| &first.validation.any_of);
        if !(is_int_or_string(&validation.any_of)
            || first.is_some_and(|any_of| is_int_or_string(any_of)))
        {
            let unfolded = ["integer", "string"].map(|type_| NestedValueValidation {
                forbidden_generic: Generic { type_: type_.to_owned(), ..Generic::default() },
                ..NestedValueValidation::default()
            });
            if validation.any_of.is_empty() {
                validation.any_of = unfolded.into();
            } else {
                let any_of =
                    ValueValidation { any_of: unfolded.into(), ..ValueValidation::default() };
                let branch = NestedValueValidation {
                    validation: any_of,
                    ..NestedValueValidation::default()
                };
                validation.all_of.insert(0, branch);
            }
        }
    }
    if let Some(items) = &mut schema.items {
        unfold(items);
    }
    schema.properties.values_mut().for_each(unfold);
    if let Some(AdditionalProperties::Schema(values)) = &mut schema.additional_properties {
        unfold(values);
    }
}

fn is_int_or_string(any_of: &[NestedValueValidation]) -> bool {
    match any_of {
        [int, string] => {
            int.forbidden_generic.type_ == "integer" && string.forbidden_generic.type_ == "string"
        }
        _ => false,
    }
}

fn of_structural(schema: &Structural, edition: Edition) -> Map<String, Value> {
    let mut out = Map::new();
    if let Some(items) = &schema.items {
        out.insert("items".to_owned(), Value::Object(of_structural(items, edition)));
    }
    if !schema.properties.is_empty() {
        let properties = schema.properties.iter();
        let properties = properties
            .map(|(name, below)| (name.clone(), Value::Object(of_structural(below, edition))));
        out.insert("properties".to_owned(), Value::Object(properties.collect()));
    }
    match &schema.additional_properties {
        None => {}
        Some(AdditionalProperties::Bool(allowed)) => {
            out.insert("additionalProperties".to_owned(), Value::Bool(*allowed));
        }
        Some(AdditionalProperties::Schema(values)) => {
            out.insert(
                "additionalProperties".to_owned(),
                Value::Object(of_structural(values, edition)),
            );
        }
    }
    write_generic(&mut out, &schema.generic);
    if edition == Edition::V2 {
        out.remove("default");
    }
    write_extensions(&mut out, &schema.extensions);
    write_validation(&mut out, &schema.validation);
    write_rules(&mut out, schema.rules.as_deref());
    embed(&mut out, &schema.extensions, edition);
    out
}

/// Adds `apiVersion`, `kind` and `metadata` to the schema of an embedded resource.
fn embed(out: &mut Map<String, Value>, extensions: &Extensions, edition: Edition) {
    // Upstream: an object with unknown fields gets no properties in v2, because clients would reject the other fields.
    let is_open = edition == Edition::V2 && extensions.preserve_unknown_fields;
    if !extensions.embedded_resource || is_open {
        return;
    }
    let properties = out.entry("properties").or_insert_with(|| json!({}));
    if let Some(properties) = properties.as_object_mut() {
        properties.insert("apiVersion".to_owned(), text(EMBEDDED_API_VERSION));
        properties.insert("kind".to_owned(), text(EMBEDDED_KIND));
        properties.insert("metadata".to_owned(), reference(shared::OBJECT_META, METADATA, edition));
    }
    let required = out.entry("required").or_insert_with(|| json!([]));
    if let Some(required) = required.as_array_mut() {
        for name in ["kind", "apiVersion"] {
            if !required.iter().any(|required| required == name) {
                required.push(json!(name));
            }
        }
    }
}

fn write_generic(out: &mut Map<String, Value>, generic: &Generic) {
    put_text(out, "type", &generic.type_);
    put_text(out, "description", &generic.description);
    put_text(out, "title", &generic.title);
    put_flag(out, "nullable", generic.nullable);
    put(out, "default", generic.default.clone());
    if let Some(docs) = &generic.external_docs {
        put(out, "externalDocs", serde_json::to_value(docs).ok());
    }
    put(out, "example", generic.example.clone());
}

fn write_extensions(out: &mut Map<String, Value>, extensions: &Extensions) {
    put_flag(out, "x-kubernetes-preserve-unknown-fields", extensions.preserve_unknown_fields);
    put_flag(out, "x-kubernetes-embedded-resource", extensions.embedded_resource);
    put_flag(out, "x-kubernetes-int-or-string", extensions.int_or_string);
    let keys = extensions.list_map_keys.as_ref().filter(|keys| !keys.is_empty());
    put(out, "x-kubernetes-list-map-keys", keys.map(|keys| json!(keys)));
    put(out, "x-kubernetes-list-type", extensions.list_type.as_ref().map(|type_| json!(type_)));
    put(out, "x-kubernetes-map-type", extensions.map_type.as_ref().map(|type_| json!(type_)));
}

fn write_rules(out: &mut Map<String, Value>, rules: Option<&[crate::model::ValidationRule]>) {
    if let Some(rules) = rules.filter(|rules| !rules.is_empty()) {
        put(out, "x-kubernetes-validations", serde_json::to_value(rules).ok());
    }
}

fn write_validation(out: &mut Map<String, Value>, validation: &ValueValidation) {
    put_text(out, "format", &validation.format);
    put(out, "maximum", validation.maximum.map(number));
    put_flag(out, "exclusiveMaximum", validation.exclusive_maximum);
    put(out, "minimum", validation.minimum.map(number));
    put_flag(out, "exclusiveMinimum", validation.exclusive_minimum);
    put(out, "maxLength", validation.max_length.map(Value::from));
    put(out, "minLength", validation.min_length.map(Value::from));
    put_text(out, "pattern", &validation.pattern);
    put(out, "maxItems", validation.max_items.map(Value::from));
    put(out, "minItems", validation.min_items.map(Value::from));
    put_flag(out, "uniqueItems", validation.unique_items);
    put(out, "multipleOf", validation.multiple_of.map(number));
    put(out, "enum", (!validation.enum_.is_empty()).then(|| json!(validation.enum_)));
    put(out, "maxProperties", validation.max_properties.map(Value::from));
    put(out, "minProperties", validation.min_properties.map(Value::from));
    let required = validation.required.as_ref().filter(|required| !required.is_empty());
    put(out, "required", required.map(|required| json!(required)));
    for (keyword, branches) in [
        ("allOf", &validation.all_of),
        ("anyOf", &validation.any_of),
        ("oneOf", &validation.one_of),
    ] {
        let branches: Vec<Value> = branches.iter().map(of_nested).collect();
        put(out, keyword, (!branches.is_empty()).then_some(Value::Array(branches)));
    }
    put(out, "not", validation.not.as_deref().map(of_nested));
}

/// Converts a branch of a junctor; its `additionalProperties` are not published.
fn of_nested(nested: &NestedValueValidation) -> Value {
    let mut out = Map::new();
    write_validation(&mut out, &nested.validation);
    write_rules(&mut out, nested.rules.as_deref());
    put(&mut out, "items", nested.items.as_deref().map(of_nested));
    if let Some(properties) = nested.properties.as_ref().filter(|properties| !properties.is_empty())
    {
        let properties = properties.iter().map(|(name, below)| (name.clone(), of_nested(below)));
        out.insert("properties".to_owned(), Value::Object(properties.collect()));
    }
    write_generic(&mut out, &nested.forbidden_generic);
    write_extensions(&mut out, &nested.forbidden_extensions);
    Value::Object(out)
}

fn put(out: &mut Map<String, Value>, keyword: &str, value: Option<Value>) {
    if let Some(value) = value {
        out.insert(keyword.to_owned(), value);
    }
}

fn put_text(out: &mut Map<String, Value>, keyword: &str, text: &str) {
    put(out, keyword, (!text.is_empty()).then(|| Value::from(text)));
}

fn put_flag(out: &mut Map<String, Value>, keyword: &str, flag: bool) {
    put(out, keyword, flag.then_some(Value::Bool(true)));
}

/// Converts a bound as Go does: without a decimal point if it is an integer.
fn number(float: f64) -> Value {
    gofmt::float_json(float).parse::<i64>().map_or_else(|_| Value::from(float), Value::from)
}
