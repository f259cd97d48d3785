//! The type conversions: functions with the name of the type that they convert to.
//!
//! Source: `cel-go/common/types`, `ConvertToType` of each type, and `overflow.go`.

#[cfg(feature = "eval")]
pub(super) mod calls;
pub(crate) mod scalar;

use super::row::{Row, rows};
use crate::minors::Presence;

pub(super) const OVERLOADS: &[Row] = rows! {
    "type": fn "type" (A) -> (type A) => Binding::new(type_of).without_type_guards();
    "bool":
        fn "bool_to_bool" (bool) -> bool => Binding::new(identity);
        fn "string_to_bool" (string) -> bool => Binding::new(to_bool);
    "bytes":
        fn "bytes_to_bytes" (bytes) -> bytes => Binding::new(identity);
        fn "string_to_bytes" (string) -> bytes: standard(ToBytes)
            => Binding::new(to_bytes).costing(Cost::Of(traversal));
    "double":
        fn "double_to_double" (double) -> double => Binding::new(identity);
        fn "int64_to_double" (int) -> double => Binding::new(to_double);
        fn "string_to_double" (string) -> double => Binding::new(to_double);
        fn "uint64_to_double" (uint) -> double => Binding::new(to_double);
    "duration":
        fn "duration_to_duration" (duration) -> duration => Binding::new(identity);
        fn "int64_to_duration" (int) -> duration: within(Presence::built_until(37))
            => Binding::new(to_duration);
        fn "string_to_duration" (string) -> duration => Binding::new(to_duration);
    "dyn": fn "to_dyn" (A) -> dyn => Binding::new(identity).without_type_guards();
    "int":
        fn "int64_to_int64" (int) -> int => Binding::new(identity);
        fn "double_to_int64" (double) -> int => Binding::new(to_int);
        fn "duration_to_int64" (duration) -> int => Binding::new(to_int);
        fn "string_to_int64" (string) -> int => Binding::new(to_int);
        fn "timestamp_to_int64" (timestamp) -> int => Binding::new(to_int);
        fn "uint64_to_int64" (uint) -> int => Binding::new(to_int);
    "string":
        fn "string_to_string" (string) -> string => Binding::new(identity);
        fn "bool_to_string" (bool) -> string => Binding::new(to_string);
        fn "bytes_to_string" (bytes) -> string: standard(ToText)
            => Binding::new(to_string).costing(Cost::Of(traversal));
        fn "double_to_string" (double) -> string => Binding::new(to_string);
        fn "duration_to_string" (duration) -> string => Binding::new(to_string);
        fn "int64_to_string" (int) -> string => Binding::new(to_string);
        fn "timestamp_to_string" (timestamp) -> string => Binding::new(to_string);
        fn "uint64_to_string" (uint) -> string => Binding::new(to_string);
    "timestamp":
        fn "timestamp_to_timestamp" (timestamp) -> timestamp => Binding::new(identity);
        fn "int64_to_timestamp" (int) -> timestamp => Binding::new(to_timestamp);
        fn "string_to_timestamp" (string) -> timestamp => Binding::new(to_timestamp);
    "uint":
        fn "uint64_to_uint64" (uint) -> uint => Binding::new(identity);
        fn "double_to_uint64" (double) -> uint => Binding::new(to_uint);
        fn "int64_to_uint64" (int) -> uint => Binding::new(to_uint);
        fn "string_to_uint64" (string) -> uint => Binding::new(to_uint);
};
