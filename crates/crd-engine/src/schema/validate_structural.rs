//! Checks the invariants of structural schemas.

use std::collections::BTreeMap;

use crd_cel::re2;

use super::complete;
use super::structural::{
    Extensions, Generic, NestedAdditionalProperties, NestedValueValidation, Structural,
    ValueValidation,
};
use crate::field::{ErrorList, Path, Sink};

/// The position of a schema in its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PositionInParent {
    Root,
    Item,
    Field,
}

/// Validates a schema at `path`. Errors are sorted by their text.
///
/// Source: `pkg/apiserver/schema/validation.go`, `ValidateStructural`.
pub fn validate_structural(path: &Path<'_>, schema: &Structural) -> ErrorList {
    let mut errors = Sink::new();
    check_structural(path, schema, &mut errors);
    errors.into_errors()
}

/// As [`validate_structural`], into a sink, which must have no errors yet.
pub(crate) fn check_structural(path: &Path<'_>, schema: &Structural, errors: &mut Sink) {
    check_node(schema, PositionInParent::Root, path, errors);
    complete::check(schema, path, errors);
    errors.sort_errors();
}

/// Returns whether a schema satisfies the invariants.
pub(crate) fn is_structural(schema: &Structural) -> bool {
    let mut errors = Sink::counting();
    check_structural(&Path::ROOT, schema, &mut errors);
    errors.is_empty()
}

fn check_node(schema: &Structural, level: PositionInParent, path: &Path<'_>, errors: &mut Sink) {
    let Structural { generic, extensions, .. } = schema;
    if generic.type_ == "array" && schema.items.is_none() {
        errors.required(&path.field("items"), "must be specified");
    }
    if let Some(items) = &schema.items {
        check_node(items, PositionInParent::Item, &path.field("items"), errors);
    }
    for (name, property) in &schema.properties {
        check_node(property, PositionInParent::Field, &path.field("properties").key(name), errors);
    }
    let additional = path.field("additionalProperties");
    if schema.additional_properties.is_some() {
        if level == PositionInParent::Root {
            errors.forbidden(&additional, "must not be used at the root");
        }
        if extensions.embedded_resource {
            let detail = "must not be used if x-kubernetes-embedded-resource is set";
            errors.forbidden(&additional, detail);
        }
    }
    if let Some(schema) = schema.additional_schema() {
        check_node(schema, PositionInParent::Field, &additional, errors);
    }
    check_int_or_string(extensions, path, errors);
    check_type(generic, extensions, level, path, errors);
    check_metadata(schema, level, path, errors);
    if extensions.embedded_resource
        && !extensions.preserve_unknown_fields
        && schema.properties.is_empty()
    {
        errors.required(
            &path.field("properties"),
            "must not be empty if x-kubernetes-embedded-resource is true without \
             x-kubernetes-preserve-unknown-fields",
        );
    }
    check_validation(&schema.validation, Exempt::of(&schema.validation), path, errors);
}

fn check_int_or_string(extensions: &Extensions, path: &Path<'_>, errors: &mut Sink) {
    if !extensions.int_or_string {
        return;
    }
    for (keyword, present) in [
        ("x-kubernetes-preserve-unknown-fields", extensions.preserve_unknown_fields),
        ("x-kubernetes-embedded-resource", extensions.embedded_resource),
    ] {
        if present {
            let detail = "must be false if x-kubernetes-int-or-string is true";
            errors.invalid(&path.field(keyword), true, detail);
        }
    }
}

fn check_type(
    generic: &Generic,
    extensions: &Extensions,
    level: PositionInParent,
    path: &Path<'_>,
    errors: &mut Sink,
) {
    let at = path.field("type");
    let type_ = generic.type_.as_str();
    if extensions.embedded_resource {
        let detail = "must be object if x-kubernetes-embedded-resource is true";
        match type_ {
            "object" => {}
            "" => errors.required(&at, detail),
            other => errors.invalid(&at, other, detail),
        }
    } else if type_.is_empty() && !extensions.int_or_string && !extensions.preserve_unknown_fields {
        let detail = match level {
            PositionInParent::Root => "must not be empty at the root",
            PositionInParent::Item => "must not be empty for specified array items",
            PositionInParent::Field => "must not be empty for specified object fields",
        };
        errors.required(&at, detail);
    }
    if level == PositionInParent::Root && !matches!(type_, "" | "object") {
        errors.invalid(&at, type_, "must be object at the root");
    }
}

/// Checks the types of `kind`, `apiVersion` and `metadata`, and that the root does not restrict `metadata` further.
fn check_metadata(
    schema: &Structural,
    level: PositionInParent,
    path: &Path<'_>,
    errors: &mut Sink,
) {
    let properties = path.field("properties");
    if level == PositionInParent::Root || schema.extensions.embedded_resource {
        for (name, type_) in [("kind", "string"), ("apiVersion", "string"), ("metadata", "object")]
        {
            if let Some(property) = schema.properties.get(name)
                && property.generic.type_ != type_
            {
                let at = properties.key(name);
                let actual = property.generic.type_.as_str();
                let detail = format!("must be {type_}");
                errors.invalid(&at.field("type"), actual, detail);
            }
        }
    }
    if let Some(metadata) = schema.properties.get("metadata")
        && level == PositionInParent::Root
        && restricts_metadata(metadata)
    {
        errors.forbidden(
            &properties.key("metadata"),
            "must not specify anything other than name and generateName, but metadata is \
             implicitly specified",
        );
    }
}

