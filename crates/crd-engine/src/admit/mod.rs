//! Admission of writes, in the server's order:
//!
//! 1. Decode: coerce metadata, drop unknown fields, drop nulls where the schema is not nullable, coerce the metadata of
//!    embedded resources, and add defaults.
//! 2. Prepare: set the status and the generation.
//! 3. Validate: type, metadata, schema, scale, metadata of embedded resources, list types and rules.
//!
//! The module covers decoding and the strategy of custom resources. It does not cover the steps that need a server:
//! name generation, storage with its resource versions, managed fields and admission plugins.
//!
//! Source: `pkg/apiserver/customresource_handler.go` and `pkg/registry/customresource/strategy.go` of
//! apiextensions-apiserver.
//!
//! ```
//! use crd_runtime::{admit, compiled::CompiledSchema, model::CustomResourceDefinition};
//! use serde_json::json;
//!
//! let crd: CustomResourceDefinition = serde_json::from_value(json!({
//!     "metadata": {"name": "shirts.example.com"},
//!     "spec": {
//!         "group": "example.com", "scope": "Namespaced",
//!         "names": {"plural": "shirts", "kind": "Shirt"},
//!         "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
//!             "type": "object",
//!             "properties": {"spec": {"type": "object", "properties": {
//!                 "size": {"type": "string", "default": "M"},
//!             }}},
//!         }}}],
//!     },
//! }))?;
//! let schema = CompiledSchema::for_version(&crd, "v1")?;
//! let object = json!({
//!     "apiVersion": "example.com/v1", "kind": "Shirt",
//!     "metadata": {"name": "mine", "namespace": "default"},
//!     "spec": {"colour": "blue"},
//! });
//! let admitted = admit::create(&schema, object)?;
//! assert_eq!(admitted.unknown_fields, ["spec.colour"]);
//! assert_eq!(admitted.object["spec"], json!({"size": "M"}));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod body;
mod coerce;
mod outcome;
pub mod scale;
mod strategy;
mod typed;
mod warnings;

use std::mem;

use serde_json::Value;

pub use body::MAX_BODY_BYTES;
pub use body::is_too_large;
pub use body::{check_kind, check_version, interpret};
pub use coerce::coerce_without_defaults;
pub use outcome::{Admitted, Invalid, Rejection};
pub use typed::{create_typed, update_typed};

use crate::compiled::CompiledSchema;
use crate::field::{Sink, more};
use crate::json;
use crate::object_meta::Malformed;
use strategy::UpdatedPart;

/// What is written, with the stored object.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Operation<'a> {
    /// A new object.
    Create,
    /// An object that replaces the stored one.
    Update(&'a Value),
    /// The status of the stored object; everything else in the written object is ignored.
    UpdateStatus(&'a Value),
    /// The result of [`scale::put`]. No body is decoded, so nothing is pruned or defaulted.
    UpdateScale(&'a Value),
}

/// How unknown and duplicate fields are treated: the query parameter `fieldValidation`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum FieldValidation {
    /// They are dropped silently.
    Ignore,
    /// Each is a warning.
    #[default]
    Warn,
    /// Each is an error.
    Strict,
}

/// A write request.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Write<'a> {
    /// What is written, with the stored object.
    pub operation: Operation<'a>,
    /// How unknown and duplicate fields are treated.
    pub field_validation: FieldValidation,
}

/// Admits a new object.
///
/// # Errors
/// If the server would reject the object.
pub fn create(schema: &CompiledSchema, object: Value) -> Result<Admitted, Rejection> {
    Write::new(Operation::Create).admit(schema, object)
}

/// Admits a new object from a request body of JSON.
///
/// # Errors
/// If the server would reject the body or its object.
pub fn create_from_slice(schema: &CompiledSchema, body: &[u8]) -> Result<Admitted, Rejection> {
    Write::new(Operation::Create).admit_slice(schema, body)
}

/// Admits an object in place of the stored `old`, which is [`read`] first.
///
/// As on the server, a value that was invalid before may stay if the update does not change it (ratcheting).
///
/// # Errors
/// If the server would reject the update, or `old` cannot be read.
pub fn update(schema: &CompiledSchema, object: Value, old: &Value) -> Result<Admitted, Rejection> {
    Write::new(Operation::Update(old)).admit(schema, object)
}

/// Admits the status of an object as an update of the stored `old`, which is [`read`] first.
///
/// # Errors
/// If the server would reject the update, or `old` cannot be read.
pub fn update_status(
    schema: &CompiledSchema,
    object: Value,
    old: &Value,
) -> Result<Admitted, Rejection> {
    Write::new(Operation::UpdateStatus(old)).admit(schema, object)
}

