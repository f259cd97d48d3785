//! Evaluation of the list functions that Kubernetes adds: order, sums and searching.

use crate::budget::Budget;
use crate::error::EvalError;
use crate::library::binding::{Binding, Call, Cost};
use crate::library::costs::traversal_of_elements;
pub(super) use crate::time::Duration;
pub(super) use crate::value::Value;
use crate::value::{List, equal, order};
use std::cmp::Ordering;

type Result<'a> = std::result::Result<Value<'a>, EvalError>;

/// Binds a function that traverses its list and the elements once.
pub(super) const fn traversing(call: Call) -> Binding {
    Binding::new(call).costing(Cost::Of(traversal_of_elements))
}

pub(in crate::library) fn first_list<'v, 'a>(
    args: &'v [Value<'a>],
) -> std::result::Result<&'v List<'a>, EvalError> {
    match args {
        [Value::List(list), ..] => Ok(list),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

/// How two elements are ordered; elements without an order are an error.
pub(in crate::library) fn compare(
    a: &Value<'_>,
    b: &Value<'_>,
) -> std::result::Result<Ordering, EvalError> {
    order::compare(a, b).unwrap_or(Err(EvalError::NO_SUCH_OVERLOAD))
}

/// The element, if values of its type have an order; otherwise an error. Elements of two such types
/// may still have no order between them.
fn comparable(element: Value<'_>) -> Result<'_> {
    match order::compare(&element, &element) {
        Some(_) => Ok(element),
        None => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

pub(super) fn is_sorted<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let mut previous: Option<Value<'a>> = None;
    for element in first_list(args)?.iter() {
        // Upstream: elements that do not compare count as sorted; only an element of a type
        // without an order is an error.
        let element = comparable(element?)?;
        if let Some(previous) = &previous
            && compare(previous, &element) == Ok(Ordering::Greater)
        {
            return Ok(Value::Bool(false));
        }
        previous = Some(element);
    }
    Ok(Value::Bool(true))
}

pub(super) fn sum<'a>(args: &[Value<'a>], zero: Value<'a>) -> Result<'a> {
    first_list(args)?.iter().try_fold(zero, |total, element| match (&total, &element?) {
        (Value::Int(a), Value::Int(b)) => {
            a.checked_add(*b).map(Value::Int).ok_or(EvalError::fixed("integer overflow"))
        }
        (Value::Uint(a), Value::Uint(b)) => {
            a.checked_add(*b).map(Value::Uint).ok_or(EvalError::fixed("unsigned integer overflow"))
        }
        (Value::Double(a), Value::Double(b)) => Ok(Value::Double(a + b)),
        (Value::Duration(a), Value::Duration(b)) => a.checked_add(*b).map(Value::Duration),
        // Upstream: elements of these types are added, whatever the declared type of the list is.
        (Value::Duration(a), Value::Timestamp(b)) => b.checked_add(*a).map(Value::Timestamp),
        (Value::Timestamp(a), Value::Duration(b)) => a.checked_add(*b).map(Value::Timestamp),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    })
}

/// The least or greatest element. An element replaces the result so far if the result compares to
/// the element as `replaces`.
fn extreme<'a>(args: &[Value<'a>], replaces: Ordering, name: &str) -> Result<'a> {
    let mut result: Option<Value<'a>> = None;
    for element in first_list(args)?.iter() {
        let element = comparable(element?)?;
        let better = match &result {
            Some(result) => compare(result, &element) == Ok(replaces),
            None => true,
        };
        if better {
            result = Some(element);
        }
    }
    result.ok_or_else(|| EvalError::of(format_args!("{name} called on empty list")))
}

pub(super) fn min<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    extreme(args, Ordering::Greater, "min")
}

pub(super) fn max<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    extreme(args, Ordering::Less, "max")
}

fn position<'a>(
    budget: &mut Budget,
    args: &[Value<'a>],
    indices: impl Iterator<Item = usize>,
) -> Result<'a> {
    let [Value::List(list), item] = args else { return Err(EvalError::NO_SUCH_OVERLOAD) };
    for index in indices {
        if let Some(Ok(element)) = list.get(index)
            && equal::is_equal(equal::equals(&element, item, &mut budget.steps))?
        {
            return Ok(Value::Int(i64::try_from(index).unwrap_or(i64::MAX)));
        }
    }
    Ok(Value::Int(-1))
}

pub(super) fn index_of<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    position(budget, args, 0..first_list(args)?.len())
}

pub(super) fn last_index_of<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    position(budget, args, (0..first_list(args)?.len()).rev())
}

/// Whether an element of the list equals the item. A target that is not a list is itself compared
/// with the item.
pub(super) fn includes<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let [target, item] = args else { return Err(EvalError::NO_SUCH_OVERLOAD) };
    let Value::List(list) = target else {
        let found = equal::is_equal(equal::equals(target, item, &mut budget.steps))?;
        return Ok(Value::Bool(found));
    };
    for element in list.iter() {
        budget.steps.take(1)?;
        if let Ok(element) = element
            && equal::is_equal(equal::equals(&element, item, &mut budget.steps))?
        {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::testing::{self, check_cost, ints, strings};

    #[track_caller]
    fn check(overload: &str, args: &[Value<'_>], want: &str, cost: u64) {
        testing::check(overload, args, want);
        check_cost(overload, args, cost);
    }

    #[test]
    fn the_servers_lists() {
        check("list_int_is_sorted_bool", &[ints(&[1, 1, 2])], "true", 3);
        check("list_string_is_sorted_bool", &[strings(&["b", "a"])], "false", 0);
        check("list_int_sum_int", &[ints(&[1, 2])], "3", 2);
        check("list_int_sum_int", &[ints(&[i64::MAX, 1])], "integer overflow", 2);
        check("list_int_max_int", &[ints(&[1, 3, 2])], "3", 3);
        check("list_int_min_int", &[ints(&[])], "min called on empty list", 0);
        check("list_a_index_of_int", &[ints(&[5, 6, 5]), Value::Int(5)], "0", 3);
        check("list_a_last_index_of_int", &[ints(&[5, 6, 5]), Value::Int(5)], "2", 3);
        check("list_a_index_of_int", &[ints(&[5]), Value::Int(7)], "-1", 1);
    }
}
