//! Columns of role bindings. Source: `printRoleBinding`, `printClusterRoleBinding`.

use serde_json::Value;

use super::{AGE, Column, Description, NAME, STRING, Text, list, of, str_at};

// The descriptions of the roles are those of `v1beta1`, which do not say that the field is immutable.
const ROLE: Description = Text(
    "roleRef can reference a Role in the current namespace or a ClusterRole in the global namespace. If the RoleRef \
     cannot be resolved, the Authorizer must return an error.",
);
const CLUSTER_ROLE: Description = Text(
    "roleRef can only reference a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the \
     Authorizer must return an error.",
);

pub(super) const ROLE_BINDING: &[Column] = &[
    NAME,
    of("Role", STRING, ROLE, role),
    AGE,
    of("Users", STRING, Text("Users in the roleBinding"), users).wide(),
    of("Groups", STRING, Text("Groups in the roleBinding"), groups).wide(),
    of("ServiceAccounts", STRING, Text("ServiceAccounts in the roleBinding"), accounts).wide(),
];

pub(super) const CLUSTER_ROLE_BINDING: &[Column] = &[
    NAME,
    of("Role", STRING, CLUSTER_ROLE, role),
    AGE,
    of("Users", STRING, Text("Users in the clusterRoleBinding"), users).wide(),
    of("Groups", STRING, Text("Groups in the clusterRoleBinding"), groups).wide(),
    of("ServiceAccounts", STRING, Text("ServiceAccounts in the clusterRoleBinding"), accounts)
        .wide(),
];

fn role(binding: &Value) -> Value {
    format!("{}/{}", str_at(binding, "/roleRef/kind"), str_at(binding, "/roleRef/name")).into()
}

fn users(binding: &Value) -> Value {
    subjects(binding, "User", |it| str_at(it, "/name").to_owned())
}

fn groups(binding: &Value) -> Value {
    subjects(binding, "Group", |it| str_at(it, "/name").to_owned())
}

fn accounts(binding: &Value) -> Value {
    subjects(binding, "ServiceAccount", |it| {
        format!("{}/{}", str_at(it, "/namespace"), str_at(it, "/name"))
    })
}

/// Source: `SubjectsStrings` of `pkg/apis/rbac`.
fn subjects(binding: &Value, kind: &str, name: fn(&Value) -> String) -> Value {
    let subjects = list(binding, "/subjects").iter();
    let names = subjects.filter(|subject| str_at(subject, "/kind") == kind).map(name);
    names.collect::<Vec<_>>().join(", ").into()
}
