//! Custom resources as kube-apiserver sees them.

pub mod compiled;
pub mod field;
pub mod json;
pub mod model;
