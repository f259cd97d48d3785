//! One connection, from its handshake to its end.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::Version;
use axum::http::header::{CONNECTION, HeaderValue};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_rustls::TlsAcceptor;

use super::Limits;
use super::activity::{Activity, Watched};

/// The largest number of concurrent requests on an HTTP/2 connection. The API server's client uses at most 250, and
/// waits if a server allows fewer.
const MAX_STREAMS: u32 = 100;

/// The interval at which a connection is checked during a request.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// The time for which the server keeps a connection without a request at shutdown, because the first request may be on
/// its way.
const FIRST_REQUEST_GRACE: Duration = Duration::from_secs(1);

/// The stage of the server's shutdown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ShutdownPhase {
    /// The server runs.
    Serving,
    /// The server still accepts connections. Its HTTP/1 responses ask clients to close them.
    Draining,
    /// The server only answers requests that it has received.
    Ending,
}

/// The settings and shared state of a connection.
pub(super) struct Connection {
    pub(super) tls: TlsAcceptor,
    pub(super) router: Router,
    pub(super) limits: Limits,
    pub(super) activity: Arc<Activity>,
    pub(super) phase: watch::Receiver<ShutdownPhase>,
}

impl Connection {
    /// Serves until the client closes the connection, a limit is exceeded, or the server shuts down.
    pub(super) async fn serve(self, stream: TcpStream) -> Result<(), String> {
        let activity = Arc::clone(&self.activity);
        tokio::select! {
            end = self.serve_unless_evicted(stream) => end,
            () = activity.evicted() => Err("closed, to accept another connection".to_owned()),
        }
    }

    async fn serve_unless_evicted(self, stream: TcpStream) -> Result<(), String> {
        let Self { tls, router, limits, activity, mut phase } = self;
        let stream = timeout(limits.handshake, tls.accept(stream))
            .await
            .map_err(|_| format!("no TLS handshake within {} s", limits.handshake.as_secs_f64()))?
            .map_err(|error| format!("TLS handshake: {error}"))?;
        // Uses the protocol that the handshake negotiated. To detect it, the server would have to wait for the first
        // bytes.
        let http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
        activity.finish_handshake(http2);
        let mut builder = auto::Builder::new(TokioExecutor::new());
        // `Activity::deadline` limits the time for heads and idle connections.
        builder.http1().timer(TokioTimer::new()).header_read_timeout(None);
        builder
            .http2()
            .timer(TokioTimer::new())
            .max_concurrent_streams(MAX_STREAMS)
            .keep_alive_interval(limits.idle);
        let builder = if http2 { builder.http2_only() } else { builder.http1_only() };
        let track = from_fn_with_state((Arc::clone(&activity), phase.clone()), track);
        let service = TowerToHyperService::new(router.layer(track));
        let stream = TokioIo::new(Watched { stream, activity: Arc::clone(&activity) });
        let mut connection = pin!(builder.serve_connection(stream, service));
        // Set at shutdown: when to close the connection if no request has arrived yet.
        let mut first_request_until = None;
        let mut closing = false;
        loop {
            if let Some(first_request_until) = first_request_until
                && !closing
                && (!activity.is_new() || first_request_until <= Instant::now())
            {
                closing = true;
                connection.as_mut().graceful_shutdown();
            }
            // `None` during a request, which has limits of its own.
            let deadline = activity.deadline(&limits);
            let next_check = Instant::now() + CHECK_INTERVAL.min(limits.headers).min(limits.idle);
            let until = deadline.as_ref().map_or(next_check, |(deadline, _)| *deadline);
            let until =
                first_request_until.filter(|_| !closing).map_or(until, |grace| until.min(grace));
            tokio::select! {
                end = connection.as_mut() => return end.map_err(|error| error.to_string()),
                _ = phase.wait_for(|phase| *phase == ShutdownPhase::Ending), if first_request_until.is_none() => {
                    first_request_until = Some(Instant::now() + FIRST_REQUEST_GRACE);
                }
                () = sleep_until(until) => {
                    if let Some((at, reason)) = activity.deadline(&limits)
                        && at <= Instant::now()
                    {
                        return Err(reason);
                    }
                }
            }
        }
    }
}

/// Counts a request, and at shutdown asks an HTTP/1 client to close the connection.
async fn track(
    State((activity, phase)): State<(Arc<Activity>, watch::Receiver<ShutdownPhase>)>,
    mut request: Request,
    next: Next,
) -> Response {
    let http1 = request.version() < Version::HTTP_2;
    let _counted = activity.request();
    request.extensions_mut().insert(Arc::clone(&activity));
    let mut response = next.run(request).await;
    if http1 && *phase.borrow() != ShutdownPhase::Serving {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}
