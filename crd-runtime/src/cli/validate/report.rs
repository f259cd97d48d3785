//! What a person, or a program, is told.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};

use serde_json::{Value, json};

use super::verdict::{Ruling, Verdict};
use crate::cli::args::Output;
use crate::cli::{diff, style};
use crate::field::Error;
use crate::yaml;

/// How many documents went which way.
#[derive(Debug, Default)]
pub(in crate::cli) struct Counts {
    pub(in crate::cli) valid: usize,
    pub(in crate::cli) invalid: usize,
    /// By kind: those without a CRD.
    pub(in crate::cli) skipped: BTreeMap<String, usize>,
}

impl Counts {
    pub(in crate::cli) fn count(&mut self, verdict: &Verdict) {
        match &verdict.ruling {
            Ruling::Valid => self.valid += 1,
            Ruling::Skipped => self.skip(verdict.subject.kind.clone()),
            Ruling::Invalid(_) | Ruling::Refused { .. } | Ruling::Unreadable(_) => {
                self.invalid += 1;
            }
        }
    }

    pub(super) fn skip(&mut self, kind: String) {
        *self.skipped.entry(kind).or_default() += 1;
    }

    /// The last line of what a program is told.
    pub(in crate::cli) fn to_json(&self) -> Value {
        let Self { valid, invalid, skipped } = self;
        json!({"summary": {"valid": valid, "invalid": invalid, "skipped": skipped}})
    }

    fn all_skipped(&self) -> usize {
        self.skipped.values().sum()
    }

    /// All documents.
    pub(super) fn documents(&self) -> usize {
        self.valid + self.invalid + self.all_skipped()
    }
}

/// Writes verdicts one by one, and a summary.
pub(super) struct Report<'a> {
    out: &'a mut dyn Write,
    output: Output,
    /// Nothing is said of what is valid.
    quiet: bool,
}

impl<'a> Report<'a> {
    pub(super) fn new(out: &'a mut dyn Write, output: Output, quiet: bool) -> Self {
        Self { out, output, quiet }
    }

    pub(super) fn write(&mut self, verdict: &Verdict) -> io::Result<()> {
        let says_nothing =
            verdict.warnings.is_empty() && verdict.shown.is_none() && !verdict.ruling.is_bad();
        match self.output {
            _ if self.quiet && says_nothing => Ok(()),
            Output::Json => writeln!(self.out, "{}", to_json(verdict, |_| None)),
            Output::Human => self.write_human(verdict),
        }
    }

    fn write_human(&mut self, verdict: &Verdict) -> io::Result<()> {
        let place = style::place(&verdict.place);
        for warning in &verdict.warnings {
            writeln!(self.out, "{place}: {}: {warning}", style::warning("Warning"))?;
        }
        let subject = &verdict.subject;
        match &verdict.ruling {
            Ruling::Valid if self.quiet => {}
            Ruling::Valid => {
                writeln!(self.out, "{place}: {} {}", subject.short(), style::good("valid"))?;
            }
            Ruling::Skipped => {}
            Ruling::Unreadable(message) => {
                writeln!(self.out, "{place}: {}: {message}", style::bad("error"))?;
            }
            Ruling::Refused { reason, message } => {
                writeln!(
                    self.out,
                    "{place}: {} ({reason}): {message}",
                    style::bad("Error from server")
                )?;
            }
            Ruling::Invalid(errors) => {
                write!(self.out, "{place}: ")?;
                write_invalid(self.out, &subject.kind, &subject.name, errors)?;
            }
        }
        if let Some(shown) = &verdict.shown {
            let name = verdict.subject.short();
            let (before, after) = (yaml::to_string(&shown.before), yaml::to_string(&shown.after));
            diff::write(self.out, (&name, &before), (&name, &after))?;
        }
        Ok(())
    }

