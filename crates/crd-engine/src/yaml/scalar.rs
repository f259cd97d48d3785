//! Resolves scalars as go-yaml v2 does by YAML 1.1, and converts them to JSON as Go does.
//!
//! Source: go.yaml.in/yaml v2.4.4 `resolve.go` (`resolve`), sigs.k8s.io/yaml v1.6.0 `yaml.go`
//! (`convertToJSONableObject`).

use crd_cel::{base64, gofmt};
use serde_json::{Number, Value};

use super::compose::{Node, NodeKind};
use super::{Error, timestamp};

/// A resolved scalar, before it becomes a JSON value or a key, which are written differently.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Scalar {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Float(f64),
    Text(String),
}

/// A core tag that a scalar resolves to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tag {
    Text,
    Bool,
    Int,
    Float,
    Null,
    Timestamp,
}

impl Tag {
    /// Returns the tag by its name without the prefix of core tags, such as `int` of `!!int`.
    fn of_core(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"str" => Self::Text,
            b"bool" => Self::Bool,
            b"int" => Self::Int,
            b"float" => Self::Float,
            b"null" => Self::Null,
            b"timestamp" => Self::Timestamp,
            _ => return None,
        })
    }

    fn name(self) -> &'static str {
        match self {
            Self::Text => "!!str",
            Self::Bool => "!!bool",
            Self::Int => "!!int",
            Self::Float => "!!float",
            Self::Null => "!!null",
            Self::Timestamp => "!!timestamp",
        }
    }
}

/// Resolves a plain scalar without a tag.
fn resolve_plain(text: &str) -> Scalar {
    if let Some(word) = word(text) {
        return word;
    }
    match text.as_bytes().first() {
        Some(b'.') => fraction(text).map_or_else(|| Scalar::Text(text.to_owned()), Scalar::Float),
        Some(b'0'..=b'9' | b'+' | b'-') => {
            number(text).unwrap_or_else(|| Scalar::Text(text.to_owned()))
        }
        _ => Scalar::Text(text.to_owned()),
    }
}

/// Resolves a scalar by its whole tag, or, if that is empty, by its text.
///
/// # Errors
/// If the text is not of the tag's type.
fn resolve(tag: &[u8], text: &str) -> Result<Scalar, String> {
    if tag.is_empty() {
        return Ok(resolve_plain(text));
    }
    let core = tag.strip_prefix(b"tag:yaml.org,2002:").unwrap_or_default();
    if core == b"binary" {
        let bytes = base64::STANDARD.decode(text.as_bytes());
        let bytes = bytes.map_err(|_| "!!binary value contains invalid base64 data")?;
        return Ok(Scalar::Text(replace_invalid(&bytes)));
    }
    let Some(tag) = Tag::of_core(core).filter(|tag| *tag != Tag::Text) else {
        return Ok(Scalar::Text(text.to_owned()));
    };
    let scalar = resolve_plain(text);
    match (tag, &scalar) {
        #[expect(clippy::cast_precision_loss, reason = "Go converts the same way")]
        (Tag::Float, Scalar::Int(int)) => return Ok(Scalar::Float(*int as f64)),
        // A timestamp stays text.
        (Tag::Timestamp, Scalar::Text(_)) if timestamp::is_timestamp(text) => return Ok(scalar),
        _ => {}
    }
    if scalar.tag() == tag {
        return Ok(scalar);
    }
    Err(format!("cannot decode {} `{text}` as a {}", scalar.tag().name(), tag.name()))
}

/// Replaces each byte that is not UTF-8, as Go does where it writes JSON.
fn replace_invalid(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    text
}

