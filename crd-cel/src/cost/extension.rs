//! The cost of the set and list extensions, by overload.
//!
//! Source: cel-go `ext/sets.go`, `estimateSetsCost`; `ext/lists.go`, `estimateList*`.

use super::bounds::Size;
use super::{CREATE_LIST, Call, CallEstimate, CostEstimate, Estimator, Node, STRING_TRAVERSAL};
use crate::syntax::{ExprKind, Literal};

/// The cost of a call without its arguments; `None` for overloads of other libraries.
pub(super) fn estimate<'a>(
    estimator: &Estimator<'a>,
    call: &Call<'_, 'a>,
    overload: &str,
) -> Option<CallEstimate> {
    let size = |node: &Node<'a>| estimator.operand_size(node);
    Some(match (overload, call.target, call.args) {
        ("list_sets_contains_list" | "list_sets_intersects_list", _, [a, b]) => {
            sets(size(a), size(b), 1.0)
        }
        ("list_sets_equivalent_list", _, [a, b]) => sets(size(a), size(b), 2.0),
        ("list_slice", Some(list), [start, end]) => {
            let end = int_literal(end).unwrap_or(size(list).max);
            let start = int_literal(start).unwrap_or(0);
            // Upstream: a slice that ends before it starts wraps around.
            new_list(1.0, Size::exactly(end.wrapping_sub(start)))
        }
        ("lists_range", None, [n]) => {
            new_list(1.0, Size::exactly(int_literal(n).unwrap_or(u64::MAX)))
        }
        ("list_reverse" | "list_flatten", Some(list), []) => new_list(1.0, size(list)),
        ("list_flatten_int", Some(list), [depth]) => {
            #[expect(clippy::cast_precision_loss, reason = "the server's arithmetic")]
            let depth = int_literal(depth).unwrap_or(u64::MAX) as f64;
            new_list(depth, size(list))
        }
        ("list_distinct", Some(list), []) => new_list(2.0, size(list).times(size(list))),
        _ => return sort(estimator, call, overload),
    })
}

/// `sort` compares the elements, `sortBy` the keys it was given.
fn sort<'a>(
    estimator: &Estimator<'a>,
    call: &Call<'_, 'a>,
    overload: &str,
) -> Option<CallEstimate> {
    let of_type = overload.strip_prefix("list_")?;
    let (of_type, compared) = match (call.target, call.args) {
        (Some(list), []) => (of_type.strip_suffix("_sort")?, list),
        (Some(_), [keys]) => (of_type.strip_suffix("_sortByAssociatedKeys")?, keys),
        _ => return None,
    };
    let size = estimator.operand_size(compared);
    let factor = match of_type {
        "string" | "bytes" => 2.0 + STRING_TRAVERSAL,
        _ => 2.0,
    };
    Some(new_list(factor, size.times(size)))
}

fn sets(a: Size, b: Size, factor: f64) -> CallEstimate {
    CallEstimate::of(a.times(b).scaled(factor).plus(CostEstimate::ONE))
}

/// A call that goes through a list and makes one of the same size.
fn new_list(factor: f64, size: Size) -> CallEstimate {
    let cost = size.scaled(factor).plus(CostEstimate::ONE).plus(CREATE_LIST);
    CallEstimate { cost, result: Some(size) }
}

/// The value of an int literal; a negative one counts 0.
fn int_literal(node: &Node<'_>) -> Option<u64> {
    match node.expr.kind {
        ExprKind::Literal(Literal::Int(n)) => Some(u64::try_from(n).unwrap_or(0)),
        _ => None,
    }
}
