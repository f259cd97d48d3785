//! Webhooks, as the server calls them: where they are, what they are sent, and who answers in their place.
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
use super::service::read;

pub(super) use address::Address;
pub(super) use conversion::WebhookConversion;
pub(super) use send::{Answering, Routes};
pub(super) use waiting::{Memo, Waiting};

impl ApiServer {
    /// Answers the calls of a webhook with a service in the process, instead of over a network.
    ///
    /// The host is that of the webhook's `clientConfig`: `NAME.NAMESPACE.svc` for a service, the host of a URL otherwise,
    /// with or without its port. An `axum::Router` is such a service, and so is
    #[cfg_attr(
        feature = "webhook",
        doc = "[`webhook::Server::into_router`](crate::webhook::Server::into_router)."
    )]
    #[cfg_attr(not(feature = "webhook"), doc = "that of the feature `webhook`.")]
    ///
    /// It is called without any lock: it may use clients of this server.
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

    /// Sends the calls of webhooks that name a service to an address, with TLS: what the certificate must be for, and by
    /// whom it must be signed, stays what the `clientConfig` says.
    #[must_use]
    pub fn service_address(self, namespace: &str, name: &str, address: SocketAddr) -> Self {
        let key = (namespace.to_owned(), name.to_owned());
        self.shared.routes().addresses.insert(key, address);
        self
    }
}
