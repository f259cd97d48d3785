//! Durations: Go's `time.ParseDuration`, the lenient form of OpenAPI's `duration`, arithmetic,
//! parts.

use std::fmt;

use super::{Duration, SECOND};
use crate::error::{EvalError, ParseError};
use crate::gofmt;

/// The magnitude of the least duration, -2^63 nanoseconds. That of the greatest is 1 less.
const LIMIT: u64 = 1 << 63;

const OVERFLOW: EvalError = EvalError::fixed("integer overflow");

/// The units of the lenient form: nanoseconds, the exact names, and the beginning of longer ones.
/// Source: `kube-openapi/pkg/validation/strfmt/duration.go`, `timeUnits`.
const LENIENT_UNITS: &[(i64, &[&str], &str)] = &[
    (1, &["ns"], "nano"),
    (1_000, &["us", "µs"], "micro"),
    (1_000_000, &["ms"], "milli"),
    (SECOND, &["s"], "sec"),
    (60 * SECOND, &["m"], "min"),
    (3_600 * SECOND, &["h", "hr"], "hour"),
    (86_400 * SECOND, &["d"], "day"),
    (604_800 * SECOND, &["w", "wk"], "week"),
];

impl Duration {
    /// Parses `1h30m`, `-1.5s`, `+0`, as Go's `time.ParseDuration` does.
    pub fn parse(text: &str) -> Option<Self> {
        let (rest, negative) = match text.strip_prefix('-') {
            Some(rest) => (rest, true),
            None => (text.strip_prefix('+').unwrap_or(text), false),
        };
        if rest == "0" {
            return Some(Self { nanos: 0 });
        }
        if rest.is_empty() {
            return None;
        }
        let mut total: u64 = 0;
        let mut rest = rest;
        while !rest.is_empty() {
            let part;
            (part, rest) = parse_part(rest)?;
            total = total.checked_add(part).filter(|total| *total <= LIMIT)?;
        }
        let nanos =
            if negative { 0i64.checked_sub_unsigned(total)? } else { i64::try_from(total).ok()? };
        Some(Self { nanos })
    }

    /// Parses what OpenAPI's format `duration` accepts: also `3 days`, `1 week and 2 hours`; other
    /// text is ignored, and sums wrap around.
    ///
    /// # Errors
    ///
    /// Go's error text.
    ///
    /// Source: `kube-openapi/pkg/validation/strfmt/duration.go`, `ParseDuration`.
    pub fn parse_lenient(text: &str) -> Result<Self, ParseError> {
        if let Some(duration) = Self::parse(text) {
            return Ok(duration);
        }
        let mut nanos: Option<i64> = None;
        let mut rest = text;
        while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
            rest = rest.get(start..).unwrap_or_default();
            let (digits, after) = take_while(rest, |c| c.is_ascii_digit());
            let (_, after) = take_while(after, |c| matches!(c, '\t' | '\n' | '\x0c' | '\r' | ' '));
            let (unit, after) = take_while(after, |c| c.is_ascii_alphabetic() || c == 'µ');
            if unit.is_empty() {
                rest = take_while(rest, |c| c.is_ascii_digit()).1;
                continue;
            }
            rest = after;
            let factor: i64 = digits.parse().map_err(|_| {
                format!("strconv.Atoi: parsing {}: value out of range", gofmt::quote(digits))
            })?;
            let unit = unit.to_ascii_lowercase();
            for (multiplier, names, beginning) in LENIENT_UNITS {
                if names.contains(&unit.as_str()) || unit.starts_with(beginning) {
                    let part = factor.wrapping_mul(*multiplier);
                    nanos = Some(nanos.unwrap_or_default().wrapping_add(part));
                }
            }
        }
        match nanos {
            Some(nanos) => Ok(Self { nanos }),
            None => Err(format!("unable to parse {text} as duration").into()),
        }
    }

    /// The seconds as a float, as Go's `Duration.Seconds`.
    pub fn seconds(self) -> f64 {
        self.in_units(SECOND)
    }

    /// Whole seconds, truncated. As in Go, this and the functions for hours and minutes compute
    /// with a float.
    pub(crate) fn whole_seconds(self) -> i64 {
        truncate(self.in_units(SECOND))
    }

    /// Whole minutes, truncated.
    pub(crate) fn whole_minutes(self) -> i64 {
        truncate(self.in_units(60 * SECOND))
    }

    /// Whole hours, truncated.
    pub(crate) fn whole_hours(self) -> i64 {
        truncate(self.in_units(3_600 * SECOND))
    }

    /// Whole milliseconds, truncated.
    pub(crate) fn whole_milliseconds(self) -> i64 {
        self.nanos / 1_000_000
    }

    #[expect(clippy::cast_precision_loss, reason = "Go converts in the same way")]
    fn in_units(self, unit: i64) -> f64 {
        (self.nanos / unit) as f64 + (self.nanos % unit) as f64 / unit as f64
    }

    /// The sum.
    ///
    /// # Errors
    /// `integer overflow`.
    pub(crate) fn checked_add(self, other: Self) -> Result<Self, EvalError> {
        self.nanos.checked_add(other.nanos).map(|nanos| Self { nanos }).ok_or(OVERFLOW)
    }

    /// The difference.
    ///
    /// # Errors
    /// `integer overflow`.
    pub(crate) fn checked_sub(self, other: Self) -> Result<Self, EvalError> {
        self.nanos.checked_sub(other.nanos).map(|nanos| Self { nanos }).ok_or(OVERFLOW)
    }

    /// The duration with the opposite sign.
    ///
    /// # Errors
    /// `integer overflow`.
    pub(crate) fn checked_neg(self) -> Result<Self, EvalError> {
        self.nanos.checked_neg().map(|nanos| Self { nanos }).ok_or(OVERFLOW)
    }
}

