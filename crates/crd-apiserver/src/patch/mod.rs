//! Patches of objects.
//!
//! Source: `k8s.io/apiserver/pkg/endpoints/handlers/patch.go`.

mod merge;
mod strategic;

use strategic::Malformed;

use ::http::{StatusCode, header};
use crd_cel::kubernetes::KubernetesVersion;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::call::Call;
use super::core::Core;
use super::failure::{Answer, Failure, GroupResource, NO_NAME};
use super::go_types::Decoding;
use super::json_patch::{JsonPatch, check_types, unknown_fields};
use super::kind::{ServedKind, Strategy};
use super::query::{OptionsOf, WriteOptions};
use super::reply::Reply;
use super::target::Part;
use super::update::{self, Replacement};
use super::{admission, media, metadata, ownership, scale, scale_fields};
use crate::admit::{self, FieldValidation, MAX_BODY_BYTES};
use crate::differences::Difference;
use crate::field::{Error, ErrorList, Path};
use crate::{json, yaml};

/// The maximum number of operations of a JSON patch. Source: `maxJSONPatchOperations`.
const MAX_OPERATIONS: usize = 10_000;

/// What messages of strict validation about a JSON patch begin with.
const JSON_PATCH: &str = "json patch ";

/// The formats of patches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PatchFormat {
    Json,
    Merge,
    Strategic,
    Apply,
}

const FORMATS: [(&str, PatchFormat); 4] = [
    ("application/json-patch+json", PatchFormat::Json),
    ("application/merge-patch+json", PatchFormat::Merge),
    ("application/apply-patch+yaml", PatchFormat::Apply),
    ("application/strategic-merge-patch+json", PatchFormat::Strategic),
];

/// A decoded patch.
enum Patch {
    Json(JsonPatch),
    Merge(Value),
    Strategic(Value),
    Apply(Value),
}

pub(super) fn patch(core: &mut Core, call: &mut Call<'_>) -> Answer<Reply> {
    let format = patch_format(call)?;
    if call.path.name.is_empty() {
        return Err(Failure::bad_request(NO_NAME));
    }
    let accepted = call.accepted()?;
    let body = call.request.body();
    if body.len() > MAX_BODY_BYTES {
        return Err(Failure::too_large(&format!("limit is {MAX_BODY_BYTES}")));
    }
    let of = OptionsOf::Patch { apply: format == PatchFormat::Apply };
    let options = WriteOptions::parse(&call.query, of)?;
    call.dry_run = options.dry_run;
    let manager = call.manager(&options.manager);
    let creates = format == PatchFormat::Apply && call.part == Part::Object;
    let mut change = |core: &mut Core, call: &mut Call<'_>, live: Option<&Value>| {
        // The patch is decoded only here, because upstream looks up the stored object first.
        let mut strict = Vec::new();
        let patch =
            decode_patch(format, body, options.validation, core.catalog.kubernetes, &mut strict)?;
        let mut changed = if call.part == Part::Scale {
            match (&patch, live) {
                (Patch::Apply(config), Some(live)) => {
                    apply_scale_config(core, call, config, live, &options)?
                }
                _ => patch_scale(core, call, &patch, live, &options, &manager, strict)?,
            }
        } else {
            apply_patch(core, call, &patch, live, &options, &manager, &strict)?
        };
        metadata::match_namespace(&mut changed, call.namespace())?;
        metadata::check_name(&changed, &call.path.name)?;
        call.warnings.extend(metadata::dedup_owners(&mut changed));
        Ok(changed)
    };
    let replacing = Replacement { change: &mut change, creates, uid: None };
    let (object, created) = update::replace_object(core, call, replacing)?;
    let code = if created { StatusCode::CREATED } else { StatusCode::OK };
    update::answer_write(call, accepted, code, object)
}

