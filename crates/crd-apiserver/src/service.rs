//! The server as a `tower` service, for [`kube::Client`] and for listeners.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::{Request, Response};
use http_body::Body as HttpBody;
use tower_service::Service;

use super::caller::Caller;
use super::response::{ConnectionError, ResponseBody, read};
use super::server::Shared;

/// The time in which a client has to send the body of a request. Source: `RequestTimeout` of `pkg/server/config.go`.
const BODY_TIMEOUT: Duration = Duration::from_secs(60);

/// The service of a server, for the requests of one client.
#[derive(Debug, Clone)]
pub(super) struct ApiService {
    pub(super) shared: Arc<Shared>,
    pub(super) caller: Caller,
}

impl<B> Service<Request<B>> for ApiService
where
    B: HttpBody + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    type Response = Response<ResponseBody>;
    type Error = ConnectionError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let Self { shared, caller } = self.clone();
        Box::pin(async move {
            let (head, body) = request.into_parts();
            let body = tokio::time::timeout(BODY_TIMEOUT, read(body)).await??;
            shared.receive(caller, Request::from_parts(head, body)).await
        })
    }
}
