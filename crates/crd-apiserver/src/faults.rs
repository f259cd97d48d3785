//! Injects faults into selected requests: error responses, delays and broken connections.
//!
//! ```
//! use crd_apiserver::ApiServer;
//! use crd_apiserver::faults::{Fault, Requests};
//! use k8s_openapi::api::core::v1::ConfigMap;
//! use kube::api::{Api, DeleteParams};
//!
//! # tokio_test(async {
//! let server = ApiServer::new();
//! let conflicts = server.inject(Requests::of("configmaps").verb("delete").once(), Fault::Conflict);
//!
//! let api: Api<ConfigMap> = Api::namespaced(server.client(), "default");
//! let rejected = api.delete("x", &DeleteParams::default()).await.unwrap_err();
//! assert!(rejected.to_string().contains("the object has been modified"));
//! assert_eq!(conflicts.hits(), 1);
//! let rejected = api.delete("x", &DeleteParams::default()).await.unwrap_err();
//! assert!(rejected.to_string().contains("not found"));
//! # });
//! # fn tokio_test(test: impl Future<Output = ()>) {
//! #     tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
//! # }
//! ```
//!
//! A client that kube makes from a configuration retries by itself after statuses 429, 503 and 504; clients of
//! [`ApiServer::client`](super::ApiServer::client) do not, so that a test observes each fault.

use std::fmt;
use std::ops::{Bound, RangeBounds};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use serde_json::Value;

use super::request_info::RequestInfo;

/// An additional condition on requests.
type Predicate = Arc<dyn Fn(&RequestInfo) -> bool + Send + Sync>;

/// A selection of requests: all of them, unless a method narrows it.
#[derive(Clone, Default)]
pub struct Requests {
    verbs: Vec<String>,
    resource: Option<String>,
    namespace: Option<String>,
    name: Option<String>,
    client: Option<String>,
    manager: Option<String>,
    user: Option<String>,
    predicate: Option<Predicate>,
    /// The number of matching requests that are skipped first.
    skips: usize,
    /// The number of matching requests that are selected after the skipped ones; `None` selects all.
    times: Option<usize>,
}

impl fmt::Debug for Requests {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let predicate = self.predicate.as_ref().map(|_| "..");
        f.debug_struct("Requests")
            .field("verbs", &self.verbs)
            .field("resource", &self.resource)
            .field("namespace", &self.namespace)
            .field("name", &self.name)
            .field("client", &self.client)
            .field("manager", &self.manager)
            .field("user", &self.user)
            .field("predicate", &predicate)
            .field("skips", &self.skips)
            .field("times", &self.times)
            .finish()
    }
}

impl Requests {
    /// Selects all requests.
    #[must_use]
    pub fn all() -> Self {
        Self::default()
    }

    /// Selects the requests for a resource, such as `pods`, `deployments.apps` or `deployments.apps/status`. A name
    /// without a subresource does not match requests for subresources; a name with `/*` matches both.
    #[must_use]
    pub fn of(resource: &str) -> Self {
        Self { resource: Some(resource.to_owned()), ..Self::default() }
    }

    /// Selects only requests with the given verb, such as `get`, `list`, `watch` or `patch`. Several verbs are
    /// alternatives.
    #[must_use]
    pub fn verb(mut self, verb: &str) -> Self {
        self.verbs.push(verb.to_owned());
        self
    }

    /// Selects only requests in the given namespace.
    #[must_use]
    pub fn namespace(mut self, namespace: &str) -> Self {
        self.namespace = Some(namespace.to_owned());
        self
    }

    /// Selects only requests for the object with the given name.
    #[must_use]
    pub fn name(mut self, name: &str) -> Self {
        self.name = Some(name.to_owned());
        self
    }

    /// Selects only requests of the [client](super::ApiServer::client_of) with the given name: its `User-Agent` up to
    /// the first `/`.
    #[must_use]
    pub fn client(mut self, name: &str) -> Self {
        self.client = Some(name.to_owned());
        self
    }

    /// Selects only requests with the given field manager.
    #[must_use]
    pub fn manager(mut self, manager: &str) -> Self {
        self.manager = Some(manager.to_owned());
        self
    }

    /// Selects only requests that are made as the given user, by impersonation or by
    /// [`ApiServer::client_as`](super::ApiServer::client_as).
    #[must_use]
    pub fn user(mut self, user: &str) -> Self {
        self.user = Some(user.to_owned());
        self
    }

