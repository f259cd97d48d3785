//! Recordings of requests, of their responses, and of the events of watches.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use bytes::Bytes;
use http::StatusCode;
use serde_json::Value;

use super::event_line::event_of_line;
use super::mask::{Mask, Masking};
use super::query::Query;
use super::redact;
use super::request_info::RequestInfo;
use crate::field_selector::FieldSelector;
use crate::rbac::{Need, Permissions};
use crate::yaml;

/// Records requests and the events of watches, from the call of [`record`](super::ApiServer::record) until this value is
/// dropped.
///
/// All requests are kept. If their bodies, those of the responses and the objects of events together exceed 256 MiB, a
/// text that says so takes the place of the oldest ones.
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
    /// Returns the requests so far in the order in which they arrived, and the events that have been sent since.
    pub fn transcript(&self) -> Transcript {
        let entries = self.0.lock();
        let mut transcript = Transcript::default();
        for entry in entries.all.iter().flatten() {
            match entry {
                Entry::Request(request) => transcript.exchanges.push(request.to_exchange()),
                Entry::Event(event) => {
                    transcript.events.push((transcript.exchanges.len(), event.to_event()));
                }
            }
        }
        transcript
    }

    /// Discards the requests and events so far.
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

/// The requests and events of a recording, and the size of their bodies.
#[derive(Debug, Default)]
struct Entries {
    /// `None` for requests that have been discarded. They remain in the list, because `RequestLog::end` refers to
    /// pending requests by index.
    all: Vec<Option<Entry>>,
    /// The size of all bodies that are kept.
    bytes: usize,
    /// The index of the first entry whose bodies are kept.
    first_with_bodies: usize,
}

impl Entries {
    fn clear(&mut self) {
        self.all.fill_with(|| None);
        self.bytes = 0;
        self.first_with_bodies = self.all.len();
    }

