//! The list functions of cel-go's extension, in the version that Kubernetes enables (3).
//!
//! Source: cel-go `ext/lists.go`.

#[cfg(feature = "eval")]
pub(super) mod calls;

use super::row::{Row, rows};

pub(super) const OVERLOADS: &[Row] = rows! {
    "slice": method "list_slice" ([A] int int) -> [A]: extension(Slice) => making(slice);
    "flatten":
        method "list_flatten" ([[A]]) -> [A]: extension(Copy) => FLATTEN;
        method "list_flatten_int" ([dyn] int) -> [dyn]: extension(Flatten) => FLATTEN;
    "sort":
        method "list_int_sort" ([int]) -> [int]: extension(Sort) => SORT;
        method "list_uint_sort" ([uint]) -> [uint]: extension(Sort) => SORT;
        method "list_double_sort" ([double]) -> [double]: extension(Sort) => SORT;
        method "list_bool_sort" ([bool]) -> [bool]: extension(Sort) => SORT;
        method "list_google.protobuf.Duration_sort" ([duration]) -> [duration]: extension(Sort)
            => SORT;
        method "list_google.protobuf.Timestamp_sort" ([timestamp]) -> [timestamp]: extension(Sort)
            => SORT;
        method "list_string_sort" ([string]) -> [string]: extension(SortTexts) => SORT;
        method "list_bytes_sort" ([bytes]) -> [bytes]: extension(SortTexts) => SORT;
    "@sortByAssociatedKeys":
        method "list_int_sortByAssociatedKeys" ([A] [int]) -> [A]: extension(Sort) => SORT_BY;
        method "list_uint_sortByAssociatedKeys" ([A] [uint]) -> [A]: extension(Sort) => SORT_BY;
        method "list_double_sortByAssociatedKeys" ([A] [double]) -> [A]: extension(Sort) => SORT_BY;
        method "list_bool_sortByAssociatedKeys" ([A] [bool]) -> [A]: extension(Sort) => SORT_BY;
        method "list_google.protobuf.Duration_sortByAssociatedKeys" ([A] [duration]) -> [A]:
            extension(Sort) => SORT_BY;
        method "list_google.protobuf.Timestamp_sortByAssociatedKeys" ([A] [timestamp]) -> [A]:
            extension(Sort) => SORT_BY;
        method "list_string_sortByAssociatedKeys" ([A] [string]) -> [A]: extension(SortTexts)
            => SORT_BY;
        method "list_bytes_sortByAssociatedKeys" ([A] [bytes]) -> [A]: extension(SortTexts)
            => SORT_BY;
    "lists.range": fn "lists_range" (int) -> [int]: extension(Range) => making(range);
    "reverse": method "list_reverse" ([A]) -> [A]: extension(Copy) => making(reverse);
    "distinct": method "list_distinct" ([A]) -> [A]: extension(Distinct) => DISTINCT;
};
