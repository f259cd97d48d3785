//! Reads and writes the scale of an object.
//!
//! Source: `pkg/registry/customresource/etcd.go` of apiextensions-apiserver, and `ScaleREST` of `pkg/registry/apps` in
//! kubernetes/kubernetes.

use std::sync::Arc;

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::{Map, Value, json};

use super::failure::{Answer, Failure};
use super::kind::{ServedKind, Strategy};
use super::scale_fields::API_VERSION;
use super::{catalog, go_types, labels, metadata};
use crate::admit::FieldValidation;
use crate::admit::scale::{self, Scale, ScaleError};
use crate::compiled::CompiledSchema;
use crate::json::OutOfRange;

/// The scheme of a server, as its messages name it.
const SCHEME: &str = "pkg/runtime/scheme.go:111";

/// The versions that once had a `Scale`. Source: `NewScaleConverter` of `k8s.io/client-go/scale/util.go`.
const FORMER_VERSIONS: [&str; 3] = ["extensions/v1beta1", "apps/v1beta1", "apps/v1beta2"];

/// Returns the failure for a body that is not a `Scale`, in requests for custom resources.
///
/// Upstream: the server does not find the type whose name the message should contain, and returns that error instead.
/// Source: `transformDecodeError` of `k8s.io/apiserver/pkg/endpoints/handlers/rest.go`.
pub(super) fn not_registered() -> Failure {
    let why = format!("no kind is registered for the type v1.Scale in scheme \"{SCHEME}\"");
    Failure::bad_request(why)
}

/// Returns the failure for a body that is not a `Scale`, although its kind can be read.
pub(super) fn undecodable(kind: &ServedKind, scale: &Value, why: &str) -> Failure {
    if kind.compiled().is_some() {
        return not_registered();
    }
    let (api_version, kind) = type_of(scale);
    let version = api_version.rsplit('/').next().unwrap_or_default();
    Failure::bad_request(format!(
        "{kind} in version \"{version}\" cannot be handled as a Scale: {why}"
    ))
}

/// Returns the `apiVersion` and kind of a scale, which may be absent.
pub(super) fn type_of(scale: &Value) -> (&str, &str) {
    let text = |key: &str| scale.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    (text("apiVersion").unwrap_or(API_VERSION), text("kind").unwrap_or("Scale"))
}

/// Checks that the `apiVersion` and kind are those of a `Scale` that can be converted, if there are any.
///
/// # Errors
/// Returns the message of the server's scheme, of which custom resources have one of their own.
pub(super) fn check_kind(of: &ServedKind, scale: &Value) -> Result<(), String> {
    let (api_version, kind) = type_of(scale);
    let is_former = kind == "Scale" && FORMER_VERSIONS.contains(&api_version);
    if kind == "Scale" && api_version == API_VERSION {
        return Ok(());
    }
    let (is_registered, wanted, scheme) = if of.compiled().is_some() {
        (is_former, "v1.Scale", SCHEME)
    } else if is_former {
        return Ok(());
    } else {
        let is_it = |known: &Arc<ServedKind>| {
            known.names.kind == kind && known.api_version() == api_version
        };
        (catalog::KINDS.iter().any(is_it), "autoscaling.Scale", catalog::SCHEME)
    };
    let version = api_version.rsplit('/').next().unwrap_or_default();
    Err(if is_registered {
        format!("converting ({version}.{kind}) to ({wanted}): unknown conversion")
    } else {
        format!(
            "no kind \"{kind}\" is registered for version \"{api_version}\" in scheme \"{scheme}\""
        )
    })
}

