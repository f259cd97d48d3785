//! Small schemas.

use super::json;
use crate::model::{JsonSchemaProps, SchemaOrArray};

pub(crate) fn typed(type_: &str) -> JsonSchemaProps {
    JsonSchemaProps::of_type(type_)
}

/// Returns the schema of a string with a format.
pub(crate) fn formatted(format: &str) -> JsonSchemaProps {
    JsonSchemaProps { format: format.to_owned(), ..typed("string") }
}

/// Returns the schema of a list whose elements have the given schema.
pub(crate) fn list(items: JsonSchemaProps) -> JsonSchemaProps {
    JsonSchemaProps { items: Some(SchemaOrArray::Schema(Box::new(items))), ..typed("array") }
}

/// Returns a schema that accepts any JSON and prunes nothing.
#[must_use]
pub fn any() -> JsonSchemaProps {
    JsonSchemaProps {
        nullable: true,
        x_preserve_unknown_fields: Some(true),
        ..JsonSchemaProps::default()
    }
}

/// Returns the schema of an object that keeps all its fields.
#[must_use]
pub fn open_object() -> JsonSchemaProps {
    JsonSchemaProps { x_preserve_unknown_fields: Some(true), ..typed("object") }
}

/// Returns the schema of a list of any JSON.
#[must_use]
pub fn open_list() -> JsonSchemaProps {
    list(JsonSchemaProps { x_preserve_unknown_fields: Some(true), ..JsonSchemaProps::default() })
}

/// Returns a schema that accepts only `null`: a nullable object that must have a property and cannot have one.
pub(crate) fn null() -> JsonSchemaProps {
    JsonSchemaProps {
        nullable: true,
        min_properties: Some(1),
        max_properties: Some(0),
        ..typed("object")
    }
}

/// Returns the schema of a string with an `enum`.
#[must_use]
pub(crate) fn unit_enum(names: &[&str]) -> JsonSchemaProps {
    let names = names.iter().map(json).collect();
    JsonSchemaProps { enum_: Some(names), ..typed("string") }
}

/// Returns the schema of a list of `len` items with one schema.
#[must_use]
pub fn tuple(items: JsonSchemaProps, len: usize) -> JsonSchemaProps {
    let len = i64::try_from(len).ok();
    JsonSchemaProps { min_items: len, max_items: len, ..list(items) }
}

/// Returns the schema of an empty list, which serde writes for a tuple struct without fields.
#[must_use]
pub fn empty_tuple() -> JsonSchemaProps {
    tuple(any(), 0)
}
