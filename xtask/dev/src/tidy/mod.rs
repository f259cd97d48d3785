//! `cargo dev tidy`: checks the rules of ARCHITECTURE.md.

mod code;
mod crates;
mod layers;
mod modules;
mod paths;
mod sources;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::Path;
use std::{fmt, fs, io};

use code::Tree;
use crd_tests::go::workspace;
use sources::Upstream;

use crate::{Outcome, say};

/// The directories of the packages whose sources are checked.
const PACKAGES: [&str; 8] = [
    "crates/crd-apiserver",
    "crates/crd-cel",
    "crates/crd-cli",
    "crates/crd-engine",
    "crates/crd-model",
    "crates/crd-webhook",
    "crd-derive",
    "crd-runtime",
];

/// The file with the exceptions, each with its reason.
const EXCEPTIONS: &str = "docs/design/tidy.md";

/// A line that breaks a rule.
#[derive(Debug)]
struct Finding {
    path: String,
    line: usize,
    text: String,
}

impl Finding {
    fn of(path: &str, line: usize, text: String) -> Self {
        Self { path: path.to_owned(), line, text }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.text)
    }
}

/// The exceptions to rules: lines such as ``- file `crates/crd-cel/src/check.rs`: the reason``.
#[derive(Debug)]
struct Exceptions<'a> {
    /// Whether the exception has been needed so far. The key is the rule, and what breaks it.
    known: BTreeMap<(&'a str, &'a str), bool>,
}

impl<'a> Exceptions<'a> {
    fn of(page: &'a str) -> Self {
        let mut known = BTreeMap::new();
        for line in page.lines() {
            let Some((rule, rest)) = line.strip_prefix("- ").and_then(|line| line.split_once(" `"))
            else {
                continue;
            };
            if let Some((what, reason)) = rest.split_once("`: ")
                && !reason.trim().is_empty()
            {
                known.insert((rule, what), false);
            }
        }
        Self { known }
    }

    /// Whether there is an exception; marks it as needed.
    fn allows(&mut self, rule: &str, what: &str) -> bool {
        let found = self.known.iter_mut().find(|((r, w), _)| *r == rule && *w == what);
        found.map(|(_, used)| *used = true).is_some()
    }

    /// Reports the exceptions that are not needed, except for those for the rule `unchecked`.
    fn unused(&self, unchecked: Option<&str>) -> impl Iterator<Item = Finding> {
        let is_unused =
            move |((rule, _), used): &(&(&str, &str), &bool)| !**used && unchecked != Some(*rule);
        self.known.iter().filter(is_unused).map(|((rule, what), _)| {
            let text = format!("nothing needs the exception for the {rule} `{what}` any more");
            Finding::of(EXCEPTIONS, 1, text)
        })
    }
}

/// Prints the findings. Returns whether there are none.
pub(crate) fn run() -> Outcome {
    let findings = find(&workspace()).map_err(|error| error.to_string())?;
    for finding in &findings {
        say(&finding.to_string());
    }
    say(&format!("{} findings", findings.len()));
    Ok(findings.is_empty())
}

fn find(root: &Path) -> io::Result<Vec<Finding>> {
    let tree = Tree::read(root, &PACKAGES)?;
    let page = fs::read_to_string(root.join(EXCEPTIONS))?;
    let upstream = Upstream::read(root)?;
    if upstream.is_none() {
        say("Go is not here: the files that `Source:` notes name are not looked for");
    }
    let mut findings = check(&tree, &page, upstream.as_ref());
    findings.extend(crates::findings(root, &PACKAGES, &tree.architecture)?);
    say(&format!("{} files", tree.files.len()));
    Ok(findings)
}

fn check(tree: &Tree, exceptions: &str, upstream: Option<&Upstream>) -> Vec<Finding> {
    let mut exceptions = Exceptions::of(exceptions);
    let mut findings = layers::check(tree, &PACKAGES, &mut exceptions);
    if let Some(upstream) = upstream {
        findings.extend(sources::check(tree, upstream, &mut exceptions));
    }
    findings.extend(exceptions.unused(upstream.is_none().then_some(sources::RULE)));
    findings
}
