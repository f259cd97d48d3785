//! Authorization checks. CRD rules have no value to call them on: only the declarations matter.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/authz.go`.

use super::binding::{Binding, Cost};
use super::costs::{Operand, size, traversed};
use super::estimate::Kubernetes;
use super::row::{Row, sig};
use crate::error::EvalError;
use crate::minors::libraries::SELECTORS;

pub(super) const OVERLOADS: &[Row] = &[
    Row::method("path", "authorizer_path", sig!((Authorizer string) -> PathCheck), NEVER),
    Row::method("group", "authorizer_group", sig!((Authorizer string) -> GroupCheck), NEVER),
    Row::method(
        "serviceAccount",
        "authorizer_serviceaccount",
        sig!((Authorizer string string) -> Authorizer),
        NEVER,
    ),
    Row::method(
        "resource",
        "groupcheck_resource",
        sig!((GroupCheck string) -> ResourceCheck),
        NEVER,
    ),
    Row::method(
        "subresource",
        "resourcecheck_subresource",
        sig!((ResourceCheck string) -> ResourceCheck),
        NEVER,
    ),
    Row::method(
        "namespace",
        "resourcecheck_namespace",
        sig!((ResourceCheck string) -> ResourceCheck),
        NEVER,
    ),
    Row::method("name", "resourcecheck_name", sig!((ResourceCheck string) -> ResourceCheck), NEVER),
    Row::method(
        "check",
        "pathcheck_check",
        sig!((PathCheck string) -> Decision),
        NEVER.costing(Cost::Fixed(CHECK)),
    )
    .kubernetes(Kubernetes::Check)
    .costed_by_name(),
    Row::method(
        "check",
        "resourcecheck_check",
        sig!((ResourceCheck string) -> Decision),
        NEVER.costing(Cost::Fixed(CHECK)),
    )
    .kubernetes(Kubernetes::Check),
    Row::method("errored", "decision_errored", sig!((Decision) -> bool), NEVER),
    Row::method("error", "decision_error", sig!((Decision) -> string), NEVER),
    Row::method("allowed", "decision_allowed", sig!((Decision) -> bool), NEVER),
    Row::method("reason", "decision_reason", sig!((Decision) -> string), NEVER),
    Row::method(
        "fieldSelector",
        "authorizer_fieldselector",
        sig!((ResourceCheck string) -> ResourceCheck),
        NEVER.costing(Cost::Of(selector_cost)),
    )
    .kubernetes(Kubernetes::Selector)
    .costed_by_name()
    .within(SELECTORS),
    Row::method(
        "labelSelector",
        "authorizer_labelselector",
        sig!((ResourceCheck string) -> ResourceCheck),
        NEVER.costing(Cost::Of(selector_cost)),
    )
    .kubernetes(Kubernetes::Selector)
    .costed_by_name()
    .within(SELECTORS),
];

/// A function that is never called, because no value has these types.
const NEVER: Binding = Binding::new(|_, _| Err(EvalError::NO_SUCH_OVERLOAD));

/// The cost of a check, in cost units. Source: `k8s.io/apiserver/pkg/cel/library/cost.go`, `CallCost`.
const CHECK: u64 = 350_000;

/// The cost of reading a selector: a list, the text once, and one requirement for every two characters.
fn selector_cost(operands: &[Operand<'_, '_>], _: Operand<'_, '_>) -> u64 {
    const LIST: u64 = 10;
    const REQUIREMENT: u64 = 50;
    let length = size(operands.get(1).copied().flatten());
    LIST + traversed(length) + length.div_ceil(2) * REQUIREMENT
}
