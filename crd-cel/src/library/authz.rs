//! Authorization checks. CRD rules have no value to call them on: only the declarations matter.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/authz.go`.

use super::Declarations;
use super::bind::{Binding, Cost, size, traversed};
use crate::error::EvalError;
use crate::types::{Type, type_names};

fn named(name: &str) -> Type {
    Type::Object([type_names::AUTHORIZATION, name].concat().into())
}

fn authorizer() -> Type {
    named("Authorizer")
}

fn path_check() -> Type {
    named("PathCheck")
}

fn group_check() -> Type {
    named("GroupCheck")
}

fn resource_check() -> Type {
    named("ResourceCheck")
}

fn decision() -> Type {
    named("Decision")
}

/// The functions of the overloads. They are never called, because no value has these types.
pub(super) fn bind(overload: &str) -> Option<Binding> {
    /// Source: `k8s.io/apiserver/pkg/cel/library/cost.go`, `CallCost`.
    const CHECK: u64 = 350_000;
    let none = Binding::new(|_, _| Err(EvalError::NO_SUCH_OVERLOAD));
    Some(match overload {
        "pathcheck_check" | "resourcecheck_check" => none.costing(Cost::Fixed(CHECK)),
        "authorizer_fieldselector" | "authorizer_labelselector" => {
            none.costing(Cost::Of(|args, _| selector_cost(size(args.get(1).copied().flatten()))))
        }
        _ if ["authorizer_", "groupcheck_", "resourcecheck_", "decision_"]
            .iter()
            .any(|library| overload.starts_with(library)) =>
        {
            none
        }
        _ => return None,
    })
}

/// The cost of reading a selector: a list, the text once, and one requirement for every two characters.
fn selector_cost(length: u64) -> u64 {
    const LIST: u64 = 10;
    const REQUIREMENT: u64 = 50;
    LIST + traversed(length) + length.div_ceil(2) * REQUIREMENT
}

/// Declares the library's functions and types.
pub(crate) fn declare(d: &mut Declarations) {
    d.method("path", "authorizer_path", [authorizer(), Type::String], path_check());
    d.method("group", "authorizer_group", [authorizer(), Type::String], group_check());
    d.method(
        "serviceAccount",
        "authorizer_serviceaccount",
        [authorizer(), Type::String, Type::String],
        authorizer(),
    );
    d.method("resource", "groupcheck_resource", [group_check(), Type::String], resource_check());
    d.method(
        "subresource",
        "resourcecheck_subresource",
        [resource_check(), Type::String],
        resource_check(),
    );
    d.method(
        "namespace",
        "resourcecheck_namespace",
        [resource_check(), Type::String],
        resource_check(),
    );
    d.method("name", "resourcecheck_name", [resource_check(), Type::String], resource_check());
    d.method("check", "pathcheck_check", [path_check(), Type::String], decision());
    d.method("check", "resourcecheck_check", [resource_check(), Type::String], decision());
    d.method("errored", "decision_errored", [decision()], Type::Bool);
    d.method("error", "decision_error", [decision()], Type::String);
    d.method("allowed", "decision_allowed", [decision()], Type::Bool);
    d.method("reason", "decision_reason", [decision()], Type::String);
    d.method(
        "fieldSelector",
        "authorizer_fieldselector",
        [resource_check(), Type::String],
        resource_check(),
    );
    d.method(
        "labelSelector",
        "authorizer_labelselector",
        [resource_check(), Type::String],
        resource_check(),
    );
}
