//! Authorization checks. CRD rules have no value to call them on, but other expressions do, such as
//! match conditions of webhooks.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/authz.go`.

#[cfg(feature = "eval")]
pub(super) mod calls;

use super::row::{Row, rows};
use crate::minors::libraries::SELECTORS;

pub(super) const OVERLOADS: &[Row] = rows! {
    "path": method "authorizer_path" (Authorizer string) -> PathCheck => Binding::new(path);
    "group": method "authorizer_group" (Authorizer string) -> GroupCheck => Binding::new(group);
    "serviceAccount": method "authorizer_serviceaccount" (Authorizer string string) -> Authorizer
        => Binding::new(service_account);
    "resource": method "groupcheck_resource" (GroupCheck string) -> ResourceCheck
        => Binding::new(resource);
    "subresource": method "resourcecheck_subresource" (ResourceCheck string) -> ResourceCheck
        => Binding::new(|budget, args| with(budget, args, |it| &mut it.subresource));
    "namespace": method "resourcecheck_namespace" (ResourceCheck string) -> ResourceCheck
        => Binding::new(|budget, args| with(budget, args, |it| &mut it.namespace));
    "name": method "resourcecheck_name" (ResourceCheck string) -> ResourceCheck
        => Binding::new(|budget, args| with(budget, args, |it| &mut it.name));
    "check":
        method "pathcheck_check" (PathCheck string) -> Decision: kubernetes(Check), gives_cost_by_function_name()
            => Binding::new(check).costing(Cost::Fixed(CHECK));
        method "resourcecheck_check" (ResourceCheck string) -> Decision: kubernetes(Check)
            => Binding::new(check).costing(Cost::Fixed(CHECK));
    "errored": method "decision_errored" (Decision) -> bool
        => Binding::new(|_, args| decided(args, |it| Value::Bool(it.error.is_some())));
    "error": method "decision_error" (Decision) -> string
        => Binding::new(|_, args| decided(args, |it| Value::string(it.error.as_deref().unwrap_or_default())));
    "allowed": method "decision_allowed" (Decision) -> bool
        => Binding::new(|_, args| decided(args, |it| Value::Bool(it.allowed)));
    "reason": method "decision_reason" (Decision) -> string
        => Binding::new(|_, args| decided(args, |it| Value::string(&*it.reason)));
    "fieldSelector": method "authorizer_fieldselector" (ResourceCheck string) -> ResourceCheck:
        kubernetes(Selector), gives_cost_by_function_name(), within(SELECTORS)
        => Binding::new(|budget, args| with(budget, args, |it| &mut it.field_selector))
            .costing(Cost::Of(selector_cost));
    "labelSelector": method "authorizer_labelselector" (ResourceCheck string) -> ResourceCheck:
        kubernetes(Selector), gives_cost_by_function_name(), within(SELECTORS)
        => Binding::new(|budget, args| with(budget, args, |it| &mut it.label_selector))
            .costing(Cost::Of(selector_cost));
};
