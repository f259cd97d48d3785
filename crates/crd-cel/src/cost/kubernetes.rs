//! The cost of the functions that Kubernetes adds.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/cost.go`, `EstimateCallCost`.

use super::bounds::Size;
use super::{CallEstimate, CostEstimate, EstimatedCall, EstimatedOperand, Estimator, standard};
use crate::basic::type_names;
use crate::library::costs::{REGEX_LENGTH, STRING_TRAVERSAL};
use crate::library::estimate::Kubernetes;
use crate::minors::Change;
use crate::syntax::{ExprKind, Literal};
use crate::types::Type;

/// The cost of an authorization check: the limit of an evaluation, 1,000,000 cost units, allows two.
const AUTHORIZATION_CHECK: CostEstimate = CostEstimate::exactly(350_000);
/// The number of requirements of a selector, estimated per code point.
const REQUIREMENTS_PER_CODE_POINT: f64 = 0.5;
/// The cost of a requirement of a selector: a list and a struct.
const REQUIREMENT_COST: f64 = 50.0;
/// The cost of a selector without requirements: a list.
const SELECTOR: CostEstimate = CostEstimate::exactly(10);
/// The bytes of an IP address of either family.
const ADDRESS: Size = Size { min: 4, max: 16 };
/// The longest name of a format, in code points. Source: `k8s.io/apiserver/pkg/cel/limits.go`.
const MAX_FORMAT_SIZE: u64 = 64;
/// The longest regular expression of a format, in code points.
/// Source: `k8s.io/apiserver/pkg/cel/limits.go`, `MaxNameFormatRegexSize`.
const MAX_FORMAT_REGEX: f64 = 128.0;

/// The cost of a call without its arguments; `None` if it lacks the operands that the rule needs.
pub(super) fn estimate<'a>(
    estimator: &Estimator<'a>,
    call: &EstimatedCall<'_, 'a>,
    rule: Kubernetes,
) -> Option<CallEstimate> {
    let size = |node: &EstimatedOperand<'a>| estimator.operand_size(node);
    let traversal = |node: &EstimatedOperand<'a>| size(node).scaled(STRING_TRAVERSAL);
    let first = call.args.first();
    let cost = match rule {
        Kubernetes::Equals => {
            let [left, right] = call.args else { return None };
            let is_bounded = estimator.version.has(Change::EqualityOfLibraryTypesIsBounded);
            let own = is_bounded.then(|| equality(left, right)).flatten();
            own.unwrap_or_else(|| standard::compare(left, right))
        }
        Kubernetes::Check => AUTHORIZATION_CHECK,
        Kubernetes::Selector => {
            let count = size(first?).scaled(REQUIREMENTS_PER_CODE_POINT);
            let requirements = count.scaled(REQUIREMENT_COST);
            SELECTOR.plus(traversal(first?)).plus(requirements)
        }
        // A target of type `dyn` may be a list.
        Kubernetes::Includes if call.target?.ty.first_parameter().is_none() => size(call.target?),
        Kubernetes::Elements | Kubernetes::Includes => traverse_elements(estimator, call.target?),
        Kubernetes::Parse => traversal(first?),
        Kubernetes::ParseTwice => size(first?).scaled(2.0 * STRING_TRAVERSAL),
        Kubernetes::ContainsIp => compare_addresses(),
        Kubernetes::ContainsIpText => compare_addresses().plus(traversal(first?)),
        Kubernetes::ContainsCidr => compare_addresses().plus(mask_address()),
        Kubernetes::ContainsCidrText => {
            compare_addresses().plus(mask_address()).plus(traversal(first?))
        }
        Kubernetes::Validate => traversal(first?).scaled(MAX_FORMAT_REGEX * REGEX_LENGTH),
        Kubernetes::Url if !estimator.version.has(Change::SizesOfUrls) => traversal(first?),
        Kubernetes::Url => return Some(with_size(traversal(first?), size(first?))),
        Kubernetes::SameSize => {
            return Some(with_size(traversal(call.target?), size(call.target?)));
        }
        Kubernetes::Replace => {
            let [from, to, ..] = call.args else { return None };
            let text = size(call.target?);
            let result = replaced(text, size(from), size(to));
            return Some(with_size(text.scaled(2.0 * STRING_TRAVERSAL), result));
        }
        Kubernetes::Split => {
            let text = size(call.target?);
            let max = match call.args.get(1).map(|limit| &limit.expr.kind) {
                // Upstream: -1, no limit, becomes the largest number.
                Some(ExprKind::Literal(Literal::Int(limit))) => limit.cast_unsigned(),
                _ => text.max,
            };
            return Some(with_size(text.scaled(2.0 * STRING_TRAVERSAL), Size { min: 0, max }));
        }
        Kubernetes::Join => {
            let text = joined(estimator, call.target?, first);
            return Some(with_size(text.scaled(STRING_TRAVERSAL), text));
        }
        Kubernetes::Find => {
            let text = size(call.target?);
            let cost = text.plus(Size::ONE).scaled(STRING_TRAVERSAL);
            let cost = cost.times(size(first?).scaled(REGEX_LENGTH));
            return Some(with_size(cost, Size { min: 0, max: text.max }));
        }
    };
    Some(CallEstimate::of(cost))
}

