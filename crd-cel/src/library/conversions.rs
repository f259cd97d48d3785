//! The type conversions: functions with the name of the type that they convert to.
//!
//! Source: `cel-go/common/types`, `ConvertToType` of each type, and `overflow.go`.

use super::binding::{Binding, Cost};
use super::costs::traversal;
use super::estimate::Standard;
use super::row::{Row, sig};
use crate::budget::Budget;
use crate::error::EvalError;
use crate::gofmt;
use crate::minors::Presence;
use crate::time::{Duration, Timestamp};
use crate::value::{Bytes, Str, Value};

type Result<'a> = std::result::Result<Value<'a>, EvalError>;

pub(super) const OVERLOADS: &[Row] = &[
    Row::function("type", "type", sig!((A) -> (type A)), Binding::new(type_of).unguarded()),
    Row::function("bool", "bool_to_bool", sig!((bool) -> bool), Binding::new(identity)),
    Row::function("bool", "string_to_bool", sig!((string) -> bool), Binding::new(to_bool)),
    Row::function("bytes", "bytes_to_bytes", sig!((bytes) -> bytes), Binding::new(identity)),
    Row::function(
        "bytes",
        "string_to_bytes",
        sig!((string) -> bytes),
        Binding::new(to_bytes).costing(Cost::Of(traversal)),
    )
    .standard(Standard::ToBytes),
    Row::function("double", "double_to_double", sig!((double) -> double), Binding::new(identity)),
    Row::function("double", "int64_to_double", sig!((int) -> double), Binding::new(to_double)),
    Row::function("double", "string_to_double", sig!((string) -> double), Binding::new(to_double)),
    Row::function("double", "uint64_to_double", sig!((uint) -> double), Binding::new(to_double)),
    Row::function(
        "duration",
        "duration_to_duration",
        sig!((duration) -> duration),
        Binding::new(identity),
    ),
    Row::function(
        "duration",
        "int64_to_duration",
        sig!((int) -> duration),
        Binding::new(to_duration),
    )
    .within(Presence::built_until(37)),
    Row::function(
        "duration",
        "string_to_duration",
        sig!((string) -> duration),
        Binding::new(to_duration),
    ),
    Row::function("dyn", "to_dyn", sig!((A) -> dyn), Binding::new(identity).unguarded()),
    Row::function("int", "int64_to_int64", sig!((int) -> int), Binding::new(identity)),
    Row::function("int", "double_to_int64", sig!((double) -> int), Binding::new(to_int)),
    Row::function("int", "duration_to_int64", sig!((duration) -> int), Binding::new(to_int)),
    Row::function("int", "string_to_int64", sig!((string) -> int), Binding::new(to_int)),
    Row::function("int", "timestamp_to_int64", sig!((timestamp) -> int), Binding::new(to_int)),
    Row::function("int", "uint64_to_int64", sig!((uint) -> int), Binding::new(to_int)),
    Row::function("string", "string_to_string", sig!((string) -> string), Binding::new(identity)),
    Row::function("string", "bool_to_string", sig!((bool) -> string), Binding::new(to_string)),
    Row::function(
        "string",
        "bytes_to_string",
        sig!((bytes) -> string),
        Binding::new(to_string).costing(Cost::Of(traversal)),
    )
    .standard(Standard::ToText),
    Row::function("string", "double_to_string", sig!((double) -> string), Binding::new(to_string)),
    Row::function(
        "string",
        "duration_to_string",
        sig!((duration) -> string),
        Binding::new(to_string),
    ),
    Row::function("string", "int64_to_string", sig!((int) -> string), Binding::new(to_string)),
    Row::function(
        "string",
        "timestamp_to_string",
        sig!((timestamp) -> string),
        Binding::new(to_string),
    ),
    Row::function("string", "uint64_to_string", sig!((uint) -> string), Binding::new(to_string)),
    Row::function(
        "timestamp",
        "timestamp_to_timestamp",
        sig!((timestamp) -> timestamp),
        Binding::new(identity),
    ),
    Row::function(
        "timestamp",
        "int64_to_timestamp",
        sig!((int) -> timestamp),
        Binding::new(to_timestamp),
    ),
    Row::function(
        "timestamp",
        "string_to_timestamp",
        sig!((string) -> timestamp),
        Binding::new(to_timestamp),
    ),
    Row::function("uint", "uint64_to_uint64", sig!((uint) -> uint), Binding::new(identity)),
    Row::function("uint", "double_to_uint64", sig!((double) -> uint), Binding::new(to_uint)),
    Row::function("uint", "int64_to_uint64", sig!((int) -> uint), Binding::new(to_uint)),
    Row::function("uint", "string_to_uint64", sig!((string) -> uint), Binding::new(to_uint)),
];

