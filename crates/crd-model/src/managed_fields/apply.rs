//! Server-side apply: the object after a manager has applied a configuration.
//!
//! Source: structured-merge-diff 6.4.2 `merge/update.go`, and apimachinery 0.37.2
//! `pkg/util/managedfields/internal`, which calls it.

use std::sync::LazyLock;

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::{Value, json};

use super::compare::FieldComparison;
use super::field_set::FieldSet;
use super::granularity::PlaceType;
use super::managers::{self, Conflict, Manager, Owned};
use super::owned::Emptied;
use super::pruning::Pruning;
use super::{last_applied, merge, owned, reconcile, valid};
use crate::differences::Difference;
use crate::model::JsonSchemaProps;

/// The manager of the fields of an object that has no managed fields. Source: `internal/skipnonapplied.go`.
pub(super) const BEFORE_FIRST_APPLY: &str = "before-first-apply";
/// The fields of metadata that nobody owns. Source: `internal/stripmeta.go`.
const METADATA: [&str; 8] = [
    "name",
    "namespace",
    "creationTimestamp",
    "selfLink",
    "uid",
    "generation",
    "managedFields",
    "resourceVersion",
];

/// A configuration to apply, with its options.
#[derive(Debug, Clone, Copy)]
pub struct ApplyRequest<'a> {
    /// The schema of whole objects.
    pub schema: &'a JsonSchemaProps,
    /// The version of the server whose behaviour is reproduced.
    pub kubernetes: KubernetesVersion,
    /// The configuration, with `apiVersion`, `kind` and name.
    pub config: &'a Value,
    /// The manager that applies it.
    pub manager: &'a str,
    /// Whether it takes over fields that other managers own: `force`.
    pub force: bool,
    /// The empty string, or `status`.
    pub subresource: &'a str,
    /// Other versions of the kind with an equal schema, between which nothing is converted: `example.com/v2`.
    pub equivalent_versions: &'a [String],
    /// The top-level fields that the server does not change by this request.
    /// Source: `GetResetFields` of apiextensions-apiserver `pkg/registry/customresource`.
    pub reset: &'a [&'a str],
}

/// The result of an apply.
#[derive(Debug)]
pub enum SimulatedApply {
    /// The object, before defaults and validation.
    Applied(Value),
    /// Other managers own fields with other values.
    Conflicts(Vec<Conflict>),
    /// Only the server can decide.
    Unknown,
}

/// Applies a configuration to `live`, an object as the server returned it in the same version, or creates the object if
/// there is none.
///
/// Conversion between versions with equal schemas changes only `apiVersion`, so their fields are the same. Source:
/// `nopConverter` of apiextensions-apiserver `pkg/apiserver/conversion`.
pub fn simulate(request: &ApplyRequest<'_>, live: Option<&Value>) -> SimulatedApply {
    let ApplyRequest {
        schema,
        kubernetes,
        config,
        manager,
        force,
        subresource,
        equivalent_versions,
        reset,
    } = *request;
    let ty = PlaceType::root(schema);
    let Some(live) = live else {
        let is_valid = valid::is_valid(ty, config);
        return if is_valid { applied(config.clone(), request) } else { SimulatedApply::Unknown };
    };
    let version = config.get("apiVersion").and_then(Value::as_str).unwrap_or_default();
    let Some(mut managers) = managers::of(live) else { return SimulatedApply::Unknown };
    // Fields of another version have to be converted, which only the server can do. For a value that does not match the
    // schema, only the server has the text of the error.
    let is_in_other_version = managers.values().any(|owned| {
        owned.api_version != version && !equivalent_versions.contains(&owned.api_version)
    });
    if is_in_other_version || !valid::is_valid(ty, live) || !valid::is_valid(ty, config) {
        return SimulatedApply::Unknown;
    }
    let reset = reset_fields(reset);
    if managers.is_empty() {
        let before = before_first_apply(ty, &empty_like(live), live, &reset);
        if !before.is_empty() {
            let owned = Owned { api_version: version.to_owned(), fields: before, time: None };
            let manager = Manager::updater(BEFORE_FIRST_APPLY, version, subresource);
            managers.insert(manager, owned);
        }
    }
    for owned in managers.values_mut() {
        owned.fields = reconcile::reconcile(ty, &owned.fields);
    }
    let applier = Manager::applier(manager, subresource);
    let fields = owned::fields_of(ty, config).recursive_difference(&reset);
    let owned = Owned { api_version: version.to_owned(), fields, time: None };
    let merged = merge::merge(ty, live, config);
    let new = match managers.insert(applier.clone(), owned) {
        Some(last) if !last.fields.is_empty() => {
            let unchanged = |object: &Value, _: &str| Ok(Some((object.clone(), schema)));
            let pruning = Pruning {
                managers: &managers,
                last: &last,
                version,
                emptied: Emptied::of(kubernetes),
                in_version: &unchanged,
            };
            let Ok(pruned) = pruning.prune(merged) else { return SimulatedApply::Unknown };
            pruned
        }
        _ => merged,
    };
    let all_changed = FieldComparison::of(ty, live, &new).into_changed();
    let changed = all_changed.clone().recursive_difference(&reset);
    let is_reset_for = |owned: &Owned| {
        owned.api_version == version || resets_in_all_versions(kubernetes, subresource)
    };
    let taken_over = last_applied::taken_over(ty, version, live, manager);
    let conflicts: Vec<Conflict> = managers
        .into_iter()
        .filter(|(manager, _)| *manager != applier)
        .flat_map(|(manager, owned)| {
            let changed = if is_reset_for(&owned) { &changed } else { &all_changed };
            let fields = owned.fields.intersection(changed).difference(&taken_over).paths();
            fields.into_iter().map(move |field| Conflict { manager: manager.clone(), field })
        })
        .collect();
    if conflicts.is_empty() || force {
        applied(new, request)
    } else {
        SimulatedApply::Conflicts(conflicts)
    }
}

