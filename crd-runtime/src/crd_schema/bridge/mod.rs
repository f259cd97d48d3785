//! Converts schemas from and to schemars.
//!
//! Any `T: schemars::JsonSchema` can be a field:
//!
//! ```
//! use crd_runtime::CrdSchema;
//! use crd_runtime::crd_schema::bridge;
//! use crd_runtime::schemars;
//! use serde::{Deserialize, Serialize};
//!
//! /// A type of another crate, say.
//! #[derive(Serialize, Deserialize)]
//! struct Foreign(String);
//!
//! impl schemars::JsonSchema for Foreign {
//!     fn schema_name() -> std::borrow::Cow<'static, str> {
//!         "Foreign".into()
//!     }
//!     fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
//!         schemars::json_schema!({"type": "string", "maxLength": 5})
//!     }
//! }
//!
//! #[derive(CrdSchema, Serialize, Deserialize)]
//! struct Spec {
//!     #[crd(schema_with = bridge::schema::<Foreign>)]
//!     foreign: Foreign,
//! }
//!
//! let properties = Spec::schema().properties.unwrap();
//! assert_eq!(properties["foreign"].max_length, Some(5));
//! ```
//!
//! JSON Schema is more expressive than a structural schema. A schema without a structural form is a [`BridgeError`],
//! never a panic; in a CRD it becomes a schema that `definition::validate` rejects, with the error's text and the
//! field's path. A derived type implements [`schemars::JsonSchema`] too, by [`to_schemars`].
//!
//! # Types of Kubernetes
//!
//! k8s-openapi's schemas do not have the markers in the comments of Kubernetes' Go sources (`// +listType=map`), which
//! controller-gen adds to CRDs: list types, map types, defaults, and the lengths, patterns and values of `Condition`.
//! [`schema`] adds them at any depth, and so does the [`CrdSchema`] of k8s-openapi's types. [`bare`]
//! leaves them out, for a manifest that must stay as kube's derive wrote it:
//!
//! ```
//! use crd_runtime::CrdSchema;
//! use crd_runtime::crd_schema::bridge;
//! use crd_runtime::k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, LabelSelector};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(CrdSchema, Serialize, Deserialize)]
//! struct Spec {
//!     selector: LabelSelector,
//!     #[crd(schema_with = bridge::bare::<Vec<Condition>>)]
//!     conditions: Vec<Condition>,
//! }
//!
//! let properties = Spec::schema().properties.unwrap();
//! assert_eq!(properties["selector"].x_map_type.as_deref(), Some("atomic"));
//! let json = serde_json::to_value(&properties["conditions"]).unwrap();
//! assert_eq!(json.pointer("/items/properties/reason/maxLength"), None);
//! ```

mod complete;
mod convert;
mod keywords;
mod markers;

use std::any::TypeId;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use schemars::JsonSchema;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::Value;

use super::CrdSchema;
use super::k8s_schema::Additions;
use crate::builder::json;
use crate::model::JsonSchemaProps;

/// The error of a schema that has no structural form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BridgeError {
    /// The name of the type in schemars.
    type_name: String,
    /// The JSON path of the part, such as `.spec.ports[]`; empty for the type itself.
    at: String,
    /// The part that has no structural form.
    what: String,
}

impl fmt::Display for BridgeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { type_name, at, what } = self;
        write!(f, "the schema of `{type_name}` is not structural: {what}")?;
        if at.is_empty() { Ok(()) } else { write!(f, " at `{at}`") }
    }
}

impl std::error::Error for BridgeError {}

/// Converts a type's schemars schema to a structural schema, with the list types, map types, defaults and bounds that
/// controller-gen gives Kubernetes' own types.
///
/// # Errors
/// If the schema has no structural form, because of a recursive type, a list with a schema for each position, or a
/// keyword that the server does not have.
pub fn schema<T: JsonSchema + ?Sized>() -> Result<JsonSchemaProps, BridgeError> {
    convert::<T>(Additions::Kubernetes)
}

/// As [`schema`], but adds nothing to the schemas of Kubernetes' own types, like kube's derive.
///
/// # Errors
/// As [`schema`].
pub fn bare<T: JsonSchema + ?Sized>() -> Result<JsonSchemaProps, BridgeError> {
    convert::<T>(Additions::Bare)
}

/// Converts the schema that a function makes, such as one for `#[schemars(schema_with = "..")]`, as [`schema`] does.
///
/// ```
/// use crd_runtime::crd_schema::bridge::{self, BridgeError};
/// use crd_runtime::model::JsonSchemaProps;
///
/// fn port(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
///     schemars::json_schema!({"type": "integer", "minimum": 1})
/// }
///
/// /// For `#[crd(schema_with = port_in_crd)]`.
/// fn port_in_crd() -> Result<JsonSchemaProps, BridgeError> {
///     bridge::function(port)
/// }
/// # assert_eq!(port_in_crd().map(|schema| schema.type_), Ok("integer".to_owned()));
/// ```
///
/// # Errors
/// As [`schema`].
pub fn function(
    make: impl FnOnce(&mut SchemaGenerator) -> schemars::Schema,
) -> Result<JsonSchemaProps, BridgeError> {
    let type_name = std::any::type_name_of_val(&make);
    let mut generator = SchemaSettings::openapi3().into_generator();
    let mut root = make(&mut generator);
    generator.transforms_mut().for_each(|transform| transform.transform(&mut root));
    let definitions = generator.take_definitions(true);
    let mut document = Value::from(root);
    if let Value::Object(document) = &mut document {
        document.insert("components".to_owned(), serde_json::json!({"schemas": definitions}));
    }
    document_of(type_name, &document, Additions::Kubernetes)
}

fn convert<T: JsonSchema + ?Sized>(additions: Additions) -> Result<JsonSchemaProps, BridgeError> {
    let root = SchemaSettings::openapi3().into_generator().into_root_schema_for::<T>();
    document_of(&T::schema_name(), &Value::from(root), additions)
}

fn document_of(
    type_name: &str,
    document: &Value,
    additions: Additions,
) -> Result<JsonSchemaProps, BridgeError> {
    let converted = convert::root(type_name, document, additions);
    converted.map_err(|(at, what)| BridgeError { type_name: type_name.to_owned(), at, what })
}

/// As [`schema`], but computes each schema only once: that of a pod takes milliseconds, and many kinds contain one.
pub(super) fn cached<T: JsonSchema + 'static>() -> Converted {
    cached_of(TypeId::of::<T>(), schema::<T>)
}

type Converted = Result<JsonSchemaProps, BridgeError>;

fn cached_of(type_: TypeId, make: fn() -> Converted) -> Converted {
    static CACHE: Mutex<BTreeMap<TypeId, Converted>> = Mutex::new(BTreeMap::new());
    let cache = || CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(schema) = cache().get(&type_) {
        return schema.clone();
    }
    // Computed without the lock, because it may need the schema of another type.
    let schema = make();
    cache().entry(type_).or_insert(schema).clone()
}

/// Returns the schema of a derived type as its [`schemars::JsonSchema`].
#[doc(hidden)]
#[must_use]
pub fn json_schema<T: CrdSchema>() -> schemars::Schema {
    to_schemars(&T::schema())
}

/// Converts a structural schema to schemars' type.
#[must_use]
pub fn to_schemars(schema: &JsonSchemaProps) -> schemars::Schema {
    match json(schema) {
        Value::Object(object) => object.into(),
        _ => schemars::Schema::default(),
    }
}
