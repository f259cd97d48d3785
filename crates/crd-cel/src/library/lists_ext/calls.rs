//! Evaluation of the list functions of cel-go's extension, in the version that Kubernetes enables (3).

use crate::budget::Budget;
use crate::error::EvalError;
use crate::library::binding::{Binding, Call, Cost};
use crate::library::costs::{Operand, STRING_TRAVERSAL, size};
use crate::library::lists::calls::{compare, first_list};
use crate::minors::Change;
use crate::value::{List, Value, equal, order};
use std::cmp::Ordering;

type Result<'a> = std::result::Result<Value<'a>, EvalError>;

pub(super) const FLATTEN: Binding =
    Binding::new(flatten).costing(Cost::Strict(flatten_cost)).without_type_guards();

pub(super) const SORT: Binding = Binding::new(sort)
    .costing(Cost::Strict(|args| self_compare_cost(args.first())))
    .without_type_guards();

pub(super) const DISTINCT: Binding =
    Binding::new(distinct).costing(Cost::Strict(|args| self_compare_cost(args.first())));

/// `sort` by keys, which are the second operand.
pub(super) const SORT_BY: Binding = Binding::new(sort_by)
    .costing(Cost::Strict(|args| self_compare_cost(args.get(1))))
    .without_type_guards();

/// Binds a function that makes a list. Its cost is the length of the list plus [`LIST_CALL`].
pub(super) const fn making(call: Call) -> Binding {
    Binding::new(call).costing(Cost::Of(result_size))
}

/// The cost of a call that makes a list, without the cost of its elements.
/// Source: `cel-go/ext/lists.go`, `trackAllocatingListCall`; `cel-go/common/cost.go`,
/// `ListCreateBaseCost`.
const LIST_CALL: u64 = 1 + 10;

fn result_size(_: &[Operand<'_, '_>], result: Operand<'_, '_>) -> u64 {
    size(result) + LIST_CALL
}

/// The cost of flattening: the length times the depth, in floating point.
///
/// Source: `cel-go/ext/lists.go`, `trackListFlatten`.
#[expect(clippy::cast_precision_loss, reason = "as cel-go computes it")]
pub(super) fn flatten_cost(args: &[Operand<'_, '_>]) -> std::result::Result<u64, EvalError> {
    let depth = match args.get(1) {
        None => 1.0,
        Some(Some(Value::Int(depth))) => *depth as f64,
        Some(other) => {
            let found = go_type(*other);
            return Err(EvalError::internal(&format_args!(
                "interface conversion: ref.Val is {found}, not types.Int"
            )));
        }
    };
    let size = args.first().map_or(1, |list| size(*list)) as f64;
    Ok(go_uint64(size * depth).wrapping_add(LIST_CALL))
}

/// The Go type of an operand, as `%T` prints it.
fn go_type(operand: Operand<'_, '_>) -> &'static str {
    operand.map_or("*types.Err", Value::go_type)
}

/// `uint64(f)` as Go computes it on amd64, also for numbers out of range.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "range is checked; 2^63 is exact"
)]
fn go_uint64(f: f64) -> u64 {
    const TWO_TO_63: f64 = (1_u64 << 63) as f64;
    let signed = |f: f64| {
        if (-TWO_TO_63..TWO_TO_63).contains(&f) { (f as i64).cast_unsigned() } else { 1 << 63 }
    };
    if f < TWO_TO_63 { signed(f) } else { signed(f - TWO_TO_63) ^ (1 << 63) }
}

/// The cost of comparing each element of a list with every other one.
///
/// Upstream: the operand is used as a list without a check, so an error ends the evaluation.
/// Source: `cel-go/ext/lists.go`, `trackListSelfCompare`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "as cel-go computes it"
)]
fn self_compare_cost(list: Option<&Operand<'_, '_>>) -> std::result::Result<u64, EvalError> {
    let Some(operand) = list else { return Ok(LIST_CALL) };
    let Some(Value::List(list)) = operand else {
        let missing = match operand {
            Some(
                Value::Int(_)
                | Value::Uint(_)
                | Value::Double(_)
                | Value::String(_)
                | Value::Bytes(_)
                | Value::Duration(_)
                | Value::Timestamp(_),
            ) => "Contains",
            _ => "Add",
        };
        let found = go_type(*operand);
        return Err(EvalError::internal(&format_args!(
            "interface conversion: {found} is not traits.Lister: missing method {missing}"
        )));
    };
    let n = list.len() as u64;
    let text = matches!(list.get(0), Some(Ok(Value::String(_) | Value::Bytes(_))));
    let factor = if text { 2.0 + STRING_TRAVERSAL } else { 2.0 };
    Ok((n.saturating_mul(n) as f64 * factor) as u64 + LIST_CALL)
}

