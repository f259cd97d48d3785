//! A definition read from JSON as Go reads it: nulls count as absent, unknown keys are reported, and a value of the
//! wrong type is rejected with the text of Go's decoder.
//!
//! Source: `sigs.k8s.io/json` (`decode.go`) and `pkg/apis/apiextensions/v1/marshal.go`.

mod published;

pub use published::published_schema;

use std::fmt;

use serde::Deserialize as _;
use serde_json::Value;

use crate::differences::Difference;
use crate::go_types::Decoding;
use crate::model::CustomResourceDefinition;
use crate::{Server, json};

/// A decoded definition.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Decoded {
    /// The definition.
    pub crd: CustomResourceDefinition,
    /// The errors of strict field validation for keys that the API does not have:
    /// `unknown field "spec.versions[0].foo"`.
    pub unknown_fields: Vec<String>,
}

/// The error of a definition that cannot be decoded: the text of Go's decoder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodeError(String);

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for DecodeError {}

/// Reads a definition from JSON.
///
/// # Examples
///
/// ```
/// use crd_runtime::definition;
/// use serde_json::json;
///
/// let decoded = definition::decode(&json!({
///     "metadata": {"name": "shirts.example.com"},
///     "spec": {"group": "example.com", "names": {"plural": "shirts", "kind": "Shirt"}, "scop": "Namespaced"},
/// }))?;
/// assert_eq!(decoded.crd.spec.group, "example.com");
/// assert_eq!(decoded.unknown_fields, ["unknown field \"spec.scop\""]);
///
/// let error = definition::decode(&json!({"spec": {"group": 1}})).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "json: cannot unmarshal number into Go struct field CustomResourceDefinitionSpec.spec.group of type string",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The text of Go's decoder, or that JSON is nested deeper than [`json::MAX_DEPTH`] or schemas are nested deeper than
/// [`MAX_SCHEMA_DEPTH`](crate::schema::MAX_SCHEMA_DEPTH).
pub fn decode(value: &Value) -> Result<Decoded, DecodeError> {
    Server::REFERENCE.decode(value)
}

impl Server {
    /// Does what [`decode`] does, with the errors of this server.
    ///
    /// # Errors
    /// Returns the errors of [`decode`].
    pub fn decode(self, value: &Value) -> Result<Decoded, DecodeError> {
        self.decode_from(Decoding::Body, value)
    }

    /// Does what [`Server::decode`] does for a definition that comes from somewhere else.
    ///
    /// # Errors
    /// Returns the errors of [`decode`], as the server words them for such a definition.
    #[doc(hidden)]
    pub fn decode_from(self, decoding: Decoding, value: &Value) -> Result<Decoded, DecodeError> {
        if !value.is_object() {
            let kind = json::kind(value);
            let text = "into Go value of type v1.CustomResourceDefinition";
            return Err(DecodeError(format!("json: cannot unmarshal {kind} {text}")));
        }
        if json::is_too_deep(value) {
            return Err(DecodeError(json::too_deep()));
        }
        let mut value = value.clone();
        let keeps_inner_paths = Difference::PathsBelowSchemas.is_in(self.kubernetes);
        let unknown_fields =
            decoding.decode_definition(&mut value, keeps_inner_paths).map_err(DecodeError)?;
        let crd = CustomResourceDefinition::deserialize(value);
        Ok(Decoded { crd: crd.map_err(|error| DecodeError(error.to_string()))?, unknown_fields })
    }
}
