//! Strings and what serde writes as one.

use std::path::{Path, PathBuf};

use super::{Kind, schema_of, typed};
use crate::model::JsonSchemaProps;

fn one_char() -> JsonSchemaProps {
    JsonSchemaProps { min_length: Some(1), max_length: Some(1), ..typed("string") }
}

schema_of! {
    str: Kind::String, TEXT => typed("string");
    String: Kind::String, TEXT => typed("string");
    char: Kind::String => one_char();
    Path: Kind::String, TEXT => typed("string");
    PathBuf: Kind::String, TEXT => typed("string");
}
