//! The `crd` command as a plugin: `kubectl crd`.

use std::process::ExitCode;

fn main() -> ExitCode {
    crd_cli::run_kubectl_crd()
}
