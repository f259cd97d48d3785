//! `serde_json::Value` and its parts: JSON without a schema of its content.

use serde_json::{Map, Number, Value};

use super::{Kind, schema_of};
use crate::builder::{any, open_object, typed};
use crate::model::JsonSchemaProps;

/// Whether a schema is [`any`].
pub(super) fn is_any(schema: &JsonSchemaProps) -> bool {
    *schema == any()
}

schema_of! {
    Value: Kind::Any => any();
    Map<String, Value>: Kind::Map => open_object();
    Number: Kind::Number => typed("number");
}
