//! An API server that runs inside the process of a test and answers as kube-apiserver does.
//!
//! A controller talks to it as it would talk to a cluster. The server needs no socket and no download, starts within
//! milliseconds, and each test can have its own.
//!
//! ```
//! use crd_apiserver::ApiServer;
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
//! let server = ApiServer::builder().with(&Memcached::crd()).start();
//! let api: Api<Memcached> = Api::namespaced(server.client(), "default");
//! let cache = Memcached::new("cache", MemcachedSpec { size: 3 });
//! let created = api.create(&PostParams::default(), &cache).await?;
//! assert_eq!(created.metadata.generation, Some(1));
//!
//! let none = Memcached::new("none", MemcachedSpec { size: 0 });
//! let rejected = api.create(&PostParams::default(), &none).await.unwrap_err();
//! assert!(rejected.to_string().contains("should be greater than or equal to 1"));
//! # Ok::<(), kube::Error>(())
//! # });
//! # fn tokio_test(test: impl Future<Output = Result<(), kube::Error>>) {
//! #     tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test).unwrap();
//! # }
//! ```
//!
//! Custom resources are decoded, pruned, defaulted, validated, converted, listed, watched, patched and applied as in
//! kube-apiserver, by the same code that this crate uses to check manifests. Objects of built-in kinds, such as
//! Deployments, are decoded by their Go types and get the server's defaults. Their subresources, their merge keys and
//! their field owners are those of the server. Only their metadata, their immutable and required fields, the selectors of
//! workloads, the containers of pods, the data of config maps and secrets, the ports of services, events, the
//! configurations of webhooks, admission policies, the strategies of Deployments, and the statuses of Deployments and
//! replica sets are validated. Pods are not run.
//!
//! What the controllers of a cluster do in the background happens here at once, before the next request is answered:
//! definitions are established, objects without a remaining owner are garbage-collected, and deleted namespaces are
//! emptied and removed. Watches see each step.
//!
//! Conversion and admission webhooks are called as in a cluster: over TLS, or within the process with
//! [`ApiServerBuilder::webhook`] and [`ApiServerBuilder::admission`]. Admission policies are evaluated. With
//! [`ApiServerBuilder::authorize`], requests are authorized by roles and bindings; [`ApiServer::client_as`] returns the client of a
//! user or service account.
//!
//! UIDs and generated names are derived from a seed: if a test sends the same requests, it gets the same ones in each
//! run. [`ApiServerBuilder::seed`] sets another seed. The server uses the clock of tokio: while a test has paused it,
//! timestamps do not change; timeouts and bookmarks of watches occur when it advances.
//!
//! # What only a test's server can do
//!
//! | Task | See |
//! |---|---|
//! | Make requests fail, get lost or arrive late; end watches | [`faults`], [`ApiServer::inject`] |
//! | Restart the server, with or without the objects it stored | [`ApiServer::restart`] |
//! | Serve kinds and aggregated APIs that the server lacks | [`ApiServerBuilder::with_kind`], [`ApiServerBuilder::with_api`] |
//! | Stop a controller after each of its requests | [`Interruptions`] |
//! | List the requests that were made, and the roles that they need | [`ApiServer::record`], [`Transcript`] |
//! | Compare all objects of two moments, or of two runs | [`ApiServer::snapshot`], [`Snapshot::changes`], [`Mask`] |
//! | Set the status of workloads such as Deployments | [`ApiServer::workloads`], [`ApiServerBuilder::with_workloads`] |

mod admission;
mod api_services;
mod arrival;
mod authorization;
mod autoscalers;
mod builder;
mod builtin;
mod builtin_status;
mod builtin_strategy;
mod call;
mod caller;
mod catalog;
mod certificate;
mod columns;
mod controllers;
mod core;
mod create;
mod decoding;
mod defaults;
mod definition;
mod definition_status;
mod delete;
mod derived;
mod discovery;
mod event_line;
mod event_validation;
mod events;
mod eventually;
mod failure;
pub mod faults;
mod graceful;
mod guard;
mod gzip;
mod handler;
mod immutable;
mod in_process;
mod interrupt;
mod json_patch;
mod kind;
mod labels;
mod list;
mod listen;
mod manifests;
mod mask;
mod media;
mod metadata;
mod namespaces;
mod ordered_json;
mod own_kinds;
mod ownership;
mod patch;
mod policy;
mod portions;
mod preparation;
mod pretty;
mod priority;
mod protobuf;
mod published;
mod query;
mod redact;
mod reply;
mod request_info;
mod required;
mod response;
mod restart;
mod scale;
mod scale_fields;
mod selection;
mod server;
mod service;
mod size;
mod snapshot;
mod source;
mod store;
mod stored;
mod strategy;
mod subresources;
mod target;
mod token;
mod transcript;
mod transform;
mod undecodable;
mod update;
mod user;
mod warnings;
mod watch;
mod webhooks;
mod work;
mod workloads;

use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

use crd_engine::{
    Server, admit, cause, compiled, convert, field_selector, fields, go_types, names, object_meta,
    openapi, rbac, table, versions, yaml,
};
use crd_model::{differences, field, json, managed_fields, model};
use crd_runtime::crd_schema;
use kube::Client;
use serde_json::Value;

use self::core::Core;
use caller::Caller;
use faults::{Fault, Injected, Requests};
use server::Shared;
use service::ApiService;
use source::{Clock, Ids, TimeSource};
use store::{DEFAULT_HISTORY, Store};

