//! `cargo dev rust-version`: checks that no dependency of the published crates needs a newer Rust than they declare.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::metadata::{self, array, text};
use crate::{Outcome, say};

pub(crate) fn run() -> Outcome {
    let metadata = metadata::read()?;
    let RequiredVersions { own, newer, count } = check(&metadata);
    if newer.is_empty() {
        say(&format!("{count} packages compile with Rust {own}, by what they say"));
        return Ok(true);
    }
    let newer = newer.iter().map(|(name, version)| format!("  {name}: {version}\n"));
    Err(format!(
        "the workspace's rust-version is {own}, and these dependencies need a newer one:\n{}\
         use an older version of them, or raise rust-version in Cargo.toml and in the README's table",
        newer.collect::<String>()
    ))
}

struct RequiredVersions<'a> {
    /// The oldest `rust-version` of the published crates.
    own: &'a str,
    /// The dependencies that need a newer one: name with version, and their `rust-version`.
    newer: BTreeMap<String, &'a str>,
    /// The number of packages that were checked.
    count: usize,
}

/// Checks the packages that the published crates need to be built. Packages that only their tests use are not checked.
fn check(metadata: &Value) -> RequiredVersions<'_> {
    let packages: BTreeMap<&str, &Value> = array(&metadata["packages"])
        .iter()
        .map(|package| (text(&package["id"]), package))
        .collect();
    let nodes: BTreeMap<&str, &Value> =
        array(&metadata["resolve"]["nodes"]).iter().map(|node| (text(&node["id"]), node)).collect();
    let published = metadata::published(metadata);
    let own = published.iter().map(|package| text(&package["rust_version"]));
    let own = own.min_by_key(|version| numbers(version)).unwrap_or_default();

    let mut open: Vec<&str> = published.iter().map(|package| text(&package["id"])).collect();
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            let dependencies = nodes.get(id).map_or(&[][..], |node| array(&node["deps"]));
            let built = dependencies.iter().filter(|dependency| {
                array(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"] != "dev")
            });
            open.extend(built.map(|dependency| text(&dependency["pkg"])));
        }
    }
    let newer = seen.iter().filter_map(|id| {
        let package = packages.get(id)?;
        let version = package["rust_version"].as_str()?;
        let name = format!("{} {}", text(&package["name"]), text(&package["version"]));
        (numbers(version) > numbers(own)).then_some((name, version))
    });
    RequiredVersions { own, newer: newer.collect(), count: seen.len() }
}

/// Parses a version; `1.89` and `1.89.0` are equal.
fn numbers(version: &str) -> [u32; 3] {
    let mut numbers = version.split('.').map(|number| number.parse().unwrap_or_default());
    [(); 3].map(|()| numbers.next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_is_built_counts() {
        let package = |name: &str, publish: Value, rust: &str| json!({"id": name, "name": name, "version": "1.0.0", "publish": publish, "rust_version": rust});
        let dependency =
            |name: &str, kind: Value| json!({"pkg": name, "dep_kinds": [{"kind": kind}]});
        let metadata = json!({
            "packages": [
                package("own", json!(null), "1.89"),
                package("tests", json!([]), "1.95"),
                package("equal", json!(null), "1.89.0"),
                package("newer", json!(null), "1.90"),
                package("tool", json!(null), "1.95"),
            ],
            "workspace_members": ["own", "tests"],
            "resolve": {"nodes": [
                {"id": "own", "deps": [dependency("equal", json!(null)), dependency("tool", json!("dev"))]},
                {"id": "equal", "deps": [dependency("newer", json!("build"))]},
                {"id": "tests", "deps": [dependency("tool", json!(null))]},
            ]},
        });
        let RequiredVersions { own, newer, count } = check(&metadata);
        assert_eq!((own, count), ("1.89", 3));
        assert_eq!(newer, [("newer 1.0.0".to_owned(), "1.90")].into());
    }
}
