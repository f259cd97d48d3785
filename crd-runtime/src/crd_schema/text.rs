//! Strings, and types that serde writes as strings.

use std::path::{Path, PathBuf};

use super::{Shape, ShapeKind, schema_of, typed};
use crate::model::JsonSchemaProps;

fn one_char() -> JsonSchemaProps {
    JsonSchemaProps { min_length: Some(1), max_length: Some(1), ..typed("string") }
}

schema_of! {
    str: ShapeKind::String as Shape::text() => typed("string");
    String: ShapeKind::String as Shape::text() => typed("string");
    char: ShapeKind::String as Shape::text().min_length(1).max_length(1) => one_char();
    Path: ShapeKind::String as Shape::text() => typed("string");
    PathBuf: ShapeKind::String as Shape::text() => typed("string");
}
