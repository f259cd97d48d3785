//! `cargo xtask oracle [--kubernetes 1.33]`: builds the API server's own code and answers JSON lines.

use std::io::{self, Write as _};
use std::process::{Command, ExitCode};

use crd_cel::kubernetes::KubernetesVersion;
use crd_tests::go;

/// Builds the oracle and hands standard input and output to it.
pub(crate) fn main(mut args: impl Iterator<Item = String>) -> ExitCode {
    let (mut version, mut rest) = (KubernetesVersion::REFERENCE, Vec::new());
    while let Some(arg) = args.next() {
        if arg != "--kubernetes" {
            rest.push(arg);
            continue;
        }
        match args.next().unwrap_or_default().parse() {
            Ok(parsed) => version = parsed,
            Err(error) => {
                complain(&format!("cargo xtask oracle: {error}"));
                return ExitCode::from(super::EXIT_USAGE);
            }
        }
    }
    match go::build_oracle(version) {
        Ok(program) => match Command::new(&program).args(rest).status() {
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
