//! Evaluation of `string.format(list)`, as version 2 of the extended strings has it.
//!
//! Numbers in `%f` and `%e` are those of the locale `en_US`: digits in groups of three, `∞`, and
//! `1.052033×10⁰³`.
//!
//! Source: `cel-go/ext/formatting.go`, `parseFormatString`, `stringFormatter`;
//! `golang.org/x/text/message`.

use std::fmt::Write as _;

use crate::budget::Budget;
use crate::clause::{Clause, Directive};
use crate::error::EvalError;
use crate::gofmt;
use crate::value::{List, Map, SHARED_TEXT, Value};

/// Digits after the point if a clause has no precision.
/// Source: `defaultPrecision`.
const DEFAULT_PRECISION: u64 = 6;

/// Go's printer accepts a precision or width if the number without its last digit is at most this:
/// it accepts 10000009, but not 10000010.
/// Source: `golang.org/x/text/internal/format`, `tooLarge`.
const MAX_NUMBER: u64 = 1_000_000;

pub(super) fn format<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    let [Value::String(format), Value::List(args)] = args else {
        return Err(EvalError::NO_SUCH_OVERLOAD);
    };
    let mut out = String::new();
    let mut rest: &str = format;
    let mut used = 0;
    while let Some(percent) = rest.find('%') {
        let (literal, clause) = rest.split_at(percent);
        out.push_str(literal);
        let after = clause.get(1..).unwrap_or_default();
        if let Some(next) = after.strip_prefix('%') {
            out.push('%');
            rest = next;
            continue;
        }
        let arg = args
            .get(used)
            .ok_or_else(|| EvalError::of(format_args!("index {used} out of range")))?;
        if after.is_empty() {
            return Err(EvalError::fixed("unexpected end of string"));
        }
        used += 1;
        let (directive, tail) = Directive::parse(after.as_bytes()).map_err(|why| {
            EvalError::of(format_args!("could not parse formatting clause: {why}"))
        })?;
        rest = after.get(after.len() - tail.len()..).unwrap_or_default();
        budget.allocate(directive.precision.unwrap_or(0).min(10 * MAX_NUMBER))?;
        let text = arg
            .map_err(|error| FormatError::Why(error.to_string()))
            .and_then(|arg| directive.print(&arg, budget))
            .map_err(|error| match error {
                FormatError::Why(why) => {
                    EvalError::of(format_args!("error during formatting: {why}"))
                }
                FormatError::Limit(error) => error,
            })?;
        budget.allocate(text.len() as u64)?;
        out.push_str(&text);
    }
    out.push_str(rest);
    Ok(Value::string(out))
}

/// Why a value cannot be printed.
enum FormatError {
    /// The clause does not print such values: the text of the error.
    Why(String),
    /// The text exceeds a limit of the evaluation.
    Limit(EvalError),
}

impl From<EvalError> for FormatError {
    fn from(error: EvalError) -> Self {
        Self::Limit(error)
    }
}

/// A text, or why a value cannot be printed.
type Printed = Result<String, FormatError>;

impl Directive {
    fn print(self, arg: &Value<'_>, budget: &mut Budget) -> Printed {
        let text = match self.clause {
            Clause::String => return string(arg, budget),
            Clause::Decimal => decimal(arg),
            Clause::Fixed => float(arg).map(|d| fixed(d, self.precision)),
            Clause::Scientific => float(arg).map(|d| scientific(d, self.precision)),
            Clause::Binary => match arg {
                Value::Int(i) => Some(signed(*i, format!("{:b}", i.unsigned_abs()))),
                Value::Uint(u) => Some(format!("{u:b}")),
                Value::Bool(b) => Some(if *b { "1" } else { "0" }.to_owned()),
                _ => None,
            },
            Clause::Hex => {
                hex(arg).map(|text| if self.upper { text.to_ascii_uppercase() } else { text })
            }
            Clause::Octal => match arg {
                Value::Int(i) => Some(signed(*i, format!("{:o}", i.unsigned_abs()))),
                Value::Uint(u) => Some(format!("{u:o}")),
                _ => None,
            },
        };
        text.ok_or_else(|| FormatError::Why(unsupported_type(self.clause, arg)))
    }
}

fn unsupported_type(clause: Clause, arg: &Value<'_>) -> String {
    format!("{}, was given {}", clause.type_error(), arg.type_name())
}

fn signed(i: i64, magnitude: String) -> String {
    if i < 0 { format!("-{magnitude}") } else { magnitude }
}

fn decimal(arg: &Value<'_>) -> Option<String> {
    match arg {
        Value::Int(i) => Some(i.to_string()),
        Value::Uint(u) => Some(u.to_string()),
        _ => None,
    }
}

