//! The attributes of a request, as fault rules and transcripts refer to them.
//!
//! Source: `k8s.io/apiserver/pkg/endpoints/request/requestinfo.go`.

use std::sync::Arc;

use http::{Request, header};

use super::query::Query;
use super::target::RequestTarget;
use super::user::User;

/// The attributes of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RequestInfo {
    /// The HTTP method.
    pub method: String,
    /// The path, without the query.
    pub path: String,
    /// The query, without `?`; empty if there is none.
    pub query: String,
    /// `get`, `list`, `watch`, `create`, `update`, `patch`, `delete` or `deletecollection`; for a path without a
    /// resource, such as `/version`, the HTTP method in lowercase.
    pub verb: String,
    /// The API group; empty for the core group, and for a path without a resource.
    pub group: String,
    /// The resource, such as `deployments`; empty for a path without one, such as `/version`.
    pub resource: String,
    /// The subresource, such as `status`; empty if there is none.
    pub subresource: String,
    /// The namespace; empty for requests across all namespaces and for cluster-scoped resources.
    pub namespace: String,
    /// The name of the object in the path; empty if there is none, as in a request to list or create objects.
    pub name: String,
    /// The name of the client: its `User-Agent` up to the first `/`.
    pub client: String,
    /// The `fieldManager` of the request; empty if it names none.
    pub manager: String,
    /// The name of the user that the request impersonates, otherwise of the user of
    /// [`client_as`](super::ApiServer::client_as); empty if there is neither.
    pub user: String,
}

fn header<'r>(request: &'r Request<Vec<u8>>, name: &str) -> &'r str {
    let value = request.headers().get(name).and_then(|value| value.to_str().ok());
    value.unwrap_or_default()
}

fn user_of(request: &Request<Vec<u8>>) -> String {
    let user = || request.extensions().get::<Arc<User>>().map(|user| user.name());
    let impersonated = Some(header(request, "impersonate-user")).filter(|name| !name.is_empty());
    impersonated.or_else(user).unwrap_or_default().to_owned()
}

impl RequestInfo {
    pub(super) fn of(request: &Request<Vec<u8>>) -> Self {
        let uri = request.uri();
        let text = uri.query().unwrap_or_default();
        let query = Query::parse(text);
        let agent = header(request, header::USER_AGENT.as_str());
        let mut info = Self {
            method: request.method().to_string(),
            path: uri.path().to_owned(),
            query: text.to_owned(),
            verb: request.method().as_str().to_ascii_lowercase(),
            group: String::new(),
            resource: String::new(),
            subresource: String::new(),
            namespace: String::new(),
            name: String::new(),
            client: agent.split('/').next().unwrap_or_default().to_owned(),
            manager: query.text("fieldManager").to_owned(),
            user: user_of(request),
        };
        if let RequestTarget::Resource(path) = RequestTarget::of(uri.path()) {
            path.verb(request.method(), &query).clone_into(&mut info.verb);
            if path.resource != "namespaces" {
                info.namespace = path.namespace;
            }
            info.group = path.group;
            info.resource = path.resource;
            info.subresource = path.subresource;
            info.name = path.name;
        }
        info
    }

    /// Returns the resource with its group and subresource, such as `deployments.apps/status`; empty for a path without
    /// a resource.
    pub fn full_resource(&self) -> String {
        let Self { group, resource, subresource, .. } = self;
        let mut text = resource.clone();
        for (mark, part) in [('.', group), ('/', subresource)] {
            if !part.is_empty() {
                text.push(mark);
                text.push_str(part);
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(request: &str, want: [&str; 5]) {
        let (method, uri) = request.split_once(' ').expect("a method and a path");
        let request = Request::builder().method(method).uri(uri).body(Vec::new());
        let info = RequestInfo::of(&request.expect("a request"));
        let resource = info.full_resource();
        let found = [&info.verb, &resource, &info.namespace, &info.name, &info.manager];
        assert_eq!(found, want);
    }

    #[test]
    fn requests_have_the_attributes_of_their_paths() {
        check("GET /api/v1/pods?watch=1", ["watch", "pods", "", "", ""]);
        check("GET /api/v1/namespaces/a", ["get", "namespaces", "", "a", ""]);
        check(
            "PATCH /apis/apps/v1/namespaces/a/deployments/b/status?fieldManager=me",
            ["patch", "deployments.apps/status", "a", "b", "me"],
        );
        check("DELETE /api/v1/namespaces/a/pods", ["deletecollection", "pods", "a", "", ""]);
        check("GET /api/v1/watch/pods", ["watch", "pods", "", "", ""]);
        check("GET /api/v1/watch/namespaces/a/pods/b", ["watch", "pods", "a", "b", ""]);
        check("GET /api/v1/namespaces/a/pods/b?watch=1", ["get", "pods", "a", "b", ""]);
        check("GET /version", ["get", "", "", "", ""]);
    }
}
