//! Points in time.

use crd_cel::time::Timestamp;

/// A date, a `T` in either case, and a time of day with a zone.
///
/// Upstream: whatever follows a second `T` is ignored, any character may stand before the fraction of a
/// second, and the zone's range is not checked (`strfmt/time.go`, `IsDateTime`).
pub(super) fn is_date_time(text: &str) -> bool {
    let mut parts = text.split(['t', 'T']);
    match (parts.next(), parts.next()) {
        (Some(date), Some(time)) => Timestamp::parse_date(date).is_ok() && is_time(time),
        _ => false,
    }
}

fn is_time(text: &str) -> bool {
    let (Some(clock), Some(rest)) = (text.get(..8), text.get(8..)) else {
        return false;
    };
    let [h1, h2, b':', m1, m2, b':', s1, s2] = *clock.as_bytes() else {
        return false;
    };
    let digits = [h1, h2, m1, m2, s1, s2].iter().all(u8::is_ascii_digit);
    let in_range = [h1, h2] <= *b"23" && [m1, m2] <= *b"59" && [s1, s2] <= *b"59";
    digits && in_range && (is_zone(rest) || is_zone(after_fraction(rest)))
}

/// What follows one character that is no line feed and at least one digit.
fn after_fraction(text: &str) -> &str {
    let mut chars = text.chars();
    if chars.next().is_none_or(|c| c == '\n') {
        return "";
    }
    let digits = chars.as_str();
    let rest = digits.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() == digits.len() { "" } else { rest }
}

fn is_zone(text: &str) -> bool {
    match text.as_bytes() {
        [b'z' | b'Z'] => true,
        [b'+' | b'-', a, b, b':', c, d] => [a, b, c, d].into_iter().all(u8::is_ascii_digit),
        _ => false,
    }
}
