//! The chores of this workspace: `cargo dev <chore>`.

mod api;
mod apiserver;
mod book;
mod charts;
mod compare;
mod conformance;
mod differential;
mod e2e;
mod features;
mod import;
mod instructions;
mod kubectl;
mod licences;
mod metadata;
mod mutants;
mod oracle;
mod requests;
mod rust_version;
mod speed;
mod suites;
mod tidy;
mod times;
mod types;
mod yaml;
mod zoo;

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::process::{Command, ExitCode};

use clap::Parser;
use crd_cel::kubernetes::KubernetesVersion;

/// Whether what a chore checks holds, or why it could not run. A chore that only does something returns true.
type Outcome = Result<bool, String>;

#[derive(Debug, Parser)]
#[command(name = "cargo dev", bin_name = "cargo dev")]
enum Chore {
    Api(api::Arguments),
    /// Run a real kube-apiserver with its own etcd on loopback (needs Go) until interrupted.
    Apiserver(Server),
    /// Render the guide with mdBook (which must be installed), and follow the links of the rendered pages.
    Book,
    /// Render charts by Helm (built of its published module, which needs Go) and bases by kustomize, with several sets of
    /// values, and compare the output with the manifests.
    Charts,
    Compare(compare::Arguments),
    Conformance(conformance::Arguments),
    Differential(differential::Arguments),
    E2e(e2e::Arguments),
    /// Compile the published packages without features, with each block of features, and with each two blocks.
    Features,
    Import(import::Arguments),
    Instructions(instructions::Arguments),
    Kubectl(kubectl::Arguments),
    /// Check the licences and sources of all dependencies against deny.toml.
    Licences,
    Mutants(mutants::Arguments),
    Oracle(oracle::Arguments),
    Requests(requests::Arguments),
    /// Fail if a dependency of the published crates says that it needs a newer Rust than they do.
    RustVersion,
    /// Measure the in-process API server and a real kube-apiserver (needs Go): creations, watches, memory, start.
    Speed(Server),
    Suites(suites::Arguments),
    /// Check the sources against the rules of ARCHITECTURE.md: layers, circles, and the upstream files that `Source:`
    /// notes name (needs Go).
    Tidy,
    Times(times::Arguments),
    Types(types::Arguments),
    Yaml(yaml::Arguments),
    Zoo(zoo::Arguments),
}

// A documentation comment would replace those of the chores that have these arguments.
#[derive(Debug, clap::Args)]
struct Server {
    /// The version of the server.
    #[arg(long, value_name = "1.33", default_value_t = KubernetesVersion::REFERENCE)]
    kubernetes: KubernetesVersion,
}

fn main() -> ExitCode {
    if let Some(status) = api::in_place_of_rustdoc() {
        return status;
    }
    let outcome = match Chore::parse() {
        Chore::Api(arguments) => api::run(&arguments),
        Chore::Apiserver(server) => apiserver::run(server.kubernetes),
        Chore::Book => book::run(),
        Chore::Charts => charts::run(),
        Chore::Compare(arguments) => compare::run(arguments),
        Chore::Conformance(arguments) => conformance::run(arguments),
        Chore::Differential(arguments) => differential::run(&arguments),
        Chore::E2e(arguments) => e2e::run(arguments),
        Chore::Features => features::run(),
        Chore::Import(arguments) => import::run(&arguments),
        Chore::Instructions(arguments) => instructions::run(&arguments),
        Chore::Kubectl(arguments) => kubectl::run(&arguments),
        Chore::Licences => licences::run(),
        Chore::Mutants(arguments) => mutants::run(&arguments),
        Chore::Oracle(arguments) => oracle::run(arguments),
        Chore::Requests(arguments) => requests::run(&arguments),
        Chore::RustVersion => rust_version::run(),
        Chore::Speed(server) => speed::run(server.kubernetes),
        Chore::Suites(arguments) => suites::run(&arguments),
        Chore::Tidy => tidy::run(),
        Chore::Times(arguments) => times::run(&arguments),
        Chore::Types(arguments) => types::run(&arguments),
        Chore::Yaml(arguments) => yaml::run(&arguments),
        Chore::Zoo(arguments) => zoo::run(&arguments),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            complain(&message);
            ExitCode::FAILURE
        }
    }
}

/// Prints a line to standard output.
fn say(line: &str) {
    let _ = writeln!(io::stdout(), "{line}");
}

/// Prints a line to standard error.
fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Returns the cargo that runs this program, in the directory of the workspace.
fn cargo() -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut cargo = Command::new(program);
    cargo.current_dir(crd_tests::go::workspace());
    cargo
}

/// Runs a command, whose output is not captured.
///
/// # Errors
/// If it cannot be run or fails.
fn succeed(command: &mut Command) -> Outcome {
    let name = command.get_program().display().to_string();
    match command.status() {
        Ok(status) if status.success() => Ok(true),
        Ok(status) => Err(format!("{name}: {status}")),
        Err(error) => Err(format!("cannot run {name}: {error}")),
    }
}

/// Returns a page with another table between two marks; `None` if it has no marks.
fn between(page: &str, begin: &str, end: &str, table: &str) -> Option<String> {
    let (before, rest) = page.split_once(begin)?;
    let (_, after) = rest.split_once(end)?;
    Some(format!("{before}{begin}\n{table}\n{end}{after}"))
}

/// Returns a directory that is removed when the value is dropped.
fn temporary_directory() -> Result<tempfile::TempDir, String> {
    tempfile::tempdir().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Chore::command().debug_assert();
    }

    #[test]
    fn a_table_replaces_the_one_before() {
        let want = "a\nBEGIN\n\n| new |\n\nEND\nb\n";
        let page = "a\nBEGIN\n\nold\n\nEND\nb\n";
        assert_eq!(between(page, "BEGIN\n", "END", "| new |\n").as_deref(), Some(want));
        assert_eq!(between("a\n", "BEGIN\n", "END", ""), None);
    }
}