const INT_OVERFLOW: EvalError = EvalError::fixed("integer overflow");
const UINT_OVERFLOW: EvalError = EvalError::fixed("unsigned integer overflow");

/// 2^63 and 2^64 as doubles.
const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;
const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;

/// The functions whose call on a constant is replaced by its result when a program is planned; a
/// call that fails makes the program fail.
///
/// Source: `cel-go/common/overloads/overloads.go`, `IsTypeConversionFunction`.
pub(crate) fn is_conversion(function: &str) -> bool {
    matches!(
        function,
        "bool"
            | "bytes"
            | "double"
            | "duration"
            | "dyn"
            | "int"
            | "string"
            | "timestamp"
            | "type"
            | "uint"
    )
}

fn operand<'v, 'a>(args: &'v [Value<'a>]) -> std::result::Result<&'v Value<'a>, EvalError> {
    args.first().ok_or(EvalError::NO_SUCH_OVERLOAD)
}

fn failed<'a>(value: &Value<'_>, to: &str) -> Result<'a> {
    Err(EvalError::conversion(value.type_name(), to))
}

fn identity<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    operand(args).cloned()
}

fn type_of<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let value = operand(args)?;
    if let Value::Unknown(_) = value {
        return Err(EvalError::fixed(
            "type conversion to 'type' not supported for values preserved by \
             x-kubernetes-preserve-unknown-fields",
        ));
    }
    Ok(Value::Type(Str::Borrowed(value.type_name())))
}

fn to_bool<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let value = operand(args)?;
    match value.as_str() {
        Some("1" | "t" | "T" | "TRUE" | "true" | "True") => Ok(Value::Bool(true)),
        Some("0" | "f" | "F" | "FALSE" | "false" | "False") => Ok(Value::Bool(false)),
        _ => failed(value, "bool"),
    }
}

fn to_bytes<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    match operand(args)? {
        Value::String(Str::Borrowed(text)) => Ok(Value::Bytes(Bytes::Borrowed(text.as_bytes()))),
        Value::String(Str::Shared(text)) => Ok(Value::bytes(text.as_bytes())),
        other => failed(other, "bytes"),
    }
}

#[expect(clippy::cast_precision_loss, reason = "as Go converts integers")]
fn to_double<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    match operand(args)? {
        Value::Int(i) => Ok(Value::Double(*i as f64)),
        Value::Uint(u) => Ok(Value::Double(*u as f64)),
        text => match text.as_str().and_then(crate::parse_float::parse) {
            Some(d) => Ok(Value::Double(d)),
            None => failed(text, "double"),
        },
    }
}

fn to_duration<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let value = operand(args)?;
    match value.as_str().and_then(Duration::parse) {
        Some(duration) => Ok(Value::Duration(duration)),
        None => failed(value, "google.protobuf.Duration"),
    }
}

