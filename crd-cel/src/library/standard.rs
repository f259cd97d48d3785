//! The standard functions: operators, conversions, `size` and the basic string tests.
//!
//! Source: cel-go `common/stdlib/standard.go`.

use super::{A, B, Declarations};
use crate::types::Type;

/// Declares the library's functions and types.
pub(crate) fn declare(d: &mut Declarations) {
    let list_a = Type::list(A);
    let map_ab = Type::map(A, B);
    declare_types(d);
    d.function("_?_:_", "conditional", [Type::Bool, A, A], A);
    d.function("_&&_", "logical_and", [Type::Bool, Type::Bool], Type::Bool);
    d.function("_||_", "logical_or", [Type::Bool, Type::Bool], Type::Bool);
    d.function("!_", "logical_not", [Type::Bool], Type::Bool);
    d.function("@not_strictly_false", "not_strictly_false", [Type::Bool], Type::Bool);
    d.function("_==_", "equals", [A, A], Type::Bool);
    d.function("_!=_", "not_equals", [A, A], Type::Bool);
    declare_arithmetic(d);
    declare_ordering(d);
    d.function("_[_]", "index_list", [list_a.clone(), Type::Int], A);
    d.function("_[_]", "index_map", [map_ab.clone(), A], B);
    d.function("@in", "in_list", [A, list_a.clone()], Type::Bool);
    d.function("@in", "in_map", [A, map_ab.clone()], Type::Bool);
    d.function("size", "size_bytes", [Type::Bytes], Type::Int);
    d.method("size", "bytes_size", [Type::Bytes], Type::Int);
    d.function("size", "size_list", [list_a.clone()], Type::Int);
    d.method("size", "list_size", [list_a.clone()], Type::Int);
    d.function("size", "size_map", [map_ab.clone()], Type::Int);
    d.method("size", "map_size", [map_ab.clone()], Type::Int);
    d.function("size", "size_string", [Type::String], Type::Int);
    d.method("size", "string_size", [Type::String], Type::Int);
    declare_conversions(d);
    d.method("contains", "contains_string", [Type::String, Type::String], Type::Bool);
    d.method("endsWith", "ends_with_string", [Type::String, Type::String], Type::Bool);
    d.method("startsWith", "starts_with_string", [Type::String, Type::String], Type::Bool);
    d.function("matches", "matches", [Type::String, Type::String], Type::Bool);
    d.method("matches", "matches_string", [Type::String, Type::String], Type::Bool);
}

/// `+ - * / %` and negation.
fn declare_arithmetic(d: &mut Declarations) {
    let list_a = Type::list(A);
    d.function("_+_", "add_bytes", [Type::Bytes, Type::Bytes], Type::Bytes);
    d.function("_+_", "add_double", [Type::Double, Type::Double], Type::Double);
    d.function("_+_", "add_duration_duration", [Type::Duration, Type::Duration], Type::Duration);
    d.function("_+_", "add_duration_timestamp", [Type::Duration, Type::Timestamp], Type::Timestamp);
    d.function("_+_", "add_timestamp_duration", [Type::Timestamp, Type::Duration], Type::Timestamp);
    d.function("_+_", "add_int64", [Type::Int, Type::Int], Type::Int);
    d.function("_+_", "add_list", [list_a.clone(), list_a.clone()], list_a);
    d.function("_+_", "add_string", [Type::String, Type::String], Type::String);
    d.function("_+_", "add_uint64", [Type::Uint, Type::Uint], Type::Uint);
    d.function("_/_", "divide_double", [Type::Double, Type::Double], Type::Double);
    d.function("_/_", "divide_int64", [Type::Int, Type::Int], Type::Int);
    d.function("_/_", "divide_uint64", [Type::Uint, Type::Uint], Type::Uint);
    d.function("_%_", "modulo_int64", [Type::Int, Type::Int], Type::Int);
    d.function("_%_", "modulo_uint64", [Type::Uint, Type::Uint], Type::Uint);
    d.function("_*_", "multiply_double", [Type::Double, Type::Double], Type::Double);
    d.function("_*_", "multiply_int64", [Type::Int, Type::Int], Type::Int);
    d.function("_*_", "multiply_uint64", [Type::Uint, Type::Uint], Type::Uint);
    d.function("-_", "negate_double", [Type::Double], Type::Double);
    d.function("-_", "negate_int64", [Type::Int], Type::Int);
    d.function("_-_", "subtract_double", [Type::Double, Type::Double], Type::Double);
    d.function(
        "_-_",
        "subtract_duration_duration",
        [Type::Duration, Type::Duration],
        Type::Duration,
    );
    d.function("_-_", "subtract_int64", [Type::Int, Type::Int], Type::Int);
    d.function(
        "_-_",
        "subtract_timestamp_duration",
        [Type::Timestamp, Type::Duration],
        Type::Timestamp,
    );
    d.function(
        "_-_",
        "subtract_timestamp_timestamp",
        [Type::Timestamp, Type::Timestamp],
        Type::Duration,
    );
    d.function("_-_", "subtract_uint64", [Type::Uint, Type::Uint], Type::Uint);
}

