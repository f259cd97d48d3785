//! Custom resources as kube-apiserver sees them.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "derive")]
#[doc(hidden)]
pub mod __private;
#[cfg(feature = "engine")]
pub mod admit;
#[cfg(feature = "derive")]
pub mod apply;
#[cfg(feature = "derive")]
pub mod base64;
#[cfg(feature = "derive")]
mod capability;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "client")]
pub mod client;
#[cfg(feature = "engine")]
pub mod compiled;
#[cfg(feature = "engine")]
pub mod convert;
#[cfg(feature = "engine")]
mod correlate;
#[cfg(feature = "derive")]
pub mod crd_schema;
#[cfg(feature = "derive")]
mod custom_resource;
#[cfg(feature = "engine")]
mod defaulting;
#[cfg(feature = "engine")]
pub mod definition;
#[cfg_attr(
    not(feature = "engine"),
    allow(dead_code, unused_imports, reason = "the engine uses all of it")
)]
pub mod field;
#[cfg(feature = "engine")]
pub mod field_selector;
#[cfg(feature = "derive")]
mod go_duration;
#[cfg_attr(
    not(feature = "engine"),
    allow(dead_code, unused_imports, reason = "the engine uses all of it")
)]
pub mod json;
#[cfg(feature = "engine")]
pub mod json_path;
#[cfg(feature = "engine")]
mod list_type;
pub mod managed_fields;
#[cfg(feature = "client")]
pub mod migrate;
#[cfg_attr(
    not(feature = "engine"),
    allow(dead_code, unused_imports, reason = "the engine uses all of it")
)]
pub mod model;
#[cfg(feature = "engine")]
mod names;
#[cfg(feature = "engine")]
mod object_meta;
#[cfg(feature = "engine")]
pub mod openapi;
#[cfg(feature = "engine")]
mod prune;
#[cfg(feature = "engine")]
mod ratchet;
#[cfg(feature = "engine")]
pub mod rules;
#[cfg(feature = "engine")]
pub mod ruleset;
#[cfg(feature = "engine")]
pub mod schema;
#[cfg(feature = "engine")]
pub mod table;
#[cfg(feature = "derive")]
mod type_meta;
#[cfg(feature = "engine")]
mod value;
#[cfg(feature = "engine")]
pub mod versions;
#[cfg(feature = "webhook")]
pub mod webhook;
#[cfg(feature = "yaml")]
pub mod yaml;

#[cfg(feature = "derive")]
pub use crd_derive::{CrdSchema, CustomResource};
// What public signatures name, so that a program without dependencies of its own on them has the same versions.
#[cfg(feature = "client")]
pub use kube;
#[cfg(feature = "derive")]
pub use {
    capability::{HasScale, HasStatus},
    crd_schema::CrdSchema,
    custom_resource::CustomResource,
    go_duration::{GoDuration, GoDurationError},
    type_meta::TypeMeta,
};
#[cfg(feature = "derive")]
pub use {k8s_openapi, schemars};