fn to_timestamp<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let value = operand(args)?;
    if let Value::Int(seconds) = value {
        return Timestamp::from_seconds(*seconds).map(Value::Timestamp);
    }
    match value.as_str().and_then(Timestamp::parse) {
        Some(timestamp) => timestamp.in_range().map(Value::Timestamp),
        None => failed(value, "google.protobuf.Timestamp"),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
fn to_int<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let value = operand(args)?;
    Ok(Value::Int(match value {
        Value::Uint(u) => i64::try_from(*u).map_err(|_| INT_OVERFLOW)?,
        Value::Double(d) if *d > -TWO_TO_63 && *d < TWO_TO_63 => *d as i64,
        Value::Double(_) => return Err(INT_OVERFLOW),
        Value::Duration(d) => d.nanos,
        Value::Timestamp(t) => t.seconds,
        other => match other.as_str().and_then(|text| text.parse().ok()) {
            Some(i) => i,
            None => return failed(other, "int"),
        },
    }))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked")]
fn to_uint<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let value = operand(args)?;
    Ok(Value::Uint(match value {
        Value::Int(i) => u64::try_from(*i).map_err(|_| UINT_OVERFLOW)?,
        Value::Double(d) if *d >= 0.0 && *d < TWO_TO_64 => *d as u64,
        Value::Double(_) => return Err(UINT_OVERFLOW),
        other => {
            // Go's ParseUint takes no sign; Rust's parse takes a plus.
            let digits = other.as_str().filter(|text| !text.starts_with('+'));
            match digits.and_then(|text| text.parse().ok()) {
                Some(u) => u,
                None => return failed(other, "uint"),
            }
        }
    }))
}

fn to_string<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    Ok(match operand(args)? {
        Value::Bool(b) => Value::str(if *b { "true" } else { "false" }),
        Value::Int(i) => Value::string(i.to_string()),
        Value::Uint(u) => Value::string(u.to_string()),
        Value::Double(d) => Value::string(gofmt::float_v(*d)),
        Value::Duration(d) => Value::string(d.to_string()),
        Value::Timestamp(t) => Value::string(t.to_string()),
        Value::Bytes(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Value::string(text),
            Err(_) => {
                return Err(EvalError::fixed("invalid UTF-8 in bytes, cannot convert to string"));
            }
        },
        other => return failed(other, "string"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minors::KubernetesVersion;

    #[track_caller]
    fn check(overload: &str, arg: &Value<'_>, want: &str) {
        let binding = crate::library::bound(overload);
        let got = match (binding.call)(
            &mut Budget::new(1_000_000, KubernetesVersion::REFERENCE),
            std::slice::from_ref(arg),
        ) {
            Ok(value) => value.to_string(),
            Err(error) => error.to_string(),
        };
        assert_eq!(got, want, "{overload} {arg:?}");
    }

    #[test]
    fn to_integers() {
        check("string_to_int64", &Value::str("+12"), "12");
        check(
            "string_to_int64",
            &Value::str("0x1"),
            "type conversion error from 'string' to 'int'",
        );
        check("double_to_int64", &Value::Double(-1.9), "-1");
        check("double_to_int64", &Value::Double(-TWO_TO_63), "integer overflow");
        check("double_to_int64", &Value::Double(f64::NAN), "integer overflow");
        check("uint64_to_int64", &Value::Uint(u64::MAX), "integer overflow");
        check("int64_to_uint64", &Value::Int(-1), "unsigned integer overflow");
        check("double_to_uint64", &Value::Double(1.5e19), "15000000000000000000");
        check(
            "string_to_uint64",
            &Value::str("+1"),
            "type conversion error from 'string' to 'uint'",
        );
    }

    #[test]
    fn to_text_and_back() {
        check("double_to_string", &Value::Double(1e6), "1e+06");
        check(
            "bytes_to_string",
            &Value::bytes(&b"a\xff"[..]),
            "invalid UTF-8 in bytes, cannot convert to string",
        );
        check("string_to_bool", &Value::str("T"), "true");
        check(
            "string_to_bool",
            &Value::str("yes"),
            "type conversion error from 'string' to 'bool'",
        );
        check("string_to_duration", &Value::str("1h30m"), "5400s");
        check(
            "int64_to_duration",
            &Value::Int(5),
            "type conversion error from 'int' to 'google.protobuf.Duration'",
        );
        check(
            "string_to_timestamp",
            &Value::str("2020-01-01T00:00:00+01:00"),
            "2020-01-01T00:00:00+01:00",
        );
        check("int64_to_timestamp", &Value::Int(i64::MAX), "timestamp overflow");
    }
}
