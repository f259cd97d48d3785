//! Limits of the cost of rules.

/// The cost limit of all rules and message expressions of one object together, in cost units.
///
/// Source: `k8s.io/apiserver/pkg/apis/cel/config.go`, `RuntimeCELCostBudget`.
pub const BUDGET: u64 = 10_000_000;

/// The cost limit of one evaluation, in cost units.
///
/// Source: `k8s.io/apiserver/pkg/apis/cel/config.go`, `PerCallLimit`.
pub(super) const CALL_LIMIT: u64 = 1_000_000;
