//! Parses floats as Go's `strconv.ParseFloat` does.
//!
//! Source: Go's `strconv/atof.go`, `readFloat` and `special`; `atoi.go`, `underscoreOK`.

/// The value of a text; `None` if it is not a float or is too large for one.
pub(crate) fn parse(text: &str) -> Option<f64> {
    let (sign, body) = match text.as_bytes().first()? {
        b'-' => (-1.0, text.get(1..)?),
        b'+' => (1.0, text.get(1..)?),
        _ => (1.0, text),
    };
    // A second sign is an error.
    if body.starts_with(['-', '+']) {
        return None;
    }
    let lower = body.to_ascii_lowercase();
    match lower.as_str() {
        "inf" | "infinity" => return Some(sign * f64::INFINITY),
        // Go takes no sign with NaN.
        "nan" => return (body.len() == text.len()).then_some(f64::NAN),
        _ => {}
    }
    let magnitude = match lower.strip_prefix("0x") {
        Some(hex) => hexadecimal(hex)?,
        None => decimal(&underscores_removed(&lower, char::is_ascii_digit)?)?,
    };
    magnitude.is_finite().then_some(sign * magnitude)
}

fn decimal(text: &str) -> Option<f64> {
    // Rust would also read names, such as `inf`, which are handled above as Go does.
    let numeric = |b: u8| matches!(b, b'0'..=b'9' | b'.' | b'e' | b'+' | b'-');
    if !text.bytes().all(numeric) {
        return None;
    }
    match text.split_once('e') {
        Some((digits, exponent)) if exponent.len() > CUT_DIGITS => {
            format!("{digits}e{}", cut_exponent(exponent)?).parse().ok()
        }
        _ => text.parse().ok(),
    }
}

/// The number of digits of an exponent that Go reads, not counting leading zeros.
const CUT_DIGITS: usize = 5;

/// Parses an exponent with an optional sign. Go ignores all digits after the first [`CUT_DIGITS`]:
/// it reads `p-123456` as `p-12345`. `None` if it is not a number.
fn cut_exponent(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let digits = digits.trim_start_matches('0');
    let value = digits.get(..CUT_DIGITS).unwrap_or(digits).parse().unwrap_or(0);
    Some(if text.starts_with('-') { -value } else { value })
}

/// Hexadecimal digits with an optional point, and an exponent of two, which is required.
fn hexadecimal(text: &str) -> Option<f64> {
    // An underscore may follow the prefix, too.
    let text =
        underscores_removed(text.strip_prefix('_').unwrap_or(text), char::is_ascii_hexdigit)?;
    let (digits, exponent) = text.split_once('p')?;
    let exponent = cut_exponent(exponent)?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut mantissa: u64 = 0;
    let mut shift: i64 = 0;
    let mut sticky = false;
    for (digit, after_point) in
        whole.chars().map(|c| (c, false)).chain(fraction.chars().map(|c| (c, true)))
    {
        let digit = u64::from(digit.to_digit(16)?);
        if mantissa >> 56 == 0 {
            mantissa = mantissa << 4 | digit;
            shift -= if after_point { 4 } else { 0 };
        } else {
            sticky |= digit != 0;
            shift += if after_point { 0 } else { 4 };
        }
    }
    // The lowest bit is set if any lower digit is, so that rounding is correct.
    mantissa = mantissa << 1 | u64::from(sticky);
    Some(scaled(mantissa, exponent + shift - 1))
}

