//! The server that clients share: the lock around its state, calls of webhooks between attempts at a request, and
//! watches that wait for changes.

mod background;

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use futures::future::join_all;
use futures::stream;
use http::{HeaderValue, Method, Request, Response, header};
use tokio::sync::watch::{Receiver, Sender};
use tokio::time::Instant;

use self::background::{Run, Waiting};
use super::controllers::{Controllers, settle};
use super::core::Core;
use super::failure::{Answer, Failure};
use super::faults::Faults;
use super::handler::{route, with_memo};
use super::media::ResponseFormat;
use super::reply::Reply;
use super::request_info::RequestInfo;
use super::response::{
    self, ResponseBody, document, encoded, failed_in, format_of_failures, json_text,
};
use super::source::{Clock, TimeSource};
use super::store::Content;
use super::transcript::Logs;
use super::watch::{Batch, Watch};
use super::webhooks::{Memo, Routes};
use super::work::Session;
use super::{pretty, transform, warnings};

/// The time between two bookmarks of a watch. Source: `defaultBookmarkFrequency` of `pkg/storage/cacher`.
const BOOKMARK_EVERY: Duration = Duration::from_secs(60);
/// The time between the last bookmark of a watch and its end. Source: `nextBookmarkTime` of `pkg/storage/cacher`.
const BOOKMARK_BEFORE_END: Duration = Duration::from_secs(2);

/// How long a watch waits for the resource version that it begins at. Source: `blockTimeout` of `pkg/storage/cacher`.
const FRESH_WITHIN: Duration = Duration::from_secs(3);

/// The state of a server.
#[derive(Debug)]
pub(super) struct State {
    pub(super) core: Core,
    pub(super) controllers: Controllers,
}

/// The state of a server behind a lock, and the parts that are used without this lock.
#[derive(Debug)]
pub(super) struct Shared {
    state: Mutex<State>,
    time: Mutex<TimeSource>,
    /// The number of requests that wait for webhooks.
    waiting: AtomicUsize,
    /// The number of requests that have got an id for the audit log.
    pub(super) requests: AtomicU64,
    /// Notifies watches of changes.
    changed: Sender<ServerState>,
    /// The destinations of webhook calls.
    routes: Mutex<Routes>,
    /// The faults that are injected.
    pub(super) faults: Arc<Faults>,
    /// The recordings of requests.
    pub(super) logs: Logs,
}

/// The counters by which watches notice changes and restarts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct ServerState {
    /// The newest revision.
    revision: u64,
    /// The number of restarts.
    restarts: u64,
}

/// The fault that is injected into a watch; by default none.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct WatchFault {
    /// The number of events after which the watch ends.
    pub(super) end_after: Option<usize>,
    /// The delay before events are delivered.
    pub(super) delay: Option<Duration>,
}

impl Shared {
    pub(super) fn new(core: Core, time: TimeSource) -> Self {
        Self {
            state: Mutex::new(State { core, controllers: Controllers::default() }),
            time: Mutex::new(time),
            waiting: AtomicUsize::new(0),
            requests: AtomicU64::new(0),
            changed: Sender::new(ServerState::default()),
            routes: Mutex::default(),
            faults: Arc::default(),
            logs: Logs::default(),
        }
    }

