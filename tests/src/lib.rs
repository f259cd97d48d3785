//! What the integration tests and `cargo xtask conformance` share.

use std::path::{Path, PathBuf};

pub mod agreement;
pub mod apiserver;
pub mod conformance;
pub mod cores;
pub mod differential;
pub mod go;
pub mod oracle;
pub mod outcomes;
pub mod probes;
pub mod requests;
pub mod rustc;
pub mod rustc_error;
pub mod shown;
pub mod tls;
pub mod zoo;

/// Where recorded verdicts stand, beside the repository. Tests that read them are ignored where they are not there, and
/// cargo says so of each.
#[must_use]
pub fn recorded() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/vectors")
}