pub(super) fn slice<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let [Value::List(list), Value::Int(start), Value::Int(end)] = args else {
        return Err(EvalError::NO_SUCH_OVERLOAD);
    };
    let reject =
        |why: String| Err(EvalError::of(format_args!("cannot slice({start}, {end}), {why}")));
    let (Ok(from), Ok(to)) = (usize::try_from(*start), usize::try_from(*end)) else {
        return reject("negative indexes not supported".to_owned());
    };
    if from > to {
        return reject("start index must be less than or equal to end index".to_owned());
    }
    if list.len() < to {
        return reject(format!("list is length {}", list.len()));
    }
    collect(budget, (from..to).map_while(|index| list.get(index)))
}

/// Collects elements into a list, within the memory limit.
fn collect<'a>(budget: &mut Budget, elements: impl Iterator<Item = Result<'a>>) -> Result<'a> {
    let mut items = Vec::new();
    for element in elements {
        budget.allocate(size_of::<Value<'_>>() as u64)?;
        items.push(element);
    }
    Ok(Value::List(List::of(items)))
}

pub(super) fn range<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    /// The most numbers that a range may have. Source: `cel-go/ext/lists.go`,
    /// `defaultMaxRangeSize`.
    const MAX_RANGE: i64 = 1_000_000;
    let [Value::Int(n)] = args else { return Err(EvalError::NO_SUCH_OVERLOAD) };
    if budget.steps.server_has(Change::RangesAreBounded) {
        if *n < 0 {
            return Err(EvalError::of(format_args!(
                "lists.range: size must be non-negative, got {n}"
            )));
        }
        if *n > MAX_RANGE {
            return Err(EvalError::of(format_args!(
                "lists.range: size {n} exceeds maximum allowed ({MAX_RANGE})"
            )));
        }
    }
    let n = u64::try_from(*n).unwrap_or(0);
    budget.allocate(n.saturating_mul(size_of::<Value<'_>>() as u64))?;
    Ok(Value::list((0..).map(Value::Int).take(usize::try_from(n).unwrap_or(0)).collect()))
}

pub(super) fn reverse<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let list = first_list(args)?;
    collect(budget, (0..list.len()).rev().map_while(|index| list.get(index)))
}

pub(super) fn flatten<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let depth = match args {
        [Value::List(_)] => 1,
        [Value::List(_), Value::Int(depth)] => *depth,
        [value, depth @ ..] => {
            let depth: String = depth.iter().map(printed_type).collect();
            let on = printed_type(value);
            return Err(EvalError::of(format_args!("no such overload: {on}.flatten({depth})")));
        }
        [] => return Err(EvalError::NO_SUCH_OVERLOAD),
    };
    if depth < 0 {
        return Err(EvalError::fixed("level must be non-negative"));
    }
    let mut items = Vec::new();
    flatten_into(budget, first_list(args)?, depth, &mut items)?;
    Ok(Value::List(List::of(items)))
}

/// The CEL type of a value, as cel-go prints it in an error about arguments.
fn printed_type<'a>(value: &Value<'a>) -> &'a str {
    match value {
        Value::List(_) => "list(dyn)",
        Value::Map(_) => "map(dyn, dyn)",
        _ => value.type_name(),
    }
}