    /// Selects only requests for which a predicate returns true.
    #[must_use]
    pub fn that(mut self, is_it: impl Fn(&RequestInfo) -> bool + Send + Sync + 'static) -> Self {
        self.predicate = Some(Arc::new(is_it));
        self
    }

    /// Selects only the nth matching request, counted from 1. Overrides [`after`](Self::after) and
    /// [`times`](Self::times).
    #[must_use]
    pub fn nth(mut self, n: usize) -> Self {
        self.skips = n.saturating_sub(1);
        self.times = Some(1);
        self
    }

    /// Skips the first n requests that match.
    #[must_use]
    pub fn after(mut self, n: usize) -> Self {
        self.skips = n;
        self
    }

    /// Selects only one request: the first that matches and is not [skipped](Self::after).
    #[must_use]
    pub fn once(self) -> Self {
        self.times(1)
    }

    /// Selects at most n requests: the first that match and are not [skipped](Self::after).
    #[must_use]
    pub fn times(mut self, n: usize) -> Self {
        self.times = Some(n);
        self
    }

    /// Returns whether a request matches all conditions; `skips` and `times` are not considered.
    fn matches(&self, info: &RequestInfo) -> bool {
        let is = |want: &Option<String>, found: &str| want.as_ref().is_none_or(|it| it == found);
        (self.verbs.is_empty() || self.verbs.contains(&info.verb))
            && self.resource.as_ref().is_none_or(|want| is_resource(want, info))
            && is(&self.namespace, &info.namespace)
            && is(&self.name, &info.name)
            && is(&self.client, &info.client)
            && is(&self.manager, &info.manager)
            && is(&self.user, &info.user)
            && self.predicate.as_ref().is_none_or(|is_it| is_it(info))
    }
}

fn is_resource(want: &str, info: &RequestInfo) -> bool {
    let found = info.full_resource();
    match want.strip_suffix("/*") {
        Some(want) => found.split('/').next() == Some(want),
        None => found == want,
    }
}

/// A fault that is injected into a request.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// Status 409, as if another client had written the object since it was read. The request is not executed.
    Conflict,
    /// Status 410, as if the requested resource version were too old. A watch gets status 200, and the failure as its
    /// first event, as from a real server. The request is not executed.
    Gone,
    /// Status 429 with `Retry-After`, as from an overloaded server. The request is not executed.
    TooManyRequests {
        /// The number of seconds after which the client is to retry.
        retry_after: u32,
    },
    /// Status 503. The request is not executed.
    Unavailable,
    /// Status 500 with a message. The request is not executed.
    Internal(String),
    /// Status 504 after 60 seconds, which take no real time if tokio's clock is paused. The client cannot tell whether
    /// the request was executed.
    Timeout {
        /// Whether the request is executed.
        is_done: bool,
    },
    /// The connection breaks before the request is executed.
    Disconnect,
    /// The connection breaks after the request has been executed, so that the client does not learn its result.
    LoseAnswer,
    /// The request is delayed.
    Delay(Duration),
    /// A watch ends after a number of events, as if its connection had broken. Other requests are not affected.
    EndWatch {
        /// The number of events before the end.
        after: usize,
    },
    /// Each event of a watch is delayed. Other requests are not affected.
    DelayEvents(Duration),
    /// Another answer. The request is not executed.
    Answer {
        /// The status code, from 100 to 999; another number is answered as 500.
        code: u16,
        /// The body, which is sent as JSON.
        body: Value,
    },
    /// What a function decides for each request; see [`Fault::decided_by`].
    Decided(Decision),
}

type Decide = dyn Fn(&RequestInfo) -> Option<Fault> + Send + Sync;

/// A function that decides which fault a request gets.
#[derive(Clone)]
pub struct Decision(Arc<Decide>);

impl fmt::Debug for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Decision(..)")
    }
}

/// A decision equals only its clones.
impl PartialEq for Decision {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Decision {}

impl Fault {
    /// Returns a fault that a function decides for each request. A request for which it returns `None` is executed as
    /// without the fault, and is no [hit](Injected::hits).
    ///
    /// ```
    /// use crd_apiserver::ApiServer;
    /// use crd_apiserver::faults::{Fault, Requests};
    /// use k8s_openapi::api::core::v1::ConfigMap;
    /// use kube::api::Api;
    /// use serde_json::json;
    ///
    /// # tokio_test(async {
    /// let server = ApiServer::new();
    /// let body = json!({"apiVersion": "v1", "kind": "ConfigMap", "data": {"color": "red"}});
    /// server.inject(
    ///     Requests::of("configmaps").verb("get"),
    ///     Fault::decided_by(move |info| {
    ///         (info.name == "a").then(|| Fault::Answer { code: 200, body: body.clone() })
    ///     }),
    /// );
    ///
    /// let api: Api<ConfigMap> = Api::namespaced(server.client(), "default");
    /// assert_eq!(api.get("a").await.unwrap().data.unwrap()["color"], "red");
    /// assert!(api.get_opt("b").await.unwrap().is_none());
    /// # });
    /// # fn tokio_test(test: impl Future<Output = ()>) {
    /// #     tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
    /// # }
    /// ```
    pub fn decided_by(
        decide: impl Fn(&RequestInfo) -> Option<Self> + Send + Sync + 'static,
    ) -> Self {
        Self::Decided(Decision(Arc::new(decide)))
    }

