//! Searching with regular expressions.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/regex.go`.

use super::Declarations;
use super::bind::{Binding, Cost, Operand, STRING_TRAVERSAL, scaled, size};
use crate::budget::Budget;
use crate::error::EvalError;
use crate::re2::Regex;
use crate::types::Type;
use crate::value::{Str, Value};

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

fn compile(args: &[Value<'_>]) -> std::result::Result<Regex, EvalError> {
    match args {
        [_, Value::String(pattern), ..] => {
            Regex::new(pattern).map_err(|error| EvalError::new(format!("Illegal regex: {error}")))
        }
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

fn find<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    find_constant(budget, &compile(args)?, args)
}

fn find_constant<'a>(_: &mut Budget, regex: &Regex, args: &[Value<'a>]) -> Result<'a> {
    let [Value::String(text), _] = args else {
        return Err(EvalError::NO_SUCH_OVERLOAD);
    };
    Ok(regex.find(text).map_or(Value::str(""), |range| part(text, range)))
}

fn find_all<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    find_all_constant(budget, &compile(args)?, args)
}

fn find_all_constant<'a>(_: &mut Budget, regex: &Regex, args: &[Value<'a>]) -> Result<'a> {
    let (text, limit) = match args {
        [Value::String(text), _] => (text, usize::MAX),
        // A negative limit is none.
        [Value::String(text), _, Value::Int(limit)] => {
            (text, usize::try_from(*limit).unwrap_or(usize::MAX))
        }
        _ => return Err(EvalError::NO_SUCH_OVERLOAD),
    };
    let found = regex.find_iter(text).take(limit).map(|range| part(text, range));
    Ok(Value::list(found.collect()))
}

fn part<'a>(text: &Str<'a>, range: std::ops::Range<usize>) -> Value<'a> {
    match text {
        Str::Borrowed(text) => Value::str(text.get(range).unwrap_or_default()),
        Str::Shared(text) => Value::string(text.get(range).unwrap_or_default()),
    }
}