    /// Writes the summary.
    pub(super) fn finish(&mut self, counts: &Counts) -> io::Result<()> {
        let Counts { valid, invalid, skipped } = counts;
        let all_skipped = counts.all_skipped();
        if self.output == Output::Json {
            return writeln!(self.out, "{}", counts.to_json());
        }
        write!(self.out, "{valid} valid, {invalid} invalid")?;
        if all_skipped > 0 {
            let kinds: Vec<String> =
                skipped.iter().map(|(kind, count)| format!("{kind} ({count})")).collect();
            write!(
                self.out,
                ", {all_skipped} skipped, of kinds without a CRD: {}",
                kinds.join(", ")
            )?;
        }
        writeln!(self.out)
    }
}

/// Writes the errors of an object in the words of `kubectl`: each text once, on one line where there is one.
pub(in crate::cli) fn write_invalid<'a>(
    out: &mut dyn Write,
    kind: &str,
    name: &str,
    errors: impl IntoIterator<Item = &'a Error>,
) -> io::Result<()> {
    write_invalid_at(out, kind, name, errors, |_| None)
}

/// As [`write_invalid`], with a line below each error for whose place there is one.
pub(in crate::cli) fn write_invalid_at<'a>(
    out: &mut dyn Write,
    kind: &str,
    name: &str,
    errors: impl IntoIterator<Item = &'a Error>,
    locate: impl Fn(&Error) -> Option<String>,
) -> io::Result<()> {
    let mut told = HashSet::new();
    let mut texts: Vec<String> = Vec::new();
    for error in errors {
        let mut text = error.to_string();
        if let Some(place) = locate(error) {
            text.push_str("\n  at ");
            text.push_str(&place);
        }
        if told.insert(text.clone()) {
            texts.push(text);
        }
    }
    let head = format!("The {kind} \"{name}\" is invalid:");
    write!(out, "{}", style::bad(head))?;
    if let [text] = &texts[..] {
        return writeln!(out, " {text}");
    }
    writeln!(out)?;
    texts.iter().try_for_each(|text| writeln!(out, "* {text}"))
}

/// What a program is told of a document, with the places of errors for which there are some.
pub(in crate::cli) fn to_json(
    verdict: &Verdict,
    locate: impl Fn(&Error) -> Option<String>,
) -> Value {
    let subject = &verdict.subject;
    let (reason, message, errors) = match &verdict.ruling {
        Ruling::Valid | Ruling::Skipped => (Value::Null, Value::Null, Vec::new()),
        Ruling::Refused { reason, message } => (json!(reason), json!(message), Vec::new()),
        Ruling::Unreadable(message) => (json!("Unreadable"), json!(message), Vec::new()),
        Ruling::Invalid(errors) => {
            let errors = errors.iter().map(|error| {
                let mut told = json!({
                    "type": error.kind.as_reason(),
                    "field": error.field,
                    "detail": error.detail,
                    "error": error.to_string(),
                });
                if let (Some(place), Some(told)) = (locate(error), told.as_object_mut()) {
                    told.insert("at".to_owned(), Value::from(place));
                }
                told
            });
            (json!("Invalid"), Value::Null, errors.collect())
        }
    };
    let mut line = json!({
        "file": verdict.place.file,
        "line": verdict.place.line,
        "apiVersion": subject.api_version,
        "kind": subject.kind,
        "namespace": subject.namespace,
        "name": subject.name,
        "verdict": match &verdict.ruling {
            Ruling::Valid => "valid",
            Ruling::Skipped => "skipped",
            Ruling::Invalid(_) | Ruling::Refused { .. } | Ruling::Unreadable(_) => "invalid",
        },
        "errors": errors,
        "warnings": verdict.warnings,
        "unknownFields": verdict.unknown_fields,
    });
    let optional = [("reason", reason), ("message", message)];
    let shown = verdict
        .shown
        .iter()
        .flat_map(|shown| [("before", shown.before.clone()), ("after", shown.after.clone())]);
    for (key, value) in optional.into_iter().filter(|(_, value)| !value.is_null()).chain(shown) {
        if let Some(line) = line.as_object_mut() {
            line.insert(key.to_owned(), value);
        }
    }
    line
}
