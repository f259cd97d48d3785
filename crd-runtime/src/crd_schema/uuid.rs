//! `uuid::Uuid`.

use uuid::Uuid;

use super::{ShapeKind, schema_of, typed};
use crate::model::JsonSchemaProps;

/// Returns the schema of the hyphenated form that `Uuid` writes, with digits of either case. The other forms that
/// `Uuid` reads are rejected, because no other client needs them.
fn hyphenated() -> JsonSchemaProps {
    JsonSchemaProps {
        pattern: "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$".to_owned(),
        max_length: Some(36),
        ..typed("string")
    }
}

schema_of! {
    Uuid: ShapeKind::String => hyphenated();
}
