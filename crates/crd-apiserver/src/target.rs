//! Parses the path of a URL.
//!
//! Source: `k8s.io/apiserver/pkg/endpoints/request/requestinfo.go`.

use super::query::decode;

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
}

impl Part {
    /// Returns the subresource by which the part is written; empty for the object itself.
    pub(super) fn subresource(self) -> &'static str {
        match self {
            Self::Object => "",
            Self::Status => "status",
            Self::Scale => "scale",
            Self::Finalize => "finalize",
        }
    }
}

impl RequestTarget {
    pub(super) fn of(path: &str) -> Self {
        let parts: Vec<String> = path
            .trim_matches('/')
            .split('/')
            .filter(|part| !part.is_empty())
            .map(|part| decode(part, false))
            .collect();
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
        let ResourcePath { group, version, namespace, resource, name, subresource } = &found;
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
        for path in ["/", "/version", "/apis/example.com/v1", "/openapi/v3/apis/example.com/v1"] {
            assert!(matches!(RequestTarget::of(path), RequestTarget::Path(_)), "{path}");
        }
    }
}
