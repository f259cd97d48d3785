//! What a request asks for, as rules of faults and transcripts name it.
//!
//! Source: `k8s.io/apiserver/pkg/endpoints/request/requestinfo.go`.

use http::{Method, Request, header};

use super::query::Query;
use super::target::Target;

/// What a request asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Asked {
    /// The method of HTTP.
    pub method: String,
    /// The path, without the query.
    pub path: String,
    /// The query, without `?`; empty where there is none.
    pub query: String,
    /// `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`; for what is no resource, the
    /// method in lowercase.
    pub verb: String,
    /// The API group; empty for the core group, and for what is no resource.
    pub group: String,
    /// The resource, such as `deployments`; empty for what is none.
    pub resource: String,
    /// The subresource, such as `status`; mostly empty.
    pub subresource: String,
    /// The namespace; empty for all of them, and for what has none.
    pub namespace: String,
    /// The name of the object; empty where none is named.
    pub name: String,
    /// The name of the client: its `User-Agent` up to the `/`.
    pub client: String,
    /// The field manager that the request names; empty where it names none.
    pub manager: String,
    /// The user whom the request impersonates; mostly empty.
    pub user: String,
}

impl Asked {
    pub(super) fn of(request: &Request<Vec<u8>>) -> Self {
        let uri = request.uri();
        let text = uri.query().unwrap_or_default();
        let query = Query::parse(text);
        let header = |name: &str| {
            let value = request.headers().get(name).and_then(|value| value.to_str().ok());
            value.unwrap_or_default().to_owned()
        };
        let agent = header(header::USER_AGENT.as_str());
        let mut asked = Self {
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
            user: header("impersonate-user"),
        };
        if let Target::Resource(path) = Target::of(uri.path()) {
            verb(request.method(), path.name.is_empty(), &query).clone_into(&mut asked.verb);
            if path.resource != "namespaces" {
                asked.namespace = path.namespace;
            }
            asked.group = path.group;
            asked.resource = path.resource;
            asked.subresource = path.subresource;
            asked.name = path.name;
        }
        asked
    }

    /// The resource with its group and subresource: `deployments.apps/status`; empty for what is none.
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

fn verb(method: &Method, is_all: bool, query: &Query) -> &'static str {
    match *method {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(request: &str, want: [&str; 5]) {
        let (method, uri) = request.split_once(' ').expect("a method and a path");
        let request = Request::builder().method(method).uri(uri).body(Vec::new());
        let asked = Asked::of(&request.expect("a request"));
        let resource = asked.full_resource();
        let found = [&asked.verb, &resource, &asked.namespace, &asked.name, &asked.manager];
        assert_eq!(found, want);
    }

    #[test]
    fn requests_are_told_apart() {
        check("GET /api/v1/pods?watch=1", ["watch", "pods", "", "", ""]);
        check("GET /api/v1/namespaces/a", ["get", "namespaces", "", "a", ""]);
        check(
            "PATCH /apis/apps/v1/namespaces/a/deployments/b/status?fieldManager=me",
            ["patch", "deployments.apps/status", "a", "b", "me"],
        );
        check("DELETE /api/v1/namespaces/a/pods", ["deletecollection", "pods", "a", "", ""]);
        check("GET /version", ["get", "", "", "", ""]);
    }
}
