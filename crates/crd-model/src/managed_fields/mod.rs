//! Reads `metadata.managedFields`, and extracts the part of an object that a field manager owns.
//!
//! Server-side apply replaces what a manager applied before by what it applies now, so a manager that changes
//! one field has to send all others that it owns.
//! [`extract`] returns them: the configuration with which an apply changes nothing.
//! Its typed form is `extract` of an apply configuration, see `crd_runtime::apply`.
//!
//! Follows `managedfields.ExtractInto` of apimachinery 0.37.2 (`pkg/util/managedfields/extract.go`) and
//! `ExtractItems` of structured-merge-diff 6.4.2 (`typed/remove.go`), on the types that the server makes of a
//! definition's schema (kube-openapi, `pkg/schemaconv/openapi.go`).
//! It differs in three points, so that an apply of the result changes nothing:
//! an empty list or map that the manager owns is extracted as empty, not as null;
//! the items of a `map` list always have their keys;
//! and an owned field that neither the object nor the schema has is an error.

mod algebra;
pub mod apply;
mod compare;
mod element;
mod error;
mod field_set;
mod granularity;
mod items;
mod last_applied;
mod managers;
mod merge;
mod owned;
mod pruning;
mod reconcile;
pub mod track;
mod unowned;
mod valid;
mod walk;

pub use managers::Conflict;

pub use error::Error;
pub use field_set::FieldSet;
pub use unowned::apply_unowned;

use serde_json::{Map, Value, json};

use crate::model::JsonSchemaProps;
use granularity::PlaceType;

/// Returns the fields that a manager owns by applying them: the `fieldsV1` of the entry of `metadata.managedFields`
/// with the operation `Apply`, this manager and this subresource (the empty string for the object itself). `None` if
/// there is no such entry.
///
/// Source: apimachinery `pkg/util/managedfields/extract.go`, `findManagedFields`.
#[must_use]
pub fn applied_fields<'a>(
    object: &'a Value,
    manager: &str,
    subresource: &str,
) -> Option<&'a Value> {
    let text = |entry: &'a Value, key: &str| entry.get(key).and_then(Value::as_str).unwrap_or("");
    let entries = object.get("metadata")?.get("managedFields")?.as_array()?;
    entries
        .iter()
        .find(|entry| {
            text(entry, "manager") == manager
                && text(entry, "operation") == "Apply"
                && text(entry, "subresource") == subresource
        })
        .map(|entry| entry.get("fieldsV1").unwrap_or(&Value::Null))
}

/// Returns the part of an object that `manager` has applied, with the object's `apiVersion`, `kind`, name and
/// namespace.
///
/// The object must be as the API server returned it; `schema` is that of the whole object, as in its CRD.
/// For a manager that owns nothing, the result has only these four fields.
///
/// # Errors
/// If the managed fields are malformed, an item of a `map` list has none of the keys, two items of a `map` or `set`
/// list have the same keys or value, or the manager owns fields that neither the object nor the schema has: an apply
/// without them would delete them.
pub fn extract(
    object: &Value,
    schema: &JsonSchemaProps,
    manager: &str,
    subresource: &str,
) -> Result<Value, Error> {
    let mut extracted = match applied_fields(object, manager, subresource) {
        None => Map::new(),
        Some(fields) => {
            let fields = FieldSet::parse(fields)?;
            walk::check_declared(object, PlaceType::root(schema), &fields)?;
            walk::extract(object, PlaceType::root(schema), &fields)?
        }
    };
    for name in ["apiVersion", "kind"] {
        if let Some(value) = object.get(name) {
            extracted.insert(name.to_owned(), value.clone());
        }
    }
    let metadata = extracted.entry("metadata").or_insert_with(|| json!({}));
    for name in ["name", "namespace"] {
        if let Some(value) = object.get("metadata").and_then(|metadata| metadata.get(name)) {
            metadata[name] = value.clone();
        }
    }
    Ok(Value::Object(extracted))
}