/// Seconds, with as many digits as needed: `3600.001s`.
impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}s", gofmt::float_f(self.seconds()))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "that is the point")]
fn truncate(f: f64) -> i64 {
    f as i64
}

/// Reads a number and its unit, and returns the nanoseconds.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "Go converts through floats in the same way; the product is less than an hour in nanoseconds"
)]
fn parse_part(text: &str) -> Option<(u64, &str)> {
    let (digits, rest) = take_while(text, |c| c.is_ascii_digit());
    let whole = leading_int(digits)?;
    let (fraction_digits, rest) = match rest.strip_prefix('.') {
        Some(rest) => take_while(rest, |c| c.is_ascii_digit()),
        None => ("", rest),
    };
    if digits.is_empty() && fraction_digits.is_empty() {
        return None;
    }
    let (unit, rest) = take_while(rest, |c| c != '.' && !c.is_ascii_digit());
    let unit: u64 = match unit {
        "ns" => 1,
        // The micro sign and the Greek letter.
        "us" | "\u{b5}s" | "\u{3bc}s" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    };
    let mut nanos = whole.checked_mul(unit).filter(|nanos| *nanos <= LIMIT)?;
    let (fraction, scale) = leading_fraction(fraction_digits);
    if fraction > 0 {
        nanos += (fraction as f64 * (unit as f64 / scale)) as u64;
    }
    (nanos <= LIMIT).then_some((nanos, rest))
}

/// The digits as a number up to [`LIMIT`].
fn leading_int(digits: &str) -> Option<u64> {
    digits.bytes().try_fold(0u64, |value, digit| {
        let value = value.checked_mul(10)?.checked_add(u64::from(digit - b'0'))?;
        (value <= LIMIT).then_some(value)
    })
}

/// The digits after a point as a number, and its divisor; digits beyond precision are ignored.
fn leading_fraction(digits: &str) -> (u64, f64) {
    let mut value: u64 = 0;
    let mut scale = 1.0;
    for digit in digits.bytes() {
        if value > (LIMIT - 1) / 10 {
            break;
        }
        let next = value * 10 + u64::from(digit - b'0');
        if next > LIMIT {
            break;
        }
        value = next;
        scale *= 10.0;
    }
    (value, scale)
}

