//! Compares what definitions say outside of schemas.

use std::collections::BTreeSet;
use std::fmt::Debug;

use serde::Serialize;
use serde_json::{Value, json};

use super::change::{Change, Site, Witness};
use super::kinds::{self, Kind};
use crate::model::{CustomResourceDefinition, CustomResourceDefinitionVersion};
use crate::{catalog, definition};

type Definition = CustomResourceDefinition;
type Version = CustomResourceDefinitionVersion;

/// Adds the changes of the definition as a whole, and of its versions without their schemas.
pub(super) fn compare(old: &Definition, new: &Definition, out: &mut Vec<Change>) {
    let (before, after) = (&old.spec, &new.spec);
    let mut differs = Differs { out };
    differs.report(&kinds::SCOPE_CHANGED, "spec.scope", &before.scope, &after.scope);
    let names = (&before.names, &after.names);
    let kind = &kinds::NAME_CHANGED;
    differs.report(kind, "spec.names.kind", &names.0.kind, &names.1.kind);
    differs.report(kind, "spec.names.plural", &names.0.plural, &names.1.plural);
    differs.report(kind, "spec.names.singular", &names.0.singular, &names.1.singular);
    differs.report(kind, "spec.names.listKind", &names.0.list_kind, &names.1.list_kind);
    let added = &kinds::NAME_ADDED;
    differs.lists(
        (kind, added),
        "spec.names.shortNames",
        &names.0.short_names,
        &names.1.short_names,
    );
    differs.lists((kind, added), "spec.names.categories", &names.0.categories, &names.1.categories);
    let metadata = |crd: &Definition| json!([crd.metadata.labels, crd.metadata.annotations]);
    differs.report(&kinds::METADATA_CHANGED, "metadata", &metadata(old), &metadata(new));
    let unknown = (before.preserve_unknown_fields, after.preserve_unknown_fields);
    differs.report(
        &kinds::UNKNOWN_FIELDS_CHANGED,
        "spec.preserveUnknownFields",
        &unknown.0,
        &unknown.1,
    );
    let strategy = |crd: &Definition| {
        crd.spec
            .conversion
            .as_ref()
            .map_or_else(|| "None".to_owned(), |conversion| conversion.strategy.clone())
    };
    let field = "spec.conversion.strategy";
    differs.report(&kinds::CONVERSION_CHANGED, field, &strategy(old), &strategy(new));
    let webhook = |crd: &Definition| crd.spec.conversion.as_ref().and_then(|it| it.webhook.clone());
    differs.report(
        &kinds::WEBHOOK_CHANGED,
        "spec.conversion.webhook",
        &webhook(old),
        &webhook(new),
    );
    versions(old, new, out);
    refused(old, new, out);
}

/// Adds a change for each value that differs.
struct Differs<'o> {
    out: &'o mut Vec<Change>,
}

impl Differs<'_> {
    fn report<T: PartialEq + Serialize + Debug>(
        &mut self,
        kind: &'static Kind,
        field: &str,
        old: &T,
        new: &T,
    ) {
        if old == new {
            return;
        }
        let (before, after) = (json!(old), json!(new));
        let message = if before.is_object() || before.is_array() || after.is_object() {
            "is another one".to_owned()
        } else {
            format!("was {before}, and is {after}")
        };
        self.out.push(Change::new(kind, &Site::of_field(field), message).values(before, after));
    }

    /// Reports the members that only one list has.
    fn lists(
        &mut self,
        (gone, fresh): (&'static Kind, &'static Kind),
        field: &str,
        old: &[String],
        new: &[String],
    ) {
        let mut add = |kind, text: &str, members: Vec<&String>| {
            for member in members {
                let message = format!("{text} `{member}`");
                self.out.push(Change::new(kind, &Site::of_field(field), message));
            }
        };
        add(gone, "no longer has", old.iter().filter(|member| !new.contains(member)).collect());
        add(fresh, "has the new", new.iter().filter(|member| !old.contains(member)).collect());
    }
}

fn versions(old: &Definition, new: &Definition, out: &mut Vec<Change>) {
    let stored = stored_versions(old);
    for (index, before) in old.spec.versions.iter().enumerate() {
        let found = new.spec.versions.iter().position(|version| version.name == before.name);
        let Some(at) = found else {
            let mut site = Site::of_field(format!("spec.versions[{index}]"));
            "spec.versions".clone_into(&mut site.new_field);
            let kind = if before.served {
                &kinds::VERSION_REMOVED
            } else {
                &kinds::UNSERVED_VERSION_REMOVED
            };
            push(out, &before.name, Change::new(kind, &site, "the version is gone"));
            if stored.contains(before.name.as_str()) {
                let message = "the version is gone, and objects may be stored in it; migrate them, and remove it from `status.storedVersions` first";
                push(
                    out,
                    &before.name,
                    Change::new(&kinds::STORED_VERSION_REMOVED, &site, message),
                );
            }
            continue;
        };
        let mut all = Vec::new();
        version(before, &new.spec.versions[at], (index, at), &mut all);
        for change in all {
            push(out, &before.name, change);
        }
    }
    for (index, after) in new.spec.versions.iter().enumerate() {
        if old.spec.versions.iter().all(|version| version.name != after.name) {
            let mut site = Site::of_field(format!("spec.versions[{index}]"));
            "spec.versions".clone_into(&mut site.old_field);
            push(out, &after.name, Change::new(&kinds::VERSION_ADDED, &site, "the version is new"));
        }
    }
}

fn push(out: &mut Vec<Change>, version: &str, mut change: Change) {
    version.clone_into(&mut change.version);
    out.push(change);
}

