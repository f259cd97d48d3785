//! `type`, `nullable`, and formats that imply a type.

use std::fmt;

use serde_json::Value;

use super::location::Location;
use super::numeric::is_json_integer;
use super::report::{Collect, FailureKind, ValidationFailure};
use crate::compiled::{Checks, Node, SchemaType, Types};
use crate::field::ErrorKind;
use crate::json::Num;

/// Returns whether a node restricts types.
pub(super) fn applies(checks: &Checks) -> bool {
    !checks.types.is_any() || checks.format.is_some()
}

/// Checks a null, which has the right type if the node is nullable, or if its `type` is absent or `null`.
pub(super) fn check_null(node: &Node, at: &Location<'_>, record: &mut impl Collect) {
    if node.nullable || node.checks.types.allows_null() {
        return record.count();
    }
    record.fail(ErrorKind::TypeInvalid, || failure(at, &node.checks.types, "null"));
}

/// Checks the type of a value that is not null.
///
/// Source: `pkg/validation/validate/type.go`, `typeValidator.Validate`.
pub(super) fn check(checks: &Checks, value: &Value, at: &Location<'_>, record: &mut impl Collect) {
    let types = &checks.types;
    // PERF: the most frequent case.
    if checks.format.is_none()
        && let Types::One(one) = types
        && matches!(
            (one, value),
            (SchemaType::Object, Value::Object(_))
                | (SchemaType::String, Value::String(_))
                | (SchemaType::Array, Value::Array(_))
                | (SchemaType::Boolean, Value::Bool(_))
        )
    {
        return record.count();
    }
    // An integer is of both numeric types, whatever their format.
    if let Value::Number(number) = value
        && number.is_i64()
        && matches!(types, Types::One(SchemaType::Integer | SchemaType::Number))
    {
        return record.count();
    }
    let (actual, actual_format) = match value {
        Value::Null => (SchemaType::Untyped, ""),
        Value::Bool(_) => (SchemaType::Boolean, ""),
        Value::String(_) => (SchemaType::String, ""),
        Value::Array(_) => (SchemaType::Array, ""),
        Value::Object(_) => (SchemaType::Object, ""),
        Value::Number(number) => match Num::of(number) {
            Num::Int(_) => (SchemaType::Integer, "int64"),
            Num::Float(_) => (SchemaType::Number, "float64"),
        },
    };
    let is_of_type = types.contains(actual)
        || match value {
            Value::Number(number) => match Num::of(number) {
                Num::Int(_) => types.contains(SchemaType::Number),
                Num::Float(float) => {
                    types.contains(SchemaType::Integer) && is_json_integer(float, checks.rounds)
                }
            },
            _ => false,
        };
    if let Some(format) = &checks.format {
        let textual = matches!(value, Value::String(_) | Value::Array(_));
        if !textual && !is_of_type && actual_format != &*format.name {
            return record
                .fail(ErrorKind::TypeInvalid, || failure(at, &format.name, actual_format));
        }
        // Upstream: with a format, every string and array has the right type, unless the node has a numeric type.
        let numeric = types.contains(SchemaType::Number) || types.contains(SchemaType::Integer);
        if textual && !numeric {
            return record.count();
        }
    }
    if is_of_type {
        record.count();
    } else {
        record.fail(ErrorKind::TypeInvalid, || failure(at, types, actual.as_str()));
    }
}

fn failure(at: &Location<'_>, expected: &dyn fmt::Display, actual: &str) -> ValidationFailure {
    let text = format_args!("must be of type {expected}: \"{actual}\"");
    ValidationFailure::at(at, text, FailureKind::Type(actual.to_owned()))
}
