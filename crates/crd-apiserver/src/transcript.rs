//! Recordings of requests and their responses.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use bytes::Bytes;
use http::StatusCode;
use serde_json::Value;

use super::mask::{Mask, Masking};
use super::query::Query;
use super::redact;
use super::request_info::RequestInfo;
use crate::field_selector::FieldSelector;
use crate::rbac::{Need, Permissions};
use crate::yaml;

/// Records requests, from the call of [`record`](super::ApiServer::record) until this value is dropped.
///
/// All requests are kept. If their bodies and those of the responses together exceed 256 MiB, a text that says so takes
/// the place of the oldest ones.
///
/// ```
/// use crd_apiserver::ApiServer;
/// use k8s_openapi::api::core::v1::ConfigMap;
/// use kube::api::{Api, ListParams};
///
/// # tokio_test(async {
/// let server = ApiServer::new();
/// let recording = server.record();
/// let api: Api<ConfigMap> = Api::all(server.client_of("operator"));
/// api.list(&ListParams::default()).await?;
///
/// let transcript = recording.transcript();
/// assert_eq!(transcript.to_string(), "operator: GET /api/v1/configmaps -> 200\n");
/// let needed = transcript.of_client("operator").permissions("operator");
/// assert_eq!(needed.roles()[0].rules[0].verbs, ["list"]);
/// # Ok::<(), kube::Error>(())
/// # });
/// # fn tokio_test(test: impl Future<Output = Result<(), kube::Error>>) {
/// #     tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test).unwrap();
/// # }
/// ```
#[derive(Debug)]
#[must_use = "it records until it is dropped"]
pub struct Recording(pub(super) Arc<RequestLog>);

impl Recording {
    /// Returns the requests so far, in the order in which they arrived.
    pub fn transcript(&self) -> Transcript {
        let entries = self.0.lock();
        let entries = entries.requests.iter().filter_map(Option::as_ref);
        Transcript { exchanges: entries.map(RecordedRequest::to_exchange).collect() }
    }

    /// Discards the requests so far.
    pub fn clear(&self) {
        self.0.lock().clear();
    }
}

/// The maximum size of the bodies that a recording keeps, in bytes.
const MAX_BODY_BYTES: usize = 256 * 1024 * 1024;
/// What stands in place of a body that is not kept.
const NOT_KEPT: &[u8] = b"not kept: the bodies of the recording are larger than 256 MiB";

/// The requests of one recording.
#[derive(Debug, Default)]
pub(super) struct RequestLog(Mutex<Entries>);

/// The requests of a recording, and the size of their bodies.
#[derive(Debug, Default)]
struct Entries {
    /// `None` for requests that have been discarded. They remain in the list, because `RequestLog::end` refers to
    /// pending requests by index.
    requests: Vec<Option<RecordedRequest>>,
    /// The size of all bodies that are kept.
    bytes: usize,
    /// The index of the first request whose bodies are kept.
    first_with_bodies: usize,
}

impl Entries {
    fn clear(&mut self) {
        self.requests.fill_with(|| None);
        self.bytes = 0;
        self.first_with_bodies = self.requests.len();
    }

    /// Drops bodies, the oldest first, until the rest is not larger than `limit`.
    fn limit(&mut self, limit: usize) {
        while self.bytes > limit {
            let Some(entry) = self.requests.get_mut(self.first_with_bodies) else { return };
            self.first_with_bodies += 1;
            let bodies = entry.iter_mut().flat_map(|entry| {
                [Some(&mut entry.body), entry.answer.as_mut().map(|(_, answer)| answer)]
            });
            for body in bodies.flatten().filter(|it| !it.is_empty() && **it != NOT_KEPT) {
                self.bytes = self.bytes.saturating_sub(body.len());
                *body = Bytes::from_static(NOT_KEPT);
            }
        }
    }
}

/// The recordings of a server.
#[derive(Debug, Default)]
pub(super) struct Logs(Mutex<Vec<Weak<RequestLog>>>);

impl Logs {
    pub(super) fn add(&self, log: &Arc<RequestLog>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(log));
    }

    /// Returns the recordings that have not been dropped.
    pub(super) fn open(&self) -> Vec<Arc<RequestLog>> {
        let mut logs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        logs.retain(|log| log.strong_count() > 0);
        logs.iter().filter_map(Weak::upgrade).collect()
    }
}

