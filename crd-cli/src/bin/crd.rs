//! The `crd` command: checks CRDs and objects as the API server would.

use std::process::ExitCode;

fn main() -> ExitCode {
    crd_runtime::cli::run_crd()
}
