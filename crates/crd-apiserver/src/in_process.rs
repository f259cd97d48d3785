//! Connects webhooks to the server: services in the same process, closures, and addresses of services.

use std::future::poll_fn;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use http::{Request, Response};
use http_body::Body as HttpBody;
use kube::client::Body;
use serde_json::{Value, json};
use tower_service::Service;

use super::ApiServerBuilder;
use super::admission::AdmissionResponse;
use super::response::read;
use super::webhooks::InProcessService;

/// Returns a service as a function of whole bodies.
pub(super) fn in_process<S, B>(service: S) -> InProcessService
where
    S: Service<Request<Body>, Response = Response<B>> + Clone + Send + 'static,
    S::Error: std::fmt::Display,
    S::Future: Send,
    B: HttpBody + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let service = Mutex::new(service);
    Arc::new(move |request| {
        let mut service = service.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Box::pin(async move {
            let ready = poll_fn(|context| service.poll_ready(context)).await;
            ready.map_err(|error| error.to_string())?;
            let response = service.call(request.map(Body::from)).await;
            let (head, body) = response.map_err(|error| error.to_string())?.into_parts();
            let body = read(body).await.map_err(|error| error.to_string())?;
            Ok(Response::from_parts(head, body))
        })
    })
}

impl ApiServerBuilder {
    /// Answers the calls of a webhook with a service in the process, without a network.
    ///
    /// The host is that of the webhook's `clientConfig`: `NAME.NAMESPACE.svc` for a service, the host of the URL
    /// otherwise, with or without the port. An `axum::Router` is such a service, and so is
    /// `crd_webhook::Server::into_router`.
    ///
    /// No lock is held while the service is called, so it may use clients of this server.
    pub fn webhook<S, B>(self, host: &str, service: S) -> Self
    where
        S: Service<Request<Body>, Response = Response<B>> + Clone + Send + 'static,
        S::Error: std::fmt::Display,
        S::Future: Send,
        B: HttpBody + Send + 'static,
        B::Data: Send,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        self.0.shared.routes().in_process.insert(host.to_owned(), in_process(service));
        self
    }

    /// Sends the calls of webhooks that name this service to an address, with TLS. The certificate must be valid for
    /// `NAME.NAMESPACE.svc`, and the trusted certificates are those in the `caBundle`, otherwise those of the system.
    pub fn service_address(self, namespace: &str, name: &str, address: SocketAddr) -> Self {
        let key = (namespace.to_owned(), name.to_owned());
        self.0.shared.routes().addresses.insert(key, address);
        self
    }

    /// Answers the calls of the admission webhook of a given name, such as `validate.crontabs.example.com`, whatever
    /// address its `clientConfig` has. The closure receives the `request` of each `AdmissionReview`.
    ///
    /// The stored configuration decides when the webhook is called, as in a cluster:
    ///
    /// ```
    /// use crd_apiserver::{AdmissionResponse, ApiServer};
    /// use k8s_openapi::api::core::v1::ConfigMap;
    /// use kube::api::{Api, PostParams};
    /// use serde_json::json;
    ///
    /// # tokio_test(async {
    /// let server = ApiServer::builder()
    ///     .with_object(&json!({
    ///         "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
    ///         "metadata": {"name": "settings"},
    ///         "webhooks": [{
    ///             "name": "settings.example.com", "sideEffects": "None", "admissionReviewVersions": ["v1"],
    ///             "clientConfig": {"service": {"namespace": "default", "name": "settings"}},
    ///             "rules": [{
    ///                 "operations": ["CREATE"], "apiGroups": [""], "apiVersions": ["v1"], "resources": ["configmaps"],
    ///             }],
    ///         }],
    ///     }))
    ///     .admission("settings.example.com", |request| match request["object"]["data"].is_object() {
    ///         true => AdmissionResponse::allow(),
    ///         false => AdmissionResponse::deny("data is required"),
    ///     })
    ///     .start();
    /// let api: Api<ConfigMap> = Api::default_namespaced(server.client());
    /// let mut settings = ConfigMap::default();
    /// settings.metadata.name = Some("settings".to_owned());
    /// let rejected = api.create(&PostParams::default(), &settings).await.unwrap_err().to_string();
    /// assert!(rejected.contains("admission webhook \"settings.example.com\" denied the request: data is required"));
    /// # });
    /// # fn tokio_test(test: impl Future<Output = ()>) {
    /// #     tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
    /// # }
    /// ```
    ///
    /// For a webhook that implements HTTP itself, use [`ApiServerBuilder::webhook`].
    pub fn admission(
        self,
        webhook: &str,
        answer: impl Fn(&Value) -> AdmissionResponse + Send + Sync + 'static,
    ) -> Self {
        let answer = Arc::new(answer);
        let service: InProcessService = Arc::new(move |request| {
            let answer = Arc::clone(&answer);
            Box::pin(async move {
                let review: Value = serde_json::from_slice(request.body())
                    .map_err(|error| format!("the review cannot be read: {error}"))?;
                let request = review.get("request").unwrap_or(&Value::Null);
                let response = answer(request).to_value(request);
                let reply = json!({
                    "apiVersion": review["apiVersion"], "kind": "AdmissionReview", "response": response,
                });
                Ok(Response::new(reply.to_string().into_bytes()))
            })
        });
        self.0.shared.routes().named.insert(webhook.to_owned(), service);
        self
    }
}
