//! Tracks the activity of a connection, to decide when it can be closed.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::Notify;
use tokio::time::Instant;

use super::Limits;

/// The activity of one connection.
#[derive(Debug)]
pub(super) struct Activity {
    state: Mutex<State>,
    /// Notified to close the connection, so that another can be accepted.
    evicted: Notify,
}

#[derive(Debug)]
struct State {
    /// When the last request ended. Before the first request: when the connection was accepted, then when the handshake
    /// ended.
    idle_since: Instant,
    /// When the first byte of the next request arrived. Only for HTTP/1, because HTTP/2 clients send frames between
    /// requests.
    first_byte: Option<Instant>,
    http2: bool,
    /// Whether a request has ended.
    served: bool,
    /// The number of requests whose head has arrived and that are not answered yet.
    requests: usize,
    /// The number of those requests that wait for the server, not for the client.
    working: usize,
}

impl Activity {
    pub(super) fn new() -> Arc<Self> {
        let state = State {
            idle_since: Instant::now(),
            first_byte: None,
            http2: false,
            served: false,
            requests: 0,
            working: 0,
        };
        Arc::new(Self { state: Mutex::new(state), evicted: Notify::new() })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that the handshake is done.
    pub(super) fn finish_handshake(&self, http2: bool) {
        let mut state = self.state();
        state.idle_since = Instant::now();
        state.http2 = http2;
    }

    fn received(&self) {
        let mut state = self.state();
        if state.requests == 0 && !state.http2 {
            state.first_byte.get_or_insert_with(Instant::now);
        }
    }

    /// Counts a request until the guard is dropped.
    pub(super) fn request(self: &Arc<Self>) -> RequestGuard {
        let mut state = self.state();
        state.requests += 1;
        state.first_byte = None;
        drop(state);
        RequestGuard(Arc::clone(self))
    }

    /// Counts a request that has arrived completely and waits for the server, until the guard is dropped.
    pub(super) fn working(self: &Arc<Self>) -> Working {
        self.state().working += 1;
        Working(Arc::clone(self))
    }

    /// Returns since when the connection has waited for its client; `None` while a request waits for the server.
    pub(super) fn waits_since(&self) -> Option<Instant> {
        let state = self.state();
        (state.working == 0).then_some(state.idle_since)
    }

    /// Returns whether no request has arrived yet.
    pub(super) fn is_new(&self) -> bool {
        let state = self.state();
        !state.served && state.requests == 0
    }

    /// Returns the time at which to close the connection, and why. `None` during a request, which has limits of its
    /// own.
    pub(super) fn deadline(&self, limits: &Limits) -> Option<(Instant, String)> {
        let state = self.state();
        let seconds = |time: Duration| time.as_secs_f64();
        if state.requests > 0 {
            None
        } else if let Some(first_byte) = state.first_byte {
            let reason = format!("no head of a request within {} s", seconds(limits.headers));
            Some((first_byte + limits.headers, reason))
        } else if !state.served {
            let reason = format!("no request within {} s", seconds(limits.headers));
            Some((state.idle_since + limits.headers, reason))
        } else {
            let reason = format!("no further request within {} s", seconds(limits.idle));
            Some((state.idle_since + limits.idle, reason))
        }
    }

    pub(super) fn evict(&self) {
        self.evicted.notify_one();
    }

    pub(super) async fn evicted(&self) {
        self.evicted.notified().await;
    }
}

/// The guard of a request that is not answered yet.
#[derive(Debug)]
pub(super) struct RequestGuard(Arc<Activity>);

impl Drop for RequestGuard {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.requests -= 1;
        state.served = true;
        state.idle_since = Instant::now();
    }
}

/// The guard of a request that waits for the server.
#[derive(Debug)]
pub(super) struct Working(Arc<Activity>);

impl Drop for Working {
    fn drop(&mut self) {
        self.0.state().working -= 1;
    }
}

/// A stream that records the arrival of bytes in the activity of its connection.
pub(super) struct Watched<S> {
    pub(super) stream: S,
    pub(super) activity: Arc<Activity>,
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buffer);
        if buffer.filled().len() > before {
            self.activity.received();
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, slices)
    }
}
