//! `minimum`, `maximum`, `multipleOf`, and the ranges of number formats.

use crd_cel::gofmt;
use serde_json::Number;

use super::location::Location;
use super::report::{Collect, FailureKind, ValidationFailure};
use crate::compiled::{Checks, NumberChecks, NumberFormat, SchemaType, Types};
use crate::field::{BadValue, ErrorKind};
use crate::json::Num;

/// 2^53 - 1: all integers up to it are values of a float64.
const MAX_JSON_INTEGER: f64 = 9_007_199_254_740_991.0;

/// 2^63, the first integer beyond int64.
const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;

/// The largest relative distance of a float64 to an integer at which it is accepted as one. Source: `epsilon` in
/// `convert.go` of go-openapi/swag 0.23.
const EPSILON: f64 = 1e-9;

/// Checks a number.
///
/// Source: `pkg/validation/validate/validator.go`, `numberValidator.Validate`.
pub(super) fn check(
    checks: &Checks,
    number: &Number,
    at: &Location<'_>,
    record: &mut impl Collect,
) {
    let value = Num::of(number);
    let range = Range::of(checks);
    let rounds = checks.rounds;
    if !range.holds(value) {
        record.fail(ErrorKind::Invalid, || range.failure("Checked", at));
    }
    if let Some(checks) = &checks.number {
        let check = NumberCheck { value, number, range, at, rounds };
        if let Some(factor) = checks.multiple_of {
            check.multiple_of(factor, record);
        }
        check.minimum(checks, record);
        check.maximum(checks, record);
    }
    record.count();
}

/// The range of a numeric type and format.
///
/// Source: `pkg/validation/validate/values.go`, `IsValueValidAgainstRange`.
#[derive(Clone, Copy)]
enum Range {
    Any,
    Int32,
    /// `true` if `format: int64` is given.
    Int64(bool),
    Float32,
}

impl Range {
    fn of(checks: &Checks) -> Self {
        if !checks.ranges {
            return Self::Any;
        }
        let format = checks.format.as_ref().map_or(NumberFormat::Other, |format| format.numbers);
        match (&checks.types, format) {
            (Types::One(SchemaType::Integer), NumberFormat::Int32) => Self::Int32,
            (Types::One(SchemaType::Integer), format) => Self::Int64(format == NumberFormat::Int64),
            (Types::One(SchemaType::Number), NumberFormat::Float) => Self::Float32,
            _ => Self::Any,
        }
    }

    fn holds(self, value: Num) -> bool {
        match (self, value) {
            (Self::Any, _) | (Self::Int64(_) | Self::Float32, Num::Int(_)) => true,
            (Self::Int32, Num::Int(int)) => i32::try_from(int).is_ok(),
            (Self::Int32, Num::Float(float)) => {
                float.fract() == 0.0 && (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&float)
            }
            // Upstream: the shortest text of the float is parsed as an integer. That of -2^63 is -9223372036854776000,
            // which is out of range.
            (Self::Int64(_), Num::Float(float)) => float.fract() == 0.0 && float.abs() < TWO_TO_63,
            (Self::Float32, Num::Float(float)) => !is_beyond_float32(float),
        }
    }

    fn failure(self, what: &str, at: &Location<'_>) -> ValidationFailure {
        let range = match self {
            Self::Any => "number (default format)",
            Self::Int32 => "integer with format int32",
            Self::Int64(false) => "integer (default format)",
            Self::Int64(true) => "integer with format int64",
            Self::Float32 => "number with format float",
        };
        ValidationFailure::without_path(format!(
            "{what} value must be of type {range} in {}",
            at.render()
        ))
    }
}

/// A number that is compared with the limits of a node.
#[derive(Clone, Copy)]
struct NumberCheck<'a> {
    value: Num,
    number: &'a Number,
    range: Range,
    at: &'a Location<'a>,
    /// As [`Checks::rounds`].
    rounds: bool,
}

/// The two sides of a comparison. An integer is compared with the integer part of a limit, unless the limit is outside
/// the range of the type.
enum Sides {
    Ints(i64, i64),
    Floats(f64, f64),
}

