//! Authorization checks. CRD rules have no value to call them on: only the declarations matter.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/authz.go`.

#[cfg(feature = "eval")]
pub(super) mod calls;

use super::row::{Row, rows};
use crate::minors::libraries::SELECTORS;

pub(super) const OVERLOADS: &[Row] = rows! {
    "path": method "authorizer_path" (Authorizer string) -> PathCheck => NEVER;
    "group": method "authorizer_group" (Authorizer string) -> GroupCheck => NEVER;
    "serviceAccount": method "authorizer_serviceaccount" (Authorizer string string) -> Authorizer
        => NEVER;
    "resource": method "groupcheck_resource" (GroupCheck string) -> ResourceCheck => NEVER;
    "subresource": method "resourcecheck_subresource" (ResourceCheck string) -> ResourceCheck
        => NEVER;
    "namespace": method "resourcecheck_namespace" (ResourceCheck string) -> ResourceCheck => NEVER;
    "name": method "resourcecheck_name" (ResourceCheck string) -> ResourceCheck => NEVER;
    "check":
        method "pathcheck_check" (PathCheck string) -> Decision: kubernetes(Check), costed_by_function_name()
            => NEVER.costing(Cost::Fixed(CHECK));
        method "resourcecheck_check" (ResourceCheck string) -> Decision: kubernetes(Check)
            => NEVER.costing(Cost::Fixed(CHECK));
    "errored": method "decision_errored" (Decision) -> bool => NEVER;
    "error": method "decision_error" (Decision) -> string => NEVER;
    "allowed": method "decision_allowed" (Decision) -> bool => NEVER;
    "reason": method "decision_reason" (Decision) -> string => NEVER;
    "fieldSelector": method "authorizer_fieldselector" (ResourceCheck string) -> ResourceCheck:
        kubernetes(Selector), costed_by_function_name(), within(SELECTORS)
        => NEVER.costing(Cost::Of(selector_cost));
    "labelSelector": method "authorizer_labelselector" (ResourceCheck string) -> ResourceCheck:
        kubernetes(Selector), costed_by_function_name(), within(SELECTORS)
        => NEVER.costing(Cost::Of(selector_cost));
};
