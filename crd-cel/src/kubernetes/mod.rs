//! Which Kubernetes decides: the minors that are known, and what differs between them.
//!
//! A server compiles the expressions of a new definition with what the minor before it had, so that a rollback
//! does not break them, and those that are stored with everything that it was built with.
//! [`Environment`] is that choice, [`Presence`] says of a function or macro in which environments it is, and
//! [`Change`] what servers do otherwise whatever the choice, because they are built with another cel-go.

#[cfg(feature = "eval")]
mod concerns;

#[cfg(feature = "eval")]
pub use crate::library::{FunctionEntry, functions, missing_function};
pub use crate::minors::{
    Change, Environment, KubernetesVersion, ParseVersionError, Presence, SELECTABLE_FIELDS_SINCE,
    format_since,
};
