//! Updates `metadata.managedFields` on each write, as the server does.
//!
//! Source: apimachinery 0.37.2 `pkg/util/managedfields/internal` (one function here for each of its managers) and
//! structured-merge-diff 6.4.2 `merge/update.go`.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::mem;
use std::sync::Arc;

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::{Map, Value};

use super::apply::{self, BEFORE_FIRST_APPLY};
use super::compare::FieldComparison;
use super::field_set::FieldSet;
use super::granularity::PlaceType;
use super::managers::{self, Conflict, Manager, Managers, Owned};
use super::pruning::Pruning;
use super::{last_applied, merge, owned, reconcile, valid};
use crate::differences::Difference;
use crate::{json, model::JsonSchemaProps};

/// The maximum number of managers with the operation `Update`; beyond it, the oldest are merged.
/// Source: `DefaultMaxUpdateManagers`.
const MAX_UPDATERS: usize = 10;
/// The name of the manager that the oldest are merged into. Source: `internal/capmanagers.go`.
const ANCIENT: &str = "ancient-changes";

/// Converts an object to another version, and returns it with the schema of that version; `None` if the version does
/// not exist. The error is the reason why the conversion failed.
pub type InVersion<'a> =
    &'a dyn Fn(&Value, &str) -> Result<Option<(Value, Arc<JsonSchemaProps>)>, String>;

/// The parameters of a write.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "a field is a function")]
pub struct Tracker<'a> {
    /// The schema of whole objects in the version of the request.
    pub schema: &'a JsonSchemaProps,
    /// The version of the server whose behaviour is reproduced.
    pub kubernetes: KubernetesVersion,
    /// The version of the request, such as `example.com/v1`.
    pub api_version: &'a str,
    /// The subresource that is written, `status` or `scale`; empty for the object itself.
    pub subresource: &'a str,
    /// The paths of the fields that the request does not change, such as `spec` and `metadata.labels`.
    pub reset: &'a [&'a str],
    /// The time of the write, in RFC 3339 with a precision of one second.
    pub now: &'a str,
    /// The object that a new one is compared with. `None` stands for an object with only `apiVersion` and `kind`.
    pub blank: Option<&'a Value>,
    /// Converts objects to the versions that other managers have written in.
    pub in_version: InVersion<'a>,
}

/// The reason why an apply is rejected.
#[derive(Debug)]
pub enum ApplyError {
    /// The managed fields of the stored object cannot be decoded.
    Unreadable,
    /// The configuration does not match the schema. Each message names the path.
    Untyped(Vec<String>),
    /// Other managers own fields with other values.
    Conflicts(Vec<Conflict>),
    /// An object could not be converted to the version of another manager, for this reason.
    Unconverted(String),
}