impl Scalar {
    /// Resolves a node: by its tag, or by its text if it is plain. What is no scalar is null.
    ///
    /// # Errors
    /// If the text is not of the tag's type.
    pub(super) fn of(node: &Node<'_>) -> Result<Self, Error> {
        match &node.kind {
            NodeKind::Scalar { text, tag, is_implicit } if !tag.is_empty() || *is_implicit => {
                resolve(tag, text).map_err(|message| Error::decoding(node.mark, message))
            }
            NodeKind::Scalar { text, .. } => Ok(Self::Text(text.clone().into_owned())),
            _ => Ok(Self::Null),
        }
    }

    /// The bit of [`Scalar::type_bit`] for a text.
    pub(super) const TEXT_BIT: u8 = 1;

    /// Returns a bit for the type that Go gives a key.
    pub(super) fn type_bit(&self) -> u8 {
        match self {
            Self::Text(_) => Self::TEXT_BIT,
            Self::Bool(_) => 2,
            Self::Int(_) => 4,
            Self::Uint(_) => 8,
            // A number that is not one equals no other.
            Self::Float(float) => {
                if float.is_nan() {
                    0
                } else {
                    16
                }
            }
            Self::Null => 32,
        }
    }

    /// Formats the scalar in Go's syntax (`%#v`).
    pub(super) fn go_syntax(&self) -> String {
        match self {
            Self::Null => "<nil>".to_owned(),
            Self::Bool(b) => b.to_string(),
            Self::Int(int) => int.to_string(),
            Self::Uint(uint) => format!("{uint:#x}"),
            Self::Float(float) => gofmt::float_v(*float),
            Self::Text(text) => gofmt::quote(text),
        }
    }

    fn tag(&self) -> Tag {
        match self {
            Self::Null => Tag::Null,
            Self::Bool(_) => Tag::Bool,
            Self::Int(_) | Self::Uint(_) => Tag::Int,
            Self::Float(_) => Tag::Float,
            Self::Text(_) => Tag::Text,
        }
    }

    /// Converts the scalar to a JSON value.
    ///
    /// # Errors
    /// If it is NaN or an infinity, which JSON does not have.
    pub(super) fn into_value(self) -> Result<Value, String> {
        Ok(match self {
            Self::Null => Value::Null,
            Self::Bool(b) => Value::Bool(b),
            Self::Int(int) => Value::from(int),
            Self::Uint(uint) => Value::from(uint),
            Self::Text(text) => Value::String(text),
            Self::Float(float) => {
                // Upstream: the value goes through JSON text, where Go writes 1.0 and 1e3 as integers.
                let text = gofmt::float_json(float);
                match (text.parse::<i64>(), Number::from_f64(float)) {
                    (Ok(int), _) => Value::from(int),
                    (_, Some(number)) => Value::Number(number),
                    (_, None) => {
                        return Err(format!("json: unsupported value: {}", special(float)));
                    }
                }
            }
        })
    }

    /// Returns the name of its Go type, if it cannot be the key of a JSON object: null and integers beyond int64.
    pub(super) fn unsupported_key(&self) -> Option<&'static str> {
        match self {
            // What `fmt` prints for a type that is absent.
            Self::Null => Some("%!s(<nil>)"),
            Self::Uint(_) => Some("uint64"),
            Self::Bool(_) | Self::Int(_) | Self::Float(_) | Self::Text(_) => None,
        }
    }

    /// Converts the scalar to the key of a JSON object.
    pub(super) fn into_key(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Bool(b) => b.to_string(),
            Self::Int(int) => int.to_string(),
            Self::Float(float) => key_of_float(float),
            Self::Null | Self::Uint(_) => self.go_syntax(),
        }
    }
}