    /// Locks the state, whose clock then has the current time.
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        let time = self.time.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let now = time.0();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.core.clock = Clock(now);
        state
    }

    pub(super) fn set_time_source(&self, time: TimeSource) {
        *self.time.lock().unwrap_or_else(PoisonError::into_inner) = time;
    }

    pub(super) fn routes(&self) -> MutexGuard<'_, Routes> {
        self.routes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes the watches if the newest revision has changed.
    pub(super) fn wake(&self, core: &Core) {
        let revision = core.store.revision();
        self.changed
            .send_if_modified(|known| std::mem::replace(&mut known.revision, revision) != revision);
    }

    /// Returns what notices the next changes.
    pub(super) fn changes(&self) -> Receiver<ServerState> {
        self.changed.subscribe()
    }

    /// Ends all watches, as a restart does.
    pub(super) fn end_watches(&self, core: &Core) {
        let revision = core.store.revision();
        self.changed.send_modify(|known| {
            *known = ServerState { revision, restarts: known.restarts + 1 };
        });
    }

    /// Answers a request. `fault` applies if it is a watch.
    pub(super) async fn answer(
        self: &Arc<Self>,
        request: &Request<Vec<u8>>,
        fault: WatchFault,
    ) -> Response<ResponseBody> {
        if let Some(answer) = self.answer_of_api(request).await {
            return answer;
        }
        self.discover_apis(request).await;
        // Read before the watch begins, so that it also ends because of a restart until its stream begins.
        let restarts = self.changed.borrow().restarts;
        let (answer, warnings) = self.attempt(request).await;
        let at = {
            let State { core, .. } = &*self.lock();
            (core.clock.now(), core.catalog.kubernetes)
        };
        let is_indented = !matches!(answer, Ok(Reply::Document { .. } | Reply::Watch(_)))
            && pretty::is_wanted(request);
        let written = answer.and_then(|reply| match reply {
            Reply::Object { code, kind, accepted, include, value } => {
                let transform = accepted.transform.as_ref();
                if let (Content::Stored(stored), None, ResponseFormat::Json) =
                    (&value, transform, accepted.format)
                {
                    return Ok(json_text(code, stored.json()));
                }
                let value = value.into_value();
                let value = transform::transformed(&kind, transform, &include, value, at)?;
                Ok(encoded(code, accepted.format, &value))
            }
            Reply::Value { code, format, value } => Ok(encoded(code, format, &value)),
            Reply::Document { media_type, body, etag } => {
                Ok(document(request, media_type, body, etag.as_deref()))
            }
            Reply::Watch(watch) => {
                let info = Arc::new(RequestInfo::of(request));
                Ok(self.stream_watch(*watch, restarts, fault, info))
            }
        });
        let mut response =
            written.unwrap_or_else(|failure| failed_in(&failure, format_of_failures(request)));
        if is_indented {
            response = response::indented(response);
        }
        if request.method() == Method::HEAD {
            *response.body_mut() = ResponseBody::whole(Bytes::new());
        }
        for warning in warnings::headers(&warnings) {
            response.headers_mut().append(header::WARNING, warning);
        }
        response
    }

    /// Returns the answer to a request, after all webhooks that it depends on have been called and the controllers have
    /// acted on its changes.
    async fn attempt(self: &Arc<Self>, request: &Request<Vec<u8>>) -> (Answer<Reply>, Vec<String>) {
        // While webhooks are called, the request may be that of a webhook. It then does not wait for controllers, which
        // may call the same webhook.
        let may_wait = self.waiting.load(Ordering::Relaxed) == 0;
        let mut memo = Memo::default();
        while memo.can_be_tried_again() {
            let mut warnings = Vec::new();
            let answered = {
                let mut state = self.lock();
                let answer = with_memo(&mut state.core, &mut memo, |core| {
                    route(core, request, &mut warnings)
                });
                // Without an answer, nothing has changed.
                (!memo.is_waiting())
                    .then(|| (answer, self.run_controllers(state, Session::default())))
            };
            let Some((answer, controllers)) = answered else {
                self.call([&mut memo].into_iter()).await;
                continue;
            };
            if let Some(controllers) = controllers {
                let task = tokio::spawn(controllers.run());
                if may_wait {
                    let _ = task.await;
                }
            }
            return (answer, warnings);
        }
        // Upstream: the error for a request that exceeds its timeout.
        let text = "Timeout: request did not complete within requested timeout";
        (Err(Failure::timeout(text)), Vec::new())
    }

    /// Makes the calls that memos wait for, all concurrently. The lock must not be held.
    pub(super) async fn call(&self, memos: impl Iterator<Item = &mut Memo>) {
        let routes = self.routes().clone();
        let _waiting = Waiting::begin(&self.waiting);
        join_all(memos.map(|memo| routes.call(memo))).await;
    }

    /// Does something that calls no webhooks, and runs the controllers.
    ///
    /// # Errors
    /// Returns the failure of `act`.
    pub(super) fn act<T>(
        self: &Arc<Self>,
        mut act: impl FnMut(&mut Core) -> Answer<T>,
    ) -> Answer<T> {
        let mut memo = Memo::in_process();
        loop {
            let mut state = self.lock();
            let done = with_memo(&mut state.core, &mut memo, &mut act);
            if memo.is_waiting() && memo.can_be_tried_again() {
                drop(state);
                memo.convert();
                continue;
            }
            self.settle(state);
            return done;
        }
    }

    /// Runs the controllers without calling webhooks.
    pub(super) fn settle(self: &Arc<Self>, state: MutexGuard<'_, State>) {
        let mut next = self.run_controllers(state, Session::in_process());
        while let Some(mut controllers) = next {
            controllers.session.memos().for_each(Memo::convert);
            let session = std::mem::take(&mut controllers.session);
            next = self.run_controllers(self.lock(), session);
        }
    }

    /// Runs the controllers that act only on demand.
    pub(super) async fn run_on_demand(self: &Arc<Self>) {
        let run = self.run_controllers(self.lock(), Session::on_demand());
        if let Some(run) = run {
            run.run().await;
        }
    }

    /// Runs the controllers, and returns what remains to be done by those that wait for webhooks.
    fn run_controllers(
        self: &Arc<Self>,
        mut state: MutexGuard<'_, State>,
        mut session: Session,
    ) -> Option<Run> {
        let State { core, controllers } = &mut *state;
        settle(controllers, core, &mut session);
        self.wake(core);
        self.set_alarm(controllers);
        session.is_waiting().then(|| Run { shared: Arc::clone(self), session })
    }

    /// Returns the response that streams the events of a watch. `restarts` is the number of restarts before it.
    fn stream_watch(
        self: &Arc<Self>,
        watch: Watch,
        restarts: u64,
        fault: WatchFault,
        info: Arc<RequestInfo>,
    ) -> Response<ResponseBody> {
        let begin = Instant::now();
        let changed = self.changed.subscribe();
        let end = begin + watch.timeout;
        let stream = WatchStream {
            shared: Arc::clone(self),
            changed,
            restarts,
            fault,
            end,
            bookmark: next_bookmark(begin, end),
            patience: begin + FRESH_WITHIN,
            is_over: watch.timeout.is_zero(),
            watch,
            info,
        };
        let lines = stream::unfold(stream, |mut stream| async move {
            stream.next_with_fault().await.map(|lines| (lines, stream))
        });
        let mut response = Response::new(ResponseBody::Stream(Box::pin(lines)));
        let json = HeaderValue::from_static("application/json");
        response.headers_mut().insert(header::CONTENT_TYPE, json);
        response
    }
}

