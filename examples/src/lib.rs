//! Example kinds as the author of an operator would write them, each small enough to read in a minute.
//!
//! `cargo xtask crds` writes their manifests to `examples/crds`; `tests/src/outcomes.rs` has the outcomes of writes of
//! their objects.

pub mod cleaner;
pub mod cluster_profile;
pub mod crontab;
pub mod gate;
pub mod host_port;
pub mod raw;
pub mod server_side_apply;
pub mod shirt;
