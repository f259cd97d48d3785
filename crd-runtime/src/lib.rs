//! Custom resources as kube-apiserver sees them.

pub mod compiled;
pub mod defaulting;
pub mod field;
pub mod json;
pub mod model;
pub mod prune;
#[cfg(feature = "cli")]
pub mod yaml;
