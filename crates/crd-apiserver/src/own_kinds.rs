//! Kinds and APIs that a test adds to its server: kinds without a stored definition, and aggregated APIs.

use std::sync::Arc;

use http::{Request, Response, StatusCode, Uri};
use http_body::Body as HttpBody;
use kube::client::Body;
use serde::Serialize;
use serde_json::{Value, json};
use tower_service::Service;

use super::authorization::authorize;
use super::controllers::define_own_kinds;
use super::in_process::in_process;
use super::response::{ResponseBody, failed, response};
use super::server::{Shared, State};
use super::target::RequestTarget;
use super::{ApiServer, definition};
use crate::model::{CustomResourceDefinition, to_lower};

impl ApiServer {
    /// Serves a kind that the server lacks, such as one of Kubernetes' own. The argument has the form of a
    /// `CustomResourceDefinition`, but it is neither validated nor stored: the group may be any but the core group, and
    /// schemas may be omitted. Objects are served as custom resources are.
    ///
    /// ```
    /// use crd_apiserver::ApiServer;
    /// use serde_json::json;
    ///
    /// let server = ApiServer::new()
    ///     .with_kind(&json!({"spec": {
    ///         "group": "apiregistration.k8s.io", "scope": "Cluster",
    ///         "names": {"plural": "apiservices", "kind": "APIService"},
    ///         "versions": [{"name": "v1", "served": true, "storage": true, "subresources": {"status": {}}}],
    ///     }}))
    ///     .with_object(&json!({
    ///         "apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
    ///         "metadata": {"name": "v1.example.com"}, "spec": {"group": "example.com", "version": "v1"},
    ///     }));
    /// ```
    ///
    /// # Panics
    /// Panics if the argument has no group, no names, no version that is stored, or a schema that cannot be compiled.
    #[must_use]
    #[track_caller]
    pub fn with_kind(self, kind: &(impl Serialize + ?Sized)) -> Self {
        let kind = serde_json::to_value(kind).unwrap_or(Value::Null);
        let crd = completed(&kind);
        let (group, plural) = (crd.spec.group.clone(), crd.spec.names.plural.clone());
        let mut state = self.shared.lock();
        let State { core, controllers } = &mut *state;
        controllers.own_kinds.push(crd);
        define_own_kinds(controllers, core);
        let is_served =
            core.catalog.all().any(|kind| kind.group == group && kind.names.plural == plural);
        self.shared.settle(state);
        assert!(
            is_served && !plural.is_empty() && !group.is_empty(),
            "the kind is not served: `spec` needs `group`, `names.plural`, `names.kind` and a version with `served` and \
             `storage`"
        );
        self
    }

    /// Answers all requests below `/apis/GROUP/VERSION` with a service in the process, as an aggregated API does.
    /// Discovery lists the version; the service answers the request for its resources.
    ///
    /// The request has the name of the user in the header `x-remote-user`. No lock is held while the service is called,
    /// so it may use clients of this server.
    #[must_use]
    pub fn with_api<S, B>(self, group: &str, version: &str, service: S) -> Self
    where
        S: Service<Request<Body>, Response = Response<B>> + Clone + Send + 'static,
        S::Error: std::fmt::Display,
        S::Future: Send,
        B: HttpBody + Send + 'static,
        B::Data: Send,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let key = (group.to_owned(), version.to_owned());
        self.shared.lock().core.own_apis.push(key.clone());
        self.shared.routes().apis.insert(key, in_process(service));
        self
    }
}

/// Returns the definition of a kind with all that a stored one has: the defaults of its names, a schema for each version,
/// and the status of an established one.
fn completed(kind: &Value) -> CustomResourceDefinition {
    let mut crd = definition::model(kind);
    let names = &mut crd.spec.names;
    if names.singular.is_empty() {
        names.singular = to_lower(&names.kind);
    }
    if names.list_kind.is_empty() {
        names.list_kind = format!("{}List", names.kind);
    }
    crd.metadata.name = format!("{}.{}", crd.spec.names.plural, crd.spec.group);
    let any = json!({"openAPIV3Schema": {
        "type": "object", "x-kubernetes-preserve-unknown-fields": true,
    }});
    for version in &mut crd.spec.versions {
        if version.schema.is_none() {
            version.schema = serde_json::from_value(any.clone()).ok();
        }
    }
    let mut status = crd.status.take().unwrap_or_default();
    status.accepted_names = crd.spec.names.clone();
    status.conditions = vec![json!({"type": "Established", "status": "True"})];
    crd.status = Some(status);
    crd
}

impl Shared {
    /// Answers a request to an aggregated API; returns `None` if its path is of no such API.
    pub(super) async fn answer_of_api(
        self: &Arc<Self>,
        request: &Request<Vec<u8>>,
    ) -> Option<Response<ResponseBody>> {
        let key = group_version(request.uri())?;
        let service = self.routes().apis.get(&key).cloned()?;
        let target = RequestTarget::of(request.uri().path());
        let user = authorize(&self.lock().core, &target, request);
        let user = match user {
            Ok(user) => user,
            Err(failure) => return Some(failed(&failure)),
        };
        let mut sent = Request::new(request.body().clone());
        *sent.method_mut() = request.method().clone();
        *sent.uri_mut() = request.uri().clone();
        *sent.headers_mut() = request.headers().clone();
        if let Ok(user) = user.name().parse() {
            sent.headers_mut().insert("x-remote-user", user);
        }
        Some(match service(sent).await {
            Ok(answer) => answer.map(|body| ResponseBody::whole(body.into())),
            // Source: `proxyError` of `k8s.io/kube-aggregator/pkg/apiserver/handler_proxy.go`.
            Err(why) => {
                let text = format!("error trying to reach service: {why}");
                response(StatusCode::SERVICE_UNAVAILABLE, "text/plain; charset=utf-8", text.into())
            }
        })
    }
}

/// Returns the group and the version in the path of a request.
fn group_version(uri: &Uri) -> Option<(String, String)> {
    let mut parts = uri.path().strip_prefix("/apis/")?.split('/');
    Some((parts.next()?.to_owned(), parts.next()?.to_owned()))
}
