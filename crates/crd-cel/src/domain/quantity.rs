//! Kubernetes quantities: `1.5Gi`, `100m`, `12e6`.
//!
//! A quantity is an integer of 64 bits times a power of ten if that is enough, and otherwise a
//! decimal of any size. Expressions can observe which of the two it is ([`Quantity::as_integer`]),
//! so it is the same as upstream.
//!
//! Divergence: upstream's `add` and `compareTo` change their operands' representation in place if
//! one is a decimal, which shows when a macro's variable is used twice. Here operands do not
//! change.
//!
//! Source: apimachinery `pkg/api/resource/{quantity,amount,math,suffix}.go`.

use std::cmp::Ordering;
use std::fmt;

use crate::error::ParseError;

use super::decimal::{Decimal, scaled};

const WRONG_FORMAT: &str = "quantities must match the regular expression \
    '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const WRONG_NUMBER: &str = "unable to parse numeric part of quantity";
const WRONG_SUFFIX: &str = "unable to parse quantity's suffix";

/// The digits after the point that a quantity keeps. Source: `amount.go`, `Nano`.
const NANO: i64 = 9;

/// Decimal digits that always fit 64 bits. Source: `math.go`, `maxInt64Factors`.
const INTEGER_DIGITS: i64 = 18;

/// A quantity. Displays in its canonical form: `1000m` as `1`, `1024Ki` as `1Mi`.
#[derive(Debug, Clone)]
pub struct Quantity(Amount, Suffixes);

/// The suffixes with which a quantity is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Suffixes {
    /// `k`, `M`, ...
    Decimal,
    /// `e3`, `e6`, ...
    Exponent,
    /// `Ki`, `Mi`, ...
    Binary,
}

#[derive(Debug, Clone)]
enum Amount {
    /// `value` times ten to the power of `scale`.
    Integer {
        value: i64,
        scale: i64,
    },
    Decimal(Decimal),
}

/// The meaning of a suffix.
#[derive(Debug, Clone, Copy)]
enum SuffixUnit {
    /// A power of ten.
    Ten(i32),
    /// A power of two.
    Two(u32),
}

impl Quantity {
    /// The number of bytes of memory that the quantity takes.
    pub fn bytes(&self) -> usize {
        let digits = match &self.0 {
            Amount::Integer { .. } => 0,
            Amount::Decimal(decimal) => decimal.allocated_bytes(),
        };
        size_of::<Self>() + digits
    }

