//! The scale subresource: an object read and written as an `autoscaling/v1` `Scale`.
//!
//! Source: `pkg/registry/customresource/{etcd,validator}.go` of apiextensions-apiserver.

use std::fmt;

use serde_json::{Map, Value};

use crate::compiled::CompiledSchema;
use crate::field::{Path, Sink};
use crate::json::{self, go_type};

/// The minimum of int32. In an update of a scale, the server treats this number of replicas as absent.
const NO_REPLICAS: i64 = i32::MIN as i64;

/// The values of the scale subresource of an object.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Scale {
    /// The desired number of replicas; `None` if absent.
    pub spec_replicas: Option<i64>,
    /// The observed number of replicas; 0 if absent.
    pub status_replicas: i64,
    /// The label selector of the replicas; empty if absent.
    pub selector: String,
}

/// The reason why the scale of an object cannot be read or written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScaleError {
    /// The version has no scale subresource: status 404.
    Disabled,
    /// A value has the wrong type, for the reason in the text: status 500 on read.
    Malformed(String),
    /// The object has no desired number of replicas at this path: status 500 on read.
    Missing(String),
    /// The written scale has no number of replicas for this path: status 400.
    Empty(String),
}

impl fmt::Display for ScaleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Disabled => f.write_str("the server could not find the requested resource"),
            Self::Malformed(text) => f.write_str(text),
            Self::Missing(path) => write!(
                f,
                "Internal error occurred: the spec replicas field {path:?} does not exist"
            ),
            Self::Empty(path) => write!(f, "the spec replicas field {path:?} cannot be empty"),
        }
    }
}

impl std::error::Error for ScaleError {}

/// Returns the `autoscaling/v1` `Scale` of an object, as a GET of the subresource does.
///
/// # Errors
/// If the version has no scale subresource, a value has the wrong type, or the object has no desired number of
/// replicas.
pub fn get(schema: &CompiledSchema, object: &Value) -> Result<Value, ScaleError> {
    let scale = of(schema, object)?;
    let Some(replicas) = scale.spec_replicas else {
        let paths = schema.resource().scale.as_ref();
        let path = paths.map(|paths| paths.spec_replicas_path.clone()).unwrap_or_default();
        return Err(ScaleError::Missing(path));
    };
    Ok(to_object(&scale, replicas, object))
}

/// Returns the `Scale` that a patch of the subresource changes: without a desired number of replicas, it has the minimum
/// of int32, which [`put`] rejects.
///
/// Source: `scaleUpdatedObjectInfo.UpdatedObject`.
///
/// # Errors
/// If the version has no scale subresource, or a value has the wrong type.
pub fn before_update(schema: &CompiledSchema, object: &Value) -> Result<Value, ScaleError> {
    let scale = of(schema, object)?;
    Ok(to_object(&scale, scale.spec_replicas.unwrap_or(NO_REPLICAS), object))
}

/// Returns the `Scale` that validating webhooks get: without a desired number of replicas, it has 0 of them.
///
/// Source: `toScaleUpdateValidation`.
///
/// # Errors
/// If the version has no scale subresource, or a value has the wrong type.
pub fn for_validation(schema: &CompiledSchema, object: &Value) -> Result<Value, ScaleError> {
    let scale = of(schema, object)?;
    Ok(to_object(&scale, scale.spec_replicas.unwrap_or_default(), object))
}

/// Returns a scale with this desired number of replicas as an object, with the metadata of the scaled `object`.
#[doc(hidden)]
pub fn to_object(scale: &Scale, replicas: i64, object: &Value) -> Value {
    let mut metadata = Map::new();
    for key in ["name", "namespace", "uid", "resourceVersion", "creationTimestamp"] {
        if let Some(value) = object.get("metadata").and_then(|metadata| metadata.get(key)) {
            metadata.insert(key.to_owned(), value.clone());
        }
    }
    let mut spec = Map::new();
    // Upstream: a number beyond int32 is truncated, and zero is left out.
    let replicas = to_int32(replicas);
    if replicas != 0 {
        spec.insert("replicas".to_owned(), replicas.into());
    }
    let mut status = Map::new();
    status.insert("replicas".to_owned(), to_int32(scale.status_replicas).into());
    if !scale.selector.is_empty() {
        status.insert("selector".to_owned(), scale.selector.as_str().into());
    }
    serde_json::json!({
        "apiVersion": "autoscaling/v1",
        "kind": "Scale",
        "metadata": metadata,
        "spec": spec,
        "status": status,
    })
}

/// Returns the values of the scale subresource of an object.
///
/// # Errors
/// If the version has no scale subresource, or a value has the wrong type.
pub fn of(schema: &CompiledSchema, object: &Value) -> Result<Scale, ScaleError> {
    let paths = schema.resource().scale.as_ref().ok_or(ScaleError::Disabled)?;
    let malformed = ScaleError::Malformed;
    // Of several malformed values, the first in this order is reported.
    let spec_replicas = nested_int(object, &paths.spec_replicas_path).map_err(malformed)?;
    let status_replicas = nested_int(object, &paths.status_replicas_path).map_err(malformed)?;
    let selector = match paths.label_selector_path.as_deref() {
        None | Some("") => None,
        Some(path) => nested_string(object, path).map_err(malformed)?,
    };
    Ok(Scale {
        spec_replicas,
        status_replicas: status_replicas.unwrap_or_default(),
        selector: selector.unwrap_or_default().to_owned(),
    })
}

