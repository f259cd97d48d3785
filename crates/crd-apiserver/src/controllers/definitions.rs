//! The life cycle of definitions: names are accepted, definitions are established, and their objects are deleted with
//! them.
//!
//! Source: `pkg/controller/status/naming_controller.go`, `pkg/controller/apiapproval`, `pkg/controller/establish` and
//! `pkg/controller/finalizer` of apiextensions-apiserver.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use super::super::catalog::KINDS;
use super::super::core::Core;
use super::super::definition::{self, RESOURCE};
use super::super::definition_status::{
    CLEANUP, Condition, condition, has_equal_condition, is_true, put_status, set_condition,
};
use super::super::failure::Answer;
use super::super::query::DeleteOptions;
use super::super::target::Part;
use super::super::work::Work;
use super::super::{delete, metadata, ownership};
use super::Controllers;
use crate::model::{CustomResourceDefinition, CustomResourceDefinitionStatus, Names};

/// The field manager of the status of definitions.
const MANAGER: &str = "kube-apiserver";

/// Runs the controllers of a definition, and serves its versions if it is established.
///
/// # Errors
/// Returns the failure of the removal of its objects.
pub(super) fn settle_definition(
    controllers: &mut Controllers,
    core: &mut Core,
    name: &Arc<str>,
) -> Answer<()> {
    let before = core.store.get(RESOURCE, name).map(|stored| stored.revision);
    let done = settle_existing(controllers, core, name);
    let Some(crd) = model(core, name) else {
        core.catalog.forget(name);
        core.published.remove(name);
        controllers.approvals.remove(&**name);
        owe_naming(controllers, core, name);
        return done;
    };
    let is_deleting = core.store.get(RESOURCE, name).is_some_and(|stored| stored.is_deleting());
    let key = (crd.spec.group.clone(), crd.spec.names.kind.clone());
    let converter = controllers.converters.get(&key);
    core.catalog.define(&crd, is_deleting, converter, &core.webhook_calls);
    if is_true(&crd, "Established") {
        core.published.update(&crd);
        controllers.queue.unpark();
    } else {
        core.published.remove(name);
    }
    if core.store.get(RESOURCE, name).map(|stored| stored.revision) != before {
        owe_naming(controllers, core, name);
    }
    done
}

fn settle_existing(controllers: &mut Controllers, core: &mut Core, name: &Arc<str>) -> Answer<()> {
    let Some(crd) = model(core, name) else { return Ok(()) };
    accept_names(core, name, &crd);
    let Some(crd) = model(core, name) else { return Ok(()) };
    establish(core, name, &crd);
    let Some(crd) = model(core, name) else { return Ok(()) };
    check_approval(controllers, core, name, &crd);
    let Some(crd) = model(core, name) else { return Ok(()) };
    delete_terminating(core, name, &crd)
}

/// Lets the other definitions of a group that wait for names try again.
/// Source: `requeueAllOtherGroupCRDs` of `pkg/controller/status/naming_controller.go`.
fn owe_naming(controllers: &mut Controllers, core: &Core, name: &str) {
    for (name, _) in siblings(core, name).filter(|(_, crd)| !is_true(crd, "NamesAccepted")) {
        controllers.queue.add(Work::Definition(Arc::clone(name)));
    }
}

/// Returns the other definitions in the group of a definition.
fn siblings<'a>(
    core: &'a Core,
    name: &str,
) -> impl Iterator<Item = (&'a Arc<str>, Arc<CustomResourceDefinition>)> {
    let group = name.split_once('.').map_or("", |(_, group)| group);
    let name = name.to_owned();
    in_group(core, group).filter(move |(other, _)| ***other != *name)
}

