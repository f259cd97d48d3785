//! `cargo dev features`: checks that the published packages compile with different sets of features, and that the
//! package of tests has the features of the whole workspace.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::metadata::{self, array, text};
use crate::{Outcome, cargo, complain, say};

/// Names of features.
type Set = BTreeSet<String>;

pub(crate) fn run() -> Outcome {
    let metadata = metadata::read()?;
    let mut compiles = true;
    if let Err(error) = check_tests() {
        complain(&error);
        compiles = false;
    }
    for package in metadata::published(&metadata) {
        let name = text(&package["name"]);
        for set in sets(package) {
            let features = set.into_iter().collect::<Vec<_>>().join(",");
            let of = format!("{name} with features `{features}`");
            match check(name, &features) {
                Ok(()) => say(&format!("{of}: compiles")),
                Err(error) => {
                    complain(&format!("{of}:\n{error}"));
                    compiles = false;
                }
            }
        }
    }
    Ok(compiles)
}

/// Checks that `cargo test -p crd-tests` compiles the same crates as `cargo test --workspace`, and so none twice.
fn check_tests() -> Result<(), String> {
    let (all, tests) = (trees(&["--workspace"])?, trees(&["--package", "crd-tests"])?);
    let missing: Vec<&str> = tests.difference(&all).map(String::as_str).collect();
    if missing.is_empty() {
        say("crd-tests: has the features of the workspace");
        return Ok(());
    }
    Err(format!(
        "these packages have more features in the workspace than in crd-tests alone, and are compiled twice; enable the \
         features in tests/Cargo.toml:\n{}",
        missing.join("\n")
    ))
}

/// Returns the packages that are compiled, each with its features.
fn trees(selection: &[&str]) -> Result<BTreeSet<String>, String> {
    let output = cargo()
        .args(["tree", "--edges=normal,build,dev", "--prefix=none", "--no-dedupe"])
        .args(["--format={p} {f}"])
        .args(selection)
        .output()
        .map_err(|error| format!("cargo tree: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let lines = String::from_utf8_lossy(&output.stdout);
    Ok(lines.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect())
}

/// Compiles a package with these features only. A warning is an error.
fn check(package: &str, features: &str) -> Result<(), String> {
    let output = cargo()
        .args(["check", "--quiet", "--package", package])
        .args(["--no-default-features", "--features", features])
        .output()
        .map_err(|error| error.to_string())?;
    let output_text = String::from_utf8_lossy(&output.stderr);
    if output.status.success() && !output_text.contains("warning: ") {
        Ok(())
    } else {
        Err(output_text.into_owned())
    }
}

/// Returns the sets of features to check: none, each block of features, and each pair of blocks, together with the
/// features that these enable.
fn sets(package: &Value) -> BTreeSet<Set> {
    let blocks = blocks(&package["features"]);
    let mut sets = BTreeSet::from([Set::new()]);
    for one in &blocks {
        sets.extend(blocks.iter().map(|other| one | other));
    }
    sets
}

/// Divides the features into blocks. Features that no other one enables and that enable the same ones are a block:
/// such features each add a part of their own, for example the schemas of one crate's types.
fn blocks(table: &Value) -> Vec<Set> {
    let names = table.as_object().into_iter().flat_map(|table| table.keys());
    let enabled: Vec<(&String, Set)> = names
        .filter(|name| *name != "default")
        .map(|name| {
            let mut further = Set::new();
            turn_on(name, table, &mut further);
            further.remove(name);
            (name, further)
        })
        .collect();
    let mut blocks: BTreeMap<(&Set, Option<&String>), Set> = BTreeMap::new();
    for (name, further) in &enabled {
        let is_enabled_by_another = enabled.iter().any(|(_, others)| others.contains(*name));
        // Those with the name of their dependency are a block too, unless they enable more.
        let is_of_a_dependency =
            array(&table[name]).iter().any(|of| text(of) == format!("dep:{name}"));
        let is_alone = is_enabled_by_another || (further.is_empty() && !is_of_a_dependency);
        let block = blocks.entry((further, is_alone.then_some(name))).or_default();
        block.insert((*name).clone());
        block.extend(further.iter().cloned());
    }
    blocks.into_values().collect()
}

/// Adds a feature, and those of the same package that it enables.
fn turn_on(name: &str, table: &Value, on: &mut Set) {
    if !table[name].is_null() && on.insert(name.to_owned()) {
        for further in array(&table[name]) {
            turn_on(text(further), table, on);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn joined(sets: impl IntoIterator<Item = Set>) -> Vec<String> {
        sets.into_iter().map(|set| set.into_iter().collect::<String>()).collect()
    }

    #[test]
    fn a_set_has_what_its_features_turn_on() {
        let package = json!({"features": {
            "default": ["a"], "a": ["b", "dep:x", "y/z"], "b": [], "c": ["dep:c"],
        }});
        assert_eq!(joined(sets(&package)), ["", "ab", "abc", "b", "bc", "c"]);
    }

    #[test]
    fn features_that_enable_the_same_are_a_block() {
        let table = json!({"a": [], "b": ["a"], "c": ["a", "dep:c"], "d": ["a"], "e": ["d"]});
        assert_eq!(joined(blocks(&table)), ["a", "abc", "ad", "ade"]);
        let table = json!({"a": ["dep:x"], "b": ["dep:b", "b/serde"], "c": ["dep:c"], "d": []});
        assert_eq!(joined(blocks(&table)), ["bc", "a", "d"]);
    }
}
