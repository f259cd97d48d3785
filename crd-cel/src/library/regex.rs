//! Searching with regular expressions.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/regex.go`.

use super::Declarations;
use crate::types::Type;

/// Declares the library's functions and types.
pub(crate) fn declare(d: &mut Declarations) {
    d.method("find", "string_find_string", [Type::String, Type::String], Type::String);
    d.method(
        "findAll",
        "string_find_all_string",
        [Type::String, Type::String],
        Type::list(Type::String),
    );
    d.method(
        "findAll",
        "string_find_all_string_int",
        [Type::String, Type::String, Type::Int],
        Type::list(Type::String),
    );
}
