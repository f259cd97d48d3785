//! The standard operators, and `size`.
//!
//! Source: `cel-go/common/stdlib/standard.go`; `common/types`, `Add`, `Subtract`, `Compare`, ... of
//! each type, and `overflow.go`. An operator tests its left operand first: if its type does not
//! have the operation, the error names the operator.

#[cfg(feature = "eval")]
pub(super) mod calls;

use super::row::{Row, rows};

/// Logic and equality.
pub(super) const LOGIC: &[Row] = rows! {
    "_?_:_": fn "conditional" (bool A A) -> A: standard(Conditional);
    "_&&_": fn "logical_and" (bool bool) -> bool: standard(Logic);
    "_||_": fn "logical_or" (bool bool) -> bool: standard(Logic);
    "!_": fn "logical_not" (bool) -> bool => operator(not);
    "@not_strictly_false": fn "not_strictly_false" (bool) -> bool;
    "_==_": fn "equals" (A A) -> bool: kubernetes(Equals);
    "_!=_": fn "not_equals" (A A) -> bool: standard(Compare);
};

/// `+ - * / %` and negation.
pub(super) const ARITHMETIC: &[Row] = rows! {
    "_+_":
        fn "add_bytes" (bytes bytes) -> bytes: standard(AddTexts)
            => operator(add).costing(Cost::Of(joined_size));
        fn "add_double" (double double) -> double => operator(add);
        fn "add_duration_duration" (duration duration) -> duration => operator(add);
        fn "add_duration_timestamp" (duration timestamp) -> timestamp => operator(add);
        fn "add_timestamp_duration" (timestamp duration) -> timestamp => operator(add);
        fn "add_int64" (int int) -> int => operator(add);
        fn "add_list" ([A] [A]) -> [A]: standard(AddLists) => operator(add);
        fn "add_string" (string string) -> string: standard(AddTexts)
            => operator(add).costing(Cost::Of(joined_size));
        fn "add_uint64" (uint uint) -> uint => operator(add);
    "_/_":
        fn "divide_double" (double double) -> double => operator(divide);
        fn "divide_int64" (int int) -> int => operator(divide);
        fn "divide_uint64" (uint uint) -> uint => operator(divide);
    "_%_":
        fn "modulo_int64" (int int) -> int => operator(modulo);
        fn "modulo_uint64" (uint uint) -> uint => operator(modulo);
    "_*_":
        fn "multiply_double" (double double) -> double => operator(multiply);
        fn "multiply_int64" (int int) -> int => operator(multiply);
        fn "multiply_uint64" (uint uint) -> uint => operator(multiply);
    "-_":
        fn "negate_double" (double) -> double => operator(negate);
        fn "negate_int64" (int) -> int => operator(negate);
    "_-_":
        fn "subtract_double" (double double) -> double => operator(subtract);
        fn "subtract_duration_duration" (duration duration) -> duration => operator(subtract);
        fn "subtract_int64" (int int) -> int => operator(subtract);
        fn "subtract_timestamp_duration" (timestamp duration) -> timestamp => operator(subtract);
        fn "subtract_timestamp_timestamp" (timestamp timestamp) -> duration => operator(subtract);
        fn "subtract_uint64" (uint uint) -> uint => operator(subtract);
};

/// The overloads of an ordering operator, across numeric types too. `$id` is the beginning of their
/// ids.
macro_rules! order {
    ($name:literal, $id:literal, $call:ident) => {
        rows! {
            $name:
                fn (concat!($id, "_bool")) (bool bool) -> bool => operator($call);
                fn (concat!($id, "_int64")) (int int) -> bool => operator($call);
                fn (concat!($id, "_int64_double")) (int double) -> bool => operator($call);
                fn (concat!($id, "_int64_uint64")) (int uint) -> bool => operator($call);
                fn (concat!($id, "_uint64")) (uint uint) -> bool => operator($call);
                fn (concat!($id, "_uint64_double")) (uint double) -> bool => operator($call);
                fn (concat!($id, "_uint64_int64")) (uint int) -> bool => operator($call);
                fn (concat!($id, "_double")) (double double) -> bool => operator($call);
                fn (concat!($id, "_double_int64")) (double int) -> bool => operator($call);
                fn (concat!($id, "_double_uint64")) (double uint) -> bool => operator($call);
                fn (concat!($id, "_string")) (string string) -> bool: standard(Compare)
                    => by_length($call);
                fn (concat!($id, "_bytes")) (bytes bytes) -> bool: standard(Compare)
                    => by_length($call);
                fn (concat!($id, "_timestamp")) (timestamp timestamp) -> bool => operator($call);
                fn (concat!($id, "_duration")) (duration duration) -> bool => operator($call);
        }
    };
}

pub(super) const LESS: &[Row] = order!("_<_", "less", less);
pub(super) const LESS_EQUALS: &[Row] = order!("_<=_", "less_equals", less_equals);
pub(super) const GREATER: &[Row] = order!("_>_", "greater", greater);
pub(super) const GREATER_EQUALS: &[Row] = order!("_>=_", "greater_equals", greater_equals);

/// Indexing, `in` and `size`.
pub(super) const MEMBERS: &[Row] = rows! {
    "_[_]":
        fn "index_list" ([A] int) -> A: standard(Element);
        fn "index_map" ({A B} A) -> B: standard(Member);
    "@in":
        fn "in_list" (A [A]) -> bool: standard(In)
            => operator(contains).costing(Cost::Of(list_size));
        fn "in_map" (A {A B}) -> bool => operator(contains);
    "size":
        fn "size_bytes" (bytes) -> int => operator(size_of);
        method "bytes_size" (bytes) -> int => operator(size_of);
        fn "size_list" ([A]) -> int => operator(size_of);
        method "list_size" ([A]) -> int => operator(size_of);
        fn "size_map" ({A B}) -> int => operator(size_of);
        method "map_size" ({A B}) -> int => operator(size_of);
        fn "size_string" (string) -> int => operator(size_of);
        method "string_size" (string) -> int => operator(size_of);
};
