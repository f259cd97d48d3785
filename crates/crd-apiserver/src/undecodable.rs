//! Failures of requests about stored objects that cannot be converted or decoded.
//!
//! Source: `pkg/storage/etcd3/corrupt_obj_deleter.go` of k8s.io/apiserver.

use serde_json::Value;

use super::core::Core;
use super::failure::{Answer, Failure};
use super::kind::{ServedKind, storage_key};
use super::store::StoredObject;
use crate::differences::Difference;

/// The maximum number of undecodable objects that the failure of a list names.
const MAX_LISTED: usize = 100;

/// Undecodable objects of a list: the key and the message of each.
#[derive(Default)]
pub(super) struct Undecodable(Vec<(String, String)>);

/// Reads a stored object for a response or a deletion.
///
/// # Errors
/// Returns an error if the object cannot be converted or decoded, or a webhook has yet to be called.
pub(super) fn read_stored(
    core: &Core,
    kind: &ServedKind,
    key: &str,
    stored: &StoredObject,
) -> Answer<Value> {
    read_or(core, kind, stored, |why| {
        Failure::internal(&corrupt(&storage_key(kind, key, true), stored, why))
    })
}

/// Reads a stored object that a request replaces.
///
/// # Errors
/// Returns an error if the object cannot be converted or decoded, or a webhook has yet to be called.
pub(super) fn read_to_replace(
    core: &Core,
    kind: &ServedKind,
    stored: &StoredObject,
) -> Answer<Value> {
    read_or(core, kind, stored, |why| Failure::bare(not_decodable(stored, why)))
}

/// Reads an object of a list. An undecodable one is recorded, and `None` is returned.
///
/// # Errors
/// Returns an error if older servers do: they stop at the first undecodable object.
pub(super) fn read_listed(
    core: &Core,
    kind: &ServedKind,
    key: &str,
    stored: &StoredObject,
    undecodable: &mut Undecodable,
) -> Answer<Option<Value>> {
    match kind.read(stored) {
        Ok(object) => Ok(Some(object)),
        // Conversion calls for all objects are collected before the request is tried again.
        Err(_) if core.webhook_calls.is_waiting() => Ok(None),
        Err(failure) if !Difference::UndecodableObjects.is_in(core.catalog.kubernetes) => {
            Err(failure)
        }
        Err(failure) => {
            if undecodable.0.len() < MAX_LISTED {
                let key = storage_key(kind, key, false);
                let message = corrupt(&key, stored, reason(&failure));
                undecodable.0.push((key, message));
            }
            Ok(None)
        }
    }
}

fn read_or(
    core: &Core,
    kind: &ServedKind,
    stored: &StoredObject,
    named: impl FnOnce(&str) -> Failure,
) -> Answer<Value> {
    kind.read(stored).map_err(|failure| {
        if core.webhook_calls.is_waiting()
            || !Difference::UndecodableObjects.is_in(core.catalog.kubernetes)
        {
            return failure;
        }
        named(reason(&failure))
    })
}

impl Undecodable {
    /// Checks that there are none.
    ///
    /// # Errors
    /// Returns the failure of the list.
    pub(super) fn check(&self, kind: &ServedKind) -> Answer<()> {
        if self.0.is_empty() {
            return Ok(());
        }
        Err(Failure::unreadable_list(kind.resource(), &self.0))
    }
}

/// Returns why an object cannot be read, without the words that other requests begin it with.
fn reason(failure: &Failure) -> &str {
    failure.message.strip_prefix("Internal error occurred: ").unwrap_or(&failure.message)
}

fn not_decodable(stored: &StoredObject, why: &str) -> String {
    format!("object not decodable revision={}: {why}", stored.revision)
}

/// Source: `StorageError.Error` of `pkg/storage/errors.go`.
fn corrupt(key: &str, stored: &StoredObject, why: &str) -> String {
    format!(
        "StorageError: corrupt object, Code: 7, Key: {key}, ResourceVersion: 0, AdditionalErrorMsg: {}",
        not_decodable(stored, why)
    )
}
