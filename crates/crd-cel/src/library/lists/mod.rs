//! The list functions that Kubernetes adds: order, sums and searching.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/lists.go`.

#[cfg(feature = "eval")]
pub(super) mod calls;

use super::row::{Row, rows};

pub(super) const OVERLOADS: &[Row] = rows! {
    "isSorted":
        method "list_int_is_sorted_bool" ([int]) -> bool: kubernetes(Elements), gives_cost_by_function_name()
            => traversing(is_sorted);
        method "list_uint_is_sorted_bool" ([uint]) -> bool: kubernetes(Elements)
            => traversing(is_sorted);
        method "list_double_is_sorted_bool" ([double]) -> bool: kubernetes(Elements)
            => traversing(is_sorted);
        method "list_bool_is_sorted_bool" ([bool]) -> bool: kubernetes(Elements)
            => traversing(is_sorted);
        method "list_duration_is_sorted_bool" ([duration]) -> bool: kubernetes(Elements)
            => traversing(is_sorted);
        method "list_timestamp_is_sorted_bool" ([timestamp]) -> bool: kubernetes(Elements)
            => traversing(is_sorted);
        method "list_string_is_sorted_bool" ([string]) -> bool: kubernetes(Elements)
            => traversing(is_sorted);
        method "list_bytes_is_sorted_bool" ([bytes]) -> bool: kubernetes(Elements)
            => traversing(is_sorted);
    "sum":
        method "list_int_sum_int" ([int]) -> int: kubernetes(Elements), gives_cost_by_function_name()
            => traversing(|_, args| sum(args, Value::Int(0)));
        method "list_uint_sum_uint" ([uint]) -> uint: kubernetes(Elements)
            => traversing(|_, args| sum(args, Value::Uint(0)));
        method "list_double_sum_double" ([double]) -> double: kubernetes(Elements)
            => traversing(|_, args| sum(args, Value::Double(0.0)));
        method "list_duration_sum_duration" ([duration]) -> duration: kubernetes(Elements)
            => traversing(|_, args| sum(args, Value::Duration(Duration { nanos: 0 })));
    "max":
        method "list_int_max_int" ([int]) -> int: kubernetes(Elements), gives_cost_by_function_name()
            => traversing(max);
        method "list_uint_max_uint" ([uint]) -> uint: kubernetes(Elements) => traversing(max);
        method "list_double_max_double" ([double]) -> double: kubernetes(Elements)
            => traversing(max);
        method "list_bool_max_bool" ([bool]) -> bool: kubernetes(Elements) => traversing(max);
        method "list_duration_max_duration" ([duration]) -> duration: kubernetes(Elements)
            => traversing(max);
        method "list_timestamp_max_timestamp" ([timestamp]) -> timestamp: kubernetes(Elements)
            => traversing(max);
        method "list_string_max_string" ([string]) -> string: kubernetes(Elements)
            => traversing(max);
        method "list_bytes_max_bytes" ([bytes]) -> bytes: kubernetes(Elements) => traversing(max);
    "min":
        method "list_int_min_int" ([int]) -> int: kubernetes(Elements), gives_cost_by_function_name()
            => traversing(min);
        method "list_uint_min_uint" ([uint]) -> uint: kubernetes(Elements) => traversing(min);
        method "list_double_min_double" ([double]) -> double: kubernetes(Elements)
            => traversing(min);
        method "list_bool_min_bool" ([bool]) -> bool: kubernetes(Elements) => traversing(min);
        method "list_duration_min_duration" ([duration]) -> duration: kubernetes(Elements)
            => traversing(min);
        method "list_timestamp_min_timestamp" ([timestamp]) -> timestamp: kubernetes(Elements)
            => traversing(min);
        method "list_string_min_string" ([string]) -> string: kubernetes(Elements)
            => traversing(min);
        method "list_bytes_min_bytes" ([bytes]) -> bytes: kubernetes(Elements) => traversing(min);
    "indexOf": method "list_a_index_of_int" ([A] A) -> int: kubernetes(Elements), gives_cost_by_function_name()
        => traversing(index_of);
    "lastIndexOf": method "list_a_last_index_of_int" ([A] A) -> int:
        kubernetes(Elements), gives_cost_by_function_name()
        => traversing(last_index_of);
};

/// What the library's second version adds.
pub(super) const SECOND_VERSION: &[Row] = rows! {
    "includes": method "list_includes_dyn_dyn" (dyn dyn) -> bool:
        kubernetes(Includes), gives_cost_by_function_name()
        => traversing(includes);
};