pub use admission::AdmissionResponse;
pub use builder::ApiServerBuilder;
pub use interrupt::{Interruptions, NotIdempotent};
pub use listen::Listening;
pub use mask::Mask;
pub use request_info::RequestInfo;
pub use restart::Storage;
pub use snapshot::{Changes, Snapshot};
pub use transcript::{Exchange, Recording, Transcript, WatchEvent};
pub use user::User;
pub use workloads::{StatusError, Workloads};

/// An API server that runs in the process: a handle, whose clones share the same server.
///
/// [`ApiServer::new`] starts a server without objects, [`ApiServer::builder`] one with settings.
#[derive(Clone)]
pub struct ApiServer {
    shared: Arc<Shared>,
}

impl fmt::Debug for ApiServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let revision = self.shared.lock().core.store.revision();
        f.debug_struct("ApiServer").field("revision", &revision).finish_non_exhaustive()
    }
}

impl Default for ApiServer {
    fn default() -> Self {
        Self::new()
    }
}

impl ApiServer {
    /// Creates a server that stores only the namespaces `default`, `kube-node-lease`, `kube-public` and `kube-system`.
    #[must_use]
    pub fn new() -> Self {
        Self::builder().start()
    }

    /// Returns the settings of a new server, and the objects that it starts with.
    pub fn builder() -> ApiServerBuilder {
        let begin = (SystemTime::now(), tokio::time::Instant::now());
        let mut core = Core::new(Store::new(DEFAULT_HISTORY), Clock(begin.0), Ids::new(0));
        namespaces::make_namespaces(&mut core);
        let source = TimeSource(Arc::new(move || begin.0 + begin.1.elapsed()));
        ApiServerBuilder(Self { shared: Arc::new(Shared::new(core, source)) })
    }

    /// Runs the controllers until they have nothing to do; see [`ApiServerBuilder::with_manual_controllers`].
    ///
    /// ```
    /// use crd_apiserver::ApiServer;
    /// use k8s_openapi::api::core::v1::ConfigMap;
    /// use kube::api::{Api, DeleteParams};
    /// use serde_json::json;
    ///
    /// # tokio_test(async {
    /// let owner = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "owner", "uid": "1"}});
    /// let owned = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {
    ///     "name": "owned",
    ///     "ownerReferences": [{"apiVersion": "v1", "kind": "ConfigMap", "name": "owner", "uid": "1"}],
    /// }});
    /// let server = ApiServer::builder().with_manual_controllers().with_stored(&owner).with_stored(&owned).start();
    /// let api = Api::<ConfigMap>::namespaced(server.client(), "default");
    /// api.delete("owner", &DeleteParams::default()).await.unwrap();
    /// assert!(server.get::<ConfigMap>("default", "owned").is_ok());
    /// server.run_controllers().await;
    /// assert!(server.get::<ConfigMap>("default", "owned").is_err());
    /// # });
    /// # fn tokio_test(test: impl Future<Output = ()>) {
    /// #     tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
    /// # }
    /// ```
    pub async fn run_controllers(&self) {
        self.shared.run_on_demand().await;
    }

    /// Drops the history of changes: a watch or a list at an earlier resource version gets status 410. A watch that has
    /// sent all changes continues.
    pub fn compact(&self) {
        self.shared.lock().core.store.compact(u64::MAX);
    }

    /// Creates the default roles if authorization is enabled.
    pub(crate) fn make_roles(&self) {
        if self.shared.lock().core.authorizes {
            self.create_all(&authorization::default_objects());
        }
    }

    /// Creates objects. Those that already exist are left unchanged.
    pub(crate) fn create_all(&self, objects: &[Value]) {
        for object in objects {
            let _ = self.create(object);
        }
    }

    /// Returns a client with all permissions, also if [`ApiServerBuilder::authorize`] is used. Its default namespace is
    /// `default`. The method must be called within a tokio runtime, as for any client of kube.
    #[must_use]
    pub fn client(&self) -> Client {
        self.client_with(Caller::default())
    }

    /// Returns a client with a name, by which faults and transcripts distinguish it from others. The name is the
    /// `User-Agent` of its requests, and so the field manager of writes that name none.
    ///
    /// If the name contains characters that are not allowed in a header, the client has no name.
    #[must_use]
    pub fn client_of(&self, name: &str) -> Client {
        self.client_with(Caller::of(name))
    }

    /// Returns a client that acts as a user: `server.client_as("jane")`, or as a service account:
    /// `server.client_as("system:serviceaccount:prod:operator")`. The method must be called within a tokio runtime.
    #[must_use]
    pub fn client_as(&self, user: impl Into<User>) -> Client {
        self.client_with(Caller { user: Some(Arc::new(user.into())), ..Caller::default() })
    }

    fn client_with(&self, caller: Caller) -> Client {
        Client::new(ApiService { shared: Arc::clone(&self.shared), caller }, "default")
    }

    /// Applies a fault to matching requests until the fault is [removed](Injected::remove). If several faults match a
    /// request, the one that was injected first applies. See [`faults`].
    pub fn inject(&self, requests: Requests, fault: Fault) -> Injected {
        self.shared.faults.add(requests, fault)
    }

    /// Records the requests of all clients, and the events that are sent to them, until the recording is dropped.
    pub fn record(&self) -> Recording {
        let log = Arc::default();
        self.shared.logs.add(&log);
        Recording(log)
    }

    /// Returns a copy of all stored objects.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::of(&self.shared.lock().core.store)
    }
}

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
