//! A complete operator: a kind, its controller, and tests without a cluster.
//!
//! | file | what it shows |
//! |---|---|
//! | `src/website.rs` | the kind |
//! | `src/controller.rs` | finalizer, owned Deployment, status with a condition, events |
//! | `src/recording.rs` | the roles that the operator needs, found by running it |
//! | `tests/operator` | admission, creation to deletion, faults, a restart after each request, roles, snapshots |
//! | `deploy/role.yaml` | the roles, written by `cargo xtask rbac` |

pub mod controller;
#[cfg(feature = "recording")]
pub mod recording;
pub mod website;