impl Tracker<'_> {
    /// Updates the managed fields of `new`, with which `manager` has replaced `live`.
    ///
    /// If the owners cannot be determined, newer servers keep the managed fields of `live`; older ones remove them.
    ///
    /// Source: `FieldManager.UpdateNoErrors` in `internal/fieldmanager.go`.
    pub fn update(&self, live: Option<&Value>, new: &mut Value, manager: &str) {
        let of_live = || live.and_then(managers::of).unwrap_or_default();
        let mut managers = if !self.subresource.is_empty() {
            of_live()
        } else if is_reset(new) {
            Managers::new()
        } else {
            managers::of(new).filter(|found| !found.is_empty()).unwrap_or_else(of_live)
        };
        remove(new);
        // Source: `internal/skipnonapplied.go`: an existing object without managed fields remains without them.
        if managers.is_empty() && live.is_some() {
            return;
        }
        let is_typed = |object: &Value| valid::is_typed(PlaceType::root(self.schema), object);
        // Source: `typeConverter.ObjectToTyped`: the schema is found by the kind, which may be wrong in the body of a
        // subresource.
        let is_kind_known = live.is_none_or(|live| live.get("kind") == new.get("kind"));
        let are_typed = is_kind_known && is_typed(new) && live.is_none_or(is_typed);
        let empty = self.empty(new);
        let manager = Manager::updater(manager, self.api_version, self.subresource);
        if !are_typed || self.record(live.unwrap_or(&empty), new, &mut managers, manager).is_err() {
            self.keep(live, new);
            return;
        }
        cap(&mut managers);
        encode(&managers, new);
    }

    /// Sets the managed fields of the stored object again, if the server keeps them. Source:
    /// `FieldManager.UpdateNoErrors`.
    fn keep(&self, live: Option<&Value>, new: &mut Value) {
        let kept = live.and_then(|live| live.pointer("/metadata/managedFields"));
        if let (Some(kept), true) =
            (kept, Difference::UntrackedWritesKeepManagers.is_in(self.kubernetes))
            && let Some(Value::Object(metadata)) = new.get_mut("metadata")
        {
            metadata.insert("managedFields".to_owned(), kept.clone());
        }
    }

    /// Applies a configuration to `live`, or creates an object from it. Returns the result before defaults are set.
    ///
    /// # Errors
    /// Returns the reason if the apply is rejected.
    pub fn apply(
        &self,
        live: Option<&Value>,
        config: &Value,
        manager: &str,
        force: bool,
    ) -> Result<Value, ApplyError> {
        let ty = PlaceType::root(self.schema);
        let wrong = valid::problems(ty, config);
        if !wrong.is_empty() {
            return Err(ApplyError::Untyped(wrong));
        }
        let empty = apply::empty_like(config);
        let mut before = live.unwrap_or(&empty).clone();
        let mut managers = managers::of(&before).ok_or(ApplyError::Unreadable)?;
        remove(&mut before);
        let reset = apply::reset_fields(self.reset);
        if managers.is_empty() && live.is_some() {
            let fields = apply::before_first_apply(ty, &self.empty(config), &before, &reset);
            if !fields.is_empty() {
                let manager =
                    Manager::updater(BEFORE_FIRST_APPLY, self.api_version, self.subresource);
                managers.insert(manager, self.owned(fields));
            }
        }
        self.reconcile(&before, &mut managers).map_err(ApplyError::Unconverted)?;
        let applier = Manager::applier(manager, self.subresource);
        let fields = owned::fields_of(ty, config).recursive_difference(&reset);
        let emptied = owned::Emptied::of(self.kubernetes);
        let owned = self.owned(fields);
        let last_time = managers.get(&applier).and_then(|owned| owned.time.clone());
        let merged = merge::merge(ty, &before, config);
        let mut new = match managers.insert(applier.clone(), owned) {
            Some(last) if !last.fields.is_empty() => {
                let in_version = |object: &Value, version: &str| self.converted(object, version);
                let pruning = Pruning {
                    managers: &managers,
                    last: &last,
                    version: self.api_version,
                    emptied,
                    in_version: &in_version,
                };
                let pruned = pruning.prune(merged);
                pruned.map_err(|why| {
                    ApplyError::Unconverted(format!("failed to prune fields: {why}"))
                })?
            }
            _ => merged,
        };
        // Source: `internal/managedfieldsupdater.go`: a manager gets a new time only if it has changed the object.
        if json::equal(&new, &before)
            && let Some(owned) = managers.get_mut(&applier)
        {
            owned.time = last_time;
        }
        let taken_over =
            last_applied::taken_over(ty, self.api_version, live.unwrap_or(&empty), manager);
        let lost =
            self.lost(&before, &new, &managers, &applier).map_err(ApplyError::Unconverted)?;
        let mut conflicts: Vec<Conflict> = Vec::new();
        for (manager, Lost { changed, .. }) in &lost {
            let fields = changed.clone().difference(&taken_over).paths();
            conflicts.extend(
                fields.into_iter().map(|field| Conflict { manager: manager.clone(), field }),
            );
        }
        if !conflicts.is_empty() && !force {
            return Err(ApplyError::Conflicts(conflicts));
        }
        give_up(&mut managers, &lost);
        strip(&mut managers, &applier);
        last_applied::update(&mut new, config, manager);
        encode(&managers, &mut new);
        Ok(new)
    }

    /// Returns the object that a new one is compared with.
    fn empty(&self, new: &Value) -> Value {
        self.blank.cloned().unwrap_or_else(|| apply::empty_like(new))
    }

    fn owned(&self, fields: FieldSet) -> Owned {
        let time = Some(Value::from(self.now));
        Owned { api_version: self.api_version.to_owned(), fields, time }
    }

    /// Gives the fields that have changed to `manager`, and takes them from the others.
    ///
    /// Source: `internal/managedfieldsupdater.go` and `Updater.Update`.
    ///
    /// # Errors
    /// Returns an error if an object does not match its schema or cannot be converted.
    fn record(
        &self,
        live: &Value,
        new: &Value,
        managers: &mut Managers,
        manager: Manager,
    ) -> Result<(), String> {
        let mut before = live.clone();
        remove(&mut before);
        self.reconcile(&before, managers)?;
        for object in [new, &before] {
            let problems = valid::problems_except_duplicates(PlaceType::root(self.schema), object);
            if let Some(problem) = problems.into_iter().next() {
                return Err(problem);
            }
        }
        // No manager is exempt: the writer's own previous entry also loses the fields that have changed.
        let nobody = Manager::applier("", "");
        let lost = self.lost(&before, new, managers, &nobody)?;
        give_up(managers, &lost);
        let reset = apply::reset_fields(self.reset);
        let changed =
            FieldComparison::of(PlaceType::root(self.schema), &before, new).into_changed();
        let changed = changed.recursive_difference(&reset).difference(&apply::UNOWNED);
        if changed.is_empty() {
            return Ok(());
        }
        let fields = match managers.get(&manager) {
            Some(previous) => changed.union(&previous.fields),
            None => changed,
        };
        managers.insert(manager, self.owned(fields));
        Ok(())
    }

    /// Adapts the owned fields to the schemas, which may have changed since. Source:
    /// `reconcileManagedFieldsWithSchemaChanges`.
    ///
    /// # Errors
    /// Returns an error if the object cannot be converted to the version of a manager.
    fn reconcile(&self, live: &Value, managers: &mut Managers) -> Result<(), String> {
        let mut schemas: BTreeMap<String, Option<Arc<JsonSchemaProps>>> = BTreeMap::new();
        for owned in managers.values_mut() {
            if owned.api_version == self.api_version {
                owned.fields = reconcile::reconcile(PlaceType::root(self.schema), &owned.fields);
                continue;
            }
            let schema = match schemas.entry(owned.api_version.clone()) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(unknown) => {
                    let converted = self.converted(live, &owned.api_version)?;
                    unknown.insert(converted.map(|(_, schema)| schema))
                }
            };
            if let Some(schema) = schema {
                owned.fields = reconcile::reconcile(PlaceType::root(schema), &owned.fields);
            }
        }
        Ok(())
    }

    /// Returns the fields that each manager except `except` loses when `new` replaces `live`. Managers that have
    /// written in a version that no longer exists lose all their fields. Source: `Updater.update`.
    fn lost(
        &self,
        live: &Value,
        new: &Value,
        managers: &Managers,
        except: &Manager,
    ) -> Result<Vec<(Manager, Lost)>, String> {
        let mut compared: BTreeMap<&str, Option<FieldComparison>> = BTreeMap::new();
        let mut lost = Vec::new();
        for (manager, owned) in managers.iter().filter(|(manager, _)| *manager != except) {
            let comparison = match compared.entry(&owned.api_version) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(unknown) => {
                    unknown.insert(self.compared(live, new, &owned.api_version)?)
                }
            };
            let Some(comparison) = comparison else {
                let all = Lost { removed: owned.fields.clone(), ..Lost::default() };
                lost.push((manager.clone(), all));
                continue;
            };
            let changed = owned.fields.intersection(&comparison.changed());
            let removed = owned.fields.intersection(&comparison.removed);
            if !changed.is_empty() || !removed.is_empty() {
                lost.push((manager.clone(), Lost { changed, removed }));
            }
        }
        Ok(lost)
    }

    /// Converts an object to a version, and returns it with the schema of that version; `None` if the version no longer
    /// exists.
    ///
    /// Source: `versionConverter.Convert` of `internal/versionconverter.go`: unlike the objects of the request, a
    /// converted one may not have duplicate items.
    fn converted(
        &self,
        object: &Value,
        version: &str,
    ) -> Result<Option<(Value, Arc<JsonSchemaProps>)>, String> {
        let is_converted = object.get("apiVersion").is_none_or(|found| found != version);
        let Some((object, schema)) = (self.in_version)(object, version)? else {
            return Ok(None);
        };
        if !is_converted {
            return Ok(Some((object, schema)));
        }
        match valid::problems(PlaceType::root(&schema), &object).as_slice() {
            [] => Ok(Some((object, schema))),
            [only] => Err(only.clone()),
            many => Err(format!("errors:\n  {}", many.join("\n  "))),
        }
    }

    /// Compares two objects in a version; `None` if the version no longer exists.
    fn compared(
        &self,
        live: &Value,
        new: &Value,
        version: &str,
    ) -> Result<Option<FieldComparison>, String> {
        let is_own = version == self.api_version;
        let all = if is_own {
            FieldComparison::of(PlaceType::root(self.schema), live, new)
        } else {
            let failed =
                |which: &str, why: String| format!("failed to convert {which} object: {why}");
            let old = self.converted(live, version).map_err(|why| failed("old", why))?;
            let Some((live, schema)) = old else { return Ok(None) };
            let new = self.converted(new, version).map_err(|why| failed("new", why))?;
            let Some((new, _)) = new else { return Ok(None) };
            FieldComparison::of(PlaceType::root(&schema), &live, &new)
        };
        if !is_own && !apply::resets_in_all_versions(self.kubernetes, self.subresource) {
            return Ok(Some(all));
        }
        let reset = apply::reset_fields(self.reset);
        Ok(Some(FieldComparison {
            removed: all.removed.recursive_difference(&reset),
            modified: all.modified.recursive_difference(&reset),
            added: all.added.recursive_difference(&reset),
        }))
    }
}

