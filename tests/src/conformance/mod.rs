//! Compares this workspace with recorded verdicts of the real API server.
//!
//! Each suite reads its files from a directory of vectors, if they are present, and reports every case. A suite is a
//! file beside this one and a line in [`SUITES`].

mod cel_ast;
mod cel_crd_rules;
mod cel_env;
mod cel_regex;
mod cel_spec;
mod cel_syntax;
mod cel_value;
mod counts;
mod definitions;
mod objects;
mod render;
mod run;

use std::collections::BTreeMap;
use std::path::Path;

use crd_cel::kubernetes::KubernetesVersion;
use crd_runtime::differences::Difference;
use serde_json::Value;

pub use counts::Authority;
pub use definitions::decide_definition;
pub use objects::Objects;
pub use render::{Options, render};
pub use run::{absent, run};

/// The outcomes of a suite's cases.
#[derive(Debug, Default)]
pub struct Report {
    /// Each case in the order in which it ran.
    pub outcomes: Vec<CaseOutcome>,
    /// Counts of agreement in single aspects of a verdict, by source and aspect.
    pub aspects: BTreeMap<(String, &'static str), Tally>,
    /// The version of the server that gave the verdicts.
    pub kubernetes: KubernetesVersion,
    /// How much of the verdicts is compared.
    pub depth: Depth,
}

/// How much of the server's verdicts is compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Depth {
    /// All of it: every word and every unit of cost.
    #[default]
    Texts,
    /// Whether a write is accepted, what is stored, which fields are unknown, and whether the costs of rules are within
    /// the limits.
    Verdicts,
}

impl Depth {
    /// Returns how much of a server's verdicts is compared.
    pub fn of(kubernetes: KubernetesVersion) -> Self {
        /// The oldest minor whose texts and costs are compared too.
        const EXACT_SINCE: u32 = 34;
        if kubernetes.minor() >= EXACT_SINCE { Self::Texts } else { Self::Verdicts }
    }
}

/// An error of a field: its reason, field, detail and whole text.
type FieldError = [String; 4];

/// Removes the shown value from an error's text if servers before 1.34 print the value as a Go struct.
///
/// Such a text has the addresses of pointers in place of what they point to; this workspace prints JSON instead.
fn comparable(mut error: FieldError, kubernetes: KubernetesVersion) -> FieldError {
    /// The beginnings of such values (schemas, versions, owners and others), as the server and we print them.
    const STRUCTS: [&str; 8] = [
        "apiextensions.JSONSchema",
        "[]apiextensions.",
        "[]v1.OwnerReference",
        "{\"ID\":",
        "{\"Schema\":",
        "[{\"Name\":",
        "[{\"apiVersion\":",
        "null",
    ];
    let [_, field, detail, text] = &mut error;
    let start = format!("{field}: Invalid value: ");
    let shown = text.strip_prefix(&start).unwrap_or_default();
    if !Difference::ValuesAsJson.is_in(kubernetes)
        && STRUCTS.iter().any(|beginning| shown.starts_with(beginning))
    {
        *text = format!("{start}(a struct): {detail}");
    }
    error
}

/// The file of a directory of vectors with the minor of the server that gave the verdicts, such as `1.37`.
const VERSION_FILE: &str = "KUBERNETES_VERSION";

/// The minor of directories without such a file.
const UNNAMED_MINOR: u32 = 36;

/// Returns the server version of a single vector: its `kubernetes`, or else that of directories without
/// `KUBERNETES_VERSION`.
///
/// # Errors
/// If the minor is not known.
pub fn version_of_case(case: &Value) -> Result<KubernetesVersion, String> {
    match case.get("kubernetes").and_then(Value::as_str) {
        Some(text) => text.parse().map_err(|error| format!("{error}")),
        None => Ok(KubernetesVersion::of_minor(UNNAMED_MINOR).unwrap_or_default()),
    }
}

/// Returns the server version of a directory of vectors.
///
/// # Errors
/// If the minor is not known, or the file cannot be read.
pub fn version_of(dir: &Path) -> Result<KubernetesVersion, String> {
    match std::fs::read_to_string(dir.join(VERSION_FILE)) {
        Ok(text) => text.trim().parse().map_err(|error| format!("{VERSION_FILE}: {error}")),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Ok(KubernetesVersion::of_minor(UNNAMED_MINOR).unwrap_or_default())
        }
        Err(error) => Err(format!("{VERSION_FILE}: {error}")),
    }
}

/// A number of comparisons, and how many of them agree.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    /// Comparisons that agree.
    pub agree: usize,
    /// All comparisons.
    pub all: usize,
}

/// The outcome of a case.
#[derive(Debug)]
pub struct CaseOutcome {
    /// The file of the case, relative to the directory of vectors. For `kubernetes.jsonl`, the prefix of the id
    /// follows, such as `prune-`, and then `definition` if the verdict is about the definition.
    pub source: String,
    /// The case's name.
    pub id: String,
    /// A description of the difference; `None` if there is none.
    pub difference: Option<String>,
}

impl Report {
    /// Creates an empty report for the verdicts of a server.
    pub fn of(kubernetes: KubernetesVersion, depth: Depth) -> Self {
        Self { kubernetes, depth, ..Self::default() }
    }

    /// Reports a case that agrees.
    pub fn pass(&mut self, source: &str, id: &str) {
        self.add(source, id, None);
    }

    /// Reports a case that differs.
    pub fn fail(&mut self, source: &str, id: &str, difference: String) {
        self.add(source, id, Some(difference));
    }

    /// Counts one aspect of a case (`verdict`, `object`, `errors`, `cost`, ...), in addition to its outcome.
    pub fn aspect(&mut self, source: &str, aspect: &'static str, agrees: bool) {
        let tally = self.aspects.entry((source.to_owned(), aspect)).or_default();
        tally.all += 1;
        tally.agree += usize::from(agrees);
    }

    fn add(&mut self, source: &str, id: &str, difference: Option<String>) {
        self.outcomes.push(CaseOutcome {
            source: source.to_owned(),
            id: id.to_owned(),
            difference,
        });
    }
}

/// Reads the cases of a file of JSON lines, each with the number of its line.
///
/// An absent file has no cases, because any subset of the files is a valid directory. A line that is not JSON is
/// reported as a failure.
pub fn cases(dir: &Path, source: &str, report: &mut Report) -> Vec<(usize, Value)> {
    let path = dir.join(source);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => {
            if error.kind() != std::io::ErrorKind::NotFound {
                report.fail(source, "(file)", format!("cannot be read: {error}"));
            }
            return Vec::new();
        }
    };
    let mut cases = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match serde_json::from_str(line) {
            Ok(case) => cases.push((index + 1, case)),
            Err(error) => report.fail(source, &format!("line {}", index + 1), format!("{error}")),
        }
    }
    cases
}

/// Runs the cases that a directory of vectors holds for one suite.
pub type Suite = fn(&Path, &mut Report);

/// Every suite, by name.
pub const SUITES: &[(&str, Suite)] = &[
    ("cel-ast", cel_ast::run),
    ("cel-crd-rules", cel_crd_rules::run),
    ("cel-env", cel_env::run),
    ("cel-regex", cel_regex::run),
    ("cel-spec", cel_spec::run),
    ("cel-syntax", cel_syntax::run),
    ("definitions", definitions::run),
    ("objects", objects::run),
];
