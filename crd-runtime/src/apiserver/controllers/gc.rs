//! Garbage collection of objects whose owners have been deleted.
//!
//! Source: `pkg/controller/garbagecollector` of kubernetes/kubernetes.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use super::super::core::Core;
use super::super::delete::{FOREGROUND, ORPHAN};
use super::super::metadata;
use super::super::query::{DeleteOptions, Propagation};
use super::super::store::StoredObject;

/// The resource and key under which an object is stored.
type ObjectKey = (Arc<str>, Arc<str>);

/// The error for a reference to an owner that cannot be looked up.
struct Unresolvable;

impl Core {
    /// Processes objects that may have lost their owners or wait for their dependents; returns whether anything has
    /// changed.
    pub(in super::super) fn collect_garbage(&mut self) -> bool {
        let before = self.store.revision();
        let removed_uids = std::mem::take(&mut self.removed_uids);
        let mut keys: BTreeSet<ObjectKey> =
            std::mem::take(&mut self.dependents).into_iter().collect();
        for uid in &removed_uids {
            keys.extend(self.dependents_of(uid));
        }
        // An object that waits for its dependents may have lost the last of them.
        if !(removed_uids.is_empty() && keys.is_empty()) {
            keys.extend(self.waiting());
        }
        for key in keys {
            self.process_finalizers(&key);
            self.attempt_to_delete(&key);
        }
        self.store.revision() != before
    }

    /// Returns the objects that refer to an owner with this uid.
    fn dependents_of(&self, uid: &str) -> Vec<ObjectKey> {
        let is_owner = |owner: &Value| owner.get("uid").and_then(Value::as_str) == Some(uid);
        self.keys_of_objects(|stored| {
            stored.has_owners() && owners(&stored.object()).iter().any(is_owner)
        })
    }

    /// Returns the objects in foreground deletion, which wait for their dependents.
    fn waiting(&self) -> Vec<ObjectKey> {
        // PERF: most requests are made while nothing is being deleted.
        if self.store.deleting() == 0 {
            return Vec::new();
        }
        self.keys_of_objects(|stored| stored.is_deleting() && is_in_foreground(&stored.object()))
    }

    fn keys_of_objects(&self, matches: impl Fn(&StoredObject) -> bool) -> Vec<ObjectKey> {
        let keys = self.store.resources().flat_map(|(resource, objects)| {
            let found = objects.iter().filter(|(_, stored)| matches(stored));
            found.map(|(key, _)| (Arc::clone(resource), Arc::clone(key)))
        });
        keys.collect()
    }

    fn object(&self, key: &ObjectKey) -> Option<Value> {
        Some(self.store.get(&key.0, &key.1)?.object())
    }

    /// Orphans or deletes the dependents of an object that is being deleted, if one of its finalizers asks for that,
    /// and then removes the finalizer. Source: `processDeletingDependentsItem` and `orphanDependents`.
    fn process_finalizers(&mut self, key: &ObjectKey) {
        let Some(object) = self.object(key).filter(metadata::is_deleting) else { return };
        let uid = metadata::text(&object, "uid").to_owned();
        let finalizers = metadata::finalizers(&object);
        if finalizers.iter().any(|it| it == ORPHAN) {
            for dependent in self.dependents_of(&uid) {
                self.remove_owner_references(&dependent, &|owner| {
                    owner.get("uid").and_then(Value::as_str) == Some(&uid)
                });
            }
            self.drop_finalizer(key, ORPHAN);
        } else if finalizers.iter().any(|it| it == FOREGROUND) {
            let mut is_blocked = false;
            for dependent in self.dependents_of(&uid) {
                self.attempt_to_delete(&dependent);
                // The dependent may have been removed, or no longer refer to the object.
                let object = self.object(&dependent);
                let mut owners = object.iter().flat_map(owners);
                is_blocked |= owners.any(|owner| {
                    owner.get("uid").and_then(Value::as_str) == Some(&uid) && is_blocking(&owner)
                });
            }
            if !is_blocked {
                self.drop_finalizer(key, FOREGROUND);
            }
        }
    }

