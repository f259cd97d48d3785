//! Bytes as base64, for `#[serde(with = "crd_runtime::base64")]`; the field's schema is
//! `format: byte`.
//!
//! ```
//! use crd_runtime::CrdSchema;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(CrdSchema, Serialize, Deserialize)]
//! struct Spec {
//!     #[serde(with = "crd_runtime::base64", default, skip_serializing_if = "Vec::is_empty")]
//!     bundle: Vec<u8>,
//! }
//!
//! assert_eq!(serde_json::to_string(&Spec { bundle: b"ab".to_vec() })?, r#"{"bundle":"YWI="}"#);
//! assert_eq!(Spec::schema().properties.unwrap()["bundle"].format, "byte");
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! The server rejects the empty string for `format: byte`: skip empty bytes as above, or require at least
//! one byte.

use k8s_openapi::ByteString;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::model::JsonSchemaProps;

/// Writes bytes as base64.
///
/// # Errors
/// Those of the serializer.
pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    ByteString(bytes.to_vec()).serialize(serializer)
}

/// Reads bytes from base64.
///
/// # Errors
/// If the value is not a string of base64.
pub fn deserialize<'de, D: Deserializer<'de>, T: From<Vec<u8>>>(
    deserializer: D,
) -> Result<T, D::Error> {
    ByteString::deserialize(deserializer).map(|bytes| bytes.0.into())
}

/// `type: string, format: byte`
#[must_use]
pub fn schema() -> JsonSchemaProps {
    crate::crd_schema::bytes()
}