impl NumberCheck<'_> {
    fn sides(&self, limit: f64, what: &str, record: &mut impl Collect) -> Sides {
        if !self.range.holds(Num::Float(limit)) {
            record.fail(ErrorKind::Invalid, || self.range.failure(what, self.at));
            return Sides::Floats(self.value.as_f64(), limit);
        }
        match self.value {
            Num::Int(int) => Sides::Ints(int, truncate(limit)),
            Num::Float(float) => Sides::Floats(float, limit),
        }
    }

    fn minimum(&self, checks: &NumberChecks, record: &mut impl Collect) {
        let Some(minimum) = checks.minimum else { return };
        let exclusive = checks.exclusive_minimum;
        let sides = self.sides(minimum, "Minimum boundary", record);
        let is_below = match sides {
            Sides::Ints(value, limit) => value < limit || (exclusive && value == limit),
            Sides::Floats(value, limit) => value < limit || (exclusive && value <= limit),
        };
        if is_below {
            let text = if exclusive {
                "should be greater than"
            } else {
                "should be greater than or equal to"
            };
            self.fail(text, &sides, record);
        }
    }

    fn maximum(&self, checks: &NumberChecks, record: &mut impl Collect) {
        let Some(maximum) = checks.maximum else { return };
        let exclusive = checks.exclusive_maximum;
        let sides = self.sides(maximum, "Maximum boundary", record);
        let is_above = match sides {
            Sides::Ints(value, limit) => value > limit || (exclusive && value == limit),
            Sides::Floats(value, limit) => value > limit || (exclusive && value >= limit),
        };
        if is_above {
            let text =
                if exclusive { "should be less than" } else { "should be less than or equal to" };
            self.fail(text, &sides, record);
        }
    }

    fn multiple_of(&self, factor: f64, record: &mut impl Collect) {
        let sides = self.sides(factor, "MultipleOf", record);
        let is_multiple = match sides {
            Sides::Ints(value, factor) if factor > 0 => value % factor == 0,
            Sides::Floats(value, factor) if factor > 0.0 => {
                // Upstream: small factors such as 0.1 are replaced by their reciprocal, which avoids rounding.
                let quotient = if factor < 1.0 { 1.0 / factor * value } else { value / factor };
                is_json_integer(quotient, self.rounds)
            }
            Sides::Ints(_, factor) => return self.fail_factor(factor.into(), record),
            Sides::Floats(_, factor) => return self.fail_factor(factor.into(), record),
        };
        if !is_multiple {
            self.fail("should be a multiple of", &sides, record);
        }
    }

    fn fail(&self, text: &str, sides: &Sides, record: &mut impl Collect) {
        record.fail(ErrorKind::Invalid, || {
            let limit = match sides {
                Sides::Ints(_, limit) => limit.to_string(),
                Sides::Floats(_, limit) => gofmt::float_v(*limit),
            };
            // With a limit outside the type's range, an integer is compared and shown as a float.
            let shown = match *sides {
                Sides::Floats(value, _) => BadValue::from(value),
                Sides::Ints(..) => self.number.clone().into(),
            };
            let text = format_args!("{text} {limit}");
            ValidationFailure::at(self.at, text, FailureKind::Invalid(shown))
        });
    }

    fn fail_factor(&self, factor: BadValue, record: &mut impl Collect) {
        record.fail(ErrorKind::Invalid, || {
            let name = self.at.render();
            let message =
                format!("factor MultipleOf declared for {name} must be positive: {factor}");
            ValidationFailure::new(name, message, FailureKind::Invalid(factor))
        });
    }
}

/// Returns whether a float64 is accepted as an integer: it is one, or its relative distance is less than [`EPSILON`] to
/// the nearest integer (with `rounds`, as on servers since 1.37) or to its integer part (as on older servers).
///
/// Source: `IsFloat64AJSONInteger` of go-openapi/swag 0.27, and of 0.23 as it runs on amd64. 0.23 never accepts a
/// negative number with a fraction, because it compares the number with its conversion to an unsigned integer.
pub(super) fn is_json_integer(f: f64, rounds: bool) -> bool {
    if !(-MAX_JSON_INTEGER..=MAX_JSON_INTEGER).contains(&f) {
        return false;
    }
    if f.fract() == 0.0 {
        return true;
    }
    if rounds {
        let whole = f.round();
        return whole != 0.0 && (f - whole).abs() < EPSILON * whole.abs();
    }
    let whole = f.trunc();
    if f < 0.0 || whole == 0.0 {
        return false;
    }
    (f - whole) / (f + whole) < EPSILON
}

/// Converts a float64 to int64 as Go does on amd64: a value that does not fit becomes the smallest int64.
#[expect(clippy::cast_possible_truncation, reason = "in range, and the fraction is to be dropped")]
pub(super) fn truncate(f: f64) -> i64 {
    if is_int64(f) { f as i64 } else { i64::MIN }
}

/// Whether the integer part of a float64 fits int64. 2^63 itself does not.
fn is_int64(f: f64) -> bool {
    (-TWO_TO_63..TWO_TO_63).contains(&f)
}

#[expect(clippy::cast_possible_truncation, reason = "the result of rounding is what is checked")]
fn is_beyond_float32(f: f64) -> bool {
    f.is_finite() && (f as f32).is_infinite()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_near_integers() {
        for (f, rounds, want) in [
            (0.0, true, true),
            (-3.0, false, true),
            (MAX_JSON_INTEGER, true, true),
            (MAX_JSON_INTEGER + 1.0, true, false),
            (1_000_000_000.25, true, true),
            (-1_000_000_000.25, true, true),
            (999_999_999.75, true, true),
            (499_999_999.5, true, false),
            (1_000.000_01, true, false),
            (1e-10, true, false),
            (1_000_000_000.25, false, true),
            (-1_000_000_000.25, false, false),
            (999_999_999.75, false, true),
            (99_999_999.75, false, false),
            (1_000.000_01, false, false),
            (1e-10, false, false),
        ] {
            assert_eq!(is_json_integer(f, rounds), want, "{f} {rounds}");
        }
    }

    #[test]
    fn only_int64_is_truncated() {
        for (f, want) in [
            (2.9, 2),
            (-2.9, -2),
            (TWO_TO_63, i64::MIN),
            (-TWO_TO_63, i64::MIN),
            (1e300, i64::MIN),
            (f64::NAN, i64::MIN),
            (9_223_372_036_854_774_784.0, 9_223_372_036_854_774_784),
        ] {
            assert_eq!(truncate(f), want, "{f}");
        }
        assert!(is_beyond_float32(3.5e38));
        assert!(!is_beyond_float32(3.4e38));
        assert!(!is_beyond_float32(f64::INFINITY));
    }
}
