//! Updates `metadata.managedFields` on each write.

use std::sync::{Arc, LazyLock};

use k8s_openapi::api::authorization::v1::SubjectAccessReview;
use k8s_openapi::api::autoscaling::v1::Scale;
use serde_json::{Value, json};

use super::call::Call;
use super::catalog::Catalog;
use super::core::Core;
use super::failure::{Answer, Failure};
use super::kind::{ServedKind, Strategy};
use super::scale_fields::{self, Replicas};
use super::target::Part;
use super::{definition, metadata, scale};
use crate::crd_schema::bridge;
use crate::json;
use crate::managed_fields::track::{ApplyError, Tracker};
use crate::managed_fields::{self, Conflict};
use crate::model::JsonSchemaProps;
use crd_cel::kubernetes::KubernetesVersion;

/// Updates the managed fields of `new`, with which `manager` replaces `live`, or which it creates if `live` is
/// `None`.
pub(super) fn track(
    core: &Core,
    call: &Call<'_>,
    live: Option<&Value>,
    new: &mut Value,
    manager: &str,
) {
    match live {
        Some(live) if call.part == Part::Scale => {
            track_scale(core, &call.kind, live, new, manager);
        }
        _ => track_as(core, &call.kind, call.part, live, new, manager),
    }
}

/// Updates the managed fields of an object when its scale is written.
fn track_scale(core: &Core, kind: &ServedKind, live: &Value, new: &mut Value, manager: &str) {
    let (Ok(before), Ok(mut after)) =
        (scale_with_entries(&core.catalog, kind, live), scale::get(kind, new))
    else {
        return;
    };
    track_replicas(core, &before, &mut after, manager);
    take_over_replicas(&core.catalog, kind, live, &after, new);
}

/// Updates the managed fields of a scale, with which `manager` replaces `before`.
pub(super) fn track_replicas(core: &Core, before: &Value, after: &mut Value, manager: &str) {
    with_scale_tracker(core, |tracker| tracker.update(Some(before), after, manager));
}

/// Sets the managed fields of an access review, which is not stored.
pub(super) fn track_review(core: &Core, review: &mut Value, version: &str, manager: &str) {
    let now = core.clock.text();
    // Upstream: an empty review already has a spec, so the manager does not own the field `spec` itself.
    let blank = json!({"spec": {}});
    let tracker = Tracker {
        schema: &REVIEW,
        kubernetes: core.catalog.kubernetes,
        api_version: version,
        subresource: "",
        reset: &[],
        now: &now,
        blank: Some(&blank),
        in_version: &|_, _| Ok(None),
    };
    tracker.update(None, review, manager);
}

/// Updates the managed fields of `new` as [`track`] does, also for a write that the server makes without a
/// request.
pub(super) fn track_as(
    core: &Core,
    kind: &ServedKind,
    part: Part,
    live: Option<&Value>,
    new: &mut Value,
    manager: &str,
) {
    with_tracker(core, kind, part, |tracker| tracker.update(live, new, manager));
}

/// Returns the result of an apply, before defaults are set.
///
/// # Errors
/// Status 400 if the configuration has managed fields, 409 if other managers own fields with other values, 500 if the
/// configuration does not match the schema.
pub(super) fn apply(
    core: &Core,
    call: &Call<'_>,
    live: Option<&Value>,
    config: &Value,
    manager: &str,
    force: bool,
) -> Answer<Value> {
    check_unmanaged(config)?;
    let applied = with_tracker(core, &call.kind, call.part, |tracker| {
        tracker.apply(live, config, manager, force)
    });
    // Go prints a `GroupVersionKind` in this format: `apps/v1, Kind=Deployment`, or `/v1, Kind=Pod`.
    let ServedKind { group, version, names, .. } = &*call.kind;
    let of = format!("{group}/{version}, Kind={}", names.kind);
    applied.map_err(|error| failure_of(error, config, &of))
}

