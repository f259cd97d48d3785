//! An API server in the process of a test, which answers as Kubernetes' own.
//!
//! A controller runs against it as against a cluster, without one: no socket, no download, milliseconds to start, and
//! each test has its own.
//!
//! ```
//! use crd_runtime::apiserver::ApiServer;
//! use crd_runtime::{CrdSchema, CustomResource};
//! use kube::api::{Api, PostParams};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
//! #[crd(group = "example.com", version = "v1", kind = "Memcached", namespaced)]
//! struct MemcachedSpec {
//!     #[crd(minimum = 1)]
//!     size: i32,
//! }
//!
//! # tokio_test(async {
//! let server = ApiServer::new().with(&Memcached::crd());
//! let api: Api<Memcached> = Api::namespaced(server.client(), "default");
//! let cache = Memcached::new("cache", MemcachedSpec { size: 3 });
//! let created = api.create(&PostParams::default(), &cache).await?;
//! assert_eq!(created.metadata.generation, Some(1));
//!
//! let none = Memcached::new("none", MemcachedSpec { size: 0 });
//! let refused = api.create(&PostParams::default(), &none).await.unwrap_err();
//! assert!(refused.to_string().contains("should be greater than or equal to 1"));
//! # Ok::<(), kube::Error>(())
//! # });
//! # fn tokio_test(test: impl Future<Output = Result<(), kube::Error>>) {
//! #     tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test).unwrap();
//! # }
//! ```
//!
//! Custom resources are decoded, pruned, defaulted, validated, converted, listed, watched, patched and applied exactly
//! as the server does it, by the same code that this crate checks manifests with. Kinds of Kubernetes itself are stored
//! as they are written, with the server's metadata, subresources, merge keys and field owners, but without defaults and
//! without validation of their own. Nothing runs pods.
//!
//! What happens by itself in a cluster happens at once, before the next request: definitions are established, garbage
//! is collected by owner references, namespaces are emptied and removed. Watches see each step.
//!
//! Webhooks are called as in a cluster, those that convert and those that admit: over TLS, or in the process with
//! [`ApiServer::webhook`] and [`ApiServer::admission`]. With [`ApiServer::authorize`], roles and bindings decide who may
//! do what; [`ApiServer::client_as`] is the client of a user or service account.
//!
//! Ids and generated names are the same in each run; [`ApiServer::seed`] changes them. The clock is that of tokio:
//! where a test pauses it, timestamps stand still, and time-outs and bookmarks of watches come when it is advanced.
//!
//! # What only a test's server can do
//!
//! | to | see |
//! |---|---|
//! | let requests fail, get lost or come late; end watches | [`faults`], [`ApiServer::inject`] |
//! | restart the server, with what it stored or without | [`ApiServer::restart`] |
//! | stop a controller after each of its requests | [`Interruptions`] |
//! | know which requests there were, and which roles they need | [`ApiServer::record`], [`Transcript`] |
//! | compare all objects of two moments, or of two runs | [`ApiServer::snapshot`], [`Snapshot::changes`], [`Mask`] |
//! | set a Deployment available, a Job complete, a Pod ready | [`ApiServer::workloads`], [`ApiServer::with_workloads`] |

mod admission;
mod arrival;
mod asked;
mod authorization;
mod builtin;
mod builtin_strategy;
mod catalog;
mod core;
mod create;
mod decoding;
mod definition;
mod definitions;
mod delete;
mod discovery;
mod events;
mod failure;
pub mod faults;
mod gc;
mod interrupt;
mod kind;
mod labels;
mod list;
mod listen;
mod mask;
mod media;
mod metadata;
mod namespaces;
mod ownership;
mod patch;
mod query;
mod reply;
mod restart;
mod scale;
mod scale_fields;
mod selection;
mod service;
mod snapshot;
mod source;
mod store;
mod strategy;
mod target;
mod transcript;
mod typed;
mod update;
mod user;
mod watch;
mod webhooks;
mod workloads;

use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

use crd_cel::kubernetes::KubernetesVersion;
use kube::Client;
use serde::Serialize;
use serde_json::Value;

use self::core::Core;
use crate::convert::Converter;
use crate::model::Manifest;
use arrival::Caller;
use faults::{Fault, Injected, Requests};
use service::{ApiService, Shared};
use source::{Clock, Ids};
use store::{DEFAULT_HISTORY, Store};

pub use admission::AdmissionResponse;
pub use asked::Asked;
pub use interrupt::{Interruptions, NotIdempotent};
pub use listen::Listening;
pub use mask::Mask;
pub use restart::Stored;
pub use snapshot::{Changes, Snapshot};
pub use transcript::{Exchange, Recording, Transcript};
pub use user::User;
pub use workloads::{Refused, Workloads};

/// A server. Clones are the same one.
#[derive(Clone)]
pub struct ApiServer {
    shared: Arc<Shared>,
}

impl fmt::Debug for ApiServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let revision = self.shared.lock().store.revision();
        f.debug_struct("ApiServer").field("revision", &revision).finish_non_exhaustive()
    }
}

impl Default for ApiServer {
    fn default() -> Self {
        Self::new()
    }
}

impl ApiServer {
    /// A server with the namespaces that each has, and nothing else.
    #[must_use]
    pub fn new() -> Self {
        let begin = (SystemTime::now(), tokio::time::Instant::now());
        let clock = Clock(Arc::new(move || begin.0 + begin.1.elapsed()));
        let core = Core::new(Store::new(DEFAULT_HISTORY), clock, Ids::new(0));
        Self { shared: Arc::new(Shared::new(core)) }
    }

