//! To and from schemars.
//!
//! A derived type implements [`schemars::JsonSchema`] too, by [`to_schemars`].

use serde_json::Value;

use crate::model::JsonSchemaProps;

/// A structural schema in schemars' words.
#[must_use]
pub fn to_schemars(schema: &JsonSchemaProps) -> schemars::Schema {
    match crate::__private::to_json(schema) {
        Value::Object(object) => object.into(),
        _ => schemars::Schema::default(),
    }
}
