//! The server as a `tower` service, for [`kube::Client`] and for listeners.

use std::convert::Infallible;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures::{Stream, stream};
use http::{HeaderValue, Method, Request, Response, StatusCode, header};
use http_body::{Body as HttpBody, Frame};
use serde_json::Value;
use tokio::sync::watch::{Receiver, Sender};
use tokio::time::Instant;
use tower_service::Service;

use super::arrival::{Arrivals, Broken, Caller};
use super::core::Core;
use super::failure::{Answer, Failure};
use super::media::{self, Format};
use super::reply::{self, Reply};
use super::watch::{Told, Watch};
use super::webhooks::{Memo, Routes};
use crate::admit::MAX_BODY_BYTES;
use crate::yaml;

/// The time between two bookmarks of a watch. Source: `defaultBookmarkFrequency` of `pkg/storage/cacher`.
const BOOKMARK_EVERY: Duration = Duration::from_secs(60);
/// How long before its end a watch gets a last bookmark. Source: `nextBookmarkTime` of `pkg/storage/cacher`.
const BOOKMARK_BEFORE_END: Duration = Duration::from_secs(2);
/// The maximum number of tries of a request. A request is tried again as long as each try sends its webhooks another
/// review, because the webhooks themselves change the objects that it depends on.
const MAX_TRIES: usize = 100;

/// A server, and the channel that notifies its watches of changes.
#[derive(Debug)]
pub(super) struct Shared {
    core: Mutex<Core>,
    changed: Sender<Moment>,
    /// The routes of webhook calls.
    routes: Mutex<Routes>,
    pub(super) arrivals: Arrivals,
}

/// The state of the server that watches compare with their own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Moment {
    /// The newest revision.
    revision: u64,
    /// The number of restarts.
    restarts: u64,
}

/// The fault of a watch.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct WatchFault {
    /// The number of events after which the watch ends.
    pub(super) end_after: Option<usize>,
    /// The delay before events are delivered.
    pub(super) delay: Option<Duration>,
}

