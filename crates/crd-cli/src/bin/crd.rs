//! The `crd` command: checks CRDs and objects as the API server would.

use std::process::ExitCode;

fn main() -> ExitCode {
    crd_cli::run_crd()
}