/// The stream of a watch.
struct WatchStream {
    shared: Arc<Shared>,
    changed: Receiver<ServerState>,
    /// The number of restarts of the server when the watch began.
    restarts: u64,
    fault: WatchFault,
    watch: Watch,
    /// The request that began the watch, for recordings.
    info: Arc<RequestInfo>,
    /// When the watch times out.
    end: Instant,
    /// When the next bookmark is due.
    bookmark: Instant,
    /// How long the watch waits for the resource version that it begins at.
    patience: Instant,
    is_over: bool,
}

impl WatchStream {
    /// Waits for the next events, applies the fault to them, and records them; returns `None` at the end of the watch.
    async fn next_with_fault(&mut self) -> Option<Bytes> {
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
        for log in self.shared.logs.open() {
            log.send(&self.info, &lines);
        }
        Some(lines)
    }

    /// Waits for the next events; returns `None` at the end of the watch.
    ///
    /// Changes are sent before a bookmark that is due, and before the watch times out.
    async fn next(&mut self) -> Option<Bytes> {
        while !self.is_over {
            if self.changed.borrow_and_update().restarts != self.restarts {
                return None;
            }
            let now = Instant::now();
            let was_early = self.watch.is_early();
            let Batch { mut lines, mut is_over } = self.next_batch().await;
            if self.watch.is_early() && now >= self.patience {
                lines = self.watch.too_early_line(&self.shared.lock().core);
                is_over = true;
            }
            if was_early {
                // Upstream: the time runs from the first event.
                self.end = now + self.watch.timeout;
                self.bookmark = next_bookmark(now, self.end);
            }
            if !is_over && self.watch.bookmarks && now >= self.bookmark {
                self.bookmark = next_bookmark(now, self.end);
                lines.extend(self.watch.bookmark(&self.shared.lock().core));
            }
            self.is_over = is_over || now >= self.end;
            if !lines.is_empty() {
                return Some(lines.into());
            }
            if self.is_over {
                return None;
            }
            tokio::select! {
                changed = self.changed.changed() => self.is_over = changed.is_err(),
                () = tokio::time::sleep_until(self.end) => {}
                () = tokio::time::sleep_until(self.bookmark), if self.watch.bookmarks => {}
                () = tokio::time::sleep_until(self.patience), if self.watch.is_early() => {}
            }
        }
        None
    }

    /// Returns the new events of the watch. Webhooks are called for objects that they have to convert.
    async fn next_batch(&mut self) -> Batch {
        let mut memo = Memo::default();
        loop {
            {
                let State { core, .. } = &*self.shared.lock();
                core.webhook_calls.begin(&mut memo);
                let batch = self.watch.next_batch(core);
                core.webhook_calls.end(&mut memo);
                if let Some(batch) = batch {
                    return batch;
                }
            }
            self.shared.call([&mut memo].into_iter()).await;
        }
    }
}

/// Returns when the next bookmark of a watch with this end is due. Source: `nextBookmarkTime`.
fn next_bookmark(now: Instant, end: Instant) -> Instant {
    let next = now + BOOKMARK_EVERY;
    let last = end.checked_sub(BOOKMARK_BEFORE_END).filter(|last| *last > now);
    last.map_or(next, |last| next.min(last))
}
