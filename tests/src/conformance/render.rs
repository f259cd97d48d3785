//! Renders the report of a run as text.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{CaseOutcome, Report};

/// Which cases to show.
#[derive(Debug, Clone)]
pub struct Options {
    /// The largest number of disagreements to show of each source.
    pub show: usize,
    /// Selects the cases whose source or id starts with this text; `SOURCE:ID` selects by both.
    pub only: Option<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self { show: 3, only: None }
    }
}

impl Options {
    /// Whether a case is selected.
    pub fn selects(&self, outcome: &CaseOutcome) -> bool {
        let Some(only) = &self.only else { return true };
        if outcome.source.starts_with(only) || outcome.id.starts_with(only) {
            return true;
        }
        only.split_once(':').is_some_and(|(source, id)| {
            outcome.source.starts_with(source) && outcome.id.starts_with(id)
        })
    }
}

/// The cases of one source.
#[derive(Default)]
struct Source<'a> {
    /// The number of cases.
    all: usize,
    /// The number of cases that agree.
    agree: usize,
    /// The cases that differ.
    differing: Vec<&'a CaseOutcome>,
}

/// Renders a run: a block for each source, then `N passed, M failed`.
pub fn render(report: &Report, options: &Options) -> String {
    let mut sources: BTreeMap<&str, Source<'_>> = BTreeMap::new();
    for outcome in &report.outcomes {
        let source = sources.entry(&outcome.source).or_default();
        source.all += 1;
        match &outcome.difference {
            None => source.agree += 1,
            Some(_) => source.differing.push(outcome),
        }
    }
    let mut text = String::new();
    for (name, source) in &sources {
        write_source(&mut text, name, source, report, options);
    }
    let authorities = report.authorities().into_iter();
    let authorities: Vec<_> =
        authorities.map(|(of, tally)| format!("{of}: {} of {}", tally.agree, tally.all)).collect();
    let _ = writeln!(text, "{}", authorities.join("; "));
    let passed: usize = sources.values().map(|source| source.agree).sum();
    let _ = writeln!(text, "{passed} passed, {} failed", report.outcomes.len() - passed);
    text
}

fn write_source(
    text: &mut String,
    name: &str,
    source: &Source<'_>,
    report: &Report,
    options: &Options,
) {
    let _ = write!(text, "{name}: {} of {} agree", source.agree, source.all);
    let aspects = report.aspects.iter().filter(|((of, _), _)| of == name);
    let aspects: Vec<String> =
        aspects.map(|((_, what), tally)| format!("{what} {}/{}", tally.agree, tally.all)).collect();
    if !aspects.is_empty() {
        let _ = write!(text, " ({})", aspects.join(", "));
    }
    text.push('\n');
    for outcome in source.differing.iter().take(options.show) {
        let _ = writeln!(text, "  {}:", outcome.id);
        for line in outcome.difference.as_deref().unwrap_or_default().lines() {
            let _ = writeln!(text, "    {line}");
        }
    }
    let hidden = source.differing.len().saturating_sub(options.show);
    if hidden > 0 {
        let _ = writeln!(text, "  ... and {hidden} more");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_counts_all_cases() {
        let mut report = Report::default();
        report.pass("a", "1");
        report.fail("a", "2", "want x\ngot y".to_owned());
        report.fail("a", "3", "z".to_owned());
        report.fail("b", "4", "z".to_owned());
        report.aspect("a", "verdict", true);
        let text = render(&report, &Options { show: 1, only: None });
        let want = "a: 1 of 3 agree (verdict 1/1)\n  2:\n    want x\n    got y\n  ... and 1 more\n\
                    b: 0 of 1 agree\n  4:\n    z\n\
                    recorded verdicts of the server: 1 of 4\n1 passed, 3 failed\n";
        assert_eq!(text, want);
    }

    #[test]
    fn cases_are_selected_by_source_or_id() {
        let outcome = CaseOutcome {
            source: "k.jsonl".to_owned(),
            id: "prune-1".to_owned(),
            difference: None,
        };
        for (only, want) in [
            ("k", true),
            ("prune-", true),
            ("k.jsonl:prune", true),
            ("k:value", false),
            ("x", false),
        ] {
            let options = Options { only: Some(only.to_owned()), ..Options::default() };
            assert_eq!(options.selects(&outcome), want, "{only}");
        }
    }
}
