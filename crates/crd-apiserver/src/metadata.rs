//! The metadata that the server reads, checks and writes itself.
//!
//! Source: `k8s.io/apiserver/pkg/registry/rest/meta.go` and `pkg/endpoints/handlers/rest.go`.

use serde_json::{Map, Value};

use super::failure::{Answer, Failure};
use crate::field::{Path, Sink};
use crate::object_meta::{self, Scope};
use crate::{json, names};

/// The finalizer that keeps an object until its dependents no longer refer to it.
pub(super) const ORPHAN: &str = "orphan";
/// The finalizer that keeps an object until its dependents have been removed.
pub(super) const FOREGROUND: &str = "foregroundDeletion";

/// Returns the metadata of an object.
pub(super) fn of(object: &Value) -> Option<&Map<String, Value>> {
    object.get("metadata")?.as_object()
}

/// Returns the metadata of an object, and inserts an empty map if there is none.
pub(super) fn of_mut(object: &mut Value) -> &mut Map<String, Value> {
    if !object.is_object() {
        *object = Value::Object(Map::new());
    }
    let Value::Object(map) = object else { unreachable!("an object has just been made") };
    let metadata = map.entry("metadata").or_insert_with(|| Value::Object(Map::new()));
    if !metadata.is_object() {
        *metadata = Value::Object(Map::new());
    }
    let Value::Object(metadata) = metadata else { unreachable!("metadata has just been made") };
    metadata
}

/// Returns a string field of the metadata; empty if it is absent.
pub(super) fn text<'a>(object: &'a Value, key: &str) -> &'a str {
    of(object).and_then(|metadata| metadata.get(key)?.as_str()).unwrap_or_default()
}

/// Returns whether a field of the metadata is present and not null.
pub(super) fn has(object: &Value, key: &str) -> bool {
    of(object).is_some_and(|metadata| metadata.get(key).is_some_and(|value| !value.is_null()))
}

/// Returns whether an object is being deleted.
pub(super) fn is_deleting(object: &Value) -> bool {
    has(object, "deletionTimestamp")
}

/// Returns whether an object is being deleted and waits for the removal of its dependents.
pub(super) fn waits_for_dependents(object: &Value) -> bool {
    is_deleting(object) && finalizers(object).iter().any(|it| it == FOREGROUND)
}

/// Sets a string field of the metadata, or removes the field if the value is empty.
pub(super) fn set_text(object: &mut Value, key: &str, value: &str) {
    set(of_mut(object), key, (!value.is_empty()).then(|| value.into()));
}

/// Sets a field of a map, or removes the field if there is no value.
pub(super) fn set(map: &mut Map<String, Value>, key: &str, value: Option<Value>) {
    match value {
        Some(value) => map.insert(key.to_owned(), value),
        None => map.remove(key),
    };
}

/// Removes these annotations from the metadata of an object.
pub(super) fn drop_annotations(metadata: &mut Map<String, Value>, names: &[&str]) {
    if let Some(Value::Object(annotations)) = metadata.get_mut("annotations") {
        annotations.retain(|name, _| !names.contains(&name.as_str()));
        if annotations.is_empty() {
            metadata.remove("annotations");
        }
    }
}

/// Returns whether a field is absent, null or an empty text.
pub(super) fn is_unset(value: Option<&Value>) -> bool {
    value.is_none_or(|value| value.is_null() || value.as_str() == Some(""))
}

pub(super) fn finalizers(object: &Value) -> Vec<String> {
    let list = of(object).and_then(|metadata| metadata.get("finalizers")?.as_array());
    let texts = list.into_iter().flatten().filter_map(Value::as_str);
    texts.map(str::to_owned).collect()
}

pub(super) fn set_finalizers(object: &mut Value, finalizers: Vec<String>) {
    set(of_mut(object), "finalizers", (!finalizers.is_empty()).then(|| finalizers.into()));
}