    /// Parses a quantity.
    ///
    /// # Errors
    ///
    /// apimachinery's text, such as `unable to parse quantity's suffix`.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        if text.is_empty() {
            return Err(WRONG_FORMAT.into());
        }
        let parts = QuantityParts::scan(text).ok_or(WRONG_FORMAT)?;
        let unit = SuffixUnit::of(parts.suffix).ok_or(WRONG_SUFFIX)?;
        if let Some(amount) = parts.integer(unit) {
            return Ok(Self(amount, Suffixes::of(parts.suffix)));
        }
        let format = Suffixes::of(parts.suffix);
        let number = Decimal::parse(parts.value).ok_or(WRONG_NUMBER)?;
        let negative = number.signum() < 0;
        let mut number = match unit {
            SuffixUnit::Ten(power) => number.shifted(power.into()),
            SuffixUnit::Two(power) => number.times(1 << power),
        }
        .abs();
        if number.signum() != 0 {
            number = number.rounded_up(NANO);
        }
        let most = Decimal::new(i64::MAX, 0);
        if matches!(unit, SuffixUnit::Two(_)) && number.compare(&most) == Ordering::Greater {
            number = most;
        }
        Ok(Self(Amount::Decimal(if negative { number.negated() } else { number }), format))
    }

    /// The quantity of an integer.
    pub fn from_integer(value: i64) -> Self {
        Self(Amount::Integer { value, scale: 0 }, Suffixes::Decimal)
    }

    /// The sign: -1, 0 or 1.
    pub fn signum(&self) -> i64 {
        match &self.0 {
            Amount::Integer { value, .. } => value.signum(),
            Amount::Decimal(number) => number.signum(),
        }
    }

    /// The quantity as an integer. Upstream: a quantity that was written with a fraction is not an
    /// integer, not even `1.0`, and neither is a quantity that was parsed as a decimal.
    pub fn as_integer(&self) -> Option<i64> {
        match self.0 {
            Amount::Integer { value, scale } if scale >= 0 => multiply(value, scale),
            _ => None,
        }
    }

    /// A float near the quantity.
    #[expect(clippy::cast_precision_loss, reason = "near is what is asked for")]
    pub fn approximate(&self) -> f64 {
        match &self.0 {
            Amount::Integer { value, scale } => scaled(*value as f64, *scale),
            Amount::Decimal(number) => number.approximate(),
        }
    }

    /// The order of the two quantities.
    pub fn compare(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (
                Amount::Integer { value: a, scale: same },
                Amount::Integer { value: b, scale: other },
            ) if same == other => a.cmp(b),
            _ => self.decimal().compare(&other.decimal()),
        }
    }

    /// The sum; `None` if it has more digits than this crate allows.
    #[must_use]
    pub fn checked_add(&self, other: &Self) -> Option<Self> {
        if let (Amount::Integer { value: a, scale: s }, Amount::Integer { value: b, scale: t }) =
            (&self.0, &other.0)
            && let Some(amount) = add((*a, *s), (*b, *t))
        {
            return Some(Self(amount, self.format_with(other)));
        }
        let sum = self.decimal().checked_add(&other.decimal())?;
        Some(Self(Amount::Decimal(sum), self.format_with(other)))
    }

    /// The difference; `None` if it has more digits than this crate allows.
    #[must_use]
    pub fn checked_sub(&self, other: &Self) -> Option<Self> {
        if let (Amount::Integer { value: a, scale: s }, Amount::Integer { value: b, scale: t }) =
            (&self.0, &other.0)
            // Upstream: the least integer is its own negative here.
            && let Some(amount) = add((*a, *s), (b.wrapping_neg(), *t))
        {
            return Some(Self(amount, self.format_with(other)));
        }
        let difference = self.decimal().checked_add(&other.decimal().negated())?;
        Some(Self(Amount::Decimal(difference), self.format_with(other)))
    }

    /// The format of a sum or difference: the first operand's, unless that is zero.
    fn format_with(&self, other: &Self) -> Suffixes {
        if self.signum() == 0 { other.1 } else { self.1 }
    }

    fn decimal(&self) -> Decimal {
        match &self.0 {
            Amount::Integer { value, scale } => Decimal::new(*value, *scale),
            Amount::Decimal(number) => number.clone(),
        }
    }
}

impl fmt::Display for Quantity {
    /// Source: `quantity.go`, `CanonicalizeBytes`; `amount.go`, `AsCanonicalBytes`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (negative, mut digits, mut exponent) = self.decimal().parts();
        if digits.is_empty() {
            return f.write_str("0");
        }
        let sign = if negative { "-" } else { "" };
        if self.1 == Suffixes::Binary
            && let Some((value, power)) = binary(&digits, exponent)
        {
            return write!(f, "{sign}{value}{}", BINARY.get(power).unwrap_or(&""));
        }
        while exponent.rem_euclid(3) != 0 {
            digits.push('0');
            exponent -= 1;
        }
        write!(f, "{sign}{digits}")?;
        match self.1 {
            Suffixes::Exponent if exponent == 0 => Ok(()),
            Suffixes::Exponent => write!(f, "e{exponent}"),
            // Upstream: a power of ten that has no suffix is not printed.
            Suffixes::Decimal | Suffixes::Binary => {
                let index = usize::try_from((exponent + NANO) / 3).ok();
                f.write_str(index.and_then(|index| DECIMAL.get(index)).unwrap_or(&""))
            }
        }
    }
}

