//! Compares versions: each version of OLD with that of NEW, and the versions of NEW with each other.

use std::io;

use crd_engine::convert::{Converter, RoundTrip, RoundTripError};

use super::change::{Change, Site, Witness};
use super::kinds::{self, Audience, Level};
use super::side::Side;
use super::{Compared, objects, schema, search, webhook};
use crate::field::Path;
use crate::model::{CustomResourceDefinition, JsonSchemaProps};
use crate::{pipeline, ruleset, schemas, versions};

/// The largest number of objects of each version that are converted there and back.
const MOST_CONVERTED: u64 = 1_000;

type Definition = CustomResourceDefinition;

/// Adds the changes of the schemas of each version that both definitions have.
///
/// # Errors
/// If a thread cannot be started.
pub(super) fn same(
    old: &Definition,
    new: &Definition,
    objects: u64,
    out: &mut Compared,
) -> io::Result<()> {
    for (index, before) in old.spec.versions.iter().enumerate() {
        let name = &before.name;
        let Some(at) = new.spec.versions.iter().position(|version| version.name == *name) else {
            continue;
        };
        let (Some(old_root), Some(new_root)) = (root(old, name), root(new, name)) else { continue };
        if old_root == new_root {
            continue;
        }
        let site = Site { steps: Vec::new(), old_field: field(index), new_field: field(at) };
        let mut changes = Vec::new();
        schema::compare(old_root, new_root, &site, &mut changes);
        let version = &new.spec.versions[at];
        let is_read = before.served && version.served || before.storage && version.storage;
        match (Side::of(old, name), Side::of(new, name)) {
            // Nobody has written or stored objects of the version; that it is no longer served is reported itself.
            _ if !is_read => changes.iter_mut().for_each(|change| change.level = Level::Compatible),
            (Ok(before), Ok(after)) => {
                costs(&mut changes, (&before, &site.old_field), (&after, &site.new_field));
                show(&mut changes, &before, &after)?;
                if objects > 0 {
                    objects::compare(&before, &after, &site.new_field, objects, &mut changes)?;
                }
            }
            (Err(error), _) | (_, Err(error)) => {
                for change in &mut changes {
                    change.unshown = Some(format!("a schema does not compile: {error}"));
                }
            }
        }
        for change in &mut changes {
            name.clone_into(&mut change.version);
        }
        out.changes.extend(changes);
    }
    Ok(())
}

/// Searches what shows each change.
fn show(changes: &mut [Change], from: &Side, to: &Side) -> io::Result<()> {
    pipeline::run(changes.iter_mut(), |change| search::show(change, from, to), |()| Ok(()))
}

/// Adds the differences between served versions of NEW that those of OLD did not have. Nothing converts between them
/// but the name of the version; with a webhook, it decides.
///
/// # Errors
/// If a thread cannot be started.
pub(super) fn served(old: &Definition, new: &Definition, out: &mut Compared) -> io::Result<()> {
    let known = between(old);
    for (pair, mut changes) in between(new) {
        let before =
            known.iter().find(|(other, _)| *other == pair).map(|(_, changes)| changes.as_slice());
        changes.retain(|change| {
            let is_known = |other: &Change| {
                other.kind == change.kind
                    && other.site.steps == change.site.steps
                    && (&other.before, &other.after) == (&change.before, &change.after)
            };
            !before.unwrap_or_default().iter().any(is_known)
        });
        if changes.is_empty() {
            continue;
        }
        let (from_name, to_name) = pair;
        for change in &mut changes {
            change.version = format!("{from_name} -> {to_name}");
        }
        if let (Ok(from), Ok(to)) = (Side::of(new, &from_name), Side::of(new, &to_name)) {
            show(&mut changes, &from, &to)?;
        }
        for change in &mut changes {
            // Nobody has written such a field through the older version yet.
            if versions::priority(&from_name, &to_name).is_lt()
                && matches!(change.level, Level::Certain | Level::Likely)
            {
                change.level = Level::Caution;
            }
        }
        out.changes.extend(changes);
    }
    Ok(())
}

/// What converts objects between the versions of a kind that has a conversion webhook.
#[derive(Debug, Clone, Copy)]
pub(super) struct Conversion<'c> {
    pub(super) registered: &'c [Converter],
    /// The URL of the webhook. It is preferred.
    pub(super) url: Option<&'c str>,
}

