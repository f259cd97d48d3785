//! Searches a schema for a keyword, also in parts that structural schemas do not have, such as `definitions`.
//!
//! Source: `pkg/apis/apiextensions/validation/validation.go`, `SchemaHas`.

use crate::model::{JsonSchemaProps, SchemaOrArray, SchemaOrBool, SchemaOrStrings};
use crate::schema::MAX_SCHEMA_DEPTH;

/// The types of OpenAPI v3.
pub(super) const TYPES: [&str; 6] = ["array", "boolean", "integer", "number", "object", "string"];

/// Calls `visit` for a schema and for all below it, in the server's order.
pub(super) fn each<'a>(schema: &'a JsonSchemaProps, visit: &mut dyn FnMut(&'a JsonSchemaProps)) {
    each_within(schema, visit, 0);
}

fn each_within<'a>(
    schema: &'a JsonSchemaProps,
    visit: &mut dyn FnMut(&'a JsonSchemaProps),
    depth: usize,
) {
    visit(schema);
    if depth < MAX_SCHEMA_DEPTH {
        children(schema, &mut |child| each_within(child, visit, depth + 1));
    }
}

/// Whether a schema or one below it satisfies a condition.
pub(super) fn any(schema: &JsonSchemaProps, is: impl Fn(&JsonSchemaProps) -> bool) -> bool {
    let mut found = false;
    each(schema, &mut |schema| found = found || is(schema));
    found
}

/// Calls `visit` for each schema directly below one.
pub(super) fn children<'a>(
    schema: &'a JsonSchemaProps,
    visit: &mut dyn FnMut(&'a JsonSchemaProps),
) {
    match &schema.items {
        Some(SchemaOrArray::Schema(items)) => visit(items),
        Some(SchemaOrArray::Array(items)) => items.iter().for_each(&mut *visit),
        Some(SchemaOrArray::Neither(_)) | None => {}
    }
    for junctor in [&schema.all_of, &schema.any_of, &schema.one_of] {
        junctor.iter().flatten().for_each(&mut *visit);
    }
    if let Some(not) = &schema.not {
        visit(not);
    }
    for property in schema.properties.iter().flat_map(|map| map.values()) {
        visit(property);
    }
    if let Some(SchemaOrBool::Schema(additional)) = &schema.additional_properties {
        visit(additional);
    }
    schema.pattern_properties.iter().flat_map(|map| map.values()).for_each(&mut *visit);
    if let Some(SchemaOrBool::Schema(additional)) = &schema.additional_items {
        visit(additional);
    }
    schema.definitions.iter().flat_map(|map| map.values()).for_each(&mut *visit);
    for dependency in schema.dependencies.iter().flat_map(|map| map.values()) {
        if let SchemaOrStrings::Schema(schema) = dependency {
            visit(schema);
        }
    }
}

/// Whether a schema or one below it has a default.
pub(super) fn has_defaults(schema: &JsonSchemaProps) -> bool {
    any(schema, has_default)
}

/// Whether a schema itself has a default; null is no default.
pub(super) fn has_default(schema: &JsonSchemaProps) -> bool {
    schema.default.as_ref().is_some_and(|default| !default.is_null())
}

/// Whether a schema or one below it has a keyword that only structural schemas may have.
pub(super) fn has_extensions(schema: &JsonSchemaProps) -> bool {
    any(schema, |schema| {
        schema.x_embedded_resource
            || schema.x_preserve_unknown_fields.is_some()
            || schema.x_int_or_string
            || schema.x_list_map_keys.as_ref().is_some_and(|keys| !keys.is_empty())
            || schema.x_list_type.is_some()
            || schema.x_validations.as_ref().is_some_and(|rules| !rules.is_empty())
    })
}

/// Whether a schema or one below it has a type that OpenAPI does not have.
pub(super) fn has_invalid_types(schema: &JsonSchemaProps) -> bool {
    any(schema, |schema| !schema.type_.is_empty() && !TYPES.contains(&schema.type_.as_str()))
}
