//! The store: the current objects, a counter of resource versions, and the history of changes.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use serde_json::Value;

use super::{metadata, ordered_json};
use crate::json;

/// The maximum number of changes in the history of a server, from which watches and lists at earlier resource versions
/// are served.
pub(super) const DEFAULT_HISTORY: usize = 10_000;
/// The maximum size of the objects in the history, in bytes of their JSON.
const MAX_HISTORY_BYTES: usize = 256 * 1024 * 1024;

/// A stored object.
#[derive(Debug)]
pub(super) struct StoredObject {
    /// The object in the storage version, including its resource version, as JSON.
    ///
    /// PERF: a tree of the object takes eight times as many bytes. Most objects are written once, and answers and
    /// events consist of this text.
    json: Box<str>,
    is_deleting: bool,
    /// The uids of its owners.
    owners: Box<[Box<str>]>,
    pub(super) revision: u64,
    /// Whether it is as it was created: no write has changed it.
    pub(super) is_new: bool,
    /// The [id](super::kind::ServedKind::id) of the kind that reads the object as it is stored; 0 if no kind is known to
    /// do so.
    pub(super) reads_as_stored_in: u64,
}

impl StoredObject {
    fn new(object: &Value, revision: u64, is_new: bool, reads_as_stored_in: u64) -> Self {
        Self {
            json: ordered_json::to_string(object).into_boxed_str(),
            is_deleting: metadata::is_deleting(object),
            owners: uids_of_owners(object),
            revision,
            is_new,
            reads_as_stored_in,
        }
    }

    /// Returns the object in the storage version, including its resource version.
    pub(super) fn object(&self) -> Value {
        json::decode_own(&self.json)
    }

    /// Returns the JSON text of the object in the storage version.
    pub(super) fn json(&self) -> &str {
        &self.json
    }

    pub(super) fn is_deleting(&self) -> bool {
        self.is_deleting
    }

    pub(super) fn has_owners(&self) -> bool {
        !self.owners.is_empty()
    }

    /// Returns the uids of the owners of the object.
    pub(super) fn owners(&self) -> impl Iterator<Item = &str> {
        self.owners.iter().map(|uid| &**uid)
    }
}

fn uids_of_owners(object: &Value) -> Box<[Box<str>]> {
    let owners =
        metadata::of(object).and_then(|metadata| metadata.get("ownerReferences")?.as_array());
    let uid = |owner: &Value| owner.get("uid").and_then(Value::as_str).unwrap_or_default().into();
    owners.into_iter().flatten().map(uid).collect()
}

/// The object or list in a response, in the version of the request.
#[derive(Debug)]
pub(super) enum Content {
    Value(Value),
    /// An object that is returned as it is stored.
    Stored(Arc<StoredObject>),
}

impl Content {
    pub(super) fn into_value(self) -> Value {
        match self {
            Self::Value(value) => value,
            Self::Stored(stored) => stored.object(),
        }
    }
}

impl From<Value> for Content {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

/// A change of one object.
#[derive(Debug, Clone)]
pub(super) struct StoreEvent {
    pub(super) revision: u64,
    /// The resource in the store, such as `example.com/widgets`.
    pub(super) resource: Arc<str>,
    pub(super) key: Arc<str>,
    /// The object before the change; `None` if it has been created.
    pub(super) before: Option<Arc<StoredObject>>,
    /// The object after the change; `None` if it has been removed.
    pub(super) after: Option<Arc<StoredObject>>,
}

impl StoreEvent {
    /// Returns the size of the object that the event replaces or removes, which only the history keeps.
    fn bytes(&self) -> usize {
        self.before.as_ref().map_or(0, |before| before.json.len())
    }
}

/// All objects of a resource, by `namespace/name`, or by name for cluster-scoped resources.
pub(super) type Objects = BTreeMap<Arc<str>, Arc<StoredObject>>;

/// The reason why a revision cannot be read: it has been compacted, or has not been reached yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RevisionError {
    Compacted,
    Future,
}

/// A resource, and the key of an object in it.
type ResourceKey = (Arc<str>, Arc<str>);

