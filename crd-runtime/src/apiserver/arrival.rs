//! Arrival of requests: their senders are identified, recordings are made, and faults are injected.

use std::convert::Infallible;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Request, Response, StatusCode, header};
use tokio::sync::Notify;

use super::asked::Asked;
use super::failure::{Failure, Of};
use super::faults::{Fault, Faults};
use super::list::CONTINUE_EXPIRED;
use super::service::{Body, Shared, WatchFault, refused, response};
use super::transcript::Log;
use super::update::MODIFIED;
use super::user::User;
use super::watch::error_line;

/// The time limit of a request. Source: `RequestTimeout` of `k8s.io/apiserver/pkg/server`.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(60);

/// The error of a client whose connection breaks before a response.
pub(super) type Broken = Box<dyn std::error::Error + Send + Sync>;

/// The client that sends requests.
#[derive(Debug, Clone, Default)]
pub(super) struct Caller {
    /// The `User-Agent` for requests without one.
    pub(super) agent: Option<HeaderValue>,
    /// The user of the requests; `None` stands for `system:admin`, who has all permissions.
    pub(super) user: Option<Arc<User>>,
    /// The limit after which requests are no longer answered.
    pub(super) cut: Option<Arc<Cut>>,
}

impl Caller {
    /// A client with a name, which is the `User-Agent` of its requests.
    pub(super) fn of(name: &str) -> Self {
        Self { agent: HeaderValue::from_str(name).ok(), ..Self::default() }
    }
}

/// A limit on the requests of a client. The last request within the limit is executed but not answered; later requests
/// are not executed.
#[derive(Debug)]
pub(super) struct Cut {
    allowed: usize,
    arrived: AtomicUsize,
    reached: Notify,
}

impl Cut {
    pub(super) fn after(allowed: usize) -> Self {
        let reached = Notify::new();
        if allowed == 0 {
            // No request has to be executed first.
            reached.notify_one();
        }
        Self { allowed, arrived: AtomicUsize::new(0), reached }
    }

    /// Waits until the last request within the limit has been executed. A limit of 0 is reached from the beginning.
    pub(super) async fn reached(&self) {
        self.reached.notified().await;
    }

    /// Returns the number of a request, counted from 1. It never returns for a request beyond the limit.
    async fn arrive(&self) -> usize {
        let number = self.arrived.fetch_add(1, Ordering::SeqCst) + 1;
        if number > self.allowed {
            std::future::pending::<Infallible>().await;
        }
        number
    }

    async fn leave(&self, number: usize) {
        if number == self.allowed {
            self.reached.notify_one();
            std::future::pending::<Infallible>().await;
        }
    }
}

/// The recordings of requests.
#[derive(Debug, Default)]
pub(super) struct Logs(Mutex<Vec<Weak<Log>>>);

impl Logs {
    pub(super) fn add(&self, log: &Arc<Log>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(log));
    }

    fn open(&self) -> Vec<Arc<Log>> {
        let mut logs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        logs.retain(|log| log.strong_count() > 0);
        logs.iter().filter_map(Weak::upgrade).collect()
    }
}

/// The recordings and faults that apply to requests as they arrive.
#[derive(Debug, Default)]
pub(super) struct Arrivals {
    pub(super) faults: Arc<Faults>,
    pub(super) logs: Logs,
}

impl Shared {
    /// Answers a request of a client, unless its connection breaks.
    pub(super) async fn receive(
        self: Arc<Self>,
        caller: Caller,
        mut request: Request<Vec<u8>>,
    ) -> Result<Response<Body>, Broken> {
        if let Some(agent) = caller.agent {
            request.headers_mut().entry(header::USER_AGENT).or_insert(agent);
        }
        if let Some(user) = caller.user {
            request.extensions_mut().insert(user);
        }
        let Some(cut) = caller.cut else { return self.recorded(&request).await };
        let number = cut.arrive().await;
        let answer = self.recorded(&request).await;
        cut.leave(number).await;
        answer
    }

