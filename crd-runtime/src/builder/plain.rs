//! Schemas of one line.

use super::json;
use crate::model::{JsonSchemaProps, SchemaOrArray};

pub(crate) fn typed(type_: &str) -> JsonSchemaProps {
    JsonSchemaProps::of_type(type_)
}

/// What admits any JSON and prunes nothing of it.
#[must_use]
pub fn any() -> JsonSchemaProps {
    JsonSchemaProps {
        nullable: true,
        x_preserve_unknown_fields: Some(true),
        ..JsonSchemaProps::default()
    }
}

/// An object that keeps all its fields.
#[must_use]
pub fn open_object() -> JsonSchemaProps {
    JsonSchemaProps { x_preserve_unknown_fields: Some(true), ..typed("object") }
}

/// A list of whatever.
#[must_use]
pub fn open_list() -> JsonSchemaProps {
    let items =
        JsonSchemaProps { x_preserve_unknown_fields: Some(true), ..JsonSchemaProps::default() };
    JsonSchemaProps { items: Some(SchemaOrArray::Schema(Box::new(items))), ..typed("array") }
}

/// What admits `null` and nothing else: an object that would need one property and may have none.
pub(crate) fn null() -> JsonSchemaProps {
    JsonSchemaProps {
        nullable: true,
        min_properties: Some(1),
        max_properties: Some(0),
        ..typed("object")
    }
}

/// A string with an `enum`.
#[must_use]
pub fn unit_enum(names: &[&str]) -> JsonSchemaProps {
    let names = names.iter().map(json).collect();
    JsonSchemaProps { enum_: Some(names), ..typed("string") }
}

/// A list of `len` elements with one schema.
#[must_use]
pub fn tuple(items: JsonSchemaProps, len: usize) -> JsonSchemaProps {
    let len = i64::try_from(len).ok();
    JsonSchemaProps {
        items: Some(SchemaOrArray::Schema(Box::new(items))),
        min_items: len,
        max_items: len,
        ..typed("array")
    }
}

/// An empty list: a tuple struct without fields.
#[must_use]
pub fn empty_tuple() -> JsonSchemaProps {
    tuple(any(), 0)
}
