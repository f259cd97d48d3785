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
    CLEANUP, condition, has_equal_condition, is_true, put_status, set_condition,
};
use super::super::metadata;
use super::super::query::DeleteOptions;
use super::super::target::Part;
use crate::model::{CustomResourceDefinition, CustomResourceDefinitionStatus, Names};

/// The field manager of the status of definitions.
const MANAGER: &str = "kube-apiserver";

impl Core {
    /// Runs the controllers of definitions once for each definition, and returns whether anything has changed.
    pub(in super::super) fn settle_definitions(&mut self) -> bool {
        let before = self.store.revision();
        let names: Vec<Arc<str>> =
            self.store.list(RESOURCE, "").map(|(key, _)| Arc::clone(key)).collect();
        let definitions: Vec<_> = names.iter().filter_map(|name| self.settle_one(name)).collect();
        let served: BTreeSet<String> = self
            .catalog
            .all()
            .filter(|kind| kind.compiled().is_some())
            .map(|kind| kind.storage.to_string())
            .collect();
        for (object, crd) in &definitions {
            let key = (crd.spec.group.clone(), crd.spec.names.kind.clone());
            let is_deleting = metadata::is_deleting(object);
            let converter = self.converters.get(&key);
            self.catalog.define(crd, is_deleting, self.kubernetes, converter, &self.webhook_calls);
            if is_true(crd, "Established") {
                self.published.update(crd);
            } else {
                self.published.remove(&crd.metadata.name);
            }
        }
        for storage in served {
            if let Some((group, plural)) = storage.split_once('/') {
                let name = format!("{plural}.{group}");
                if self.store.get(RESOURCE, &name).is_none() {
                    self.catalog.forget(&name);
                }
            }
        }
        let store = &self.store;
        self.published.retain(|name| store.get(RESOURCE, name).is_some());
        self.approvals.retain(|name, _| store.get(RESOURCE, name).is_some());
        self.store.revision() != before
    }

    /// Runs the controllers of a definition, and returns the resulting object and model; `None` if the definition has
    /// been removed.
    fn settle_one(&mut self, name: &str) -> Option<(Value, CustomResourceDefinition)> {
        let mut read = self.stored_definition(name)?;
        for controller in
            [Self::accept_names, Self::establish, Self::check_approval, Self::delete_terminating]
        {
            let before = self.store.revision();
            controller(self, name, &read.0, &read.1);
            // Reading a definition costs more than all controllers that have nothing to do.
            if self.store.revision() != before {
                read = self.stored_definition(name)?;
            }
        }
        Some(read)
    }

    /// Returns a stored definition as JSON and as the model.
    fn stored_definition(&self, name: &str) -> Option<(Value, CustomResourceDefinition)> {
        let object = self.store.get(RESOURCE, name)?.object();
        let crd = definition::model(&object);
        Some((object, crd))
    }

    fn write_status(&mut self, name: &str, object: &Value, crd: &CustomResourceDefinition) {
        self.write_over(name, object, object.clone(), crd);
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
    fn accept_names(&mut self, name: &str, object: &Value, crd: &CustomResourceDefinition) {
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
        self.write_status(name, object, &crd);
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
        let mut all = vec![accepted.clone()];
        for (key, stored) in self.store.list(RESOURCE, "") {
            if **key == *name {
                continue;
            }
            let other = definition::model(&stored.object());
            if other.spec.group == crd.spec.group {
                all.extend(other.status.map(|status| status.accepted_names));
            }
        }
        for names in all {
            resources.extend([names.plural, names.singular]);
            resources.extend(names.short_names);
            kinds.extend([names.kind, names.list_kind]);
        }
        let mut next = accepted.clone();
        let wanted = &crd.spec.names;
        // Upstream: of several conflicts, only the last one is reported.
        let mut conflict: Option<(&'static str, String)> = None;
        let in_use = |name: &str| format!("{name:?} is already in use");
        let take = |wanted: &str, field: &mut String, used: &BTreeSet<String>, reason| {
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
        let is_taken =
            |short: &&String| !accepted.short_names.contains(short) && resources.contains(*short);
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
    fn check_approval(&mut self, name: &str, object: &Value, crd: &CustomResourceDefinition) {
        let Some((status, reason, message)) = crate::definition::approval(crd) else { return };
        let text = crd.metadata.annotations.get(crate::definition::APPROVED);
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
        self.write_status(name, object, &crd);
    }

    /// Establishes a definition whose names are accepted. Source: `EstablishingController.sync`.
    fn establish(&mut self, name: &str, object: &Value, crd: &CustomResourceDefinition) {
        if !is_true(crd, "NamesAccepted") || is_true(crd, "Established") {
            return;
        }
        let established = if crate::definition::has_invalid_ca_bundle(&crd.spec) {
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
        self.write_status(name, object, &crd);
    }

    /// Deletes the objects of a definition that is being deleted, and then the definition. Source: `CRDFinalizer.sync`.
    fn delete_terminating(&mut self, name: &str, object: &Value, crd: &CustomResourceDefinition) {
        let has_cleanup = metadata::finalizers(object).iter().any(|it| it == CLEANUP);
        if !metadata::is_deleting(object) || !has_cleanup {
            return;
        }
        let now = self.clock.text();
        let in_progress = (
            "Terminating",
            "True",
            "InstanceDeletionInProgress",
            "CustomResource deletion is in progress",
        );
        if !has_equal_condition(crd, in_progress) {
            let mut crd = crd.clone();
            set_condition(&mut crd, in_progress, &now);
            self.write_status(name, object, &crd);
        }
        let storage = format!("{}/{}", crd.spec.group, crd.spec.names.plural);
        let is_established = is_true(crd, "Established");
        let keys: Vec<Arc<str>> =
            self.store.list(&storage, "").map(|(key, _)| Arc::clone(key)).collect();
        if is_established {
            for key in &keys {
                self.delete_stored(&storage, key, &DeleteOptions::default(), None);
            }
            if self.store.list(&storage, "").next().is_some() {
                return;
            }
        }
        let Some((object, mut crd)) = self.stored_definition(name) else { return };
        let end = if is_established {
            ("Terminating", "False", "InstanceDeletionCompleted", "removed all instances")
        } else {
            ("Terminating", "False", "NeverEstablished", "resource was never established")
        };
        set_condition(&mut crd, end, &now);
        let kept: Vec<String> =
            metadata::finalizers(&object).into_iter().filter(|it| it != CLEANUP).collect();
        if kept.is_empty() {
            self.remove(RESOURCE, name);
            return;
        }
        let mut next = object.clone();
        metadata::set_finalizers(&mut next, kept);
        self.write_over(name, &object, next, &crd);
    }
}
