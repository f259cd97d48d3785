//! A complete operator: a kind, its controller, and tests without a cluster.
//!
//! | file | what it shows |
//! |---|---|
//! | `src/website.rs` | the kind |
//! | `src/versions.rs` | an older version of the kind, and the webhook that converts it |
//! | `src/controller.rs` | finalizer, owned Deployment and Job, status with a condition, events |
//! | `src/recording.rs` | the roles that the operator needs, found by running it |
//! | `tests/operator` | one file for each subject of tests; `main.rs` lists them |
//! | `deploy/role.yaml` | the roles, written by `cargo xtask rbac` |

pub mod controller;
#[cfg(feature = "recording")]
pub mod recording;
pub mod versions;
pub mod website;