/// The fields that a manager loses.
#[derive(Debug, Default)]
struct Lost {
    /// Fields whose value has changed.
    changed: FieldSet,
    /// Fields that have been removed.
    removed: FieldSet,
}

/// Takes the lost fields from their managers, and drops managers without fields.
fn give_up(managers: &mut Managers, lost: &[(Manager, Lost)]) {
    for (manager, Lost { changed, removed }) in lost {
        if let Some(owned) = managers.get_mut(manager) {
            owned.fields = mem::take(&mut owned.fields).difference(changed).difference(removed);
        }
    }
    managers.retain(|_, owned| !owned.fields.is_empty());
}

/// Takes from a manager the fields that no manager can own. Source: `internal/stripmeta.go`.
fn strip(managers: &mut Managers, manager: &Manager) {
    if let Some(owned) = managers.get_mut(manager) {
        owned.fields = mem::take(&mut owned.fields).difference(&apply::UNOWNED);
    }
    managers.retain(|_, owned| !owned.fields.is_empty());
}

/// Merges the oldest managers into one for each version. Source: `internal/capmanagers.go`.
fn cap(managers: &mut Managers) {
    let mut updaters: Vec<(String, Manager)> = managers
        .iter()
        .filter(|(manager, _)| !manager.applies())
        .map(|(manager, owned)| (time_of(owned).to_owned(), manager.clone()))
        .collect();
    updaters.sort();
    let mut left = updaters.len();
    let mut first: BTreeMap<String, Manager> = BTreeMap::new();
    for (_, manager) in updaters {
        if left <= MAX_UPDATERS {
            return;
        }
        let Some(version) = managers.get(&manager).map(|owned| owned.api_version.clone()) else {
            continue;
        };
        let Some(eldest) = first.get(&version) else {
            first.insert(version, manager);
            continue;
        };
        let bucket = Manager::updater(ANCIENT, &version, "");
        if !managers.contains_key(&bucket)
            && let Some(owned) = managers.remove(eldest)
        {
            managers.insert(bucket.clone(), owned);
        }
        if let Some(owned) = managers.remove(&manager)
            && let Some(ancient) = managers.get_mut(&bucket)
        {
            ancient.fields = mem::take(&mut ancient.fields).union(&owned.fields);
            ancient.time = owned.time;
            left -= 1;
        }
    }
}

