//! Garbage collection of objects whose owners have been deleted.
//!
//! Source: `pkg/controller/garbagecollector` of kubernetes/kubernetes.

use std::sync::Arc;

use serde_json::Value;

use super::super::core::Core;
use super::super::failure::Answer;
use super::super::metadata::{self, FOREGROUND, ORPHAN};
use super::super::query::{DeleteOptions, Propagation};
use super::super::store::Store;
use super::super::target::Part;
use super::super::user::User;
use super::super::work::{ObjectKey, Work};
use super::super::{delete, update};
use super::Controllers;

/// The service account of the garbage collector.
const CONTROLLER: &str = "generic-garbage-collector";
/// The maximum number of removed owners that are remembered, so that their dependents are deleted even if the kind of
/// the owner is no longer served. Source: `absentOwnerCacheSize`.
pub(super) const MAX_ABSENT_OWNERS: usize = 500;

/// The reason why an owner cannot be looked up.
enum Unresolvable {
    /// The kind of the owner is not served.
    Kind,
    /// The owner is in a namespace, and the dependent is not. No later event changes that.
    Scope,
}

/// Deletes an object that has lost its owners. If it is being deleted itself, orphans or deletes its dependents
/// where one of its finalizers asks for that.
///
/// # Errors
/// Returns the first failure of a deletion or an update.
pub(super) fn collect_garbage(
    controllers: &mut Controllers,
    core: &mut Core,
    key: &ObjectKey,
) -> Answer<()> {
    let Some(object) = read_object(&core.store, key) else { return Ok(()) };
    if metadata::is_deleting(&object) {
        return process_finalizers(controllers, core, key, &object);
    }
    attempt_to_delete(controllers, core, key, &object)
}

pub(super) fn read_object(store: &Store, key: &ObjectKey) -> Option<Value> {
    Some(store.get(&key.0, &key.1)?.object())
}

/// Orphans the dependents of an object, or waits until those that block it are gone, and then removes the
/// finalizer. Source: `processDeletingDependentsItem` and `orphanDependents`.
fn process_finalizers(
    controllers: &mut Controllers,
    core: &mut Core,
    key: &ObjectKey,
    object: &Value,
) -> Answer<()> {
    let uid = metadata::text(object, "uid").to_owned();
    let finalizers = metadata::finalizers(object);
    if finalizers.iter().any(|it| it == ORPHAN) {
        let mut done = Ok(());
        for dependent in core.store.dependents_of(&uid) {
            let orphaned = change_owners(core, &dependent, &|owners| {
                owners.retain(|owner| uid_of(owner) != uid);
            });
            done = done.and(orphaned);
        }
        done?;
        return drop_finalizer(core, key, ORPHAN);
    }
    if !finalizers.iter().any(|it| it == FOREGROUND) {
        return Ok(());
    }
    let mut is_blocked = false;
    for dependent in core.store.dependents_of(&uid) {
        let Some(stored) = core.store.get(&dependent.0, &dependent.1) else { continue };
        let is_deleting = stored.is_deleting();
        let owners = metadata::owners(&stored.object());
        is_blocked |= owners.iter().any(|owner| uid_of(owner) == uid && is_blocking(owner));
        if !is_deleting {
            controllers.queue.add(Work::Garbage(dependent));
        }
    }
    if is_blocked {
        // The removal of a dependent adds this work again.
        return Ok(());
    }
    drop_finalizer(core, key, FOREGROUND)
}

