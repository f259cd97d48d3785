//! `serde_json::Value` and its parts: JSON that keeps what the schema does not name.

use serde_json::{Map, Number, Value};

use super::{Kind, schema_of, typed};
use crate::model::{JsonSchemaProps, SchemaOrArray};

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

/// Whether a schema is [`any`].
pub(super) fn is_any(schema: &JsonSchemaProps) -> bool {
    *schema == any()
}

schema_of! {
    Value: Kind::Any => any();
    Map<String, Value>: Kind::Map => open_object();
    Number: Kind::Number => typed("number");
}
