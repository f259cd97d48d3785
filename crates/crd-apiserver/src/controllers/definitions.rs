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
use super::super::metadata;
use super::super::query::DeleteOptions;
use super::super::target::Part;
use super::super::work::Work;
use crate::model::{CustomResourceDefinition, CustomResourceDefinitionStatus, Names};

/// The field manager of the status of definitions.
const MANAGER: &str = "kube-apiserver";

impl Core {
    /// Runs the controllers of a definition, and serves its versions if it is established.
    ///
    /// # Errors
    /// Returns the failure of the removal of its objects.
    pub(super) fn settle_definition(&mut self, name: &Arc<str>) -> Answer<()> {
        let before = self.store.get(RESOURCE, name).map(|stored| stored.revision);
        let done = self.settle_existing(name);
        let Some(crd) = self.model(name) else {
            self.catalog.forget(name);
            self.published.remove(name);
            self.approvals.remove(&**name);
            self.definitions.remove(name);
            self.owe_naming(name);
            return done;
        };
        let is_deleting = self.store.get(RESOURCE, name).is_some_and(|stored| stored.is_deleting());
        let key = (crd.spec.group.clone(), crd.spec.names.kind.clone());
        let converter = self.converters.get(&key);
        self.catalog.define(&crd, is_deleting, self.kubernetes, converter, &self.webhook_calls);
        if is_true(&crd, "Established") {
            self.published.update(&crd);
            self.queue.unpark();
        } else {
            self.published.remove(name);
        }
        if self.store.get(RESOURCE, name).map(|stored| stored.revision) != before {
            self.owe_naming(name);
        }
        done
    }

    fn settle_existing(&mut self, name: &str) -> Answer<()> {
        let Some(mut crd) = self.model(name) else { return Ok(()) };
        for controller in [Self::accept_names, Self::establish, Self::check_approval] {
            controller(self, name, &crd);
            match self.model(name) {
                Some(next) => crd = next,
                None => return Ok(()),
            }
        }
        self.delete_terminating(name, &crd)
    }

    /// Lets the other definitions of a group that wait for names try again.
    /// Source: `requeueAllOtherGroupCRDs` of `pkg/controller/status/naming_controller.go`.
    fn owe_naming(&mut self, name: &str) {
        let waiting: Vec<Arc<str>> = self
            .siblings(name)
            .filter(|(_, crd)| !is_true(crd, "NamesAccepted"))
            .map(|(name, _)| Arc::clone(name))
            .collect();
        for name in waiting {
            self.queue.add(Work::Definition(name));
        }
    }

    /// Returns the other definitions that are known in the group of a definition.
    fn siblings(
        &self,
        name: &str,
    ) -> impl Iterator<Item = (&Arc<str>, &Arc<CustomResourceDefinition>)> {
        let group = name.split_once('.').map(|(_, group)| group.to_owned());
        let all = self.definitions.iter().map(|(name, (_, crd))| (name, crd));
        let name = name.to_owned();
        all.filter(move |(other, _)| {
            ***other != *name && other.split_once('.').map(|(_, group)| group) == group.as_deref()
        })
    }

    /// Returns the model of a stored definition.
    fn model(&mut self, name: &str) -> Option<Arc<CustomResourceDefinition>> {
        let stored = self.store.get(RESOURCE, name)?;
        if let Some((revision, crd)) = self.definitions.get(name)
            && *revision == stored.revision
        {
            return Some(Arc::clone(crd));
        }
        let crd = Arc::new(definition::model(&stored.object()));
        self.definitions.insert(name.into(), (stored.revision, Arc::clone(&crd)));
        Some(crd)
    }

    fn write_status(&mut self, name: &str, crd: &CustomResourceDefinition) {
        let Some(stored) = self.store.get(RESOURCE, name) else { return };
        let object = stored.object();
        self.write_over(name, &object, object.clone(), crd);
    }

    /// Stores the object `next` with the status of `crd`, in place of the object `live`.
    fn write_over(
        &mut self,
        name: &str,
        live: &Value,
        mut next: Value,
        crd: &CustomResourceDefinition,
    ) {
        put_status(&mut next, crd);
        if let Some(kind) = KINDS.iter().find(|kind| &*kind.storage == RESOURCE) {
            self.track_as(kind, Part::Status, Some(live), &mut next, MANAGER);
            self.put(RESOURCE, name, next, kind.id);
        }
    }

    /// Accepts the names of a definition that its group does not use yet. Source: `NamingConditionController.sync`.
    fn accept_names(&mut self, name: &str, crd: &CustomResourceDefinition) {
        let accepted =
            crd.status.as_ref().map(|status| status.accepted_names.clone()).unwrap_or_default();
        if accepted == crd.spec.names {
            return;
        }
        let (next, reason, message) = self.calculate_names(name, crd, &accepted);
        let is_accepted = reason == "NoConflicts";
        let status = if is_accepted { "True" } else { "False" };
        let naming = ("NamesAccepted", status, reason, message.as_str());
        if next == accepted && has_equal_condition(crd, naming) {
            return;
        }
        let now = self.clock.text();
        let mut crd = crd.clone();
        crd.status.get_or_insert_with(CustomResourceDefinitionStatus::default).accepted_names =
            next;
        set_condition(&mut crd, naming, &now);
        if is_accepted && !is_true(&crd, "Established") {
            let text = "the initial names have been accepted";
            set_condition(&mut crd, ("Established", "False", "Installing", text), &now);
        } else if condition(&crd, "Established").is_none() {
            let text = "not all names are accepted";
            set_condition(&mut crd, ("Established", "False", "NotAccepted", text), &now);
        }
        self.write_status(name, &crd);
    }

