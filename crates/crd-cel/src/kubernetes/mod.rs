//! The known minor versions of Kubernetes, and what differs between them.
//!
//! A server compiles new expressions with the functions of the minor before its own, so that a
//! rollback does not break them. It compiles stored expressions with all functions that it was
//! built with. [`Environment`] is this choice, and [`Presence`] lists the environments of a
//! function or macro. A [`Change`] is a difference in every environment of a server, because the
//! server is built with another cel-go.

#[cfg(feature = "eval")]
mod concerns;

#[cfg(feature = "eval")]
pub use crate::library::{FunctionEntry, functions};
pub use crate::minors::{
    Change, Environment, KubernetesVersion, ParseVersionError, Presence, SELECTABLE_FIELDS_SINCE,
    format_since,
};
