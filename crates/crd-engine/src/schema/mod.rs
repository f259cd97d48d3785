//! Structural schemas: the types of data, separate from the validation of values.
//!
//! A [`Structural`] has the keywords of a `JSONSchemaProps`, grouped by what they do. The conversion fails with the
//! server's text if the schema has keywords that structural schemas do not have. [`validate_structural()`] checks the
//! server's invariants.
//!
//! Source: `pkg/apiserver/schema`.

mod complete;
mod convert;
mod field_path;
mod structural;
mod validate_structural;

#[cfg(test)]
mod tests;

pub use convert::{ConvertError, MAX_SCHEMA_DEPTH};
pub(crate) use field_path::{Notation, resolve};
pub use structural::{
    AdditionalProperties, Extensions, Generic, NestedAdditionalProperties, NestedValueValidation,
    Structural, ValueValidation,
};
pub use validate_structural::validate_structural;
pub(crate) use validate_structural::{check_structural, is_structural};
