//! Columns of role bindings. Source: `printRoleBinding`, `printClusterRoleBinding`.

use std::time::SystemTime;

use serde_json::Value;

use super::DescriptionSource::Text;
use super::{AGE, Column, NAME, Printer, age, list, name, str_at};

// The descriptions of the roles are those of `v1beta1`, which do not say that the field is immutable.
const ROLE: Column = (
    "Role",
    "string",
    0,
    Text(
        "roleRef can reference a Role in the current namespace or a ClusterRole in the global namespace. If the \
         RoleRef cannot be resolved, the Authorizer must return an error.",
    ),
);
const CLUSTER_ROLE: Column = (
    "Role",
    "string",
    0,
    Text(
        "roleRef can only reference a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the \
         Authorizer must return an error.",
    ),
);

pub(super) const ROLE_BINDING: Printer = (
    &[
        NAME,
        ROLE,
        AGE,
        ("Users", "string", 1, Text("Users in the roleBinding")),
        ("Groups", "string", 1, Text("Groups in the roleBinding")),
        ("ServiceAccounts", "string", 1, Text("ServiceAccounts in the roleBinding")),
    ],
    cells,
);

pub(super) const CLUSTER_ROLE_BINDING: Printer = (
    &[
        NAME,
        CLUSTER_ROLE,
        AGE,
        ("Users", "string", 1, Text("Users in the clusterRoleBinding")),
        ("Groups", "string", 1, Text("Groups in the clusterRoleBinding")),
        ("ServiceAccounts", "string", 1, Text("ServiceAccounts in the clusterRoleBinding")),
    ],
    cells,
);

fn cells(object: &Value, now: SystemTime) -> Vec<Value> {
    let role = format!("{}/{}", str_at(object, "/roleRef/kind"), str_at(object, "/roleRef/name"));
    // Source: `SubjectsStrings` of `pkg/apis/rbac`.
    let subjects = |kind: &str| {
        let of_kind =
            list(object, "/subjects").iter().filter(|subject| str_at(subject, "/kind") == kind);
        let names = of_kind.map(|subject| match kind {
            "ServiceAccount" => {
                format!("{}/{}", str_at(subject, "/namespace"), str_at(subject, "/name"))
            }
            _ => str_at(subject, "/name").to_owned(),
        });
        Value::from(names.collect::<Vec<_>>().join(", "))
    };
    vec![
        name(object),
        role.into(),
        age(object, now),
        subjects("User"),
        subjects("Group"),
        subjects("ServiceAccount"),
    ]
}
