//! Adds to a schema what a structural schema must have and JSON Schema may leave out, such as `type`.

use crate::crd_schema::any;
use crate::model::{JsonSchemaProps, SchemaOrArray};

/// Completes a schema whose keywords have been converted.
pub(super) fn complete(mut schema: JsonSchemaProps) -> JsonSchemaProps {
    if schema.type_.is_empty() && !schema.x_int_or_string {
        if schema.properties.is_some() {
            "object".clone_into(&mut schema.type_);
        } else {
            schema.x_preserve_unknown_fields = Some(true);
            schema.nullable = true;
        }
    }
    let free = schema.properties.is_none() && schema.additional_properties.is_none();
    match schema.type_.as_str() {
        // An object without a schema of its fields may have any fields.
        "object" if free => schema.x_preserve_unknown_fields = Some(true),
        "object" if schema.properties.is_some() && schema.additional_properties.is_some() => {
            schema.additional_properties = None;
            schema.x_preserve_unknown_fields = Some(true);
        }
        "array" if schema.items.is_none() => {
            schema.items = Some(SchemaOrArray::Schema(Box::new(any())));
        }
        "integer" => replace_format(&mut schema),
        _ => {}
    }
    if schema.x_list_type.as_deref() == Some("set") {
        let scalar = |items: &JsonSchemaProps| {
            !items.nullable && !matches!(items.type_.as_str(), "" | "object" | "array")
        };
        if !matches!(&schema.items, Some(SchemaOrArray::Schema(items)) if scalar(items)) {
            schema.x_list_type = None;
        }
    }
    schema
}

/// Replaces integer formats that schemars has and the server does not have, such as `uint8`, by bounds.
fn replace_format(schema: &mut JsonSchemaProps) {
    let (format, least, greatest) = match schema.format.as_str() {
        "int8" => ("int32", Some(f64::from(i8::MIN)), Some(f64::from(i8::MAX))),
        "int16" => ("int32", Some(f64::from(i16::MIN)), Some(f64::from(i16::MAX))),
        "uint8" => ("int32", Some(0.0), Some(f64::from(u8::MAX))),
        "uint16" => ("int32", Some(0.0), Some(f64::from(u16::MAX))),
        "uint32" => ("int64", Some(0.0), Some(f64::from(u32::MAX))),
        "uint64" | "uint" => ("int64", Some(0.0), None),
        "int" => ("int64", None, None),
        _ => return,
    };
    format.clone_into(&mut schema.format);
    schema.minimum = schema.minimum.or(least);
    schema.maximum = schema.maximum.or(greatest);
}