fn with_size(cost: CostEstimate, result: Size) -> CallEstimate {
    CallEstimate { cost, result: Some(result) }
}

/// The size of the text that `join` makes of the elements of a list.
fn joined<'a>(
    estimator: &Estimator<'a>,
    list: &EstimatedOperand<'a>,
    separator: Option<&EstimatedOperand<'a>>,
) -> Size {
    let count = estimator.operand_size(list);
    let mut text = Size::ZERO;
    if list.ty.first_parameter().is_some() {
        text = count.times(estimator.element_size(list));
    }
    if let Some(separator) = separator {
        let between = Size { min: count.min.saturating_sub(1), max: count.max.saturating_sub(1) };
        text = text.plus(estimator.operand_size(separator).times(between));
    }
    text
}

/// The cost of traversing a list, and its elements if they are strings or bytes; or of traversing a
/// string.
fn traverse_elements<'a>(estimator: &Estimator<'a>, target: &EstimatedOperand<'a>) -> CostEstimate {
    let size = estimator.operand_size(target);
    let Some(element) = target.ty.first_parameter() else {
        return size.scaled(STRING_TRAVERSAL);
    };
    let mut each = CostEstimate::ONE;
    if matches!(element, Type::String | Type::Bytes) {
        each = each.plus(estimator.element_size(target).scaled(STRING_TRAVERSAL));
    }
    size.times(each)
}

/// The cost of comparing two addresses byte by byte.
fn compare_addresses() -> CostEstimate {
    ADDRESS.plus(ADDRESS).scaled(STRING_TRAVERSAL)
}

/// The cost of masking an address, and of comparing the lengths of two prefixes.
fn mask_address() -> CostEstimate {
    ADDRESS.scaled(STRING_TRAVERSAL).plus(CostEstimate::ONE)
}

/// The cost of equality between values of one Kubernetes type; `None` for values of other types.
fn equality(left: &EstimatedOperand<'_>, right: &EstimatedOperand<'_>) -> Option<CostEstimate> {
    if left.ty.runtime_name() != right.ty.runtime_name() {
        return None;
    }
    let name = match left.ty {
        Type::Opaque(name, _) | Type::Object(name) => &**name,
        _ => return None,
    };
    match name {
        type_names::IP | type_names::CIDR | type_names::QUANTITY | type_names::SEMVER => {
            Some(CostEstimate::ONE)
        }
        name if name.starts_with(type_names::AUTHORIZATION) => Some(CostEstimate::ONE),
        type_names::FORMAT => {
            Some(CostEstimate { min: 1, max: MAX_FORMAT_SIZE }.scaled(STRING_TRAVERSAL))
        }
        // Upstream: the size of the right side is used for both.
        type_names::URL => {
            let max = right.size.map_or(1, |size| size.max);
            Some(CostEstimate { min: 1, max }.scaled(STRING_TRAVERSAL))
        }
        _ => None,
    }
}

/// The size of a text in which every `from` is replaced by `to`.
fn replaced(text: Size, from: Size, to: Size) -> Size {
    // The longest result; an empty `from` is found around every code point.
    let (most, kept) = if from.min == 0 {
        (text.max.saturating_add(1), text.max)
    } else if to.max <= from.min {
        (0, text.max)
    } else {
        (quotient(text.max, from.min), 0)
    };
    let max = most.saturating_mul(to.max).saturating_add(kept);
    let (fewest, kept) = if from.max == 0 {
        (text.min.saturating_add(1), text.min)
    } else if from.max <= to.min {
        (0, text.min)
    } else {
        (quotient(text.min, from.max), 0)
    };
    let min = fewest.saturating_mul(to.min).saturating_add(kept);
    Size { min, max }
}

/// `n / d`, rounded up, through a float64 as the server divides.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "the server's arithmetic; a cast saturates"
)]
fn quotient(n: u64, d: u64) -> u64 {
    (n as f64 / d as f64).ceil() as u64
}
