//! The conditions of definitions.
//!
//! Source: `pkg/apihelpers/helpers.go` of apiextensions-apiserver.

use serde_json::{Value, json};

use super::{definition, metadata};
use crate::model::{CustomResourceDefinition, CustomResourceDefinitionStatus};

/// A condition: type, status, reason, message.
pub(super) type Condition<'a> = (&'a str, &'a str, &'a str, &'a str);

/// The finalizer that keeps a definition until its objects have been removed.
pub(super) const CLEANUP: &str = "customresourcecleanup.apiextensions.k8s.io";

/// Sets the deletion timestamp, the finalizer and the condition `Terminating` of a definition.
/// Source: `REST.Delete` of `pkg/registry/customresourcedefinition`.
pub(super) fn mark_deleted(object: &mut Value, now: &str) {
    let metadata = metadata::of_mut(object);
    metadata.insert("deletionTimestamp".to_owned(), now.into());
    let mut finalizers = metadata::finalizers(object);
    if !finalizers.iter().any(|it| it == CLEANUP) {
        finalizers.push(CLEANUP.to_owned());
        metadata::set_finalizers(object, finalizers);
    }
    let mut crd = definition::model(object);
    let text =
        "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon";
    set_condition(&mut crd, ("Terminating", "True", "InstanceDeletionPending", text), now);
    put_status(object, &crd);
}

/// Returns the condition of a type.
pub(super) fn condition<'a>(crd: &'a CustomResourceDefinition, type_: &str) -> Option<&'a Value> {
    crd.status.as_ref()?.conditions.iter().find(|condition| condition["type"] == type_)
}

/// Returns whether a condition has the status `True`.
pub(super) fn is_true(crd: &CustomResourceDefinition, type_: &str) -> bool {
    condition(crd, type_).is_some_and(|condition| condition["status"] == "True")
}

/// Returns whether a definition has a condition with this status, reason and message.
/// Source: `IsCRDConditionEquivalent`.
pub(super) fn has_equal_condition(
    crd: &CustomResourceDefinition,
    (type_, status, reason, message): Condition<'_>,
) -> bool {
    condition(crd, type_).is_some_and(|found| {
        found["status"] == status && found["reason"] == reason && found["message"] == message
    })
}

/// Adds a condition, or replaces the one of its type, whose `lastTransitionTime` is kept if the status is the same.
/// Source: `SetCRDCondition`.
pub(super) fn set_condition(crd: &mut CustomResourceDefinition, new: Condition<'_>, now: &str) {
    let (type_, status, reason, message) = new;
    let time = match condition(crd, type_) {
        Some(old) if old["status"] == status => old["lastTransitionTime"].clone(),
        _ => now.into(),
    };
    let new = json!({
        "type": type_, "status": status, "reason": reason, "message": message,
        "lastTransitionTime": time,
    });
    let status = crd.status.get_or_insert_with(CustomResourceDefinitionStatus::default);
    match status.conditions.iter_mut().find(|condition| condition["type"] == type_) {
        Some(old) => *old = new,
        None => status.conditions.push(new),
    }
}

/// Writes the status of a definition into its object.
pub(super) fn put_status(object: &mut Value, crd: &CustomResourceDefinition) {
    let status = definition::to_value(crd, None).get("status").cloned();
    if let (Value::Object(map), Some(status)) = (object, status) {
        map.insert("status".to_owned(), status);
    }
}
