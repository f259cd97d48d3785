//! Costs at run time that follow from the sizes of operands and results.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/cost.go`; `cel-go/interpreter/runtimecost.go`,
//! `cel-go/common/cost.go`.

use crate::value::{Value, code_points};

/// An operand or result for the purpose of cost: `None` if it was an error.
pub(crate) type Operand<'v, 'a> = Option<&'v Value<'a>>;

/// The size of an operand in a cost formula; an error counts as 1.
pub(crate) fn size(operand: Operand<'_, '_>) -> u64 {
    operand.map_or(1, Value::cost_size)
}

/// The cost of traversing the first operand once.
pub(crate) fn traversal(operands: &[Operand<'_, '_>], _: Operand<'_, '_>) -> u64 {
    traversed(size(operands.first().copied().flatten()))
}

/// `ceil(n * 0.1)`, as cel-go rounds costs: the cost of traversing `n` code points or bytes once.
pub(crate) fn traversed(n: u64) -> u64 {
    // The factor in Go is the float next above 0.1. Rounding the product to 53 bits removes the
    // difference.
    n.div_ceil(10)
}

/// The cost of traversing a text once.
pub(crate) fn text_traversed(text: &str) -> u64 {
    match text.len() {
        // So few bytes are one to ten code points, whose tenth is rounded up to 1.
        1..=10 => 1,
        _ => traversed(code_points(text)),
    }
}

/// `ceil(n * factor)`, as cel-go rounds costs.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "sizes are far below 2^52, and the factor is positive"
)]
pub(crate) fn scaled(n: u64, factor: f64) -> u64 {
    (n as f64 * factor).ceil() as u64
}

/// The cost of traversing the first operand twice.
pub(crate) fn two_traversals(operands: &[Operand<'_, '_>], _: Operand<'_, '_>) -> u64 {
    scaled(size(operands.first().copied().flatten()), 2.0 * STRING_TRAVERSAL)
}

/// The cost of matching the first operand with the pattern that is the second.
pub(crate) fn match_cost(operands: &[Operand<'_, '_>], _: Operand<'_, '_>) -> u64 {
    let size_of = |index: usize| size(operands.get(index).copied().flatten());
    let text = scaled(size_of(0).saturating_add(1), STRING_TRAVERSAL);
    text.saturating_mul(scaled(size_of(1), REGEX_LENGTH))
}

/// The cost of traversing the first operand and its elements once.
pub(crate) fn traversal_of_elements(args: &[Operand<'_, '_>], _: Operand<'_, '_>) -> u64 {
    elements_traversed(args.first().copied().flatten())
}

/// The cost of traversing a value once: for strings and bytes a tenth of their length in bytes,
/// rounded down; for lists and maps, that of the members; 1 for all others.
///
/// Source: `k8s.io/apiserver/pkg/cel/library/cost.go`, `traversalCost`.
///
/// A value with more elements than [`MOST_VISITED`] costs more than any limit. A shared element
/// counts each time that it occurs.
fn elements_traversed(value: Operand<'_, '_>) -> u64 {
    let mut left = MOST_VISITED;
    visit(value, &mut left).unwrap_or(u64::MAX)
}

/// The most elements that are visited to compute a cost.
const MOST_VISITED: u64 = 10_000_000;

/// Like [`elements_traversed`], but `None` if more than `left` values are visited.
fn visit(value: Operand<'_, '_>, left: &mut u64) -> Option<u64> {
    *left = left.checked_sub(1)?;
    match value {
        Some(Value::String(text)) => Some(bytes_traversal(text.len())),
        Some(Value::Bytes(bytes)) => Some(bytes_traversal(bytes.len())),
        Some(Value::List(list)) => list.iter().map(|e| visit(e.as_ref().ok(), left)).sum(),
        Some(Value::Map(map)) => {
            let member = |key: &Value<'_>| {
                let value = map.get(key).ok().flatten();
                Some(visit(Some(key), left)? + visit(value.as_ref(), left)?)
            };
            map.keys().iter().map(member).sum()
        }
        _ => Some(1),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "lengths are far below 2^52"
)]
fn bytes_traversal(len: usize) -> u64 {
    (len as f64 * STRING_TRAVERSAL) as u64
}

/// The cost of traversing a string once, per code point or byte.
/// Source: `cel-go/common/cost.go`, `StringTraversalCostFactor`.
pub(crate) const STRING_TRAVERSAL: f64 = 0.1;

/// The factor of a pattern's length in code points; the product is multiplied by the cost of
/// traversing the text.
/// Source: `cel-go/common/cost.go`, `RegexStringLengthCostFactor`.
pub(crate) const REGEX_LENGTH: f64 = 0.25;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tenths_are_rounded_as_floats_are() {
        let near = |n: u64| n.saturating_sub(20)..n.saturating_add(20);
        let powers = (0..50).flat_map(|power| near(1 << power));
        let tens = (0..15).flat_map(|power| near(10_u64.pow(power)));
        for n in (0..100_000).chain(powers).chain(tens) {
            assert_eq!(traversed(n), scaled(n, STRING_TRAVERSAL), "{n}");
        }
    }
}
