//! The texts of a rule.

use super::{Error, error};

/// Returns the error of a rule that is blank, or that has several lines and no message.
#[must_use]
pub const fn rule(text: &str, has_message: bool) -> Option<Error> {
    let text = text.trim_ascii();
    if text.is_empty() {
        return error(&["the rule is empty; write an expression such as `self.a <= self.b`"]);
    }
    if !has_message && has_line_break(text) {
        return error(&[
            "a rule with line breaks needs a `message`, because the server does not show such a rule",
        ]);
    }
    None
}

/// Returns the error of a message that is blank or has several lines.
#[must_use]
pub const fn message(text: &str) -> Option<Error> {
    let text = text.trim_ascii();
    if text.is_empty() {
        return error(&["`message` is blank; remove it or write a text"]);
    }
    if has_line_break(text) { error(&["`message` must not contain line breaks"]) } else { None }
}

/// Returns the error of a message expression that is blank.
#[must_use]
pub const fn message_expression(text: &str) -> Option<Error> {
    if text.trim_ascii().is_empty() {
        return error(&["`message_expression` is blank; remove it or write an expression"]);
    }
    None
}

const fn has_line_break(text: &str) -> bool {
    let (bytes, mut at) = (text.as_bytes(), 0);
    while at < bytes.len() {
        if matches!(bytes[at], b'\n' | b'\r') {
            return true;
        }
        at += 1;
    }
    false
}
