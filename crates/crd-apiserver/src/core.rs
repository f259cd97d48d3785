//! What requests read and write: the store, the kinds that are served, and the time and ids of the current try.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::catalog::Catalog;
use super::derived::Derived;
use super::failure::Answer;
use super::kind::ServedKind;
use super::policy::Policy;
use super::published::Published;
use super::size;
use super::source::{Clock, Ids};
use super::store::{Content, Store, set_revision};
use super::webhooks::{AdmissionWebhook, WebhookCalls};
use crate::model::CustomResourceDefinition;

/// What requests read and write. They change only the store; the rest follows from it, by the controllers, or is set by
/// the test.
#[derive(Debug)]
pub(super) struct Core {
    pub(super) store: Store,
    pub(super) catalog: Catalog,
    /// The `OpenAPI` documents of definitions.
    pub(super) published: Published,
    pub(super) clock: Clock,
    pub(super) ids: Ids,
    /// Whether requests of users are authorized by roles (RBAC).
    pub(super) authorizes: bool,
    /// The webhook calls that a request waits for.
    pub(super) webhook_calls: WebhookCalls,
    /// The aggregated APIs of the test, by group and version: the lists of their resources, as far as they have answered.
    pub(super) own_apis: BTreeMap<(String, String), Option<Vec<Value>>>,
    /// The models of the stored definitions.
    pub(super) definitions: Derived<CustomResourceDefinition>,
    /// The compiled admission policies.
    pub(super) policies: Derived<Policy>,
    /// The bindings of admission policies.
    pub(super) bindings: Derived<Value>,
    /// The webhooks of each configuration.
    pub(super) webhooks: Derived<Vec<Arc<AdmissionWebhook>>>,
}

impl Core {
    pub(super) fn new(store: Store, clock: Clock, ids: Ids) -> Self {
        Self {
            store,
            catalog: Catalog::default(),
            published: Published::default(),
            clock,
            ids,
            authorizes: false,
            webhook_calls: WebhookCalls::default(),
            own_apis: BTreeMap::new(),
            definitions: Derived::default(),
            policies: Derived::default(),
            bindings: Derived::default(),
            webhooks: Derived::default(),
        }
    }

    /// Drops what has been computed from an object that is no longer stored.
    pub(super) fn forget(&self, resource: &str, key: &str) {
        self.definitions.remove(resource, key);
        self.policies.remove(resource, key);
        self.bindings.remove(resource, key);
        self.webhooks.remove(resource, key);
    }
}

/// Stores an object that a request has made, and returns it in the version of the request.
///
/// # Errors
/// Returns an error and stores nothing if webhooks have yet to be called. Also returns an error if the object cannot be
/// converted to the version of the request, after it has been stored.
pub(super) fn commit(
    core: &mut Core,
    kind: &ServedKind,
    key: &str,
    object: Value,
) -> Answer<Content> {
    let prepared = Prepared::new(kind, object)?;
    core.webhook_calls.check()?;
    prepared.store(core, kind, key)
}

/// An object that a request has made, with everything for which a webhook may have to be called before it is stored.
#[derive(Debug)]
pub(super) struct Prepared {
    object: Value,
    /// The object as it will be read in the version of the request, if that differs.
    read: Answer<Option<Value>>,
}

impl Prepared {
    /// # Errors
    /// Returns an error if the object is too large. A webhook may have yet to be called, also if there is no error.
    pub(super) fn new(kind: &ServedKind, object: Value) -> Answer<Self> {
        let object = size::limited(kind, object)?;
        let read = kind.read_back(&object);
        Ok(Self { object, read })
    }

    /// Stores the object, and returns it in the version of the request. All webhooks must have been called.
    ///
    /// # Errors
    /// Returns an error if the object cannot be converted to the version of the request, after it has been stored.
    pub(super) fn store(self, core: &mut Core, kind: &ServedKind, key: &str) -> Answer<Content> {
        let Self { object, read } = self;
        let read_in = if matches!(read, Ok(None)) { kind.id } else { 0 };
        let stored = core.store.put(&kind.storage, key, object, read_in);
        // Upstream: the object is decoded after it has been stored, so a failure leaves it in the store.
        Ok(match read? {
            None => Content::Stored(stored),
            Some(mut read) => {
                set_revision(&mut read, stored.revision);
                read.into()
            }
        })
    }
}