    /// Returns what the functions decide.
    fn resolved(self, info: &RequestInfo) -> Option<Self> {
        match self {
            Self::Decided(Decision(decide)) => decide(info)?.resolved(info),
            fault => Some(fault),
        }
    }
}

/// A fault rule of a server. It applies until [`Injected::remove`] is called, even if this value is dropped.
#[derive(Debug, Clone)]
pub struct Injected {
    rule: Arc<FaultRule>,
    rules: Weak<Faults>,
}

impl Injected {
    /// Returns the number of requests into which the rule has injected its fault.
    pub fn hits(&self) -> usize {
        self.rule.hits.load(Ordering::Relaxed)
    }

    /// Removes the rule, so that it applies to no further requests.
    pub fn remove(&self) {
        if let Some(rules) = self.rules.upgrade() {
            rules.lock().retain(|rule| !Arc::ptr_eq(rule, &self.rule));
        }
    }
}

/// A fault rule with an expectation: when this value is dropped, the rule is removed, and the number of requests into
/// which it has injected its fault is checked.
#[derive(Debug)]
#[must_use = "the expectation is checked when this is dropped"]
pub struct Expected {
    injected: Injected,
    at_least: usize,
    /// The first number that is too large; `None` if no number is.
    too_many: Option<usize>,
}

impl Injected {
    /// Expects that the number of requests into which the rule injects its fault is in a range. Dropping the returned
    /// value removes the rule and checks the number, so that a test fails if a fault never occurs.
    ///
    /// ```should_panic
    /// use crd_apiserver::ApiServer;
    /// use crd_apiserver::faults::{Fault, Requests};
    ///
    /// let server = ApiServer::new();
    /// let conflicts = server.inject(Requests::of("configmaps"), Fault::Conflict).expect(1..);
    /// drop(conflicts); // No request has been sent.
    /// ```
    ///
    /// # Panics
    /// The returned value panics when it is dropped, unless the thread is panicking already, if the number is not in the
    /// range.
    pub fn expect(self, hits: impl RangeBounds<usize>) -> Expected {
        let at_least = match hits.start_bound() {
            Bound::Included(first) => *first,
            Bound::Excluded(before) => before.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let too_many = match hits.end_bound() {
            Bound::Included(last) => last.checked_add(1),
            Bound::Excluded(end) => Some(*end),
            Bound::Unbounded => None,
        };
        Expected { injected: self, at_least, too_many }
    }
}

impl Expected {
    /// Returns the number of requests into which the rule has injected its fault.
    pub fn hits(&self) -> usize {
        self.injected.hits()
    }
}

impl Drop for Expected {
    fn drop(&mut self) {
        self.injected.remove();
        let hits = self.hits();
        let is_expected = hits >= self.at_least && self.too_many.is_none_or(|end| hits < end);
        if is_expected || std::thread::panicking() {
            return;
        }
        let end = self.too_many.map(|end| end.saturating_sub(1).to_string()).unwrap_or_default();
        let FaultRule { requests, fault, .. } = &*self.injected.rule;
        panic!(
            "the fault {fault:?} was injected into {hits} requests, and {}..={end} were expected: {requests:?}",
            self.at_least
        );
    }
}

#[derive(Debug)]
struct FaultRule {
    requests: Requests,
    fault: Fault,
    matched: AtomicUsize,
    hits: AtomicUsize,
}

/// The fault rules of a server.
#[derive(Debug, Default)]
pub(super) struct Faults(Mutex<Vec<Arc<FaultRule>>>);

impl Faults {
    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Arc<FaultRule>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    pub(super) fn add(self: &Arc<Self>, requests: Requests, fault: Fault) -> Injected {
        let (matched, hits) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let rule = Arc::new(FaultRule { requests, fault, matched, hits });
        self.lock().push(Arc::clone(&rule));
        Injected { rule, rules: Arc::downgrade(self) }
    }

