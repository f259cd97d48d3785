//! Parses the path of a URL.
//!
//! Source: `k8s.io/apiserver/pkg/endpoints/request/requestinfo.go`.

use http::Method;

use super::query::{Query, decode};

/// The target of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RequestTarget {
    Resource(ResourcePath),
    /// Any other path: discovery, documents such as OpenAPI, or an unknown path.
    Path(Vec<String>),
}

/// The path of a resource, object or subresource, such as `/apis/apps/v1/namespaces/a/deployments/b/status`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct ResourcePath {
    pub(super) group: String,
    pub(super) version: String,
    /// Empty if the path names none. For a namespace itself, its name.
    pub(super) namespace: String,
    pub(super) resource: String,
    /// Empty for a request on all objects of the resource.
    pub(super) name: String,
    pub(super) subresource: String,
    /// Whether the path has the deprecated prefix `watch`, as `/api/v1/watch/pods` does.
    pub(super) watches: bool,
}

/// The part of an object that a request reads or writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Object,
    Status,
    /// The object, through its `scale` subresource.
    Scale,
    /// A namespace, through its `finalize` subresource.
    Finalize,
    /// The ephemeral containers of a pod.
    EphemeralContainers,
    /// The resources of the containers of a pod.
    Resize,
    /// The conditions of a certificate signing request.
    Approval,
    /// The assignment of a pod to a node.
    Binding,
    /// The eviction of a pod.
    Eviction,
    /// A token of a service account.
    Token,
    /// The log of a pod.
    Log,
    /// A connection to the process of a container.
    Attach,
    /// A connection to a new process in a container.
    Exec,
    /// A connection to a port of a pod.
    PortForward,
    /// What a pod serves over HTTP.
    PodProxy,
    /// What the pods of a service serve over HTTP.
    ServiceProxy,
}

/// The subresources of built-in kinds besides `status` and `scale`: the resource under which the objects are stored, the
/// subresource, and the first minor that has it.
pub(super) const SUBRESOURCES: [(&str, Part, u32); 13] = [
    ("/namespaces", Part::Finalize, 0),
    ("/pods", Part::Attach, 0),
    ("/pods", Part::Binding, 0),
    ("/pods", Part::EphemeralContainers, 0),
    ("/pods", Part::Eviction, 0),
    ("/pods", Part::Exec, 0),
    ("/pods", Part::Log, 0),
    ("/pods", Part::PortForward, 0),
    ("/pods", Part::PodProxy, 0),
    ("/pods", Part::Resize, 33),
    ("/serviceaccounts", Part::Token, 0),
    ("/services", Part::ServiceProxy, 0),
    ("certificates.k8s.io/certificatesigningrequests", Part::Approval, 0),
];

impl Part {
    /// Returns the subresource by which the part is written; empty for the object itself.
    pub(super) fn subresource(self) -> &'static str {
        match self {
            Self::Object => "",
            Self::Status => "status",
            Self::Scale => "scale",
            Self::Finalize => "finalize",
            Self::EphemeralContainers => "ephemeralcontainers",
            Self::Resize => "resize",
            Self::Approval => "approval",
            Self::Binding => "binding",
            Self::Eviction => "eviction",
            Self::Token => "token",
            Self::Log => "log",
            Self::Attach => "attach",
            Self::Exec => "exec",
            Self::PortForward => "portforward",
            Self::PodProxy | Self::ServiceProxy => "proxy",
        }
    }

    /// Returns the part of a built-in kind that a subresource is, on servers of a minor.
    pub(super) fn of(storage: &str, subresource: &str, minor: u32) -> Option<Self> {
        let found = SUBRESOURCES.into_iter().find(|(of, part, since)| {
            *of == storage && part.subresource() == subresource && minor >= *since
        });
        found.map(|(_, part, _)| part)
    }

    /// Returns the group, version and kind of what is written, unless that is the object itself.
    pub(super) fn other_kind(self) -> Option<(&'static str, &'static str, &'static str)> {
        match self {
            Self::Scale => Some(("autoscaling", "v1", "Scale")),
            Self::Binding => Some(("", "v1", "Binding")),
            Self::Attach => Some(("", "v1", "PodAttachOptions")),
            Self::Exec => Some(("", "v1", "PodExecOptions")),
            Self::PortForward => Some(("", "v1", "PodPortForwardOptions")),
            Self::PodProxy => Some(("", "v1", "PodProxyOptions")),
            Self::ServiceProxy => Some(("", "v1", "ServiceProxyOptions")),
            Self::Eviction => Some(("policy", "v1", "Eviction")),
            Self::Token => Some(("authentication.k8s.io", "v1", "TokenRequest")),
            _ => None,
        }
    }

    /// Returns whether a write changes only some fields of the object, as `portions` says.
    pub(super) fn is_portion(self) -> bool {
        matches!(self, Self::Approval | Self::EphemeralContainers | Self::Resize)
    }

    /// Returns the verbs by which the part is read and written.
    pub(super) fn verbs(self) -> &'static [&'static str] {
        match self {
            Self::Binding | Self::Eviction | Self::Token => &["create"],
            Self::Log => &["get"],
            Self::Attach | Self::Exec | Self::PortForward => &["create", "get"],
            Self::Finalize => &["update"],
            Self::PodProxy | Self::ServiceProxy => &["create", "delete", "get", "patch", "update"],
            _ => &["get", "patch", "update"],
        }
    }
}

