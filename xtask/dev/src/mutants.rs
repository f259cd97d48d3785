//! `cargo dev mutants PACKAGE [--shard K/N] [--in-place]`: changes the code of a package in many small ways, and names the
//! changes that no test of the package detects and no row of `docs/design/mutants.md` explains.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::{env, fs};

use crd_tests::go;

use crate::EXIT_USAGE;
use crate::oracle::complain;

/// The page that explains the mutants that no test detects.
const PAGE: &str = "docs/design/mutants.md";

/// Runs cargo-mutants, which must be installed. The exit status is 1 if it finds mutants that the page does not have.
pub(crate) fn main(args: impl Iterator<Item = String>) -> ExitCode {
    match run(args) {
        Ok(unexplained) if unexplained.is_empty() => ExitCode::SUCCESS,
        Ok(unexplained) => {
            let out = &mut io::stdout();
            let _ = writeln!(out, "not detected, and not explained in {PAGE}:");
            for mutant in unexplained {
                let _ = writeln!(out, "  {mutant}");
            }
            ExitCode::FAILURE
        }
        Err(message) => {
            complain(&format!("cargo dev mutants: {message}"));
            ExitCode::from(EXIT_USAGE)
        }
    }
}

fn run(mut args: impl Iterator<Item = String>) -> Result<Vec<String>, String> {
    let package = args.next().filter(|word| !word.starts_with('-'));
    let package = package.ok_or("which package? crd-cel, crd-derive or crd-runtime")?;
    let workspace = go::workspace();
    let cargo = || {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.arg("mutants").current_dir(&workspace);
        cargo
    };
    let is_installed = cargo().arg("--version").output().is_ok_and(|done| done.status.success());
    if !is_installed {
        return Err("cargo-mutants is not installed; run `cargo install cargo-mutants`".to_owned());
    }
    // The status is that of cargo-mutants' own judgement, which does not know the page.
    let status = cargo().args(["--package", &package]).args(args).status();
    let status = status.map_err(|error| error.to_string())?;
    let missed = fs::read_to_string(workspace.join("mutants.out/missed.txt"));
    match (status.code(), missed) {
        (Some(0 | 2 | 3), Ok(missed)) => unexplained(&missed, &workspace),
        _ => Err(format!("cargo mutants: {status}")),
    }
}

/// Returns the mutants that the page does not have. It has a mutant as `` `FILE`: `CHANGE` ``, without the line.
fn unexplained(missed: &str, workspace: &Path) -> Result<Vec<String>, String> {
    let page = fs::read_to_string(workspace.join(PAGE)).map_err(|error| error.to_string())?;
    let row = |line: &str| {
        let mut parts = line.splitn(4, ':');
        let file = parts.next().unwrap_or_default();
        format!("`{file}`: `{}`", parts.last().unwrap_or_default().trim().replace('|', "\\|"))
    };
    let new = missed.lines().filter(|line| !page.contains(&row(line)));
    Ok(new.map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutants_of_the_page_are_explained() {
        let known = "crd-derive/src/check/names.rs:3:9: replace nothing with ()";
        let found = unexplained(known, &go::workspace()).expect("the page");
        assert_eq!(found, [known]);
    }
}
