//! Reads the causes that the server lists in a failure as field errors.
//!
//! Source: `NewInvalid` in `k8s.io/apimachinery/pkg/api/errors/errors.go` writes them, by `ErrorBody` in
//! `k8s.io/apimachinery/pkg/util/validation/field/errors.go`.

use kube::core::Status;
use kube::core::response::StatusCause;
use serde_json::Value;

use crate::field::{BadValue, Error, ErrorKind, ErrorList};
use crate::managed_fields::Conflict;

/// The reason of a cause that names a field and the manager that owns it.
const MANAGER_CONFLICT: &str = "FieldManagerConflict";

/// A field that another manager owns.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ManagerConflict {
    /// The manager; `None` if the server's text does not name it.
    pub manager: Option<String>,
    /// The field's path, such as `.spec.replicas`.
    pub field: String,
    /// The server's text.
    pub message: String,
}

/// Returns the cause that the server would write for a field error.
pub(super) fn cause(error: &Error) -> StatusCause {
    StatusCause {
        reason: error.kind.as_reason().to_owned(),
        message: error.body(),
        field: error.field.clone(),
    }
}

/// Returns the cause that the server would write for a field that another manager owns.
pub(super) fn conflict(conflict: &Conflict) -> StatusCause {
    StatusCause {
        reason: MANAGER_CONFLICT.to_owned(),
        message: conflict.text(),
        field: conflict.field.clone(),
    }
}

/// Returns the field errors of an invalid object.
pub(super) fn field_errors(status: &Status) -> ErrorList {
    let causes = status.details.iter().flat_map(|details| &details.causes);
    causes.filter_map(|cause| parse_cause(&cause.reason, &cause.field, &cause.message)).collect()
}

pub(super) fn manager_conflicts(status: &Status) -> Vec<ManagerConflict> {
    let causes = status.details.iter().flat_map(|details| &details.causes);
    causes
        .filter(|cause| cause.reason == MANAGER_CONFLICT)
        .map(|cause| ManagerConflict {
            // Upstream: `conflict with "kubectl" using stable.example.com/v1: .spec.replicas`.
            manager: cause
                .message
                .find('"')
                .and_then(|at| unquote(&cause.message[at..]))
                .map(|(manager, _)| manager),
            field: cause.field.clone(),
            message: cause.message.clone(),
        })
        .collect()
}

/// Reads a cause as a field error; `None` if it is something else.
///
/// The error prints as the server wrote the cause.
pub fn parse_cause(reason: &str, field: &str, message: &str) -> Option<Error> {
    let kind = ErrorKind::from_reason(reason)?;
    let rest = message.strip_prefix(&kind.to_string()).unwrap_or(message);
    let rest = rest.strip_prefix(": ").unwrap_or(rest);
    let (bad_value, detail) = if kind.prints_value() {
        value(rest).unwrap_or((BadValue::Omitted, rest))
    } else {
        (BadValue::Omitted, rest)
    };
    let error = Error { kind, field: field.to_owned(), bad_value, detail: detail.to_owned() };
    if error.body() == message {
        return Some(error);
    }
    // The message has none of the server's own forms, so its text is kept.
    Some(Error { bad_value: BadValue::Omitted, detail: rest.to_owned(), ..error })
}

/// Returns the value at the start of a message, and the rest of the message.
fn value(text: &str) -> Option<(BadValue, &str)> {
    let (value, rest) = if let Some((string, rest)) = unquote(text) {
        (BadValue::Value(Value::String(string)), rest)
    } else {
        let mut stream = serde_json::Deserializer::from_str(text).into_iter::<Value>();
        let value = stream.next()?.ok()?;
        let (printed, rest) = text.split_at_checked(stream.byte_offset())?;
        match BadValue::Value(value) {
            // A Go struct prints its fields in the order of their declarations, so its text cannot be compared.
            value if value.to_string() != printed => (BadValue::Json(printed.to_owned()), rest),
            value => (value, rest),
        }
    };
    match rest.strip_prefix(": ") {
        Some(detail) => Some((value, detail)),
        None if rest.is_empty() => Some((value, "")),
        None => None,
    }
}

/// Returns a string that Go has quoted with `%q`, and the rest of the text.
fn unquote(text: &str) -> Option<(String, &str)> {
    let mut bytes = Vec::new();
    let mut chars = text.strip_prefix('"')?.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => {
                // `at` does not count the opening quote, so the closing one is at `at + 1` in `text`.
                let string = String::from_utf8(bytes).ok()?;
                return Some((string, &text[at + 2..]));
            }
            '\\' => {
                let (_, escape) = chars.next()?;
                let digits = match escape {
                    'x' => 2,
                    'u' => 4,
                    'U' => 8,
                    _ => 0,
                };
                if digits > 0 {
                    let hex: String = chars.by_ref().take(digits).map(|(_, c)| c).collect();
                    let code = u32::from_str_radix(&hex, 16).ok()?;
                    if digits == 2 {
                        bytes.push(u8::try_from(code).ok()?);
                    } else {
                        push(&mut bytes, char::from_u32(code)?);
                    }
                    continue;
                }
                push(
                    &mut bytes,
                    match escape {
                        'a' => '\x07',
                        'b' => '\x08',
                        'f' => '\x0c',
                        'n' => '\n',
                        'r' => '\r',
                        't' => '\t',
                        'v' => '\x0b',
                        other => other,
                    },
                );
            }
            c => push(&mut bytes, c),
        }
    }
    None
}

fn push(bytes: &mut Vec<u8>, c: char) {
    bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::field::Path;

    #[test]
    fn errors_survive_a_round_trip() {
        let spec = Path::new("spec");
        let at = spec.field("a");
        let errors = [
            Error::required(&at, ""),
            Error::required(&at, "must be given: always"),
            Error::invalid(&at, "x", "no"),
            Error::invalid(&at, "a \"quoted\"\n\\ text: with é\u{200b}\u{1}", "does: not: match"),
            Error::invalid(&at, 5, "spec.a in body should be less than 3"),
            Error::invalid(&at, -0.5, "no"),
            Error::invalid(&at, 1e21, "no"),
            Error::invalid(&at, json!({"a": [1, "x: y"], "b": null}), "failed rule: self.a > 1"),
            Error::invalid(&at, json!(null), "no"),
            Error::type_invalid(&at, "string", "must be of type integer: \"string\""),
            Error::not_supported(&at, "c", ["a", "b"]),
            Error::not_supported(&at, 3, Vec::<&str>::new()),
            Error::forbidden(&at, "is immutable"),
            Error::duplicate(&at, json!({"name": "a"})),
            Error::not_found(&at, "x"),
            Error::too_long(&at, 3),
            Error::too_many(&at, 4, 3),
            Error::too_many(&at, -1, -1),
            Error::internal(&at, "it: broke"),
        ];
        for error in errors {
            let cause = cause(&error);
            let read = parse_cause(&cause.reason, &cause.field, &cause.message).expect("an error");
            assert_eq!(read.kind, error.kind);
            assert_eq!(read.to_string(), error.to_string());
            assert_eq!(read.detail, error.detail, "{error}");
            if error.kind.prints_value() {
                assert_eq!(read.bad_value, error.bad_value, "{error}");
            }
        }
    }

    #[test]
    fn unknown_messages_are_kept_as_they_are() {
        let error = parse_cause("FieldValueInvalid", "spec.a", "webhook says: no").expect("one");
        assert_eq!(error.detail, "webhook says: no");
        assert_eq!(parse_cause("UnexpectedServerResponse", "", "404 page not found"), None);
    }
}
