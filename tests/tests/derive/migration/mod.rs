//! kube's `crd_derive*` examples after they have moved: `docs/guide/src/from-kube.md` shows the way.
//!
//! Assertions that kube's examples make about a cluster are made here about the admission engine.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod derive;
mod multi;
mod no_spec;
mod resources;
mod rules;
mod schema;
