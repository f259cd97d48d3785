//! Errors that follow from literals: arguments with which a function always fails, conversions that
//! the server's planner cannot evaluate, and format strings.

use crate::clause::{self, Clause};
use crate::error::EvalError;
use crate::parse_float;
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
pub(super) fn cannot_be_planned(
    target: Option<&Expr>,
    function: &str,
    args: &[Expr],
) -> Option<String> {
    match (target, function, args) {
        (None, _, [Expr { kind: ExprKind::Literal(literal), .. }]) => {
            conversion_fails(function, literal)
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

/// Source: cel-go `common/types`, `ConvertToType` of each type, and `overflow.go`.
fn conversion_fails(function: &str, literal: &Literal) -> Option<String> {
    /// 2^63 and 2^64 as doubles.
    const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;
    const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;
    let conversion = || EvalError::conversion("string", function).text().to_owned();
    let fails = match (function, literal) {
        ("int", Literal::String(text)) => text.parse::<i64>().is_err(),
        ("uint", Literal::String(text)) => text.starts_with('+') || text.parse::<u64>().is_err(),
        ("double", Literal::String(text)) => parse_float::parse(text).is_none(),
        ("bool", Literal::String(text)) => !matches!(
            &**text,
            "1" | "t"
                | "T"
                | "TRUE"
                | "true"
                | "True"
                | "0"
                | "f"
                | "F"
                | "FALSE"
                | "false"
                | "False"
        ),
        ("int", Literal::Uint(value)) if i64::try_from(*value).is_err() => {
            return Some("integer overflow".to_owned());
        }
        ("int", Literal::Double(value)) if !(*value > -TWO_TO_63 && *value < TWO_TO_63) => {
            return Some("integer overflow".to_owned());
        }
        ("uint", Literal::Int(value)) if *value < 0 => {
            return Some("unsigned integer overflow".to_owned());
        }
        ("uint", Literal::Double(value)) if !(*value >= 0.0 && *value < TWO_TO_64) => {
            return Some("unsigned integer overflow".to_owned());
        }
        // The type checker accepts `null` for a parameter whose type is nullable, such as a
        // timestamp, but no function is implemented for it.
        ("int" | "string", Literal::Null) => {
            return Some(format!("no such overload: {function}(null_type)"));
        }
        ("string", Literal::Bytes(bytes)) if std::str::from_utf8(bytes).is_err() => {
            return Some("invalid UTF-8 in bytes, cannot convert to string".to_owned());
        }
        _ => false,
    };
    fails.then(conversion)
}

/// A call of `format` with literals.
pub(super) struct FormatCall<'a> {
    /// The expressions that are printed, each with its clause, in the order in which they are
    /// checked.
    pub(super) printed: Vec<(&'a Expr, Clause)>,
    /// The error of the format string itself, or of the number of arguments.
    pub(super) wrong: Option<String>,
}

/// The format of a call whose format string and argument list are literals.
///
/// Source: cel-go `ext/formatting.go`, `stringFormatValidator`.
pub(super) fn format<'a>(
    target: Option<&Expr>,
    function: &str,
    args: &'a [Expr],
) -> Option<FormatCall<'a>> {
    let ExprKind::Literal(Literal::String(format)) = &target?.kind else { return None };
    let [Expr { kind: ExprKind::List { elements, .. }, .. }] = args else { return None };
    if function != "format" {
        return None;
    }
    let mut found = FormatCall { printed: Vec::new(), wrong: None };
    for clause in clause::printed(format, elements) {
        match clause {
            Ok((arg, clause)) => print(arg, clause, &mut found.printed),
            Err(wrong) => found.wrong = Some(wrong),
        }
    }
    Some(found)
}

/// Adds an argument and, for `%s`, the elements of list and map literals in it, which it prints
/// too.
fn print<'a>(arg: &'a Expr, clause: Clause, printed: &mut Vec<(&'a Expr, Clause)>) {
    printed.push((arg, clause));
    if clause != Clause::String {
        return;
    }
    match &arg.kind {
        ExprKind::List { elements, .. } => {
            for element in elements {
                print(element, clause, printed);
            }
        }
        ExprKind::Map(entries) => {
            for entry in entries {
                print(&entry.key, clause, printed);
                print(&entry.value, clause, printed);
            }
        }
        _ => {}
    }
}
