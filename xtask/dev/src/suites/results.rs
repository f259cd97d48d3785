//! What a suite has found with one server, and the comparison of two.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crd_tests::go::workspace;
use serde_json::{Map, Value, json};

use super::server::Side;

/// The results of one suite with one server.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Results {
    /// Each spec that ran, with why it failed or `None` if it passed.
    pub(super) specs: BTreeMap<String, Option<String>>,
    pub(super) seconds: f64,
}

/// Returns the directory of logs, reports and results of one side.
pub(super) fn directory(side: Side) -> PathBuf {
    workspace().join("target").join("suites").join(side.name())
}

impl Results {
    /// The file with the last results of a suite.
    pub(super) fn path(side: Side, suite: &str) -> PathBuf {
        directory(side).join(suite.replace('/', "-")).with_extension("results.json")
    }

    /// Adds a spec. Specs with the same name get a number.
    pub(super) fn add(&mut self, name: &str, failure: Option<String>) {
        let mut unique = name.to_owned();
        for number in 2.. {
            if !self.specs.contains_key(&unique) {
                break;
            }
            unique = format!("{name} #{number}");
        }
        self.specs.insert(unique, failure);
    }

    fn passed(&self) -> usize {
        self.specs.values().filter(|failure| failure.is_none()).count()
    }

    pub(super) fn read(path: &Path) -> Result<Self, String> {
        let about = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = fs::read_to_string(path).map_err(|error| about(&error))?;
        let value: Value = serde_json::from_str(&text).map_err(|error| about(&error))?;
        let specs = value["specs"].as_object().ok_or_else(|| about(&"no specs"))?;
        let specs = specs.iter().map(|(name, why)| (name.clone(), why.as_str().map(str::to_owned)));
        Ok(Self { specs: specs.collect(), seconds: value["seconds"].as_f64().unwrap_or_default() })
    }

    pub(super) fn write(&self, path: &Path) -> Result<(), String> {
        let specs: Map<String, Value> =
            self.specs.iter().map(|(name, why)| (name.clone(), json!(why))).collect();
        let text = json!({"seconds": self.seconds, "specs": specs}).to_string();
        fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
    }
}

/// The results of one suite with both servers.
#[derive(Debug)]
pub(super) struct Comparison {
    pub(super) suite: String,
    /// Each spec whose result differs, with what happened with each server.
    pub(super) differing: BTreeMap<String, String>,
    specs: usize,
    real: (usize, f64),
    ours: (usize, f64),
}

impl Comparison {
    /// Compares results, of which `same` judges those of one spec. A spec that did not run has failed.
    pub(super) fn new(
        suite: &str,
        real: &Results,
        ours: &Results,
        same: fn(Option<&str>, Option<&str>) -> bool,
    ) -> Self {
        let names: BTreeSet<&String> = real.specs.keys().chain(ours.specs.keys()).collect();
        let mut differing = BTreeMap::new();
        for &name in &names {
            let of = |results: &Results| match results.specs.get(name) {
                Some(why) => why.clone(),
                None => Some("did not run".to_owned()),
            };
            let (there, here) = (of(real), of(ours));
            if !same(there.as_deref(), here.as_deref()) {
                let shown = |why: Option<String>| why.unwrap_or_else(|| "passes".to_owned());
                let text = format!("here: {}\nthere: {}", shown(here), shown(there));
                differing.insert(name.clone(), text);
            }
        }
        let numbers = |results: &Results| (results.passed(), results.seconds);
        let (real, ours) = (numbers(real), numbers(ours));
        Self { suite: suite.to_owned(), differing, specs: names.len(), real, ours }
    }
}

/// Whether a spec passes with both servers or with none.
pub(super) fn same_verdict(there: Option<&str>, here: Option<&str>) -> bool {
    there.is_none() == here.is_none()
}

/// Whether the same commands of a function fail with both servers.
pub(super) fn same_failures(there: Option<&str>, here: Option<&str>) -> bool {
    there == here
}

/// Returns the results as a Markdown table, with the rows of other suites from an earlier one.
pub(super) fn table(compared: &[Comparison], earlier: &str) -> String {
    let suite = |row: &str| Some(row.strip_prefix("| `")?.split_once('`')?.0.to_owned());
    let earlier = earlier.lines().filter_map(|row| Some((suite(row)?, row.to_owned())));
    let mut rows: BTreeMap<String, String> = earlier.collect();
    for Comparison { suite, differing, specs, real, ours } in compared {
        let ((real, there), (ours, here), differ) = (real, ours, differing.len());
        let row = format!(
            "| `{suite}` | {specs} | {real} | {ours} | {differ} | {there:.1} | {here:.1} |"
        );
        rows.insert(suite.clone(), row);
    }
    let head = "| suite | specs | pass with kube-apiserver | pass here | differ | seconds there | seconds here |\n\
                |---|---|---|---|---|---|---|\n";
    rows.values().fold(head.to_owned(), |text, row| text + row + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(specs: &[(&str, Option<&str>)]) -> Results {
        let mut results = Results { seconds: 1.5, ..Results::default() };
        for (name, why) in specs {
            results.add(name, why.map(str::to_owned));
        }
        results
    }

    #[test]
    fn what_passes_with_one_server_only_differs() {
        let real =
            results(&[("a", None), ("b", None), ("c", Some("x")), ("d", Some("y")), ("e", None)]);
        let ours = results(&[("a", None), ("b", Some("z")), ("c", None), ("d", Some("w"))]);
        let comparison = Comparison::new("s", &real, &ours, same_verdict);
        let differing: Vec<(&str, &str)> =
            comparison.differing.iter().map(|(name, why)| (name.as_str(), why.as_str())).collect();
        let want = [
            ("b", "here: z\nthere: passes"),
            ("c", "here: passes\nthere: x"),
            ("e", "here: did not run\nthere: passes"),
        ];
        assert_eq!(differing, want);
        let earlier = "| suite |\n|---|\n| `a` | 1 |\n| `s` | 4 |\n";
        let table = table(&[comparison], earlier);
        let rows: Vec<&str> = table.lines().skip(2).collect();
        assert_eq!(rows, ["| `a` | 1 |", "| `s` | 5 | 3 | 2 | 3 | 1.5 | 1.5 |"]);
        // What fails with both servers differs too where each failing command counts.
        let comparison = Comparison::new("s", &real, &ours, same_failures);
        assert!(comparison.differing.contains_key("d"));
    }

    #[test]
    fn specs_with_one_name_are_told_apart() {
        let results = results(&[("a", None), ("a", Some("x"))]);
        assert_eq!(results.specs["a"], None);
        assert_eq!(results.specs["a #2"].as_deref(), Some("x"));
    }

    #[test]
    fn results_are_stored() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("results.json");
        let results = results(&[("a", None), ("b", Some("x\ny"))]);
        results.write(&path).unwrap();
        assert_eq!(Results::read(&path).unwrap(), results);
    }
}
