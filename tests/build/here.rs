//! Detects the programs and data that some tests need, so that cargo shows tests without them as ignored, with the
//! reason.

use std::path::Path;
use std::process::Command;

/// The recorded verdicts, beside the repository.
const RECORDED: &str = "../../shared/vectors";

/// Sets `recorded` if there are recorded verdicts, and `go` if there is a Go toolchain.
pub(crate) fn announce() {
    println!("cargo::rustc-check-cfg=cfg(recorded, go)");
    if Path::new(RECORDED).is_dir() {
        println!("cargo::rerun-if-changed={RECORDED}");
        println!("cargo::rustc-cfg=recorded");
    }
    if Command::new("go").arg("version").output().is_ok_and(|done| done.status.success()) {
        println!("cargo::rustc-cfg=go");
    }
}