    /// Drops bodies, the oldest first, until the rest is not larger than `limit`.
    fn limit(&mut self, limit: usize) {
        while self.bytes > limit {
            let Some(entry) = self.all.get_mut(self.first_with_bodies) else { return };
            self.first_with_bodies += 1;
            let bodies = entry.iter_mut().flat_map(|entry| match entry {
                Entry::Request(request) => {
                    let RecordedRequest { body, answer, .. } = &mut **request;
                    [Some(body), answer.as_mut().map(|(_, answer)| answer)]
                }
                Entry::Event(event) => [Some(&mut event.object), None],
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
enum Entry {
    Request(Box<RecordedRequest>),
    Event(RecordedEvent),
}

#[derive(Debug)]
struct RecordedRequest {
    request: RequestInfo,
    body: Bytes,
    answer: Option<(StatusCode, Bytes)>,
}

#[derive(Debug)]
struct RecordedEvent {
    watch: Arc<RequestInfo>,
    type_: String,
    object: Bytes,
}

impl RequestLog {
    fn lock(&self) -> MutexGuard<'_, Entries> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a request and returns its index.
    pub(super) fn begin(&self, info: RequestInfo, body: Bytes) -> usize {
        let mut entries = self.lock();
        entries.bytes += body.len();
        let request = RecordedRequest { request: info, body, answer: None };
        entries.all.push(Some(Entry::Request(Box::new(request))));
        entries.limit(MAX_BODY_BYTES);
        entries.all.len() - 1
    }

    /// Records the events that a watch sends, which are JSON, one per line.
    pub(super) fn send(&self, watch: &Arc<RequestInfo>, lines: &[u8]) {
        let mut entries = self.lock();
        for (type_, object) in lines.split(|byte| *byte == b'\n').filter_map(event_of_line) {
            let (watch, type_) = (Arc::clone(watch), type_.to_owned());
            let object = Bytes::copy_from_slice(object.as_bytes());
            entries.bytes += object.len();
            entries.all.push(Some(Entry::Event(RecordedEvent { watch, type_, object })));
        }
        entries.limit(MAX_BODY_BYTES);
    }

    /// Records the response to the request that [`RequestLog::begin`] gave this index.
    pub(super) fn end(&self, index: usize, code: StatusCode, answer: Bytes) {
        let mut entries = self.lock();
        let length = answer.len();
        let Some(Some(Entry::Request(entry))) = entries.all.get_mut(index) else { return };
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

impl RecordedEvent {
    fn to_event(&self) -> WatchEvent {
        let watch = RequestInfo::clone(&self.watch);
        WatchEvent { watch, type_: self.type_.clone(), object: body_value(&self.object) }
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
        let RequestInfo { method, path, query, .. } = &self.request;
        write_client(f, &self.request)?;
        write!(f, "{method} {path}")?;
        if !query.is_empty() {
            write!(f, "?{query}")?;
        }
        match self.code {
            Some(code) => write!(f, " -> {code}")?,
            None => f.write_str(" -> no answer")?,
        }
        if f.alternate() {
            write_body(f, "body", &self.body, &self.request)?;
            write_body(f, "answer", &self.answer, &self.request)?;
        }
        Ok(())
    }
}

fn mask_request(masking: &mut Masking, request: &mut RequestInfo) {
    request.path = masking.text(&request.path);
    request.query = masking.query(&request.query);
}

fn write_client(f: &mut fmt::Formatter<'_>, request: &RequestInfo) -> fmt::Result {
    let who = if request.user.is_empty() { &request.client } else { &request.user };
    if who.is_empty() { Ok(()) } else { write!(f, "{who}: ") }
}

/// Writes a body as YAML, without the values of Secrets.
fn write_body(
    f: &mut fmt::Formatter<'_>,
    title: &str,
    body: &Value,
    request: &RequestInfo,
) -> fmt::Result {
    let mut body = redact::object(body);
    if request.full_resource() == "secrets" {
        redact::hide(&mut body);
    }
    if body.is_null() {
        return Ok(());
    }
    write!(f, "\n  {title}:")?;
    for line in yaml::to_string(&body).lines() {
        write!(f, "\n    {line}")?;
    }
    Ok(())
}

/// An event that a watch has sent to its client.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct WatchEvent {
    /// The request that began the watch.
    pub watch: RequestInfo,
    /// `ADDED`, `MODIFIED`, `DELETED`, `BOOKMARK` or `ERROR`.
    pub type_: String,
    /// The object; a `Status` if the type is `ERROR`.
    pub object: Value,
}

/// Prints the client or user, the type of the event and its object. The alternate form (`{:#}`) adds the object as YAML.
///
/// ```text
/// operator: <- MODIFIED apps/v1 Deployment default/web
/// ```
impl fmt::Display for WatchEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_client(f, &self.watch)?;
        let text = |at: &str| self.object.pointer(at).and_then(Value::as_str).unwrap_or_default();
        write!(f, "<- {} {} {}", self.type_, text("/apiVersion"), text("/kind"))?;
        match (text("/metadata/namespace"), text("/metadata/name"), text("/message")) {
            ("", "", "") => {}
            ("", "", message) => write!(f, ": {message}")?,
            ("", name, _) => write!(f, " {name}")?,
            (namespace, name, _) => write!(f, " {namespace}/{name}")?,
        }
        if f.alternate() { write_body(f, "object", &self.object, &self.watch) } else { Ok(()) }
    }
}

/// Requests in the order in which they arrived, and the events of watches between them. `Display` prints a line for each;
/// the alternate form (`{:#}`) adds bodies and objects.
///
/// ```
/// use crd_apiserver::ApiServer;
/// use futures::TryStreamExt as _;
/// use k8s_openapi::api::core::v1::ConfigMap;
/// use kube::api::{Api, WatchParams};
/// use serde_json::json;
///
/// # tokio_test(async {
/// let server = ApiServer::new();
/// let recording = server.record();
/// let api: Api<ConfigMap> = Api::default_namespaced(server.client_of("operator"));
/// let mut events = Box::pin(api.watch(&WatchParams::default(), "0").await?);
/// let map = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}});
/// server.create(&map).unwrap();
/// events.try_next().await?;
/// let transcript = recording.transcript().to_string();
/// assert!(transcript.ends_with("\noperator: <- ADDED v1 ConfigMap default/x\n"), "{transcript}");
/// # Ok::<(), kube::Error>(())
/// # });
/// # fn tokio_test(test: impl Future<Output = Result<(), kube::Error>>) {
/// #     tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test).unwrap();
/// # }
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Transcript {
    exchanges: Vec<Exchange>,
    /// Events, each with the number of requests before it.
    events: Vec<(usize, WatchEvent)>,
}

impl Transcript {
    /// Returns the requests.
    pub fn exchanges(&self) -> &[Exchange] {
        &self.exchanges
    }

    /// Returns the events that watches have sent, in this order.
    pub fn events(&self) -> impl Iterator<Item = &WatchEvent> {
        self.events.iter().map(|(_, event)| event)
    }

    /// Returns the requests of one [client](super::ApiServer::client_of), and the events of its watches.
    #[must_use]
    pub fn of_client(&self, name: &str) -> Self {
        self.filtered(|info| info.client == name)
    }

    /// Returns the requests for which the predicate is true, and the events of those that are watches.
    #[must_use]
    pub fn filtered(&self, keeps: impl Fn(&RequestInfo) -> bool) -> Self {
        let mut kept = Self::default();
        let mut events = self.events.iter().peekable();
        for number in 0..=self.exchanges.len() {
            while let Some((_, event)) = events.next_if(|(before, _)| *before == number) {
                if keeps(&event.watch) {
                    kept.events.push((kept.exchanges.len(), event.clone()));
                }
            }
            let exchange = self.exchanges.get(number).filter(|exchange| keeps(&exchange.request));
            kept.exchanges.extend(exchange.cloned());
        }
        kept
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
            mask_request(&mut masking, &mut exchange.request);
            masking.value(&mut exchange.body);
            masking.value(&mut exchange.answer);
        }
        for (_, event) in &mut self.events {
            mask_request(&mut masking, &mut event.watch);
            masking.value(&mut event.object);
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
        let mut events = self.events.iter().peekable();
        for number in 0..=self.exchanges.len() {
            while let Some((_, event)) = events.next_if(|(before, _)| *before == number) {
                fmt::Display::fmt(event, f)?;
                f.write_str("\n")?;
            }
            if let Some(exchange) = self.exchanges.get(number) {
                fmt::Display::fmt(exchange, f)?;
                f.write_str("\n")?;
            }
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
        let first = log.begin(info.clone(), body(b'a'));
        let object = format!("\"{}\"", "e".repeat(98));
        let line = format!("{{\"type\":\"ADDED\",\"object\":{object}}}\n");
        log.send(&Arc::new(info.clone()), line.as_bytes());
        log.begin(info.clone(), body(b'b'));
        log.begin(info.clone(), body(b'c'));
        log.end(first, StatusCode::OK, body(b'x'));
        log.lock().limit(250);
        let transcript = Recording(Arc::new(log)).transcript();
        let bodies: Vec<String> = transcript
            .exchanges()
            .iter()
            .flat_map(|it| [&it.body, &it.answer])
            .map(|body| body.as_str().unwrap_or_default().chars().take(8).collect())
            .collect();
        assert_eq!(bodies, ["not kept", "not kept", "bbbbbbbb", "", "cccccccc", ""]);
        let events: Vec<_> = transcript.events().map(|it| (&*it.type_, &it.object)).collect();
        assert_eq!(events, [("ADDED", &String::from_utf8_lossy(NOT_KEPT).into())]);
    }
}
