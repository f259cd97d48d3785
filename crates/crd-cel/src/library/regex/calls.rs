//! Evaluation of searches with regular expressions.

use crate::budget::Budget;
use crate::error::EvalError;
use crate::library::binding::{Binding, Call, Cost, RegexCall};
use crate::library::costs::match_cost;
use crate::re2::{self, Regex};
use crate::value::{SHARED_TEXT, Str, Value};
use std::ops::Range;

type Result<'a> = std::result::Result<Value<'a>, EvalError>;

/// Binds a search, whose cost follows from the sizes of the text and the pattern.
pub(super) const fn searching(call: Call) -> Binding {
    Binding::new(call).costing(Cost::Of(match_cost))
}

/// Calls a search whose pattern is not a constant.
fn with_pattern<'a>(budget: &mut Budget, args: &[Value<'a>], search: RegexCall) -> Result<'a> {
    let [_, Value::String(pattern), ..] = args else { return Err(EvalError::NO_SUCH_OVERLOAD) };
    let to_eval_error = |error: &re2::Error| EvalError::of(format_args!("Illegal regex: {error}"));
    budget.with_pattern(pattern, to_eval_error, |budget, regex| search(budget, regex, args))
}

pub(super) fn find<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    with_pattern(budget, args, find_compiled)
}

pub(super) fn find_compiled<'a>(
    budget: &mut Budget,
    regex: &Regex,
    args: &[Value<'a>],
) -> Result<'a> {
    let [Value::String(text), _] = args else {
        return Err(EvalError::NO_SUCH_OVERLOAD);
    };
    match regex.find_within(text, 0, &mut budget.steps)? {
        Some(range) => part(budget, text, range),
        None => Ok(Value::str("")),
    }
}

pub(super) fn find_all<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    with_pattern(budget, args, find_all_compiled)
}

pub(super) fn find_all_compiled<'a>(
    budget: &mut Budget,
    regex: &Regex,
    args: &[Value<'a>],
) -> Result<'a> {
    let (text, limit) = match args {
        [Value::String(text), _] => (text, usize::MAX),
        // A negative limit means no limit.
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
