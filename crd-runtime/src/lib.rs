//! Custom resources as kube-apiserver sees them.

#[cfg(feature = "cli")]
pub mod cli;
pub mod compiled;
mod correlate;
pub mod defaulting;
pub mod field;
pub mod json;
pub mod list_type;
pub mod model;
mod names;
pub mod object_meta;
pub mod prune;
mod ratchet;
pub mod schema;
#[cfg(feature = "cli")]
pub mod yaml;
