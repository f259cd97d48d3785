//! Kinds and APIs that a test adds to its server: kinds without a stored definition, and aggregated APIs.

use std::sync::Arc;
use std::time::Duration;

use http::{HeaderValue, Request, Response, StatusCode, Uri, header};
use http_body::Body as HttpBody;
use kube::client::Body;
use serde::Serialize;
use serde_json::{Value, json};
use tower_service::Service;

use super::authorization::authorize;
use super::controllers::define_own_kinds;
use super::core::Core;
use super::in_process::in_process;
use super::response::{ResponseBody, failed, response};
use super::server::{Shared, State};
use super::target::RequestTarget;
use super::user::{MASTERS, User};
use super::work::Work;
use super::{ApiServer, ApiServerBuilder, api_services, definition};
use crate::model::{CustomResourceDefinition, to_lower};

/// How long an aggregated API has to list its resources.
const DISCOVERY_TIMEOUT: Duration = Duration::from_secs(5);

impl ApiServerBuilder {
    /// Serves a kind that the server lacks, such as one of Kubernetes' own. The argument has the form of a
    /// `CustomResourceDefinition`, but it is neither validated nor stored: the group may be any but the core group, and
    /// schemas may be omitted. Objects are served as custom resources are.
    ///
    /// ```
    /// use crd_apiserver::ApiServer;
    /// use serde_json::json;
    ///
    /// let server = ApiServer::builder()
    ///     .with_kind(&json!({"spec": {
    ///         "group": "internal.apiserver.k8s.io", "scope": "Cluster",
    ///         "names": {"plural": "storageversions", "kind": "StorageVersion"},
    ///         "versions": [{"name": "v1alpha1", "served": true, "storage": true, "subresources": {"status": {}}}],
    ///     }}))
    ///     .with_object(&json!({
    ///         "apiVersion": "internal.apiserver.k8s.io/v1alpha1", "kind": "StorageVersion",
    ///         "metadata": {"name": "apps.deployments"}, "spec": {},
    ///     }))
    ///     .start();
    /// ```
    ///
    /// # Panics
    /// Panics if the argument has no group, no names, no version that is stored, or a schema that cannot be compiled.
    #[track_caller]
    pub fn with_kind(self, kind: &(impl Serialize + ?Sized)) -> Self {
        let kind = serde_json::to_value(kind).unwrap_or(Value::Null);
        let crd = completed(&kind);
        let (group, plural) = (crd.spec.group.clone(), crd.spec.names.plural.clone());
        let mut state = self.0.shared.lock();
        let State { core, controllers } = &mut *state;
        controllers.own_kinds.push(crd);
        define_own_kinds(controllers, core);
        let is_served =
            core.catalog.all().any(|kind| kind.group == group && kind.names.plural == plural);
        self.0.shared.settle(state);
        assert!(
            is_served && !plural.is_empty() && !group.is_empty(),
            "the kind is not served: `spec` needs `group`, `names.plural`, `names.kind` and a version with `served` and \
             `storage`"
        );
        self
    }

    /// Answers all requests below `/apis/GROUP/VERSION` with a service in the process, as an aggregated API does.
    /// Discovery lists the version; the service answers the request for its resources, which has the path
    /// `/apis/GROUP/VERSION` and expects an `APIResourceList`. An object of kind `APIService` is created, if it does not
    /// exist; its condition `Available` is true.
    ///
    /// The requests have the name and the groups of the user in the headers `x-remote-user` and `x-remote-group`. No lock
    /// is held while the service is called, so it may use clients of this server.
    ///
    /// The server answers requests for an `APIService` with another service with status 503.
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
        let mut state = self.0.shared.lock();
        state.core.own_apis.insert(key.clone(), None);
        let name = api_services::name(group, version);
        state.controllers.queue.add(Work::ApiService(name.into()));
        self.0.shared.routes().apis.insert(key, in_process(service));
        self.0.shared.settle(state);
        self.0.register_apis();
        self
    }
}

