//! Checks the dependencies between packages: the table of packages in ARCHITECTURE.md.

use super::Finding;
use super::code::Tree;
use super::paths::code_paths;

/// Reports paths into crates of the workspace that the package's row of the table does not list.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let rows = rows(&tree.architecture);
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|file| !file.is_test()) {
        let Some((_, listed)) = rows.iter().find(|(package, _)| *package == file.package()) else {
            let text = format!("`{}` is in no row of the packages", file.package());
            findings.push(Finding::of("ARCHITECTURE.md", 1, text));
            continue;
        };
        for named in code_paths(file).iter().filter(|named| named.root != "crate") {
            let package =
                named.root.replace("crd_examples", "examples").replace("crd_tests", "tests");
            let package = package.replace('_', "-");
            let own = file.package().replace("examples", "crd-examples") == package;
            let module = named.path.first().map_or("", String::as_str);
            let allowed = listed.iter().any(|listed| match listed.split_once("::") {
                Some((name, listed_module)) => *name == package && listed_module == module,
                None => *listed == package || *listed == "all",
            });
            if !own && !allowed {
                let text = format!(
                    "`{}` uses `{package}::{module}`, which its row does not list",
                    file.package()
                );
                findings.push(Finding::of(&file.path, named.line, text));
            }
        }
    }
    findings
}

/// Returns each package with the crates that it may use: the first and the last cell of a row.
fn rows(architecture: &str) -> Vec<(&str, Vec<&str>)> {
    let Some((_, section)) = architecture.split_once("\n## Packages\n") else { return Vec::new() };
    let section = section.split("\n## ").next().unwrap_or_default();
    section.lines().filter(|line| line.starts_with("| `")).filter_map(row).collect()
}

fn row(line: &str) -> Option<(&str, Vec<&str>)> {
    let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
    let (first, last) = (cells.first()?.trim_matches('`'), cells.last()?);
    let listed = last.split([',', ' ']).map(|word| word.trim_matches('`'));
    Some((first, listed.filter(|word| !word.is_empty()).collect()))
}
