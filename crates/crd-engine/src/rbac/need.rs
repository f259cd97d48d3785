//! Single permissions.

use std::fmt;

use crate::names;

/// A permission for a verb on a resource or a URL path: one that a request needs, or one that a role grants. A role may
/// grant `*` as verb, group or resource.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Need {
    /// The namespace; empty for all namespaces and for cluster-scoped resources.
    pub namespace: String,
    /// The API group; empty for the core group.
    pub group: String,
    /// The resource, with its subresource: `deployments` or `deployments/status`.
    pub resource: String,
    /// The name of the object; empty for all objects.
    pub name: String,
    /// The verb, such as `get` or `deletecollection`.
    pub verb: String,
    /// A URL path that is not a resource, such as `/metrics`; empty for a permission on a resource.
    pub url: String,
}

impl Need {
    /// Creates a permission for a verb on a resource in all namespaces, such as `patch` on `deployments.apps/status`.
    #[must_use]
    pub fn new(verb: &str, resource: &str) -> Self {
        let (group, resource) = names::resource(resource);
        Self { group: group.to_owned(), resource, verb: verb.to_owned(), ..Self::default() }
    }

    /// Returns the permissions for each verb on each resource: `Need::each(["get", "list"], ["pods", "jobs.batch"])`.
    pub fn each<'t>(
        verbs: impl IntoIterator<Item = &'t str>,
        resources: impl IntoIterator<Item = &'t str>,
    ) -> impl Iterator<Item = Self> {
        let verbs: Vec<&str> = verbs.into_iter().collect();
        let resources: Vec<&str> = resources.into_iter().collect();
        let needs = resources.into_iter().flat_map(|resource| {
            verbs.iter().map(|verb| Self::new(verb, resource)).collect::<Vec<_>>()
        });
        needs.collect::<Vec<_>>().into_iter()
    }

    /// Creates a permission for a verb on a URL path that is not a resource, such as `get` on `/metrics`.
    #[must_use]
    pub fn on_url(verb: &str, url: &str) -> Self {
        Self { verb: verb.to_owned(), url: url.to_owned(), ..Self::default() }
    }

    /// Restricts the permission to a namespace.
    #[must_use]
    pub fn in_namespace(mut self, namespace: &str) -> Self {
        namespace.clone_into(&mut self.namespace);
        self
    }

    /// Restricts the permission to the object with this name.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self
    }

    /// Returns whether this permission includes another.
    ///
    /// Source: `pkg/apis/rbac/v1/evaluation_helpers.go` of kubernetes/kubernetes.
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        let is_all_or = |own: &str, other: &str| own == "*" || own == other;
        if !is_all_or(&self.verb, &other.verb) {
            return false;
        }
        if self.url.is_empty() != other.url.is_empty() {
            return false;
        }
        if !self.url.is_empty() {
            return covers_url(&self.url, &other.url);
        }
        (self.namespace.is_empty() || self.namespace == other.namespace)
            && is_all_or(&self.group, &other.group)
            && covers_resource(&self.resource, &other.resource)
            && (self.name.is_empty() || self.name == other.name)
    }
}

/// Returns whether the resource of a rule covers a resource: `*` covers all, and `*/status` the statuses of all.
///
/// Source: `pkg/apis/rbac/v1/evaluation_helpers.go` of kubernetes/kubernetes, `ResourceMatches`.
#[must_use]
pub fn covers_resource(owned: &str, wanted: &str) -> bool {
    let of_all = owned.strip_prefix("*/");
    owned == "*"
        || owned == wanted
        || (of_all.is_some()
            && of_all == wanted.split_once('/').map(|(_, subresource)| subresource))
}

/// Returns whether the URL of a rule covers a URL path: `/metrics*` covers all that begin with `/metrics`.
///
/// Source: `pkg/apis/rbac/v1/evaluation_helpers.go` of kubernetes/kubernetes, `NonResourceURLMatches`.
#[must_use]
pub fn covers_url(owned: &str, wanted: &str) -> bool {
    owned == wanted || (owned.ends_with('*') && wanted.starts_with(owned.trim_end_matches('*')))
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { namespace, group, resource, name, verb, url } = self;
        if !url.is_empty() {
            return write!(f, "{verb} {url}");
        }
        let (plural, subresource) = resource.split_once('/').unwrap_or((resource, ""));
        write!(f, "{verb} {plural}")?;
        if !group.is_empty() {
            write!(f, ".{group}")?;
        }
        if !subresource.is_empty() {
            write!(f, "/{subresource}")?;
        }
        if !name.is_empty() {
            write!(f, " {name:?}")?;
        }
        if !namespace.is_empty() {
            write!(f, " in namespace {namespace}")?;
        }
        Ok(())
    }
}
