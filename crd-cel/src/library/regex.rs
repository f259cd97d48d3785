//! Searching with regular expressions.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/regex.go`.

use std::ops::Range;

use super::Declarations;
use super::bind::{Binding, Cost, Operand, RegexCall, STRING_TRAVERSAL, scaled, size};
use crate::budget::Budget;
use crate::error::EvalError;
use crate::re2::{self, Regex};
use crate::types::Type;
use crate::value::{SHARED_TEXT, Str, Value};

/// Declares the library's functions and types.
pub(crate) fn declare(d: &mut Declarations) {
    d.method("find", "string_find_string", [Type::String, Type::String], Type::String);
    d.method(
        "findAll",
        "string_find_all_string",
        [Type::String, Type::String],
        Type::list(Type::String),
    );
    d.method(
        "findAll",
        "string_find_all_string_int",
        [Type::String, Type::String, Type::Int],
        Type::list(Type::String),
    );
}

/// What a code point of a pattern costs, per code point of the text.
/// Source: `cel-go/common/cost.go`, `RegexStringLengthCostFactor`.
const PATTERN_FACTOR: f64 = 0.25;

type Result<'a> = std::result::Result<Value<'a>, EvalError>;

/// How the overloads are evaluated.
pub(super) fn bind(overload: &str) -> Option<Binding> {
    let binding = match overload {
        "string_find_string" => Binding::new(find).with_regex(find_constant),
        "string_find_all_string" => Binding::new(find_all).with_regex(find_all_constant),
        "string_find_all_string_int" => {
            Binding::new(find_all).with_regex(find_all_constant).sequential()
        }
        _ => return None,
    };
    Some(binding.costing(Cost::Of(search_cost)))
}

/// The cost of searching a text of the first operand's size for a pattern of the second's.
pub(super) fn search_cost(operands: &[Operand<'_, '_>], _: Operand<'_, '_>) -> u64 {
    let size_of = |index: usize| size(operands.get(index).copied().flatten());
    let text = scaled(size_of(0).saturating_add(1), STRING_TRAVERSAL);
    text.saturating_mul(scaled(size_of(1), PATTERN_FACTOR))
}

/// Calls a search whose pattern is not a constant.
fn with_pattern<'a>(budget: &mut Budget, args: &[Value<'a>], search: RegexCall) -> Result<'a> {
    let [_, Value::String(pattern), ..] = args else { return Err(EvalError::NO_SUCH_OVERLOAD) };
    let refused = |error: &re2::Error| EvalError::of(format_args!("Illegal regex: {error}"));
    budget.with_pattern(pattern, refused, |budget, regex| search(budget, regex, args))
}

fn find<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    with_pattern(budget, args, find_constant)
}

fn find_constant<'a>(budget: &mut Budget, regex: &Regex, args: &[Value<'a>]) -> Result<'a> {
    let [Value::String(text), _] = args else {
        return Err(EvalError::NO_SUCH_OVERLOAD);
    };
    match regex.find_within(text, 0, &mut budget.steps)? {
        Some(range) => part(budget, text, range),
        None => Ok(Value::str("")),
    }
}

fn find_all<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    with_pattern(budget, args, find_all_constant)
}

fn find_all_constant<'a>(budget: &mut Budget, regex: &Regex, args: &[Value<'a>]) -> Result<'a> {
    let (text, limit) = match args {
        [Value::String(text), _] => (text, usize::MAX),
        // A negative limit is none.
        [Value::String(text), _, Value::Int(limit)] => {
            (text, usize::try_from(*limit).unwrap_or(usize::MAX))
        }
        _ => return Err(EvalError::NO_SUCH_OVERLOAD),
    };
    let mut found = Vec::new();
    let mut matches = regex.find_iter(text);
    while found.len() < limit
        && let Some(range) = matches.next_within(&mut budget.steps)?
    {
        budget.allocate(size_of::<Value<'_>>() as u64)?;
        found.push(part(budget, text, range)?);
    }
    Ok(Value::list(found))
}

fn part<'a>(budget: &mut Budget, text: &Str<'a>, range: Range<usize>) -> Result<'a> {
    Ok(match text {
        Str::Borrowed(text) => Value::str(text.get(range).unwrap_or_default()),
        Str::Shared(text) => {
            budget.allocate(range.len() as u64 + SHARED_TEXT)?;
            Value::string(text.get(range).unwrap_or_default())
        }
    })
}