impl Shared {
    pub(super) fn new(core: Core) -> Self {
        let arrivals = Arrivals::default();
        Self {
            core: Mutex::new(core),
            changed: Sender::new(Moment::default()),
            arrivals,
            routes: Mutex::default(),
        }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Core> {
        // A panic leaves no partially written state that another request could not read.
        self.core.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn routes(&self) -> MutexGuard<'_, Routes> {
        self.routes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes the watches.
    pub(super) fn wake(&self, core: &Core) {
        let revision = core.store.revision();
        self.changed
            .send_if_modified(|known| std::mem::replace(&mut known.revision, revision) != revision);
    }

    /// Ends all watches.
    pub(super) fn end_watches(&self, core: &Core) {
        let revision = core.store.revision();
        self.changed.send_modify(|known| {
            *known = Moment { revision, restarts: known.restarts + 1 };
        });
    }

    /// Answers a request.
    pub(super) async fn answer(
        self: &Arc<Self>,
        request: &Request<Vec<u8>>,
        fault: WatchFault,
    ) -> Response<Body> {
        let (answer, warnings) = self.attempt(request).await;
        let at = {
            let core = self.lock();
            (core.clock.now(), core.kubernetes)
        };
        let written = answer.and_then(|reply| match reply {
            Reply::Object { code, kind, accepted, include, value } => {
                let transform = accepted.transform.as_ref();
                let value = reply::transformed(&kind, transform, &include, value, at)?;
                Ok(written(code, accepted.format, &value))
            }
            Reply::Value { code, format, value } => Ok(written(code, format, &value)),
            Reply::Document { media_type, body, etag } => {
                Ok(document(request, media_type, body, etag.as_deref()))
            }
            Reply::Watch(watch) => Ok(self.watched(*watch, fault)),
        });
        let mut response =
            written.unwrap_or_else(|failure| refused_in(&failure, format_of_failures(request)));
        if request.method() == Method::HEAD {
            *response.body_mut() = Body::whole(Bytes::new());
        }
        let mut said: Vec<&String> = Vec::new();
        for warning in &warnings {
            if !said.contains(&warning) {
                said.push(warning);
                let text =
                    warning.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
                if let Ok(value) = HeaderValue::from_bytes(format!("299 - \"{text}\"").as_bytes()) {
                    response.headers_mut().append(header::WARNING, value);
                }
            }
        }
        response
    }

    /// Returns the answer to a request, after all webhooks that it depends on have been called and the controllers have
    /// acted on its changes.
    async fn attempt(&self, request: &Request<Vec<u8>>) -> (Answer<Reply>, Vec<String>) {
        let mut memo = Memo::default();
        let mut tries = 0;
        let mut answered = None;
        loop {
            {
                let mut core = self.lock();
                if answered.is_none() {
                    let mut warnings = Vec::new();
                    let answer = core.attempt(request, &mut warnings, &mut memo);
                    answered = (!memo.is_waiting()).then_some((answer, warnings));
                }
                if answered.is_some() {
                    core.settle_with(&mut memo);
                }
                self.wake(&core);
            }
            if !memo.is_waiting() {
                break;
            }
            tries += 1;
            if tries > MAX_TRIES {
                break;
            }
            self.call(&mut memo).await;
        }
        // Upstream: the error of a request that exceeds its timeout.
        let late = || {
            let text = "Timeout: request did not complete within requested timeout";
            (Err(Failure::timeout(text)), Vec::new())
        };
        answered.unwrap_or_else(late)
    }

    fn watched(self: &Arc<Self>, watch: Watch, fault: WatchFault) -> Response<Body> {
        let begin = Instant::now();
        let changed = self.changed.subscribe();
        let restarts = changed.borrow().restarts;
        let following = Following {
            shared: Arc::clone(self),
            changed,
            restarts,
            fault,
            end: begin + watch.timeout,
            bookmark: begin + BOOKMARK_EVERY,
            watch,
            is_over: false,
        };
        let lines = stream::unfold(following, |mut following| async move {
            following.arriving().await.map(|lines| (lines, following))
        });
        let mut response = Response::new(Body::Stream(Box::pin(lines)));
        let json = HeaderValue::from_static("application/json");
        response.headers_mut().insert(header::CONTENT_TYPE, json);
        response
    }
}

/// A watch that a client reads.
struct Following {
    shared: Arc<Shared>,
    changed: Receiver<Moment>,
    /// The number of restarts of the server when the watch began.
    restarts: u64,
    fault: WatchFault,
    watch: Watch,
    end: Instant,
    bookmark: Instant,
    is_over: bool,
}

impl Following {
    /// Returns the next events after the faults have been applied; `None` at the end of the watch.
    async fn arriving(&mut self) -> Option<Bytes> {
        if self.fault.end_after == Some(0) {
            return None;
        }
        let mut lines = self.next().await?;
        if let Some(delay) = self.fault.delay {
            tokio::time::sleep(delay).await;
        }
        if let Some(left) = &mut self.fault.end_after {
            let ends = lines.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
            let mut ends = ends.map(|(at, _)| at + 1);
            let (count, last) = ends.by_ref().take(*left).fold((0, 0), |(n, _), at| (n + 1, at));
            lines.truncate(last);
            *left -= count;
        }
        Some(lines)
    }

    /// Waits for the next events; returns `None` at the end of the watch.
    async fn next(&mut self) -> Option<Bytes> {
        while !self.is_over {
            if self.changed.borrow_and_update().restarts != self.restarts {
                return None;
            }
            let told = self.tell().await;
            self.is_over = told.is_over;
            if !told.lines.is_empty() {
                return Some(told.lines.into());
            }
            if self.is_over {
                return None;
            }
            let bookmark = self.next_bookmark();
            tokio::select! {
                changed = self.changed.changed() => {
                    self.is_over = changed.is_err();
                }
                () = tokio::time::sleep_until(self.end) => return None,
                () = tokio::time::sleep_until(bookmark), if self.watch.bookmarks => {
                    self.bookmark = Instant::now() + BOOKMARK_EVERY;
                    let lines = self.watch.bookmark(&self.shared.lock());
                    return Some(lines.into());
                }
            }
        }
        None
    }

    /// Returns the new events of the watch, after webhooks have converted their objects.
    async fn tell(&mut self) -> Told {
        let mut memo = Memo::default();
        loop {
            {
                let core = self.shared.lock();
                core.waiting.begin(&mut memo);
                let told = self.watch.tell(&core);
                core.waiting.end(&mut memo);
                if let Some(told) = told {
                    return told;
                }
            }
            self.shared.call(&mut memo).await;
        }
    }

    /// Source: `nextBookmarkTime`.
    fn next_bookmark(&self) -> Instant {
        let last = self.end.checked_sub(BOOKMARK_BEFORE_END).unwrap_or(self.end);
        if last > Instant::now() { self.bookmark.min(last) } else { self.bookmark }
    }
}

fn written(code: StatusCode, format: Format, value: &Value) -> Response<Body> {
    let body = match format {
        Format::Json => {
            let mut body = value.to_string();
            body.push('\n');
            body
        }
        Format::Yaml => yaml::to_string(value),
    };
    response(code, format.media_type(), body.into())
}

pub(super) fn response(code: StatusCode, media_type: &'static str, body: Bytes) -> Response<Body> {
    let mut response = Response::new(Body::whole(body));
    *response.status_mut() = code;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    response
}

/// Returns the format in which a failure is written: the one that the client accepts without a transformation, JSON
/// otherwise.
/// Source: `ErrorNegotiated`.
fn format_of_failures(request: &Request<Vec<u8>>) -> Format {
    let accept = request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok());
    let accepted = media::negotiate(accept.unwrap_or_default(), media::nothing);
    accepted.map_or(Format::Json, |accepted| accepted.format)
}

/// Returns the response for a failure, as JSON.
pub(super) fn refused(failure: &Failure) -> Response<Body> {
    refused_in(failure, Format::Json)
}

fn refused_in(failure: &Failure, format: Format) -> Response<Body> {
    if failure.is_text() {
        let body = Bytes::from(failure.message.clone());
        return response(failure.code, "text/plain; charset=utf-8", body);
    }
    let mut response = written(failure.code, format, &failure.to_value());
    if let Some(seconds) = failure.retry_after_seconds() {
        response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    }
    response
}

fn document(
    request: &Request<Vec<u8>>,
    media_type: &'static str,
    body: Vec<u8>,
    etag: Option<&str>,
) -> Response<Body> {
    let etag = etag.and_then(|etag| HeaderValue::from_str(&format!("\"{etag}\"")).ok());
    let is_known = etag.is_some() && request.headers().get(header::IF_NONE_MATCH) == etag.as_ref();
    let mut response = if is_known {
        response(StatusCode::NOT_MODIFIED, media_type, Bytes::new())
    } else {
        response(StatusCode::OK, media_type, body.into())
    };
    if let Some(etag) = etag {
        response.headers_mut().insert(header::ETAG, etag);
        response.headers_mut().insert(header::VARY, HeaderValue::from_static("Accept"));
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("public"));
    }
    response
}

