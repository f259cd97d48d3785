//! `maxLength`, `minLength`, `pattern` and the formats of strings.

use crd_cel::domain::format::Format;
use crd_cel::gofmt;

use super::location::Location;
use super::report::{Collect, FailureKind, ValidationFailure};
use crate::compiled::StringChecks;
use crate::field::ErrorKind;

/// Checks a string; only the first error is reported.
///
/// Source: `pkg/validation/validate/validator.go`, `stringValidator.Validate`.
pub(super) fn check(
    checks: &StringChecks,
    text: &str,
    at: &Location<'_>,
    record: &mut impl Collect,
) {
    if let Some(max) = checks.max_length
        && is_longer(text, max)
    {
        return record.fail(ErrorKind::TooLong, || {
            let message = format_args!("should be at most {max} chars long");
            ValidationFailure::at(at, message, FailureKind::TooLong(max))
        });
    }
    if let Some(min) = checks.min_length
        && min > 0
        && !is_longer(text, min - 1)
    {
        return record.fail(ErrorKind::Invalid, || {
            let message = format_args!("should be at least {min} chars long");
            ValidationFailure::at(at, message, FailureKind::Invalid(text.into()))
        });
    }
    if let Some(pattern) = &checks.pattern
        && !pattern.regex.as_ref().is_ok_and(|regex| regex.is_match(text))
    {
        record.fail(ErrorKind::Invalid, || {
            let kind = FailureKind::Invalid(text.into());
            let source = &pattern.source;
            match &pattern.regex {
                Ok(_) => ValidationFailure::at(at, format_args!("should match '{source}'"), kind),
                Err(error) => {
                    let text =
                        format_args!("should match '{source}, but pattern is invalid: {error}'");
                    ValidationFailure::at(at, text, kind)
                }
            }
        });
    }
}

/// Checks the format of a string.
///
/// Source: `pkg/validation/validate/formats.go`, `formatValidator.Validate`.
pub(super) fn check_format(
    name: &str,
    format: Format,
    text: &str,
    at: &Location<'_>,
    record: &mut impl Collect,
) {
    if !format.is_valid(text) {
        record.fail(ErrorKind::TypeInvalid, || {
            let message = format_args!("must be of type {name}: {}", gofmt::quote(text));
            ValidationFailure::at(at, message, FailureKind::Type(text.to_owned()))
        });
    }
}

/// Returns whether a text has more than `limit` code points.
fn is_longer(text: &str, limit: i64) -> bool {
    let Ok(limit) = usize::try_from(limit) else { return limit < 0 };
    // A code point takes one to four bytes.
    text.len() > limit && (text.len() / 4 > limit || text.chars().count() > limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_points_are_counted_where_bytes_do_not_decide() {
        for (text, limit, want) in [
            ("", -1, true),
            ("", 0, false),
            ("a", 0, true),
            ("a", 1, false),
            ("abcdefghi", 2, true),
            ("\u{65e5}", 0, true),
            ("\u{65e5}", 1, false),
            ("\u{65e5}\u{672c}", 1, true),
            ("\u{65e5}\u{672c}", 2, false),
            ("\u{1f600}\u{1f600}", 2, false),
            ("a", i64::MAX, false),
        ] {
            assert_eq!(is_longer(text, limit), want, "{text} {limit}");
        }
    }
}
