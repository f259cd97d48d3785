//! The deletion of namespaces: first of their objects, then of the namespaces themselves.
//!
//! Source: `pkg/controller/namespace` of kubernetes/kubernetes.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::super::core::Core;
use super::super::failure::{Answer, Failure};
use super::super::namespaces::{FINALIZER, RESOURCE};
use super::super::query::{DeleteOptions, Propagation};
use super::super::store::Store;
use super::super::target::Part;
use super::super::user::User;
use super::super::work::ObjectKey;
use super::super::{delete, metadata, update};
use super::gc;

/// The service account that deletes the contents of namespaces.
const CONTROLLER: &str = "namespace-controller";

/// Deletes the objects in a terminating namespace. If there are none, removes the finalizer `kubernetes` of the
/// namespace, and so the namespace if it has no other finalizer. Source: `namespacedResourcesDeleter.Delete`.
///
/// # Errors
/// Returns the first failure of a deletion.
pub(super) fn empty_namespace(core: &mut Core, name: &Arc<str>) -> Answer<()> {
    // Upstream: what is in a namespace without finalizers stays.
    let is_emptied = core.store.get(RESOURCE, name).is_some_and(|namespace| {
        namespace.is_deleting() && metadata::has_spec_finalizers(&namespace.object())
    });
    if !is_emptied {
        return Ok(());
    }
    let prefix = format!("{name}/");
    let mut failure = Ok(());
    let user = Arc::new(User::service_account("kube-system", CONTROLLER));
    for (key, is_deleting) in contents(&core.store, &prefix) {
        // Upstream asks webhooks again about objects that are being deleted, but only as often as it tries again.
        if is_deleting {
            continue;
        }
        let options = DeleteOptions {
            propagation: Some(Propagation::Background),
            ..DeleteOptions::default()
        };
        let deleted = delete::delete_stored(core, &key, &options, Some(Arc::clone(&user)));
        failure = failure.and(deleted);
    }
    let key = (RESOURCE.into(), Arc::clone(name));
    if core.webhook_calls.is_waiting() {
        return failure;
    }
    let found = contents(&core.store, &prefix);
    let conditions = progress_of(&core.store, &found, failure.as_ref().err());
    let now = core.clock.text();
    let reported = update::change_as(core, CONTROLLER, &key, Part::Status, &|namespace| {
        report(namespace, &conditions, &now);
    });
    failure.and(reported)?;
    if !found.is_empty() {
        return Ok(());
    }
    update::change_as(core, CONTROLLER, &key, Part::Finalize, &|namespace| {
        if let Some(Value::Array(list)) = namespace.pointer_mut("/spec/finalizers") {
            list.retain(|finalizer| finalizer != FINALIZER);
        }
    })
}

/// Returns the objects whose keys begin with `prefix`, and whether each is being deleted.
fn contents(store: &Store, prefix: &str) -> Vec<(ObjectKey, bool)> {
    let mut found = Vec::new();
    for (resource, _) in store.resources() {
        for (key, stored) in store.list(resource, prefix) {
            found.push(((Arc::clone(resource), Arc::clone(key)), stored.is_deleting()));
        }
    }
    found
}

/// A condition that reports how far the deletion of a namespace is: its type, and the reason and the message if it is
/// true.
type Progress = (usize, Option<(&'static str, String)>);

/// The types of conditions, and the reason and the message of each while it is false.
/// Source: `status_condition_utils.go`.
const CONDITIONS: [(&str, &str, &str); 5] = [
    (
        "NamespaceDeletionDiscoveryFailure",
        "ResourcesDiscovered",
        "All resources successfully discovered",
    ),
    (
        "NamespaceDeletionGroupVersionParsingFailure",
        "ParsedGroupVersions",
        "All legacy kube types successfully parsed",
    ),
    (
        "NamespaceDeletionContentFailure",
        "ContentDeleted",
        "All content successfully deleted, may be waiting on finalization",
    ),
    ("NamespaceContentRemaining", "ContentRemoved", "All content successfully removed"),
    (
        "NamespaceFinalizersRemaining",
        "ContentHasNoFinalizers",
        "All content-preserving finalizers finished",
    ),
];

/// Returns the conditions of a namespace that contains the objects `found`, one of which could not be deleted if
/// there is a `failure`.
fn progress_of(
    store: &Store,
    found: &[(ObjectKey, bool)],
    failure: Option<&Failure>,
) -> [Progress; CONDITIONS.len()] {
    let (mut resources, mut finalizers) = (BTreeMap::new(), BTreeMap::new());
    for (key, _) in found {
        let (group, plural) = key.0.split_once('/').unwrap_or_default();
        *resources.entry(format!("{plural}.{group}")).or_insert(0_usize) += 1;
        for finalizer in gc::read_object(store, key).iter().flat_map(metadata::finalizers) {
            *finalizers.entry(finalizer).or_insert(0_usize) += 1;
        }
    }
    let list = |counts: &BTreeMap<String, usize>, verb: &str| {
        let texts =
            counts.iter().map(|(what, count)| format!("{what} {verb} {count} resource instances"));
        texts.collect::<Vec<_>>().join(", ")
    };
    let failed = failure.map(|failure| {
        let why = &failure.message;
        (
            "ContentDeletionFailed",
            format!("Failed to delete all resource types, 1 remaining: {why}"),
        )
    });
    let remaining = (!resources.is_empty()).then(|| {
        let resources = list(&resources, "has");
        ("SomeResourcesRemain", format!("Some resources are remaining: {resources}"))
    });
    let held = (!finalizers.is_empty()).then(|| {
        let finalizers = list(&finalizers, "in");
        let what = "Some content in the namespace has finalizers remaining";
        ("SomeFinalizersRemain", format!("{what}: {finalizers}"))
    });
    [(0, None), (1, None), (2, failed), (3, remaining), (4, held)]
}

/// Sets the conditions in the status of a namespace. Source: `updateConditions`.
fn report(namespace: &mut Value, conditions: &[Progress], now: &str) {
    let Some(status) = namespace.get_mut("status").and_then(Value::as_object_mut) else { return };
    let list = status.entry("conditions").or_insert_with(|| json!([]));
    let Value::Array(list) = list else { return };
    for (index, found) in conditions {
        let Some((type_, reason, message)) = CONDITIONS.get(*index) else { continue };
        let (status, reason, message) = match found {
            Some((reason, message)) => ("True", *reason, message.as_str()),
            None => ("False", *reason, *message),
        };
        let old = list.iter_mut().find(|old| old["type"] == *type_);
        let time = match &old {
            Some(old) if old["status"] == status => old["lastTransitionTime"].clone(),
            _ => now.into(),
        };
        let new = json!({
            "type": type_, "status": status, "lastTransitionTime": time, "reason": reason, "message": message,
        });
        match old {
            Some(old) => *old = new,
            None => list.push(new),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_finalizers_of_a_namespace_keep_it() {
        let live = |finalizers: Value, of_spec: Value| {
            json!({
                "kind": "Namespace",
                "metadata": {"deletionTimestamp": "2026-01-01T00:00:00Z", "finalizers": finalizers},
                "spec": {"finalizers": of_spec},
            })
        };
        let bare = live(json!([]), json!([]));
        assert!(metadata::may_remove(&bare, &bare));
        for kept in [live(json!(["a"]), json!([])), live(json!([]), json!(["kubernetes"]))] {
            assert!(!metadata::may_remove(&kept, &bare));
        }
    }
}
