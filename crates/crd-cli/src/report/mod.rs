//! Reports of verdicts and of findings in all output formats.

mod finding;
mod findings;
mod github;
mod json;
mod junit;
mod markdown;
mod sarif;

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::io::{self, Write};

use serde_json::{Map, Value};

pub(crate) use finding::{Finding, Note, RuleText, Severity};
pub(crate) use findings::{FindingFormat, FindingReport};

use super::CommandOutcome;
use super::args::{Output, Verbosity};
use super::location::FileLine;
use super::verdict::{DocumentResult, LocatedError, Verdict};
use super::{style, unified};
use crate::yaml;

/// The number of documents by result.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    pub(crate) valid: usize,
    pub(crate) invalid: usize,
    /// Invalid documents that cannot be read as objects.
    pub(crate) unreadable: usize,
    /// Documents without a CRD, by kind.
    pub(crate) skipped: BTreeMap<String, usize>,
}

impl Counts {
    pub(crate) fn count(&mut self, verdict: &Verdict) {
        match &verdict.result {
            DocumentResult::Skipped => self.skip(verdict.subject.kind.clone()),
            _ if !verdict.is_bad() => self.valid += 1,
            result => {
                self.invalid += 1;
                self.unreadable += usize::from(matches!(result, DocumentResult::Unreadable { .. }));
            }
        }
    }

    /// Returns the outcome of a command. What cannot be read is the more serious one, because nothing is known about it.
    pub(crate) fn outcome(&self) -> CommandOutcome {
        match (self.unreadable, self.invalid) {
            (0, 0) => CommandOutcome::Valid,
            (0, _) => CommandOutcome::Invalid,
            _ => CommandOutcome::Unreadable,
        }
    }

    pub(crate) fn skip(&mut self, kind: String) {
        *self.skipped.entry(kind).or_default() += 1;
    }

    /// Returns the summary: `1 valid, 0 invalid, 2 skipped ...`.
    fn text(&self) -> String {
        let Self { valid, invalid, skipped, .. } = self;
        let mut text = format!("{valid} valid, {invalid} invalid");
        if !skipped.is_empty() {
            let kinds =
                skipped.iter().map(|(kind, count)| format!("{} ({count})", style::word(kind)));
            let kinds: Vec<String> = kinds.collect();
            let (all, kinds) = (self.all_skipped(), kinds.join(", "));
            let _ = write!(text, ", {all} skipped: {kinds}");
        }
        text
    }

    fn all_skipped(&self) -> usize {
        self.skipped.values().sum()
    }

    /// Returns the number of all documents.
    pub(crate) fn documents(&self) -> usize {
        self.valid + self.invalid + self.all_skipped()
    }
}

/// Writes verdicts one by one, and a summary.
pub(crate) struct Report {
    form: ReportFormat,
    verbosity: Verbosity,
}

/// The format of a report, with the parts that can only be written at its end.
enum ReportFormat {
    Human,
    Json,
    Github,
    Junit(junit::Suite),
    Sarif(sarif::Log),
}

impl Report {
    /// Returns a report of a command.
    pub(crate) fn new(output: Output, command: &'static str, verbosity: Verbosity) -> Self {
        let form = match output {
            Output::Human => ReportFormat::Human,
            Output::Json => ReportFormat::Json,
            Output::Github => ReportFormat::Github,
            Output::Junit => ReportFormat::Junit(junit::Suite::new(command)),
            Output::Sarif => ReportFormat::Sarif(sarif::Log::default()),
        };
        Self { form, verbosity }
    }