/// Returns the object with the patch applied and its managed fields updated.
fn apply_patch(
    core: &Core,
    call: &mut Call<'_>,
    patch: &Patch,
    live: Option<&Value>,
    options: &WriteOptions,
    manager: &str,
    strict: &[String],
) -> Answer<Value> {
    if let Patch::Apply(config) = patch {
        return apply_config(core, call, config, live, options, strict);
    }
    let Some(live) = live else {
        return Err(Failure::not_found(call.kind.resource(), &call.path.name));
    };
    let changed = match patch {
        Patch::Json(patch) => patch.apply(live).map_err(|_| Failure::patch_does_not_apply())?,
        Patch::Merge(patch) => merge::merge(live.clone(), patch),
        Patch::Strategic(patch) => {
            let type_ = strategic::Type::of(&call.kind, core.catalog.kubernetes.minor());
            strategic::merge(type_, live, patch).map_err(|malformed| cannot_merge(&malformed))?
        }
        Patch::Apply(_) => live.clone(),
    };
    let shown = match patch {
        Patch::Strategic(patch) => json::to_go_v(patch),
        _ => json::to_go_string(&changed),
    };
    let mismatch = |why: &str| {
        let errors: ErrorList = Error::invalid(&Path::new("patch"), shown.as_str(), why).into();
        Failure::invalid(GroupResource { group: "", kind: "" }, "", &errors)
    };
    // Strict validation lists the errors of the patch and those of the object together.
    let is_strict = options.validation == FieldValidation::Strict;
    let validation = if is_strict { FieldValidation::Warn } else { options.validation };
    let mut found = strict.to_vec();
    let kind = call.kind.clone();
    let mut duplicates = Vec::new();
    if let Patch::Json(patch) = patch {
        duplicates = patch.duplicates_in(&changed, &without_prefix(strict));
    }
    if kind.compiled().is_some() {
        admit::check_kind(&changed, shown.as_bytes())
            .map_err(|rejection| mismatch(&rejection.to_string()))?;
    }
    // Source: `applyPatchToObject`, which converts the merged object and does not decode its text.
    let decoding = match patch {
        Patch::Strategic(_) => Decoding::Merged,
        _ => Decoding::Body,
    };
    let kubernetes = core.catalog.kubernetes;
    let coerced = kind.coerce_by(decoding, changed, duplicates, validation, kubernetes, &mut found);
    let mut changed = coerced.map_err(|why| mismatch(&why))?;
    if is_strict && !found.is_empty() {
        return Err(mismatch(&format!("strict decoding error: {}", found.join(", "))));
    }
    call.warnings.extend(found);
    ownership::track(core, call, Some(live), &mut changed, manager);
    Ok(changed)
}

/// Checks the type of an applied configuration.
fn check_config(config: &Value, version: &str, kind: &str) -> Answer<()> {
    let text = |key: &str| config.get(key).and_then(Value::as_str).unwrap_or_default();
    let found = (text("apiVersion"), text("kind"));
    if found != (version, kind) {
        return Err(invalid_type(found.0, found.1));
    }
    Ok(())
}

/// Returns the object after an apply.
fn apply_config(
    core: &Core,
    call: &mut Call<'_>,
    config: &Value,
    live: Option<&Value>,
    options: &WriteOptions,
    strict: &[String],
) -> Answer<Value> {
    check_config(config, &call.kind.api_version(), &call.kind.names.kind)?;
    let force = options.force.unwrap_or_default();
    let applied = ownership::apply(core, call, live, config, &options.manager, force)?;
    let coerced = call.kind.coerce_merged(applied, core.catalog.kubernetes, call.warnings);
    let coerced = coerced.map_err(|why| cannot_convert(&call.kind, config, &why))?;
    if options.validation == FieldValidation::Strict && !strict.is_empty() {
        let found = strict.join("\n  ");
        let what = if Difference::PatchesAreJson.is_in(core.catalog.kubernetes) {
            "patch"
        } else {
            "YAML"
        };
        let text = format!(
            "error strict decoding {what}: error converting YAML to JSON: yaml: unmarshal errors:\n  {found}"
        );
        return Err(Failure::bad_request(text));
    }
    call.warnings.extend(strict.iter().cloned());
    Ok(coerced)
}

/// Returns the object after an apply to its scale.
fn apply_scale_config(
    core: &Core,
    call: &mut Call<'_>,
    config: &Value,
    live: &Value,
    options: &WriteOptions,
) -> Answer<Value> {
    check_config(config, scale_fields::API_VERSION, "Scale")?;
    let force = options.force.unwrap_or_default();
    let applied = ownership::apply_scale(core, call, live, config, &options.manager, force)?;
    let applied = admission::mutate_scale(core, call, applied, live, None)?;
    let mut changed = scale::put(&call.kind, &applied, live)?;
    ownership::take_over_replicas(&core.catalog, &call.kind, live, &applied, &mut changed);
    Ok(changed)
}

