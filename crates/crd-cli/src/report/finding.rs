//! Findings: errors, warnings and notes, each with its place.

use serde_json::{Map, Value};

use crate::location::FileLine;
use crate::verdict::{DocumentResult, Verdict};

/// The name shown for an object without one.
const NAMELESS: &str = "(no name)";

/// Something to report about a place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Finding {
    /// What it is about, such as `CronTab default/my-crontab`.
    pub(crate) subject: String,
    /// Whether the subject is an object, not a file.
    pub(crate) is_of_object: bool,
    pub(crate) place: FileLine,
    pub(crate) severity: Severity,
    /// The identifier of the kind of finding, such as `FieldValueInvalid`, `Unreadable` or `enum-value-removed`.
    pub(crate) rule: &'static str,
    pub(crate) message: String,
    /// What else people should see, such as an object that shows the finding.
    pub(crate) notes: Vec<Note>,
    /// What to do about it.
    pub(crate) help: Option<String>,
    /// Further keys of JSON output.
    pub(crate) more: Map<String, Value>,
}

/// How serious a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Severity {
    Error,
    Warning,
    Note,
}

/// A text below a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Note {
    /// The heading, such as `admitted before`.
    pub(crate) title: String,
    /// The text; it may have several lines.
    pub(crate) text: String,
    /// The language of the text, such as `yaml`; `None` for prose.
    pub(crate) language: Option<&'static str>,
}

/// The description of a kind of finding.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RuleText {
    pub(crate) summary: &'static str,
    /// The address of its page.
    pub(crate) page: Option<&'static str>,
}

impl Severity {
    /// Returns the name in JSON and SARIF.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

impl Finding {
    /// Returns an error without notes and help.
    pub(crate) fn new(
        subject: String,
        place: FileLine,
        rule: &'static str,
        message: String,
    ) -> Self {
        Self {
            subject,
            is_of_object: true,
            place,
            severity: Severity::Error,
            rule,
            message,
            notes: Vec::new(),
            help: None,
            more: Map::new(),
        }
    }

    /// Returns the message with the notes and the help below it, for formats that have one text for all.
    pub(super) fn whole_message(&self) -> String {
        let notes =
            self.notes.iter().map(|note| format!("\n{}: {}", note.title, note.text.trim_end()));
        let help = self.help.iter().map(|help| format!("\nhelp: {help}"));
        std::iter::once(self.message.clone()).chain(notes).chain(help).collect()
    }
}

/// Returns all errors and warnings of a document; those of single minors come last.
pub(super) fn of(verdict: &Verdict) -> Vec<Finding> {
    let subject = title(verdict);
    let is_of_object = !verdict.subject.kind.is_empty();
    let at = |rule, message| {
        let finding = Finding::new(subject.clone(), verdict.place.clone(), rule, message);
        Finding { is_of_object, ..finding }
    };
    let mut out: Vec<Finding> = match &verdict.result {
        DocumentResult::Valid | DocumentResult::Skipped => Vec::new(),
        DocumentResult::Rejected { reason, message } => vec![at(reason, message.clone())],
        DocumentResult::Unreadable { message, hint: None } => {
            vec![at("Unreadable", message.clone())]
        }
        DocumentResult::Unreadable { message, hint: Some(hint) } => {
            vec![at("Unreadable", format!("{message}\nhint: {hint}"))]
        }
        DocumentResult::Invalid(errors) => {
            let errors = errors.iter().map(|located| Finding {
                place: located.location.place(&verdict.place),
                ..at(located.error.kind.as_reason(), located.text())
            });
            errors.collect()
        }
    };
    let warnings = verdict.warnings.iter().cloned();
    let severity = Severity::Warning;
    out.extend(warnings.map(|text| Finding { severity, ..at("Warning", text) }));
    // General incompatibilities have no place in the file, and would be repeated for each minor.
    let of_minors = verdict.incompatibilities.iter().filter(|found| !found.is_general);
    let of_minors = of_minors.map(|found| Finding {
        place: found.location.place(&verdict.place),
        severity: if found.rejected { Severity::Error } else { Severity::Warning },
        ..at("KubernetesVersion", format!("Kubernetes {}: {}", found.kubernetes, found.text()))
    });
    out.extend(of_minors);
    out.dedup();
    out
}

/// Returns the title of a document, such as `CronTab default/my-crontab`, or the file if there is
/// no object.
pub(super) fn title(verdict: &Verdict) -> String {
    let subject = &verdict.subject;
    if subject.kind.is_empty() {
        return verdict.place.to_string();
    }
    let name = if subject.name.is_empty() { NAMELESS } else { &subject.name };
    match &*subject.namespace {
        "" => format!("{} {name}", subject.kind),
        namespace => format!("{} {namespace}/{name}", subject.kind),
    }
}

/// Describes a kind of error or warning of a verdict.
pub(super) fn describe(rule: &str) -> RuleText {
    let summary = match rule {
        "FieldValueRequired" => "A required field is missing",
        "FieldValueDuplicate" => "A value occurs more than once",
        "FieldValueForbidden" => "A field may not be set here",
        "FieldValueNotSupported" => "A value is not one of the allowed values",
        "FieldValueTypeInvalid" => "A value has the wrong type",
        "FieldValueTooLong" | "FieldValueTooMany" => "A value exceeds a maximum",
        "Unreadable" => "A document is not a Kubernetes object",
        "Warning" => "The API server would warn",
        "KubernetesVersion" => "A version of Kubernetes would reject this, or treat it differently",
        "BadRequest" | "NotFound" | "RequestEntityTooLarge" | "InternalError" => {
            "The API server would reject the object as a whole"
        }
        _ => "The API server would reject the value",
    };
    RuleText { summary, page: None }
}
