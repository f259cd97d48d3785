//! The rules that bindings grant to a user.
//!
//! Source: `pkg/registry/rbac/validation/rule.go` of kubernetes/kubernetes.

use crd_cel::gofmt::quote;
use serde_json::Value;

use super::super::metadata;
use super::super::store::Store;
use super::super::user::User;
use super::GROUP;
use super::rules::RoleRule;

/// The rules granted to a user, and the errors in resolving them.
#[derive(Debug, Default)]
pub(super) struct Granted {
    /// Each rule, with a description of the binding that grants it.
    pub(super) rules: Vec<(String, RoleRule)>,
    /// The errors of roles that cannot be resolved.
    pub(super) errors: Vec<String>,
}

impl Granted {
    pub(super) fn into_rules(self) -> Vec<RoleRule> {
        self.rules.into_iter().map(|(_, rule)| rule).collect()
    }
}

/// Returns the rules that `ClusterRoleBinding`s grant to a user and, unless `namespace` is empty, also those that
/// its `RoleBinding`s grant. Source: `DefaultRuleResolver.VisitRulesFor`.
pub(super) fn granted(store: &Store, user: &User, namespace: &str) -> Granted {
    let mut granted = Granted::default();
    for (_, binding) in store.list(&format!("{GROUP}/clusterrolebindings"), "") {
        grant(store, user, "", &binding.object(), &mut granted);
    }
    if !namespace.is_empty() {
        let prefix = format!("{namespace}/");
        for (_, binding) in store.list(&format!("{GROUP}/rolebindings"), &prefix) {
            grant(store, user, namespace, &binding.object(), &mut granted);
        }
    }
    granted
}

fn grant(store: &Store, user: &User, namespace: &str, binding: &Value, granted: &mut Granted) {
    let subjects = binding.get("subjects").and_then(Value::as_array).into_iter().flatten();
    let Some(subject) = subjects.into_iter().find(|it| is_user(it, user, namespace)) else {
        return;
    };
    let role = binding.get("roleRef").unwrap_or(&Value::Null);
    match rules_of(store, role, namespace) {
        Err(why) => granted.errors.push(why),
        Ok(rules) => {
            let source = described(binding, subject, namespace);
            granted.rules.extend(rules.into_iter().map(|rule| (source.clone(), rule)));
        }
    }
}

/// Returns the rules of a role, given the `roleRef` of a binding.
/// Source: `DefaultRuleResolver.GetRoleReferenceRules`.
///
/// # Errors
/// If the role does not exist, or the reference is of an unknown kind.
pub(super) fn rules_of(
    store: &Store,
    role: &Value,
    namespace: &str,
) -> Result<Vec<RoleRule>, String> {
    let text = |key: &str| role.get(key).and_then(Value::as_str).unwrap_or_default();
    let name = text("name");
    let (resource, key) = match text("kind") {
        "Role" => ("roles", format!("{namespace}/{name}")),
        "ClusterRole" => ("clusterroles", name.to_owned()),
        other => return Err(format!("unsupported role reference kind: {}", quote(other))),
    };
    let role = store.get(&format!("{GROUP}/{resource}"), &key).ok_or_else(|| {
        let kind = resource.trim_end_matches('s');
        format!("{kind}.{GROUP} {} not found", quote(name))
    })?;
    Ok(RoleRule::all_of(&role.object()))
}

/// Returns whether a subject of a binding is the user or one of the user's groups. Source: `appliesToUser`.
fn is_user(subject: &Value, user: &User, namespace: &str) -> bool {
    let text = |key: &str| subject.get(key).and_then(Value::as_str).unwrap_or_default();
    let name = text("name");
    match text("kind") {
        "User" => user.name == name,
        "Group" => user.groups.iter().any(|group| group == name),
        "ServiceAccount" => {
            let own = text("namespace");
            let namespace = if own.is_empty() { namespace } else { own };
            !namespace.is_empty() && user.account() == Some((namespace, name))
        }
        _ => false,
    }
}

/// Describes a binding: `RoleBinding "a/default" of Role "b" to User "jane"`.
/// Source: `clusterRoleBindingDescriber` and `roleBindingDescriber`.
fn described(binding: &Value, subject: &Value, namespace: &str) -> String {
    let text = |value: &Value, at: &str| {
        value.pointer(at).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let (kind, name) = (text(subject, "/kind"), text(subject, "/name"));
    let subject = if kind == "ServiceAccount" {
        let own = text(subject, "/namespace");
        let namespace = if own.is_empty() { namespace.to_owned() } else { own };
        format!("{kind} {}", quote(&format!("{name}/{namespace}")))
    } else {
        format!("{kind} {}", quote(&name))
    };
    let own = metadata::text(binding, "name");
    let binding_text = if namespace.is_empty() {
        format!("ClusterRoleBinding {}", quote(own))
    } else {
        format!("RoleBinding {}", quote(&format!("{own}/{namespace}")))
    };
    let (role_kind, role) = (text(binding, "/roleRef/kind"), text(binding, "/roleRef/name"));
    format!("{binding_text} of {role_kind} {} to {subject}", quote(&role))
}