/// Returns the object after a patch of its scale.
fn patch_scale(
    core: &Core,
    call: &mut Call<'_>,
    patch: &Patch,
    live: Option<&Value>,
    options: &WriteOptions,
    manager: &str,
    strict: Vec<String>,
) -> Answer<Value> {
    let Some(live) = live else {
        return Err(Failure::not_found(call.kind.resource(), &call.path.name));
    };
    // Source: `scaleUpdatedObjectInfo.UpdatedObject`, which patches a scale that has managed fields.
    let before = ownership::scale_with_entries(&core.catalog, &call.kind, live)?;
    let mut after = match patch {
        Patch::Json(patch) => patch.apply(&before).map_err(|_| Failure::patch_does_not_apply())?,
        Patch::Merge(patch) | Patch::Strategic(patch) | Patch::Apply(patch) => {
            merge::merge(before, patch)
        }
    };
    let checked = admit::interpret(&after)
        .map_err(|why| why.to_string())
        .and_then(|()| scale::check_kind(&call.kind, &after))
        .and_then(|()| scale::check_fields(&after, strict, &[], options.validation, call.warnings));
    checked.map_err(|why| {
        let shown = json::to_go_string(&after);
        let errors: ErrorList = Error::invalid(&Path::new("patch"), shown, why).into();
        Failure::invalid(GroupResource { group: "", kind: "" }, "", &errors)
    })?;
    metadata::match_namespace(&mut after, call.namespace())?;
    metadata::check_name(&after, &call.path.name)?;
    let after = admission::mutate_scale(core, call, after, live, Some(manager))?;
    let mut changed = scale::put(&call.kind, &after, live)?;
    ownership::track(core, call, Some(live), &mut changed, manager);
    Ok(changed)
}

/// Returns the error for the result of an apply that the Go type of its kind cannot decode.
///
/// Source: `Apply` of apimachinery `pkg/util/managedfields/internal/structuredmerge.go`.
fn cannot_convert(kind: &ServedKind, config: &Value, why: &str) -> Failure {
    if kind.compiled().is_some() {
        return Failure::bare(why);
    }
    let (namespace, name) = (metadata::text(config, "namespace"), metadata::text(config, "name"));
    let ServedKind { group, version, names, .. } = kind;
    let of = format!("{group}/{version}, Kind={}", names.kind);
    Failure::bare(format!(
        "failed to convert new object ({namespace}/{name}; {of}) to proper version: unable to convert unstructured \
         object to {of}: {why}"
    ))
}

/// Returns the messages about a JSON patch as they are about a document.
fn without_prefix(strict: &[String]) -> Vec<String> {
    strict.iter().filter_map(|text| text.strip_prefix(JSON_PATCH)).map(str::to_owned).collect()
}

fn invalid_type(version: &str, kind: &str) -> Failure {
    // Go prints a kind as `apps/v1, Kind=Deployment`, with the slash even if the group is empty.
    let slash = if version.contains('/') { "" } else { "/" };
    Failure::bad_request(format!("invalid object type: {slash}{version}, Kind={kind}"))
}

/// Returns the format of a patch, which its media type names.
///
/// # Errors
/// Status 415 if the kind does not support the media type.
fn patch_format(call: &Call<'_>) -> Answer<PatchFormat> {
    let content_type = media::essence(call.header(header::CONTENT_TYPE)).to_owned();
    let is_built_in = matches!(call.kind.strategy, Strategy::BuiltIn(_) | Strategy::Definition);
    let supported = |format: PatchFormat| format != PatchFormat::Strategic || is_built_in;
    let found = FORMATS.iter().find(|(name, format)| *name == content_type && supported(*format));
    found.map(|(_, format)| *format).ok_or_else(|| {
        // Upstream: for built-in kinds, strategic merge patch is listed before apply patch.
        let mut names: Vec<&str> = FORMATS
            .iter()
            .filter(|(_, format)| supported(*format))
            .map(|(name, _)| *name)
            .collect();
        if is_built_in {
            names.swap(2, 3);
        }
        Failure::unsupported_media_type(&names)
    })
}

/// Returns the failure of a strategic merge patch. Source: `interpretStrategicMergePatchError` of
/// `pkg/endpoints/handlers/patch.go`.
fn cannot_merge(malformed: &Malformed) -> Failure {
    match malformed {
        Malformed::PrimitiveList | Malformed::RetainKeys | Malformed::SetElementOrder => {
            Failure::bad_request(malformed.to_string())
        }
        Malformed::ListOfLists => Failure::patch_does_not_apply(),
        _ => Failure::bare(malformed.to_string()),
    }
}

