//! `cargo dev mutants`: changes the code of a package in many small ways, and names the
//! changes that no test of the package detects and no row of `docs/design/mutants.md` explains.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use crd_tests::go;

use crate::{Outcome, cargo, say};

/// The page that explains the mutants that no test detects.
const PAGE: &str = "docs/design/mutants.md";

/// Run cargo-mutants (which must be installed) over the modules of .cargo/mutants.toml, and name the changes that no
/// test detects and docs/design/mutants.md does not explain.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// crd-cel, crd-derive or crd-runtime.
    package: String,
    /// Arguments of cargo-mutants, such as `--shard 1/40` and `--in-place`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<OsString>,
}

/// Returns whether each mutant that is not detected is explained.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let unexplained = mutate(arguments)?;
    if !unexplained.is_empty() {
        say(&format!("not detected, and not explained in {PAGE}:\n  {}", unexplained.join("\n  ")));
    }
    Ok(unexplained.is_empty())
}

fn mutate(arguments: &Arguments) -> Result<Vec<String>, String> {
    let workspace = go::workspace();
    let cargo = || {
        let mut cargo = cargo();
        cargo.arg("mutants");
        cargo
    };
    let is_installed = cargo().arg("--version").output().is_ok_and(|done| done.status.success());
    if !is_installed {
        return Err("cargo-mutants is not installed; run `cargo install cargo-mutants`".to_owned());
    }
    // The status is that of cargo-mutants' own judgement, which does not know the page.
    let status = cargo().args(["--package", &arguments.package]).args(&arguments.rest).status();
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
