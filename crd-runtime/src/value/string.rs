//! `maxLength`, `minLength`, `pattern` and the formats of texts.

use crd_cel::gofmt;

use super::location::Location;
use super::report::{Failure, Fault, Outcome};
use crate::compiled::StringChecks;
use crate::format::Format;

/// Only the first failure counts.
///
/// Source: `pkg/validation/validate/validator.go`, `stringValidator.Validate`.
pub(super) fn check(checks: &StringChecks, text: &str, at: &Location<'_>) -> Outcome {
    if let Some(max) = checks.max_length
        && is_longer(text, max)
    {
        let message = format!("should be at most {max} chars long");
        return Failure::at(at, &message, Fault::TooLong(max)).into();
    }
    if let Some(min) = checks.min_length
        && min > 0
        && !is_longer(text, min - 1)
    {
        let message = format!("should be at least {min} chars long");
        return Failure::at(at, &message, Fault::Invalid(text.into())).into();
    }
    if let Some(pattern) = &checks.pattern {
        let message = match &pattern.regex {
            Ok(regex) if regex.is_match(text) => return Outcome::default(),
            Ok(_) => format!("should match '{}'", pattern.source),
            Err(error) => {
                format!("should match '{}, but pattern is invalid: {error}'", pattern.source)
            }
        };
        return Failure::at(at, &message, Fault::Invalid(text.into())).into();
    }
    Outcome::default()
}

/// Source: `pkg/validation/validate/formats.go`, `formatValidator.Validate`.
pub(super) fn check_format(name: &str, format: Format, text: &str, at: &Location<'_>) -> Outcome {
    if format.is_valid(text) {
        return Outcome::default();
    }
    let message = format!("must be of type {name}: {}", gofmt::quote(text));
    Failure::at(at, &message, Fault::Type(text.to_owned())).into()
}

/// Whether a text has more than `limit` code points.
fn is_longer(text: &str, limit: i64) -> bool {
    let Ok(limit) = usize::try_from(limit) else { return limit < 0 };
    // No text has more code points than bytes.
    text.len() > limit && text.chars().count() > limit
}
