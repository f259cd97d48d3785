//! Limits of the cost of rules.

/// The cost limit of all rules and message expressions of one object together, in cost units.
///
/// Source: `k8s.io/apiserver/pkg/apis/cel/config.go`, `RuntimeCELCostBudget`.
pub const BUDGET: u64 = 10_000_000;

/// The cost limit of one evaluation, in cost units.
///
/// Source: `k8s.io/apiserver/pkg/apis/cel/config.go`, `PerCallLimit`.
pub(super) const CALL_LIMIT: u64 = 1_000_000;

/// How many steps all rules of an object together may take for each unit of [`BUDGET`]. A step is work that the cost
/// does not count, such as comparing what is below the elements of a list. `crd_cel` limits a single evaluation by the
/// same ratio.
///
/// Divergence: the server has no such limit, so that many cheap rules can keep it busy.
pub(super) const STEPS_OF_COST: u64 = 16;
