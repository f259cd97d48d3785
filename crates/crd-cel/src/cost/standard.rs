//! The estimated costs of the functions of the standard library and of cel-go's extended strings.
//!
//! Source: cel-go `checker/cost.go`, `functionCost`; `ext/strings.go`.

use super::bounds::Size;
use super::{CallEstimate, CostEstimate, EstimatedCall, EstimatedOperand, Estimator};
use crate::library::costs::{REGEX_LENGTH, STRING_TRAVERSAL};
use crate::library::estimate::Standard;
use crate::minors::Change;

/// The cost of a call, its arguments included.
pub(super) fn estimate<'a>(
    estimator: &mut Estimator<'a>,
    call: &EstimatedCall<'_, 'a>,
    rule: Standard,
) -> CallEstimate {
    let special = match rule {
        Standard::Logic => logic(call),
        Standard::Conditional => conditional(estimator, call),
        _ => {
            let own = own(estimator, call, rule);
            own.map(|own| CallEstimate { cost: own.cost.plus(call.arg_cost()), ..own })
        }
    };
    special.unwrap_or_else(|| CallEstimate::of(CostEstimate::ONE.plus(call.arg_cost())))
}

/// The cost of a call without its arguments; `None` if it costs one unit.
fn own<'a>(
    estimator: &mut Estimator<'a>,
    call: &EstimatedCall<'_, 'a>,
    rule: Standard,
) -> Option<CallEstimate> {
    let traversal = |node: &EstimatedOperand<'_>| known(node).scaled(STRING_TRAVERSAL);
    let first = call.args.first();
    let cost = match rule {
        Standard::Logic | Standard::Conditional | Standard::Element | Standard::Member => {
            return None;
        }
        Standard::Compare => {
            let [left, right] = call.args else { return None };
            compare(left, right)
        }
        Standard::AddTexts | Standard::AddLists => {
            let [left, right] = call.args else { return None };
            let size = known(left).plus(known(right));
            let entry = estimator.entry_size(left.expr).zip(estimator.entry_size(right.expr));
            estimator.set_entry(call.e.id, entry.map(|(left, right)| left.or(right)));
            let cost = match rule {
                Standard::AddLists => CostEstimate::ONE,
                _ => size.scaled(STRING_TRAVERSAL),
            };
            return Some(CallEstimate { cost, result: Some(size) });
        }
        Standard::In => known(call.args.get(1)?).scaled(1.0),
        Standard::ToBytes => {
            let size = known(first?);
            let result = Size { min: size.min, max: size.max.wrapping_mul(4) };
            return Some(CallEstimate { cost: traversal(first?), result: Some(result) });
        }
        Standard::ToText => {
            let size = known(first?);
            let result = Size { min: size.min / 4, max: size.max };
            return Some(CallEstimate { cost: traversal(first?), result: Some(result) });
        }
        Standard::Quote => {
            let size = known(first?);
            let result = Size {
                min: size.min.wrapping_add(2),
                max: size.max.wrapping_mul(2).wrapping_add(2),
            };
            return Some(CallEstimate { cost: traversal(first?), result: Some(result) });
        }
        Standard::Affix => traversal(first?),
        Standard::Contains => traversal(call.target?).times(traversal(first?)),
        Standard::Matches => matching(call.target?, first?),
        Standard::MatchesGlobal if estimator.version.has(Change::GlobalMatchesCosts) => {
            matching(first?, call.args.get(1)?)
        }
        Standard::MatchesGlobal => return None,
        Standard::Format => traversal(call.target?),
    };
    Some(CallEstimate::of(cost))
}

/// The cost of `&&` and `||`: at least the left operand, at most both.
fn logic(call: &EstimatedCall<'_, '_>) -> Option<CallEstimate> {
    let [left, right] = call.arg_costs else { return None };
    Some(CallEstimate::of(CostEstimate { min: left.min, max: left.plus(*right).max }))
}

fn conditional<'a>(
    estimator: &mut Estimator<'a>,
    call: &EstimatedCall<'_, 'a>,
) -> Option<CallEstimate> {
    let [_, yes, no] = call.args else { return None };
    let [condition, yes_cost, no_cost] = call.arg_costs else { return None };
    let size = known(yes).or(known(no));
    let entry = estimator.entry_size(yes.expr).zip(estimator.entry_size(no.expr));
    estimator.set_entry(call.e.id, entry.map(|(yes, no)| yes.or(no)));
    let cost = condition.plus(yes_cost.or(*no_cost));
    Some(CallEstimate { cost, result: Some(size) })
}

/// The size that an operand had when it was estimated. If it had none, the size is unknown.
///
/// Upstream: only the rules of the API server and of cel-go's extensions then use the size at the operand's path.
fn known(node: &EstimatedOperand<'_>) -> Size {
    node.size.unwrap_or(Size::UNKNOWN)
}

/// The cost of traversing the shorter of two values.
pub(super) fn compare(left: &EstimatedOperand<'_>, right: &EstimatedOperand<'_>) -> CostEstimate {
    let max = known(left).max.min(known(right).max);
    CostEstimate { min: max.min(1), max }.scaled(STRING_TRAVERSAL)
}

fn matching(text: &EstimatedOperand<'_>, pattern: &EstimatedOperand<'_>) -> CostEstimate {
    let text = known(text).plus(Size::ONE).scaled(STRING_TRAVERSAL);
    text.times(known(pattern).scaled(REGEX_LENGTH))
}