    /// Creates a definition, which is served at once.
    ///
    /// # Panics
    /// Where the server refuses it, with what it says.
    #[must_use]
    #[track_caller]
    pub fn with(self, crd: &(impl Manifest + Serialize)) -> Self {
        match serde_json::to_value(crd) {
            Ok(crd) => self.with_object(&crd),
            Err(error) => panic!("the definition cannot be written: {error}"),
        }
    }

    /// Creates an object of any kind that is served. No webhook is asked about it.
    ///
    /// # Panics
    /// Where the server refuses it, with what it says.
    #[must_use]
    #[track_caller]
    pub fn with_object(self, object: &(impl Serialize + ?Sized)) -> Self {
        let object = serde_json::to_value(object).unwrap_or(Value::Null);
        if let Err(why) = self.create(&object) {
            panic!("{why}");
        }
        self
    }

    /// Converts objects of a kind between its versions, where the definition asks a webhook to, without calling any.
    #[must_use]
    pub fn converter(self, group: &str, kind: &str, converter: Converter) -> Self {
        let mut core = self.shared.lock();
        core.converters.insert((group.to_owned(), kind.to_owned()), Arc::new(converter));
        core.redefine();
        drop(core);
        self
    }

    /// Answers as the API server of a minor of Kubernetes does, instead of the newest.
    ///
    /// ```
    /// use crd_runtime::KubernetesVersion;
    /// use crd_runtime::apiserver::ApiServer;
    ///
    /// # tokio_test(async {
    /// let version: KubernetesVersion = "1.33".parse()?;
    /// let server = ApiServer::new().kubernetes(version);
    /// assert_eq!(server.client().apiserver_version().await?.minor, "33");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # });
    /// # fn tokio_test(test: impl Future<Output = Result<(), Box<dyn std::error::Error>>>) {
    /// #     tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test).unwrap();
    /// # }
    /// ```
    ///
    /// Definitions that it has already are served anew, and not validated again.
    #[must_use]
    pub fn kubernetes(self, version: KubernetesVersion) -> Self {
        let mut core = self.shared.lock();
        core.kubernetes = version;
        core.redefine();
        drop(core);
        self
    }

    /// Makes other ids and names than without it.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        self.shared.lock().ids = Ids::new(seed);
        self
    }

    /// Tells the time of timestamps.
    #[must_use]
    pub fn clock(self, now: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        self.shared.lock().clock = Clock(Arc::new(now));
        self
    }

    /// Collects no garbage and empties no namespaces, as a server does that has no controllers beside it.
    #[must_use]
    pub fn without_controllers(self) -> Self {
        self.shared.lock().controllers = false;
        self
    }

    /// Forgets all changes so far: a watch or a list of an earlier resource version gets status 410.
    pub fn compact(&self) {
        let mut core = self.shared.lock();
        let revision = core.store.revision();
        core.store.compact(revision);
        // Watches that have told all are behind no change; they go on.
        self.shared.wake(&core);
    }

    /// A client. It must be made within a tokio runtime, as each of kube's clients.
    #[must_use]
    pub fn client(&self) -> Client {
        self.client_with(Caller::default())
    }

    /// A client with a name, by which faults and transcripts tell it from others. It is the `User-Agent` of its requests,
    /// and so the field manager of writes that name none.
    ///
    /// Characters that a header cannot have leave the client without a name.
    #[must_use]
    pub fn client_of(&self, name: &str) -> Client {
        self.client_with(Caller::of(name))
    }

    fn client_with(&self, caller: Caller) -> Client {
        Client::new(ApiService { shared: Arc::clone(&self.shared), caller }, "default")
    }

    /// Lets something happen to requests, until it is [removed](Injected::remove). Of several rules that hit a request
    /// the first counts. See [`faults`].
    pub fn inject(&self, requests: Requests, fault: Fault) -> Injected {
        self.shared.arrivals.faults.add(requests, fault)
    }

    /// Records the requests of all clients, until the recording is dropped.
    pub fn record(&self) -> Recording {
        let log = Arc::default();
        self.shared.arrivals.logs.add(&log);
        Recording(log)
    }

    /// All that is stored.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::of(&self.shared.lock())
    }

    pub(crate) fn create(&self, object: &Value) -> Result<(), String> {
        let text = |at: &str| object.pointer(at).and_then(Value::as_str).unwrap_or_default();
        let (version, kind) = (text("/apiVersion"), text("/kind"));
        let core = self.shared.lock();
        let found = core.catalog.find_kind(version, kind);
        let found = found.ok_or_else(|| format!("no kind `{kind}` of `{version}` is served"))?;
        let root = if found.group.is_empty() { "/api/" } else { "/apis/" };
        let mut path = format!("{root}{version}");
        if found.namespaced {
            let namespace = Some(text("/metadata/namespace")).filter(|it| !it.is_empty());
            path = format!("{path}/namespaces/{}", namespace.unwrap_or("default"));
        }
        path = format!("{path}/{}", found.names.plural);
        drop(core);
        let request = http::Request::post(path).body(object.to_string().into_bytes());
        let request = request.map_err(|error| error.to_string())?;
        let mut core = self.shared.lock();
        let answer = core.handle(&request, &mut Vec::new());
        self.shared.wake(&core);
        answer.map(drop).map_err(|failure| failure.message)
    }
}