/// Returns the top-level fields of an object that a write of its status does not change. Source: `statusStrategy` of
/// apiextensions-apiserver `pkg/registry/customresource/status_strategy.go`, of each minor.
pub fn reset_by_status(kubernetes: KubernetesVersion) -> &'static [&'static str] {
    if Difference::StatusesIgnoreMetadata.is_in(kubernetes) {
        &["metadata", "spec"]
    } else {
        &["spec"]
    }
}

/// Returns whether a write leaves the reset fields to their owners in all versions of the kind, and not only in that of
/// the request.
/// Source: `getStatusResetFields` of apiextensions-apiserver `pkg/apiserver/customresource_handler.go`.
pub(super) fn resets_in_all_versions(kubernetes: KubernetesVersion, subresource: &str) -> bool {
    subresource == "status" && Difference::StatusesIgnoreInAllVersions.is_in(kubernetes)
}

/// Returns the set of fields with paths such as `metadata.labels`.
pub(super) fn reset_fields(paths: &[&str]) -> FieldSet {
    paths.iter().fold(FieldSet::default(), |mut set, path| {
        let names: Vec<&str> = path.split('.').collect();
        set.insert_fields(&names);
        set
    })
}

/// Returns the result of an apply, with an updated annotation of client-side apply.
fn applied(mut object: Value, request: &ApplyRequest<'_>) -> SimulatedApply {
    last_applied::update(&mut object, request.config, request.manager);
    SimulatedApply::Applied(object)
}

/// Returns the fields of `live` that `empty`, an object before its first write, does not have, without the reset fields
/// and those that no manager owns.
pub(super) fn before_first_apply(
    ty: PlaceType<'_>,
    empty: &Value,
    live: &Value,
    reset: &FieldSet,
) -> FieldSet {
    let all = FieldComparison::of(ty, empty, live).into_changed();
    all.recursive_difference(reset).difference(&UNOWNED)
}

/// Returns the object that a new one is compared with: it has only a version and a kind.
pub(super) fn empty_like(object: &Value) -> Value {
    json!({"apiVersion": object.get("apiVersion"), "kind": object.get("kind")})
}

/// The fields that no manager owns.
pub(super) static UNOWNED: LazyLock<FieldSet> = LazyLock::new(|| {
    let mut unowned = FieldSet::default();
    unowned.insert_fields(&["apiVersion"]);
    unowned.insert_fields(&["kind"]);
    unowned.insert_fields(&["metadata"]);
    for name in METADATA {
        unowned.insert_fields(&["metadata", name]);
    }
    unowned
});

#[cfg(test)]
mod tests;
