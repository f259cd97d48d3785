//! The errors and warnings of a document, each with its place.

use crate::location::FileLine;
use crate::verdict::{DocumentResult, Verdict};

/// The name shown for an object without one.
const NAMELESS: &str = "(no name)";

/// An error or a warning, and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) place: FileLine,
    pub(super) is_error: bool,
    /// The identifier of the kind of error or warning, such as `FieldValueInvalid`, `Unreadable` or
    /// `Warning`.
    pub(super) rule: &'static str,
    pub(super) message: String,
}

/// Returns all errors and warnings of a document; those of single minors come last.
pub(super) fn findings(verdict: &Verdict) -> Vec<Finding> {
    let at =
        |rule, message| Finding { place: verdict.place.clone(), is_error: true, rule, message };
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
    out.extend(warnings.map(|text| Finding { is_error: false, ..at("Warning", text) }));
    let lints = verdict.lints.iter().map(|lint| Finding {
        place: lint.location.place(&verdict.place),
        is_error: false,
        ..at(lint.kind.name(), lint.text())
    });
    out.extend(lints);
    // General incompatibilities have no place in the file, and would be repeated for each minor.
    let of_minors = verdict.incompatibilities.iter().filter(|found| !found.is_general);
    let of_minors = of_minors.map(|found| Finding {
        place: found.location.place(&verdict.place),
        is_error: found.rejected,
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
