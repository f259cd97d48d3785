//! Calls of webhooks: their addresses, the reviews that are sent, and services that answer in the process.
//!
//! Source: `k8s.io/apiserver/pkg/util/webhook/client.go`.

mod address;
mod conversion;
mod send;
mod waiting;

use std::future::poll_fn;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use http::{Request, Response};
use http_body::Body as HttpBody;
use kube::client::Body;
use tower_service::Service;

use super::ApiServer;
use super::response::read;

pub(super) use address::Address;
pub(super) use conversion::WebhookConversion;
pub(super) use send::{Answering, Routes};
pub(super) use waiting::{Memo, Waiting};

impl ApiServer {
    /// Answers the calls of a webhook with a service in the process, without a network.
    ///
    /// The host is that of the webhook's `clientConfig`: `NAME.NAMESPACE.svc` for a service, the host of the URL
    /// otherwise, with or without the port. An `axum::Router` is such a service, and so is
    #[cfg_attr(
        feature = "webhook",
        doc = "[`webhook::Server::into_router`](crate::webhook::Server::into_router)."
    )]
    #[cfg_attr(not(feature = "webhook"), doc = "that of the feature `webhook`.")]
    ///
    /// No lock is held while the service is called, so it may use clients of this server.
    #[must_use]
    pub fn webhook<S, B>(self, host: &str, service: S) -> Self
    where
        S: Service<Request<Body>, Response = Response<B>> + Clone + Send + 'static,
        S::Error: std::fmt::Display,
        S::Future: Send,
        B: HttpBody + Send + 'static,
        B::Data: Send,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let service = Mutex::new(service);
        let answering: Answering = Arc::new(move |request| {
            let mut service = service.lock().unwrap_or_else(PoisonError::into_inner).clone();
            Box::pin(async move {
                let ready = poll_fn(|context| service.poll_ready(context)).await;
                ready.map_err(|error| error.to_string())?;
                let response = service.call(request.map(Body::from)).await;
                let (head, body) = response.map_err(|error| error.to_string())?.into_parts();
                let body = read(body).await.map_err(|error| error.to_string())?;
                Ok((head.status, body))
            })
        });
        self.shared.routes().answering.insert(host.to_owned(), answering);
        self
    }

    /// Sends the calls of webhooks that name a service to an address, with TLS. The host name that the certificate must
    /// be valid for, and the trusted certificates, are those of the `clientConfig`.
    #[must_use]
    pub fn service_address(self, namespace: &str, name: &str, address: SocketAddr) -> Self {
        let key = (namespace.to_owned(), name.to_owned());
        self.shared.routes().addresses.insert(key, address);
        self
    }
}
