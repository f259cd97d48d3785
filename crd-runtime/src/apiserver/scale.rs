//! Reads and writes the scale of an object.
//!
//! Source: `pkg/registry/customresource/etcd.go` of apiextensions-apiserver, and `ScaleREST` of `pkg/registry/apps` in
//! kubernetes/kubernetes.

use serde_json::{Map, Value, json};

use super::failure::{Answer, Failure};
use super::kind::{Kind, Strategy};
use super::metadata;
use crate::admit::scale::{self, ScaleError};
use crate::{json, object_meta};

/// Decodes a `Scale` from the body of a request.
///
/// # Errors
/// Status 400 if the body is not a valid `Scale`.
pub(super) fn decode(body: &[u8]) -> Answer<Value> {
    let reject = |text: &str| {
        Failure::bad_request(format!(
            "Scale in version \"v1\" cannot be handled as a Scale: {text}"
        ))
    };
    let scale = json::decode(body).map_err(|error| reject(&error.to_string()))?.value;
    if !scale.is_object() {
        return Err(reject("json: cannot unmarshal into Go value of type v1.Scale"));
    }
    check(&scale).map_err(|text| reject(&text))?;
    Ok(scale)
}

/// Checks that the metadata has the right types and that `spec.replicas` is an int32.
///
/// # Errors
/// Returns the message of Go's decoder.
pub(super) fn check(scale: &Value) -> Result<(), String> {
    if let Some(metadata) = scale.get("metadata") {
        object_meta::check_typed(metadata, "Scale")?;
    }
    match scale.pointer("/spec/replicas") {
        None | Some(Value::Null) => Ok(()),
        Some(replicas) if replicas.as_i64().is_some_and(|n| i32::try_from(n).is_ok()) => Ok(()),
        Some(other) => {
            let kind = match other {
                Value::Number(number) => format!("number {number}"),
                other => object_meta::json_kind(other).to_owned(),
            };
            Err(format!(
                "json: cannot unmarshal {kind} into Go struct field ScaleSpec.spec.replicas of type int32"
            ))
        }
    }
}

/// Returns the scale of an object.
///
/// # Errors
/// Returns an error if the kind has no scale, or the object's cannot be read.
pub(super) fn get(kind: &Kind, object: &Value) -> Answer<Value> {
    match &kind.strategy {
        Strategy::Custom { compiled, .. } => scale::get(compiled, object).map_err(failure_of),
        _ => Ok(of_built_in(object)),
    }
}

/// Returns the object with the replicas of a new scale.
///
/// # Errors
/// Returns an error if the kind has no scale, or if the new one names no replicas.
pub(super) fn put(kind: &Kind, scale: &Value, live: &Value) -> Answer<Value> {
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

fn of_built_in(object: &Value) -> Value {
    let mut out = Map::new();
    for key in ["name", "namespace", "uid", "resourceVersion", "creationTimestamp"] {
        if let Some(value) = metadata::of(object).and_then(|metadata| metadata.get(key)) {
            out.insert(key.to_owned(), value.clone());
        }
    }
    let number = |at: &str| object.pointer(at).and_then(Value::as_i64).unwrap_or_default();
    let mut selector: Vec<String> = object
        .pointer("/spec/selector/matchLabels")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .map(|(key, value)| format!("{key}={}", value.as_str().unwrap_or_default()))
        .collect();
    selector.sort();
    let mut status = json!({"replicas": number("/status/replicas")});
    if let (Value::Object(status), false) = (&mut status, selector.is_empty()) {
        status.insert("selector".to_owned(), selector.join(",").into());
    }
    json!({
        "apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": out,
        "spec": {"replicas": number("/spec/replicas")}, "status": status,
    })
}
