//! Removes the fields that a manager has applied before and does not apply now.
//!
//! Source: `Updater.prune` of structured-merge-diff 6.4.2 `merge/update.go`.

use std::collections::BTreeMap;
use std::ops::Deref;

use serde_json::Value;

use super::field_set::FieldSet;
use super::granularity::PlaceType;
use super::managers::{Managers, Owned};
use super::owned::{self, Emptied};
use crate::model::JsonSchemaProps;

/// Converts an object to a version, and returns it with the schema of that version; `None` if the version does not
/// exist.
type Convert<'a, S> = &'a dyn Fn(&Value, &str) -> Result<Option<(Value, S)>, String>;

/// The parameters of the removal. `S` points to the schema of a version.
pub(super) struct Pruning<'a, S> {
    /// The managers after the apply.
    pub(super) managers: &'a Managers,
    /// What the manager has applied before.
    pub(super) last: &'a Owned,
    /// The version that it applies now.
    pub(super) version: &'a str,
    pub(super) emptied: Emptied,
    pub(super) in_version: Convert<'a, S>,
}

impl<S: Deref<Target = JsonSchemaProps>> Pruning<'_, S> {
    /// Removes the fields that the manager has applied before, does not apply now, and that no other manager owns.
    ///
    /// The fields that each manager owns are added back in its version, and all objects in between are converted: a
    /// conversion gets objects that lack required fields.
    ///
    /// # Errors
    /// If an object cannot be converted.
    pub(super) fn prune(&self, merged: Value) -> Result<Value, String> {
        let version = &self.last.api_version;
        let converted = (self.in_version)(&merged, version).map_err(|why| {
            format!("failed to convert merged object to last applied version: {why}")
        })?;
        let Some((converted, schema)) = converted else { return Ok(merged) };
        let ty = PlaceType::root(&schema);
        let last = owned::with_properties(ty, &self.last.fields);
        let pruned = owned::without(ty, &converted, &last, self.emptied);
        let pruned = self
            .add_back_owned(&converted, pruned)
            .map_err(|why| format!("failed add back owned items: {why}"))?;
        let pruned = self
            .add_back_dangling(ty, converted, &pruned, &last)
            .map_err(|why| format!("failed add back dangling items: {why}"))?;
        Ok((self.in_version)(&pruned, self.version)?.map_or(pruned, |(object, _)| object))
    }

    /// Adds back the fields that a manager owns, with the values that contain them.
    fn add_back_owned(&self, merged: &Value, pruned: Value) -> Result<Value, String> {
        let mut managed: BTreeMap<&str, FieldSet> = BTreeMap::new();
        for owned in self.managers.values() {
            let all = managed.entry(&owned.api_version).or_default();
            *all = std::mem::take(all).union(&owned.fields);
        }
        // Upstream: the version that was applied before comes first, so that fields that other conversions require are
        // added back before them; the order of the others is random.
        let mut managed: Vec<(&str, FieldSet)> = managed.into_iter().collect();
        managed.sort_by_key(|(version, _)| *version != self.last.api_version);
        let (mut merged, mut pruned) = (merged.clone(), pruned);
        for (version, managed) in managed {
            let failed = |which: &str, why: String| {
                format!("failed to convert {which} object at version {version}: {why}")
            };
            let converted = (self.in_version)(&merged, version);
            let Some((all, schema)) = converted.map_err(|why| failed("merged", why))? else {
                continue;
            };
            merged = all;
            let converted = (self.in_version)(&pruned, version);
            let Some((part, _)) = converted.map_err(|why| failed("pruned", why))? else { continue };
            let ty = PlaceType::root(&schema);
            let kept = fields_of(ty, &part).union(&owned::with_properties(ty, &managed));
            let gone = fields_of(ty, &merged).difference(&kept);
            pruned = owned::without(ty, &merged, &gone, self.emptied);
        }
        Ok(pruned)
    }

    /// Adds back the fields that were removed with others and that the manager has not applied.
    fn add_back_dangling(
        &self,
        ty: PlaceType<'_>,
        merged: Value,
        pruned: &Value,
        last: &FieldSet,
    ) -> Result<Value, String> {
        let pruned = (self.in_version)(pruned, &self.last.api_version).map_err(|why| {
            format!("failed to convert pruned object to last applied version: {why}")
        })?;
        let Some((pruned, _)) = pruned else { return Ok(merged) };
        let gone = fields_of(ty, &merged).difference(&fields_of(ty, &pruned)).intersection(last);
        Ok(owned::without(ty, &merged, &gone, self.emptied))
    }
}

fn fields_of(ty: PlaceType<'_>, object: &Value) -> FieldSet {
    owned::with_properties(ty, &owned::fields_of(ty, object))
}