    /// Returns the fault of the first rule that selects a request. Every rule whose conditions match counts the
    /// request, even if another rule applies.
    pub(super) fn fault_for(&self, info: &RequestInfo) -> Option<Fault> {
        let mut selected = None;
        for rule in self.lock().iter().filter(|rule| rule.requests.matches(info)) {
            let number = rule.matched.fetch_add(1, Ordering::Relaxed);
            let Requests { skips, times, .. } = rule.requests;
            let is_hit = number >= skips && times.is_none_or(|times| number < skips + times);
            if is_hit && selected.is_none() {
                selected = Some(Arc::clone(rule));
            }
        }
        // Without the lock, because a function of the test may inject faults.
        let rule = selected?;
        let fault = rule.fault.clone().resolved(info)?;
        rule.hits.fetch_add(1, Ordering::Relaxed);
        Some(fault)
    }
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::super::user::User;
    use super::*;

    fn info(method: &str, uri: &str) -> RequestInfo {
        let request = Request::builder().method(method).uri(uri).header("user-agent", "a/1 (x)");
        RequestInfo::of(&request.body(Vec::new()).expect("a request"))
    }

    #[test]
    fn each_property_selects_requests() {
        let status =
            info("PATCH", "/apis/apps/v1/namespaces/a/deployments/b/status?fieldManager=m");
        let hit = [
            Requests::all(),
            Requests::of("deployments.apps/status").verb("get").verb("patch"),
            Requests::of("deployments.apps/*").namespace("a").name("b"),
            Requests::all().client("a").manager("m").user(""),
            Requests::all().that(|info| info.path.ends_with("/status")),
        ];
        for requests in hit {
            assert!(requests.matches(&status), "{requests:?}");
        }
        let missed = [
            Requests::of("deployments.apps"),
            Requests::of("deployments/status"),
            Requests::all().verb("get"),
            Requests::all().namespace("b"),
            Requests::all().name("a"),
            Requests::all().client("b"),
            Requests::all().manager("a"),
            Requests::all().user("x"),
        ];
        for requests in missed {
            assert!(!requests.matches(&status), "{requests:?}");
        }
    }

    #[test]
    fn impersonated_users_select_requests() {
        let as_jane =
            || Request::builder().uri("/api/v1/pods").extension(Arc::new(User::new("jane")));
        let request = as_jane().body(Vec::new()).expect("a request");
        assert!(Requests::all().user("jane").matches(&RequestInfo::of(&request)));
        let request = as_jane().header("impersonate-user", "joe").body(Vec::new());
        let info = RequestInfo::of(&request.expect("a request"));
        assert!(Requests::all().user("joe").matches(&info));
        assert!(!Requests::all().user("jane").matches(&info));
    }

    #[test]
    fn skips_and_times_count_matching_requests() {
        let faults = Arc::new(Faults::default());
        let get = info("GET", "/api/v1/namespaces/a/pods/b");
        let list = info("GET", "/api/v1/namespaces/a/pods");
        let second = faults.add(Requests::of("pods").verb("get").nth(2), Fault::Conflict);
        let later = faults.add(Requests::all().after(3).times(2), Fault::Unavailable);
        let faults_for_both = || [&list, &get].map(|info| faults.fault_for(info));
        assert_eq!(faults_for_both(), [None, None]);
        assert_eq!(faults_for_both(), [None, Some(Fault::Conflict)]);
        assert_eq!(faults_for_both(), [Some(Fault::Unavailable), None]);
        assert_eq!((second.hits(), later.hits()), (1, 1));
        later.remove();
        assert_eq!(faults.lock().len(), 1);
    }

    #[test]
    fn expectations_are_checked_when_they_are_dropped() {
        let panics = |hits: usize, expect: fn(Injected) -> Expected| {
            let faults = Arc::new(Faults::default());
            let expected = expect(faults.add(Requests::all(), Fault::Conflict));
            for _ in 0..hits {
                faults.fault_for(&info("GET", "/api/v1/pods"));
            }
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| drop(expected)));
            assert!(faults.is_empty());
            result.is_err()
        };
        assert!(panics(0, |it| it.expect(1..)));
        assert!(!panics(1, |it| it.expect(1..)));
        assert!(panics(2, |it| it.expect(..=1)));
        assert!(panics(2, |it| it.expect(0..2)));
        assert!(!panics(2, |it| it.expect(2..3)));
    }
}