/// Returns whether the metadata of a root has more than a type, a default, `name` and `generateName`.
///
/// Source: `validateStructuralMetadataInvariants`.
fn restricts_metadata(metadata: &Structural) -> bool {
    let is_name = |name: &String| name == "name" || name == "generateName";
    let rest = Structural {
        properties: if metadata.properties.keys().all(is_name) {
            BTreeMap::new()
        } else {
            metadata.properties.clone()
        },
        generic: Generic { type_: String::new(), default: None, ..metadata.generic.clone() },
        ..metadata.clone()
    };
    rest != Structural::default()
}

/// The junctors that may contain types: older definitions express int-or-string as an `anyOf` of two types.
#[derive(Clone, Copy)]
struct Exempt {
    any_of: bool,
    first_all_of: bool,
}

impl Exempt {
    const NONE: Self = Self { any_of: false, first_all_of: false };

    fn of(validation: &ValueValidation) -> Self {
        Self {
            any_of: is_int_or_string(&validation.any_of),
            first_all_of: validation
                .all_of
                .first()
                .is_some_and(|first| is_int_or_string(&first.validation.any_of)),
        }
    }
}

/// Returns whether a junctor is exactly `[{type: integer}, {type: string}]`.
///
/// Upstream: `additionalProperties: false` does not count, because the conversion drops it.
fn is_int_or_string(any_of: &[NestedValueValidation]) -> bool {
    let is = |schema: &NestedValueValidation, type_: &str| {
        let generic = Generic { type_: type_.to_owned(), ..Generic::default() };
        let dropped = |properties: &NestedAdditionalProperties| {
            matches!(properties, NestedAdditionalProperties::Forbidden)
        };
        *schema
            == NestedValueValidation {
                forbidden_generic: generic,
                additional_properties: schema.additional_properties.clone().filter(dropped),
                ..NestedValueValidation::default()
            }
    };
    matches!(any_of, [first, second] if is(first, "integer") && is(second, "string"))
}

fn check_validation(
    validation: &ValueValidation,
    exempt: Exempt,
    path: &Path<'_>,
    errors: &mut Sink,
) {
    if !exempt.any_of {
        for (index, schema) in validation.any_of.iter().enumerate() {
            check_nested(schema, Exempt::NONE, &path.field("anyOf").index(index), errors);
        }
    }
    for (index, schema) in validation.all_of.iter().enumerate() {
        let exempt = Exempt { any_of: exempt.first_all_of && index == 0, first_all_of: false };
        check_nested(schema, exempt, &path.field("allOf").index(index), errors);
    }
    for (index, schema) in validation.one_of.iter().enumerate() {
        check_nested(schema, Exempt::NONE, &path.field("oneOf").index(index), errors);
    }
    if let Some(not) = &validation.not {
        check_nested(not, Exempt::NONE, &path.field("not"), errors);
    }
    if !validation.pattern.is_empty()
        && let Err(error) = re2::check(&validation.pattern)
    {
        let detail = format!("must be a valid regular expression, but isn't: {error}");
        let pattern = validation.pattern.as_str();
        errors.invalid(&path.field("pattern"), pattern, detail);
    }
}

fn check_nested(
    schema: &NestedValueValidation,
    exempt: Exempt,
    path: &Path<'_>,
    errors: &mut Sink,
) {
    check_validation(&schema.validation, exempt, path, errors);
    if let Some(items) = &schema.items {
        check_nested(items, Exempt::NONE, &path.field("items"), errors);
    }
    let properties = path.field("properties");
    for (name, property) in schema.properties.iter().flatten() {
        check_nested(property, Exempt::NONE, &properties.key(name), errors);
    }
    let generic = &schema.forbidden_generic;
    let extensions = &schema.forbidden_extensions;
    let additional =
        matches!(schema.additional_properties, Some(NestedAdditionalProperties::Schema(_)));
    let has_keys = extensions.list_map_keys.as_ref().is_some_and(|keys| !keys.is_empty());
    let has_rules = schema.rules.as_ref().is_some_and(|rules| !rules.is_empty());
    for (keyword, present, must) in [
        ("type", !generic.type_.is_empty(), "empty"),
        ("additionalProperties", additional, "undefined"),
        ("default", generic.default.is_some(), "undefined"),
        ("title", !generic.title.is_empty(), "empty"),
        ("description", !generic.description.is_empty(), "empty"),
        ("nullable", generic.nullable, "false"),
        ("x-kubernetes-preserve-unknown-fields", extensions.preserve_unknown_fields, "false"),
        ("x-kubernetes-embedded-resource", extensions.embedded_resource, "false"),
        ("x-kubernetes-int-or-string", extensions.int_or_string, "false"),
        ("x-kubernetes-list-map-keys", has_keys, "empty"),
        ("x-kubernetes-list-type", extensions.list_type.is_some(), "undefined"),
        ("x-kubernetes-map-type", extensions.map_type.is_some(), "undefined"),
        ("x-kubernetes-validations", has_rules, "empty"),
    ] {
        if present {
            let detail = format!("must be {must} to be structural");
            errors.forbidden(&path.field(keyword), detail);
        }
    }
    if schema.properties.as_ref().is_some_and(|properties| properties.contains_key("metadata")) {
        let detail = "must not be specified in a nested context";
        errors.forbidden(&properties.key("metadata"), detail);
    }
}