#[derive(Debug)]
struct RecordedRequest {
    request: RequestInfo,
    body: Bytes,
    answer: Option<(StatusCode, Bytes)>,
}

impl RequestLog {
    fn lock(&self) -> MutexGuard<'_, Entries> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a request and returns its index.
    pub(super) fn begin(&self, info: RequestInfo, body: Bytes) -> usize {
        let mut entries = self.lock();
        entries.bytes += body.len();
        entries.requests.push(Some(RecordedRequest { request: info, body, answer: None }));
        entries.limit(MAX_BODY_BYTES);
        entries.requests.len() - 1
    }

    /// Records the response to the request that [`RequestLog::begin`] gave this index.
    pub(super) fn end(&self, index: usize, code: StatusCode, answer: Bytes) {
        let mut entries = self.lock();
        let length = answer.len();
        let Some(Some(entry)) = entries.requests.get_mut(index) else { return };
        entry.answer = Some((code, answer));
        entries.bytes += length;
        // An answer may arrive after the bodies of later requests have been dropped.
        entries.first_with_bodies = entries.first_with_bodies.min(index);
        entries.limit(MAX_BODY_BYTES);
    }
}

impl RecordedRequest {
    fn to_exchange(&self) -> Exchange {
        let (code, answer) = match &self.answer {
            Some((code, answer)) => (Some(code.as_u16()), body_value(answer)),
            None => (None, Value::Null),
        };
        Exchange { request: self.request.clone(), body: body_value(&self.body), code, answer }
    }
}

/// Returns a body as JSON: null if it is empty, and a string if it is not JSON.
fn body_value(body: &Bytes) -> Value {
    if body.is_empty() {
        return Value::Null;
    }
    let text = || String::from_utf8_lossy(body).into_owned().into();
    serde_json::from_slice(body).unwrap_or_else(|_| text())
}

/// A request and its response.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Exchange {
    /// The request without its body.
    pub request: RequestInfo,
    /// The body of the request; null if it was empty.
    pub body: Value,
    /// The HTTP status of the response; `None` if the request is pending or its connection broke.
    pub code: Option<u16>,
    /// The body of the response; null for a watch, and if there is no response.
    pub answer: Value,
}

impl Exchange {
    /// Returns the permissions that the request needs; none for a path without a resource, such as `/version`, which
    /// every authenticated user may read.
    ///
    /// A patch or an update that has created its object (status 201) also needs `create`. The permissions name the
    /// object if `fixed` contains it, as a resource and a name.
    fn needs(&self, fixed: &[(&str, &str)]) -> Vec<Need> {
        let info = &self.request;
        if info.resource.is_empty() {
            return Vec::new();
        }
        let mut resource = info.resource.clone();
        if !info.subresource.is_empty() {
            resource = format!("{resource}/{}", info.subresource);
        }
        let object = self.object_name();
        let unqualified =
            RequestInfo { subresource: String::new(), ..info.clone() }.full_resource();
        let is_fixed = fixed.contains(&(unqualified.as_str(), object.as_str()));
        let need = |verb: &str| Need {
            name: if is_fixed { object.clone() } else { String::new() },
            namespace: info.namespace.clone(),
            group: info.group.clone(),
            resource: resource.clone(),
            verb: verb.to_owned(),
            ..Need::default()
        };
        let mut needs = vec![need(&info.verb)];
        if matches!(info.verb.as_str(), "patch" | "update") && self.code == Some(201) {
            needs.push(need("create"));
        }
        needs
    }
}

impl Exchange {
    /// Returns the name in the path, or the name to which the field selector of a list restricts it
    /// (`metadata.name=web`); empty if there is neither.
    ///
    /// Source: `NewRequestInfo` of `k8s.io/apiserver/pkg/endpoints/request/requestinfo.go`.
    fn object_name(&self) -> String {
        let info = &self.request;
        if !info.name.is_empty() {
            return info.name.clone();
        }
        let query = Query::parse(&info.query);
        let Ok(fields) = FieldSelector::parse(query.text("fieldSelector")) else {
            return String::new();
        };
        let mut terms = fields.terms();
        let found = terms.find(|(label, equals, _)| *label == "metadata.name" && *equals);
        found.map(|(_, _, name)| name.to_owned()).unwrap_or_default()
    }
}