fn take_while(text: &str, keep: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !keep(c)).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn parses(text: &str, want: Option<i64>) {
        assert_eq!(Duration::parse(text).map(|d| d.nanos), want, "{text}");
    }

    #[test]
    fn durations_parse_as_go_parses_them() {
        parses("0", Some(0));
        parses("+0", Some(0));
        parses("-0", Some(0));
        parses("5s", Some(5 * SECOND));
        parses("1h30m", Some(5400 * SECOND));
        parses("-1.5h", Some(-5400 * SECOND));
        parses(".5s", Some(SECOND / 2));
        parses("1.s", Some(SECOND));
        parses("1us2µs3μs4ns5ms", Some(5_006_004));
        parses("0.100000000000000000000h", Some(360 * SECOND));
        parses("9223372036854775807ns", Some(i64::MAX));
        parses("-9223372036854775808ns", Some(i64::MIN));
        parses("9223372036854775808ns", None);
        parses("2562047h47m16.854775808s", None);
        parses("0.9223372036854775807h", Some(3_320_413_933_267));
        for bad in
            ["", "+", "3", "-", "s", ".", "-.", ".s", "1d", "1 s", "1S", "--1s", "1e3s", "1s "]
        {
            parses(bad, None);
        }
    }

    #[test]
    fn lenient_durations() {
        #[track_caller]
        fn check(text: &str, want: Result<i64, &str>) {
            let got = Duration::parse_lenient(text);
            let got = got.map(|duration| duration.nanos).map_err(|error| error.to_string());
            assert_eq!(got, want.map_err(str::to_owned), "{text}");
        }
        check("1h", Ok(3600 * SECOND));
        check("1 d", Ok(86_400 * SECOND));
        check("foo 3 days bar", Ok(3 * 86_400 * SECOND));
        check("1 week, 2 Hours 3Minutes", Ok((604_800 + 7200 + 180) * SECOND));
        check("1 s 2 xyz", Ok(SECOND));
        check("P1D", Ok(86_400 * SECOND));
        check("1.5d", Ok(5 * 86_400 * SECOND));
        check("10000000000w", Ok(10_000_000_000i64.wrapping_mul(604_800 * SECOND)));
        check("1mo", Err("unable to parse 1mo as duration"));
        check("1hx", Err("unable to parse 1hx as duration"));
        check("", Err("unable to parse  as duration"));
        check(
            "9223372036854775808 s",
            Err("strconv.Atoi: parsing \"9223372036854775808\": value out of range"),
        );
    }

    #[test]
    fn parts_and_text() {
        let d = |nanos| Duration { nanos };
        assert_eq!(d(3_600_001_000_000).to_string(), "3600.001s");
        assert_eq!(d(-1).to_string(), "-0.000000001s");
        assert_eq!(d(i64::MAX).to_string(), "9223372036.854776s");
        assert_eq!(d(-5_399_999_999_999).whole_hours(), -1);
        assert_eq!(d(5_399_999_999_999).whole_minutes(), 89);
        assert_eq!(d(1_999_999_999).whole_seconds(), 1);
        assert_eq!(d(-1_999_999).whole_milliseconds(), -1);
        // 2562046h59m59.999999999s is so close to the next hour that a float is equal to it.
        assert_eq!(d(2_562_047 * 3600 * SECOND - 1).whole_hours(), 2_562_047);
    }

    #[test]
    fn sums_overflow() {
        let d = |nanos| Duration { nanos };
        assert_eq!(d(1).checked_add(d(2)), Ok(d(3)));
        assert_eq!(d(i64::MAX).checked_add(d(1)), Err(OVERFLOW));
        assert_eq!(d(i64::MIN).checked_sub(d(1)), Err(OVERFLOW));
        assert_eq!(d(i64::MIN).checked_neg(), Err(OVERFLOW));
    }
}
