//! Estimates the cost of an expression as the server does, or lower, so that no rule is rejected that the server
//! accepts. The counterpart of `crate::cost`.
//!
//! Sizes come from literals, from declarations, and from functions of these. A value whose size the server does not
//! know has the largest size; a value whose size the server may know, but which is unknown here, counts as 0.
//!
//! Source: the files that `crate::cost` names.

mod call;
mod sizes;
mod value;

pub(super) use call::EstimatedCall;
pub(super) use value::{Basis, Comprehension, Estimate, NO_NUMBER, PathElement, SizeSource};

/// The most that a rule may be estimated to cost in one object, in cost units.
///
/// Source: `pkg/apis/apiextensions/validation/validation.go`, `StaticEstimatedCostLimit`.
pub(super) const RULE_COST_LIMIT: u64 = 10_000_000;
/// The most that all rules of a schema may be estimated to cost together, in cost units.
///
/// Source: `StaticEstimatedCRDCostLimit` of the same file.
pub(super) const SCHEMA_COST_LIMIT: u64 = 100_000_000;

/// The cost of making a list, in cost units. Source: cel-go `common/cost.go`.
pub(super) const CREATE_LIST: u64 = 10;
/// The cost of making a map, in cost units. Source: cel-go `common/cost.go`.
pub(super) const CREATE_MAP: u64 = 30;
