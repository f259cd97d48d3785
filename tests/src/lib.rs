//! Code that the integration tests and the chores of `cargo xtask` share.

use std::path::{Path, PathBuf};

pub mod agreement;
pub mod apiserver;
pub mod conformance;
pub mod cores;
pub mod differential;
pub mod go;
pub mod kubectl;
pub mod oracle;
pub mod outcomes;
pub mod probes;
pub mod requests;
pub mod rustc;
pub mod rustc_error;
pub mod shown;
pub mod tls;
pub mod zoo;

/// Returns the directory of recorded verdicts, beside the repository. If it does not exist, the tests that read it are
/// ignored, which cargo reports for each of them.
#[must_use]
pub fn recorded() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/vectors")
}