/// The store of all objects.
#[derive(Debug)]
pub(super) struct Store {
    revision: u64,
    /// The last revision whose change is no longer in the history.
    compacted: u64,
    /// The number of objects that are being deleted.
    deleting: usize,
    resources: BTreeMap<Arc<str>, Objects>,
    /// The resources and keys of the objects that refer to an owner, by the uid of the owner.
    dependents: BTreeMap<Box<str>, BTreeSet<ResourceKey>>,
    history: VecDeque<StoreEvent>,
    /// The changes that the controllers have not seen yet.
    unseen: Vec<StoreEvent>,
    /// The size of the objects in the history.
    history_bytes: usize,
    /// The maximum of that size.
    max_history_bytes: usize,
    /// The maximum number of changes in the history.
    capacity: usize,
}

impl Store {
    pub(super) fn new(capacity: usize) -> Self {
        Self {
            revision: 1,
            compacted: 1,
            deleting: 0,
            resources: BTreeMap::new(),
            dependents: BTreeMap::new(),
            history: VecDeque::new(),
            unseen: Vec::new(),
            history_bytes: 0,
            max_history_bytes: MAX_HISTORY_BYTES,
            capacity,
        }
    }

    /// Returns the revision of the newest change.
    pub(super) fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns the revision up to which the history has been dropped.
    pub(super) fn compacted(&self) -> u64 {
        self.compacted
    }

    /// Returns the number of objects that are being deleted.
    pub(super) fn deleting(&self) -> usize {
        self.deleting
    }

    pub(super) fn get(&self, resource: &str, key: &str) -> Option<&Arc<StoredObject>> {
        self.resources.get(resource)?.get(key)
    }

    /// Returns the resources and keys of the objects that refer to an owner with this uid.
    pub(super) fn dependents_of(&self, uid: &str) -> Vec<(Arc<str>, Arc<str>)> {
        self.dependents.get(uid).into_iter().flatten().cloned().collect()
    }

