//! XML as `JUnit` writes it: a suite for a command, a case for a document.
//!
//! Source: `jenkins-junit.xsd` of Jenkins' xUnit plugin, by which most services read it.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::finding::{self, Severity};
use crate::verdict::{DocumentResult, Verdict};

/// The cases so far. They are held back because their number is written first.
pub(super) struct Suite {
    name: &'static str,
    cases: String,
    tests: usize,
    failures: usize,
    skipped: usize,
}

impl Suite {
    pub(super) fn new(name: &'static str) -> Self {
        Self { name, cases: String::new(), tests: 0, failures: 0, skipped: 0 }
    }

    /// Adds a document.
    pub(super) fn add(&mut self, verdict: &Verdict) {
        self.tests += 1;
        let (name, class) = (escape(&finding::title(verdict)), escape(&verdict.place.file));
        let line = verdict.place.line.max(1);
        let head = format!(
            "    <testcase name=\"{name}\" classname=\"{class}\" file=\"{class}\" line=\"{line}\""
        );
        self.cases.push_str(&head);
        let findings = finding::of(verdict);
        let is_skipped = matches!(verdict.result, DocumentResult::Skipped);
        if findings.is_empty() && !is_skipped {
            self.cases.push_str("/>\n");
            return;
        }
        self.cases.push_str(">\n");
        let (errors, warnings): (Vec<_>, Vec<_>) =
            findings.iter().partition(|it| it.severity == Severity::Error);
        if is_skipped {
            self.skipped += 1;
            self.cases.push_str("      <skipped message=\"no CRD of this kind\"/>\n");
        }
        if let Some(first) = errors.first() {
            self.failures += 1;
            let lines = errors.iter().map(|error| format!("{}: {}", error.place, error.message));
            let text = escape(&lines.collect::<Vec<_>>().join("\n"));
            let (message, rule) = (escape(&first.message), first.rule);
            let _ = writeln!(
                self.cases,
                "      <failure message=\"{message}\" type=\"{rule}\">{text}</failure>"
            );
        }
        if !warnings.is_empty() {
            let lines: Vec<&str> = warnings.iter().map(|it| it.message.as_str()).collect();
            let text = escape(&lines.join("\n"));
            let _ = writeln!(self.cases, "      <system-out>{text}</system-out>");
        }
        self.cases.push_str("    </testcase>\n");
    }

    /// Writes the report.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { name, cases, tests, failures, skipped } = self;
        let counts = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"0\"");
        writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
        writeln!(out, "<testsuites {counts}>")?;
        writeln!(out, "  <testsuite name=\"crd {name}\" {counts} skipped=\"{skipped}\">")?;
        out.write_all(cases.as_bytes())?;
        writeln!(out, "  </testsuite>\n</testsuites>")
    }
}

/// Text for an element or an attribute. XML 1.0 has no way to write most control characters.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // Written as references, because a parser would normalize them in attributes.
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            '\r' => out.push_str("&#13;"),
            c if c < ' ' || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
