//! Prevention of privilege escalation: a user can only grant permissions that they hold.
//!
//! Source: `pkg/registry/rbac` of kubernetes/kubernetes: `escalation_check.go` and the `policybased` storage of each
//! kind.

use crd_cel::gofmt::quote;
use serde_json::Value;

use super::super::call::Call;
use super::super::core::Core;
use super::super::failure::{Answer, Failure, GroupResource};
use super::super::store::Store;
use super::rules::{self, RoleRule, go_list};
use super::{AuthorizerAttributes, GROUP, bindings, decide};
use crate::json;

/// Checks that a user may write a role or a binding with the permissions that it grants.
///
/// # Errors
/// Status 403 if it grants permissions that the user does not hold, and 404 if the role of a binding does not
/// exist.
pub(in super::super) fn check_escalation(
    core: &Core,
    call: &Call<'_>,
    object: &Value,
    old: Option<&Value>,
) -> Answer<()> {
    if !core.authorizes || call.kind.group != GROUP || call.user.is_master() {
        return Ok(());
    }
    if old.is_some_and(|old| changes_only_gc_fields(object, old)) {
        return Ok(());
    }
    let name = super::super::metadata::text(object, "name");
    let resource = call.kind.names.plural.as_str();
    let reject = |why: &str| {
        let of = GroupResource { group: GROUP, kind: resource };
        Failure::forbidden(of, name, why)
    };
    if matches!(resource, "rolebindings" | "clusterrolebindings") {
        let role = object.get("roleRef").unwrap_or(&Value::Null);
        let text = |key: &str| role.get(key).and_then(Value::as_str).unwrap_or_default();
        let bind = AuthorizerAttributes {
            verb: "bind".to_owned(),
            group: text("apiGroup").to_owned(),
            resource: if text("kind") == "Role" { "roles" } else { "clusterroles" }.to_owned(),
            name: text("name").to_owned(),
            namespace: call.namespace().to_owned(),
            ..AuthorizerAttributes::only_user(&call.user)
        };
        if decide(core, &bind).allowed {
            return Ok(());
        }
        // Upstream: the error names the resource of the binding instead of that of the role.
        let rules = bindings::rules_of(&core.store, role, call.namespace()).map_err(|_| {
            Failure::not_found(GroupResource { group: GROUP, kind: resource }, text("name"))
        })?;
        return confirm_no_escalation(&core.store, call, &rules).map_err(|why| reject(&why));
    }
    let escalate = AuthorizerAttributes {
        verb: "escalate".to_owned(),
        group: GROUP.to_owned(),
        resource: resource.to_owned(),
        name: call.path.name.clone(),
        namespace: call.namespace().to_owned(),
        ..AuthorizerAttributes::only_user(&call.user)
    };
    if decide(core, &escalate).allowed {
        return Ok(());
    }
    confirm_no_escalation(&core.store, call, &RoleRule::all_of(object))
        .map_err(|why| reject(&why))?;
    if has_aggregation_rule(object) || old.is_some_and(has_aggregation_rule) {
        let all = [RoleRule::everything(), RoleRule::every_url()];
        confirm_no_escalation(&core.store, call, &all)
            .map_err(|_| reject("must have cluster-admin privileges to use the aggregationRule"))?;
    }
    Ok(())
}

/// Checks that the user holds all permissions of the `wanted` rules. Source: `ConfirmNoEscalation`.
///
/// # Errors
/// The reason for status 403, which lists the missing permissions.
fn confirm_no_escalation(
    store: &Store,
    call: &Call<'_>,
    wanted: &[RoleRule],
) -> Result<(), String> {
    let granted = bindings::granted(store, &call.user, call.namespace());
    let errors = granted.errors.clone();
    let missing = rules::missing(&granted.into_rules(), wanted);
    if missing.is_empty() {
        return Ok(());
    }
    let mut texts: Vec<String> = missing.iter().map(RoleRule::text).collect();
    texts.sort();
    texts.dedup();
    let mut why = format!(
        "user {} (groups={}) is attempting to grant RBAC permissions not currently held:\n{}",
        quote(&call.user.name),
        go_list(&call.user.groups),
        texts.join("\n")
    );
    if !errors.is_empty() {
        why = format!("{why}; resolution errors: [{}]", errors.join(" "));
    }
    Err(why)
}

/// Returns whether a cluster role aggregates other ones. Source: `hasAggregationRule`.
fn has_aggregation_rule(role: &Value) -> bool {
    let selectors = role.pointer("/aggregationRule/clusterRoleSelectors");
    selectors.and_then(Value::as_array).is_some_and(|selectors| !selectors.is_empty())
}

/// Returns whether an update changes at most finalizers, owners and managed fields. Source: `IsOnlyMutatingGCFields`.
fn changes_only_gc_fields(object: &Value, old: &Value) -> bool {
    let without = |object: &Value| {
        let mut object = object.clone();
        let metadata = super::super::metadata::of_mut(&mut object);
        for key in ["finalizers", "ownerReferences", "managedFields", "selfLink"] {
            metadata.remove(key);
        }
        object
    };
    json::equal(&without(object), &without(old))
}
