//! What kube-apiserver does with custom resources and their definitions, without a cluster.
//!
//! Use [`crd-runtime`](https://docs.rs/crd-runtime), which re-exports the modules of this crate and adds the derives.
//! This crate alone needs neither k8s-openapi nor kube.

pub mod admit;
pub mod cause;
mod compile;
pub mod compiled;
pub mod convert;
mod correlate;
mod defaulting;
pub mod definition;
pub mod field_selector;
#[doc(hidden)]
pub mod fields;
pub mod generate;
pub mod go_types;
pub mod json_path;
mod list_type;
pub mod match_condition;
pub mod names;
pub mod object_meta;
pub mod openapi;
pub mod policy;
mod prune;
pub mod random;
mod ratchet;
pub mod rbac;
pub mod rules;
pub mod ruleset;
pub mod schema;
mod server;
mod shared;
pub mod table;
mod value;
pub mod versions;
pub mod webhooks;
pub mod yaml;

pub use crd_cel::kubernetes::{KubernetesVersion, ParseVersionError};
pub use crd_model::{Defined, DefinedAs, differences, field, json, managed_fields, model};
pub use server::Server;

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
