//! `uuid::Uuid`.

use uuid::Uuid;

use super::{Kind, schema_of, typed};
use crate::model::JsonSchemaProps;

/// As it is written, with digits of either case. `Uuid` reads further forms, which no other client needs.
fn hyphenated() -> JsonSchemaProps {
    JsonSchemaProps {
        pattern: "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$".to_owned(),
        max_length: Some(36),
        ..typed("string")
    }
}

schema_of! {
    Uuid: Kind::String => hyphenated();
}
