//! A complete operator: a kind, its controller, and tests without a cluster.
//!
//! | file | what it shows |
//! |---|---|
//! | `src/website.rs` | the kind |
//! | `src/versions.rs` | an older version of the kind, and how objects are converted |
//! | `src/webhook.rs` | the server of the conversion webhook |
//! | `src/controller.rs` | finalizer, owned Deployment and Job, status with a condition, events |
//! | `src/recording.rs` | the roles that the operator needs, found by running it |
//! | `tests/operator` | one file for each subject of tests; `main.rs` lists them |
//! | `deploy/role.yaml` | the roles, written by `cargo rbac` |
//!
//! Without the feature `operator`, which is on by default, only the kind and its versions are compiled: an `xtask` that
//! writes their manifests needs no client.

#[cfg(feature = "operator")]
pub mod controller;
#[cfg(feature = "recording")]
pub mod recording;
pub mod versions;
#[cfg(feature = "operator")]
pub mod webhook;
pub mod website;
