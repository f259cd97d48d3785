//! The list functions that Kubernetes adds: order, sums and searching.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/lists.go`.

use super::{A, Declarations};
use crate::types::Type;

/// Declares the library's functions and types.
pub(crate) fn declare(d: &mut Declarations) {
    d.method("isSorted", "list_int_is_sorted_bool", [Type::list(Type::Int)], Type::Bool);
    d.method("isSorted", "list_uint_is_sorted_bool", [Type::list(Type::Uint)], Type::Bool);
    d.method("isSorted", "list_double_is_sorted_bool", [Type::list(Type::Double)], Type::Bool);
    d.method("isSorted", "list_bool_is_sorted_bool", [Type::list(Type::Bool)], Type::Bool);
    d.method("isSorted", "list_duration_is_sorted_bool", [Type::list(Type::Duration)], Type::Bool);
    d.method(
        "isSorted",
        "list_timestamp_is_sorted_bool",
        [Type::list(Type::Timestamp)],
        Type::Bool,
    );
    d.method("isSorted", "list_string_is_sorted_bool", [Type::list(Type::String)], Type::Bool);
    d.method("isSorted", "list_bytes_is_sorted_bool", [Type::list(Type::Bytes)], Type::Bool);
    d.method("sum", "list_int_sum_int", [Type::list(Type::Int)], Type::Int);
    d.method("sum", "list_uint_sum_uint", [Type::list(Type::Uint)], Type::Uint);
    d.method("sum", "list_double_sum_double", [Type::list(Type::Double)], Type::Double);
    d.method("sum", "list_duration_sum_duration", [Type::list(Type::Duration)], Type::Duration);
    d.method("max", "list_int_max_int", [Type::list(Type::Int)], Type::Int);
    d.method("max", "list_uint_max_uint", [Type::list(Type::Uint)], Type::Uint);
    d.method("max", "list_double_max_double", [Type::list(Type::Double)], Type::Double);
    d.method("max", "list_bool_max_bool", [Type::list(Type::Bool)], Type::Bool);
    d.method("max", "list_duration_max_duration", [Type::list(Type::Duration)], Type::Duration);
    d.method("max", "list_timestamp_max_timestamp", [Type::list(Type::Timestamp)], Type::Timestamp);
    d.method("max", "list_string_max_string", [Type::list(Type::String)], Type::String);
    d.method("max", "list_bytes_max_bytes", [Type::list(Type::Bytes)], Type::Bytes);
    d.method("min", "list_int_min_int", [Type::list(Type::Int)], Type::Int);
    d.method("min", "list_uint_min_uint", [Type::list(Type::Uint)], Type::Uint);
    d.method("min", "list_double_min_double", [Type::list(Type::Double)], Type::Double);
    d.method("min", "list_bool_min_bool", [Type::list(Type::Bool)], Type::Bool);
    d.method("min", "list_duration_min_duration", [Type::list(Type::Duration)], Type::Duration);
    d.method("min", "list_timestamp_min_timestamp", [Type::list(Type::Timestamp)], Type::Timestamp);
    d.method("min", "list_string_min_string", [Type::list(Type::String)], Type::String);
    d.method("min", "list_bytes_min_bytes", [Type::list(Type::Bytes)], Type::Bytes);
    d.method("indexOf", "list_a_index_of_int", [Type::list(A), A], Type::Int);
    d.method("lastIndexOf", "list_a_last_index_of_int", [Type::list(A), A], Type::Int);
}

/// Declares what the library's second version adds.
pub(crate) fn declare_second_version(d: &mut Declarations) {
    d.method("includes", "list_includes_dyn_dyn", [Type::Dyn, Type::Dyn], Type::Bool);
}