/// Appends the elements of a list. Lists nest no deeper than the JSON and the expression they are
/// from.
fn flatten_into<'a>(
    budget: &mut Budget,
    list: &List<'a>,
    depth: i64,
    items: &mut Vec<Result<'a>>,
) -> std::result::Result<(), EvalError> {
    for element in list.iter() {
        budget.steps.take(1)?;
        match element {
            Ok(Value::List(inner)) if depth > 0 => flatten_into(budget, &inner, depth - 1, items)?,
            other => {
                budget.allocate(size_of::<Value<'_>>() as u64)?;
                items.push(other);
            }
        }
    }
    Ok(())
}

pub(super) fn distinct<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let list = first_list(args)?;
    if list.is_empty() {
        return Ok(Value::List(list.clone()));
    }
    budget.allocate(list.len() as u64 * size_of::<Value<'_>>() as u64)?;
    let mut unique: Vec<Result<'a>> = Vec::new();
    for element in list.iter() {
        let mut is_seen = false;
        for seen in &unique {
            // An error equals nothing.
            if let (Ok(element), Ok(seen)) = (&element, seen)
                && equal::is_equal(equal::equals(element, seen, &mut budget.steps))?
            {
                is_seen = true;
                break;
            }
        }
        if !is_seen {
            unique.push(element);
        }
    }
    Ok(Value::List(List::of(unique)))
}

pub(super) fn sort<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    match args {
        [Value::List(list)] => sorted(budget, list, list),
        [other] => Err(not_a_list(other, "no such overload: sort")),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

pub(super) fn sort_by<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    match args {
        [Value::List(list), Value::List(keys)] => sorted(budget, list, keys),
        [other, ..] => Err(not_a_list(other, "no such overload: @sortByAssociatedKeys")),
        [] => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

fn not_a_list(value: &Value<'_>, error: &'static str) -> EvalError {
    match value {
        Value::String(_) | Value::Timestamp(_) | Value::Duration(_) => EvalError::NO_SUCH_OVERLOAD,
        _ => EvalError::fixed(error),
    }
}

fn sorted<'a>(budget: &mut Budget, list: &List<'a>, keys: &List<'a>) -> Result<'a> {
    if list.len() != keys.len() {
        return Err(EvalError::of(format_args!(
            "@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but \
             got {} and {} elements respectively",
            list.len(),
            keys.len()
        )));
    }
    if list.is_empty() {
        return Ok(Value::List(list.clone()));
    }
    budget.allocate(2 * list.len() as u64 * size_of::<Value<'_>>() as u64)?;
    let mut pairs: Vec<(Value<'a>, Result<'a>)> = Vec::new();
    for (key, element) in keys.iter().zip(list.iter()) {
        // The type of the first key must have an order, and the other keys must be of this type.
        // Upstream: an error is a value of a type of its own, which has no order.
        let first = pairs.first().map(|(first, _)| first);
        match (key, first) {
            (Ok(key), None) if order::compare(&key, &key).is_some() => pairs.push((key, element)),
            (_, None) => return Err(EvalError::fixed("list elements must be comparable")),
            (Ok(key), Some(first)) if key.type_name() == first.type_name() => {
                pairs.push((key, element));
            }
            (_, Some(_)) => return Err(EvalError::fixed("list elements must have the same type")),
        }
    }
    // Divergence: this sort is stable, but Go's `sort.Slice` is not. NaN is treated as equal to any number.
    pairs.sort_by(|(a, _), (b, _)| compare(a, b).unwrap_or(Ordering::Equal));
    Ok(Value::List(List::of(pairs.into_iter().map(|(_, element)| element).collect())))
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
    fn extended_lists() {
        let slice = |a, b| [ints(&[1, 2, 3]), Value::Int(a), Value::Int(b)];
        check("list_slice", &slice(1, 3), "[2, 3]", 13);
        check(
            "list_slice",
            &slice(-1, 3),
            "cannot slice(-1, 3), negative indexes not supported",
            12,
        );
        check("list_slice", &slice(0, 4), "cannot slice(0, 4), list is length 3", 12);
        check("lists_range", &[Value::Int(3)], "[0, 1, 2]", 14);
        check(
            "lists_range",
            &[Value::Int(10_000_000_000)],
            "lists.range: size 10000000000 exceeds maximum allowed (1000000)",
            12,
        );
        check("list_reverse", &[ints(&[1, 2])], "[2, 1]", 13);
        check("list_distinct", &[ints(&[1, 2, 1])], "[1, 2]", 29);
        check("list_int_sort", &[ints(&[3, 1, 2])], "[1, 2, 3]", 29);
        check("list_string_sort", &[strings(&["b", "a"])], "[a, b]", 19);
        let nested = Value::list(vec![ints(&[1]), ints(&[2, 3])]);
        check("list_flatten", std::slice::from_ref(&nested), "[1, 2, 3]", 13);
        check("list_flatten_int", &[nested.clone(), Value::Int(0)], "[[1], [2, 3]]", 11);
        check("list_flatten_int", &[nested, Value::Int(-1)], "level must be non-negative", 9);
        let by = [strings(&["x", "y"]), ints(&[2, 1])];
        check("list_int_sortByAssociatedKeys", &by, "[y, x]", 19);
    }
}
