//! The reasons for differences: `tests/suites/reasons.txt`.
//!
//! A line that begins at the margin names a suite. The lines below it are indented: the name of a spec, ` | ` and the
//! reason. Lines that begin with `#` are comments.

use std::collections::BTreeMap;
use std::fs;

use crd_tests::go::workspace;

use super::results::Comparison;

const FILE: &str = "tests/suites/reasons.txt";

/// The reasons, by suite and spec.
#[derive(Debug, Default)]
pub(super) struct Reasons(BTreeMap<(String, String), String>);

impl Reasons {
    pub(super) fn read() -> Result<Self, String> {
        let text = fs::read_to_string(workspace().join(FILE));
        Self::parse(&text.map_err(|error| format!("{FILE}: {error}"))?)
    }

    fn parse(text: &str) -> Result<Self, String> {
        let mut reasons = BTreeMap::new();
        let mut suite = None;
        for (index, line) in text.lines().enumerate() {
            let at = |message: &str| format!("{FILE}:{}: {message}", index + 1);
            if line.trim().is_empty() || line.starts_with('#') {
            } else if !line.starts_with(' ') {
                suite = Some(line.trim_end().to_owned());
            } else {
                let suite =
                    suite.clone().ok_or_else(|| at("write the name of the suite above it"))?;
                let (spec, reason) = line
                    .trim()
                    .rsplit_once(" | ")
                    .ok_or_else(|| at("write the name of the spec, ` | ` and the reason"))?;
                if reasons.insert((suite, spec.to_owned()), reason.to_owned()).is_some() {
                    return Err(at("the spec has a reason already"));
                }
            }
        }
        Ok(Self(reasons))
    }

    /// Returns a line for each difference without a reason and, if the whole suite has run, for each reason without a
    /// difference.
    pub(super) fn judge(&self, comparison: &Comparison, whole: bool) -> Vec<String> {
        let suite = &comparison.suite;
        let has_reason = |spec: &String| self.0.contains_key(&(suite.clone(), spec.clone()));
        let differences = comparison.differing.iter().filter(|(spec, _)| !has_reason(spec));
        let reasons = self
            .0
            .keys()
            .filter(|(of, spec)| whole && of == suite && !comparison.differing.contains_key(spec));
        differences
            .map(|(spec, why)| {
                format!("{suite}: {spec}\n    {}", why.trim().replace('\n', "\n    "))
            })
            .chain(reasons.map(|(_, spec)| {
                format!("{suite}: {spec}\n    does not differ: remove its reason from {FILE}")
            }))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::results::{Results, same_verdict};
    use super::*;

    #[test]
    fn differences_and_reasons_belong_together() {
        let reasons = Reasons::parse(
            "# text\n\npkg/a\n  one | two | because\n  gone | why\npkg/b\n  x | y\n",
        )
        .unwrap();
        let (mut real, mut ours) = (Results::default(), Results::default());
        for (name, why) in [("one | two", Some("no")), ("new", Some("a\nb")), ("gone", None)] {
            real.add(name, None);
            ours.add(name, why.map(str::to_owned));
        }
        let comparison = Comparison::new("pkg/a", &real, &ours, same_verdict);
        let want = [
            "pkg/a: new\n    here: a\n    b\n    there: passes",
            "pkg/a: gone\n    does not differ: remove its reason from tests/suites/reasons.txt",
        ];
        assert_eq!(reasons.judge(&comparison, true), want);
        assert_eq!(reasons.judge(&comparison, false), want[..1]);
    }

    #[test]
    fn a_line_that_says_no_reason_is_an_error() {
        let error = |text| Reasons::parse(text).unwrap_err();
        assert_eq!(
            error("  a | b"),
            "tests/suites/reasons.txt:1: write the name of the suite above it"
        );
        assert_eq!(
            error("s\n  a"),
            "tests/suites/reasons.txt:2: write the name of the spec, ` | ` and the reason"
        );
        assert_eq!(
            error("s\n  a | b\n  a | c"),
            "tests/suites/reasons.txt:3: the spec has a reason already"
        );
    }
}
