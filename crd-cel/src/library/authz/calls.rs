//! Evaluation of authorization checks. CRD rules have no value to call them on: only the declarations matter.

use crate::error::EvalError;
use crate::library::binding::Binding;
use crate::library::costs::{Operand, size, traversed};

/// A function that is never called, because no value has these types.
pub(super) const NEVER: Binding = Binding::new(|_, _| Err(EvalError::NO_SUCH_OVERLOAD));

/// The cost of a check, in cost units. Source: `k8s.io/apiserver/pkg/cel/library/cost.go`, `CallCost`.
pub(super) const CHECK: u64 = 350_000;

/// The cost of reading a selector: a list, the text once, and one requirement for every two characters.
pub(super) fn selector_cost(operands: &[Operand<'_, '_>], _: Operand<'_, '_>) -> u64 {
    const LIST: u64 = 10;
    const REQUIREMENT: u64 = 50;
    let length = size(operands.get(1).copied().flatten());
    LIST + traversed(length) + length.div_ceil(2) * REQUIREMENT
}
