//! Receives requests: identifies their clients, records them, and injects faults.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Request, Response, StatusCode, header};

use super::caller::Caller;
use super::failure::{Failure, GroupResource};
use super::faults::Fault;
use super::gzip;
use super::list::CONTINUE_EXPIRED;
use super::request_info::RequestInfo;
use super::response::{ConnectionError, ResponseBody, failed, response};
use super::server::{Shared, WatchFault};
use super::source::Ids;
use super::update::MODIFIED;
use super::watch::error_line;

/// The time limit of a request. Source: `RequestTimeout` of `k8s.io/apiserver/pkg/server`.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(60);

/// The header with the id of a request in the audit log.
const AUDIT_ID: &str = "audit-id";

impl Shared {
    /// Answers a request of a client. The future stays pending if an interruption stops the client.
    ///
    /// # Errors
    /// Returns an error if a fault breaks the connection.
    pub(super) async fn receive(
        self: Arc<Self>,
        caller: Caller,
        mut request: Request<Vec<u8>>,
    ) -> Result<Response<ResponseBody>, ConnectionError> {
        if let Some(agent) = caller.agent {
            request.headers_mut().entry(header::USER_AGENT).or_insert(agent);
        }
        if let Some(user) = caller.user {
            request.extensions_mut().insert(user);
        }
        // Recordings have the answers before they are compressed.
        let compressed = |answer| {
            if gzip::is_accepted(request.headers()) { gzip::compressed(answer) } else { answer }
        };
        let Some(limit) = caller.limit else {
            return self.answer_recorded(&request).await.map(compressed);
        };
        let number = limit.arrive().await;
        let answer = self.answer_recorded(&request).await;
        limit.stop_if_last(number).await;
        answer.map(compressed)
    }

    /// Adds the headers that all responses have.
    ///
    /// Source: `WithAuditInit` and `WithCacheControl` of `pkg/endpoints/filters`.
    fn complete(&self, request: &Request<Vec<u8>>, response: &mut Response<ResponseBody>) {
        let sent = request.headers().get(AUDIT_ID).filter(|id| !id.is_empty()).cloned();
        let headers = response.headers_mut();
        let id = sent.or_else(|| {
            let number = self.requests.fetch_add(1, Ordering::Relaxed);
            HeaderValue::try_from(Ids::new(number).uid()).ok()
        });
        if let Some(id) = id {
            headers.entry(AUDIT_ID).or_insert(id);
        }
        let private = HeaderValue::from_static("no-cache, private");
        headers.entry(header::CACHE_CONTROL).or_insert(private);
    }

    /// Answers a request, adds it to the recordings, and applies a fault to it.
    async fn answer_recorded(
        self: &Arc<Self>,
        request: &Request<Vec<u8>>,
    ) -> Result<Response<ResponseBody>, ConnectionError> {
        let logs = self.logs.open();
        // PERF: without recordings and faults, the attributes of the request are not needed.
        if logs.is_empty() && self.faults.is_empty() {
            let mut answer = self.answer(request, WatchFault::default()).await;
            self.complete(request, &mut answer);
            return Ok(answer);
        }
        let info = RequestInfo::of(request);
        let body = Bytes::copy_from_slice(request.body());
        let open_entries = logs.iter().map(|log| (log, log.begin(info.clone(), body.clone())));
        let open_entries: Vec<_> = open_entries.collect();
        let mut answer = match self.faults.fault_for(&info) {
            None => Ok(self.answer(request, WatchFault::default()).await),
            Some(fault) => self.inject_fault(request, &info, fault).await,
        };
        if let Ok(answer) = &mut answer {
            self.complete(request, answer);
            for (log, index) in open_entries {
                log.end(index, answer.status(), answer.body().bytes());
            }
        }
        answer
    }

    /// Answers a request to which a fault applies.
    async fn inject_fault(
        self: &Arc<Self>,
        request: &Request<Vec<u8>>,
        info: &RequestInfo,
        fault: Fault,
    ) -> Result<Response<ResponseBody>, ConnectionError> {
        let mut watch = WatchFault::default();
        match fault {
            Fault::Conflict => {
                let of = GroupResource { group: &info.group, kind: &info.resource };
                return Ok(failed(&Failure::conflict(of, &info.name, MODIFIED)));
            }
            Fault::Gone => return Ok(self.gone(info)),
            Fault::TooManyRequests { retry_after } => return Ok(too_many_requests(retry_after)),
            Fault::Unavailable => {
                let text = "the server is currently unable to handle the request";
                return Ok(failed(&Failure::unavailable(text)));
            }
            Fault::Internal(message) => return Ok(failed(&Failure::internal(&message))),
            Fault::Timeout { is_done } => {
                if is_done {
                    self.answer(request, WatchFault::default()).await;
                }
                tokio::time::sleep(REQUEST_TIMEOUT).await;
                let text = "Timeout: request did not complete within the allotted timeout";
                return Ok(failed(&Failure::timeout(text)));
            }
            Fault::Disconnect => return Err(broken()),
            Fault::LoseAnswer => {
                self.answer(request, WatchFault::default()).await;
                return Err(broken());
            }
            Fault::Delay(time) => tokio::time::sleep(time).await,
            Fault::EndWatch { after } => watch.end_after = Some(after),
            Fault::DelayEvents(time) => watch.delay = Some(time),
            Fault::Answer { code, body } => {
                let code = StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
                return Ok(response(code, "application/json", Bytes::from(body.to_string())));
            }
            // The function has been asked already.
            Fault::Decided(_) => {}
        }
        Ok(self.answer(request, watch).await)
    }

    /// Returns the response to a request for a resource version that is too old.
    /// Source: `k8s.io/apiserver/pkg/storage/etcd3/errors.go`, and `pkg/storage/cacher` for watches.
    fn gone(&self, info: &RequestInfo) -> Response<ResponseBody> {
        if info.verb == "watch" {
            let revision = self.lock().core.store.revision();
            let text = format!("too old resource version: 1 ({revision})");
            let line = error_line(&Failure::expired(text));
            return response(StatusCode::OK, "application/json", line.into());
        }
        let is_continued = info.query.split('&').any(|pair| pair.starts_with("continue="));
        let text = "The resourceVersion for the provided list is too old.";
        failed(&Failure::expired(if is_continued { CONTINUE_EXPIRED } else { text }))
    }
}

/// Returns the response of an overloaded server. Source: `tooManyRequests` of
/// `k8s.io/apiserver/pkg/server/filters/priority-and-fairness.go`.
fn too_many_requests(retry_after: u32) -> Response<ResponseBody> {
    let text = Bytes::from_static(b"Too many requests, please try again later.\n");
    let mut response = response(StatusCode::TOO_MANY_REQUESTS, "text/plain; charset=utf-8", text);
    response.headers_mut().insert(header::RETRY_AFTER, retry_after.into());
    response
}

fn broken() -> ConnectionError {
    io::Error::from(io::ErrorKind::ConnectionReset).into()
}