    /// Returns all objects of a resource whose keys begin with `prefix`, in the order of their keys.
    pub(super) fn list<'a>(
        &'a self,
        resource: &str,
        prefix: &'a str,
    ) -> impl Iterator<Item = (&'a Arc<str>, &'a Arc<StoredObject>)> {
        let objects = self.resources.get(resource).into_iter();
        objects.flat_map(move |objects| {
            objects
                .range::<str, _>((std::ops::Bound::Included(prefix), std::ops::Bound::Unbounded))
                .take_while(move |(key, _)| key.starts_with(prefix))
        })
    }

    /// Returns the resources with their objects.
    pub(super) fn resources(&self) -> impl Iterator<Item = (&Arc<str>, &Objects)> {
        self.resources.iter()
    }

    /// Returns the objects of a resource at a revision.
    ///
    /// # Errors
    /// Returns an error if the revision is compacted or in the future.
    pub(super) fn objects_at(
        &self,
        resource: &str,
        revision: u64,
    ) -> Result<Objects, RevisionError> {
        if revision > self.revision {
            return Err(RevisionError::Future);
        }
        if revision < self.compacted {
            return Err(RevisionError::Compacted);
        }
        let mut objects = self.resources.get(resource).cloned().unwrap_or_default();
        for event in self.history.iter().rev().take_while(|event| event.revision > revision) {
            if &*event.resource == resource {
                match &event.before {
                    Some(before) => objects.insert(Arc::clone(&event.key), Arc::clone(before)),
                    None => objects.remove(&event.key),
                };
            }
        }
        Ok(objects)
    }

    /// Stores an object under a key, and sets its resource version.
    pub(super) fn put(
        &mut self,
        resource: &str,
        key: &str,
        mut object: Value,
        reads_as_stored_in: u64,
    ) -> Arc<StoredObject> {
        self.revision += 1;
        set_revision(&mut object, self.revision);
        let resource = self.shared_name(resource);
        let objects = self.resources.entry(Arc::clone(&resource)).or_default();
        let is_new = !objects.contains_key(key);
        let stored = StoredObject::new(&object, self.revision, is_new, reads_as_stored_in);
        let stored = Arc::new(stored);
        let key = objects.get_key_value(key).map_or_else(|| key.into(), |(key, _)| Arc::clone(key));
        let before = objects.insert(Arc::clone(&key), Arc::clone(&stored));
        self.deleting += usize::from(stored.is_deleting());
        self.deleting -= usize::from(before.as_ref().is_some_and(|before| before.is_deleting()));
        self.index(&resource, &key, before.as_deref(), Some(&stored));
        self.record(StoreEvent {
            revision: self.revision,
            resource,
            key,
            before,
            after: Some(Arc::clone(&stored)),
        });
        stored
    }

    /// Removes an object, and returns it; `None` if there is no such object.
    pub(super) fn remove(&mut self, resource: &str, key: &str) -> Option<Arc<StoredObject>> {
        let resource = self.shared_name(resource);
        let (key, before) = self.resources.get_mut(&resource)?.remove_entry(key)?;
        self.revision += 1;
        self.deleting -= usize::from(before.is_deleting());
        self.index(&resource, &key, Some(&before), None);
        self.record(StoreEvent {
            revision: self.revision,
            resource,
            key,
            before: Some(Arc::clone(&before)),
            after: None,
        });
        Some(before)
    }

    /// Returns the changes after a revision.
    ///
    /// # Errors
    /// Returns an error if some of them are no longer in the history.
    pub(super) fn changes_since(
        &self,
        revision: u64,
    ) -> Result<impl Iterator<Item = &StoreEvent>, RevisionError> {
        if revision < self.compacted {
            return Err(RevisionError::Compacted);
        }
        let start = self.history.partition_point(|event| event.revision <= revision);
        Ok(self.history.range(start..))
    }

    /// Returns the changes since the last call, for the controllers. Unlike the history, they are all kept until then.
    pub(super) fn take_unseen(&mut self) -> Vec<StoreEvent> {
        std::mem::take(&mut self.unseen)
    }

    /// Drops the changes up to and including a revision from the history.
    pub(super) fn compact(&mut self, revision: u64) {
        let revision = revision.min(self.revision);
        self.compacted = self.compacted.max(revision);
        let end = self.history.partition_point(|event| event.revision <= revision);
        let dropped: usize = self.history.drain(..end).map(|event| event.bytes()).sum();
        self.history_bytes -= dropped;
    }

    /// Drops all objects and their history, and increases the resource version by `bump`.
    pub(super) fn forget(&mut self, bump: u64) {
        self.revision = self.revision.saturating_add(bump);
        self.compacted = self.revision;
        self.deleting = 0;
        self.resources.clear();
        self.dependents.clear();
        self.history.clear();
        self.unseen.clear();
        self.history_bytes = 0;
    }

    /// Updates the index of dependents after a change of an object.
    fn index(
        &mut self,
        resource: &Arc<str>,
        key: &Arc<str>,
        before: Option<&StoredObject>,
        after: Option<&StoredObject>,
    ) {
        let object = (Arc::clone(resource), Arc::clone(key));
        for uid in before.into_iter().flat_map(StoredObject::owners) {
            if let Some(dependents) = self.dependents.get_mut(uid) {
                dependents.remove(&object);
                if dependents.is_empty() {
                    self.dependents.remove(uid);
                }
            }
        }
        for uid in after.into_iter().flat_map(StoredObject::owners) {
            self.dependents.entry(uid.into()).or_default().insert(object.clone());
        }
    }

    fn record(&mut self, event: StoreEvent) {
        self.unseen.push(event.clone());
        self.history_bytes += event.bytes();
        self.history.push_back(event);
        while self.history.len() > self.capacity || self.history_bytes > self.max_history_bytes {
            let Some(event) = self.history.pop_front() else { break };
            self.history_bytes -= event.bytes();
            self.compacted = event.revision;
        }
    }

    /// Returns the name of a resource: the allocation that the store already has for it, so that its changes share it,
    /// or a new one.
    fn shared_name(&self, resource: &str) -> Arc<str> {
        let known = self.resources.get_key_value(resource);
        known.map_or_else(|| resource.into(), |(resource, _)| Arc::clone(resource))
    }
}

