//! Evaluation of the type conversions: functions with the name of the type that they convert to.

use super::scalar;
use crate::budget::Budget;
use crate::error::EvalError;
use crate::gofmt;
pub(super) use crate::library::costs::traversal;
use crate::time::{Duration, Timestamp};
use crate::value::{Bytes, Str, Value};

type Result<'a> = std::result::Result<Value<'a>, EvalError>;

/// Whether a call of a function on a constant is replaced by its result when a program is planned.
/// If such a call fails, the program cannot be planned.
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

pub(super) fn identity<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    operand(args).cloned()
}

pub(super) fn type_of<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let value = operand(args)?;
    if let Value::Unknown(_) = value {
        return Err(EvalError::fixed(
            "type conversion to 'type' not supported for values preserved by \
             x-kubernetes-preserve-unknown-fields",
        ));
    }
    Ok(Value::Type(Str::Borrowed(value.type_name())))
}

/// The text of a value, or the error of a conversion from another type.
fn text<'v>(value: &'v Value<'_>, to: &str) -> std::result::Result<&'v str, EvalError> {
    value.as_str().ok_or_else(|| EvalError::conversion(value.type_name(), to))
}

pub(super) fn to_bool<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    scalar::text_to_bool(text(operand(args)?, "bool")?).map(Value::Bool)
}

pub(super) fn to_bytes<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    match operand(args)? {
        Value::String(Str::Borrowed(text)) => Ok(Value::Bytes(Bytes::Borrowed(text.as_bytes()))),
        Value::String(Str::Shared(text)) => Ok(Value::bytes(text.as_bytes())),
        other => failed(other, "bytes"),
    }
}

#[expect(clippy::cast_precision_loss, reason = "as Go converts integers")]
pub(super) fn to_double<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    match operand(args)? {
        Value::Int(i) => Ok(Value::Double(*i as f64)),
        Value::Uint(u) => Ok(Value::Double(*u as f64)),
        other => scalar::text_to_double(text(other, "double")?).map(Value::Double),
    }
}

pub(super) fn to_duration<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let value = operand(args)?;
    match value.as_str().and_then(Duration::parse) {
        Some(duration) => Ok(Value::Duration(duration)),
        None => failed(value, "google.protobuf.Duration"),
    }
}

pub(super) fn to_timestamp<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let value = operand(args)?;
    if let Value::Int(seconds) = value {
        return Timestamp::from_seconds(*seconds).map(Value::Timestamp);
    }
    match value.as_str().and_then(Timestamp::parse) {
        Some(timestamp) => timestamp.in_range().map(Value::Timestamp),
        None => failed(value, "google.protobuf.Timestamp"),
    }
}

pub(super) fn to_int<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    Ok(Value::Int(match operand(args)? {
        Value::Uint(u) => scalar::uint_to_int(*u)?,
        Value::Double(d) => scalar::double_to_int(*d)?,
        Value::Duration(d) => d.nanos,
        Value::Timestamp(t) => t.seconds,
        other => scalar::text_to_int(text(other, "int")?)?,
    }))
}

pub(super) fn to_uint<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    Ok(Value::Uint(match operand(args)? {
        Value::Int(i) => scalar::int_to_uint(*i)?,
        Value::Double(d) => scalar::double_to_uint(*d)?,
        other => scalar::text_to_uint(text(other, "uint")?)?,
    }))
}

pub(super) fn to_string<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    Ok(match operand(args)? {
        Value::Bool(b) => Value::str(if *b { "true" } else { "false" }),
        Value::Int(i) => Value::string(i.to_string()),
        Value::Uint(u) => Value::string(u.to_string()),
        Value::Double(d) => Value::string(gofmt::float_v(*d)),
        Value::Duration(d) => Value::string(d.to_string()),
        Value::Timestamp(t) => Value::string(t.to_string()),
        Value::Bytes(bytes) => Value::string(scalar::bytes_to_text(bytes)?),
        other => return failed(other, "string"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::testing;

    #[track_caller]
    fn check(overload: &str, arg: &Value<'_>, want: &str) {
        testing::check(overload, std::slice::from_ref(arg), want);
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
        check("double_to_int64", &Value::Double(-9_223_372_036_854_775_808.0), "integer overflow");
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