/// `< <= > >=`, across numeric types too.
fn declare_ordering(d: &mut Declarations) {
    macro_rules! order {
        ($name:literal, $id:literal) => {
            d.function($name, concat!($id, "_bool"), [Type::Bool, Type::Bool], Type::Bool);
            d.function($name, concat!($id, "_int64"), [Type::Int, Type::Int], Type::Bool);
            d.function($name, concat!($id, "_int64_double"), [Type::Int, Type::Double], Type::Bool);
            d.function($name, concat!($id, "_int64_uint64"), [Type::Int, Type::Uint], Type::Bool);
            d.function($name, concat!($id, "_uint64"), [Type::Uint, Type::Uint], Type::Bool);
            d.function(
                $name,
                concat!($id, "_uint64_double"),
                [Type::Uint, Type::Double],
                Type::Bool,
            );
            d.function($name, concat!($id, "_uint64_int64"), [Type::Uint, Type::Int], Type::Bool);
            d.function($name, concat!($id, "_double"), [Type::Double, Type::Double], Type::Bool);
            d.function($name, concat!($id, "_double_int64"), [Type::Double, Type::Int], Type::Bool);
            d.function(
                $name,
                concat!($id, "_double_uint64"),
                [Type::Double, Type::Uint],
                Type::Bool,
            );
            d.function($name, concat!($id, "_string"), [Type::String, Type::String], Type::Bool);
            d.function($name, concat!($id, "_bytes"), [Type::Bytes, Type::Bytes], Type::Bool);
            d.function(
                $name,
                concat!($id, "_timestamp"),
                [Type::Timestamp, Type::Timestamp],
                Type::Bool,
            );
            d.function(
                $name,
                concat!($id, "_duration"),
                [Type::Duration, Type::Duration],
                Type::Bool,
            );
        };
    }
    order!("_<_", "less");
    order!("_<=_", "less_equals");
    order!("_>_", "greater");
    order!("_>=_", "greater_equals");
}

/// Conversions, named as the types they convert to.
fn declare_conversions(d: &mut Declarations) {
    d.function("type", "type", [A], Type::type_of(A));
    d.function("bool", "bool_to_bool", [Type::Bool], Type::Bool);
    d.function("bool", "string_to_bool", [Type::String], Type::Bool);
    d.function("bytes", "bytes_to_bytes", [Type::Bytes], Type::Bytes);
    d.function("bytes", "string_to_bytes", [Type::String], Type::Bytes);
    d.function("double", "double_to_double", [Type::Double], Type::Double);
    d.function("double", "int64_to_double", [Type::Int], Type::Double);
    d.function("double", "string_to_double", [Type::String], Type::Double);
    d.function("double", "uint64_to_double", [Type::Uint], Type::Double);
    d.function("duration", "duration_to_duration", [Type::Duration], Type::Duration);
    d.function("duration", "int64_to_duration", [Type::Int], Type::Duration);
    d.function("duration", "string_to_duration", [Type::String], Type::Duration);
    d.function("dyn", "to_dyn", [A], Type::Dyn);
    d.function("int", "int64_to_int64", [Type::Int], Type::Int);
    d.function("int", "double_to_int64", [Type::Double], Type::Int);
    d.function("int", "duration_to_int64", [Type::Duration], Type::Int);
    d.function("int", "string_to_int64", [Type::String], Type::Int);
    d.function("int", "timestamp_to_int64", [Type::Timestamp], Type::Int);
    d.function("int", "uint64_to_int64", [Type::Uint], Type::Int);
    d.function("string", "string_to_string", [Type::String], Type::String);
    d.function("string", "bool_to_string", [Type::Bool], Type::String);
    d.function("string", "bytes_to_string", [Type::Bytes], Type::String);
    d.function("string", "double_to_string", [Type::Double], Type::String);
    d.function("string", "duration_to_string", [Type::Duration], Type::String);
    d.function("string", "int64_to_string", [Type::Int], Type::String);
    d.function("string", "timestamp_to_string", [Type::Timestamp], Type::String);
    d.function("string", "uint64_to_string", [Type::Uint], Type::String);
    d.function("timestamp", "timestamp_to_timestamp", [Type::Timestamp], Type::Timestamp);
    d.function("timestamp", "int64_to_timestamp", [Type::Int], Type::Timestamp);
    d.function("timestamp", "string_to_timestamp", [Type::String], Type::Timestamp);
    d.function("uint", "uint64_to_uint64", [Type::Uint], Type::Uint);
    d.function("uint", "double_to_uint64", [Type::Double], Type::Uint);
    d.function("uint", "int64_to_uint64", [Type::Int], Type::Uint);
    d.function("uint", "string_to_uint64", [Type::String], Type::Uint);
}

/// The types that have a name.
fn declare_types(d: &mut Declarations) {
    let named = |name: &str| Type::Param(name.into());
    d.type_name("bool", Type::Bool);
    d.type_name("bytes", Type::Bytes);
    d.type_name("double", Type::Double);
    d.type_name("google.protobuf.Duration", Type::Duration);
    d.type_name("int", Type::Int);
    d.type_name("list", Type::list(named("A")));
    d.type_name("map", Type::map(named("A"), named("B")));
    d.type_name("null_type", Type::Null);
    d.type_name("string", Type::String);
    d.type_name("google.protobuf.Timestamp", Type::Timestamp);
    d.type_name("type", Type::Type(None));
    d.type_name("uint", Type::Uint);
}
