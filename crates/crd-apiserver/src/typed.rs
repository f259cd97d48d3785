//! Decodes the metadata of definitions as Go's decoder does.
//!
//! Source: `sigs.k8s.io/json`.

use serde_json::Value;

use crate::field::Sink;
use crate::object_meta;

/// Removes unknown fields of the metadata, and returns a message for each, such as `unknown field "metadata.nam"`.
///
/// # Errors
/// Returns the message of Go's decoder if a value is of the wrong type.
pub(super) fn prune_metadata(object: &mut Value, kind: &str) -> Result<Vec<String>, String> {
    object.get_mut("metadata").map_or_else(|| Ok(Vec::new()), |metadata| prune(metadata, kind))
}

fn prune(metadata: &mut Value, kind: &str) -> Result<Vec<String>, String> {
    object_meta::check_typed(metadata, kind)?;
    let mut found = Sink::new();
    object_meta::normalize(metadata, || "metadata".to_owned(), Some(&mut found))?;
    let unknown = std::mem::take(found.unknown_fields());
    Ok(unknown.into_iter().map(|path| format!("unknown field \"{path}\"")).collect())
}