    /// Returns the names that are accepted, and the reason and message of the condition `NamesAccepted`.
    /// Source: `calculateNamesAndConditions`.
    fn calculate_names(
        &self,
        name: &str,
        crd: &CustomResourceDefinition,
        accepted: &Names,
    ) -> (Names, &'static str, String) {
        let (mut resources, mut kinds) = (BTreeSet::new(), BTreeSet::new());
        // Upstream: the definition's own names are in use, too. For example, a new short name cannot equal the accepted
        // singular name.
        let mut all = vec![accepted];
        all.extend(
            self.siblings(name)
                .filter_map(|(_, other)| other.status.as_ref())
                .map(|status| &status.accepted_names),
        );
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
        conflict =
            take(&wanted.plural, &mut next.plural, &resources, "PluralConflict").or(conflict);
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
    fn check_approval(&mut self, name: &str, crd: &CustomResourceDefinition) {
        let Some((status, reason, message)) = crd_engine::definition::approval(crd) else { return };
        let text = crd.metadata.annotations.get(crd_engine::definition::APPROVED);
        let text = text.cloned().unwrap_or_default();
        if self.approvals.get(name) == Some(&text) {
            return;
        }
        let approval = ("KubernetesAPIApprovalPolicyConformant", status, reason, message.as_str());
        if has_equal_condition(crd, approval) {
            return;
        }
        let now = self.clock.text();
        let mut crd = crd.clone();
        set_condition(&mut crd, approval, &now);
        self.approvals.insert(name.to_owned(), text);
        self.write_status(name, &crd);
    }

    /// Establishes a definition whose names are accepted. Source: `EstablishingController.sync`.
    fn establish(&mut self, name: &str, crd: &CustomResourceDefinition) {
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
        let now = self.clock.text();
        let mut crd = crd.clone();
        set_condition(&mut crd, established, &now);
        self.write_status(name, &crd);
    }

    /// Deletes the objects of a definition that is being deleted, and then the definition. Source: `CRDFinalizer.sync`.
    ///
    /// # Errors
    /// Returns the first failure of a deletion, which the condition `Terminating` then reports.
    fn delete_terminating(&mut self, name: &str, crd: &CustomResourceDefinition) -> Answer<()> {
        let Some(stored) = self.store.get(RESOURCE, name) else { return Ok(()) };
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
                self.write_condition(name, crd, in_progress);
            }
            if let Err(failure) = self.delete_instances(&storage) {
                if !self.webhook_calls.is_waiting() {
                    let why = format!("could not issue all deletes: {}", failure.message);
                    let failed = ("Terminating", "True", "InstanceDeletionFailed", why.as_str());
                    self.write_condition(name, crd, failed);
                }
                return Err(failure);
            }
            if self.store.list(&storage, "").next().is_some() {
                return Ok(());
            }
        }
        let end = if is_established {
            ("Terminating", "False", "InstanceDeletionCompleted", "removed all instances")
        } else {
            ("Terminating", "False", "NeverEstablished", "resource was never established")
        };
        let Some(object) = self.store.get(RESOURCE, name).map(|stored| stored.object()) else {
            return Ok(());
        };
        let mut crd = definition::model(&object);
        set_condition(&mut crd, end, &self.clock.text());
        let mut next = object.clone();
        metadata::remove_finalizer(&mut next, CLEANUP);
        if metadata::may_remove(&next, &object) {
            self.remove(RESOURCE, name);
        } else {
            self.write_over(name, &object, next, &crd);
        }
        Ok(())
    }

    /// Deletes the objects of a resource.
    ///
    /// # Errors
    /// Returns the first failure.
    fn delete_instances(&mut self, storage: &Arc<str>) -> Answer<()> {
        let waiting = self.store.list(storage, "").filter(|(_, stored)| !stored.is_deleting());
        let keys: Vec<Arc<str>> = waiting.map(|(key, _)| Arc::clone(key)).collect();
        let mut done = Ok(());
        for key in keys {
            let key = (Arc::clone(storage), key);
            done = done.and(self.delete_stored(&key, &DeleteOptions::default(), None));
        }
        done
    }

    /// Writes a condition of a definition, unless it has an equal one.
    fn write_condition(
        &mut self,
        name: &str,
        crd: &CustomResourceDefinition,
        condition: Condition<'_>,
    ) {
        if !has_equal_condition(crd, condition) {
            let mut crd = crd.clone();
            set_condition(&mut crd, condition, &self.clock.text());
            self.write_status(name, &crd);
        }
    }
}