/// Returns the result of applying a configuration to the scale of an object: the new scale, with its managed
/// fields.
///
/// # Errors
/// Returns the errors of [`apply`].
pub(super) fn apply_scale(
    core: &Core,
    call: &Call<'_>,
    live: &Value,
    config: &Value,
    manager: &str,
    force: bool,
) -> Answer<Value> {
    let before = scale_with_entries(&core.catalog, &call.kind, live)?;
    if call.kind.compiled().is_some() && !metadata::has(&before, "managedFields") {
        // Upstream: the server creates a manager for the fields that existed before the first apply. For that it
        // converts an empty scale as if it were the custom resource, which fails.
        return Err(Failure::bare(format!(
            "failed to create manager for existing fields: failed to convert live object (/; {0}, Kind=Scale) to \
             proper version: request to convert CR to an invalid group/version: {0}",
            scale_fields::API_VERSION
        )));
    }
    // Upstream: only after the manager for the fields that existed.
    check_unmanaged(config)?;
    let of = format!("{}, Kind=Scale", scale_fields::API_VERSION);
    let applied =
        with_scale_tracker(core, |tracker| tracker.apply(Some(&before), config, manager, force))
            .map_err(|error| failure_of(error, config, &of))?;
    // Upstream: an apply that changes nothing returns before the conversion.
    let without_entries = |scale: &Value| {
        let mut scale = scale.clone();
        metadata::of_mut(&mut scale).remove("managedFields");
        scale
    };
    // Upstream: a null among the applied metadata is a change, also if it is that of the managed fields.
    let has_null = metadata::of(config).is_some_and(|of| of.contains_key("managedFields"));
    let is_same = !has_null && json::equal(&without_entries(&applied), &without_entries(&before));
    if call.kind.compiled().is_none() || is_same {
        return Ok(applied);
    }
    // Upstream: the new scale is converted as if it were the custom resource, which fails.
    let text = |key| metadata::text(config, key);
    Err(Failure::bare(format!(
        "failed to convert new object ({}/{}; {of}) to proper version: request to convert CR to an invalid \
         group/version: {}",
        text("namespace"),
        text("name"),
        scale_fields::API_VERSION
    )))
}

/// Checks that an applied configuration has no managed fields.
///
/// Source: `structuredMergeManager.Apply` of apimachinery `pkg/util/managedfields/internal/structuredmerge.go`.
fn check_unmanaged(config: &Value) -> Answer<()> {
    if metadata::has(config, "managedFields") {
        return Err(Failure::bad_request("metadata.managedFields must be nil"));
    }
    Ok(())
}

/// Returns the scale of an object, with its managed fields.
pub(super) fn scale_with_entries(
    catalog: &Catalog,
    kind: &ServedKind,
    live: &Value,
) -> Answer<Value> {
    let mut scale = scale::before_update(kind, live)?;
    let entries = replicas(catalog, kind).to_scale(&entries(live));
    if !entries.is_empty() {
        metadata::of_mut(&mut scale).insert("managedFields".to_owned(), entries.into());
    }
    Ok(scale)
}