/// Reads a stored object: prunes it, drops malformed metadata, adds defaults, and sets the generation to 1 if it is
/// absent or 0. A `null` that comes from a default is dropped like any other.
///
/// # Errors
/// [`Rejection::Decode`] if the kind, version or metadata of the object is malformed.
pub fn read(schema: &CompiledSchema, stored: Value) -> Result<Value, Rejection> {
    let mut stored = check_depth_and_sort(stored)?;
    // Upstream: the object is then converted to the version of the request, which prunes it once more.
    if coerce_stored(schema, &mut stored)? {
        schema.prune_nulls_of_defaults(&mut stored);
    }
    Ok(stored)
}

/// Does [`read`] for an object that is then converted to another version: a `null` that comes from a default is kept
/// for the conversion.
///
/// # Errors
/// Returns the errors of [`read`].
pub fn read_unconverted(schema: &CompiledSchema, mut stored: Value) -> Result<Value, Rejection> {
    stored = check_depth_and_sort(stored)?;
    coerce_stored(schema, &mut stored)?;
    Ok(stored)
}

/// Prunes a stored object and adds defaults. Returns whether it is of the schema's kind and version.
fn coerce_stored(schema: &CompiledSchema, stored: &mut Value) -> Result<bool, Rejection> {
    coerce::coerce_with_defaults(schema, stored, Malformed::Drop, None).map_err(Rejection::Decode)
}

/// Prunes an object that has been converted to the version of this schema. It gets no defaults.
///
/// # Errors
/// The server's text if its metadata is malformed.
pub fn coerce(schema: &CompiledSchema, converted: &mut Value) -> Result<(), String> {
    coerce_without_defaults(schema, converted, Malformed::Reject, None).map(|_| ())
}

impl<'a> Write<'a> {
    /// Creates a write with the server's default field validation, which warns of unknown fields.
    pub const fn new(operation: Operation<'a>) -> Self {
        Self { operation, field_validation: FieldValidation::Warn }
    }

    /// Sets how unknown and duplicate fields are treated.
    #[must_use]
    pub const fn field_validation(mut self, field_validation: FieldValidation) -> Self {
        self.field_validation = field_validation;
        self
    }

    /// Admits an object.
    ///
    /// # Errors
    /// If the server would reject the write, or the stored object cannot be read.
    pub fn admit(&self, schema: &CompiledSchema, object: Value) -> Result<Admitted, Rejection> {
        self.run(schema, check_depth_and_sort(object)?, Vec::new(), false)
    }

    /// Admits an object from a request body of JSON.
    ///
    /// # Errors
    /// If the server would reject the write, or the stored object cannot be read.
    pub fn admit_slice(&self, schema: &CompiledSchema, body: &[u8]) -> Result<Admitted, Rejection> {
        let decoded = body::decode(body)?;
        self.run(schema, decoded.value, decoded.duplicates, true)
    }

    fn run(
        &self,
        schema: &CompiledSchema,
        object: Value,
        duplicates: Vec<String>,
        is_body: bool,
    ) -> Result<Admitted, Rejection> {
        let coerced = match self.operation {
            Operation::UpdateScale(_) => Coerced { object, ..Coerced::default() },
            _ => coerce_object(schema, object, duplicates, self.field_validation)?,
        };
        if is_body {
            check_version(schema, &coerced.object)?;
        }
        let old = |old: &Value| read(schema, old.clone());
        match self.operation {
            Operation::Create => decide(schema, coerced, Operation::Create),
            Operation::Update(stored) => decide(schema, coerced, Operation::Update(&old(stored)?)),
            Operation::UpdateStatus(stored) => {
                decide(schema, coerced, Operation::UpdateStatus(&old(stored)?))
            }
            Operation::UpdateScale(stored) => {
                decide(schema, coerced, Operation::UpdateScale(&old(stored)?))
            }
        }
    }
}

/// An object that is coerced to its schema and not yet validated.
#[derive(Debug, Default)]
pub struct Coerced {
    /// The object.
    pub object: Value,
    /// The paths of unknown fields.
    pub unknown_fields: Vec<String>,
    /// The paths of fields that occur twice.
    pub duplicate_fields: Vec<String>,
    /// The warnings of unknown and duplicate fields, which strict field validation treats as errors.
    pub warnings: Vec<String>,
}

