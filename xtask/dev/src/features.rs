//! `cargo dev features`: checks that the published packages compile with different sets of features, and that the tests
//! of each package have the features of the whole workspace.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::Value;

use crate::metadata::{self, array, text};
use crate::{Outcome, cargo, complain, say};

/// The variable by which k8s-openapi knows the version of Kubernetes that no feature chooses.
const VERSION: &str = "K8S_OPENAPI_ENABLED_VERSION";

/// Names of features.
type Set = BTreeSet<String>;

pub(crate) fn run() -> Outcome {
    let metadata = metadata::read()?;
    let mut compiles = true;
    if let Err(error) = check_tests(&metadata) {
        complain(&error);
        compiles = false;
    }
    let published = metadata::published(&metadata);
    let sets = published.into_iter().flat_map(|package| {
        let name = text(&package["name"]);
        sets(package).into_iter().map(move |set| {
            let chosen: Vec<String> = choices(package, &set).map(ToOwned::to_owned).collect();
            (chosen.is_empty(), name, set.into_iter().chain(chosen).collect::<Vec<_>>().join(","))
        })
    });
    // Those that choose no version of Kubernetes last: for their sake, what depends on k8s-openapi is checked again.
    let mut sets: Vec<(bool, &str, String)> = sets.collect();
    sets.sort();
    for (is_without_version, name, features) in sets {
        let of = format!("{name} with features `{features}`");
        match check(name, &features, is_without_version) {
            Ok(()) => say(&format!("{of}: compiles")),
            Err(error) => {
                complain(&format!("{of}:\n{error}"));
                compiles = false;
            }
        }
    }
    Ok(compiles)
}

/// The library that the tests of the derives compile without the engine and the client, which others need.
const TWICE: (&str, &str) = ("crd-derive", "crd_runtime");

/// Checks that the tests of the workspace compile each of its crates once, and that `cargo test -p` compiles only those of
/// the package with other features.
fn check_tests(metadata: &Value) -> Result<(), String> {
    let all = units(&["--workspace"])?;
    let mut wrong = String::new();
    let members: Vec<_> = metadata::members(metadata).map(|it| text(&it["id"])).collect();
    let own = |unit: &&Unit| unit.mode == "build" && members.contains(&&*unit.package);
    for unit in all.iter().filter(own) {
        let is_same = |it: &&Unit| it.package == unit.package && it.target == unit.target;
        let count = all.iter().filter(own).filter(is_same).count();
        if count > 1 && unit.target != TWICE.1 {
            let _ = writeln!(wrong, "--workspace: {} is compiled {count} times", unit.target);
        }
    }
    for package in metadata::members(metadata) {
        let (name, id) = (text(&package["name"]), text(&package["id"]));
        for unit in units(&["--package", name])? {
            if !all.contains(&unit) && unit.package != id && (name, &*unit.target) != TWICE {
                let _ = writeln!(wrong, "--package {name}: {} with {}", unit.target, unit.features);
            }
        }
    }
    if wrong.is_empty() {
        say("the tests of each package: have the features of the workspace");
        return Ok(());
    }
    Err(format!(
        "`cargo test` compiles these with features that differ; enable the features in tests/features:\n{wrong}"
    ))
}

/// A crate that cargo compiles for tests. Two that are equal may still differ in their dependencies.
#[derive(Debug, PartialEq)]
struct Unit {
    package: String,
    target: String,
    mode: String,
    features: String,
    profile: String,
}

/// Returns what cargo compiles for the tests of some packages. `RUSTC_BOOTSTRAP` allows a stable toolchain to list it.
fn units(selection: &[&str]) -> Result<Vec<Unit>, String> {
    let output = cargo()
        .args(["test", "--no-run", "--unit-graph", "-Zunstable-options"])
        .args(selection)
        .env("RUSTC_BOOTSTRAP", "1")
        .output()
        .map_err(|error| format!("cargo test: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let graph: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("the graph of cargo: {error}"))?;
    let units = array(&graph["units"]).iter().map(|unit| Unit {
        package: text(&unit["pkg_id"]).to_owned(),
        target: text(&unit["target"]["name"]).to_owned(),
        mode: text(&unit["mode"]).to_owned(),
        features: unit["features"].to_string(),
        profile: unit["profile"].to_string(),
    });
    Ok(units.collect())
}

/// Compiles a package with these features only. A warning is an error.
fn check(package: &str, features: &str, is_without_version: bool) -> Result<(), String> {
    let mut cargo = cargo();
    if is_without_version {
        cargo.env(VERSION, KubernetesVersion::REFERENCE.to_string());
    }
    let output = cargo
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

/// Returns the features of dependencies that a library leaves to the program and that its documentation chooses, such as
/// `k8s-openapi/latest`, as far as a set has these dependencies.
fn choices<'a>(package: &'a Value, set: &'a Set) -> impl Iterator<Item = &'a str> {
    let is_required = |name: &str| {
        let mut found = array(&package["dependencies"]).iter();
        found.any(|it| text(&it["name"]) == name && it["optional"] == false && it["kind"].is_null())
    };
    let features = array(&package["metadata"]["docs"]["rs"]["features"]).iter().map(text);
    features.filter(move |feature| {
        let dependency = feature.split_once('/').map(|(dependency, _)| dependency);
        dependency.is_some_and(|name| set.contains(name) || is_required(name))
    })
}

/// Returns the sets of features to check: none, each block of features, and each pair of blocks, together with the
/// features that these enable. All features together are left out: the lints compile them.
fn sets(package: &Value) -> BTreeSet<Set> {
    let blocks = blocks(&package["features"]);
    let mut sets: BTreeSet<Set> =
        blocks.iter().flat_map(|one| blocks.iter().map(move |other| one | other)).collect();
    let all: Set = blocks.iter().flatten().cloned().collect();
    sets.remove(&all);
    sets.insert(Set::new());
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
        assert_eq!(joined(sets(&package)), ["", "ab", "b", "bc", "c"]);
        assert_eq!(joined(sets(&json!({"features": {}}))), [""]);
    }

    #[test]
    fn a_set_chooses_for_the_dependencies_that_it_has() {
        let package = json!({
            "dependencies": [
                {"name": "k", "optional": true, "kind": null},
                {"name": "l", "optional": false, "kind": null},
                {"name": "m", "optional": false, "kind": "dev"},
            ],
            "metadata": {"docs": {"rs": {"features": ["k", "k/latest", "l/latest", "m/latest"]}}},
        });
        let chosen = |set: Set| choices(&package, &set).collect::<Vec<_>>().join(" ");
        assert_eq!(chosen(Set::new()), "l/latest");
        assert_eq!(chosen(Set::from(["k".to_owned()])), "k/latest l/latest");
    }

    #[test]
    fn features_that_enable_the_same_are_a_block() {
        let table = json!({"a": [], "b": ["a"], "c": ["a", "dep:c"], "d": ["a"], "e": ["d"]});
        assert_eq!(joined(blocks(&table)), ["a", "abc", "ad", "ade"]);
        let table = json!({"a": ["dep:x"], "b": ["dep:b", "b/serde"], "c": ["dep:c"], "d": []});
        assert_eq!(joined(blocks(&table)), ["bc", "a", "d"]);
    }
}
