//! Errors that follow from literals: arguments with which a function always fails, and
//! conversions and patterns that make the server's planner fail.

use crate::library::conversions::scalar;
use crate::re2;
use crate::syntax::{Expr, ExprKind, Literal};
use crate::time::{Duration, Timestamp};

/// Whether a function fails on a literal, wherever the rule calls it.
///
/// Source: cel-go `cel/validator.go`, `formatValidator`.
pub(super) fn always_fails(function: &str, literal: &Literal) -> bool {
    match (function, literal) {
        // `duration(int)` is declared, but not implemented.
        ("duration", Literal::Int(_)) | ("duration" | "timestamp", Literal::Null) => true,
        ("duration", Literal::String(text)) => Duration::parse(text).is_none(),
        ("timestamp", Literal::Int(seconds)) => Timestamp::from_seconds(*seconds).is_err(),
        ("timestamp", Literal::String(text)) => {
            Timestamp::parse(text).is_none_or(|timestamp| timestamp.in_range().is_err())
        }
        ("matches", Literal::String(pattern)) => re2::check(pattern).is_err(),
        _ => false,
    }
}

/// The error with which the server fails to plan a call. It evaluates conversions of literals, and
/// compiles literal patterns, once before the rule runs.
///
/// Source: cel-go `interpreter/decorators.go`, `maybeOptimizeConstUnary`, `InterpretableConst`;
/// `interpreter/optimizations.go`.
pub(super) fn planner_error(
    target: Option<&Expr>,
    function: &str,
    args: &[Expr],
) -> Option<String> {
    match (target, function, args) {
        (None, _, [Expr { kind: ExprKind::Literal(literal), .. }]) => {
            conversion_error(function, literal)
        }
        (Some(_), "matches" | "find" | "findAll", [pattern, ..])
        | (None, "matches", [_, pattern]) => match &pattern.kind {
            ExprKind::Literal(Literal::String(pattern)) => {
                re2::check(pattern).err().map(|error| error.to_string())
            }
            _ => None,
        },
        _ => None,
    }
}

/// The error of a conversion of a literal.
fn conversion_error(function: &str, literal: &Literal) -> Option<String> {
    let error = match (function, literal) {
        ("int", Literal::String(text)) => scalar::text_to_int(text).err()?,
        ("uint", Literal::String(text)) => scalar::text_to_uint(text).err()?,
        ("double", Literal::String(text)) => scalar::text_to_double(text).err()?,
        ("bool", Literal::String(text)) => scalar::text_to_bool(text).err()?,
        ("int", Literal::Uint(value)) => scalar::uint_to_int(*value).err()?,
        ("int", Literal::Double(value)) => scalar::double_to_int(*value).err()?,
        ("uint", Literal::Int(value)) => scalar::int_to_uint(*value).err()?,
        ("uint", Literal::Double(value)) => scalar::double_to_uint(*value).err()?,
        ("string", Literal::Bytes(bytes)) => scalar::bytes_to_text(bytes).err()?,
        // The type checker accepts `null` for a parameter whose type is nullable, such as a
        // timestamp, but no function is implemented for it.
        ("int" | "string", Literal::Null) => {
            return Some(format!("no such overload: {function}(null_type)"));
        }
        _ => return None,
    };
    Some(error.text().to_owned())
}
