//! Code that the integration tests and the chores of `cargo dev` share.

use std::env;
use std::path::{Path, PathBuf};

pub mod agreement;
pub mod apiserver;
mod batch;
pub mod conformance;
pub mod cores;
pub mod differential;
pub mod go;
pub mod https;
pub mod import;
pub mod kubectl;
pub mod oracle;
pub mod outcomes;
pub mod probes;
pub mod requests;
pub mod rustc;
pub mod rustc_error;
pub mod shown;
pub mod tls;
pub mod yaml;
pub mod zoo;

/// Returns the directory of recorded verdicts, which is beside the repository if `CRD_VECTORS` does not name another one
/// during compilation. If it does not exist, the tests that read it are ignored, which cargo reports for each of them.
#[must_use]
pub fn recorded() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(env!("CRD_TESTS_VECTORS"))
}

/// Whether the tests that compare `what` with generated files write these files anew, which `BLESS` says by that name.
#[must_use]
pub fn blesses(what: &str) -> bool {
    env::var_os("BLESS").is_some_and(|named| named == what)
}
