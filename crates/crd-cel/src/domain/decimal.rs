//! Decimal numbers of any size, with the operations that quantities need.
//!
//! Source: gopkg.in/inf.v0 `dec.go`.

use std::cmp::Ordering;

/// The most digits of a sum; the sum of 1 and `1e9999999` has more.
const MAX_DIGITS: i64 = 1 << 20;

/// A decimal number: digits times a power of ten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Decimal {
    negative: bool,
    /// From the most significant, without zeros at either end; none for zero.
    digits: Vec<u8>,
    /// The power of ten of the last digit.
    exponent: i64,
    /// Upstream's scale: the number of digits after the point, including zeros (2 for `1.50`). It is
    /// negative if a power of ten stands for zeros before the point (-3 for `1e3`). It decides how
    /// [`Decimal::approximate`] rounds.
    scale: i64,
}

impl Decimal {
    /// The bytes that are allocated for the digits.
    pub(super) fn allocated_bytes(&self) -> usize {
        self.digits.capacity()
    }

    /// An integer times a power of ten.
    pub(super) fn new(value: i64, power: i64) -> Self {
        let digits = value.unsigned_abs().to_string().bytes().map(|b| b - b'0').collect();
        Self { negative: value < 0, digits, exponent: power, scale: -power }.normalized()
    }

    /// Parses `[+-]digits[.digits]` with at least one digit.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let negative = text.starts_with('-');
        let number = text.strip_prefix(['+', '-']).unwrap_or(text);
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let digits = || whole.bytes().chain(fraction.bytes());
        if digits().next().is_none() || !digits().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let scale = i64::try_from(fraction.len()).ok()?;
        let digits = digits().map(|b| b - b'0').collect();
        Some(Self { negative, digits, exponent: -scale, scale }.normalized())
    }

    fn normalized(mut self) -> Self {
        let zeros = self.digits.iter().take_while(|digit| **digit == 0).count();
        self.digits.drain(..zeros);
        while let Some(0) = self.digits.last() {
            self.digits.pop();
            self.exponent += 1;
        }
        if self.digits.is_empty() {
            self.negative = false;
            self.exponent = 0;
        }
        self
    }

    /// The number times a power of ten.
    pub(super) fn shifted(mut self, power: i64) -> Self {
        if !self.digits.is_empty() {
            self.exponent += power;
        }
        self.scale -= power;
        self
    }

    /// The number times a positive integer.
    pub(super) fn times(mut self, factor: u64) -> Self {
        let mut carry: u128 = 0;
        for digit in self.digits.iter_mut().rev() {
            let product = u128::from(*digit) * u128::from(factor) + carry;
            *digit = digit_of(product);
            carry = product / 10;
        }
        while carry > 0 {
            self.digits.insert(0, digit_of(carry));
            carry /= 10;
        }
        self.normalized()
    }

    /// The number with `scale` digits after the point, rounded away from zero.
    pub(super) fn rounded_up(mut self, scale: i64) -> Self {
        self.scale = scale;
        let dropped = usize::try_from(-scale - self.exponent).unwrap_or(0);
        if dropped == 0 || self.digits.is_empty() {
            return self;
        }
        // The last digit is not zero, so a nonzero part is dropped and the rest is rounded up.
        self.digits.truncate(self.digits.len().saturating_sub(dropped));
        self.exponent = -scale;
        let nines = self.digits.iter().rev().take_while(|digit| **digit == 9).count();
        self.digits.truncate(self.digits.len() - nines);
        self.exponent += i64::try_from(nines).unwrap_or_default();
        match self.digits.last_mut() {
            Some(digit) => *digit += 1,
            None => self.digits.push(1),
        }
        self
    }

    /// -1, 0 or 1.
    pub(super) fn signum(&self) -> i64 {
        match (self.digits.is_empty(), self.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }

    /// The number without its sign.
    pub(super) fn abs(mut self) -> Self {
        self.negative = false;
        self
    }

    /// The number with the opposite sign.
    pub(super) fn negated(mut self) -> Self {
        self.negative = !self.negative && !self.digits.is_empty();
        self
    }

    /// The power of ten above the first digit.
    fn magnitude(&self) -> i64 {
        self.exponent.saturating_add(i64::try_from(self.digits.len()).unwrap_or(i64::MAX))
    }

    fn cmp_abs(&self, other: &Self) -> Ordering {
        match (self.digits.is_empty(), other.digits.is_empty()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => self
                .magnitude()
                .cmp(&other.magnitude())
                .then_with(|| self.digits.cmp(&other.digits)),
        }
    }

    /// The order of the two numbers.
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        self.signum().cmp(&other.signum()).then_with(|| {
            let ordering = self.cmp_abs(other);
            if self.negative { ordering.reverse() } else { ordering }
        })
    }

    /// The sum; `None` if it has too many digits.
    pub(super) fn checked_add(&self, other: &Self) -> Option<Self> {
        let scale = self.scale.max(other.scale);
        if self.digits.is_empty() || other.digits.is_empty() {
            let sum = if self.digits.is_empty() { other } else { self };
            return Some(Self { scale, ..sum.clone() });
        }
        let exponent = self.exponent.min(other.exponent);
        let length = self.magnitude().max(other.magnitude()).checked_sub(exponent)?;
        let length = usize::try_from(length).ok().filter(|_| length < MAX_DIGITS)?;
        let (larger, smaller) = match self.cmp_abs(other) {
            Ordering::Less => (other, self),
            _ => (self, other),
        };
        let a = larger.written_out(exponent, length);
        let b = smaller.written_out(exponent, length);
        // One digit more, for the last carry.
        let mut digits = Vec::with_capacity(length + 1);
        let mut carry = 0;
        for (a, b) in a.iter().zip(&b).rev() {
            if self.negative == other.negative {
                let sum = a + b + carry;
                digits.push(sum % 10);
                carry = sum / 10;
            } else {
                let difference = 10 + a - b - carry;
                digits.push(difference % 10);
                carry = u8::from(difference < 10);
            }
        }
        digits.push(carry);
        digits.reverse();
        Some(Self { negative: larger.negative, digits, exponent, scale }.normalized())
    }

    /// The digits of the powers of ten from `exponent + length - 1` down to `exponent`.
    fn written_out(&self, exponent: i64, length: usize) -> Vec<u8> {
        let behind = usize::try_from(self.exponent - exponent).unwrap_or_default();
        let before = length.saturating_sub(behind + self.digits.len());
        let mut digits = vec![0; before];
        digits.extend(&self.digits);
        digits.resize(length, 0);
        digits
    }

    /// The number as a float, in upstream's two steps, each of which rounds. Of `1.50`, for example,
    /// 150 becomes a float, which is then multiplied by 10^-2.
    pub(super) fn approximate(&self) -> f64 {
        let mut text: String = self.digits.iter().map(|digit| char::from(b'0' + digit)).collect();
        if text.is_empty() {
            text.push('0');
        }
        let unscaled = format!("{text}e{}", self.exponent.saturating_add(self.scale));
        let unscaled: f64 = unscaled.parse().unwrap_or(f64::NAN);
        let unscaled = if self.negative { -unscaled } else { unscaled };
        scaled(unscaled, -self.scale)
    }
}