/// Sets the resource version of an object.
pub(super) fn set_revision(object: &mut Value, revision: u64) {
    if let Some(Value::Object(metadata)) = object.get_mut("metadata") {
        metadata.insert("resourceVersion".to_owned(), revision.to_string().into());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn named(name: &str, n: u64) -> Value {
        json!({"metadata": {"name": name}, "n": n})
    }

    fn state(objects: &Objects) -> Vec<(String, u64)> {
        let n = |stored: &Arc<StoredObject>| stored.object()["n"].as_u64().unwrap_or_default();
        objects.iter().map(|(key, stored)| (key.to_string(), n(stored))).collect()
    }

    #[test]
    fn earlier_states_are_restored() {
        let mut store = Store::new(100);
        let mut states = vec![(store.revision(), Vec::new())];
        let mut record = |store: &Store| {
            let now = store.objects_at("things", store.revision()).expect("now");
            states.push((store.revision(), state(&now)));
        };
        store.put("things", "a", named("a", 1), 0);
        record(&store);
        store.put("others", "a", named("a", 9), 0);
        record(&store);
        store.put("things", "b", named("b", 2), 0);
        record(&store);
        store.put("things", "a", named("a", 3), 0);
        record(&store);
        let gone = store.remove("things", "a").expect("there");
        assert_eq!(gone.object()["n"], 3);
        record(&store);
        for (revision, want) in states {
            let found = store.objects_at("things", revision).expect("known");
            assert_eq!(state(&found), want, "at {revision}");
        }
        assert_eq!(store.objects_at("things", 100).unwrap_err(), RevisionError::Future);
        store.compact(4);
        assert_eq!(store.objects_at("things", 3).unwrap_err(), RevisionError::Compacted);
        assert!(store.objects_at("things", 4).is_ok());
        assert!(store.changes_since(3).is_err());
        assert_eq!(store.changes_since(4).expect("kept").count(), 2);
    }

    #[test]
    fn dependents_are_found_by_the_uids_of_their_owners() {
        let mut store = Store::new(10);
        let owned = |owners: &[&str]| {
            let owners: Vec<Value> = owners.iter().map(|uid| json!({"uid": uid})).collect();
            json!({"metadata": {"name": "x", "ownerReferences": owners}})
        };
        let keys = |store: &Store, uid| -> Vec<String> {
            store.dependents_of(uid).into_iter().map(|(_, key)| key.to_string()).collect()
        };
        store.put("things", "a", owned(&["1", "2"]), 0);
        store.put("things", "b", owned(&["1"]), 0);
        assert_eq!(
            (keys(&store, "1"), keys(&store, "2")),
            (vec!["a".into(), "b".into()], vec!["a".into()])
        );
        store.put("things", "a", owned(&["2"]), 0);
        store.remove("things", "b");
        assert_eq!((keys(&store, "1"), keys(&store, "2")), (vec![], vec!["a".into()]));
        store.forget(0);
        assert_eq!(keys(&store, "2"), [""; 0]);
    }

    #[test]
    fn old_changes_leave_the_history() {
        let mut store = Store::new(2);
        for n in 0..5 {
            store.put("things", "a", named("a", n), 0);
        }
        assert_eq!((store.revision(), store.compacted()), (6, 4));
        assert_eq!(store.changes_since(4).expect("kept").count(), 2);
    }

    #[test]
    fn the_history_is_limited_in_bytes() {
        let mut store = Store::new(100);
        store.max_history_bytes = 1_000;
        for n in 0..10 {
            store.put("things", "a", json!({"metadata": {}, "n": n, "d": "x".repeat(300)}), 0);
        }
        assert_eq!(store.changes_since(store.compacted()).expect("kept").count(), 2);
        store.compact(store.revision());
        assert_eq!(store.history_bytes, 0);
    }

    #[test]
    fn keys_are_in_byte_order() {
        let mut store = Store::new(10);
        for key in ["a/x", "a-b/x", "b/x", "a/y"] {
            store.put("things", key, named("x", 0), 0);
        }
        let keys = |prefix| {
            store.list("things", prefix).map(|(key, _)| key.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(keys(""), ["a-b/x", "a/x", "a/y", "b/x"]);
        assert_eq!(keys("a/"), ["a/x", "a/y"]);
    }
}
