//! Operator-author code, each kind small enough to read in a minute.
//!
//! `cargo xtask crds` writes their manifests to `examples/crds`; what the API server makes of their
//! objects is in `tests/`.

pub mod cleaner;
pub mod cluster_profile;
pub mod crontab;
pub mod host_port;
pub mod raw;
pub mod server_side_apply;
pub mod shirt;
