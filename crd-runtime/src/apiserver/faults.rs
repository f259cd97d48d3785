//! What goes wrong, by rule: answers that a server gives on a bad day, and connections that break.
//!
//! ```
//! use crd_runtime::apiserver::ApiServer;
//! use crd_runtime::apiserver::faults::{Fault, Requests};
//! use k8s_openapi::api::core::v1::ConfigMap;
//! use kube::api::{Api, DeleteParams};
//!
//! # tokio_test(async {
//! let server = ApiServer::new();
//! let conflicts = server.inject(Requests::of("configmaps").verb("delete").once(), Fault::Conflict);
//!
//! let api: Api<ConfigMap> = Api::namespaced(server.client(), "default");
//! let refused = api.delete("x", &DeleteParams::default()).await.unwrap_err();
//! assert!(refused.to_string().contains("the object has been modified"));
//! assert_eq!(conflicts.hits(), 1);
//! let refused = api.delete("x", &DeleteParams::default()).await.unwrap_err();
//! assert!(refused.to_string().contains("not found"));
//! # });
//! # fn tokio_test(test: impl Future<Output = ()>) {
//! #     tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
//! # }
//! ```
//!
//! A client that kube makes of a configuration tries again by itself after statuses 429, 503 and 504; those of
//! [`ApiServer::client`](super::ApiServer::client) do not, so that a test sees each fault.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use super::asked::Asked;

/// What else is true of requests.
type Predicate = Arc<dyn Fn(&Asked) -> bool + Send + Sync>;

/// Which requests: all of them, until something narrows it.
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
    /// How many matching ones are let pass before.
    skips: usize,
    /// How many are hit; all where it is `None`.
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
    /// All requests.
    #[must_use]
    pub fn all() -> Self {
        Self::default()
    }

    /// The requests for a resource, such as `pods`, `deployments.apps` or `deployments.apps/status`. Without a
    /// subresource those for one are not meant; `/*` means both.
    #[must_use]
    pub fn of(resource: &str) -> Self {
        Self { resource: Some(resource.to_owned()), ..Self::default() }
    }

    /// Those of a verb, such as `get`, `list`, `watch` or `patch`. Several are alternatives.
    #[must_use]
    pub fn verb(mut self, verb: &str) -> Self {
        self.verbs.push(verb.to_owned());
        self
    }

    /// Those in a namespace.
    #[must_use]
    pub fn namespace(mut self, namespace: &str) -> Self {
        self.namespace = Some(namespace.to_owned());
        self
    }

    /// Those for the object of a name.
    #[must_use]
    pub fn name(mut self, name: &str) -> Self {
        self.name = Some(name.to_owned());
        self
    }

    /// Those of a [client](super::ApiServer::client_of) by its name: its `User-Agent` up to the `/`.
    #[must_use]
    pub fn client(mut self, name: &str) -> Self {
        self.client = Some(name.to_owned());
        self
    }

    /// Those that name a field manager.
    #[must_use]
    pub fn manager(mut self, manager: &str) -> Self {
        self.manager = Some(manager.to_owned());
        self
    }

    /// Those of a user.
    #[must_use]
    pub fn user(mut self, user: &str) -> Self {
        self.user = Some(user.to_owned());
        self
    }

    /// Those that something else is true of.
    #[must_use]
    pub fn that(mut self, is_it: impl Fn(&Asked) -> bool + Send + Sync + 'static) -> Self {
        self.predicate = Some(Arc::new(is_it));
        self
    }

    /// Only the nth of them, counted from 1.
    #[must_use]
    pub fn nth(mut self, n: usize) -> Self {
        self.skips = n.saturating_sub(1);
        self.times = Some(1);
        self
    }

    /// Those after the first n.
    #[must_use]
    pub fn after(mut self, n: usize) -> Self {
        self.skips = n;
        self
    }

    /// Only the first of them.
    #[must_use]
    pub fn once(self) -> Self {
        self.times(1)
    }

    /// Only so many of them.
    #[must_use]
    pub fn times(mut self, n: usize) -> Self {
        self.times = Some(n);
        self
    }

    /// Whether a request is one of them, but for its number.
    fn matches(&self, asked: &Asked) -> bool {
        let is = |want: &Option<String>, found: &str| want.as_ref().is_none_or(|it| it == found);
        (self.verbs.is_empty() || self.verbs.contains(&asked.verb))
            && self.resource.as_ref().is_none_or(|want| is_resource(want, asked))
            && is(&self.namespace, &asked.namespace)
            && is(&self.name, &asked.name)
            && is(&self.client, &asked.client)
            && is(&self.manager, &asked.manager)
            && is(&self.user, &asked.user)
            && self.predicate.as_ref().is_none_or(|is_it| is_it(asked))
    }
}

