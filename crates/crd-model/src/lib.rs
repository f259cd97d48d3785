//! What the derives of `crd-runtime` and its engine share: the types of apiextensions.k8s.io/v1, field errors, JSON as
//! the API server handles it, and managed fields.
//!
//! Use [`crd-runtime`](https://docs.rs/crd-runtime), which re-exports the modules of this crate. Versions of this crate
//! are made for one version of `crd-runtime`.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod defined;
pub mod differences;
pub mod doc_comments;
pub mod field;
pub mod json;
pub mod managed_fields;
pub mod model;

pub use defined::{Defined, DefinedAs};

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
