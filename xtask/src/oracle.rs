//! `cargo xtask oracle`: builds the API server's own code and answers JSON lines.

use std::io::{self, Write as _};
use std::process::{Command, ExitCode};

use crd_tests::go;

/// Builds the oracle and hands standard input and output to it.
pub(crate) fn main(args: impl Iterator<Item = String>) -> ExitCode {
    match go::build("oracle") {
        Ok(program) => match Command::new(&program).args(args).status() {
            Ok(status) if status.success() => ExitCode::SUCCESS,
            Ok(status) => {
                complain(&format!("the oracle ended with {status}"));
                ExitCode::FAILURE
            }
            Err(error) => {
                complain(&format!("cannot run {}: {error}", program.display()));
                ExitCode::FAILURE
            }
        },
        Err(message) => {
            complain(&message);
            ExitCode::FAILURE
        }
    }
}

/// A line for a person.
pub(crate) fn complain(message: &str) {
    let _ = writeln!(io::stderr(), "{message}");
}