/// `mantissa * 2^exponent`, rounded to even once.
fn scaled(mantissa: u64, exponent: i64) -> f64 {
    if mantissa == 0 {
        return 0.0;
    }
    let bits = i64::from(64 - mantissa.leading_zeros());
    let top = bits + exponent;
    if top > 1024 {
        return f64::INFINITY;
    }
    // The precision of a float of this size in bits: 53, or less for a subnormal one.
    let kept = (top + 1074).min(53);
    if kept < 0 {
        return 0.0;
    }
    let dropped = u32::try_from((bits - kept).max(0)).unwrap_or(u32::MAX);
    let (rounded, exponent) = if dropped == 0 {
        (mantissa, exponent)
    } else {
        let wide = u128::from(mantissa);
        let half = 1_u128 << (dropped - 1);
        let low = wide & ((1 << dropped) - 1);
        let high = wide >> dropped;
        let up = low > half || (low == half && high & 1 == 1);
        let rounded = u64::try_from(high + u128::from(up)).unwrap_or(u64::MAX);
        (rounded, exponent + i64::from(dropped))
    };
    #[expect(clippy::cast_precision_loss, reason = "at most 53 bits are left")]
    let mut value = rounded as f64;
    // Powers of two are exact as long as each step stays in range.
    let mut left = exponent;
    while left != 0 {
        let step = left.clamp(-1000, 1000);
        value *= 2.0_f64.powi(i32::try_from(step).unwrap_or(0));
        left -= step;
    }
    value
}

/// A text without its underscores; `None` if one does not stand between two digits.
fn underscores_removed(text: &str, is_digit: fn(&char) -> bool) -> Option<String> {
    let mut previous = ' ';
    for c in text.chars() {
        if (c == '_' && !is_digit(&previous)) || (previous == '_' && !is_digit(&c)) {
            return None;
        }
        previous = c;
    }
    (previous != '_').then(|| text.replace('_', ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, want: Option<f64>) {
        let got = parse(text);
        assert_eq!(got.map(f64::to_bits), want.map(f64::to_bits), "{text}: {got:?}");
    }

    #[test]
    fn decimals_and_names() {
        check("1.5", Some(1.5));
        check("-.5e1", Some(-5.0));
        check("5.", Some(5.0));
        check("", None);
        check(".", None);
        check("1e400", None);
        check("1e", None);
        check(" 1", None);
        check("1_0", Some(10.0));
        check("1__0", None);
        check("_1", None);
        check("1_", None);
        check("1_.5", None);
        check("-Infinity", Some(f64::NEG_INFINITY));
        check("+inf", Some(f64::INFINITY));
        check("infin", None);
        check("-nan", None);
        check("--1", None);
        check("+-1", None);
        check("-0x-1p0", None);
        assert!(parse("NaN").is_some_and(f64::is_nan));
    }

    #[test]
    fn hexadecimals() {
        check("0x1p4", Some(16.0));
        check("0x1.8p1", Some(3.0));
        check("-0X_1_0p-1", Some(-8.0));
        check("0x1", None);
        check("0x.p1", None);
        check("0x1p-1074", Some(f64::from_bits(1)));
        check("0x1p-1075", Some(0.0));
        check("0x1.8p-1075", Some(f64::from_bits(1)));
        check("0x1p1024", None);
        check("0x1.00000000000008p0", Some(1.0));
        check("0x1.000000000000081p0", Some(1.0 + f64::EPSILON));
    }

    /// Results of Go 1.26.
    #[test]
    fn exponents_of_many_digits() {
        let zeros = |n: usize| "0".repeat(n);
        check("0x1p-00000000000000000000004", Some(0.0625));
        check("0x0p99999999999999999999", Some(0.0));
        check("0x1p99999999999999999999", None);
        check("0x1p-99999999999999999999", Some(0.0));
        check(&format!("0x1{}p-99996", zeros(24_999)), Some(1.0));
        check(&format!("0x1{}p-100000", zeros(25_000)), None);
        check(&format!("0x.{}1p100004", zeros(25_000)), Some(0.0));
        check(&format!("0x.{}1p1200004", zeros(300_000)), Some(0.0));
        check(&format!("0x1{}p-123456", zeros(3_000)), Some(2.0_f64.powi(12_000 - 12_345)));
        check("1e0000000000002", Some(100.0));
        check("0e9999999", Some(0.0));
        check("1e-9999999", Some(0.0));
        check("1e9999999", None);
        check(&format!("0.{}1e90000", zeros(89_999)), Some(1.0));
        check(&format!("0.{}1e+100001", zeros(99_900)), Some(0.0));
        check(&format!("0.{}1e1_2_3_4_5_6", zeros(12_345)), Some(0.1));
    }
}
