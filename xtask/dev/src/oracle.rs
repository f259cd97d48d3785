//! `cargo dev oracle [--kubernetes 1.33]`: builds and runs the oracle, which answers requests in JSON lines with the
//! API server's own code.

use std::io::{self, Write as _};
use std::process::{Command, ExitCode};

use crd_cel::kubernetes::KubernetesVersion;
use crd_tests::go;

/// Builds the oracle, and runs it with this program's standard input and output.
pub(crate) fn main(args: impl Iterator<Item = String>) -> ExitCode {
    let (version, rest) = match version_of(args) {
        Ok(parsed) => parsed,
        Err(error) => {
            complain(&format!("cargo dev oracle: {error}"));
            return ExitCode::from(super::EXIT_USAGE);
        }
    };
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

/// Returns the version after `--kubernetes`, or else the reference version, and the other arguments.
///
/// # Errors
/// If `--kubernetes` is not followed by a known version.
pub(crate) fn version_of(
    mut args: impl Iterator<Item = String>,
) -> Result<(KubernetesVersion, Vec<String>), String> {
    let (mut version, mut rest) = (KubernetesVersion::REFERENCE, Vec::new());
    while let Some(arg) = args.next() {
        if arg == "--kubernetes" {
            let text = args.next().ok_or("`--kubernetes` takes a version, such as 1.33")?;
            version = text.parse().map_err(|error| format!("`--kubernetes`: {error}"))?;
        } else {
            rest.push(arg);
        }
    }
    Ok((version, rest))
}

/// Prints a line to standard error.
pub(crate) fn complain(message: &str) {
    let _ = writeln!(io::stderr(), "{message}");
}
