//! Bounds, and values that must be within them.

use super::{Error, error};
use crate::compile_time::equal;

/// 2^63, the least double that does not fit int64. The server parses the shortest decimal text of a bound as an int64.
/// The text of -2^63 is `-9223372036854776000`, which does not fit either.
///
/// Source: kube-openapi `pkg/validation/validate/values.go`: `IsValueValidAgainstRange` rejects the bounds of integers
/// that do not fit int64; for numbers, `MaximumNativeType` compares integers with Go's conversion of the bound.
const BEYOND_INT64: f64 = 9_223_372_036_854_775_808.0;

/// Returns the error of a bound of numbers: the server and the type must represent it exactly.
///
/// `int` and `float` are the bound in both types; `is_whole` is whether it is an integer. `of_integer` is whether it is
/// a bound of an integer, and `range` the range of its type.
#[must_use]
#[expect(
    clippy::cast_possible_truncation,
    reason = "a loss of precision is what the function looks for"
)]
pub const fn bound(
    key: &str,
    (int, float, is_whole): (i128, f64, bool),
    of_integer: bool,
    range: Option<(i128, i128)>,
) -> Option<Error> {
    let is_factor = equal(key.as_bytes(), b"multiple_of");
    if float.is_nan() || float.is_infinite() {
        return error(&["`", key, "` is not a number in JSON"]);
    }
    if float >= BEYOND_INT64 || float <= -BEYOND_INT64 {
        let so = if of_integer {
            "so it would reject every integer"
        } else {
            "to which it converts the bound when it compares an integer"
        };
        let advice = if is_factor { "" } else { "; remove it, the type's own range applies" };
        return error(&[
            "the server stores `",
            key,
            "` as a double, and this number as a double does not fit int64, ",
            so,
            advice,
        ]);
    }
    if is_whole && float as i128 != int {
        return error(&[
            "the server stores `",
            key,
            "` as a double, which rounds this number; not every integer above 2^53 is a double",
        ]);
    }
    if is_factor && float <= 0.0 {
        return error(&["`multiple_of` must be above zero"]);
    }
    if of_integer && !is_whole {
        return error(&["`", key, "` of an integer must be an integer"]);
    }
    match range {
        Some((least, greatest)) if int < least || int > greatest => {
            let mut error = Error::new();
            error.push("`");
            error.push(key);
            error.push("` is outside the range of the type, ");
            error.push_int(least);
            error.push(" to ");
            error.push_int(greatest);
            Some(error)
        }
        _ => None,
    }
}

/// Returns the error of a count, such as `max_items`.
#[must_use]
pub const fn count(key: &str, count: i128) -> Option<Error> {
    if count >= 0 && count <= u32::MAX as i128 {
        return None;
    }
    error(&["`", key, "` must be a whole number from 0 to 4294967295"])
}

/// Returns the error of a lower bound above the upper one, or, if one of them is `exclusive`, equal to it.
#[must_use]
pub const fn in_order(
    (least, from): (&str, f64),
    (greatest, to): (&str, f64),
    exclusive: bool,
) -> Option<Error> {
    if from > to {
        return error(&["`", least, "` is above `", greatest, "`, so no value is valid"]);
    }
    if exclusive && from >= to {
        let end = "` and one of them is exclusive, so no value is valid";
        return error(&["`", least, "` equals `", greatest, end]);
    }
    None
}

/// Returns the error of a value, or of its number of elements or characters, beyond a bound.
#[must_use]
#[expect(clippy::float_cmp, reason = "an exclusive bound excludes exactly its own value")]
pub const fn within(
    what: &str,
    value: f64,
    (key, bound): (&str, f64),
    exclusive: bool,
) -> Option<Error> {
    let is_least = key.len() > 3 && equal(key.as_bytes().split_at(3).0, b"min");
    let is_out = if is_least { value < bound } else { value > bound };
    if !(is_out || exclusive && value == bound) {
        return None;
    }
    error(&[what, if is_least { " is below `" } else { " is above `" }, key, "`"])
}
