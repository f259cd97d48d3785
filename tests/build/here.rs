//! Detects the recorded verdicts that some tests need, so that cargo shows tests without them as ignored, with the
//! reason.

use std::env;
use std::path::Path;

/// The recorded verdicts, beside the repository.
const RECORDED: &str = "../../shared/vectors";

/// Sets `recorded` if there are recorded verdicts, and passes on where they are. `CRD_VECTORS` names another directory.
pub(crate) fn announce() {
    println!("cargo::rustc-check-cfg=cfg(recorded)");
    println!("cargo::rerun-if-env-changed=CRD_VECTORS");
    let directory = env::var("CRD_VECTORS").unwrap_or_else(|_| RECORDED.to_owned());
    println!("cargo::rustc-env=CRD_TESTS_VECTORS={directory}");
    // A path that does not exist is one that has changed, so cargo would compile all tests again each time.
    if Path::new(&directory).is_dir() {
        println!("cargo::rerun-if-changed={directory}");
        println!("cargo::rustc-cfg=recorded");
    }
}