/// Returns the object that a PUT of a `Scale` writes in place of `stored`, which must have been [read](super::read).
/// The object can then be admitted as [`UpdateScale`](super::Operation::UpdateScale).
///
/// # Errors
/// If the version has no scale subresource, a value of the stored scale has the wrong type, the written number of
/// replicas is the minimum of int32, or a path leads through a value that is not an object.
pub fn put(schema: &CompiledSchema, scale: &Value, stored: &Value) -> Result<Value, ScaleError> {
    let paths = schema.resource().scale.as_ref().ok_or(ScaleError::Disabled)?;
    of(schema, stored)?;
    // Upstream: a decoded scale without replicas has 0 of them.
    let replicas = scale.pointer("/spec/replicas").and_then(Value::as_i64).unwrap_or_default();
    if replicas == NO_REPLICAS {
        return Err(ScaleError::Empty(paths.spec_replicas_path.clone()));
    }
    let mut object = stored.clone();
    set_nested(&mut object, &paths.spec_replicas_path, replicas.into())
        .map_err(ScaleError::Malformed)?;
    let version = scale.pointer("/metadata/resourceVersion").and_then(Value::as_str);
    if let Some(version) = version.filter(|version| !version.is_empty()) {
        set_nested(&mut object, "metadata.resourceVersion", version.into())
            .map_err(ScaleError::Malformed)?;
    }
    Ok(object)
}

/// Checks the desired number of replicas. Source: `ValidateScaleSpec`.
pub(super) fn validate_spec(schema: &CompiledSchema, object: &Value, errors: &mut Sink) {
    if let Some(paths) = &schema.resource().scale {
        validate_replicas(object, &paths.spec_replicas_path, errors);
    }
}

/// Checks the observed number of replicas and the label selector. Source: `ValidateScaleStatus`.
pub(super) fn validate_status(schema: &CompiledSchema, object: &Value, errors: &mut Sink) {
    let Some(paths) = &schema.resource().scale else { return };
    validate_replicas(object, &paths.status_replicas_path, errors);
    if let Some(path) = &paths.label_selector_path
        && let Err(text) = nested_string(object, path)
    {
        errors.invalid(&Path::new(path), "", text);
    }
}

fn validate_replicas(object: &Value, path: &str, errors: &mut Sink) {
    let at = Path::new(path);
    match nested_int(object, path) {
        Err(text) => errors.invalid(&at, 0_i64, text),
        Ok(Some(replicas)) if replicas < 0 => {
            errors.invalid(&at, replicas, "should be a non-negative integer");
        }
        Ok(Some(replicas)) if replicas > i64::from(i32::MAX) => {
            let detail = format!("should be less than or equal to {}", i32::MAX);
            errors.invalid(&at, replicas, detail);
        }
        Ok(_) => {}
    }
}

fn nested_int(object: &Value, path: &str) -> Result<Option<i64>, String> {
    match nested(object, path)? {
        None => Ok(None),
        Some(value) => match value.as_i64() {
            Some(int) => Ok(Some(int)),
            None => Err(accessor_error(&dotted(path), value, "int64")),
        },
    }
}

fn nested_string<'a>(object: &'a Value, path: &str) -> Result<Option<&'a str>, String> {
    match nested(object, path)? {
        None => Ok(None),
        Some(value) => match value.as_str() {
            Some(text) => Ok(Some(text)),
            None => Err(accessor_error(&dotted(path), value, "string")),
        },
    }
}

/// Returns the value at a path such as `.spec.replicas`; `None` if a key is absent.
///
/// Source: `NestedFieldNoCopy` of `k8s.io/apimachinery/pkg/apis/meta/v1/unstructured`.
fn nested<'a>(object: &'a Value, path: &str) -> Result<Option<&'a Value>, String> {
    let mut value = object;
    for (depth, segment) in segments(path).enumerate() {
        match value {
            Value::Null => return Ok(None),
            Value::Object(map) => match map.get(segment) {
                None => return Ok(None),
                Some(below) => value = below,
            },
            other => {
                // Upstream: the path in the error includes the segment that is looked up in the value.
                let walked: Vec<&str> = segments(path).take(depth + 1).collect();
                let walked = format!(".{}", walked.join("."));
                return Err(accessor_error(&walked, other, "map[string]interface{}"));
            }
        }
    }
    Ok(Some(value))
}

/// Sets the value at a path, and creates the objects that are missing on the path.
fn set_nested(object: &mut Value, path: &str, new: Value) -> Result<(), String> {
    let mut value = object;
    let mut walked = String::new();
    for segment in segments(path) {
        let Value::Object(map) = value else {
            return Err(format!(
                "value cannot be set because {walked} is not a map[string]interface{{}}"
            ));
        };
        walked.push('.');
        walked.push_str(segment);
        value = map.entry(segment).or_insert_with(|| Value::Object(Map::new()));
    }
    *value = new;
    Ok(())
}

fn segments(path: &str) -> std::str::Split<'_, char> {
    path.strip_prefix('.').unwrap_or(path).split('.')
}

fn dotted(path: &str) -> String {
    format!(".{}", path.strip_prefix('.').unwrap_or(path))
}

fn accessor_error(path: &str, value: &Value, expected: &str) -> String {
    format!(
        "{path} accessor error: {} is of the type {}, expected {expected}",
        json::to_go_v(value),
        go_type(value)
    )
}

/// Upstream: Go's conversion drops the upper bits.
#[expect(clippy::cast_possible_truncation, reason = "Go converts the same way")]
const fn to_int32(replicas: i64) -> i32 {
    replicas as i32
}