fn is_resource(want: &str, asked: &Asked) -> bool {
    let found = asked.full_resource();
    match want.strip_suffix("/*") {
        Some(want) => found.split('/').next() == Some(want),
        None => found == want,
    }
}

/// What happens to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// Status 409, as if another had written the object since it was read. Nothing is done.
    Conflict,
    /// Status 410: what was asked for is too old. A watch gets it as its first event, as from the server.
    Gone,
    /// Status 429 with `Retry-After`, as from a server that has too much to do. Nothing is done.
    TooManyRequests {
        /// After how many seconds to try again.
        retry_after: u32,
    },
    /// Status 503. Nothing is done.
    Unavailable,
    /// Status 500 with a message. Nothing is done.
    Internal(String),
    /// Status 504 after 60 seconds, which in paused time are none. What was asked for may have been done or not.
    Timeout {
        /// Whether it is done.
        is_done: bool,
    },
    /// The connection breaks before anything is done.
    Disconnect,
    /// It is done, and then the connection breaks: the client does not know.
    LoseAnswer,
    /// The request arrives later.
    Delay(Duration),
    /// A watch ends after so many events, as when its connection breaks. Other requests pass.
    EndWatch {
        /// How many events it sends before.
        after: usize,
    },
    /// Each event of a watch arrives later. Other requests pass.
    DelayEvents(Duration),
}

/// A rule that is in force, until it is removed.
#[derive(Debug, Clone)]
pub struct Injected {
    rule: Arc<Rule>,
    rules: Weak<Faults>,
}

impl Injected {
    /// How many requests it has hit.
    pub fn hits(&self) -> usize {
        self.rule.hits.load(Ordering::Relaxed)
    }

    /// Takes it back: from now on it hits nothing.
    pub fn remove(&self) {
        if let Some(rules) = self.rules.upgrade() {
            rules.lock().retain(|rule| !Arc::ptr_eq(rule, &self.rule));
        }
    }
}

#[derive(Debug)]
struct Rule {
    requests: Requests,
    fault: Fault,
    matched: AtomicUsize,
    hits: AtomicUsize,
}

/// The rules of a server.
#[derive(Debug, Default)]
pub(super) struct Faults(Mutex<Vec<Arc<Rule>>>);

impl Faults {
    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Arc<Rule>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    pub(super) fn add(self: &Arc<Self>, requests: Requests, fault: Fault) -> Injected {
        let (matched, hits) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let rule = Arc::new(Rule { requests, fault, matched, hits });
        self.lock().push(Arc::clone(&rule));
        Injected { rule, rules: Arc::downgrade(self) }
    }

    /// What happens to a request: by the first rule that hits it. All rules count it.
    pub(super) fn decide(&self, asked: &Asked) -> Option<Fault> {
        let mut decided = None;
        for rule in self.lock().iter().filter(|rule| rule.requests.matches(asked)) {
            let number = rule.matched.fetch_add(1, Ordering::Relaxed);
            let Requests { skips, times, .. } = rule.requests;
            let is_hit = number >= skips && times.is_none_or(|times| number < skips + times);
            if is_hit && decided.is_none() {
                rule.hits.fetch_add(1, Ordering::Relaxed);
                decided = Some(rule.fault.clone());
            }
        }
        decided
    }
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;

    fn asked(method: &str, uri: &str) -> Asked {
        let request = Request::builder().method(method).uri(uri).header("user-agent", "a/1 (x)");
        Asked::of(&request.body(Vec::new()).expect("a request"))
    }

    #[test]
    fn requests_are_picked_by_each_property() {
        let status =
            asked("PATCH", "/apis/apps/v1/namespaces/a/deployments/b/status?fieldManager=m");
        let hit = [
            Requests::all(),
            Requests::of("deployments.apps/status").verb("get").verb("patch"),
            Requests::of("deployments.apps/*").namespace("a").name("b"),
            Requests::all().client("a").manager("m").user(""),
            Requests::all().that(|asked| asked.path.ends_with("/status")),
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
    fn numbers_count_matching_requests() {
        let faults = Arc::new(Faults::default());
        let get = asked("GET", "/api/v1/namespaces/a/pods/b");
        let list = asked("GET", "/api/v1/namespaces/a/pods");
        let second = faults.add(Requests::of("pods").verb("get").nth(2), Fault::Conflict);
        let later = faults.add(Requests::all().after(3).times(2), Fault::Unavailable);
        let decided = || [&list, &get].map(|asked| faults.decide(asked));
        assert_eq!(decided(), [None, None]);
        assert_eq!(decided(), [None, Some(Fault::Conflict)]);
        assert_eq!(decided(), [Some(Fault::Unavailable), None]);
        assert_eq!((second.hits(), later.hits()), (1, 1));
        later.remove();
        assert_eq!(faults.lock().len(), 1);
    }
}
