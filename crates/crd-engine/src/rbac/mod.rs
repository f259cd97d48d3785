//! Computes the RBAC roles that a program needs, with rules merged and sorted as controller-gen does it, and compares
//! them with a manifest.
//!
//! ```
//! use crd_runtime::rbac::{Need, Permissions};
//!
//! let needs = Need::each(["list", "watch", "get"], ["deployments.apps"]);
//! let needed = Permissions::of_needs("operator", needs);
//! assert_eq!(
//!     needed.to_yaml(),
//!     "---
//! apiVersion: rbac.authorization.k8s.io/v1
//! kind: ClusterRole
//! metadata:
//!   name: operator
//! rules:
//! - apiGroups:
//!   - apps
//!   resources:
//!   - deployments
//!   verbs:
//!   - get
//!   - list
//!   - watch
//! "
//! );
//!
//! let granted = needed.to_yaml().replace("watch", "delete");
//! let comparison = needed.compare(&Permissions::from_yaml(&granted).unwrap());
//! assert_eq!(
//!     comparison.to_string(),
//!     "missing: watch deployments.apps\nsuperfluous: delete deployments.apps\n"
//! );
//! ```

mod compare;
mod merge;
mod need;
mod read;

use serde_json::{Map, Value, json};

use crate::yaml;

pub use compare::Comparison;
pub use need::{Need, covers_resource, covers_url};
pub use read::Error;

const API_GROUP: &str = "rbac.authorization.k8s.io";

/// A set of `ClusterRole`s and Roles.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Permissions {
    roles: Vec<Role>,
}

/// A `ClusterRole`, or the Role of a namespace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Role {
    /// The namespace of a Role; empty for a `ClusterRole`.
    pub namespace: String,
    /// The name of the role.
    pub name: String,
    /// The rules of the role.
    pub rules: Vec<Rule>,
}

/// A rule of a role, the `PolicyRule` of Kubernetes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// API groups; the core group is the empty string.
    pub api_groups: Vec<String>,
    /// URL paths that are not resources, such as `/metrics`.
    pub non_resource_urls: Vec<String>,
    /// Names of objects; if empty, the rule applies to all objects.
    pub resource_names: Vec<String>,
    /// Resources and subresources, such as `deployments` and `deployments/status`.
    pub resources: Vec<String>,
    /// Verbs, such as `get` and `list`.
    pub verbs: Vec<String>,
}

impl Permissions {
    /// Returns the minimal roles that grant the needed permissions, all with the same name: a `ClusterRole` for
    /// permissions in all namespaces, and a Role for each namespace. Roles do not repeat what the `ClusterRole` grants.
    #[must_use]
    pub fn of_needs(name: &str, needs: impl IntoIterator<Item = Need>) -> Self {
        Self { roles: merge::roles(name, &needs.into_iter().collect()) }
    }

    /// Returns the roles: `ClusterRole`s first, then Roles by namespace.
    pub fn roles(&self) -> &[Role] {
        &self.roles
    }

    /// Returns the same permissions in a `ClusterRole` with the name of the first role, for a program that works in all
    /// namespaces even if the recorded requests were made in only some of them.
    #[must_use]
    pub fn cluster_wide(&self) -> Self {
        let name = self.roles.first().map_or("", |role| role.name.as_str());
        let needs = self.needs().map(|need| Need { namespace: String::new(), ..need });
        Self::of_needs(name, needs)
    }

    /// Returns the manifest: a document for each role, each preceded by `---`; empty if there are no roles.
    #[must_use]
    pub fn to_yaml(&self) -> String {
        yaml::to_documents(&self.objects())
    }

    /// Returns the roles as objects of Kubernetes.
    #[must_use]
    pub fn objects(&self) -> Vec<Value> {
        self.roles.iter().map(Role::to_value).collect()
    }