/// Decodes a patch. Messages of strict field validation are appended to `strict`.
fn decode_patch(
    format: PatchFormat,
    body: &[u8],
    validation: FieldValidation,
    kubernetes: KubernetesVersion,
    strict: &mut Vec<String>,
) -> Answer<Patch> {
    let reports_duplicates = validation != FieldValidation::Ignore;
    if format == PatchFormat::Apply {
        return Ok(Patch::Apply(decode_config(body, reports_duplicates, kubernetes, strict)?));
    }
    // Source: `validateAndTranscodePatch`.
    if Difference::PatchesAreJson.is_in(kubernetes)
        && serde_json::from_slice::<IgnoredAny>(body).is_err()
    {
        return Err(Failure::bad_request("invalid JSON patch"));
    }
    // Source: `applyJSPatch`, which decodes the patch strictly if there is validation, and then prefixes the error.
    // `strategicPatchObject` and the library that decodes JSON patches return the error without a prefix.
    let is_decoded_strictly = reports_duplicates && format != PatchFormat::Strategic;
    let prefix = if is_decoded_strictly { "error decoding patch: " } else { "" };
    let decoded = json::decode_any(body);
    let (decoded, numbers) =
        decoded.map_err(|error| Failure::bad_request(format!("{prefix}{error}")))?;
    let check_range = || match numbers.first() {
        Some(number) => Err(Failure::bad_request(format!("{prefix}{}", number.error()))),
        None => Ok(()),
    };
    let not_of_type = |type_: &str| {
        let kind = json::kind(&decoded.value);
        Failure::bad_request(format!(
            "{prefix}json: cannot unmarshal {kind} into Go value of type {type_}"
        ))
    };
    if reports_duplicates {
        let prefix = if format == PatchFormat::Json { "json patch " } else { "" };
        strict.extend(decoded.duplicates.iter().map(|text| format!("{prefix}{text}")));
        if format == PatchFormat::Json {
            strict.extend(unknown_fields(&decoded.value));
        }
    }
    match format {
        PatchFormat::Json => {
            let operations = match &decoded.value {
                Value::Array(operations) => operations.as_slice(),
                Value::Null => &[],
                _ if is_decoded_strictly => return Err(not_of_type("[]handlers.jsonPatchOp")),
                _ => return Err(not_of_type("jsonpatch.Patch")),
            };
            if operations.len() > MAX_OPERATIONS {
                return Err(Failure::too_large(&format!(
                    "The allowed maximum operations in a JSON patch is {MAX_OPERATIONS}, got {}",
                    operations.len()
                )));
            }
            if is_decoded_strictly {
                check_types(operations, &numbers)
                    .map_err(|why| Failure::bad_request(format!("{prefix}{why}")))?;
            } else {
                check_range()?;
            }
            let patch = JsonPatch::read(operations).map_err(Failure::bad_request)?;
            Ok(Patch::Json(patch.with_texts_of(body)))
        }
        PatchFormat::Strategic => match decoded.value {
            Value::Null => Ok(Patch::Strategic(Value::Object(Map::new()))),
            patch @ Value::Object(_) => check_range().map(|()| Patch::Strategic(patch)),
            _ => Err(not_of_type("map[string]interface {}")),
        },
        PatchFormat::Merge | PatchFormat::Apply => match decoded.value {
            patch @ Value::Object(_) => check_range().map(|()| Patch::Merge(patch)),
            // Source: `MergePatch` of json-patch.
            Value::Null => Err(Failure::bad_request("Invalid JSON Patch")),
            _ if is_decoded_strictly => Err(not_of_type("map[string]interface {}")),
            list @ Value::Array(_) => check_range().map(|()| Patch::Merge(merge::pruned(&list))),
            _ => Err(Failure::bad_request("Invalid JSON Patch")),
        },
    }
}

/// Decodes the configuration of an apply. If `reports_duplicates`, messages about duplicate keys are appended to
/// `strict`.
fn decode_config(
    body: &[u8],
    reports_duplicates: bool,
    kubernetes: KubernetesVersion,
    strict: &mut Vec<String>,
) -> Answer<Value> {
    let is_checked_first = Difference::PatchesAreJson.is_in(kubernetes);
    let what = if is_checked_first { "patch" } else { "YAML" };
    let reject = |text: String| Failure::bad_request(format!("error decoding {what}: {text}"));
    // Source: `validateAndTranscodePatch`, which converts bodies that do not begin with `{` from YAML to JSON.
    let is_converted = is_checked_first && body.trim_ascii_start().first() != Some(&b'{');
    let unreadable = |why: &str| {
        if is_converted {
            return Failure::bad_request(format!("error encoding patch: {why}"));
        }
        reject(format!("error converting YAML to JSON: {why}"))
    };
    let document = yaml::document(body).map_err(|error| unreadable(&error.go_text()))?;
    let Some(document) = document else { return Ok(Value::Object(Map::new())) };
    if !document.value.is_object() {
        let kind = json::kind(&document.value);
        return Err(reject(format!(
            "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal {kind} into Go value of type \
             map[string]interface {{}}"
        )));
    }
    if reports_duplicates {
        strict.extend(document.strict_errors);
    }
    Ok(document.value)
}