/// Checks that the fields of a `Scale` have the types of its Go struct, and adds warnings about duplicate and unknown
/// fields.
///
/// # Errors
/// Returns the message of Go's decoder, with strict validation also instead of warnings.
pub(super) fn check_fields(
    scale: &Value,
    duplicates: Vec<String>,
    numbers: &[OutOfRange],
    validation: FieldValidation,
    warnings: &mut Vec<String>,
) -> Result<(), String> {
    let mut strict = duplicates;
    if let Some(type_) = go_types::named("autoscaling.v1.Scale") {
        let minor = KubernetesVersion::REFERENCE.minor();
        if let Some(why) =
            go_types::out_of_range(type_, scale, minor, numbers).filter(|_| !numbers.is_empty())
        {
            return Err(why);
        }
        let mut decoded = scale.clone();
        strict.extend(go_types::decode(type_, &mut decoded, minor)?);
    }
    match validation {
        FieldValidation::Strict if !strict.is_empty() => {
            return Err(format!("strict decoding error: {}", strict.join(", ")));
        }
        FieldValidation::Ignore => {}
        _ => warnings.extend(strict),
    }
    Ok(())
}

/// Returns the scale of an object.
///
/// # Errors
/// Returns an error if the kind has no scale, the fields of the scale cannot be read from the object, or the object has
/// no replicas.
pub(super) fn get(kind: &ServedKind, object: &Value) -> Answer<Value> {
    scale_by(scale::get, kind, object)
}

/// Returns the scale that a write of the scale changes, see [`scale::before_update`].
///
/// # Errors
/// Returns an error if the kind has no scale, or the fields of the scale cannot be read from the object.
pub(super) fn before_update(kind: &ServedKind, object: &Value) -> Answer<Value> {
    scale_by(scale::before_update, kind, object)
}

/// Returns the scale that validating webhooks get, see [`scale::for_validation`].
///
/// # Errors
/// Returns the errors of [`before_update`].
pub(super) fn for_validation(kind: &ServedKind, object: &Value) -> Answer<Value> {
    scale_by(scale::for_validation, kind, object)
}

/// Returns the scale of an object, for custom resources as `scale` does.
fn scale_by(
    scale: impl Fn(&CompiledSchema, &Value) -> Result<Value, ScaleError>,
    kind: &ServedKind,
    object: &Value,
) -> Answer<Value> {
    match &kind.strategy {
        Strategy::Custom { compiled, .. } => scale(compiled, object).map_err(failure_of),
        _ => Ok(built_in_scale(object)),
    }
}

/// Returns the object with the replicas and the resource version of a new scale. A built-in kind gets 0 replicas if the
/// scale has none.
///
/// # Errors
/// For custom resources, returns an error if the kind has no scale or the new scale has no replicas.
pub(super) fn put(kind: &ServedKind, scale: &Value, live: &Value) -> Answer<Value> {
    if let Strategy::Custom { compiled, .. } = &kind.strategy {
        return scale::put(compiled, scale, live).map_err(failure_of);
    }
    let mut object = live.clone();
    let replicas = scale.pointer("/spec/replicas").cloned().unwrap_or_else(|| 0.into());
    if let Value::Object(map) = &mut object {
        let spec = map.entry("spec").or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(spec) = spec {
            spec.insert("replicas".to_owned(), replicas);
        }
    }
    let version = metadata::text(scale, "resourceVersion");
    if !version.is_empty() {
        metadata::set_text(&mut object, "resourceVersion", version);
    }
    Ok(object)
}

fn failure_of(error: ScaleError) -> Failure {
    match error {
        ScaleError::Disabled => Failure::no_such_path(),
        ScaleError::Malformed(text) => Failure::bare(text),
        ScaleError::Missing(path) => {
            Failure::internal(&format!("the spec replicas field {path:?} does not exist"))
        }
        ScaleError::Empty(_) => Failure::bad_request(error.to_string()),
    }
}

fn built_in_scale(object: &Value) -> Value {
    let number = |at: &str| object.pointer(at).and_then(Value::as_i64).unwrap_or_default();
    let selector = object.pointer("/spec/selector").unwrap_or(&Value::Null);
    // The selector of a replication controller is a map of labels.
    let selector = match object.get("kind").and_then(Value::as_str) {
        Some("ReplicationController") => labels::text_of(&json!({"matchLabels": selector})),
        _ => labels::text_of(selector),
    };
    let mut values = Scale::default();
    (values.status_replicas, values.selector) = (number("/status/replicas"), selector);
    scale::to_object(&values, number("/spec/replicas"), object)
}
