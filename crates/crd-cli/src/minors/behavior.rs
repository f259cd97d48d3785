//! Finds what minors accept, but treat differently from the newest known one.

use std::collections::BTreeMap;

use crd_cel::kubernetes::KubernetesVersion;

use super::formats;
use crate::differences::Difference;
use crate::field::Path;
use crate::kubernetes::Minors;
use crate::model::{CustomResourceDefinition, CustomResourceDefinitionVersion};
use crate::ruleset::{self, ChangedRule, Effect, RULE_COST_LIMIT, RuleReport};
use crate::schema::Structural;
use crate::schemas;
use crate::verdict::Incompatibility;
use crate::{Server, definition};

/// Returns all differences, of all minors.
pub(super) fn find(
    crd: &CustomResourceDefinition,
    old: Option<&CustomResourceDefinition>,
    minors: &Minors,
) -> Vec<Incompatibility> {
    let mut found = Vec::new();
    dropped(crd, old, minors, &mut found);
    for (index, version) in crd.spec.versions.iter().enumerate() {
        let path = format!("spec.versions[{index}]");
        ratcheting(version, &path, minors, &mut found);
        formats::find(version, &path, minors, &mut found);
        rules(crd, version, &path, minors, &mut found);
    }
    found
}

/// Adds the fields that a minor drops when the definition is written.
fn dropped(
    crd: &CustomResourceDefinition,
    old: Option<&CustomResourceDefinition>,
    minors: &Minors,
    found: &mut Vec<Incompatibility>,
) {
    for &minor in minors.all() {
        let stored = match old {
            Some(old) => definition::for_update(crd, old, minor).0,
            None => definition::for_create(crd, minor),
        };
        for (index, (version, stored)) in
            crd.spec.versions.iter().zip(&stored.spec.versions).enumerate()
        {
            let has = version.selectable_fields.as_ref().is_some_and(|fields| !fields.is_empty());
            if has && stored.selectable_fields.is_none() {
                let field = format!("spec.versions[{index}].selectableFields");
                let since = Difference::SelectableFields.minor();
                let message = format!(
                    "the server drops this field, so that field selectors are limited to `metadata.name` \
                     and `metadata.namespace`; it needs Kubernetes 1.{since}"
                );
                found.push(Incompatibility::new(minor, false, &field, message));
            }
        }
    }
}

/// Adds the minors that do not ratchet updates of the status.
fn ratcheting(
    version: &CustomResourceDefinitionVersion,
    path: &str,
    minors: &Minors,
    found: &mut Vec<Incompatibility>,
) {
    let has_status = schemas::has_status(version);
    let schema = schemas::of_version(version);
    let is_declared = schema.is_some_and(|schema| {
        schema.properties.as_ref().is_some_and(|properties| properties.contains_key("status"))
    });
    if !has_status || !is_declared {
        return;
    }
    let difference = Difference::RatchetedStatus;
    for &minor in minors.all().iter().filter(|minor| !difference.is_in(**minor)) {
        let message = format!(
            "the server rejects an update of the status even if it leaves the invalid values of the \
             status unchanged; such an update needs Kubernetes 1.{}",
            difference.minor()
        );
        found.push(Incompatibility::new(
            minor,
            false,
            &format!("{path}.subresources.status"),
            message,
        ));
    }
}

/// Adds the rules whose values, costs or estimates differ.
fn rules(
    crd: &CustomResourceDefinition,
    version: &CustomResourceDefinitionVersion,
    path: &str,
    minors: &Minors,
    found: &mut Vec<Incompatibility>,
) {
    let newest = KubernetesVersion::NEWEST;
    let Ok(schema) = Server::of(newest).compile(crd, &version.name) else { return };
    let Some(structural) = schema.structural() else { return };
    let path = format!("{path}.schema.openAPIV3Schema");
    let path = Path::new(&path);
    for rule in ruleset::changed_rules(structural, &path) {
        let ChangedRule { path, change, effect } = rule;
        let differs = match effect {
            Effect::Value => "have another result",
            Effect::Cost => "have another cost",
        };
        let what = change.description().trim_end_matches('.');
        for &minor in minors.all().iter().filter(|minor| !change.is_in(**minor)) {
            let message = format!("may {differs} since Kubernetes 1.{}: {what}", change.minor());
            found.push(Incompatibility::new(minor, false, &path, message));
        }
    }
    estimates(structural, &path, minors, found);
}

/// Adds the rules whose estimated costs differ.
fn estimates(
    structural: &Structural,
    path: &Path<'_>,
    minors: &Minors,
    found: &mut Vec<Incompatibility>,
) {
    let newest = KubernetesVersion::NEWEST;
    let mut reports: BTreeMap<KubernetesVersion, Vec<RuleReport>> = BTreeMap::new();
    for minor in KubernetesVersion::ALL {
        if minor >= minors.all().first().copied().unwrap_or(newest) {
            reports.insert(minor, ruleset::estimate(structural, path, minor));
        }
    }
    let Some(reference) = reports.get(&newest) else { return };
    for (nth, rule) in reference.iter().enumerate().filter(|(_, rule)| rule.error.is_none()) {
        for &minor in minors.all() {
            let on =
                |minor: KubernetesVersion| reports.get(&minor).and_then(|rules| rules.get(nth));
            let Some(here) = on(minor) else { continue };
            let limit = RULE_COST_LIMIT;
            let is_rejected = here.error.is_some() || here.total() > limit || rule.total() > limit;
            if is_rejected || here.total() == rule.total() {
                continue;
            }
            let is_same = |later: &KubernetesVersion| {
                *later > minor && on(*later).is_some_and(|later| later.total() == rule.total())
            };
            let since = KubernetesVersion::ALL.into_iter().find(is_same).unwrap_or(newest);
            let field = format!("{}.rule", rule.path);
            let message = format!(
                "has an estimated cost of {} here, and of {} since Kubernetes {since}; the limit is {limit}",
                here.total(),
                rule.total()
            );
            found.push(Incompatibility::new(minor, false, &field, message));
        }
    }
}