/// Prints the client or user, the method, the path, the query and the status. The alternate form (`{:#}`) adds the
/// bodies, as YAML.
impl fmt::Display for Exchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RequestInfo { client, method, path, query, user, .. } = &self.request;
        let who = if user.is_empty() { client } else { user };
        if !who.is_empty() {
            write!(f, "{who}: ")?;
        }
        write!(f, "{method} {path}")?;
        if !query.is_empty() {
            write!(f, "?{query}")?;
        }
        match self.code {
            Some(code) => write!(f, " -> {code}")?,
            None => f.write_str(" -> no answer")?,
        }
        if f.alternate() {
            for (title, body) in [("body", &self.body), ("answer", &self.answer)] {
                let mut body = redact::object(body);
                if self.request.full_resource() == "secrets" {
                    redact::hide(&mut body);
                }
                if !body.is_null() {
                    write!(f, "\n  {title}:")?;
                    for line in yaml::to_string(&body).lines() {
                        write!(f, "\n    {line}")?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Requests in the order in which they arrived. `Display` prints a line for each; the alternate form (`{:#}`) adds
/// their bodies.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Transcript {
    exchanges: Vec<Exchange>,
}

impl Transcript {
    /// Returns the requests.
    pub fn exchanges(&self) -> &[Exchange] {
        &self.exchanges
    }

    /// Returns the requests of one [client](super::ApiServer::client_of).
    #[must_use]
    pub fn of_client(&self, name: &str) -> Self {
        self.filtered(|info| info.client == name)
    }

    /// Returns the requests for which the predicate is true.
    #[must_use]
    pub fn filtered(&self, keeps: impl Fn(&RequestInfo) -> bool) -> Self {
        let kept = self.exchanges.iter().filter(|exchange| keeps(&exchange.request));
        Self { exchanges: kept.cloned().collect() }
    }

    /// Returns the requests that may change objects: all but `get`, `list` and `watch`.
    #[must_use]
    pub fn writes(&self) -> Self {
        self.filtered(|info| !matches!(info.verb.as_str(), "get" | "list" | "watch"))
    }

    /// Replaces the values that differ from run to run, such as UIDs.
    #[must_use]
    pub fn masked(mut self, mask: Mask) -> Self {
        let mut masking = Masking::new(mask);
        for exchange in &mut self.exchanges {
            exchange.request.path = masking.text(&exchange.request.path);
            exchange.request.query = masking.query(&exchange.request.query);
            masking.value(&mut exchange.body);
            masking.value(&mut exchange.answer);
        }
        self
    }

    /// Returns the minimal roles that allow all of these requests. Each has the given name.
    ///
    /// A request in a namespace needs a Role in that namespace; use [`Permissions::cluster_wide`] for a program that
    /// works in all namespaces. Discovery and other documents need no role, because all authenticated users may read
    /// them.
    #[must_use]
    pub fn permissions(&self, name: &str) -> Permissions {
        self.permissions_with_names(name, &[])
    }

    /// Returns the roles of [`Transcript::permissions`], with rules that name objects (`resourceNames`): those of
    /// `fixed`, each a resource and a name that the program always uses, such as `("leases.coordination.k8s.io",
    /// "leader")`.
    ///
    /// If the program has used a verb for other objects of the same resource as well, the rule allows the verb for all
    /// objects.
    #[must_use]
    pub fn permissions_with_names(&self, name: &str, fixed: &[(&str, &str)]) -> Permissions {
        Permissions::of_needs(name, self.exchanges.iter().flat_map(|it| it.needs(fixed)))
    }
}

impl fmt::Display for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for exchange in &self.exchanges {
            fmt::Display::fmt(exchange, f)?;
            f.write_str("\n")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;

    #[test]
    fn the_oldest_bodies_are_dropped_and_requests_are_kept() {
        let log = RequestLog::default();
        let info = RequestInfo::of(&Request::new(Vec::new()));
        let body = |byte: u8| Bytes::from(vec![byte; 100]);
        let indices = [b'a', b'b', b'c'].map(|byte| log.begin(info.clone(), body(byte)));
        log.end(indices[0], StatusCode::OK, body(b'x'));
        log.lock().limit(250);
        let transcript = Recording(Arc::new(log)).transcript();
        let bodies: Vec<String> = transcript
            .exchanges()
            .iter()
            .flat_map(|it| [&it.body, &it.answer])
            .map(|body| body.as_str().unwrap_or_default().chars().take(8).collect())
            .collect();
        assert_eq!(bodies, ["not kept", "not kept", "bbbbbbbb", "", "cccccccc", ""]);
    }
}
