//! What the server estimates an expression to cost at most, or less than that: a bound from below, so that
//! nothing is refused which the server takes. The counterpart of `crate::cost`.
//!
//! Sizes are those of literals, of what a declaration says of the end of a path, and of what functions make of
//! either. A value of which the server knows no size has the largest; where it is not known here what the server
//! knows, it counts 0.
//!
//! Source: as of `crate::cost`.

mod call;
pub(super) mod class;
mod known;
mod sizes;

pub(super) use call::Call;
pub(super) use known::{At, Comprehension, Known, NO_NUMBER, Part};

/// The most that a rule may be estimated to cost in one object, in cost units.
///
/// Source: `pkg/apis/apiextensions/validation/validation.go`, `StaticEstimatedCostLimit`.
pub(super) const RULE_COST_LIMIT: u64 = 10_000_000;
/// The most that all rules of a schema may be estimated to cost together, in cost units.
///
/// Source: as above, `StaticEstimatedCRDCostLimit`.
pub(super) const SCHEMA_COST_LIMIT: u64 = 100_000_000;

/// What it costs to make a list, in cost units. Source: cel-go `common/cost.go`.
pub(super) const CREATE_LIST: u64 = 10;
/// What it costs to make a map, in cost units. Source: cel-go `common/cost.go`.
pub(super) const CREATE_MAP: u64 = 30;

/// From here on costs and sizes are not told apart.
///
/// The server takes what it knows no size of to have 2^64 - 1 elements.
pub(super) const CAP: u64 = 1 << 40;

pub(super) const fn add(a: u64, b: u64) -> u64 {
    smaller(a.saturating_add(b), CAP)
}

pub(super) const fn times(a: u64, b: u64) -> u64 {
    smaller(a.saturating_mul(b), CAP)
}

/// A tenth, rounded up: what going through a text costs.
const fn tenth(n: u64) -> u64 {
    n.div_ceil(10)
}

const fn smaller(a: u64, b: u64) -> u64 {
    if a < b { a } else { b }
}

const fn larger(a: u64, b: u64) -> u64 {
    if a > b { a } else { b }
}