    async fn recorded(
        self: &Arc<Self>,
        request: &Request<Vec<u8>>,
    ) -> Result<Response<Body>, Broken> {
        let logs = self.arrivals.logs.open();
        // PERF: a request is only inspected if a recording or a fault needs it.
        if logs.is_empty() && self.arrivals.faults.is_empty() {
            return Ok(self.answer(request, WatchFault::default()).await);
        }
        let asked = Asked::of(request);
        let body = Bytes::copy_from_slice(request.body());
        let begun = logs.iter().map(|log| (log, log.begin(asked.clone(), body.clone())));
        let begun: Vec<_> = begun.collect();
        let answer = match self.arrivals.faults.decide(&asked) {
            None => Ok(self.answer(request, WatchFault::default()).await),
            Some(fault) => self.spoiled(request, &asked, fault).await,
        };
        if let Ok(answer) = &answer {
            for (log, place) in begun {
                log.end(place, answer.status(), answer.body().bytes());
            }
        }
        answer
    }

    /// Answers a request to which a fault applies.
    async fn spoiled(
        self: &Arc<Self>,
        request: &Request<Vec<u8>>,
        asked: &Asked,
        fault: Fault,
    ) -> Result<Response<Body>, Broken> {
        let mut watch = WatchFault::default();
        match fault {
            Fault::Conflict => {
                let of = Of { group: &asked.group, kind: &asked.resource };
                return Ok(refused(&Failure::conflict(of, &asked.name, MODIFIED)));
            }
            Fault::Gone => return Ok(self.gone(asked)),
            Fault::TooManyRequests { retry_after } => return Ok(too_many_requests(retry_after)),
            Fault::Unavailable => {
                let text = "the server is currently unable to handle the request";
                return Ok(refused(&Failure::unavailable(text)));
            }
            Fault::Internal(message) => return Ok(refused(&Failure::internal(&message))),
            Fault::Timeout { is_done } => {
                if is_done {
                    self.answer(request, WatchFault::default()).await;
                }
                tokio::time::sleep(REQUEST_TIMEOUT).await;
                let text = "Timeout: request did not complete within the allotted timeout";
                return Ok(refused(&Failure::timeout(text)));
            }
            Fault::Disconnect => return Err(broken()),
            Fault::LoseAnswer => {
                self.answer(request, WatchFault::default()).await;
                return Err(broken());
            }
            Fault::Delay(time) => tokio::time::sleep(time).await,
            Fault::EndWatch { after } => watch.end_after = Some(after),
            Fault::DelayEvents(time) => watch.delay = Some(time),
        }
        Ok(self.answer(request, watch).await)
    }

    /// Returns the response to a request for a resource version that is too old.
    /// Source: `k8s.io/apiserver/pkg/storage/etcd3/errors.go`, and `pkg/storage/cacher` for watches.
    fn gone(&self, asked: &Asked) -> Response<Body> {
        if asked.verb == "watch" {
            let core = self.lock();
            let revision = core.store.revision();
            let text = format!("too old resource version: 1 ({revision})");
            drop(core);
            let line = error_line(&Failure::expired(text));
            return response(StatusCode::OK, "application/json", line.into());
        }
        let is_continued = asked.query.split('&').any(|pair| pair.starts_with("continue="));
        let text = "The resourceVersion for the provided list is too old.";
        refused(&Failure::expired(if is_continued { CONTINUE_EXPIRED } else { text }))
    }
}

/// Source: `tooManyRequests` of `k8s.io/apiserver/pkg/server/filters/priority-and-fairness.go`.
fn too_many_requests(retry_after: u32) -> Response<Body> {
    let text = Bytes::from_static(b"Too many requests, please try again later.\n");
    let mut response = response(StatusCode::TOO_MANY_REQUESTS, "text/plain; charset=utf-8", text);
    response.headers_mut().insert(header::RETRY_AFTER, retry_after.into());
    response
}

fn broken() -> Broken {
    io::Error::from(io::ErrorKind::ConnectionReset).into()
}

#[cfg(test)]
mod tests {
    use tokio::time::timeout;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_limit_is_reached_after_its_last_request() {
        let late = Duration::from_secs(1);
        let cut = Cut::after(0);
        timeout(late, cut.reached()).await.expect("no request is allowed");
        timeout(late, cut.arrive()).await.expect_err("it is beyond the limit");
        let cut = Cut::after(1);
        timeout(late, cut.reached()).await.expect_err("no request has been executed");
        let number = cut.arrive().await;
        timeout(late, cut.leave(number)).await.expect_err("it is not answered");
        timeout(late, cut.reached()).await.expect("the request has been executed");
    }
}