/// The body of a response.
pub(super) enum Body {
    Whole(Option<Bytes>),
    Stream(Pin<Box<dyn Stream<Item = Bytes> + Send>>),
}

impl Body {
    fn whole(bytes: Bytes) -> Self {
        Self::Whole(Some(bytes).filter(|bytes| !bytes.is_empty()))
    }

    /// Returns the whole body; empty for a stream.
    pub(super) fn bytes(&self) -> Bytes {
        match self {
            Self::Whole(bytes) => bytes.clone().unwrap_or_default(),
            Self::Stream(_) => Bytes::new(),
        }
    }
}

impl HttpBody for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let next = match &mut *self {
            Self::Whole(bytes) => Poll::Ready(bytes.take()),
            Self::Stream(stream) => stream.as_mut().poll_next(context),
        };
        next.map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Self::Whole(None))
    }
}

/// The service of a server, for one caller.
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
    type Response = Response<Body>;
    type Error = Broken;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let Self { shared, caller } = self.clone();
        Box::pin(async move {
            let (head, body) = request.into_parts();
            let body = read(body).await?;
            shared.receive(caller, Request::from_parts(head, body)).await
        })
    }
}

/// Reads a body. Once more than the maximum size has been kept, the rest is discarded.
pub(super) async fn read<B>(body: B) -> Result<Vec<u8>, Broken>
where
    B: HttpBody,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    use bytes::{Buf as _, BufMut as _};
    let mut body = pin!(body);
    let mut all = BytesMut::new();
    while let Some(frame) = std::future::poll_fn(|context| body.as_mut().poll_frame(context)).await
    {
        if let Ok(mut data) = frame.map_err(Into::into)?.into_data() {
            while data.has_remaining() && all.len() <= MAX_BODY_BYTES {
                let chunk = data.chunk();
                all.put_slice(chunk);
                let length = chunk.len();
                data.advance(length);
            }
        }
    }
    Ok(all.to_vec())
}
