//! The cost of the functions that Kubernetes adds, by function name.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/cost.go`, `EstimateCallCost`.

use super::bounds::Size;
use super::{Call, CallEstimate, CostEstimate, Estimator, Node, REGEX_LENGTH, STRING_TRAVERSAL};
use crate::minors::Change;
use crate::syntax::{ExprKind, Literal};
use crate::types::{Type, type_names};

/// An authorization check, in cost units: two exceed the budget of a rule.
const AUTHORIZATION_CHECK: CostEstimate = CostEstimate::exactly(350_000);
/// Requirements of a selector, per code point.
const REQUIREMENTS: f64 = 0.5;
/// The cost of a requirement of a selector: a list and a struct.
const REQUIREMENT: f64 = 50.0;
/// A selector without requirements: a list.
const SELECTOR: CostEstimate = CostEstimate::exactly(10);
/// The bytes of an IP address of either family.
const ADDRESS: Size = Size { min: 4, max: 16 };
/// The longest name of a format, in code points. Source: `k8s.io/apiserver/pkg/cel/limits.go`.
const MAX_FORMAT_SIZE: u64 = 64;
/// The longest regular expression of a format, in code points.
/// Source: `k8s.io/apiserver/pkg/cel/limits.go`, `MaxNameFormatRegexSize`.
const MAX_FORMAT_REGEX: f64 = 128.0;

/// The cost of a call without its arguments; `None` for functions that Kubernetes does not cost.
pub(super) fn estimate<'a>(
    estimator: &Estimator<'a>,
    call: &Call<'_, 'a>,
    overload: &str,
) -> Option<CallEstimate> {
    let size = |node: &Node<'a>| estimator.operand_size(node);
    let traversal = |node: &Node<'a>| size(node).scaled(STRING_TRAVERSAL);
    let cost = match (call.function, call.target, call.args) {
        ("check", ..) => AUTHORIZATION_CHECK,
        ("ip", ..) if overload == "cidr_ip" => CostEstimate::ONE,
        (
            "serviceAccount"
            | "path"
            | "group"
            | "resource"
            | "subresource"
            | "namespace"
            | "name"
            | "allowed"
            | "reason"
            | "error"
            | "errored"
            | "masked"
            | "prefixLength"
            | "family"
            | "isUnspecified"
            | "isLoopback"
            | "isLinkLocalMulticast"
            | "isLinkLocalUnicast"
            | "isGlobalUnicast"
            | "format.named"
            | "sign"
            | "asInteger"
            | "isInteger"
            | "asApproximateFloat"
            | "isGreaterThan"
            | "isLessThan"
            | "compareTo"
            | "add"
            | "sub"
            | "major"
            | "minor"
            | "patch"
            | "getScheme"
            | "getHostname"
            | "getHost"
            | "getPort"
            | "getEscapedPath"
            | "getQuery",
            ..,
        ) => CostEstimate::ONE,
        ("fieldSelector" | "labelSelector", _, [selector]) => {
            let requirements = size(selector).scaled(REQUIREMENTS).scaled(REQUIREMENT);
            SELECTOR.plus(traversal(selector)).plus(requirements)
        }
        ("isSorted" | "sum" | "max" | "min" | "indexOf" | "lastIndexOf", Some(target), _) => {
            traverse_elements(estimator, target)
        }
        // What is not a list by its type may be one.
        ("includes", Some(target), _) if target.ty.first_parameter().is_none() => size(target),
        ("includes", Some(target), _) => traverse_elements(estimator, target),
        (
            "cidr" | "isIP" | "isCIDR" | "ip" | "quantity" | "isQuantity" | "semver" | "isSemver",
            _,
            [arg, ..],
        ) => traversal(arg),
        ("ip.isCanonical", _, [arg, ..]) => size(arg).scaled(2.0 * STRING_TRAVERSAL),
        ("containsIP", _, [other, ..]) => {
            let parse = if overload == "cidr_contains_ip_string" {
                traversal(other)
            } else {
                CostEstimate::ZERO
            };
            compare_addresses().plus(parse)
        }
        ("containsCIDR", _, [other, ..]) => {
            let parse = if overload == "cidr_contains_cidr_string" {
                traversal(other)
            } else {
                CostEstimate::ZERO
            };
            let mask = ADDRESS.scaled(STRING_TRAVERSAL).plus(CostEstimate::ONE);
            compare_addresses().plus(mask).plus(parse)
        }
        ("validate", _, [text, ..]) => traversal(text).scaled(MAX_FORMAT_REGEX * REGEX_LENGTH),
        ("_==_", _, [left, right])
            if estimator.version.has(Change::EqualityOfLibraryTypesIsBounded) =>
        {
            return equality(left, right).map(CallEstimate::of);
        }
        _ => return resizing(estimator, call),
    };
    Some(CallEstimate::of(cost))
}

/// The functions whose result has a size that follows from their operands'.
fn resizing<'a>(estimator: &Estimator<'a>, call: &Call<'_, 'a>) -> Option<CallEstimate> {
    let size = |node: &Node<'a>| estimator.operand_size(node);
    let (cost, result) = match (call.function, call.target, call.args) {
        ("url", _, [arg]) => {
            let cost = size(arg).scaled(STRING_TRAVERSAL);
            if !estimator.version.has(Change::SizesOfUrls) {
                return Some(CallEstimate::of(cost));
            }
            (cost, size(arg))
        }
        ("lowerAscii" | "upperAscii" | "substring" | "trim", Some(target), _) => {
            (size(target).scaled(STRING_TRAVERSAL), size(target))
        }
        ("replace", Some(target), [from, to, ..]) => {
            let text = size(target);
            (text.scaled(2.0 * STRING_TRAVERSAL), replaced(text, size(from), size(to)))
        }
        ("split", Some(target), args) => {
            let text = size(target);
            let max = match args.get(1).map(|limit| &limit.expr.kind) {
                // Upstream: -1, no limit, becomes the largest number.
                Some(ExprKind::Literal(Literal::Int(limit))) => limit.cast_unsigned(),
                _ => text.max,
            };
            (text.scaled(2.0 * STRING_TRAVERSAL), Size { min: 0, max })
        }
        ("join", Some(target), args) => {
            let list = size(target);
            let mut text = Size::ZERO;
            if target.ty.first_parameter().is_some() {
                text = list.times(estimator.element_size(target));
            }
            if let Some(separator) = args.first() {
                let between =
                    Size { min: list.min.saturating_sub(1), max: list.max.saturating_sub(1) };
                text = text.plus(size(separator).times(between));
            }
            (text.scaled(STRING_TRAVERSAL), text)
        }
        ("find" | "findAll", Some(target), [pattern, ..]) => {
            let text = size(target);
            let cost = text.plus(Size::ONE).scaled(STRING_TRAVERSAL);
            let cost = cost.times(size(pattern).scaled(REGEX_LENGTH));
            (cost, Size { min: 0, max: text.max })
        }
        _ => return None,
    };
    Some(CallEstimate { cost, result: Some(result) })
}

/// Going through a list, and through its elements where they are strings or bytes; or through a string.
fn traverse_elements<'a>(estimator: &Estimator<'a>, target: &Node<'a>) -> CostEstimate {
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

/// Comparing two addresses byte by byte.
fn compare_addresses() -> CostEstimate {
    ADDRESS.plus(ADDRESS).scaled(STRING_TRAVERSAL)
}

/// The cost of equality between values of one Kubernetes type.
fn equality(left: &Node<'_>, right: &Node<'_>) -> Option<CostEstimate> {
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
        // Upstream: both sides are the right one.
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