/// Decodes a body and coerces the object to its schema. The caller still has to call [`check_version`]. `strict` has the
/// errors of strict decoding that come before those of the body.
///
/// # Errors
/// If the body cannot be decoded, the object cannot be coerced, or strict field validation finds unknown or duplicate
/// fields.
pub fn decode_and_coerce(
    schema: &CompiledSchema,
    body: &[u8],
    strict: &[String],
    validation: FieldValidation,
) -> Result<Coerced, Rejection> {
    let decoded = body::decode(body)?;
    let duplicates = [strict, &decoded.duplicates].concat();
    coerce_object(schema, decoded.value, duplicates, validation)
}

/// Coerces an object to its schema.
///
/// # Errors
/// If the object cannot be coerced, or strict field validation finds unknown or duplicate fields.
pub fn coerce_object(
    schema: &CompiledSchema,
    mut object: Value,
    duplicates: Vec<String>,
    validation: FieldValidation,
) -> Result<Coerced, Rejection> {
    let track = validation != FieldValidation::Ignore;
    let mut found = Sink::of(schema.kubernetes());
    coerce::coerce_with_defaults(
        schema,
        &mut object,
        Malformed::Reject,
        track.then_some(&mut found),
    )
    .map_err(Rejection::Decode)?;
    let duplicates = if track { duplicates } else { Vec::new() };
    // Duplicate fields come before unknown ones, as in the server's answer.
    let mut warnings = duplicates.clone();
    let unknown = found.unknown_fields().iter();
    warnings.extend(unknown.map(|path| format!("unknown field \"{path}\"")));
    let omitted = found.omitted_unknown_fields();
    if omitted > 0 {
        let more = more(omitted, "unknown field is", "unknown fields are");
        warnings.push(format!("{more} not listed"));
    }
    if validation == FieldValidation::Strict && !warnings.is_empty() {
        return Err(Rejection::Strict(warnings));
    }
    let unknown_fields = found.into_parts().unknown_fields;
    Ok(Coerced { object, unknown_fields, duplicate_fields: duplicates, warnings })
}

/// Coerces to its schema an object that an apply has merged.
///
/// # Errors
/// If the object is nested too deeply, or its metadata is no object.
pub fn coerce_merged(schema: &CompiledSchema, object: Value) -> Result<Coerced, Rejection> {
    let mut object = check_depth_and_sort(object)?;
    coerce::coerce_merged_metadata(schema, &mut object).map_err(Rejection::Decode)?;
    Ok(Coerced { object, ..Coerced::default() })
}

/// Prepares and validates a coerced object. The stored object in `operation` must have been [`read`].
///
/// # Errors
/// [`Rejection::Invalid`] if the prepared object is invalid.
pub fn decide(
    schema: &CompiledSchema,
    coerced: Coerced,
    operation: Operation<'_>,
) -> Result<Admitted, Rejection> {
    let Coerced { mut object, unknown_fields, duplicate_fields, mut warnings } = coerced;
    let mut found = Sink::of(schema.kubernetes());
    let old = match operation {
        Operation::Create => {
            strategy::prepare_create(schema, &mut object);
            strategy::validate_create(schema, &object, &mut found);
            None
        }
        Operation::Update(old) | Operation::UpdateScale(old) => {
            strategy::prepare_update(schema, &mut object, old);
            strategy::validate_over(schema, &object, old, UpdatedPart::Object, &mut found);
            Some(old)
        }
        Operation::UpdateStatus(old) => {
            strategy::prepare_update_status(&mut object, old);
            strategy::validate_over(schema, &object, old, UpdatedPart::Status, &mut found);
            Some(old)
        }
    };
    // A write of the status keeps the finalizers of the stored object.
    let mut of_finalizers = found.below();
    if !matches!(operation, Operation::UpdateStatus(_)) {
        warnings::of_finalizers(&object, old, &mut of_finalizers);
    }
    let found = found.into_parts();
    warnings.extend(found.warnings);
    // The server asks for the warnings about finalizers after it has validated the object.
    let answered = warnings.len();
    warnings.extend(of_finalizers.into_parts().warnings);
    let errors = found.errors;
    if errors.is_empty() {
        Ok(Admitted { object, unknown_fields, duplicate_fields, warnings })
    } else {
        Err(Rejection::Invalid(Box::new(Invalid {
            errors,
            object,
            unknown_fields,
            duplicate_fields,
            warnings,
            answered,
        })))
    }
}

/// Rejects an object that is nested too deeply for recursion, and sorts the keys of others: `serde_json` may be built
/// to keep keys in the order of their insertion.
fn check_depth_and_sort(mut object: Value) -> Result<Value, Rejection> {
    if json::is_too_deep(&object) {
        json::drop_deep(mem::take(&mut object));
        return Err(Rejection::Decode(json::too_deep()));
    }
    object.sort_all_objects();
    Ok(object)
}
