//! The conversions between numbers, texts and bytes, for the evaluation and for the checks of literals
//! in rustc.

use crate::error::EvalError;
use crate::parse_float;

const INT_OVERFLOW: EvalError = EvalError::fixed("integer overflow");
const UINT_OVERFLOW: EvalError = EvalError::fixed("unsigned integer overflow");

const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;
const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;

type Result<T> = std::result::Result<T, EvalError>;

fn or_conversion<T>(converted: Option<T>, to: &str) -> Result<T> {
    converted.ok_or_else(|| EvalError::conversion("string", to))
}

pub(crate) fn text_to_bool(text: &str) -> Result<bool> {
    or_conversion(
        match text {
            "1" | "t" | "T" | "TRUE" | "true" | "True" => Some(true),
            "0" | "f" | "F" | "FALSE" | "false" | "False" => Some(false),
            _ => None,
        },
        "bool",
    )
}

pub(crate) fn text_to_double(text: &str) -> Result<f64> {
    or_conversion(parse_float::parse(text), "double")
}

pub(crate) fn text_to_int(text: &str) -> Result<i64> {
    or_conversion(text.parse().ok(), "int")
}

pub(crate) fn text_to_uint(text: &str) -> Result<u64> {
    // Go's `ParseUint` accepts no sign; Rust's `parse` accepts a plus.
    let digits = Some(text).filter(|text| !text.starts_with('+'));
    or_conversion(digits.and_then(|text| text.parse().ok()), "uint")
}

pub(crate) fn uint_to_int(uint: u64) -> Result<i64> {
    i64::try_from(uint).map_err(|_| INT_OVERFLOW)
}

pub(crate) fn int_to_uint(int: i64) -> Result<u64> {
    u64::try_from(int).map_err(|_| UINT_OVERFLOW)
}

#[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
pub(crate) fn double_to_int(double: f64) -> Result<i64> {
    let fits = double > -TWO_TO_63 && double < TWO_TO_63;
    if fits { Ok(double as i64) } else { Err(INT_OVERFLOW) }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked")]
pub(crate) fn double_to_uint(double: f64) -> Result<u64> {
    let fits = (0.0..TWO_TO_64).contains(&double);
    if fits { Ok(double as u64) } else { Err(UINT_OVERFLOW) }
}

pub(crate) fn bytes_to_text(bytes: &[u8]) -> Result<&str> {
    std::str::from_utf8(bytes)
        .map_err(|_| EvalError::fixed("invalid UTF-8 in bytes, cannot convert to string"))
}