/// Adds what is known of the conversion by the webhook of NEW: the webhook, if its URL is given, or a registered
/// converter converts generated objects of each version there and back.
///
/// # Errors
/// If the webhook at the URL cannot be called, or converts too few objects.
pub(super) fn converted(
    new: &Definition,
    conversion: Conversion<'_>,
    objects: u64,
    out: &mut Compared,
) -> Result<(), String> {
    let site = Site::of_field("spec.conversion");
    let stored = new.spec.versions.iter().find(|version| version.storage);
    let Some(stored) = stored.filter(|_| has_webhook(new) && new.spec.versions.len() > 1) else {
        return Ok(());
    };
    let kind = (new.spec.group.as_str(), new.spec.names.kind.as_str());
    let Conversion { registered, url } = conversion;
    let converter = match url {
        Some(url) => Some(webhook::converter(url, new)?),
        None => registered.iter().find(|converter| converter.group_and_kind() == kind).cloned(),
    };
    let Some(converter) = converter else {
        let message = "a webhook converts the versions, and is not called; pass its URL with `--conversion-webhook`";
        out.changes.push(Change::new(&kinds::CONVERSION_UNKNOWN, &site, message));
        return Ok(());
    };
    let trip = RoundTrip::new(converter, new.clone(), &stored.name);
    let change = match trip.cases(objects.min(MOST_CONVERTED)).check() {
        Ok(counts) => {
            let message = format!("{} generated objects come back unchanged", counts.kept);
            Change::new(&kinds::CONVERSION_COMPARED, &site, message)
        }
        Err(RoundTripError::Lost { versions: (from, to), object, between, back }) => {
            let mut change = Change::new(
                &kinds::CONVERSION_LOSES,
                &site,
                "an object does not come back unchanged",
            );
            change.version = format!("{from} -> {to}");
            let (object, between, back) = (*object, *between, back.map(|back| *back));
            change.witness = Some(Witness::Converted { object, between, back });
            change
        }
        Err(RoundTripError::TooFew { reason, .. }) if url.is_some() => {
            return Err(format!("{}: the webhook converts too few objects: {reason}", out.name));
        }
        Err(other) => Change::new(&kinds::CONVERSION_UNKNOWN, &site, other.to_string()),
    };
    out.changes.push(change);
    Ok(())
}

fn has_webhook(crd: &Definition) -> bool {
    crd.spec.conversion.as_ref().is_some_and(|conversion| conversion.strategy == "Webhook")
}

/// Returns the differences between each two served versions, in both directions.
fn between(crd: &Definition) -> Vec<((String, String), Vec<Change>)> {
    let converts = has_webhook(crd);
    let served: Vec<(usize, &String)> = crd
        .spec
        .versions
        .iter()
        .enumerate()
        .filter(|(_, version)| version.served && !converts)
        .map(|(index, version)| (index, &version.name))
        .collect();
    let mut out = Vec::new();
    for (index, from) in &served {
        for (other, to) in served.iter().filter(|(other, _)| other != index) {
            let (Some(before), Some(after)) = (root(crd, from), root(crd, to)) else { continue };
            // The place is that of the version that the object is read in.
            let site =
                Site { steps: Vec::new(), old_field: field(*index), new_field: field(*other) };
            let mut changes = Vec::new();
            schema::compare(before, after, &site, &mut changes);
            let matters = |change: &Change| {
                change.grades().has(Audience::Writers) && change.level != Level::Compatible
            };
            changes.retain(matters);
            out.push((((*from).clone(), (*to).clone()), changes));
        }
    }
    out
}

fn root<'d>(crd: &'d Definition, version: &str) -> Option<&'d JsonSchemaProps> {
    schemas::of_version(crd.spec.versions.iter().find(|found| found.name == version)?)
}

fn field(index: usize) -> String {
    format!("spec.versions[{index}].schema.openAPIV3Schema")
}

/// Sets the estimated costs of rules that have changed.
fn costs(changes: &mut [Change], old: (&Side, &str), new: (&Side, &str)) {
    if changes.iter().all(|change| change.rules.is_empty()) {
        return;
    }
    let estimate = |(side, field): (&Side, &str)| {
        let (structural, kubernetes) = (side.compiled.structural(), side.compiled.kubernetes());
        structural
            .map(|structural| ruleset::estimate(structural, &Path::new(field), kubernetes))
            .unwrap_or_default()
    };
    let (before, after) = (estimate(old), estimate(new));
    for change in changes.iter_mut().filter(|change| !change.rules.is_empty()) {
        let of = |reports: &[ruleset::RuleReport], field: &str, is_there: bool| {
            let found = reports.iter().find(|report| is_there && report.path == field);
            found.map(ruleset::RuleReport::total)
        };
        change.cost = Some((
            of(&before, &change.site.old_field, change.before.is_some()),
            of(&after, &change.site.new_field, change.after.is_some()),
        ));
    }
}