pub(super) fn remove_finalizer(object: &mut Value, finalizer: &str) {
    let mut finalizers = finalizers(object);
    finalizers.retain(|it| it != finalizer);
    set_finalizers(object, finalizers);
}

/// Returns the owner references of an object.
pub(super) fn owners(object: &Value) -> Vec<Value> {
    let list = of(object).and_then(|metadata| metadata.get("ownerReferences")?.as_array());
    list.cloned().unwrap_or_default()
}

/// Returns the reference to the owner that controls an object. Source: `GetControllerOf`.
pub(super) fn controller(object: &Value) -> Option<Value> {
    owners(object).into_iter().find(|owner| owner["controller"] == true)
}

/// Removes the fields that only the server sets. Source: `WipeObjectMetaSystemFields`.
pub(super) fn wipe(object: &mut Value) {
    let metadata = of_mut(object);
    for key in
        ["creationTimestamp", "uid", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"]
    {
        metadata.remove(key);
    }
}

/// Sets the fields that every new object gets. Source: `FillObjectMetaSystemFields`.
pub(super) fn fill(object: &mut Value, now: &str, uid: &str) {
    let metadata = of_mut(object);
    metadata.insert("creationTimestamp".to_owned(), now.into());
    metadata.insert("uid".to_owned(), uid.into());
}

/// Copies metadata of the old object that an update cannot change or may omit, such as `creationTimestamp` and `uid`.
/// Source: `BeforeUpdate`.
pub(super) fn carry_over(object: &mut Value, old: &Value) {
    let Some(old) = of(old) else { return };
    let metadata = of_mut(object);
    metadata.remove("selfLink");
    if is_unset(metadata.get("uid"))
        && let Some(uid) = old.get("uid")
    {
        metadata.insert("uid".to_owned(), uid.clone());
    }
    for key in ["creationTimestamp", "deletionTimestamp"] {
        if let Some(time) = old.get(key) {
            metadata.insert(key.to_owned(), time.clone());
        }
    }
    if let Some(grace) = old.get("deletionGracePeriodSeconds") {
        metadata.entry("deletionGracePeriodSeconds").or_insert_with(|| grace.clone());
    }
}

/// Returns whether an update of the object `live` to `object` removes it: it is being deleted, its grace period is over,
/// and no finalizer is left.
///
/// Nothing else decides this: controllers remove their finalizers by updates, too.
///
/// Source: `ShouldDeleteDuringUpdate`, and `ShouldDeleteNamespaceDuringUpdate` of `pkg/registry/core/namespace`.
pub(super) fn may_remove(object: &Value, live: &Value) -> bool {
    let grace = of(live).and_then(|metadata| metadata.get("deletionGracePeriodSeconds")?.as_i64());
    finalizers(object).is_empty()
        && is_deleting(live)
        && grace.unwrap_or_default() == 0
        && !has_spec_finalizers(object)
}

/// Returns whether an object is a namespace with `spec.finalizers`, which keep it like those of the metadata.
pub(super) fn has_spec_finalizers(object: &Value) -> bool {
    object.get("kind").is_some_and(|kind| kind == "Namespace")
        && object
            .pointer("/spec/finalizers")
            .and_then(Value::as_array)
            .is_some_and(|finalizers| !finalizers.is_empty())
}

/// Sets the namespace of an object to that of the request. Source: `EnsureObjectNamespaceMatchesRequestNamespace`.
///
/// # Errors
/// Status 400 if the object names another namespace.
pub(super) fn match_namespace(object: &mut Value, namespace: &str) -> Answer<()> {
    let found = text(object, "namespace");
    if found == namespace {
        return Ok(());
    }
    if found.is_empty() || namespace.is_empty() {
        set_text(object, "namespace", namespace);
        return Ok(());
    }
    Err(Failure::bad_request(
        "the namespace of the provided object does not match the namespace sent on the request",
    ))
}

/// Checks that the name of the object is the name in the request. Source: `checkName`.
///
/// # Errors
/// Status 400 if the object has another name or none.
pub(super) fn check_name(object: &Value, name: &str) -> Answer<()> {
    let found = text(object, "name");
    if found.is_empty() {
        return Err(Failure::bad_request(format!(
            "the name of the object ({name} based on URL) was undeterminable: name must be provided"
        )));
    }
    if found != name {
        return Err(Failure::bad_request(format!(
            "the name of the object ({found}) does not match the name on the URL ({name})"
        )));
    }
    Ok(())
}

/// Removes duplicate owner references, and returns a warning if there were any.
/// Source: `dedupOwnerReferencesAndAddWarning`.
pub(super) fn dedup_owners(object: &mut Value) -> Option<String> {
    let owners = object.get_mut("metadata")?.get_mut("ownerReferences")?.as_array_mut()?;
    let mut kept: Vec<Value> = Vec::with_capacity(owners.len());
    let mut twice = Vec::new();
    for owner in owners.drain(..) {
        if kept.iter().any(|known| json::equal(known, &owner)) {
            let uid = owner.get("uid").and_then(Value::as_str).unwrap_or_default();
            twice.push(uid.to_owned());
        } else {
            kept.push(owner);
        }
    }
    *owners = kept;
    (!twice.is_empty()).then(|| {
        format!(
            ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and \
             may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: {}",
            twice.join(", ")
        )
    })
}

/// Validates the metadata of an update. The server does this before the strategy of the kind validates the object.
///
/// Source: `validateCommonFields` of `k8s.io/apiserver/pkg/registry/rest/update.go`.
pub(super) fn validate_update(
    new: &Map<String, Value>,
    old: &Map<String, Value>,
    scope: Scope,
    errors: &mut Sink,
) {
    let path = Path::new("metadata");
    object_meta::validate_named(new, scope, names::path_segment, &path, errors);
    object_meta::validate_update(new, old, &path, errors);
}

/// Restores the old timestamps of managed fields if nothing but these timestamps differs from the old object.
/// Source: `IgnoreManagedFieldsTimestampsTransformer`.
pub(super) fn keep_times(object: &mut Value, old: &Value) {
    let entries = |object: &Value| of(object)?.get("managedFields")?.as_array().cloned();
    let (Some(new_entries), Some(old_entries)) = (entries(object), entries(old)) else { return };
    let without_time = |entries: &[Value]| -> Vec<Value> {
        let mut entries = entries.to_vec();
        for entry in &mut entries {
            if let Value::Object(entry) = entry {
                entry.remove("time");
            }
        }
        entries
    };
    if new_entries == old_entries || without_time(&new_entries) != without_time(&old_entries) {
        return;
    }
    let mut same = object.clone();
    of_mut(&mut same).insert("managedFields".to_owned(), old_entries.into());
    if json::equal(&same, old) {
        *object = same;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn duplicate_owners_are_removed() {
        let owner = json!({"uid": "a", "name": "x"});
        let mut object = json!({"metadata": {"ownerReferences": [owner, owner, {"uid": "b"}]}});
        assert!(dedup_owners(&mut object).expect("a warning").ends_with("observed: a"));
        assert_eq!(object["metadata"]["ownerReferences"], json!([owner, {"uid": "b"}]));
        assert_eq!(dedup_owners(&mut object), None);
    }

    #[test]
    fn times_are_kept_if_nothing_else_changes() {
        let with = |time: &str, spec: u32| json!({"metadata": {"managedFields": [{"manager": "a", "time": time}]}, "spec": spec});
        let mut same = with("2", 1);
        keep_times(&mut same, &with("1", 1));
        assert_eq!(same, with("1", 1));
        let mut changed = with("2", 2);
        keep_times(&mut changed, &with("1", 1));
        assert_eq!(changed, with("2", 2));
    }
}