    /// Deletes an object if each of its owners is missing or in foreground deletion. Otherwise, removes the references
    /// to such owners. Source: `attemptToDeleteItem`.
    fn attempt_to_delete(&mut self, key: &ObjectKey) {
        let Some(object) = self.object(key) else { return };
        let owners = owners(&object);
        if owners.is_empty() || metadata::is_deleting(&object) {
            return;
        }
        let namespace = metadata::text(&object, "namespace");
        let (mut solid, mut waiting, mut dangling) = (0, Vec::new(), Vec::new());
        for owner in &owners {
            match self.owner(owner, namespace) {
                // Upstream leaves the object unchanged and processes it again later.
                Err(Unresolvable) => return,
                Ok(None) => dangling.push(owner),
                Ok(Some(there)) if is_in_foreground(&there) => waiting.push(owner),
                Ok(Some(_)) => solid += 1,
            }
        }
        if solid > 0 {
            // An owner in foreground deletion would wait forever for an object that remains.
            if !(dangling.is_empty() && waiting.is_empty()) {
                self.remove_owner_references(key, &|owner| {
                    dangling.contains(&owner) || waiting.contains(&owner)
                });
            }
            return;
        }
        // An object with dependents joins the foreground deletion of an owner; otherwise its own finalizers decide.
        let dependents = self.dependents_of(metadata::text(&object, "uid"));
        let propagation = if !waiting.is_empty() && !dependents.is_empty() {
            // Owners and dependents in a circle would wait for each other.
            let mut dependents = dependents.iter().filter_map(|dependent| self.object(dependent));
            if dependents.any(|dependent| is_in_foreground(&dependent)) {
                self.unblock(key);
            }
            Some(Propagation::Foreground)
        } else {
            match metadata::finalizers(&object)
                .iter()
                .map(String::as_str)
                .find(|it| [ORPHAN, FOREGROUND].contains(it))
            {
                Some(ORPHAN) => Some(Propagation::Orphan),
                Some(_) => Some(Propagation::Foreground),
                None => Some(Propagation::Background),
            }
        };
        let options = DeleteOptions { propagation, ..DeleteOptions::default() };
        self.delete_stored(&key.0, &key.1, &options, Some("generic-garbage-collector"));
    }

    /// Returns the owner that a reference names, if it exists and has the uid of the reference. `namespace` is that of
    /// the dependent. Source: `isDangling`.
    ///
    /// # Errors
    /// Returns an error if the kind of the owner is unknown, or is namespaced and the dependent is not.
    fn owner(&self, owner: &Value, namespace: &str) -> Result<Option<Value>, Unresolvable> {
        let text = |key: &str| owner.get(key).and_then(Value::as_str).unwrap_or_default();
        let kind = self.catalog.find_kind(text("apiVersion"), text("kind")).ok_or(Unresolvable)?;
        if kind.namespaced && namespace.is_empty() {
            return Err(Unresolvable);
        }
        let stored = self.store.get(&kind.storage, &kind.key(namespace, text("name")));
        let object = stored.map(|stored| stored.object());
        Ok(object.filter(|object| metadata::text(object, "uid") == text("uid")))
    }

    /// Removes the owner references of an object for which `is_removed` is true.
    fn remove_owner_references(&mut self, key: &ObjectKey, is_removed: &dyn Fn(&Value) -> bool) {
        self.change_owners(key, &|owners| owners.retain(|owner| !is_removed(owner)));
    }

    /// Makes the owner references of an object non-blocking. Source: `unblockOwnerReferencesStrategicMergePatch`.
    fn unblock(&mut self, key: &ObjectKey) {
        self.change_owners(key, &|owners| {
            for owner in owners.iter_mut().filter(|owner| is_blocking(owner)) {
                owner["blockOwnerDeletion"] = false.into();
            }
        });
    }

    /// Stores an object with changed owner references. Nothing is stored if `change` changes none.
    fn change_owners(&mut self, key: &ObjectKey, change: &dyn Fn(&mut Vec<Value>)) {
        let Some(mut object) = self.object(key) else { return };
        let before = owners(&object);
        let mut owners = before.clone();
        change(&mut owners);
        if owners == before {
            return;
        }
        let metadata = metadata::of_mut(&mut object);
        if owners.is_empty() {
            metadata.remove("ownerReferences");
        } else {
            metadata.insert("ownerReferences".to_owned(), owners.into());
        }
        self.put_metadata(key, object);
    }

    /// Stores an object of which only metadata has changed, which reading leaves alone.
    fn put_metadata(&mut self, key: &ObjectKey, object: Value) {
        let read_in = self.store.get(&key.0, &key.1).map_or(0, |stored| stored.reads_as_stored_in);
        self.put(&key.0, &key.1, object, read_in);
    }

    /// Removes a finalizer from an object that is being deleted. The object is removed with its last finalizer.
    fn drop_finalizer(&mut self, key: &ObjectKey, finalizer: &str) {
        let Some(mut object) = self.object(key) else { return };
        let kept: Vec<String> =
            metadata::finalizers(&object).into_iter().filter(|it| it != finalizer).collect();
        if kept.is_empty() {
            self.remove(&key.0, &key.1);
            return;
        }
        metadata::set_finalizers(&mut object, kept);
        self.put_metadata(key, object);
    }
}

fn owners(object: &Value) -> Vec<Value> {
    let list =
        metadata::of(object).and_then(|metadata| metadata.get("ownerReferences")?.as_array());
    list.cloned().unwrap_or_default()
}

/// Returns whether a reference keeps an owner in foreground deletion from being removed.
fn is_blocking(owner: &Value) -> bool {
    owner.get("blockOwnerDeletion").and_then(Value::as_bool) == Some(true)
}

fn is_in_foreground(object: &Value) -> bool {
    metadata::is_deleting(object) && metadata::finalizers(object).iter().any(|it| it == FOREGROUND)
}