impl ApiServer {
    /// Creates the objects of the aggregated APIs of the test.
    pub(crate) fn register_apis(&self) {
        let apis: Vec<_> = self.shared.lock().core.own_apis.keys().cloned().collect();
        let object = |(group, version): &(String, String)| {
            let name = format!("{version}-{group}").replace('.', "-");
            let service = json!({"namespace": "default", "name": name, "port": 443});
            api_services::object(group, version, Some(&service))
        };
        let objects: Vec<Value> = apis.iter().filter_map(object).collect();
        self.create_all(&objects);
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
        let Some(service) = self.routes().apis.get(&key).cloned() else {
            let is_remote = is_remote(&self.lock().core, &key);
            return is_remote.then(|| unavailable("service unavailable\n".to_owned()));
        };
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
        act_as(&mut sent, &user);
        Some(match service(sent).await {
            Ok(answer) => answer.map(|body| ResponseBody::whole(body.into())),
            Err(why) => unavailable(format!("error trying to reach service: {why}")),
        })
    }

    /// Asks the aggregated APIs for their resources, if the request is for the document of all groups.
    ///
    /// Source: `fetchFreshDiscoveryForService` of `pkg/apiserver/handler_discovery.go` of kube-aggregator.
    pub(super) async fn discover_apis(&self, request: &Request<Vec<u8>>) {
        let accept = request.headers().get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
        let is_aggregated = accept.is_some_and(|accept| accept.contains("APIGroupDiscoveryList"));
        if request.uri().path().trim_end_matches('/') != "/apis" || !is_aggregated {
            return;
        }
        let apis = self.routes().apis.clone();
        for ((group, version), service) in apis {
            let mut sent = Request::new(Vec::new());
            if let Ok(uri) = format!("/apis/{group}/{version}").parse() {
                *sent.uri_mut() = uri;
            }
            let json = HeaderValue::from_static("application/json");
            sent.headers_mut().insert(header::ACCEPT, json);
            act_as(&mut sent, &User::new("system:kube-aggregator").group(MASTERS));
            let answer = tokio::time::timeout(DISCOVERY_TIMEOUT, service(sent)).await;
            let resources = answer.ok().and_then(Result::ok).and_then(|answer| {
                let list: Value = serde_json::from_slice(answer.body()).ok()?;
                list.get("resources")?.as_array().cloned()
            });
            self.lock().core.own_apis.insert((group, version), resources);
        }
    }
}

/// Adds the headers by which an aggregated API knows the user of a request. Source: `SetAuthProxyHeaders` of
/// `transport/round_trippers.go` of client-go.
fn act_as(request: &mut Request<Vec<u8>>, user: &User) {
    let headers = request.headers_mut();
    let forged: Vec<_> =
        headers.keys().filter(|it| it.as_str().starts_with("x-remote-")).cloned().collect();
    for name in forged {
        headers.remove(name);
    }
    if let Ok(name) = user.name().parse() {
        headers.insert("x-remote-user", name);
    }
    for group in user.groups().iter().filter_map(|group| group.parse().ok()) {
        headers.append("x-remote-group", group);
    }
}

/// Returns whether a service that this server does not reach answers for a version.
fn is_remote(core: &Core, (group, version): &(String, String)) -> bool {
    let stored = core.store.get(api_services::RESOURCE, &api_services::name(group, version));
    stored.is_some_and(|stored| api_services::service(&stored.object()).is_some())
}

/// Source: `proxyError` of `pkg/apiserver/handler_proxy.go` of kube-aggregator.
fn unavailable(text: String) -> Response<ResponseBody> {
    response(StatusCode::SERVICE_UNAVAILABLE, "text/plain; charset=utf-8", text.into())
}

/// Returns the group and the version in the path of a request.
fn group_version(uri: &Uri) -> Option<(String, String)> {
    let mut parts = uri.path().strip_prefix("/apis/")?.split('/');
    Some((parts.next()?.to_owned(), parts.next()?.to_owned()))
}