/// Returns the versions in which objects may be stored.
fn stored_versions(crd: &Definition) -> BTreeSet<&str> {
    let listed = crd.status.iter().flat_map(|status| &status.stored_versions).map(String::as_str);
    let stored = crd
        .spec
        .versions
        .iter()
        .filter(|version| version.storage)
        .map(|version| version.name.as_str());
    listed.chain(stored).collect()
}

fn version(before: &Version, after: &Version, (old, new): (usize, usize), out: &mut Vec<Change>) {
    let site = |field: &str| Site {
        steps: Vec::new(),
        old_field: format!("spec.versions[{old}]{field}"),
        new_field: format!("spec.versions[{new}]{field}"),
    };
    let mut add =
        |kind, field: &str, message: &str| out.push(Change::new(kind, &site(field), message));
    match (before.served, after.served) {
        (true, false) => {
            add(&kinds::VERSION_UNSERVED, ".served", "the version is no longer served");
        }
        (false, true) => add(&kinds::VERSION_SERVED, ".served", "the version is served"),
        _ => {}
    }
    if !before.storage && after.storage {
        add(&kinds::STORAGE_VERSION_CHANGED, ".storage", "objects are stored in this version");
    }
    if (before.deprecated, &before.deprecation_warning)
        != (after.deprecated, &after.deprecation_warning)
    {
        add(&kinds::DEPRECATION_CHANGED, ".deprecated", "the deprecation is another one");
    }
    let parts = |version: &Version| version.subresources.clone().unwrap_or_default();
    let (old_parts, new_parts) = (parts(before), parts(after));
    match (old_parts.status.is_some(), new_parts.status.is_some()) {
        (true, false) => add(
            &kinds::SUBRESOURCE_REMOVED,
            ".subresources.status",
            "the subresource `status` is gone",
        ),
        (false, true) => {
            let message =
                "the status is a subresource now: writes of whole objects leave it as it is";
            add(&kinds::STATUS_SPLIT, ".subresources.status", message);
        }
        _ => {}
    }
    match (&old_parts.scale, &new_parts.scale) {
        (Some(_), None) => add(
            &kinds::SUBRESOURCE_REMOVED,
            ".subresources.scale",
            "the subresource `scale` is gone",
        ),
        (None, Some(_)) => {
            add(&kinds::SUBRESOURCE_ADDED, ".subresources.scale", "the subresource `scale` is new");
        }
        (old, new) if old != new => {
            add(&kinds::SCALE_CHANGED, ".subresources.scale", "the scale reads other fields");
        }
        _ => {}
    }
    let paths = |version: &Version| -> Vec<String> {
        version.selectable_fields.iter().flatten().map(|field| field.json_path.clone()).collect()
    };
    let (old_paths, new_paths) = (paths(before), paths(after));
    for path in old_paths.iter().filter(|path| !new_paths.contains(path)) {
        add(
            &kinds::SELECTABLE_FIELD_REMOVED,
            ".selectableFields",
            &format!("`{path}` can no longer be selected"),
        );
    }
    for path in new_paths.iter().filter(|path| !old_paths.contains(path)) {
        add(
            &kinds::SELECTABLE_FIELD_ADDED,
            ".selectableFields",
            &format!("`{path}` can be selected"),
        );
    }
    let columns =
        |version: &Version| version.additional_printer_columns.clone().unwrap_or_default();
    let (old_columns, new_columns) = (columns(before), columns(after));
    for column in &old_columns {
        match new_columns.iter().find(|other| other.name == column.name) {
            Some(other) if other == column => {}
            Some(_) => {
                let message = format!("the column `{}` shows something else", column.name);
                add(&kinds::COLUMN_CHANGED, ".additionalPrinterColumns", &message);
            }
            None => {
                let message = format!("the column `{}` is gone", column.name);
                add(&kinds::COLUMN_CHANGED, ".additionalPrinterColumns", &message);
            }
        }
    }
    for column in new_columns
        .iter()
        .filter(|column| old_columns.iter().all(|other| other.name != column.name))
    {
        let message = format!("the column `{}` is new", column.name);
        add(&kinds::COLUMN_ADDED, ".additionalPrinterColumns", &message);
    }
}

/// Adds what the server says of the update: to the change that is at the same field, or as one of its own.
fn refused(old: &Definition, new: &Definition, out: &mut Vec<Change>) {
    let (mut old, mut new) = (old.clone(), new.clone());
    catalog::complete_update(&mut new, &old);
    let stored: Vec<String> = stored_versions(&old).into_iter().map(str::to_owned).collect();
    let status = old.status.get_or_insert_default();
    status.stored_versions = stored;
    // The scope and the names of a definition that is in use are immutable.
    status.conditions.push(json!({"type": "Established", "status": "True"}));
    for error in &definition::validate_update(&new, &old) {
        let text = error.to_string();
        let witness = Some(Witness::Definition { error: text.clone() });
        let explains = |change: &&mut Change| {
            let is_stored = change.kind == &kinds::STORED_VERSION_REMOVED;
            let is_here = change.site.steps.is_empty() && change.site.new_field == error.field;
            is_here || is_stored && error.field.starts_with("status.storedVersions")
        };
        if let Some(change) = out.iter_mut().find(explains) {
            change.witness = witness;
            continue;
        }
        let mut change = Change::new(
            &kinds::DEFINITION_REFUSED,
            &Site::of_field(error.field.clone()),
            "the server refuses the update",
        );
        (change.witness, change.after) = (witness, Some(Value::from(text)));
        out.push(change);
    }
}
