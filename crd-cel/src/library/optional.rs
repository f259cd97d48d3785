//! Optional values.
//!
//! Source: cel-go `cel/library.go`, `optionalLib`.

use super::{A, B, Declarations};
use crate::types::{OPTIONAL, Type};

/// Declares the library's functions and types.
pub(crate) fn declare(d: &mut Declarations) {
    d.type_name(OPTIONAL, Type::opaque(OPTIONAL));
    d.function("optional.of", "optional_of", [A], Type::optional(A));
    d.function("optional.ofNonZeroValue", "optional_ofNonZeroValue", [A], Type::optional(A));
    d.function("optional.none", "optional_none", [], Type::optional(A));
    d.method("value", "optional_value", [Type::optional(A)], A);
    d.method("hasValue", "optional_hasValue", [Type::optional(A)], Type::Bool);
    d.method(
        "or",
        "optional_or_optional",
        [Type::optional(A), Type::optional(A)],
        Type::optional(A),
    );
    d.method("orValue", "optional_orValue_value", [Type::optional(A), A], A);
    d.function("_?._", "select_optional_field", [Type::Dyn, Type::String], Type::optional(A));
    d.function(
        "_[?_]",
        "list_optindex_optional_int",
        [Type::list(A), Type::Int],
        Type::optional(A),
    );
    d.function(
        "_[?_]",
        "optional_list_optindex_optional_int",
        [Type::optional(Type::list(A)), Type::Int],
        Type::optional(A),
    );
    d.function("_[?_]", "map_optindex_optional_value", [Type::map(A, B), A], Type::optional(B));
    d.function(
        "_[?_]",
        "optional_map_optindex_optional_value",
        [Type::optional(Type::map(A, B)), A],
        Type::optional(B),
    );
    d.function(
        "_[_]",
        "optional_list_index_int",
        [Type::optional(Type::list(A)), Type::Int],
        Type::optional(A),
    );
    d.function(
        "_[_]",
        "optional_map_index_value",
        [Type::optional(Type::map(A, B)), A],
        Type::optional(B),
    );
    d.method("last", "list_last", [Type::list(A)], Type::optional(A));
    d.method("first", "list_first", [Type::list(A)], Type::optional(A));
    d.function(
        "optional.unwrap",
        "optional_unwrap",
        [Type::list(Type::optional(A))],
        Type::list(A),
    );
    d.method("unwrapOpt", "optional_unwrapOpt", [Type::list(Type::optional(A))], Type::list(A));
}
