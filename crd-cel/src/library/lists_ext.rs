//! The list functions of cel-go's extension, in the version that Kubernetes enables (3).
//!
//! Source: cel-go `ext/lists.go`.

use super::{A, Declarations};
use crate::types::Type;

/// Declares the library's functions and types.
pub(crate) fn declare(d: &mut Declarations) {
    let list_a = Type::list(A);
    d.method("slice", "list_slice", [list_a.clone(), Type::Int, Type::Int], list_a.clone());
    d.method("flatten", "list_flatten", [Type::list(list_a.clone())], list_a.clone());
    d.method(
        "flatten",
        "list_flatten_int",
        [Type::list(Type::Dyn), Type::Int],
        Type::list(Type::Dyn),
    );
    d.method("sort", "list_int_sort", [Type::list(Type::Int)], Type::list(Type::Int));
    d.method("sort", "list_uint_sort", [Type::list(Type::Uint)], Type::list(Type::Uint));
    d.method("sort", "list_double_sort", [Type::list(Type::Double)], Type::list(Type::Double));
    d.method("sort", "list_bool_sort", [Type::list(Type::Bool)], Type::list(Type::Bool));
    d.method(
        "sort",
        "list_google.protobuf.Duration_sort",
        [Type::list(Type::Duration)],
        Type::list(Type::Duration),
    );
    d.method(
        "sort",
        "list_google.protobuf.Timestamp_sort",
        [Type::list(Type::Timestamp)],
        Type::list(Type::Timestamp),
    );
    d.method("sort", "list_string_sort", [Type::list(Type::String)], Type::list(Type::String));
    d.method("sort", "list_bytes_sort", [Type::list(Type::Bytes)], Type::list(Type::Bytes));
    d.method(
        "@sortByAssociatedKeys",
        "list_int_sortByAssociatedKeys",
        [list_a.clone(), Type::list(Type::Int)],
        list_a.clone(),
    );
    d.method(
        "@sortByAssociatedKeys",
        "list_uint_sortByAssociatedKeys",
        [list_a.clone(), Type::list(Type::Uint)],
        list_a.clone(),
    );
    d.method(
        "@sortByAssociatedKeys",
        "list_double_sortByAssociatedKeys",
        [list_a.clone(), Type::list(Type::Double)],
        list_a.clone(),
    );
    d.method(
        "@sortByAssociatedKeys",
        "list_bool_sortByAssociatedKeys",
        [list_a.clone(), Type::list(Type::Bool)],
        list_a.clone(),
    );
    d.method(
        "@sortByAssociatedKeys",
        "list_google.protobuf.Duration_sortByAssociatedKeys",
        [list_a.clone(), Type::list(Type::Duration)],
        list_a.clone(),
    );
    d.method(
        "@sortByAssociatedKeys",
        "list_google.protobuf.Timestamp_sortByAssociatedKeys",
        [list_a.clone(), Type::list(Type::Timestamp)],
        list_a.clone(),
    );
    d.method(
        "@sortByAssociatedKeys",
        "list_string_sortByAssociatedKeys",
        [list_a.clone(), Type::list(Type::String)],
        list_a.clone(),
    );
    d.method(
        "@sortByAssociatedKeys",
        "list_bytes_sortByAssociatedKeys",
        [list_a.clone(), Type::list(Type::Bytes)],
        list_a.clone(),
    );
    d.function("lists.range", "lists_range", [Type::Int], Type::list(Type::Int));
    d.method("reverse", "list_reverse", [list_a.clone()], list_a.clone());
    d.method("distinct", "list_distinct", [list_a.clone()], list_a);
}
