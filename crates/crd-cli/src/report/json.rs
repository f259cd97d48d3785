//! One line of JSON for a document.

use serde_json::{Map, Value, json};

use super::Counts;
use crate::verdict::{DocumentResult, LocatedError, Verdict};

/// Returns the JSON line of a document, with the keys of `more`.
pub(super) fn line(verdict: &Verdict, more: Map<String, Value>) -> Value {
    let subject = &verdict.subject;
    let mut line = json!({
        "file": verdict.place.file,
        "line": verdict.place.line,
        "apiVersion": subject.api_version,
        "kind": subject.kind,
        "namespace": subject.namespace,
        "name": subject.name,
        "verdict": match &verdict.result {
            _ if verdict.is_bad() => "invalid",
            DocumentResult::Valid => "valid",
            DocumentResult::Skipped => "skipped",
            DocumentResult::Invalid(_) | DocumentResult::Rejected { .. } | DocumentResult::Unreadable { .. } => "invalid",
        },
        "isUpdate": verdict.is_update,
        "errors": [],
        "warnings": verdict.warnings,
        "unknownFields": verdict.unknown_fields,
    });
    let mut put = |key: &str, value: Value| {
        if let Some(line) = line.as_object_mut() {
            line.insert(key.to_owned(), value);
        }
    };
    match &verdict.result {
        DocumentResult::Valid | DocumentResult::Skipped => {}
        DocumentResult::Rejected { reason, message } => {
            put("reason", Value::from(*reason));
            put("message", Value::from(message.as_str()));
        }
        DocumentResult::Unreadable { message, hint } => {
            put("reason", Value::from("Unreadable"));
            put("message", Value::from(message.as_str()));
            if let Some(hint) = hint {
                put("hint", Value::from(hint.as_str()));
            }
        }
        DocumentResult::Invalid(errors) => {
            put("reason", Value::from("Invalid"));
            put("errors", errors.iter().map(error).collect());
        }
    }
    if let Some(shown) = &verdict.shown {
        put("before", shown.before.clone());
        put("after", shown.after.clone());
    }
    for (key, value) in more {
        put(&key, value);
    }
    line
}

fn error(located: &LocatedError) -> Value {
    let LocatedError { error, location } = located;
    let mut out = json!({
        "type": error.kind.as_reason(),
        "field": error.field,
        "detail": error.detail,
        "error": error.to_string(),
    });
    location.add_to(&mut out);
    out
}

/// Returns the last line of JSON output.
pub(super) fn summary(counts: &Counts) -> Value {
    let Counts { valid, invalid, skipped, .. } = counts;
    json!({"summary": {"valid": valid, "invalid": invalid, "skipped": skipped}})
}