    /// Returns the bindings of each role to a service account, as objects of Kubernetes: a `ClusterRoleBinding` for a
    /// `ClusterRole`, and a `RoleBinding` in the namespace of a Role. A binding has the name of its role.
    #[must_use]
    pub fn bindings(&self, namespace: &str, service_account: &str) -> Vec<Value> {
        let subject =
            json!({"kind": "ServiceAccount", "name": service_account, "namespace": namespace});
        let bindings = self.roles.iter().map(|role| {
            let mut binding = role.to_value();
            binding["roleRef"] =
                json!({"apiGroup": API_GROUP, "kind": binding["kind"], "name": role.name});
            binding["kind"] = format!("{}Binding", role.kind()).into();
            binding["subjects"] = json!([subject]);
            if let Some(fields) = binding.as_object_mut() {
                fields.remove("rules");
            }
            binding
        });
        bindings.collect()
    }

    /// Reads the roles among the documents of a manifest. The namespace of a Role without one is `default`, as with
    /// kubectl.
    ///
    /// # Errors
    /// Returns an error if a document is not valid YAML, such as a Helm template that has not been rendered, or if a
    /// rule is malformed.
    pub fn from_yaml(text: &str) -> Result<Self, Error> {
        read::roles(text).map(|roles| Self { roles })
    }

    /// Compares these permissions, as the needed ones, with those that a manifest grants.
    #[must_use]
    pub fn compare(&self, granted: &Self) -> Comparison {
        compare::compare(self, granted)
    }

    /// Returns the single permissions that the roles grant, such as `get` on `pods`.
    fn needs(&self) -> impl Iterator<Item = Need> {
        self.roles.iter().flat_map(Role::needs)
    }
}

impl Role {
    /// Returns the single permissions that the role grants, such as `get` on `pods`.
    fn needs(&self) -> impl Iterator<Item = Need> {
        self.rules.iter().flat_map(|rule| rule.needs(&self.namespace))
    }

    fn kind(&self) -> &'static str {
        if self.namespace.is_empty() { "ClusterRole" } else { "Role" }
    }

    fn to_value(&self) -> Value {
        let mut metadata = json!({"name": self.name});
        if !self.namespace.is_empty() {
            metadata["namespace"] = self.namespace.clone().into();
        }
        let rules: Vec<Value> = self.rules.iter().map(Rule::to_value).collect();
        json!({
            "apiVersion": format!("{API_GROUP}/v1"), "kind": self.kind(),
            "metadata": metadata, "rules": rules,
        })
    }
}

impl Rule {
    fn to_value(&self) -> Value {
        let lists = [
            ("apiGroups", &self.api_groups),
            ("nonResourceURLs", &self.non_resource_urls),
            ("resourceNames", &self.resource_names),
            ("resources", &self.resources),
            ("verbs", &self.verbs),
        ];
        let lists = lists.into_iter().filter(|(_, list)| !list.is_empty());
        let map: Map<String, Value> =
            lists.map(|(key, list)| (key.to_owned(), list.clone().into())).collect();
        map.into()
    }

    fn needs(&self, namespace: &str) -> Vec<Need> {
        let mut needs = Vec::new();
        let names: Vec<Option<&String>> = match self.resource_names.as_slice() {
            [] => vec![None],
            names => names.iter().map(Some).collect(),
        };
        for verb in &self.verbs {
            for url in &self.non_resource_urls {
                needs.push(Need { url: url.clone(), verb: verb.clone(), ..Need::default() });
            }
            for (group, resource) in self
                .api_groups
                .iter()
                .flat_map(|group| self.resources.iter().map(move |resource| (group, resource)))
            {
                needs.extend(names.iter().map(|name| Need {
                    namespace: namespace.to_owned(),
                    group: group.clone(),
                    resource: resource.clone(),
                    name: name.cloned().unwrap_or_default(),
                    verb: verb.clone(),
                    url: String::new(),
                }));
            }
        }
        needs
    }
}

#[cfg(test)]
mod tests;
