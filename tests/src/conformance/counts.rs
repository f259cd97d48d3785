//! Counts the cases of each file, by what they are compared with.
//!
//! Agreement with the server's verdicts, with the expectations of CEL's authors and with the parser's trees mean
//! different things, so their counts are never added up.

use std::collections::BTreeMap;
use std::fmt;

use super::{Report, Tally};

/// The origin of what the cases of a file are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Authority {
    /// The API server's own code, as recorded: verdicts, values, costs.
    Server,
    /// The tests of the language's authors.
    Language,
    /// cel-go's parser, as recorded: trees with positions, and errors of malformed expressions.
    Parser,
}

impl Authority {
    fn of(file: &str) -> Self {
        match file {
            "cel/ast-positions.jsonl" | "cel/syntax-errors.jsonl" => Self::Parser,
            "cel/spec-in-k8s-env.jsonl" => Self::Server,
            file if file.starts_with("cel/spec-") => Self::Language,
            _ => Self::Server,
        }
    }
}

impl fmt::Display for Authority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Server => "recorded verdicts of the server",
            Self::Language => "the language's own tests",
            Self::Parser => "recorded parses",
        })
    }
}

/// Returns the file of a source, with ` definitions` for verdicts on definitions: one line of `kubernetes.jsonl` can
/// have a verdict on its definition and another on its object.
fn file_of(source: &str) -> String {
    let file = source.split(' ').next().unwrap_or_default();
    if source.ends_with(" definition") { format!("{file} definitions") } else { file.to_owned() }
}

impl Report {
    /// Counts the cases of each file.
    pub fn files(&self) -> BTreeMap<String, usize> {
        let mut files = BTreeMap::new();
        for outcome in &self.outcomes {
            *files.entry(file_of(&outcome.source)).or_default() += 1;
        }
        files
    }

    /// Counts the cases that agree with each authority.
    pub fn authorities(&self) -> BTreeMap<Authority, Tally> {
        let mut all: BTreeMap<Authority, Tally> = BTreeMap::new();
        for outcome in &self.outcomes {
            let file = outcome.source.split(' ').next().unwrap_or_default();
            let tally = all.entry(Authority::of(file)).or_default();
            tally.all += 1;
            tally.agree += usize::from(outcome.difference.is_none());
        }
        all
    }

    /// Whether there are cases, and all agree.
    pub fn holds(&self) -> bool {
        !self.outcomes.is_empty() && self.outcomes.iter().all(|it| it.difference.is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_authorities_are_counted_separately() {
        let mut report = Report::default();
        report.pass("kubernetes.jsonl prune-", "prune-1");
        report.pass("kubernetes.jsonl prune- definition", "prune-1");
        report.fail("cel/spec-lists.jsonl", "a", "x".to_owned());
        report.pass("cel/spec-in-k8s-env.jsonl", "a");
        report.pass("cel/ast-positions.jsonl", "line 1");
        let files: Vec<_> = report.files().into_iter().collect();
        let want = [
            ("cel/ast-positions.jsonl", 1),
            ("cel/spec-in-k8s-env.jsonl", 1),
            ("cel/spec-lists.jsonl", 1),
            ("kubernetes.jsonl", 1),
            ("kubernetes.jsonl definitions", 1),
        ];
        assert_eq!(files, want.map(|(file, count)| (file.to_owned(), count)));
        let tally = |agree, all| Tally { agree, all };
        let want = [
            (Authority::Server, tally(3, 3)),
            (Authority::Language, tally(0, 1)),
            (Authority::Parser, tally(1, 1)),
        ];
        assert_eq!(report.authorities(), BTreeMap::from(want));
    }

    #[test]
    fn a_run_holds_if_there_are_cases_and_all_agree() {
        let mut report = Report::default();
        assert!(!report.holds());
        report.pass("a", "1");
        assert!(report.holds());
        report.fail("a", "2", "x".to_owned());
        assert!(!report.holds());
    }
}