fn hex(arg: &Value<'_>) -> Option<String> {
    let bytes = |bytes: &[u8]| {
        bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
    };
    match arg {
        Value::Int(i) => Some(signed(*i, format!("{:x}", i.unsigned_abs()))),
        Value::Uint(u) => Some(format!("{u:x}")),
        Value::String(text) => Some(bytes(text.as_bytes())),
        Value::Bytes(b) => Some(bytes(b)),
        _ => None,
    }
}

/// The number of a double, or of a string that stands for one: `NaN`, `Infinity` or `-Infinity`.
fn float(arg: &Value<'_>) -> Option<f64> {
    match arg {
        Value::Double(d) => Some(*d),
        Value::String(name) => match &**name {
            "NaN" => Some(f64::NAN),
            "Infinity" => Some(f64::INFINITY),
            "-Infinity" => Some(f64::NEG_INFINITY),
            _ => None,
        },
        _ => None,
    }
}

fn special(d: f64) -> Option<&'static str> {
    if d.is_nan() {
        Some("NaN")
    } else if d.is_infinite() {
        Some(if d > 0.0 { "∞" } else { "-∞" })
    } else {
        None
    }
}

/// A precision or width, unless it is too large for Go's printer.
fn number(n: u64) -> Option<usize> {
    (n / 10 <= MAX_NUMBER).then(|| usize::try_from(n).ok()).flatten()
}

fn fixed(d: f64, precision: Option<u64>) -> String {
    let Some(precision) = number(precision.unwrap_or(DEFAULT_PRECISION)) else {
        return "%!(NOVERB)".to_owned();
    };
    if let Some(text) = special(d) {
        return text.to_owned();
    }
    let text = format!("{:.precision$}", d.abs());
    let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
    // Upstream: golang.org/x/text knows no negative zero.
    let mut out = String::from(if d < 0.0 { "-" } else { "" });
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    // Upstream: golang.org/x/text stores the minimum number of digits in one byte.
    let least = precision % 256;
    let zeros = fraction.len() - fraction.trim_end_matches('0').len();
    let kept = fraction.len() - zeros.min(precision - least);
    out.push_str(fraction.get(..kept).filter(|digits| *digits != ".").unwrap_or_default());
    out
}

/// Upstream: the precision ends up as the width; there are always six digits after the point.
fn scientific(d: f64, width: Option<u64>) -> String {
    let Some(width) = number(width.unwrap_or(DEFAULT_PRECISION)) else {
        return "%!(NOVERB)".to_owned();
    };
    let text = special(d).map_or_else(|| mantissa_and_exponent(d), str::to_owned);
    let missing = width.saturating_sub(text.chars().count());
    " ".repeat(missing) + &text
}

fn mantissa_and_exponent(d: f64) -> String {
    // Upstream: golang.org/x/text knows no negative zero.
    let d = if d == 0.0 { 0.0 } else { d };
    let text = format!("{d:.6e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, digits) = match exponent.strip_prefix('-') {
        Some(digits) => ("⁻", digits),
        None => ("", exponent),
    };
    let superscript = |c: char| match c {
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '0' | '4'..='9' => {
            char::from_u32(u32::from('⁰') + u32::from(c) - u32::from('0')).unwrap_or(c)
        }
        other => other,
    };
    let exponent: String = format!("{digits:0>2}").chars().map(superscript).collect();
    format!("{mantissa}×10{sign}{exponent}")
}

/// Prints a value for `%s`. The budget is charged for each element of a list or map when it is
/// printed, because an element that is shared is printed many times.
fn string(arg: &Value<'_>, budget: &mut Budget) -> Printed {
    match arg {
        Value::List(items) => list(items, budget),
        Value::Map(entries) => map(entries, budget),
        Value::Null => Ok("null".to_owned()),
        Value::Double(d) => Ok(gofmt::float_v(*d)),
        Value::Bytes(bytes) => std::str::from_utf8(bytes).map(str::to_owned).map_err(|_| {
            let why = "invalid UTF-8 in bytes, cannot convert to string";
            FormatError::Why(format!("could not convert argument {why:?} to string"))
        }),
        Value::Bool(_)
        | Value::Int(_)
        | Value::Uint(_)
        | Value::String(_)
        | Value::Duration(_)
        | Value::Timestamp(_)
        | Value::Type(_) => Ok(arg.to_string()),
        Value::Optional(_) | Value::Opaque(_) | Value::Unknown(_) => {
            Err(FormatError::Why(unsupported_type(Clause::String, arg)))
        }
    }
}

