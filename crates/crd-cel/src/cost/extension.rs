//! The cost of the set and list extensions.
//!
//! Source: cel-go `ext/sets.go`, `estimateSetsCost`; `ext/lists.go`, `estimateList*`.

use super::bounds::Size;
use super::{CREATE_LIST, CallEstimate, CostEstimate, EstimatedCall, EstimatedOperand, Estimator};
use crate::library::costs::STRING_TRAVERSAL;
use crate::library::estimate::Extension;
use crate::syntax::{ExprKind, Literal};

/// The cost of a call without its arguments; `None` if it lacks the operands that the rule needs.
pub(super) fn estimate<'a>(
    estimator: &Estimator<'a>,
    call: &EstimatedCall<'_, 'a>,
    rule: Extension,
) -> Option<CallEstimate> {
    let size = |node: &EstimatedOperand<'a>| estimator.operand_size(node);
    let list = || call.target.map(size);
    Some(match (rule, call.args) {
        (Extension::Sets, [a, b]) => sets(size(a), size(b), 1.0),
        (Extension::SetsTwice, [a, b]) => sets(size(a), size(b), 2.0),
        (Extension::Slice, [start, end]) => {
            let end = int_literal(end).unwrap_or(list()?.max);
            let start = int_literal(start).unwrap_or(0);
            // Upstream: a slice that ends before it starts wraps around.
            new_list(1.0, Size::exactly(end.wrapping_sub(start)))
        }
        (Extension::Range, [n]) => new_list(1.0, Size::exactly(int_literal(n).unwrap_or(u64::MAX))),
        (Extension::Copy, _) => new_list(1.0, list()?),
        (Extension::Flatten, [depth]) => {
            #[expect(clippy::cast_precision_loss, reason = "the server's arithmetic")]
            let depth = int_literal(depth).unwrap_or(u64::MAX) as f64;
            new_list(depth, list()?)
        }
        (Extension::Distinct, _) => new_list(2.0, list()?.times(list()?)),
        // `sort` compares the elements, and `sortBy` its argument, the list of keys.
        (Extension::Sort | Extension::SortTexts, args) => {
            let compared = args.first().map_or_else(list, |keys| Some(size(keys)))?;
            let factor = if rule == Extension::Sort { 2.0 } else { 2.0 + STRING_TRAVERSAL };
            new_list(factor, compared.times(compared))
        }
        (
            Extension::Sets
            | Extension::SetsTwice
            | Extension::Slice
            | Extension::Range
            | Extension::Flatten,
            _,
        ) => return None,
    })
}

fn sets(a: Size, b: Size, factor: f64) -> CallEstimate {
    CallEstimate::of(a.times(b).scaled(factor).plus(CostEstimate::ONE))
}

/// The cost of a call that goes through a list `factor` times, and makes a list of the same size.
fn new_list(factor: f64, size: Size) -> CallEstimate {
    let cost = size.scaled(factor).plus(CostEstimate::ONE).plus(CREATE_LIST);
    CallEstimate { cost, result: Some(size) }
}

/// The value of an int literal; a negative one counts as 0.
fn int_literal(node: &EstimatedOperand<'_>) -> Option<u64> {
    match node.expr.kind {
        ExprKind::Literal(Literal::Int(n)) => Some(u64::try_from(n).unwrap_or(0)),
        _ => None,
    }
}