impl ResourcePath {
    /// Returns the verb of a request for the path, such as `list`; empty for another method.
    ///
    /// Source: `NewRequestInfo` of k8s.io/apiserver `pkg/endpoints/request/requestinfo.go`.
    pub(super) fn verb(&self, method: &Method, query: &Query) -> &'static str {
        let is_all = self.name.is_empty();
        match *method {
            _ if self.watches => "watch",
            Method::GET | Method::HEAD if !is_all => "get",
            Method::GET | Method::HEAD if query.flag("watch") == Some(true) => "watch",
            Method::GET | Method::HEAD => "list",
            Method::POST => "create",
            Method::PUT => "update",
            Method::PATCH => "patch",
            Method::DELETE if is_all => "deletecollection",
            Method::DELETE => "delete",
            _ => "",
        }
    }
}

impl RequestTarget {
    pub(super) fn of(path: &str) -> Self {
        // An escaped slash separates parts as well.
        let path = decode(path, false);
        let path = path.trim_matches('/');
        // `split_terminator` has no part for an empty path.
        let parts: Vec<String> = path.split_terminator('/').map(str::to_owned).collect();
        if parts.iter().any(String::is_empty) {
            return Self::Path(parts);
        }
        let mut rest = match parts.first().map(String::as_str) {
            Some("api") if parts.len() >= 3 => parts[1..].to_vec(),
            Some("apis") if parts.len() >= 4 => parts[1..].to_vec(),
            _ => return Self::Path(parts),
        };
        let mut found = ResourcePath::default();
        if parts[0] == "apis" {
            found.group = rest.remove(0);
        }
        found.version = rest.remove(0);
        found.watches = rest[0] == "watch" && rest.len() > 1;
        if found.watches {
            rest.remove(0);
        }
        if rest[0] == "namespaces" && rest.len() > 1 {
            found.namespace.clone_from(&rest[1]);
            if rest.len() > 2 && !matches!(rest[2].as_str(), "status" | "finalize") {
                rest.drain(..2);
            }
        }
        let mut rest = rest.into_iter();
        found.resource = rest.next().unwrap_or_default();
        found.name = rest.next().unwrap_or_default();
        found.subresource = rest.next().unwrap_or_default();
        Self::Resource(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, want: [&str; 6]) {
        let RequestTarget::Resource(found) = RequestTarget::of(path) else {
            panic!("{path} is no resource")
        };
        let ResourcePath { group, version, namespace, resource, name, subresource, .. } = &found;
        assert_eq!([group, version, namespace, resource, name, subresource], want, "{path}");
    }

    #[test]
    fn paths_are_parsed() {
        check("/api/v1/pods", ["", "v1", "", "pods", "", ""]);
        check("/api/v1/namespaces", ["", "v1", "", "namespaces", "", ""]);
        check("/api/v1/namespaces/a", ["", "v1", "a", "namespaces", "a", ""]);
        check("/api/v1/namespaces/a/status", ["", "v1", "a", "namespaces", "a", "status"]);
        check("/api/v1/namespaces/a/pods/b/log", ["", "v1", "a", "pods", "b", "log"]);
        check("/apis/example.com/v1/things/x%3Ay", ["example.com", "v1", "", "things", "x:y", ""]);
        check(
            "/apis/example.com/v1/namespaces/a/things/b/scale",
            ["example.com", "v1", "a", "things", "b", "scale"],
        );
        check("/api/v1/namespaces/a%2Fpods", ["", "v1", "a", "pods", "", ""]);
        check("/api/v1/watch/namespaces/a/pods/b", ["", "v1", "a", "pods", "b", ""]);
        check("/api/v1/watch", ["", "v1", "", "watch", "", ""]);
        for path in ["/api/v1//pods", "/api/v1/namespaces//pods", "/api/v1/pods//a"] {
            assert!(matches!(RequestTarget::of(path), RequestTarget::Path(_)), "{path}");
        }
        for path in ["/", "/version", "/apis/example.com/v1", "/openapi/v3/apis/example.com/v1"] {
            assert!(matches!(RequestTarget::of(path), RequestTarget::Path(_)), "{path}");
        }
    }
}
