//! Field errors, their paths and lists of them, displayed as by the API server.
//!
//! Source: `k8s.io/apimachinery/pkg/util/validation/field`.

mod error;
mod path;
mod sink;

pub use error::ADDRESS;
#[doc(hidden)]
pub use error::supported_values;
pub use error::{BadValue, Error, ErrorKind, ErrorList};
pub use path::Path;
pub use sink::{ErrorKinds, Shown, Sink, more};
pub use sink::{MAX_ERROR_BYTES, MAX_UNKNOWN_FIELD_BYTES, MAX_WARNING_BYTES};