/// The suffixes of powers of 1000, from 10^-9 on.
const DECIMAL: &[&str] = &["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
/// The suffixes of powers of 1024.
const BINARY: &[&str] = &["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/// An integer from 1024 on as a number times a power of 1024; `None` for a number that prints in
/// decimal.
fn binary(digits: &str, exponent: i64) -> Option<(u128, usize)> {
    let power = 10u128.checked_pow(u32::try_from(exponent).ok()?)?;
    let mut value = digits.parse::<u128>().ok()?.checked_mul(power)?;
    if value < 1024 {
        return None;
    }
    let mut times = 0;
    while value % 1024 == 0 {
        value /= 1024;
        times += 1;
    }
    Some((value, times))
}

/// Adds two integers with their powers of ten; `None` on overflow.
fn add((a, s): (i64, i64), (b, t): (i64, i64)) -> Option<Amount> {
    if b == 0 {
        return Some(Amount::Integer { value: a, scale: s });
    }
    if a == 0 {
        return Some(Amount::Integer { value: b, scale: t });
    }
    let scale = s.min(t);
    let value = multiply(a, s - scale)?.checked_add(multiply(b, t - scale)?)?;
    Some(Amount::Integer { value, scale })
}

/// `value` times ten to a power; `None` on overflow.
fn multiply(value: i64, power: i64) -> Option<i64> {
    if value == 0 || power == 0 {
        return Some(value);
    }
    10i64.checked_pow(u32::try_from(power).ok()?)?.checked_mul(value)
}

/// The parts of a quantity's text.
struct QuantityParts<'t> {
    positive: bool,
    /// Sign and number.
    value: &'t str,
    /// Digits before the point without leading zeros; `0` for none.
    whole: &'t str,
    /// Digits after the point.
    fraction: &'t str,
    suffix: &'t str,
}

impl<'t> QuantityParts<'t> {
    /// Source: `quantity.go`, `parseQuantityString`.
    fn scan(text: &'t str) -> Option<Self> {
        let positive = !text.starts_with('-');
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let number = unsigned.trim_start_matches('0');
        if number.is_empty() {
            return Some(Self { positive, value: "0", whole: "0", fraction: "", suffix: "" });
        }
        let digits = |c: char| c.is_ascii_digit();
        let (whole, rest) = split_while(number, digits);
        let whole = if whole.is_empty() && !rest.is_empty() { "0" } else { whole };
        let (fraction, suffix) = match rest.strip_prefix('.') {
            Some(rest) => split_while(rest, digits),
            None => ("", rest),
        };
        let value = text.get(..text.len() - suffix.len()).unwrap_or_default();
        let (_, rest) = split_while(suffix, |c| "eEinumkKMGTP".contains(c));
        let rest = rest.strip_prefix(['+', '-']).unwrap_or(rest);
        let (_, rest) = split_while(rest, digits);
        rest.is_empty().then_some(Self { positive, value, whole, fraction, suffix })
    }

    /// The quantity as an integer and a power of ten, if upstream is sure that 64 bits are enough.
    fn integer(&self, unit: SuffixUnit) -> Option<Amount> {
        let length = |digits: &str| i64::try_from(digits.len()).unwrap_or(i64::MAX);
        let (whole, fraction) = (length(self.whole), length(self.fraction));
        let (scale, factor, precision) = match unit {
            SuffixUnit::Ten(power) => (i64::from(power), 1, INTEGER_DIGITS - whole - fraction),
            // A factor of 1024 takes about three digits.
            SuffixUnit::Two(power) if fraction == 0 => {
                (0, 1i64 << power, 14 - whole - i64::from(power) * 3 / 10)
            }
            SuffixUnit::Two(_) => return None,
        };
        let scale = scale - fraction;
        if precision < 0 || scale < -NANO {
            return None;
        }
        let digits = format!("{}{}", self.whole, self.fraction);
        let value = digits.parse::<i64>().ok()?.checked_mul(factor)?;
        Some(Amount::Integer { value: if self.positive { value } else { -value }, scale })
    }
}

impl Suffixes {
    /// Source: `suffix.go`, `interpret`.
    fn of(suffix: &str) -> Self {
        match SuffixUnit::of(suffix) {
            Some(SuffixUnit::Two(_)) => Self::Binary,
            Some(SuffixUnit::Ten(_)) if suffix.starts_with(['e', 'E']) && suffix.len() > 1 => {
                Self::Exponent
            }
            _ => Self::Decimal,
        }
    }
}

impl SuffixUnit {
    /// Source: `suffix.go`, `interpret`.
    fn of(suffix: &str) -> Option<Self> {
        Some(match suffix {
            "n" => Self::Ten(-9),
            "u" => Self::Ten(-6),
            "m" => Self::Ten(-3),
            "" => Self::Ten(0),
            "k" => Self::Ten(3),
            "M" => Self::Ten(6),
            "G" => Self::Ten(9),
            "T" => Self::Ten(12),
            "P" => Self::Ten(15),
            "E" => Self::Ten(18),
            "Ki" => Self::Two(10),
            "Mi" => Self::Two(20),
            "Gi" => Self::Two(30),
            "Ti" => Self::Two(40),
            "Pi" => Self::Two(50),
            "Ei" => Self::Two(60),
            suffix => {
                let exponent: i64 = suffix.strip_prefix(['e', 'E'])?.parse().ok()?;
                // Upstream: an exponent is cut to 32 bits.
                #[expect(clippy::cast_possible_truncation, reason = "upstream cuts it")]
                Self::Ten(exponent as i32)
            }
        })
    }
}

fn split_while(text: &str, keep: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !keep(c)).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn q(text: &str) -> Quantity {
        Quantity::parse(text).expect(text)
    }

    #[test]
    fn valid_and_invalid_quantities() {
        for text in [
            "0",
            "-",
            "+",
            ".",
            "k",
            "1",
            "1.5Gi",
            "-1.5e3",
            "1E3",
            "1e-9",
            "00012Mi",
            "1.",
            ".5m",
            "1e+5",
            "1E",
            "1Ei",
            "123456789012345678901234567890",
            "0.0000000000001",
        ] {
            assert!(Quantity::parse(text).is_ok(), "{text}");
        }
        for (text, want) in [
            ("", WRONG_FORMAT),
            (" 1", WRONG_FORMAT),
            ("1 ", WRONG_FORMAT),
            ("1.2.3", WRONG_FORMAT),
            ("1é", WRONG_FORMAT),
            ("abc", WRONG_FORMAT),
            ("1K", WRONG_SUFFIX),
            ("1ki", WRONG_SUFFIX),
            ("1e", WRONG_SUFFIX),
            ("1e1e1", WRONG_FORMAT),
            ("1-5", WRONG_SUFFIX),
            ("Ei", WRONG_NUMBER),
            ("1e99999999999999999999", WRONG_SUFFIX),
        ] {
            assert_eq!(Quantity::parse(text).map(|_| ()), Err(ParseError::from(want)), "{text}");
        }
    }

    #[test]
    fn canonical_texts() {
        for (text, want) in [
            ("0", "0"),
            ("1000m", "1"),
            ("1500m", "1500m"),
            ("1Gi", "1Gi"),
            ("1024Ki", "1Mi"),
            ("1536Mi", "1536Mi"),
            ("512", "512"),
            ("0.5Gi", "512Mi"),
            ("12000", "12k"),
            ("100", "100"),
            ("1e3", "1e3"),
            ("12e4", "120e3"),
            ("0.001", "1m"),
            ("-2k", "-2k"),
            ("1.5Ki", "1536"),
        ] {
            assert_eq!(q(text).to_string(), want, "{text}");
        }
    }

    #[test]
    fn integers() {
        #[track_caller]
        fn check(text: &str, want: Option<i64>) {
            assert_eq!(q(text).as_integer(), want, "{text}");
        }
        check("50k", Some(50_000));
        check("1Gi", Some(1 << 30));
        check("1.0", None);
        check("500m", None);
        check("1e30", None);
        check("9223372036854775807", None);
        check("999999999999999999", Some(999_999_999_999_999_999));
        check("1Ei", None);
        check("-5", Some(-5));
        check("1.5Ki", None);
    }

    #[test]
    fn order() {
        for (a, b, want) in [
            ("1", "1000m", Ordering::Equal),
            ("1Gi", "1G", Ordering::Greater),
            ("-1", "0", Ordering::Less),
            ("1e30", "1e29", Ordering::Greater),
            ("0.5", "500m", Ordering::Equal),
            ("10Ei", "9223372036854775807", Ordering::Equal),
            ("0.1n", "1n", Ordering::Equal),
        ] {
            assert_eq!(q(a).compare(&q(b)), want, "{a} {b}");
        }
    }

    #[test]
    fn sums() {
        #[track_caller]
        fn check(sum: Option<Quantity>, want: &str, integer: Option<i64>) {
            let sum = sum.unwrap();
            assert_eq!(sum.compare(&q(want)), Ordering::Equal, "{sum:?}");
            assert_eq!(sum.as_integer(), integer, "{sum:?}");
        }
        check(q("50k").checked_add(&q("20")), "50020", Some(50_020));
        check(q("50k").checked_sub(&Quantity::from_integer(20)), "49980", Some(49_980));
        check(q("1").checked_add(&q("1m")), "1.001", None);
        check(q("0").checked_sub(&q("1Ki")), "-1024", Some(-1024));
        check(q("900P").checked_add(&q("900E")), "900900P", None);
        check(q("1e30").checked_sub(&q("1e30")), "0", Some(0));
        check(q("1Ei").checked_sub(&q("1Ei")), "0", None);
        assert!(q("1e9000000").checked_add(&q("1")).is_none());
    }

    #[test]
    fn floats() {
        for (text, want) in
            [("0", 0.0), ("1.5Gi", 1_610_612_736.0), ("50.703k", 50703.0), ("-1m", -0.001)]
        {
            assert_eq!(q(text).approximate().to_bits(), f64::to_bits(want), "{text}");
        }
    }
}