/// Returns the time of an entry. Times in RFC 3339 and UTC sort as strings.
fn time_of(owned: &Owned) -> &str {
    owned.time.as_ref().and_then(Value::as_str).unwrap_or_default()
}

/// Returns whether the managed fields of an object ask to reset all managers. Source: `isResetManagedFields`.
fn is_reset(object: &Value) -> bool {
    match object.pointer("/metadata/managedFields").and_then(Value::as_array).map(Vec::as_slice) {
        Some([]) => true,
        Some([only]) => only.as_object().is_some_and(Map::is_empty),
        _ => false,
    }
}

fn remove(object: &mut Value) {
    if let Some(Value::Object(metadata)) = object.get_mut("metadata") {
        metadata.remove("managedFields");
    }
}

/// Writes the managers as `metadata.managedFields`. Source: `encodeManagedFields` and `sortEncodedManagedFields`.
fn encode(managers: &Managers, object: &mut Value) {
    remove(object);
    if managers.is_empty() {
        return;
    }
    let mut entries: Vec<(&Manager, &Owned)> = managers.iter().collect();
    entries.sort_by(|(a, a_owned), (b, b_owned)| {
        b.applies()
            .cmp(&a.applies())
            .then_with(|| time_of(a_owned).cmp(time_of(b_owned)))
            .then_with(|| a.name.cmp(&b.name))
            .then_with(|| a_owned.api_version.cmp(&b_owned.api_version))
            .then_with(|| a.subresource().cmp(b.subresource()))
    });
    let entries: Vec<Value> = entries
        .into_iter()
        .map(|(manager, owned)| {
            let mut entry = serde_json::json!({
                "manager": manager.name,
                "operation": if manager.applies() { "Apply" } else { "Update" },
                "apiVersion": owned.api_version,
                "fieldsType": "FieldsV1",
                "fieldsV1": owned.fields.to_value(),
            });
            if let Value::Object(entry) = &mut entry {
                if manager.name.is_empty() {
                    entry.remove("manager");
                }
                if let Some(time) = &owned.time {
                    entry.insert("time".to_owned(), time.clone());
                }
                if !manager.subresource().is_empty() {
                    entry.insert("subresource".to_owned(), manager.subresource().into());
                }
            }
            entry
        })
        .collect();
    if let Value::Object(object) = object {
        let metadata = object.entry("metadata").or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(metadata) = metadata {
            metadata.insert("managedFields".to_owned(), entries.into());
        }
    }
}

#[cfg(test)]
mod tests;
