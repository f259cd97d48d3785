//! Finds what minors reject, and which later minor accepts it.

use std::collections::BTreeMap;

use crd_cel::kubernetes::{KubernetesVersion, functions};

use crate::Server;
use crate::field::{Error, ErrorList};
use crate::kubernetes::Minors;
use crate::model::CustomResourceDefinition;
use crate::verdict::Incompatibility;

/// The errors of a definition on each minor, computed on first use.
pub(super) struct Rejections<'c> {
    crd: &'c CustomResourceDefinition,
    old: Option<&'c CustomResourceDefinition>,
    known_errors: BTreeMap<KubernetesVersion, ErrorList>,
}

/// The texts before a name in errors of CEL about unknown names.
const BEFORE_NAMES: [&str; 3] =
    ["undeclared reference to '", "found no matching overload for '", "undefined field '"];

/// The beginning of the server's error for each expensive rule, if the rules of a definition cost too much together.
const CONTRIBUTED: &str = "contributed to estimated rule cost total";

impl<'c> Rejections<'c> {
    pub(super) fn new(
        crd: &'c CustomResourceDefinition,
        old: Option<&'c CustomResourceDefinition>,
    ) -> Self {
        Self { crd, old, known_errors: BTreeMap::new() }
    }

    fn errors(&mut self, minor: KubernetesVersion) -> &ErrorList {
        let Self { crd, old, known_errors } = self;
        known_errors.entry(minor).or_insert_with(|| match old {
            Some(old) => Server::of(minor).validate_update(*crd, *old),
            None => Server::of(minor).validate(*crd),
        })
    }

    /// Returns the errors that each of the minors and the newest known one report, with the texts of the newest of
    /// the minors.
    pub(super) fn common(&mut self, minors: &Minors) -> Vec<Error> {
        let mut common: Vec<Error> = self.errors(minors.newest()).iter().cloned().collect();
        for minor in minors.all().iter().copied().chain([KubernetesVersion::NEWEST]) {
            let errors = self.errors(minor);
            common.retain(|error| errors.iter().any(|other| is_about_the_same(error, other)));
        }
        common
    }

    /// Returns what a minor rejects, without the errors in `common`.
    pub(super) fn on(
        &mut self,
        minor: KubernetesVersion,
        common: &[Error],
    ) -> Vec<Incompatibility> {
        let own: Vec<Error> = self
            .errors(minor)
            .iter()
            .filter(|error| !common.iter().any(|other| is_about_the_same(error, other)))
            .cloned()
            .collect();
        let mut found: Vec<Incompatibility> = Vec::new();
        for error in &own {
            // A rule that costs too much by itself also has an error for its part of the total.
            let is_reported = |other: &Error| other != error && is_about_the_same(error, other);
            if error.detail.starts_with(CONTRIBUTED) && own.iter().any(is_reported) {
                continue;
            }
            for message in self.messages(minor, error) {
                let one = Incompatibility::new(minor, true, &error.field, message);
                if !found.contains(&one) {
                    found.push(one);
                }
            }
        }
        found
    }

    /// Returns the messages for an error: one for each name that a later minor has, or else the error itself.
    fn messages(&mut self, minor: KubernetesVersion, error: &Error) -> Vec<String> {
        let later = || KubernetesVersion::ALL.into_iter().filter(move |later| *later > minor);
        let mut messages = Vec::new();
        for name in names(&error.detail) {
            let is_known = |errors: &ErrorList| {
                let mut same = errors.iter().filter(|other| other.field == error.field);
                !same.any(|other| names(&other.detail).contains(&name))
            };
            if let Some(since) = later().find(|later| is_known(self.errors(*later))) {
                let form = if is_macro(&name, minor) { " with two variables" } else { "" };
                messages.push(format!("`{name}`{form} needs Kubernetes {since}"));
            }
        }
        if !messages.is_empty() {
            return messages;
        }
        let accepts =
            |errors: &ErrorList| !errors.iter().any(|other| is_about_the_same(error, other));
        let first = later().find(|later| accepts(self.errors(*later)));
        let earlier = KubernetesVersion::ALL.into_iter().rev().filter(|earlier| *earlier < minor);
        let last = earlier.into_iter().find(|earlier| accepts(self.errors(*earlier)));
        let detail = summary(&error.detail);
        let detail = if detail.is_empty() { error.to_string() } else { detail };
        vec![match (first, last) {
            (Some(first), _) => format!("{detail}; this needs Kubernetes {first}"),
            (None, Some(last)) => {
                format!("{detail}; Kubernetes {last} is the last that accepts it")
            }
            (None, None) => detail,
        }]
    }
}

/// Returns whether a minor has a macro of this name. If it rejects the macro all the same, it has only the form with
/// one variable.
fn is_macro(name: &str, minor: KubernetesVersion) -> bool {
    functions().iter().any(|row| {
        let is_known = row.presence.since().is_some_and(|since| since <= minor);
        row.name == name && row.library == "macros" && is_known
    })
}

/// Returns whether two minors report the same error. Their texts can differ.
fn is_about_the_same(a: &Error, b: &Error) -> bool {
    a.field == b.field && a.kind == b.kind
}

/// Returns the distinct unknown names in an error of CEL. If some are functions or macros, returns only those, because
/// the variables of an unknown macro are unknown too.
fn names(detail: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for before in BEFORE_NAMES {
        for (at, found) in detail.match_indices(before) {
            let rest = detail.get(at + found.len()..).unwrap_or_default();
            if let Some((name, _)) = rest.split_once('\'')
                && !names.iter().any(|there| there == name)
            {
                names.push(name.to_owned());
            }
        }
    }
    let functions = functions();
    let mut known: Vec<String> = Vec::new();
    for name in &names {
        // For `format.uri()`, the error names `format`.
        let qualified = functions.iter().map(|row| row.name).find(|function| {
            let rest = function.strip_prefix(name.as_str());
            rest.is_some_and(|rest| rest.starts_with('.')) && detail.contains(*function)
        });
        let function = match qualified {
            Some(function) => Some(function.to_owned()),
            None => functions.iter().any(|row| row.name == name).then(|| name.clone()),
        };
        known.extend(function.filter(|function| !known.contains(function)));
    }
    if known.is_empty() { names } else { known }
}

/// Returns an error on one line, without the snippets of CEL.
fn summary(detail: &str) -> String {
    let lines = detail.lines().filter(|line| !line.starts_with(" | "));
    lines.collect::<Vec<_>>().join("; ")
}
