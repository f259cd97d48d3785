//! The one vocabulary of errors: paths, errors and lists of them, printing as the API server prints.
//!
//! Source: `k8s.io/apimachinery/pkg/util/validation/field`.

mod error;
mod path;

pub use error::{BadValue, Error, ErrorKind, ErrorList};
pub use path::Path;