/// Deletes an object if each of its owners is missing or in foreground deletion. Otherwise, removes the references
/// to such owners. Source: `attemptToDeleteItem`.
fn attempt_to_delete(
    controllers: &mut Controllers,
    core: &mut Core,
    key: &ObjectKey,
    object: &Value,
) -> Answer<()> {
    let owners = metadata::owners(object);
    if owners.is_empty() {
        return Ok(());
    }
    let namespace = metadata::text(object, "namespace");
    let (mut solid, mut waiting, mut dangling) = (0, Vec::new(), Vec::new());
    for owner in &owners {
        match find_owner(controllers, core, owner, namespace) {
            Err(Unresolvable::Scope) => return Ok(()),
            Err(Unresolvable::Kind) => {
                controllers.queue.park(Work::Garbage(key.clone()));
                return Ok(());
            }
            Ok(None) => dangling.push(owner),
            Ok(Some(there)) if metadata::waits_for_dependents(&there) => waiting.push(owner),
            Ok(Some(_)) => solid += 1,
        }
    }
    if solid > 0 {
        if dangling.is_empty() && waiting.is_empty() {
            return Ok(());
        }
        // An owner in foreground deletion would wait forever for an object that remains.
        return change_owners(core, key, &|owners| {
            owners.retain(|owner| !dangling.contains(&owner) && !waiting.contains(&owner));
        });
    }
    // An object with dependents joins the foreground deletion of an owner; otherwise its own finalizers decide.
    let dependents = core.store.dependents_of(metadata::text(object, "uid"));
    let propagation = if !waiting.is_empty() && !dependents.is_empty() {
        // Owners and dependents in a circle would wait for each other.
        let mut dependents =
            dependents.iter().filter_map(|dependent| read_object(&core.store, dependent));
        if dependents.any(|dependent| metadata::waits_for_dependents(&dependent)) {
            unblock(core, key)?;
        }
        Propagation::Foreground
    } else {
        match metadata::finalizers(object)
            .iter()
            .map(String::as_str)
            .find(|it| [ORPHAN, FOREGROUND].contains(it))
        {
            Some(ORPHAN) => Propagation::Orphan,
            Some(_) => Propagation::Foreground,
            None => Propagation::Background,
        }
    };
    let options = DeleteOptions { propagation: Some(propagation), ..DeleteOptions::default() };
    let user = Arc::new(User::service_account("kube-system", CONTROLLER));
    delete::delete_stored(core, key, &options, Some(user))
}

/// Returns the owner that a reference names, if it exists and has the uid of the reference. `namespace` is that of
/// the dependent. Source: `isDangling`.
///
/// # Errors
/// Returns an error if the kind of the owner is unknown, or is namespaced and the dependent is not.
fn find_owner(
    controllers: &Controllers,
    core: &Core,
    owner: &Value,
    namespace: &str,
) -> Result<Option<Value>, Unresolvable> {
    let text = |key: &str| owner.get(key).and_then(Value::as_str).unwrap_or_default();
    if controllers.absent_owners.iter().any(|uid| **uid == *text("uid")) {
        return Ok(None);
    }
    let kind = core.catalog.find_kind(text("apiVersion"), text("kind"));
    let kind = kind.ok_or(Unresolvable::Kind)?;
    if kind.namespaced && namespace.is_empty() {
        return Err(Unresolvable::Scope);
    }
    let stored = core.store.get(&kind.storage, &kind.key(namespace, text("name")));
    let object = stored.map(|stored| stored.object());
    Ok(object.filter(|object| metadata::text(object, "uid") == text("uid")))
}

/// Makes the owner references of an object non-blocking. Source: `unblockOwnerReferencesStrategicMergePatch`.
fn unblock(core: &mut Core, key: &ObjectKey) -> Answer<()> {
    change_owners(core, key, &|owners| {
        for owner in owners.iter_mut().filter(|owner| is_blocking(owner)) {
            owner["blockOwnerDeletion"] = false.into();
        }
    })
}

fn change_owners(core: &mut Core, key: &ObjectKey, change: &dyn Fn(&mut Vec<Value>)) -> Answer<()> {
    update::change_as(core, CONTROLLER, key, Part::Object, &|object| {
        let mut owners = metadata::owners(object);
        change(&mut owners);
        let owners = (!owners.is_empty()).then(|| owners.into());
        metadata::set(metadata::of_mut(object), "ownerReferences", owners);
    })
}

fn drop_finalizer(core: &mut Core, key: &ObjectKey, finalizer: &str) -> Answer<()> {
    update::change_as(core, CONTROLLER, key, Part::Object, &|object| {
        metadata::remove_finalizer(object, finalizer);
    })
}

fn uid_of(owner: &Value) -> &str {
    owner.get("uid").and_then(Value::as_str).unwrap_or_default()
}

/// Returns whether a reference keeps an owner in foreground deletion from being removed.
fn is_blocking(owner: &Value) -> bool {
    owner.get("blockOwnerDeletion").and_then(Value::as_bool) == Some(true)
}
