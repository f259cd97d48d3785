//! Decodes metadata as Go does, with the same errors and the same resulting object.
//!
//! The server decodes metadata into `metav1.ObjectMeta` and encodes it again. That drops unknown keys and
//! empty values, writes times in UTC, and rejects values of the wrong type.
//!
//! Source: `GetObjectMetaWithOptions` and `SetObjectMeta` in `pkg/apiserver/schema/objectmeta/coerce.go`.

use serde_json::{Map, Value};

use crate::field::Sink;
use crate::{go_types, json};

/// Rejects metadata that does not decode; changes other metadata to what the server would write back.
///
/// Unknown keys are dropped. Their paths, below `prefix`, are added to `found` in the server's order.
///
/// # Errors
/// The text of Go's decoder. Metadata is then changed in part.
pub fn normalize(
    metadata: &mut Value,
    prefix: impl Fn() -> String,
    found: Option<&mut Sink>,
) -> Result<(), String> {
    if is_normal(metadata) {
        return Ok(());
    }
    match metadata {
        Value::Object(_) => {}
        Value::Null => *metadata = Value::Object(Map::new()),
        other => {
            let kind = json::kind(other);
            return Err(format!(
                "json: cannot unmarshal {kind} into Go value of type v1.ObjectMeta"
            ));
        }
    }
    let unknown = go_types::decode_metadata(metadata)?;
    if let Some(found) = found {
        for path in unknown {
            found.unknown_field(|| format!("{}.{path}", prefix()));
        }
    }
    Ok(())
}

/// Does what [`normalize`] does, but leaves metadata as it is if it does not decode.
///
/// # Errors
/// The text of Go's decoder.
pub(super) fn normalize_valid(
    metadata: &mut Value,
    prefix: impl Fn() -> String,
    found: Option<&mut Sink>,
) -> Result<(), String> {
    if !is_normal(metadata) {
        let mut decoded = metadata.clone();
        normalize(&mut decoded, prefix, found)?;
        *metadata = decoded;
    }
    Ok(())
}

/// Checks that metadata decodes, without changing it.
///
/// # Errors
/// The text of Go's decoder.
pub(super) fn check(metadata: &Value) -> Result<(), String> {
    normalize(&mut metadata.clone(), String::new, None)
}

/// Whether metadata certainly needs no change; `false` if it may.
///
/// PERF: most metadata holds only strings and maps of strings, none of them empty.
fn is_normal(metadata: &mut Value) -> bool {
    let Value::Object(map) = metadata else { return false };
    map.sort_keys();
    map.iter().all(|(key, value)| match (value, key.as_str()) {
        (
            Value::String(text),
            "name" | "namespace" | "uid" | "resourceVersion" | "generateName",
        ) => !text.is_empty(),
        (Value::Object(map), "labels" | "annotations") => {
            !map.is_empty() && map.values().all(Value::is_string)
        }
        (Value::Array(items), "finalizers") => {
            !items.is_empty() && items.iter().all(Value::is_string)
        }
        _ => false,
    })
}

/// As [`normalize`], but drops the fields that do not decode.
///
/// # Errors
/// If metadata is not an object.
pub fn drop_malformed(metadata: &mut Value) -> Result<(), String> {
    match metadata {
        Value::Object(map) => go_types::decode_valid_metadata(map),
        Value::Null => {
            *metadata = Value::Object(Map::new());
            Ok(())
        }
        other => {
            let type_ = json::go_type(other);
            Err(format!("invalid metadata: expected object, got {type_}"))
        }
    }
}
