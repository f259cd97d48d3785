//! The state of a server, and the changes of its objects.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::Value;
use tokio::time::Instant;

use super::catalog::Catalog;
use super::failure::Answer;
use super::kind::ServedKind;
use super::policy::PolicyCache;
use super::published::Published;
use super::source::{Clock, Ids};
use super::store::{Content, Store, StoredObject, set_revision};
use super::webhooks::WebhookCalls;
use super::work::{ObjectKey, Work, WorkQueue};
use super::{metadata, size};
use crate::convert::Converter;
use crate::model::CustomResourceDefinition;

/// The state of a server.
#[derive(Debug)]
pub(super) struct Core {
    pub(super) store: Store,
    pub(super) catalog: Catalog,
    /// The `OpenAPI` documents of definitions.
    pub(super) published: Published,
    pub(super) clock: Clock,
    pub(super) ids: Ids,
    /// The version of Kubernetes that the server imitates.
    pub(super) kubernetes: KubernetesVersion,
    /// The converters that run in the process, keyed by group and kind.
    pub(super) converters: BTreeMap<(String, String), Arc<Converter>>,
    /// Whether garbage is collected, namespaces are emptied and cluster roles are aggregated.
    pub(super) runs_controllers: bool,
    /// Whether the statuses of all workloads report success (`ApiServer::with_workloads`).
    pub(super) simulates_workloads: bool,
    /// The work that controllers owe.
    pub(super) queue: WorkQueue,
    /// The time at which a task continues that work; `None` if there is no such task.
    pub(super) alarm: Option<Instant>,
    /// The objects that wait for the removal of their dependents, by their uids.
    pub(super) foreground: BTreeMap<String, ObjectKey>,
    /// The uids of removed owners whose dependents may remain.
    pub(super) absent_owners: VecDeque<Box<str>>,
    /// The models of the stored definitions, each with the revision of its definition.
    ///
    /// PERF: a definition is decoded once for each revision. Each new one is compared with all others of its group.
    pub(super) definitions: BTreeMap<Arc<str>, (u64, Arc<CustomResourceDefinition>)>,
    /// The values of the annotation `api-approved.kubernetes.io` from which the conditions of definitions have been
    /// computed, keyed by the names of the definitions.
    pub(super) approvals: BTreeMap<String, String>,
    /// Whether requests of users are authorized by roles (RBAC).
    pub(super) authorizes: bool,
    /// The webhook calls that a request waits for.
    pub(super) webhook_calls: WebhookCalls,
    /// The kinds that the test has added without storing their definitions.
    pub(super) own_kinds: Vec<CustomResourceDefinition>,
    /// The groups and versions of the aggregated APIs.
    pub(super) own_apis: Vec<(String, String)>,
    /// The admission policies that have been compiled.
    pub(super) policies: PolicyCache,
}

impl Core {
    /// Returns the state of a server without any object.
    pub(super) fn new(store: Store, clock: Clock, ids: Ids) -> Self {
        Self {
            store,
            catalog: Catalog::default(),
            published: Published::default(),
            clock,
            ids,
            kubernetes: KubernetesVersion::REFERENCE,
            converters: BTreeMap::new(),
            runs_controllers: true,
            simulates_workloads: false,
            queue: WorkQueue::default(),
            alarm: None,
            foreground: BTreeMap::new(),
            absent_owners: VecDeque::new(),
            definitions: BTreeMap::new(),
            approvals: BTreeMap::new(),
            authorizes: false,
            webhook_calls: WebhookCalls::default(),
            own_kinds: Vec::new(),
            own_apis: Vec::new(),
            policies: PolicyCache::default(),
        }
    }

    /// Stores an object, and records which controllers have to process it. The kind with the id `reads_as_stored_in`
    /// reads the object as it is stored.
    pub(super) fn put(
        &mut self,
        resource: &str,
        key: &str,
        object: Value,
        reads_as_stored_in: u64,
    ) -> Arc<StoredObject> {
        let before = self.store.get(resource, key).cloned();
        if metadata::is_deleting(&object) {
            let uid = metadata::text(&object, "uid").to_owned();
            if metadata::waits_for_dependents(&object) {
                self.foreground.insert(uid, (resource.into(), key.into()));
            } else {
                self.foreground.remove(&uid);
            }
        }
        let stored = self.store.put(resource, key, object, reads_as_stored_in);
        self.owe((resource, key), before.as_deref(), Some(&stored));
        stored
    }

    /// Stores an object that a request has made, and returns it in the version of the request.
    ///
    /// # Errors
    /// Returns an error and stores nothing if webhooks have yet to be called. Also returns an error if the object cannot
    /// be converted to the version of the request, after it has been stored.
    pub(super) fn commit(
        &mut self,
        kind: &ServedKind,
        key: &str,
        object: Value,
    ) -> Answer<Content> {
        let object = size::limited(kind, object)?;
        let answer = kind.read_back(&object);
        self.webhook_calls.check()?;
        let read_in = if matches!(answer, Ok(None)) { kind.id } else { 0 };
        let stored = self.put(&kind.storage, key, object, read_in);
        // Upstream: the object is decoded after it has been stored, so a failure leaves it in the store.
        Ok(match answer? {
            None => Content::Stored(stored),
            Some(mut answer) => {
                set_revision(&mut answer, stored.revision);
                answer.into()
            }
        })
    }

    /// Removes an object, and records which controllers have to process the removal.
    pub(super) fn remove(&mut self, resource: &str, key: &str) -> Option<Arc<StoredObject>> {
        let gone = self.store.remove(resource, key)?;
        // A definition that is being deleted waits for the removal of its last object.
        let (group, plural) = resource.split_once('/').unwrap_or_default();
        if self.catalog.is_terminating(group, plural) {
            self.queue.add(Work::Definition(format!("{plural}.{group}").into()));
        }
        self.owe((resource, key), Some(&gone), None);
        self.owe_removal(metadata::text(&gone.object(), "uid"));
        Some(gone)
    }
}
