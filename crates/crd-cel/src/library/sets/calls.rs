//! Evaluation of lists as sets.

use crate::budget::Budget;
use crate::error::EvalError;
use crate::library::costs::{Operand, size};
use crate::steps::Steps;
use crate::value::{List, Value, equal};

type Result<'a> = std::result::Result<Value<'a>, EvalError>;

pub(super) fn product(args: &[Operand<'_, '_>]) -> u64 {
    args.iter().map(|arg| size(*arg)).product()
}

/// Whether each element of `part` is in `list`. Its errors are those of [`has`].
fn contains_all(
    list: &List<'_>,
    part: &List<'_>,
    steps: &mut Steps,
) -> std::result::Result<bool, EvalError> {
    for element in part.iter() {
        if !has(list, element, steps)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether an element of another list is in `list`.
///
/// Upstream: a declared list of JSON returns the error of an element that is invalid (`unstructuredList.Contains`);
/// other lists compare with it, and nothing is equal to an error (`baseList.Contains`).
fn has(
    list: &List<'_>,
    element: std::result::Result<Value<'_>, EvalError>,
    steps: &mut Steps,
) -> std::result::Result<bool, EvalError> {
    match element {
        Ok(element) => equal::list_contains(list, &element, steps),
        Err(error) if list.is_over_json() || error.ends_evaluation() => Err(error),
        Err(_) => Ok(false),
    }
}

fn two_lists<'v, 'a>(
    args: &'v [Value<'a>],
) -> std::result::Result<(&'v List<'a>, &'v List<'a>), EvalError> {
    match args {
        [Value::List(a), Value::List(b)] => Ok((a, b)),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

pub(super) fn contains<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let (list, part) = two_lists(args)?;
    contains_all(list, part, &mut budget.steps).map(Value::Bool)
}

pub(super) fn equivalent<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let (a, b) = two_lists(args)?;
    let steps = &mut budget.steps;
    Ok(Value::Bool(contains_all(a, b, steps)? && contains_all(b, a, steps)?))
}

pub(super) fn intersects<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let (a, b) = two_lists(args)?;
    for element in a.iter() {
        if equal::is_equal(has(b, element, &mut budget.steps))? {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::testing::{call, check_cost, ints};

    #[track_caller]
    fn check(overload: &str, args: &[Value<'_>], want: bool, cost: u64) {
        let got = call(overload, args);
        assert!(matches!(got, Ok(Value::Bool(b)) if b == want), "{overload} {args:?}");
        check_cost(overload, args, cost);
    }

    #[test]
    fn sets() {
        check("list_sets_contains_list", &[ints(&[1, 2]), ints(&[2])], true, 3);
        check("list_sets_equivalent_list", &[ints(&[1, 2]), ints(&[2, 1, 1])], true, 13);
        check("list_sets_intersects_list", &[ints(&[1, 2]), ints(&[3])], false, 3);
    }
}
