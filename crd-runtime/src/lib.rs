//! Custom resources as kube-apiserver sees them.

#[cfg(feature = "derive")]
#[doc(hidden)]
pub mod __private;
pub mod admit;
#[cfg(feature = "derive")]
pub mod base64;
#[cfg(feature = "cli")]
pub mod cli;
pub mod compiled;
pub mod convert;
mod correlate;
#[cfg(feature = "derive")]
pub mod crd_schema;
#[cfg(feature = "derive")]
mod custom_resource;
pub mod defaulting;
pub mod definition;
pub mod field;
pub mod field_selector;
mod format;
pub mod json;
pub mod json_path;
pub mod list_type;
pub mod model;
mod names;
pub mod object_meta;
pub mod openapi;
pub mod prune;
mod ratchet;
pub mod rules;
pub mod ruleset;
pub mod schema;
pub mod table;
#[cfg(feature = "derive")]
mod type_meta;
mod value;
pub mod versions;
#[cfg(feature = "cli")]
pub mod yaml;

#[cfg(feature = "derive")]
pub use crd_derive::{CrdSchema, CustomResource};
#[cfg(feature = "derive")]
pub use {crd_schema::CrdSchema, custom_resource::CustomResource, type_meta::TypeMeta};
