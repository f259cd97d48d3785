//! Evaluation of the basic tests of strings.

use crate::budget::Budget;
use crate::error::EvalError;
use crate::library::binding::{Binding, Cost, TextTest};
use crate::library::costs::{Operand, match_cost, size, text_traversed, traversal, traversed};
pub(super) use crate::minors::Change;
use crate::re2::{self, Regex};
use crate::value::Value;

type Result<'a> = std::result::Result<Value<'a>, EvalError>;

pub(super) const CONTAINS: Binding = Binding::new(contains)
    .costing(Cost::Of(product_of_traversals))
    .without_type_guards()
    .with_text(TextTest { holds: is_part, cost: product_of_both });

pub(super) const ENDS_WITH: Binding = Binding::new(ends_with)
    .costing(Cost::Of(traversal_of_part))
    .without_type_guards()
    .with_text(TextTest { holds: is_suffix, cost: text_traversal_of_part });

pub(super) const STARTS_WITH: Binding = Binding::new(starts_with)
    .costing(Cost::Of(traversal_of_part))
    .without_type_guards()
    .with_text(TextTest { holds: is_prefix, cost: text_traversal_of_part });

pub(super) const MATCHES: Binding = Binding::new(matches)
    .costing(Cost::Of(match_cost))
    .without_type_guards()
    .with_regex(matches_compiled);

fn text_traversal_of_part(_: &str, part: &str) -> u64 {
    text_traversed(part)
}

/// Makes a test cost a traversal of the text instead of the prefix or suffix.
pub(super) const fn costing_by_text(binding: Binding) -> Binding {
    let test = match binding.text {
        Some(test) => Some(TextTest { cost: |text, _| text_traversed(text), ..test }),
        None => None,
    };
    Binding { text: test, ..binding.costing(Cost::Of(traversal)) }
}

fn product_of_both(text: &str, part: &str) -> u64 {
    text_traversed(text) * text_traversed(part)
}

fn traversal_of_part(args: &[Operand<'_, '_>], _: Operand<'_, '_>) -> u64 {
    traversed(args.get(1).map_or(1, |arg| size(*arg)))
}

fn product_of_traversals(args: &[Operand<'_, '_>], _: Operand<'_, '_>) -> u64 {
    args.iter().map(|arg| traversed(size(*arg))).product()
}

fn is_prefix(text: &str, prefix: &str) -> bool {
    text.as_bytes().starts_with(prefix.as_bytes())
}

fn is_suffix(text: &str, suffix: &str) -> bool {
    text.as_bytes().ends_with(suffix.as_bytes())
}

fn is_part(text: &str, part: &str) -> bool {
    text.contains(part)
}

fn starts_with<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    match args {
        [Value::String(text), Value::String(prefix)] => Ok(Value::Bool(is_prefix(text, prefix))),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

fn ends_with<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    match args {
        [Value::String(text), Value::String(suffix)] => Ok(Value::Bool(is_suffix(text, suffix))),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

fn contains<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    match args {
        [Value::String(text), Value::String(part)] => Ok(Value::Bool(is_part(text, part))),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

fn matches<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    match args {
        [Value::String(text), Value::String(pattern)] => {
            let to_eval_error = |error: &re2::Error| EvalError::new(error.to_string());
            budget.with_pattern(pattern, to_eval_error, |budget, regex| {
                regex.is_match_within(text, &mut budget.steps).map(Value::Bool)
            })
        }
        [Value::String(_) | Value::Timestamp(_) | Value::Duration(_), _] => {
            Err(EvalError::NO_SUCH_OVERLOAD)
        }
        _ => Err(EvalError::fixed("no such overload: matches")),
    }
}

fn matches_compiled<'a>(budget: &mut Budget, regex: &Regex, args: &[Value<'a>]) -> Result<'a> {
    match args {
        [Value::String(text), _] => regex.is_match_within(text, &mut budget.steps).map(Value::Bool),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}
