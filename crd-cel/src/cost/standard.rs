//! The cost of the standard functions, by overload.
//!
//! Source: cel-go `checker/cost.go`, `functionCost`.

use super::bounds::Size;
use super::{Call, CallEstimate, CostEstimate, Estimator, REGEX_LENGTH, STRING_TRAVERSAL};
use crate::minors::Change;

/// The cost of a call, its arguments included.
pub(super) fn estimate<'a>(
    estimator: &mut Estimator<'a>,
    call: &Call<'_, 'a>,
    overload: &str,
) -> CallEstimate {
    special(estimator, call, overload)
        .unwrap_or_else(|| CallEstimate::of(CostEstimate::ONE.plus(call.arg_cost())))
}

/// The cost of an overload that does not simply cost one unit.
fn special<'a>(
    estimator: &mut Estimator<'a>,
    call: &Call<'_, 'a>,
    overload: &str,
) -> Option<CallEstimate> {
    let own = |cost: CostEstimate| CallEstimate::of(cost.plus(call.arg_cost()));
    // Upstream: these read the size as it was when the operand was estimated.
    let known = |node: &super::Node<'_>| node.size.unwrap_or(Size::UNKNOWN);
    let match_cost = |text: &super::Node<'_>, pattern: &super::Node<'_>| {
        let text = known(text).plus(Size::ONE).scaled(STRING_TRAVERSAL);
        own(text.times(known(pattern).scaled(REGEX_LENGTH)))
    };
    Some(match (overload, call.target, call.args) {
        ("string_format", Some(target), _) => own(known(target).scaled(STRING_TRAVERSAL)),
        ("string_to_bytes", _, [arg]) => {
            let size = known(arg);
            let result = Size { min: size.min, max: size.max.wrapping_mul(4) };
            CallEstimate { result: Some(result), ..own(size.scaled(STRING_TRAVERSAL)) }
        }
        ("bytes_to_string", _, [arg]) => {
            let size = known(arg);
            let result = Size { min: size.min / 4, max: size.max };
            CallEstimate { result: Some(result), ..own(size.scaled(STRING_TRAVERSAL)) }
        }
        ("strings_quote", _, [arg]) => {
            let size = known(arg);
            let result = Size {
                min: size.min.wrapping_add(2),
                max: size.max.wrapping_mul(2).wrapping_add(2),
            };
            CallEstimate { result: Some(result), ..own(size.scaled(STRING_TRAVERSAL)) }
        }
        ("starts_with_string" | "ends_with_string", _, [arg]) => {
            own(known(arg).scaled(STRING_TRAVERSAL))
        }
        ("in_list", _, [_, list]) => own(known(list).scaled(1.0)),
        ("matches_string", Some(text), [pattern]) => match_cost(text, pattern),
        ("matches", None, [text, pattern]) if estimator.version.has(Change::GlobalMatchesCosts) => {
            match_cost(text, pattern)
        }
        ("contains_string", Some(target), [part]) => {
            let text = known(target).scaled(STRING_TRAVERSAL);
            own(text.times(known(part).scaled(STRING_TRAVERSAL)))
        }
        ("logical_and" | "logical_or", ..) => {
            // At least the left operand, at most both.
            let [left, right] = call.arg_costs else { return None };
            CallEstimate::of(CostEstimate { min: left.min, max: left.plus(*right).max })
        }
        ("conditional", _, [_, yes, no]) => {
            let [condition, yes_cost, no_cost] = call.arg_costs else { return None };
            let size = known(yes).or(known(no));
            let entry = estimator.entry_size(yes.expr).zip(estimator.entry_size(no.expr));
            estimator.set_entry(call.e.id, entry.map(|(yes, no)| yes.or(no)));
            let cost = condition.plus(yes_cost.or(*no_cost));
            CallEstimate { cost, result: Some(size) }
        }
        ("add_string" | "add_bytes" | "add_list", _, [left, right]) => {
            let size = known(left).plus(known(right));
            let entry = estimator.entry_size(left.expr).zip(estimator.entry_size(right.expr));
            estimator.set_entry(call.e.id, entry.map(|(left, right)| left.or(right)));
            let cost = match overload {
                "add_list" => CostEstimate::ONE,
                _ => size.scaled(STRING_TRAVERSAL),
            };
            CallEstimate { result: Some(size), ..own(cost) }
        }
        (
            "less_string"
            | "greater_string"
            | "less_equals_string"
            | "greater_equals_string"
            | "less_bytes"
            | "greater_bytes"
            | "less_equals_bytes"
            | "greater_equals_bytes"
            | "equals"
            | "not_equals",
            _,
            [left, right],
        ) => {
            let max = known(left).max.min(known(right).max);
            own(CostEstimate { min: max.min(1), max }.scaled(STRING_TRAVERSAL))
        }
        _ => return None,
    })
}
