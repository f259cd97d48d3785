//! The string formats that OpenAPI and CEL's `format` library share.
//!
//! Source: kube-openapi `pkg/validation/strfmt`, govalidator.

use crate::time::Timestamp;

/// A UUID, with or without `-`, in either case; of the given version (a digit), if there is one.
/// Versions 4 and 5 also fix the variant.
///
/// Source: `strfmt/default.go`, `UUIDPattern` and its kin.
pub fn is_uuid(text: &str, version: Option<u8>) -> bool {
    let mut rest = text.as_bytes();
    for (group, digits) in [8, 4, 4, 4, 12].into_iter().enumerate() {
        if group > 0 {
            rest = rest.strip_prefix(b"-").unwrap_or(rest);
        }
        let Some((part, after)) = rest.split_at_checked(digits) else {
            return false;
        };
        let first = part.first().copied().unwrap_or_default();
        let fits = match (group, version) {
            (2, Some(version)) => first == version,
            (3, Some(b'4' | b'5')) => matches!(first, b'8' | b'9' | b'a' | b'b' | b'A' | b'B'),
            _ => true,
        };
        if !fits || !part.iter().all(u8::is_ascii_hexdigit) {
            return false;
        }
        rest = after;
    }
    rest.is_empty()
}

/// Base64 of the standard alphabet with its padding; not the empty string.
///
/// Source: `govalidator/patterns.go`, `Base64`.
pub fn is_base64(text: &str) -> bool {
    let digits = text.trim_end_matches('=');
    let padding = text.len() - digits.len();
    !text.is_empty()
        && text.len().is_multiple_of(4)
        && padding <= 2
        && digits.as_bytes().chunks(DIGITS_AT_ONCE).all(are_base64_digits)
}

/// The number of bytes in a block. Whether all bytes are digits is tested once per block.
const DIGITS_AT_ONCE: usize = 256;

/// Whether all bytes are digits of base64.
///
/// PERF: without a branch for each byte, so that many bytes are looked at by one instruction.
#[expect(clippy::needless_bitwise_bool, reason = "the lazy operators are branches")]
fn are_base64_digits(bytes: &[u8]) -> bool {
    bytes.iter().fold(true, |all, b| {
        let letter = (b | 0x20).wrapping_sub(b'a') < 26;
        let number = b.wrapping_sub(b'0') < 10;
        all & (letter | number | (*b == b'+') | (*b == b'/'))
    })
}

/// A date of the calendar, `YYYY-MM-DD`.
pub fn is_date(text: &str) -> bool {
    Timestamp::parse_date(text).is_ok()
}

/// A date, a `T` in either case, and a time of day with a zone.
///
/// Upstream: text after a second `T` is ignored, any character may precede the fraction of a
/// second, and the zone's range is not checked (`strfmt/time.go`, `IsDateTime`).
pub fn is_date_time(text: &str) -> bool {
    let mut parts = text.split(['t', 'T']);
    match (parts.next(), parts.next()) {
        (Some(date), Some(time)) => is_date(date) && is_time(time),
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

/// The text after a fraction: one character other than a line feed, and at least one digit.
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
        [b'+' | b'-', hours @ .., b':', _, _] if hours.len() == 2 => {
            text.bytes().filter(u8::is_ascii_digit).count() == 4
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_base64() {
        for c in '\0'..='\u{ff}' {
            let is_digit = c.is_ascii_alphanumeric() || c == '+' || c == '/';
            // At the start of a block, in its middle, and after it.
            for before in [0, 100, 300] {
                let mut text = "A".repeat(before);
                text.push(c);
                text.push_str(&"A".repeat((4 - text.len() % 4) % 4 + 4));
                assert_eq!(is_base64(&text), is_digit, "{text}");
            }
        }
        for (text, valid) in [
            ("", false),
            ("=", false),
            ("AA==", true),
            ("AAA=", true),
            ("A===", false),
            ("====", false),
        ] {
            assert_eq!(is_base64(text), valid, "{text}");
        }
    }

    #[test]
    fn uuids() {
        assert!(is_uuid("01234567-89ab-cdef-0123-456789ABCDEF", None));
        assert!(is_uuid("0123456789abcdef0123456789abcdef", None));
        assert!(!is_uuid("0123-456789ab-cdef-0123-456789ABCDEF", None));
        assert!(!is_uuid("01234567-89ab-cdef-0123-456789ABCDEF-", None));
        assert!(is_uuid("01234567-89ab-4def-8123-456789ABCDEF", Some(b'4')));
        assert!(!is_uuid("01234567-89ab-4def-7123-456789ABCDEF", Some(b'4')));
    }

    #[test]
    fn times() {
        assert!(is_date_time("2020-01-01t23:59:59x5+99:99Tfoo"));
        assert!(!is_date_time("2020-01-01T23:59:59+0100"));
        assert!(!is_date_time("2020-01-01T23:59:59+a1:00"));
        assert!(!is_date_time("2020-01-01"));
    }
}
