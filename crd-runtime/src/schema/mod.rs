//! Structural schemas: the shape of data in the open, value validation apart from it.
//!
//! A [`Structural`] holds what a `JSONSchemaProps` says, split by role, or the conversion fails with
//! the server's text. Whether the result keeps the server's invariants is asked separately.
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
