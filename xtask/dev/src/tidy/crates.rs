//! Layers of crates: a package depends only on packages that stand below it in ARCHITECTURE.md.

use std::path::Path;
use std::{fs, io};

use toml_edit::{DocumentMut, Item};

use super::Finding;
use super::layers::{ARCHITECTURE, short};

/// Reports packages without a layer, and dependencies on packages that do not stand below.
///
/// Dependencies for tests are not checked: documentation of a low crate shows the use of a high one.
pub(super) fn findings(root: &Path, packages: &[&str], page: &str) -> io::Result<Vec<Finding>> {
    let mut manifests = Vec::new();
    for package in packages {
        let text = fs::read_to_string(root.join(package).join("Cargo.toml"))?;
        manifests.push((*package, text));
    }
    Ok(check(&manifests, page))
}

/// Checks manifests, each with the directory of its package.
fn check(manifests: &[(&str, String)], page: &str) -> Vec<Finding> {
    let layers = layers(page);
    let layer_of = |name: &str| layers.iter().position(|layer| layer.contains(&name));
    let mut findings = Vec::new();
    for (package, text) in manifests {
        let path = format!("{package}/Cargo.toml");
        let name = short(package);
        let mut report = |text: String| findings.push(Finding::of(&path, 1, text));
        let Some(layer) = layer_of(name) else {
            report(format!("`{name}` is in no layer: add it to \"Crates\" of {ARCHITECTURE}"));
            continue;
        };
        let manifest = match text.parse::<DocumentMut>() {
            Ok(manifest) => manifest,
            Err(error) => {
                report(error.to_string());
                continue;
            }
        };
        let dependencies = manifest.get("dependencies").and_then(Item::as_table_like);
        for (dependency, _) in dependencies.into_iter().flat_map(|table| table.iter()) {
            if layer_of(dependency).is_some_and(|below| below <= layer) {
                report(format!(
                    "`{name}` depends on `{dependency}`, which does not stand below it"
                ));
            }
        }
    }
    findings
}

/// Returns the layers of crates, from the top.
fn layers(page: &str) -> Vec<Vec<&str>> {
    let section = page.split_once("\n## Crates\n").map_or("", |(_, rest)| rest);
    let block = section.split("```").nth(1).unwrap_or_default();
    let names = |line| -> Vec<&str> {
        let names: &str = str::split_once(line, '|').map_or("", |(names, _)| names);
        names.split_whitespace().collect()
    };
    block.lines().skip(1).map(names).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "\n## Crates\n\n```text\ntop    | a\nleft right | b\nbase | c\n```\n";

    #[track_caller]
    fn finds(package: &str, manifest: &str, texts: &[&str]) {
        let found = check(&[(package, manifest.to_owned())], PAGE);
        assert_eq!(found.iter().map(|finding| &*finding.text).collect::<Vec<_>>(), texts);
    }

    #[test]
    fn a_crate_depends_on_those_below_it() {
        finds("top", "[dependencies]\nleft = \"1\"\nbase = \"1\"\nserde = \"1\"\n", &[]);
        finds("crates/base", "[dev-dependencies]\ntop = \"1\"\n", &[]);
        finds(
            "crates/left",
            "[dependencies]\nright = { path = \"..\" }\n",
            &["`left` depends on `right`, which does not stand below it"],
        );
        finds(
            "base",
            "[dependencies]\ntop = { path = \"..\", optional = true }\n",
            &["`base` depends on `top`, which does not stand below it"],
        );
        finds("new", "", &["`new` is in no layer: add it to \"Crates\" of ARCHITECTURE.md"]);
    }
}
