//! The attributes of a request, for authorization.
//!
//! Source: `k8s.io/apiserver/pkg/endpoints/request/requestinfo.go`.

use crd_cel::gofmt::quote;
use http::Request;
use serde_json::Value;

use super::super::query::Query;
use super::super::target::ResourcePath;
use super::super::user::User;

/// An action of a user that requires authorization.
#[derive(Debug, Clone)]
pub(in super::super) struct AuthorizerAttributes {
    pub(in super::super) user: User,
    pub(in super::super) verb: String,
    /// Empty for all namespaces and for cluster-scoped resources.
    pub(in super::super) namespace: String,
    pub(in super::super) group: String,
    /// Empty for a path other than a resource's.
    pub(in super::super) resource: String,
    pub(in super::super) subresource: String,
    /// Set also for a list or watch whose field selector names a single object.
    pub(in super::super) name: String,
    /// The path of the request. Rules match it only if `resource` is empty.
    pub(in super::super) path: String,
}

impl AuthorizerAttributes {
    /// Returns the attributes of a request for a resource.
    pub(in super::super) fn of(
        path: &ResourcePath,
        request: &Request<Vec<u8>>,
        user: &User,
    ) -> Self {
        let query = Query::parse(request.uri().query().unwrap_or_default());
        let verb = path.verb(request.method(), &query);
        let mut name = path.name.clone();
        if name.is_empty()
            && !path.watches
            && matches!(verb, "list" | "watch")
            && let Some(selected) = selected_name(query.text("fieldSelector"))
        {
            name = selected;
        }
        Self {
            user: user.clone(),
            verb: verb.to_owned(),
            namespace: path.namespace.clone(),
            group: path.group.clone(),
            resource: path.resource.clone(),
            subresource: path.subresource.clone(),
            name,
            path: request.uri().path().to_owned(),
        }
    }

    /// Returns the attributes of a request for a path other than a resource's, such as `/healthz`. The verb is the
    /// method in lower case.
    pub(in super::super) fn of_path(request: &Request<Vec<u8>>, user: &User) -> Self {
        let verb = request.method().as_str().to_ascii_lowercase();
        Self { verb, path: request.uri().path().to_owned(), ..Self::only_user(user) }
    }

    /// Returns the attributes in the spec of an access review. Source: `pkg/registry/authorization/util`.
    pub(super) fn of_review(spec: &Value, user: &User) -> Self {
        let text =
            |at: &str| spec.pointer(at).and_then(Value::as_str).unwrap_or_default().to_owned();
        if spec.get("resourceAttributes").is_some_and(Value::is_object) {
            return Self {
                verb: text("/resourceAttributes/verb"),
                namespace: text("/resourceAttributes/namespace"),
                group: text("/resourceAttributes/group"),
                resource: text("/resourceAttributes/resource"),
                subresource: text("/resourceAttributes/subresource"),
                name: text("/resourceAttributes/name"),
                ..Self::only_user(user)
            };
        }
        Self {
            verb: text("/nonResourceAttributes/verb"),
            path: text("/nonResourceAttributes/path"),
            ..Self::only_user(user)
        }
    }

    /// Returns attributes that only have a user.
    pub(super) fn only_user(user: &User) -> Self {
        Self {
            user: user.clone(),
            verb: String::new(),
            namespace: String::new(),
            group: String::new(),
            resource: String::new(),
            subresource: String::new(),
            name: String::new(),
            path: String::new(),
        }
    }

    pub(super) fn is_resource(&self) -> bool {
        !self.resource.is_empty()
    }

    /// Returns the resource with its subresource: `deployments/scale`.
    pub(super) fn combined(&self) -> String {
        if self.subresource.is_empty() {
            self.resource.clone()
        } else {
            format!("{}/{}", self.resource, self.subresource)
        }
    }

    /// Returns the message that the user may not perform the action.
    /// Source: `forbiddenMessage` of `pkg/endpoints/handlers/responsewriters`.
    pub(super) fn forbidden_message(&self) -> String {
        let (user, verb, group) = (quote(&self.user.name), &self.verb, quote(&self.group));
        if !self.is_resource() {
            return format!("User {user} cannot {verb} path {}", quote(&self.path));
        }
        let place = if self.namespace.is_empty() {
            "at the cluster scope".to_owned()
        } else {
            format!("in the namespace {}", quote(&self.namespace))
        };
        let resource = quote(&self.combined());
        format!("User {user} cannot {verb} resource {resource} in API group {group} {place}")
    }
}

/// Returns the name in a field selector such as `metadata.name=web`; `None` if it has none, or an invalid one.
fn selected_name(selector: &str) -> Option<String> {
    let name = selector.split(',').find_map(|term| {
        let value = term.strip_prefix("metadata.name=")?;
        Some(value.strip_prefix('=').unwrap_or(value))
    })?;
    crate::names::path_segment(name, false).is_empty().then(|| name.to_owned())
}
