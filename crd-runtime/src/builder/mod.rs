//! Builders of schemas, for derived code and for the schemas of std's types.

mod cel_text;
mod collect;
mod object;
mod path;
mod plain;
mod rule;
mod schema;
mod union;

use std::fmt;

use serde::Serialize;
use serde_json::Value;

use crate::model::JsonSchemaProps;

pub use cel_text::{cel_field, cel_string};
pub(crate) use collect::Collected;
pub use collect::Column;
pub(crate) use object::{Object, Presence};
pub use path::{ColumnPath, Step};
pub use plain::{any, empty_tuple, open_list, open_object, tuple};
pub(crate) use plain::{formatted, list, null, typed, unit_enum};
pub use rule::Rule;
pub use schema::Schema;
pub use union::Union;
pub(crate) use union::{any_of, one_of};

/// The return type of `schema_with` functions: a schema, or a `Result` with one.
#[doc(hidden)]
pub trait IntoSchema {
    /// Returns the schema.
    fn into_schema(self) -> JsonSchemaProps;
}

impl IntoSchema for JsonSchemaProps {
    fn into_schema(self) -> JsonSchemaProps {
        self
    }
}

/// The text of an error becomes the `type`, because `crd()` cannot fail. Such a type is invalid, so
/// `definition::validate` reports it with the field's path.
impl<E: fmt::Display> IntoSchema for Result<JsonSchemaProps, E> {
    fn into_schema(self) -> JsonSchemaProps {
        self.unwrap_or_else(|error| typed(&error.to_string()))
    }
}

/// As [`json`], with the function of `#[serde(serialize_with = "..")]`.
pub fn json_with<T: ?Sized, E>(
    value: &T,
    serialize: impl FnOnce(&T, serde_json::value::Serializer) -> Result<Value, E>,
) -> Value {
    serialize(value, serde_json::value::Serializer).unwrap_or(Value::Null)
}

/// Returns the value of an attribute as JSON, or `null` if it cannot be serialized.
pub fn json<T: Serialize + ?Sized>(value: &T) -> Value {
    serde_json::to_value(value).unwrap_or(Value::Null)
}
