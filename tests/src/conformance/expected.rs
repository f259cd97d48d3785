//! The list of expected failures, and the comparison of a run's outcomes with it.
//!
//! A line of the list is `SOURCE ID  # reason`; `*` at the end of a source or an id matches any rest, so that one line
//! can cover a whole class of cases. A source with a space in it, such as `kubernetes.jsonl prune-`, is written as
//! `kubernetes.jsonl*`. A line without a reason is an error, and so is a line whose cases all pass.

use super::{CaseOutcome, Report};

/// The list in the repository.
const LIST: &str = include_str!("../../expected_failures.txt");

/// A list of expected failures.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Expected {
    entries: Vec<Entry>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    source: String,
    id: String,
    reason: String,
}

/// The comparison of a run's outcomes with the list.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Cases that agree.
    pub passed: usize,
    /// Cases that fail and are on the list.
    pub excused: usize,
    /// Cases that fail and are not on the list.
    pub failed: usize,
    /// Lines of the list whose cases all agree, and which must be removed.
    pub stale: Vec<String>,
}

impl Standing {
    /// Whether all outcomes are as the list expects.
    pub fn is_as_expected(&self) -> bool {
        self.failed == 0 && self.stale.is_empty()
    }
}

impl Expected {
    /// Reads the list in the repository.
    ///
    /// # Errors
    /// As [`Expected::parse`].
    pub fn in_repository() -> Result<Self, String> {
        Self::parse(LIST)
    }

    /// Reads a list.
    ///
    /// # Errors
    /// If a line is not `SOURCE ID  # reason`; the text has the number of the first one.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut entries = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let entry = Entry::parse(line).ok_or_else(|| {
                format!("expected failures, line {}: not `SOURCE ID  # reason`", index + 1)
            })?;
            entries.push(entry);
        }
        Ok(Self { entries })
    }

    /// The reason why a case is expected to fail; `None` if it is not.
    pub fn reason(&self, outcome: &CaseOutcome) -> Option<&str> {
        self.entries.iter().find(|entry| entry.matches(outcome)).map(|entry| entry.reason.as_str())
    }

    /// Counts the outcomes of a run.
    pub fn judge(&self, report: &Report) -> Standing {
        let mut standing = Standing::default();
        for outcome in &report.outcomes {
            match (&outcome.difference, self.reason(outcome)) {
                (None, _) => standing.passed += 1,
                (Some(_), Some(_)) => standing.excused += 1,
                (Some(_), None) => standing.failed += 1,
            }
        }
        for entry in &self.entries {
            let mut cases =
                report.outcomes.iter().filter(|outcome| entry.matches(outcome)).peekable();
            if cases.peek().is_some() && cases.all(|outcome| outcome.difference.is_none()) {
                standing.stale.push(format!("{} {}", entry.source, entry.id));
            }
        }
        standing
    }
}

impl Entry {
    fn parse(line: &str) -> Option<Self> {
        let (case, reason) = line.split_once(" #")?;
        let (source, id) = case.trim().split_once(' ')?;
        let (id, reason) = (id.trim(), reason.trim());
        if id.is_empty() || reason.is_empty() {
            return None;
        }
        Some(Self { source: source.to_owned(), id: id.to_owned(), reason: reason.to_owned() })
    }

    fn matches(&self, outcome: &CaseOutcome) -> bool {
        covers(&self.source, &outcome.source) && covers(&self.id, &outcome.id)
    }
}

/// Whether a word of the list, which may end in `*`, matches a name.
fn covers(word: &str, name: &str) -> bool {
    match word.strip_suffix('*') {
        Some(prefix) => name.starts_with(prefix),
        None => word == name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(cases: &[(&str, bool)]) -> Report {
        let mut report = Report::default();
        for (id, agrees) in cases {
            if *agrees {
                report.pass("a.jsonl", id);
            } else {
                report.fail("a.jsonl", id, "differs".to_owned());
            }
        }
        report
    }

    #[track_caller]
    fn check(list: &str, cases: &[(&str, bool)], want: (usize, usize, usize, &[&str])) {
        let standing = Expected::parse(list).expect("a list").judge(&report(cases));
        let stale: Vec<&str> = standing.stale.iter().map(String::as_str).collect();
        assert_eq!((standing.passed, standing.excused, standing.failed, &*stale), want);
    }

    #[test]
    fn failures_are_excused_by_the_list_alone() {
        check("", &[("x-1", true), ("x-2", false)], (1, 0, 1, &[]));
        check("a.jsonl x-2 # why", &[("x-1", true), ("x-2", false)], (1, 1, 0, &[]));
        check("a.jsonl x-* # why", &[("x-1", true), ("x-2", false)], (1, 1, 0, &[]));
        check("a* x-* # why", &[("y-1", false), ("x-2", false)], (0, 1, 1, &[]));
        check("b.jsonl x-* # why", &[("x-2", false)], (0, 0, 1, &[]));
    }

    #[test]
    fn a_line_that_excuses_nothing_is_stale_where_its_cases_ran() {
        check("a.jsonl x-1 # why", &[("x-1", true)], (1, 0, 0, &["a.jsonl x-1"]));
        check("a.jsonl x-* # why", &[("x-1", true), ("x-2", true)], (2, 0, 0, &["a.jsonl x-*"]));
        check("a.jsonl x-* # why", &[("y-1", true)], (1, 0, 0, &[]));
    }

    #[test]
    fn a_line_needs_a_reason() {
        assert!(Expected::parse("a.jsonl x-1").is_err());
        assert!(Expected::parse("a.jsonl x-1 #").is_err());
        assert!(Expected::parse("a.jsonl # why").is_err());
        assert!(Expected::parse("# only a comment\n\n").is_ok());
    }

    #[test]
    fn the_list_of_the_repository_reads() {
        assert!(Expected::in_repository().is_ok());
    }
}
