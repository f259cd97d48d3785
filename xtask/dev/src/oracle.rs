//! `cargo dev oracle`: builds and runs the oracle, which answers requests in JSON lines with the API server's own code.

use std::ffi::OsString;
use std::process::Command;

use crd_tests::go;

use crate::{Outcome, Server, succeed};

/// Build the API server's own code (needs Go) and answer JSON lines on standard input.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    server: Server,
    /// Arguments of the oracle.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<OsString>,
}

/// Builds the oracle, and runs it with this program's standard input and output.
pub(crate) fn run(arguments: Arguments) -> Outcome {
    let program = go::build_oracle(arguments.server.kubernetes)?;
    succeed(Command::new(program).args(arguments.rest))
}
