//! The extended string functions, in the version that Kubernetes enables (2).
//!
//! Source: cel-go `ext/strings.go`.

use super::Declarations;
use crate::types::Type;

/// Declares the library's functions and types.
pub(crate) fn declare(d: &mut Declarations) {
    d.method("charAt", "string_char_at_int", [Type::String, Type::Int], Type::String);
    d.method("indexOf", "string_index_of_string", [Type::String, Type::String], Type::Int);
    d.method(
        "indexOf",
        "string_index_of_string_int",
        [Type::String, Type::String, Type::Int],
        Type::Int,
    );
    d.method("lastIndexOf", "string_last_index_of_string", [Type::String, Type::String], Type::Int);
    d.method(
        "lastIndexOf",
        "string_last_index_of_string_int",
        [Type::String, Type::String, Type::Int],
        Type::Int,
    );
    d.method("lowerAscii", "string_lower_ascii", [Type::String], Type::String);
    d.method(
        "replace",
        "string_replace_string_string",
        [Type::String, Type::String, Type::String],
        Type::String,
    );
    d.method(
        "replace",
        "string_replace_string_string_int",
        [Type::String, Type::String, Type::String, Type::Int],
        Type::String,
    );
    d.method(
        "split",
        "string_split_string",
        [Type::String, Type::String],
        Type::list(Type::String),
    );
    d.method(
        "split",
        "string_split_string_int",
        [Type::String, Type::String, Type::Int],
        Type::list(Type::String),
    );
    d.method("substring", "string_substring_int", [Type::String, Type::Int], Type::String);
    d.method(
        "substring",
        "string_substring_int_int",
        [Type::String, Type::Int, Type::Int],
        Type::String,
    );
    d.method("trim", "string_trim", [Type::String], Type::String);
    d.method("upperAscii", "string_upper_ascii", [Type::String], Type::String);
    d.method("format", "string_format", [Type::String, Type::list(Type::Dyn)], Type::String);
    d.function("strings.quote", "strings_quote", [Type::String], Type::String);
    d.method("join", "list_join", [Type::list(Type::String)], Type::String);
    d.method("join", "list_join_string", [Type::list(Type::String), Type::String], Type::String);
}
