//! The checks that depend on the stored definition. A new definition must pass most of them, a changed one those that
//! the stored one passes. Immutable names and the certificates of a webhook are checked only if the stored definition
//! is established.
//!
//! Source: `pkg/apis/apiextensions/validation/validation.go`, `validationOptions` and the functions that
//! fill it in.

use std::collections::BTreeSet;

use crd_cel::kubernetes::KubernetesVersion;

use super::internal::Internal;
use super::{conversion, equal, lists, search, selectable};
use crate::compile::prune_defaults;
use crate::compiled::{CompiledSchema, Dialect, Resource};
use crate::differences::Difference;
use crate::field::{Path, Sink};
use crate::model::{CustomResourceDefinition, JsonSchemaProps};
use crate::ruleset::StoredTexts;
use crate::schema::{Structural, is_structural};

/// Which of these checks a definition must pass. A flag is `true` if its check is made.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a check")]
pub(super) struct Options {
    /// A webhook has a review version that the server supports.
    pub(super) known_review_version: bool,
    /// Scope and kind are immutable.
    pub(super) immutable_names: bool,
    /// Every version has a schema.
    pub(super) schemas: bool,
    /// Types are types of OpenAPI.
    pub(super) valid_types: bool,
    /// Schemas are structural.
    pub(super) structural: bool,
    /// Defaults have no fields that are pruned.
    pub(super) pruned_defaults: bool,
    /// The items of a set are atomic.
    pub(super) atomic_sets: bool,
    /// The items of a set or list map cannot be null; the keys of a list map are required or have defaults and
    /// cannot be null.
    pub(super) map_keys: bool,
    /// The certificates of a webhook can be parsed.
    pub(super) ca_bundle: bool,
    /// The names of the versions that may have too many selectable fields; the empty name stands for the fields that
    /// all versions share.
    pub(super) many_selectable_fields: BTreeSet<String>,
    /// The names of the versions whose schema has not changed.
    pub(super) unchanged_versions: BTreeSet<String>,
    /// The expressions of the definition that is replaced; `None` for a new one.
    pub(super) stored: Option<StoredTexts>,
    /// The server that checks.
    pub(super) kubernetes: KubernetesVersion,
}

impl Options {
    /// The checks of a new definition.
    pub(super) fn create(kubernetes: KubernetesVersion) -> Self {
        Self {
            known_review_version: true,
            immutable_names: false,
            schemas: true,
            valid_types: true,
            structural: true,
            pruned_defaults: true,
            atomic_sets: true,
            map_keys: true,
            // The definition is not established, so the webhook is not called.
            ca_bundle: false,
            many_selectable_fields: BTreeSet::new(),
            unchanged_versions: BTreeSet::new(),
            stored: None,
            kubernetes,
        }
    }

    /// The checks of a definition that replaces another.
    pub(super) fn update(
        new: &Internal<'_>,
        old: &Internal<'_>,
        kubernetes: KubernetesVersion,
    ) -> Self {
        let no_old_schema = |is: &dyn Fn(&JsonSchemaProps) -> bool| !old.schemas().any(is);
        let is_established = is_established(old.crd);
        Self {
            known_review_version: conversion::has_known_review_version_or_none(old.spec()),
            immutable_names: is_established,
            schemas: old.shared.props().is_some()
                || old.versions.iter().all(|version| version.parts.props().is_some()),
            valid_types: no_old_schema(&search::has_invalid_types),
            structural: no_old_schema(&is_not_structural),
            pruned_defaults: no_old_schema(&|schema| has_unpruned_defaults(schema, kubernetes)),
            atomic_sets: no_old_schema(&|schema| {
                search::any(schema, lists::is_set_of_non_atomic_items)
            }),
            map_keys: no_old_schema(&|schema| {
                search::any(schema, |schema| {
                    let mut errors = Sink::counting();
                    lists::check_map_keys(schema, &Path::ROOT, &mut errors);
                    !errors.is_empty()
                })
            }),
            ca_bundle: Difference::CaBundles.is_in(kubernetes)
                && is_established
                && !conversion::has_invalid_ca_bundle(old.spec()),
            many_selectable_fields: if Difference::RatchetedSelectableFields.is_in(kubernetes) {
                many_selectable_fields(new, old)
            } else {
                BTreeSet::new()
            },
            unchanged_versions: unchanged_versions(new, old),
            stored: Some(stored_texts(old)),
            kubernetes,
        }
    }
}

/// Whether the names of a definition are accepted and its kind is served.
pub(super) fn is_established(crd: &CustomResourceDefinition) -> bool {
    crd.status.iter().flat_map(|status| &status.conditions).any(|condition| {
        condition.get("type").and_then(|type_| type_.as_str()) == Some("Established")
            && condition.get("status").and_then(|status| status.as_str()) == Some("True")
    })
}

fn is_not_structural(schema: &JsonSchemaProps) -> bool {
    match Structural::try_from(schema) {
        Ok(structural) => !is_structural(&structural),
        Err(_) => true,
    }
}

fn has_unpruned_defaults(schema: &JsonSchemaProps, kubernetes: KubernetesVersion) -> bool {
    if !search::has_defaults(schema) {
        return false;
    }
    let Ok(structural) = Structural::try_from(schema) else { return false };
    if !is_structural(&structural) {
        return false;
    }
    let resource = Resource::default();
    let mut schema = CompiledSchema::new(Some(structural), resource, Dialect::Defaults, kubernetes);
    prune_defaults(&mut schema) == Some(true)
}

/// Returns the rules and message expressions of the stored definition.
///
/// Source: `findPreexistingExpressions`.
fn stored_texts(old: &Internal<'_>) -> StoredTexts {
    let mut texts = StoredTexts::default();
    for schema in old.schemas() {
        search::each(schema, &mut |schema| {
            for rule in schema.x_validations.iter().flatten() {
                texts.rules.insert(rule.rule.clone());
                if !rule.message_expression.is_empty() {
                    texts.messages.insert(rule.message_expression.clone());
                }
            }
        });
    }
    texts
}

fn many_selectable_fields(new: &Internal<'_>, old: &Internal<'_>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let had_many = |fields: &[_]| fields.len() > selectable::MAX_SELECTABLE_FIELDS;
    if had_many(old.shared.selectable()) && old.shared.selectable() == new.shared.selectable() {
        names.insert(String::new());
    }
    for version in &new.versions {
        // Of several versions with the same name, the last is used.
        let old = old.versions.iter().rfind(|old| old.of.name == version.of.name);
        if let Some(old) = old
            && had_many(old.parts.selectable())
            && old.parts.selectable() == version.parts.selectable()
        {
            names.insert(version.of.name.clone());
        }
    }
    names
}

fn unchanged_versions(new: &Internal<'_>, old: &Internal<'_>) -> BTreeSet<String> {
    let names = new.versions.iter().map(|version| &version.of.name);
    names
        .filter(|name| match (new.schema_of(name), old.schema_of(name)) {
            (Ok(new), Ok(old)) => equal::schemas(new, old),
            _ => false,
        })
        .cloned()
        .collect()
}
