//! Checks bounds and texts that attributes give as Rust constants: only rustc knows their values.

use super::equal;
use super::message::Message;
use crate::crd_schema::{Shape, ShapeKind};

/// 2^63, the least double that does not fit int64. The server parses the shortest decimal text of a bound as an int64.
/// The text of -2^63 is `-9223372036854776000`, which does not fit either.
///
/// Source: kube-openapi `pkg/validation/validate/values.go`, `IsValueValidAgainstRange` and `MaximumNativeType`.
const BEYOND_INT64: f64 = 9_223_372_036_854_775_808.0;
/// The greatest count that attributes take.
const MAX_COUNT: i128 = u32::MAX as i128;

/// Checks that a constant can be a bound: the server and the type can represent it exactly.
///
/// `int` and `float` are the constant in both types. If it has a fraction, `int` is the constant without it.
///
/// # Panics
/// If the constant cannot be a bound.
#[track_caller]
#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::float_cmp,
    reason = "a loss of precision is what the function looks for"
)]
pub const fn constant_bound(shape: &Shape, key: &str, int: i128, float: f64) {
    let message = Message::new().push("`").push(key).push("`");
    if float.is_nan() || float.is_infinite() {
        message.push(" is not a number in JSON").fail();
    }
    if float >= BEYOND_INT64 || float <= -BEYOND_INT64 {
        message
            .push(" is stored by the server as a double, and this constant as a double does not fit int64, ")
            .push(match shape.kind {
                ShapeKind::Integer => "so the server would reject every integer",
                _ => "to which the server converts the bound when it compares an integer",
            })
            .push(if equal(key.as_bytes(), b"multiple_of") {
                ""
            } else {
                "; remove it, the type's own range applies"
            })
            .fail();
    }
    let is_whole = float as i128 as f64 == float;
    if is_whole && float as i128 != int {
        message
            .push(" is stored by the server as a double, which rounds this constant; not every integer above 2^53 is a ")
            .push("double")
            .fail();
    }
    if equal(key.as_bytes(), b"multiple_of") && float <= 0.0 {
        message.push(" must be above zero").fail();
    }
    if !is_whole && matches!(shape.kind, ShapeKind::Integer) {
        message.push(" of an integer must be an integer").fail();
    }
    if let Some((least, greatest)) = shape.range
        && (int < least as i128 || int > greatest as i128)
    {
        message
            .push(" is outside the range of the type, ")
            .int(least)
            .push(" to ")
            .int(greatest)
            .fail();
    }
}

/// Checks that a constant can be a count, such as `max_items`.
///
/// # Panics
/// If it is negative or too large.
#[track_caller]
pub const fn constant_count(key: &str, count: i128) {
    if count < 0 || count > MAX_COUNT {
        Message::new()
            .push("`")
            .push(key)
            .push("` must be a whole number from 0 to ")
            .int(u32::MAX as i64)
            .fail();
    }
}

/// Checks that a value can be within both bounds. `exclusive` means that at least one of them is exclusive.
///
/// # Panics
/// If the lower bound is above the upper one, or equals it and `exclusive` is set.
#[track_caller]
pub const fn constants_in_order(least: &str, from: f64, greatest: &str, to: f64, exclusive: bool) {
    let message = Message::new().push("`").push(least);
    if from > to {
        message.push("` is above `").push(greatest).push("`, so no value is valid").fail();
    }
    if exclusive && from >= to {
        message
            .push("` equals `")
            .push(greatest)
            .push("` and one of them is exclusive, so no value is valid")
            .fail();
    }
}

/// Checks that a literal, or its number of elements or characters, is within a bound that is a constant.
///
/// # Panics
/// If it is not.
#[track_caller]
#[allow(clippy::float_cmp, reason = "an exclusive bound excludes exactly its own value")]
pub const fn within_constant(what: &str, value: f64, key: &str, bound: f64, exclusive: bool) {
    let is_least = key.len() > 3 && equal(key.as_bytes().split_at(3).0, b"min");
    let is_out = if is_least { value < bound } else { value > bound };
    if is_out || (exclusive && value == bound) {
        let place = if is_least { " is below `" } else { " is above `" };
        Message::new().push(what).push(place).push(key).push("`").fail();
    }
}

/// Checks that a constant can be a rule.
///
/// # Panics
/// If it is blank, or has several lines and no message.
#[track_caller]
pub const fn constant_rule(text: &str, has_message: bool) {
    let text = text.trim_ascii();
    if text.is_empty() {
        Message::new()
            .push("the rule is empty; write an expression such as `self.a <= self.b`")
            .fail();
    }
    if !has_message && has_line_break(text) {
        Message::new()
            .push("a rule with line breaks needs a `message`, because the server does not show such a rule")
            .fail();
    }
}

/// Checks that a constant can be a message.
///
/// # Panics
/// If it is blank or has several lines.
#[track_caller]
pub const fn constant_message(text: &str) {
    let text = text.trim_ascii();
    if text.is_empty() {
        Message::new().push("`message` is blank; remove it or write a text").fail();
    }
    if has_line_break(text) {
        Message::new().push("`message` must not contain line breaks").fail();
    }
}

/// Checks that a constant can be a message expression.
///
/// # Panics
/// If it is blank.
#[track_caller]
pub const fn constant_message_expression(text: &str) {
    if text.trim_ascii().is_empty() {
        Message::new()
            .push("`message_expression` is blank; remove it or write an expression")
            .fail();
    }
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