fn with_scale_tracker<T>(core: &Core, run: impl FnOnce(&Tracker<'_>) -> T) -> T {
    let now = core.clock.text();
    let schema = Arc::clone(&SCALE);
    let in_version = |object: &Value, _: &str| Ok(Some((object.clone(), Arc::clone(&schema))));
    run(&Tracker {
        schema: &schema,
        kubernetes: core.catalog.kubernetes,
        api_version: scale_fields::API_VERSION,
        subresource: "scale",
        reset: &[],
        now: &now,
        blank: None,
        in_version: &in_version,
    })
}

/// Updates the managed fields of an object after a write of its scale, by the managed fields of the new scale.
pub(super) fn take_over_replicas(
    catalog: &Catalog,
    kind: &ServedKind,
    live: &Value,
    scale: &Value,
    object: &mut Value,
) {
    let after = replicas(catalog, kind).to_object(&entries(live), &entries(scale));
    let metadata = metadata::of_mut(object);
    if after.is_empty() {
        metadata.remove("managedFields");
    } else {
        metadata.insert("managedFields".to_owned(), after.into());
    }
}

fn replicas(catalog: &Catalog, kind: &ServedKind) -> Replicas {
    let versions = catalog.all().filter(|other| other.storage == kind.storage);
    let paths = versions.map(|other| (other.api_version(), scale_fields::replicas_path(other)));
    Replicas { paths: paths.collect(), version: kind.api_version() }
}

/// Returns an object with a configuration that nobody will own.
///
/// # Errors
/// Returns the reason if one of them does not match the schema, or if the configuration has a list or map that is
/// only replaced as a whole.
pub(super) fn apply_unowned(
    kubernetes: KubernetesVersion,
    kind: &ServedKind,
    part: Part,
    live: &Value,
    config: &Value,
) -> Result<Value, String> {
    let schema = match part.other_kind() {
        Some((_, _, "Binding")) => Arc::default(),
        // Upstream: types come from the OpenAPI document of the group and version, which has only what its paths name.
        Some((group, version, kind)) => {
            return Err(format!(
                "failed to convert patch object to typed object: no corresponding type for {group}/{version}, Kind={kind}"
            ));
        }
        None => schema_of(kind, kubernetes.minor()),
    };
    managed_fields::apply_unowned(&schema, live, config)
}

/// Returns the result of an apply that the server makes without a request; `None` if it fails.
pub(super) fn apply_as(
    core: &Core,
    kind: &ServedKind,
    part: Part,
    live: &Value,
    config: &Value,
    manager: &str,
) -> Option<Value> {
    let apply = |tracker: &Tracker<'_>| tracker.apply(Some(live), config, manager, true).ok();
    with_tracker(core, kind, part, apply)
}

fn with_tracker<T>(
    core: &Core,
    kind: &ServedKind,
    part: Part,
    run: impl FnOnce(&Tracker<'_>) -> T,
) -> T {
    let (version, now) = (kind.api_version(), core.clock.text());
    let minor = core.catalog.kubernetes.minor();
    let schema = schema_of(kind, minor);
    let blank = match &kind.strategy {
        Strategy::Definition => Some(definition::blank()),
        Strategy::BuiltIn(built_in) => Some(built_in.blank(minor)),
        Strategy::Custom { .. } => None,
    };
    let in_version = |object: &Value, to: &str| {
        if kind.compiled().is_some() {
            // Upstream: the version need not be served, but the definition must have it.
            let schema = if to == version {
                Some(Arc::clone(&schema))
            } else {
                core.catalog.schema_in(kind, to)
            };
            let schema = schema.ok_or_else(|| {
                format!("request to convert CR to an invalid group/version: {to}")
            })?;
            // Upstream: objects are converted by way of the version of the request.
            // Source: `newCRDVersionConverter` of apimachinery `pkg/util/managedfields/internal`.
            let converted = if object.get("apiVersion").is_some_and(|found| found == to) {
                Ok(object.clone())
            } else {
                let hub = kind.convert(object.clone(), &version);
                hub.and_then(|object| kind.convert(object, to))
            };
            return Ok(Some((converted.map_err(|failure| failure.message)?, schema)));
        }
        let mut all = core.catalog.all();
        // Upstream: a group knows only the types of its own, so the owners of events in the other group are lost.
        let is_wanted = |other: &&Arc<ServedKind>| {
            other.storage == kind.storage && other.group == kind.group && other.api_version() == to
        };
        let Some(other) = all.find(is_wanted) else { return Ok(None) };
        let converted = kind.convert(object.clone(), to).map_err(|failure| failure.message)?;
        Ok(Some((converted, schema_of(other, minor))))
    };
    run(&Tracker {
        schema: &schema,
        kubernetes: core.catalog.kubernetes,
        api_version: &version,
        subresource: part.subresource(),
        reset: kind.reset_fields(part, core.catalog.kubernetes),
        now: &now,
        blank: blank.as_ref(),
        in_version: &in_version,
    })
}

/// Returns the schema that decides on the ownership of fields.
fn schema_of(kind: &ServedKind, minor: u32) -> Arc<JsonSchemaProps> {
    match &kind.strategy {
        Strategy::BuiltIn(built_in) => built_in.schema_on(minor),
        Strategy::Definition | Strategy::Custom { .. } => kind.schema(),
    }
}

/// The schema of `Scale`.
static SCALE: LazyLock<Arc<JsonSchemaProps>> =
    LazyLock::new(|| Arc::new(bridge::schema::<Scale>().unwrap_or_default()));

/// The schema of `SubjectAccessReview`.
static REVIEW: LazyLock<JsonSchemaProps> =
    LazyLock::new(|| bridge::schema::<SubjectAccessReview>().unwrap_or_default());

fn entries(object: &Value) -> Vec<Value> {
    let entries = metadata::of(object).and_then(|metadata| metadata.get("managedFields"));
    entries.and_then(Value::as_array).cloned().unwrap_or_default()
}

/// Returns the response to an apply that is rejected.
fn failure_of(error: ApplyError, config: &Value, of: &str) -> Failure {
    match error {
        ApplyError::Unreadable => Failure::bare("failed to decode managed fields"),
        ApplyError::Untyped(problems) => {
            let text = |key| metadata::text(config, key);
            let problems = match problems.as_slice() {
                [only] => only.clone(),
                many => format!("errors:\n  {}", many.join("\n  ")),
            };
            Failure::bare(format!(
                "failed to create typed patch object ({}/{}; {of}): {problems}",
                text("namespace"),
                text("name"),
            ))
        }
        ApplyError::Unconverted(why) => Failure::bare(why),
        ApplyError::Conflicts(conflicts) => {
            let causes = conflicts.iter().map(|conflict| (conflict.text(), conflict.field.clone()));
            Failure::apply_conflict(Conflict::message(&conflicts), causes.collect())
        }
    }
}
