//! Reports of commands whose results are findings.

use std::io::{self, Write};

use clap::ValueEnum;
use serde_json::{Map, Value, json};

use super::finding::{Finding, RuleText, Severity};
use super::{github, markdown, sarif};
use crate::style;

/// The output formats of findings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum FindingFormat {
    /// Text for a terminal
    #[default]
    Human,
    /// One line of JSON per finding, and a summary
    Json,
    /// Markdown, for a comment on a pull request
    Markdown,
    /// Workflow commands of GitHub Actions, shown at the lines of a pull request
    Github,
    /// SARIF 2.1.0, for code scanning
    Sarif,
}

/// The number of findings by severity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct FindingCounts {
    pub(crate) errors: usize,
    pub(crate) warnings: usize,
    pub(crate) notes: usize,
}

/// Writes findings one by one, and a summary.
pub(crate) struct FindingReport {
    format: FindingFormat,
    describe: fn(&str) -> RuleText,
    sarif: sarif::Log,
    counts: FindingCounts,
}

impl FindingReport {
    /// Returns a report in a format. `describe` returns the text of a kind of finding.
    pub(crate) fn new(format: FindingFormat, describe: fn(&str) -> RuleText) -> Self {
        Self { format, describe, sarif: sarif::Log::default(), counts: FindingCounts::default() }
    }

    /// Writes a finding.
    pub(crate) fn write(&mut self, out: &mut dyn Write, finding: &Finding) -> io::Result<()> {
        self.count(finding.severity);
        match self.format {
            FindingFormat::Human => write_human(out, finding),
            FindingFormat::Json => writeln!(out, "{}", line(finding)),
            FindingFormat::Markdown => markdown::write(out, finding),
            FindingFormat::Github => github::write(out, std::slice::from_ref(finding)),
            FindingFormat::Sarif => {
                self.sarif.add(std::slice::from_ref(finding));
                Ok(())
            }
        }
    }

    /// Counts a finding that is not written.
    pub(crate) fn count(&mut self, severity: Severity) {
        match severity {
            Severity::Error => self.counts.errors += 1,
            Severity::Warning => self.counts.warnings += 1,
            Severity::Note => self.counts.notes += 1,
        }
    }

    /// Writes the summary, with additional keys in JSON.
    pub(crate) fn finish(self, out: &mut dyn Write, more: Map<String, Value>) -> io::Result<()> {
        let FindingCounts { errors, warnings, notes } = self.counts;
        match self.format {
            FindingFormat::Human | FindingFormat::Github | FindingFormat::Markdown => {
                writeln!(out, "{}", self.counts.text())
            }
            FindingFormat::Json => {
                let mut summary = json!({"errors": errors, "warnings": warnings, "notes": notes});
                if let Some(summary) = summary.as_object_mut() {
                    summary.extend(more);
                }
                writeln!(out, "{}", json!({"summary": summary}))
            }
            FindingFormat::Sarif => writeln!(out, "{}", self.sarif.to_json(self.describe)),
        }
    }

    /// Returns the number of findings that have been written.
    pub(crate) fn counts(&self) -> FindingCounts {
        self.counts
    }
}

impl FindingCounts {
    /// Returns the summary: `1 error, 0 warnings, 2 notes`.
    fn text(self) -> String {
        let count =
            |count: usize, word| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
        let Self { errors, warnings, notes } = self;
        format!(
            "{}, {}, {}",
            count(errors, "error"),
            count(warnings, "warning"),
            count(notes, "note")
        )
    }
}

/// Writes a finding as rustc does: the place, the message, and the notes and the help below it.
fn write_human(out: &mut dyn Write, finding: &Finding) -> io::Result<()> {
    let place = style::place(&finding.place);
    let head = format!("{}[{}]", finding.severity.name(), finding.rule);
    let head = match finding.severity {
        Severity::Error => style::bad(head),
        Severity::Warning => style::warning(head),
        Severity::Note => style::place(head),
    };
    let subject = style::word(&finding.subject);
    writeln!(out, "{place}: {head}: {subject}: {}", style::text(&finding.message))?;
    for note in &finding.notes {
        let text = style::text(note.text.trim_end()).to_string();
        match note.language {
            None if !text.contains('\n') => {
                writeln!(out, "  {}: {text}", style::word(&note.title))?;
            }
            _ => {
                writeln!(out, "  {}:", style::word(&note.title))?;
                text.lines().try_for_each(|line| writeln!(out, "    {line}"))?;
            }
        }
    }
    finding.help.as_ref().map_or(Ok(()), |help| writeln!(out, "  help: {}", style::text(help)))
}

/// Returns the JSON line of a finding.
fn line(finding: &Finding) -> Value {
    let mut line = json!({
        "id": finding.rule,
        "severity": finding.severity.name(),
        "subject": finding.subject,
        "file": finding.place.file,
        "line": finding.place.line,
        "message": finding.message,
    });
    if let Some(line) = line.as_object_mut() {
        if let Some(help) = &finding.help {
            line.insert("help".to_owned(), help.as_str().into());
        }
        line.extend(finding.more.clone());
    }
    line
}