/// Formats a float as a key. Upstream: with the shortest digits of a float32 (`strconv.FormatFloat(f, 'g', -1, 32)`).
fn key_of_float(float: f64) -> String {
    if float.is_nan() {
        return ".nan".to_owned();
    }
    if float.is_infinite() {
        return if float > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    #[expect(clippy::cast_possible_truncation, reason = "keys have the digits of a float32")]
    let narrow = float as f32;
    if narrow.is_infinite() {
        return if float > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    let scientific = format!("{narrow:e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    // Source: `formatDigits` in Go's strconv/ftoa.go: with the shortest digits, 'g' turns to an exponent below 1e-4 and
    // from 1e6 on.
    if (-4..6).contains(&exponent) {
        return format!("{narrow}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}

fn special(float: f64) -> &'static str {
    if float.is_nan() {
        "NaN"
    } else if float > 0.0 {
        "+Inf"
    } else {
        "-Inf"
    }
}

/// Resolves the words for null, booleans, NaN and infinities.
fn word(text: &str) -> Option<Scalar> {
    Some(match text {
        "" | "~" | "null" | "Null" | "NULL" => Scalar::Null,
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            Scalar::Bool(true)
        }
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            Scalar::Bool(false)
        }
        ".nan" | ".NaN" | ".NAN" => Scalar::Float(f64::NAN),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Scalar::Float(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => Scalar::Float(f64::NEG_INFINITY),
        _ => return None,
    })
}

/// Resolves a number that begins with a digit or a sign.
fn number(text: &str) -> Option<Scalar> {
    let digits = text.replace('_', "");
    let (negative, unsigned) = match digits.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, digits.strip_prefix('+').unwrap_or(&digits)),
    };
    let signed = digits.starts_with(['+', '-']);
    let (radix, body) = radix_of(unsigned);
    if body.bytes().all(|byte| char::from(byte).is_digit(radix))
        && let Ok(magnitude) = u64::from_str_radix(body, radix)
    {
        let value = if negative { -i128::from(magnitude) } else { i128::from(magnitude) };
        if let Ok(int) = i64::try_from(value) {
            return Some(Scalar::Int(int));
        }
        // Upstream: strconv.ParseUint takes no sign.
        if !signed {
            return Some(Scalar::Uint(magnitude));
        }
    }
    // Upstream parses what follows `0b` once more, so that a sign may follow it.
    if let Some(digits) = digits.strip_prefix("0b").and_then(|rest| rest.strip_prefix(['+', '-'])) {
        let sign = if body.starts_with('-') { -1 } else { 1 };
        let magnitude =
            i64::from_str_radix(digits, 2).ok().filter(|_| !digits.starts_with(['+', '-']));
        return magnitude.map(|magnitude| Scalar::Int(sign * magnitude));
    }
    let decimal =
        unsigned.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'));
    if decimal { float(&digits).map(Scalar::Float) } else { None }
}

/// Returns the radix and the digits of an integer in Go's syntax.
fn radix_of(unsigned: &str) -> (u32, &str) {
    for (prefixes, radix) in [(["0x", "0X"], 16), (["0b", "0B"], 2), (["0o", "0O"], 8)] {
        if let Some(body) = prefixes.iter().find_map(|prefix| unsigned.strip_prefix(prefix)) {
            return (radix, body);
        }
    }
    match unsigned.strip_prefix('0') {
        Some(body) if !body.is_empty() => (8, body),
        _ => (10, unsigned),
    }
}

/// Parses a float that begins with a decimal point.
fn fraction(text: &str) -> Option<f64> {
    // Upstream: such a float goes to strconv.ParseFloat with its underscores, each of which must be between two digits.
    let bytes = text.as_bytes();
    let is_digit = |index: Option<usize>| {
        index.and_then(|index| bytes.get(index)).is_some_and(u8::is_ascii_digit)
    };
    let mut underscores = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'_');
    if !underscores
        .all(|(index, _)| is_digit(index.checked_sub(1)) && is_digit(index.checked_add(1)))
    {
        return None;
    }
    float(&text.replace('_', ""))
}

/// Parses a finite decimal float. A float out of range is an error in Go, and the scalar stays text.
fn float(text: &str) -> Option<f64> {
    let body = text.strip_prefix(['+', '-']).unwrap_or(text);
    if !body.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    if !text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-')) {
        return None;
    }
    text.parse::<f64>().ok().filter(|float| float.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, want: &str) {
        let value = resolve_plain(text).into_value();
        let got = value.map_or_else(|error| error, |value| value.to_string());
        assert_eq!(got, want, "{text}");
    }

    #[test]
    fn words() {
        for text in ["y", "Yes", "on", "TRUE"] {
            check(text, "true");
        }
        for text in ["n", "NO", "off", "False"] {
            check(text, "false");
        }
        for text in ["", "~", "Null"] {
            check(text, "null");
        }
        for text in ["tRue", "yES", "nil", "None", "=", "_1"] {
            check(text, &format!("{text:?}"));
        }
    }

    #[test]
    fn integers() {
        check("017", "15");
        check("0o17", "15");
        check("0x1F", "31");
        check("-0X1f", "-31");
        check("0b101", "5");
        check("-0b101", "-5");
        check("0b-101", "-5");
        check("1_000", "1000");
        check("+12", "12");
        check("-0", "0");
        check("9223372036854775808", "9223372036854775808");
        check("-9223372036854775808", "-9223372036854775808");
    }

    #[test]
    fn floats_go_through_json() {
        check("1.0", "1");
        check("1e3", "1000");
        check("1.", "1");
        check(".5", "0.5");
        check(".4_2", "0.42");
        check("-.5", "-0.5");
        check("08", "8");
        check("09.5", "9.5");
        check("12e03", "12000");
        check("1e21", "1e+21");
        check("1e19", "1e+19");
        check("1e18", "1000000000000000000");
        check("-0.0", "0");
        check(".inf", "json: unsupported value: +Inf");
    }

    #[test]
    fn plain_scalars_that_are_strings() {
        for text in [
            "1e400",
            "0x",
            "0b102",
            "0o9",
            "1:30",
            "2001-01-01",
            ".",
            "-",
            "+",
            ".e1",
            "1.2.3",
            "1e",
            "--1",
            "+-1",
            "0x1.8p1",
            "1d",
            "-y",
            "+.nan",
            "._1",
            ".4__2",
            ".4_",
        ] {
            check(text, &format!("{text:?}"));
        }
    }

    #[test]
    fn keys_are_text() {
        for (text, want) in [
            ("on", "true"),
            ("012", "10"),
            ("1.10", "1.1"),
            ("1e3", "1000"),
            ("1e5", "100000"),
            ("1e6", "1e+06"),
            ("123456.5", "123456.5"),
            ("1234567.5", "1.2345675e+06"),
            ("1e21", "1e+21"),
            ("1e300", ".inf"),
            ("0.00001", "1e-05"),
            ("x", "x"),
        ] {
            assert_eq!(resolve_plain(text).into_key(), want, "{text}");
        }
    }

    #[test]
    fn tags_determine_the_type() {
        let tagged = |tag: &str, text: &str| {
            let tag = format!("tag:yaml.org,2002:{tag}");
            resolve(tag.as_bytes(), text).and_then(Scalar::into_value)
        };
        assert_eq!(tagged("str", "12"), Ok(Value::from("12")));
        assert_eq!(tagged("int", "12"), Ok(Value::from(12)));
        assert_eq!(tagged("float", "12"), Ok(Value::from(12)));
        assert_eq!(tagged("binary", "aGk="), Ok(Value::from("hi")));
        assert_eq!(tagged("int", "x"), Err("cannot decode !!str `x` as a !!int".to_owned()));
        assert!(tagged("binary", "a===").is_err());
        assert_eq!(tagged("binary", "4pj/"), Ok(Value::from("\u{fffd}\u{fffd}\u{fffd}")));
        assert_eq!(tagged("timestamp", "2001-1-2"), Ok(Value::from("2001-1-2")));
        assert!(tagged("timestamp", "2001-13-2").is_err());
        assert_eq!(tagged("null", ""), Ok(Value::Null));
    }
}