/// Prints a value within a list or map.
fn nested(value: &Value<'_>, budget: &mut Budget) -> Printed {
    let text = match value {
        Value::String(text) => gofmt::quote(text),
        Value::Bytes(_) => format!("b{}", gofmt::quote(&string(value, budget)?)),
        Value::Double(d) if d.is_nan() => "\"NaN\"".to_owned(),
        Value::Double(d) if d.is_infinite() => {
            if *d > 0.0 { "\"+Inf\"" } else { "\"-Inf\"" }.to_owned()
        }
        Value::Double(d) => format!("{d:.6}"),
        Value::Duration(d) => format!("duration(\"{d}\")"),
        Value::Timestamp(t) => format!("timestamp(\"{t}\")"),
        Value::Optional(_) | Value::Opaque(_) | Value::Unknown(_) => {
            let why = format!("no formatting function for {}", value.type_name());
            return Err(FormatError::Why(why));
        }
        other => string(other, budget)?,
    };
    budget.allocate(text.len() as u64 + SHARED_TEXT)?;
    Ok(text)
}

fn no_function_for_error() -> FormatError {
    FormatError::Why("no formatting function for error".to_owned())
}

fn list(items: &List<'_>, budget: &mut Budget) -> Printed {
    let mut text = String::from("[");
    for (i, item) in items.iter().enumerate() {
        text.push_str(if i == 0 { "" } else { ", " });
        text.push_str(&nested(&item.map_err(|_| no_function_for_error())?, budget)?);
    }
    text.push(']');
    Ok(text)
}

fn map(entries: &Map<'_>, budget: &mut Budget) -> Printed {
    let mut pairs = Vec::with_capacity(entries.len());
    for key in entries.keys() {
        let text = match &key {
            Value::String(text) => gofmt::quote(text),
            Value::Bool(_) | Value::Int(_) | Value::Uint(_) => key.to_string(),
            other => {
                let name = other.type_name();
                let why = format!("no formatting function for map key of type {name}");
                return Err(FormatError::Why(why));
            }
        };
        budget.allocate(text.len() as u64 + SHARED_TEXT)?;
        let value = match entries.get(&key) {
            Ok(Some(value)) => nested(&value, budget)?,
            Ok(None) => {
                let key = gofmt::quote(&key.to_string());
                return Err(FormatError::Why(format!("could not find key: {key}")));
            }
            Err(_) => return Err(no_function_for_error()),
        };
        pairs.push((text, value));
    }
    pairs.sort_by(|(a, _), (b, _)| a.cmp(b));
    let pairs: Vec<String> =
        pairs.into_iter().map(|(key, value)| format!("{key}:{value}")).collect();
    Ok(format!("{{{}}}", pairs.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minors::KubernetesVersion;

    #[track_caller]
    fn check(format_string: &str, args: Vec<Value<'static>>, want: &str) {
        let args = [Value::str(format_string), Value::list(args)];
        let got = match format(&mut Budget::new(1_000_000, KubernetesVersion::REFERENCE), &args) {
            Ok(value) => value.to_string(),
            Err(error) => error.to_string(),
        };
        assert_eq!(got, want, "{args:?}");
    }

    #[test]
    fn numbers() {
        check("%d %d", vec![Value::Int(-5), Value::Uint(5)], "-5 5");
        check("%b %o %x", vec![Value::Int(-5), Value::Int(8), Value::Int(-255)], "-101 10 -ff");
        check("%X %x", vec![Value::str("mZ"), Value::bytes(&b"\x01"[..])], "6D5A 01");
        check("%.2f", vec![Value::Double(1_234_567.891)], "1,234,567.89");
        check("%f|%.0f", vec![Value::Double(-0.5), Value::Double(2.5)], "-0.500000|2");
        check("%e", vec![Value::Double(1_052.032_911_275)], "1.052033×10⁰³");
        check("%.1e", vec![Value::Double(-0.000_12)], "-1.200000×10⁻⁰⁴");
        check("%e|%f", vec![Value::Double(f64::NAN), Value::str("-Infinity")], "   NaN|-∞");
        check("%.99999999f", vec![Value::Double(1.0)], "%!(NOVERB)");
    }

    #[test]
    fn strings() {
        check("100%% %s é", vec![Value::Double(1e6)], "100% 1e+06 é");
        let nested = Value::list(vec![Value::str("a\n"), Value::Double(1.5), Value::Null]);
        check("%s", vec![nested], "[\"a\\n\", 1.500000, null]");
        let mut map = crate::value::OwnedMap::new();
        map.insert(Value::str("b"), Value::Bool(true));
        map.insert(Value::Int(1), Value::bytes(&b"x"[..]));
        check("%s", vec![Value::map(map)], "{\"b\":true, 1:b\"x\"}");
    }

    #[test]
    fn errors() {
        check("%d", vec![], "index 0 out of range");
        check("%", vec![Value::Null], "unexpected end of string");
        check(
            "%z",
            vec![Value::Null],
            "could not parse formatting clause: unrecognized formatting clause \"z\"",
        );
        check(
            "%d",
            vec![Value::str("a")],
            "error during formatting: decimal clause can only be used on integers, was given string",
        );
    }
}
