//! `cargo dev compare`: measures this engine, the API server's own code and other crates.
//!
//! The other crates are not dependencies of this workspace, but of the package `bench`, which has its own lock file. It
//! is built here in release mode.

use std::ffi::OsString;
use std::process::{Command, ExitCode};

use crd_cel::kubernetes::KubernetesVersion;
use crd_tests::go;

use crate::EXIT_USAGE;
use crate::oracle::complain;

/// Runs with `--rounds N`, and `--dry` to leave `BENCHMARKS.md` as it is.
pub(crate) fn main(args: impl Iterator<Item = String>) -> ExitCode {
    let arguments = match parse(args) {
        Ok(arguments) => arguments,
        Err(message) => {
            complain(&message);
            return ExitCode::from(EXIT_USAGE);
        }
    };
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            complain(&message);
            ExitCode::FAILURE
        }
    }
}

#[derive(Default)]
struct Arguments {
    rounds: Option<String>,
    dry: bool,
}

fn parse(mut args: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let mut out = Arguments::default();
    while let Some(flag) = args.next() {
        match &*flag {
            "--rounds" => out.rounds = Some(args.next().ok_or("`--rounds` takes a number")?),
            "--dry" => out.dry = true,
            _ => return Err(format!("unknown flag `{flag}`; known are --rounds, --dry")),
        }
    }
    Ok(out)
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let mut passed: Vec<OsString> = Vec::new();
    match go::build_oracle(KubernetesVersion::REFERENCE) {
        Ok(program) => passed.extend(["--oracle".into(), program.into()]),
        Err(message) => complain(&format!("{message}\nThe rows of the server are left out.")),
    }
    if let Some(rounds) = &arguments.rounds {
        passed.extend(["--rounds".into(), rounds.into()]);
    }
    if !arguments.dry {
        passed.extend(["--out".into(), go::workspace().join("BENCHMARKS.md").into()]);
    }
    let status = Command::new(env!("CARGO"))
        .args(["run", "--release", "--features", "peers", "--bin", "compare", "--manifest-path"])
        .arg(go::workspace().join("bench").join("Cargo.toml"))
        .arg("--")
        .args(passed)
        .status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("bench: {status}")),
        Err(error) => Err(format!("cannot run cargo: {error}")),
    }
}
