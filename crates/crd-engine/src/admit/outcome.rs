//! The outcome of a write: an admitted object, or a rejection.

use std::fmt;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::body::MAX_BODY_BYTES;
use crate::compiled::CompiledSchema;
use crate::field::ErrorList;
use crate::json;
use crate::object_meta::text;

/// A write that the server accepts.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Admitted {
    /// The object as it is stored.
    pub object: Value,
    /// The paths of the fields that were dropped because the schema does not specify them, in the server's order, up to
    /// [`MAX_UNKNOWN_FIELD_BYTES`](crate::field::MAX_UNKNOWN_FIELD_BYTES); a warning gives the number of further ones.
    pub unknown_fields: Vec<String>,
    /// The messages about duplicate keys, such as `duplicate field "spec.a"`.
    pub duplicate_fields: Vec<String>,
    /// The warnings that the client receives, in the server's order.
    pub warnings: Vec<String>,
}

impl Admitted {
    /// Deserializes the object into a Rust value.
    ///
    /// # Errors
    /// If serde cannot deserialize an object that the schema accepts.
    pub fn into_typed<T: DeserializeOwned>(self) -> Result<T, serde_json::Error> {
        // A client reads the stored object, in which a number that was written as `1.0` is `1`.
        serde_json::from_value(json::stored(self.object))
    }
}

/// A write that the server rejects.
///
/// `Debug` prints the message of `kubectl` as far as it is known without the schema, so that a failing `unwrap()` in a
/// test is readable; `Display` prints only the errors.
#[derive(Clone, PartialEq)]
pub enum Rejection {
    /// The body exceeds [`MAX_BODY_BYTES`]: status 413.
    TooLarge,
    /// The object cannot be decoded, for the reason in the text: status 400.
    Decode(String),
    /// Strict field validation found unknown or duplicate fields, with a message for each: status 400.
    Strict(Vec<String>),
    /// The object can be decoded but is invalid: status 422.
    Invalid(Box<Invalid>),
}

/// An object that is invalid.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Invalid {
    /// The errors; never empty. Beyond [`MAX_ERROR_BYTES`](crate::field::MAX_ERROR_BYTES), the last error gives the
    /// number of further ones.
    pub errors: ErrorList,
    /// The object that was validated.
    pub object: Value,
    /// As in [`Admitted`].
    pub unknown_fields: Vec<String>,
    /// As in [`Admitted`].
    pub duplicate_fields: Vec<String>,
    /// As in [`Admitted`], with those that the server gives only if the object is valid at the end.
    pub warnings: Vec<String>,
    /// The number of warnings that the server answers with.
    pub(super) answered: usize,
}

impl Rejection {
    /// Returns the errors of an invalid object.
    pub fn errors(&self) -> Option<&ErrorList> {
        match self {
            Self::Invalid(invalid) => Some(&invalid.errors),
            Self::TooLarge | Self::Decode(_) | Self::Strict(_) => None,
        }
    }

    /// Returns the warnings that the server answers with, apart from the errors.
    pub fn warnings(&self) -> &[String] {
        match self {
            Self::Invalid(invalid) => invalid.warnings.get(..invalid.answered).unwrap_or_default(),
            Self::TooLarge | Self::Decode(_) | Self::Strict(_) => &[],
        }
    }

    /// Returns the HTTP status code that the server answers with, such as 422.
    pub const fn code(&self) -> u16 {
        match self {
            Self::TooLarge => 413,
            Self::Decode(_) | Self::Strict(_) => 400,
            Self::Invalid(_) => 422,
        }
    }

    /// Returns the reason of the status that the server answers with, such as `Invalid`.
    ///
    /// Source: `metav1.StatusReason`, as `NewInvalid`, `NewBadRequest` and `NewRequestEntityTooLargeError` in
    /// `k8s.io/apimachinery/pkg/api/errors` set it.
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::TooLarge => "RequestEntityTooLarge",
            Self::Decode(_) | Self::Strict(_) => "BadRequest",
            Self::Invalid(_) => "Invalid",
        }
    }

    /// Returns the message of the status that the server answers with.
    ///
    /// Source: `transformDecodeError` in `k8s.io/apiserver/pkg/endpoints/handlers/rest.go` and `NewInvalid`
    /// in `k8s.io/apimachinery/pkg/api/errors`.
    pub fn message(&self, schema: &CompiledSchema) -> String {
        let resource = schema.resource();
        let kind = &resource.names.kind;
        match self {
            Self::Invalid(invalid) => {
                // Source: `objectMetaAndKind`: the message names the kind of the object, even if it is the wrong one.
                let kind = invalid.object.get("kind").and_then(Value::as_str).unwrap_or(kind);
                let metadata = invalid.object.get("metadata").and_then(Value::as_object);
                let name = metadata.map_or("", |metadata| text(metadata, "name"));
                format!("{kind}.{} \"{name}\" is invalid: {}", resource.group, invalid.errors)
            }
            Self::TooLarge => self.to_string(),
            Self::Decode(_) | Self::Strict(_) => {
                format!(
                    "{kind} in version \"{}\" cannot be handled as a {kind}: {self}",
                    resource.version
                )
            }
        }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge => {
                write!(f, "Request entity too large: limit is {MAX_BODY_BYTES}")
            }
            Self::Decode(text) => f.write_str(text),
            Self::Strict(errors) => write!(f, "strict decoding error: {}", errors.join(", ")),
            Self::Invalid(invalid) => invalid.errors.fmt(f),
        }
    }
}

/// Source: `checkErr` in `k8s.io/kubectl/pkg/cmd/util/helpers.go`.
impl fmt::Debug for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Invalid(invalid) = self else {
            return write!(f, "Error from server ({}): {self}", self.reason());
        };
        let kind = invalid.object.get("kind").and_then(Value::as_str).unwrap_or_default();
        let metadata = invalid.object.get("metadata").and_then(Value::as_object);
        let name = metadata.map_or("", |metadata| text(metadata, "name"));
        write!(f, "The {kind} \"{name}\" is invalid: ")?;
        // Upstream: duplicate texts are left out.
        let mut texts: Vec<String> = Vec::new();
        for error in &invalid.errors {
            let text = error.to_string();
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        match texts.as_slice() {
            [text] => f.write_str(text),
            texts => texts.iter().try_for_each(|text| write!(f, "\n* {text}")),
        }
    }
}

impl std::error::Error for Rejection {}