    /// Writes a verdict; in JSON with additional keys.
    pub(crate) fn write(
        &mut self,
        out: &mut dyn Write,
        verdict: &Verdict,
        more: Map<String, Value>,
    ) -> io::Result<()> {
        let has_nothing_to_report =
            verdict.warnings.is_empty() && verdict.shown.is_none() && !verdict.result.is_bad();
        let is_whole = matches!(self.form, ReportFormat::Junit(_) | ReportFormat::Sarif(_));
        match self.verbosity {
            Verbosity::Quiet if has_nothing_to_report => return Ok(()),
            Verbosity::Summary if !is_whole => return Ok(()),
            _ => {}
        }
        match &mut self.form {
            ReportFormat::Human => self.write_human(out, verdict),
            ReportFormat::Json => writeln!(out, "{}", json::line(verdict, more)),
            ReportFormat::Github => github::write(out, &finding::of(verdict)),
            ReportFormat::Junit(suite) => {
                suite.add(verdict);
                Ok(())
            }
            ReportFormat::Sarif(log) => {
                log.add(&finding::of(verdict));
                Ok(())
            }
        }
    }

    fn write_human(&self, out: &mut dyn Write, verdict: &Verdict) -> io::Result<()> {
        let place = style::place(&verdict.place);
        for warning in &verdict.warnings {
            let warning = style::text(warning);
            writeln!(out, "{place}: {}: {warning}", style::warning("Warning"))?;
        }
        let subject = &verdict.subject;
        match &verdict.result {
            DocumentResult::Valid if self.verbosity == Verbosity::Quiet => {}
            DocumentResult::Valid => {
                let name = subject.short();
                writeln!(out, "{place}: {} {}", style::word(name), style::good(verdict.valid()))?;
            }
            DocumentResult::Skipped => {}
            DocumentResult::Unreadable { message, hint } => {
                write_unreadable(out, &verdict.place, message, hint.as_deref())?;
            }
            DocumentResult::Rejected { reason, message } => {
                let head = style::bad("Error from server");
                writeln!(out, "{place}: {head} ({reason}): {}", style::text(message))?;
            }
            DocumentResult::Invalid(errors) => {
                write!(out, "{place}: ")?;
                write_invalid(out, &subject.kind, &subject.name, errors)?;
            }
        }
        if let Some(shown) = &verdict.shown {
            let name = verdict.subject.short();
            let (before, after) = (yaml::to_string(&shown.before), yaml::to_string(&shown.after));
            unified::write(out, (&name, &before), (&name, &after))?;
        }
        Ok(())
    }

    /// Writes the summary.
    pub(crate) fn finish(&self, out: &mut dyn Write, counts: &Counts) -> io::Result<()> {
        match &self.form {
            ReportFormat::Human | ReportFormat::Github => writeln!(out, "{}", counts.text()),
            ReportFormat::Json => writeln!(out, "{}", json::summary(counts)),
            ReportFormat::Junit(suite) => suite.write(out),
            ReportFormat::Sarif(log) => writeln!(out, "{}", log.to_json(finding::describe)),
        }
    }
}

/// Writes why a document cannot be read as an object, and the hint.
pub(crate) fn write_unreadable(
    out: &mut dyn Write,
    place: &FileLine,
    message: &str,
    hint: Option<&str>,
) -> io::Result<()> {
    let message = style::text(message);
    writeln!(out, "{}: {}: {message}", style::place(place), style::bad("error"))?;
    hint.map_or(Ok(()), |hint| writeln!(out, "  hint: {}", style::text(hint)))
}

/// Writes the errors of an object as `kubectl` does: each text once, and on the first line if there is only one.
pub(crate) fn write_invalid(
    out: &mut dyn Write,
    kind: &str,
    name: &str,
    errors: &[LocatedError],
) -> io::Result<()> {
    let mut seen = HashSet::new();
    let texts = errors.iter().map(|error| style::text(error.text()).to_string());
    let texts: Vec<String> = texts.filter(|text| seen.insert(text.clone())).collect();
    let (kind, name) = (style::word(kind), style::word(name));
    let head = format!("The {kind} \"{name}\" is invalid:");
    write!(out, "{}", style::bad(head))?;
    if let [text] = &texts[..] {
        return writeln!(out, " {text}");
    }
    writeln!(out)?;
    texts.iter().try_for_each(|text| writeln!(out, "* {text}"))
}
