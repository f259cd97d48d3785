//! `cargo xtask features`: checks that the published packages compile with different sets of features.

use std::collections::BTreeSet;
use std::process::{Command, ExitCode};

use serde_json::Value;

use crate::metadata::{self, array, cargo, print_line, text};

/// Names of features.
type Set = BTreeSet<String>;

pub(crate) fn main() -> ExitCode {
    let metadata = match metadata::read() {
        Ok(metadata) => metadata,
        Err(error) => return print_line(&error, false),
    };
    let mut status = ExitCode::SUCCESS;
    for package in metadata::published(&metadata) {
        let name = text(&package["name"]);
        for set in sets(package) {
            let features = set.into_iter().collect::<Vec<_>>().join(",");
            let of = format!("{name} with features `{features}`");
            match check(name, &features) {
                Ok(()) => _ = print_line(&format!("{of}: compiles"), true),
                Err(error) => status = print_line(&format!("{of}:\n{error}"), false),
            }
        }
    }
    status
}

/// Compiles a package with these features only. A warning is an error.
fn check(package: &str, features: &str) -> Result<(), String> {
    let output = Command::new(cargo())
        .args([
            "check",
            "--quiet",
            "--package",
            package,
            "--no-default-features",
            "--features",
            features,
        ])
        .output()
        .map_err(|error| error.to_string())?;
    let output_text = String::from_utf8_lossy(&output.stderr);
    if output.status.success() && !output_text.contains("warning: ") {
        Ok(())
    } else {
        Err(output_text.into_owned())
    }
}

/// Returns the sets of features to check: none, each feature, and each pair of features, together with the features
/// that these enable.
fn sets(package: &Value) -> BTreeSet<Set> {
    let table = &package["features"];
    let names = table.as_object().into_iter().flat_map(|table| table.keys());
    let names: Vec<&String> = names.filter(|name| *name != "default").collect();
    let mut sets = BTreeSet::from([Set::new()]);
    for one in &names {
        for other in &names {
            let mut set = Set::new();
            turn_on(one, table, &mut set);
            turn_on(other, table, &mut set);
            sets.insert(set);
        }
    }
    sets
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

    #[test]
    fn a_set_has_what_its_features_turn_on() {
        let package = json!({"features": {
            "default": ["a"], "a": ["b", "dep:x", "y/z"], "b": [], "c": ["dep:c"],
        }});
        let sets: Vec<String> =
            sets(&package).into_iter().map(|set| set.into_iter().collect::<String>()).collect();
        assert_eq!(sets, ["", "ab", "abc", "b", "bc", "c"]);
    }
}
