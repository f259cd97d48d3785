//! Numbers with a check digit or a shape: ISBNs, credit cards, social security numbers.

#[cfg(feature = "eval")]
use std::sync::LazyLock;

#[cfg(feature = "eval")]
use crate::re2::Regex;

/// Ten digits, the last of which may be an `X`, with the check digit modulo 11.
pub(super) fn is_isbn10(text: &str) -> bool {
    let text = without_separators(text);
    let Some((last, digits)) = text.split_last().filter(|_| text.len() == 10) else {
        return false;
    };
    let last = if *last == b'X' { Some(10) } else { digit(*last) };
    let digits: Option<Vec<u32>> = digits.iter().map(|byte| digit(*byte)).collect();
    let (Some(last), Some(digits)) = (last, digits) else {
        return false;
    };
    let sum: u32 = digits.iter().zip(1..).map(|(digit, position)| digit * position).sum();
    (sum + 10 * last).is_multiple_of(11)
}

/// Thirteen digits with the check digit of EAN-13.
pub(super) fn is_isbn13(text: &str) -> bool {
    let text = without_separators(text);
    let digits: Option<Vec<u32>> = text.iter().map(|byte| digit(*byte)).collect();
    let weigh = |digits: Vec<u32>| -> u32 {
        digits.iter().zip([1, 3].into_iter().cycle()).map(|(digit, weight)| digit * weight).sum()
    };
    text.len() == 13 && digits.is_some_and(|digits| weigh(digits).is_multiple_of(10))
}

/// The digits of a number that a known issuer could have given, with Luhn's check digit. Anything
/// between the digits is ignored.
#[cfg(feature = "eval")]
pub(super) fn is_credit_card(text: &str) -> bool {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let luhn = |(index, byte): (usize, u8)| {
        let digit = digit(byte).unwrap_or_default();
        match (index % 2, digit * 2) {
            (0, _) => digit,
            (_, double) if double >= 10 => double - 9,
            (_, double) => double,
        }
    };
    CREDIT_CARD.is_match(&digits)
        && digits.bytes().rev().enumerate().map(luhn).sum::<u32>().is_multiple_of(10)
}

/// `123-45-6789`, or with spaces. Upstream: the length requires both separators.
pub(super) fn is_ssn(text: &str) -> bool {
    text.len() == 11
        && text.bytes().enumerate().all(|(index, byte)| match index {
            3 | 6 => matches!(byte, b'-' | b' '),
            _ => byte.is_ascii_digit(),
        })
}

fn without_separators(text: &str) -> Vec<u8> {
    text.bytes().filter(|b| !matches!(b, b'-' | b' ' | b'\t' | b'\n' | 0x0c | b'\r')).collect()
}

fn digit(byte: u8) -> Option<u32> {
    char::from(byte).to_digit(10)
}

/// Source: `govalidator/patterns.go`, `CreditCard`.
#[cfg(feature = "eval")]
static CREDIT_CARD: LazyLock<Regex> = LazyLock::new(|| {
    super::pattern(concat!(
        r"^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}",
        r"|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$"
    ))
});
