//! Strings, and types that serde writes as strings.

use std::path::{Path, PathBuf};

use super::{Kind, Shape, schema_of, typed};
use crate::model::JsonSchemaProps;

fn one_char() -> JsonSchemaProps {
    JsonSchemaProps { min_length: Some(1), max_length: Some(1), ..typed("string") }
}

schema_of! {
    str: Kind::String as Shape::text(), TEXT => typed("string");
    String: Kind::String as Shape::text(), TEXT => typed("string");
    char: Kind::String as Shape::text() => one_char();
    Path: Kind::String as Shape::text(), TEXT => typed("string");
    PathBuf: Kind::String as Shape::text(), TEXT => typed("string");
}