impl Decimal {
    /// Sign, digits without zeros at either end, and the power of ten of the last; no digits for
    /// zero.
    pub(super) fn parts(&self) -> (bool, String, i64) {
        let digits = self.digits.iter().map(|digit| char::from(b'0' + digit)).collect();
        (self.negative, digits, self.exponent)
    }
}

/// `value * math.Pow10(power)`, as Go computes it.
pub(super) fn scaled(value: f64, power: i64) -> f64 {
    /// Go's tables have every 32nd power of ten and those below 32.
    const STEP: i64 = 32;
    let exact = |power: i64| format!("1e{power}").parse::<f64>().unwrap_or(f64::NAN);
    match power {
        0 => value,
        1..=308 => value * (exact(power / STEP * STEP) * exact(power % STEP)),
        -323..0 => value * (exact(power / STEP * STEP) / exact(-power % STEP)),
        309.. => value * f64::INFINITY,
        _ => value * 0.0,
    }
}

fn digit_of(number: u128) -> u8 {
    u8::try_from(number % 10).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn d(text: &str) -> Decimal {
        let (digits, power) = text.split_once('e').unwrap_or((text, "0"));
        Decimal::parse(digits).unwrap().shifted(power.parse().unwrap())
    }

    fn same(a: &Decimal, b: &Decimal) -> bool {
        a.compare(b) == Ordering::Equal
    }

    #[test]
    fn order() {
        let sorted =
            ["-1e9999999", "-10", "-9.5", "-1e-9", "0", "1e-9", "9.5", "10", "99", "1e9999999"];
        for (i, a) in sorted.iter().enumerate() {
            for (j, b) in sorted.iter().enumerate() {
                assert_eq!(d(a).compare(&d(b)), i.cmp(&j), "{a} {b}");
            }
        }
        assert!(same(&d("1.0"), &d("0.1e1")));
        assert!(same(&d("-0"), &d("0")));
    }

    #[test]
    fn sums() {
        #[track_caller]
        fn check(a: &str, b: &str, want: &str) {
            assert!(same(&d(a).checked_add(&d(b)).unwrap(), &d(want)), "{a} + {b}");
        }
        check("1", "2", "3");
        check("99.5", "0.5", "100");
        check("1e30", "-1", "999999999999999999999999999999");
        check("-5", "3", "-2");
        check("3", "-5", "-2");
        check("1.5", "-1.5", "0");
        check("-1", "-99", "-100");
        check("0", "-7", "-7");
        assert_eq!(d("1e2000000").checked_add(&d("1")), None);
    }

    #[test]
    fn products_and_roundings() {
        assert!(same(&d("1.5").times(1 << 60), &d("1729382256910270464")));
        assert!(same(&d("0.1234567891").rounded_up(9), &d("0.123456790")));
        assert!(same(&d("-0.00000000001").rounded_up(9), &d("-0.000000001")));
        assert!(same(&d("9.9999999999").rounded_up(9), &d("10")));
        assert!(same(&d("1e-2147483647").rounded_up(9), &d("1e-9")));
        assert!(same(&d("1.5").rounded_up(9), &d("1.5")));
    }

    #[test]
    fn floats() {
        #[track_caller]
        fn check(text: &str, want: f64) {
            assert_eq!(d(text).approximate().to_bits(), want.to_bits(), "{text}");
        }
        check("0", 0.0);
        check("-1.5", -1.5);
        check("1e400", f64::INFINITY);
        check("1e-400", 0.0);
        check("12345678901234567890", 12_345_678_901_234_567_890.0);
    }
}