/// Returns the definitions in a group.
pub(super) fn in_group<'a>(
    core: &'a Core,
    group: &str,
) -> impl Iterator<Item = (&'a Arc<str>, Arc<CustomResourceDefinition>)> + use<'a> {
    let group = group.to_owned();
    let is_in = move |name: &str| name.split_once('.').is_some_and(|(_, of)| of == group);
    let found = core.store.list(RESOURCE, "").filter(move |(name, _)| is_in(name));
    found.map(|(name, stored)| {
        (name, core.definitions.get(RESOURCE, Arc::clone(name), stored, definition::model))
    })
}

/// Returns the model of a stored definition.
fn model(core: &Core, name: &Arc<str>) -> Option<Arc<CustomResourceDefinition>> {
    let stored = core.store.get(RESOURCE, name)?;
    Some(core.definitions.get(RESOURCE, Arc::clone(name), stored, definition::model))
}

fn write_status(core: &mut Core, name: &str, crd: &CustomResourceDefinition) {
    let Some(stored) = core.store.get(RESOURCE, name) else { return };
    let object = stored.object();
    write_over(core, name, &object, object.clone(), crd);
}

/// Stores the object `next` with the status of `crd`, in place of the object `live`.
fn write_over(
    core: &mut Core,
    name: &str,
    live: &Value,
    mut next: Value,
    crd: &CustomResourceDefinition,
) {
    put_status(&mut next, crd);
    if let Some(kind) = KINDS.iter().find(|kind| &*kind.storage == RESOURCE) {
        ownership::track_as(core, kind, Part::Status, Some(live), &mut next, MANAGER);
        core.store.put(RESOURCE, name, next, kind.id);
    }
}

/// Accepts the names of a definition that its group does not use yet. Source: `NamingConditionController.sync`.
fn accept_names(core: &mut Core, name: &str, crd: &CustomResourceDefinition) {
    let accepted =
        crd.status.as_ref().map(|status| status.accepted_names.clone()).unwrap_or_default();
    if accepted == crd.spec.names {
        return;
    }
    let (next, reason, message) = calculate_names(core, name, crd, &accepted);
    let is_accepted = reason == "NoConflicts";
    let status = if is_accepted { "True" } else { "False" };
    let naming = ("NamesAccepted", status, reason, message.as_str());
    if next == accepted && has_equal_condition(crd, naming) {
        return;
    }
    let now = core.clock.text();
    let mut crd = crd.clone();
    crd.status.get_or_insert_with(CustomResourceDefinitionStatus::default).accepted_names = next;
    set_condition(&mut crd, naming, &now);
    if is_accepted && !is_true(&crd, "Established") {
        let text = "the initial names have been accepted";
        set_condition(&mut crd, ("Established", "False", "Installing", text), &now);
    } else if condition(&crd, "Established").is_none() {
        let text = "not all names are accepted";
        set_condition(&mut crd, ("Established", "False", "NotAccepted", text), &now);
    }
    write_status(core, name, &crd);
}

/// Returns the names that are accepted, and the reason and message of the condition `NamesAccepted`.
/// Source: `calculateNamesAndConditions`.
fn calculate_names(
    core: &Core,
    name: &str,
    crd: &CustomResourceDefinition,
    accepted: &Names,
) -> (Names, &'static str, String) {
    let (mut resources, mut kinds) = (BTreeSet::new(), BTreeSet::new());
    // Upstream: the definition's own names are in use, too. For example, a new short name cannot equal the accepted
    // singular name.
    let mut all = vec![accepted];
    let others: Vec<_> = siblings(core, name).map(|(_, other)| other).collect();
    let statuses = others.iter().filter_map(|other| other.status.as_ref());
    all.extend(statuses.map(|status| &status.accepted_names));
    for names in all {
        resources.extend([names.plural.as_str(), names.singular.as_str()]);
        resources.extend(names.short_names.iter().map(String::as_str));
        kinds.extend([names.kind.as_str(), names.list_kind.as_str()]);
    }
    let mut next = accepted.clone();
    let wanted = &crd.spec.names;
    // Upstream: of several conflicts, only the last one is reported.
    let mut conflict: Option<(&'static str, String)> = None;
    let in_use = |name: &str| format!("{name:?} is already in use");
    let take = |wanted: &str, field: &mut String, used: &BTreeSet<&str>, reason| {
        if wanted == field || !used.contains(wanted) {
            wanted.clone_into(field);
            return None;
        }
        Some((reason, in_use(wanted)))
    };
    conflict = take(&wanted.plural, &mut next.plural, &resources, "PluralConflict").or(conflict);
    conflict =
        take(&wanted.singular, &mut next.singular, &resources, "SingularConflict").or(conflict);
    let is_taken = |short: &&String| {
        !accepted.short_names.contains(short) && resources.contains(short.as_str())
    };
    let taken: Vec<String> =
        wanted.short_names.iter().filter(is_taken).map(|short| in_use(short)).collect();
    match taken.as_slice() {
        [] => next.short_names.clone_from(&wanted.short_names),
        [only] => conflict = Some(("ShortNamesConflict", only.clone())),
        many => conflict = Some(("ShortNamesConflict", format!("[{}]", many.join(", ")))),
    }
    conflict = take(&wanted.kind, &mut next.kind, &kinds, "KindConflict").or(conflict);
    conflict =
        take(&wanted.list_kind, &mut next.list_kind, &kinds, "ListKindConflict").or(conflict);
    next.categories.clone_from(&wanted.categories);
    match conflict {
        Some((reason, message)) => (next, reason, message),
        None => (next, "NoConflicts", "no conflicts found".to_owned()),
    }
}

/// Sets the condition `KubernetesAPIApprovalPolicyConformant` of a definition in a protected group such as
/// `example.k8s.io`, once for each text of the annotation `api-approved.kubernetes.io`.
///
/// Source: `sync` of `pkg/controller/apiapproval/apiapproval_controller.go`.
fn check_approval(
    controllers: &mut Controllers,
    core: &mut Core,
    name: &str,
    crd: &CustomResourceDefinition,
) {
    let Some((status, reason, message)) = crd_engine::definition::approval(crd) else { return };
    let text = crd.metadata.annotations.get(crd_engine::definition::APPROVED);
    let text = text.cloned().unwrap_or_default();
    if controllers.approvals.get(name) == Some(&text) {
        return;
    }
    let approval = ("KubernetesAPIApprovalPolicyConformant", status, reason, message.as_str());
    if has_equal_condition(crd, approval) {
        return;
    }
    let now = core.clock.text();
    let mut crd = crd.clone();
    set_condition(&mut crd, approval, &now);
    controllers.approvals.insert(name.to_owned(), text);
    write_status(core, name, &crd);
}

/// Establishes a definition whose names are accepted. Source: `EstablishingController.sync`.
fn establish(core: &mut Core, name: &str, crd: &CustomResourceDefinition) {
    if !is_true(crd, "NamesAccepted") || is_true(crd, "Established") {
        return;
    }
    let established = if crd_engine::definition::has_invalid_ca_bundle(&crd.spec) {
        let text = "The conversion webhook CABundle is invalid";
        ("Established", "False", "InvalidCABundle", text)
    } else {
        let text = "the initial names have been accepted";
        ("Established", "True", "InitialNamesAccepted", text)
    };
    if has_equal_condition(crd, established) {
        return;
    }
    let now = core.clock.text();
    let mut crd = crd.clone();
    set_condition(&mut crd, established, &now);
    write_status(core, name, &crd);
}

/// Deletes the objects of a definition that is being deleted, and then the definition. Source: `CRDFinalizer.sync`.
///
/// # Errors
/// Returns the first failure of a deletion, which the condition `Terminating` then reports.
fn delete_terminating(core: &mut Core, name: &str, crd: &CustomResourceDefinition) -> Answer<()> {
    let Some(stored) = core.store.get(RESOURCE, name) else { return Ok(()) };
    let has_cleanup = crd.metadata.finalizers.iter().any(|it| it == CLEANUP);
    if !stored.is_deleting() || !has_cleanup {
        return Ok(());
    }
    let storage: Arc<str> = format!("{}/{}", crd.spec.group, crd.spec.names.plural).into();
    let is_established = is_true(crd, "Established");
    if is_established {
        let in_progress = "CustomResource deletion is in progress";
        let in_progress = ("Terminating", "True", "InstanceDeletionInProgress", in_progress);
        let known = condition(crd, "Terminating").and_then(|it| it["reason"].as_str());
        if known != Some("InstanceDeletionFailed") {
            write_condition(core, name, crd, in_progress);
        }
        if let Err(failure) = delete_instances(core, &storage) {
            if !core.webhook_calls.is_waiting() {
                let why = format!("could not issue all deletes: {}", failure.message);
                let failed = ("Terminating", "True", "InstanceDeletionFailed", why.as_str());
                write_condition(core, name, crd, failed);
            }
            return Err(failure);
        }
        if core.store.list(&storage, "").next().is_some() {
            return Ok(());
        }
    }
    let end = if is_established {
        ("Terminating", "False", "InstanceDeletionCompleted", "removed all instances")
    } else {
        ("Terminating", "False", "NeverEstablished", "resource was never established")
    };
    let Some(object) = core.store.get(RESOURCE, name).map(|stored| stored.object()) else {
        return Ok(());
    };
    let mut crd = definition::model(&object);
    set_condition(&mut crd, end, &core.clock.text());
    let mut next = object.clone();
    metadata::remove_finalizer(&mut next, CLEANUP);
    if metadata::may_remove(&next, &object) {
        core.store.remove(RESOURCE, name);
    } else {
        write_over(core, name, &object, next, &crd);
    }
    Ok(())
}

/// Deletes the objects of a resource.
///
/// # Errors
/// Returns the first failure.
fn delete_instances(core: &mut Core, storage: &Arc<str>) -> Answer<()> {
    let waiting = core.store.list(storage, "").filter(|(_, stored)| !stored.is_deleting());
    let keys: Vec<Arc<str>> = waiting.map(|(key, _)| Arc::clone(key)).collect();
    let mut done = Ok(());
    for key in keys {
        let key = (Arc::clone(storage), key);
        done = done.and(delete::delete_stored(core, &key, &DeleteOptions::default(), None));
    }
    done
}

/// Writes a condition of a definition, unless it has an equal one.
fn write_condition(
    core: &mut Core,
    name: &str,
    crd: &CustomResourceDefinition,
    condition: Condition<'_>,
) {
    if !has_equal_condition(crd, condition) {
        let mut crd = crd.clone();
        set_condition(&mut crd, condition, &core.clock.text());
        write_status(core, name, &crd);
    }
}
