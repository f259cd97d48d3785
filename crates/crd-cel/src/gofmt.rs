//! Prints numbers and strings as Go's `fmt` and `strconv` do, because error messages contain them.

use std::fmt::Write as _;

/// The least decimal exponent that `%v` prints in exponent form.
/// Source: `strconv/ftoa.go`, `eprec = 6` for the shortest form.
const EXPONENT_FORM: i32 = 6;

/// A float as Go's `%v` and `strconv.FormatFloat(f, 'g', -1, 64)` print it: the shortest digits
/// that read back, in exponent form below 1e-4 and from 1e6 on (`1e+06`).
pub fn float_v(f: f64) -> String {
    if let Some(text) = special(f) {
        return text.to_owned();
    }
    let (negative, digits, exponent) = shortest(f);
    let mut out = String::new();
    if negative {
        out.push('-');
    }
    if (-4..EXPONENT_FORM).contains(&exponent) {
        push_plain(&mut out, &digits, exponent);
    } else {
        push_mantissa(&mut out, &digits);
        let sign = if exponent < 0 { '-' } else { '+' };
        let _ = write!(out, "e{sign}{:02}", exponent.unsigned_abs());
    }
    out
}

/// A float as `strconv.FormatFloat(f, 'f', -1, 64)` prints it: never an exponent.
pub fn float_f(f: f64) -> String {
    if let Some(text) = special(f) {
        return text.to_owned();
    }
    let (negative, digits, exponent) = shortest(f);
    let mut out = String::new();
    if negative {
        out.push('-');
    }
    push_plain(&mut out, &digits, exponent);
    out
}

/// A float as `encoding/json` writes it: exponent form below 1e-6 and from 1e21 on, `1e-07` as
/// `1e-7`. JSON has no infinity and no NaN; they print as `null` here, where Go returns an error.
pub fn float_json(f: f64) -> String {
    float_json_with(f, 1)
}

/// A float as json-iterator writes it: as [`float_json`], but with at least two digits in an exponent (`1e-07`).
pub fn float_json_iterator(f: f64) -> String {
    float_json_with(f, 2)
}

fn float_json_with(f: f64, exponent_digits: usize) -> String {
    if !f.is_finite() {
        return "null".to_owned();
    }
    let magnitude = f.abs();
    if magnitude != 0.0 && !(1e-6..1e21).contains(&magnitude) {
        let (negative, digits, exponent) = shortest(f);
        let mut out = String::new();
        if negative {
            out.push('-');
        }
        push_mantissa(&mut out, &digits);
        let sign = if exponent < 0 { '-' } else { '+' };
        let _ = write!(out, "e{sign}{:0exponent_digits$}", exponent.unsigned_abs());
        return out;
    }
    float_f(f)
}

fn special(f: f64) -> Option<&'static str> {
    if f.is_nan() {
        Some("NaN")
    } else if f == f64::INFINITY {
        Some("+Inf")
    } else if f == f64::NEG_INFINITY {
        Some("-Inf")
    } else {
        None
    }
}

/// Sign, shortest decimal digits without a point, and the decimal exponent of the first digit.
fn shortest(f: f64) -> (bool, String, i32) {
    let text = format!("{:e}", f.abs());
    let (mantissa, exponent) = text.split_once('e').expect("{:e} always writes an exponent");
    let digits = mantissa.chars().filter(char::is_ascii_digit).collect();
    (f.is_sign_negative(), digits, exponent.parse().expect("{:e} writes a decimal exponent"))
}

fn push_mantissa(out: &mut String, digits: &str) {
    out.push_str(&digits[..1]);
    if digits.len() > 1 {
        out.push('.');
        out.push_str(&digits[1..]);
    }
}

fn push_plain(out: &mut String, digits: &str, exponent: i32) {
    let point = exponent + 1;
    if point <= 0 {
        out.push_str("0.");
        out.extend(std::iter::repeat_n('0', point.unsigned_abs() as usize));
        out.push_str(digits);
        return;
    }
    let point = point.unsigned_abs() as usize;
    if digits.len() <= point {
        out.push_str(digits);
        out.extend(std::iter::repeat_n('0', point - digits.len()));
    } else {
        out.push_str(&digits[..point]);
        out.push('.');
        out.push_str(&digits[point..]);
    }
}

/// The escape sequence of a character that has one of its own.
pub(crate) const fn escape(c: char) -> Option<&'static str> {
    Some(match c {
        '"' => "\\\"",
        '\\' => "\\\\",
        '\x07' => "\\a",
        '\x08' => "\\b",
        '\x0c' => "\\f",
        '\n' => "\\n",
        '\r' => "\\r",
        '\t' => "\\t",
        '\x0b' => "\\v",
        _ => return None,
    })
}

/// A string as Go's `%q` and `strconv.Quote` print it.
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        if let Some(escaped) = escape(c) {
            out.push_str(escaped);
            continue;
        }
        match c {
            ' '..='~' => out.push(c),
            c if (c as u32) < 0x20 || c as u32 == 0x7f => {
                let _ = write!(out, "\\x{:02x}", c as u32);
            }
            c if is_print(c) => out.push(c),
            c if (c as u32) < 0x1_0000 => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => {
                let _ = write!(out, "\\U{:08x}", c as u32);
            }
        }
    }
    out.push('"');
    out
}

/// Bytes as Go's `%q` prints a string of them: those that are not UTF-8 as `\xff`.
pub fn quote_bytes(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for chunk in bytes.utf8_chunks() {
        let quoted = quote(chunk.valid());
        out.push_str(quoted.get(1..quoted.len() - 1).unwrap_or_default());
        for byte in chunk.invalid() {
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out.push('"');
    out
}

/// Go's `unicode.IsPrint`: letters, marks, numbers, punctuation, symbols and the ASCII space.
///
/// The standard library keeps the same table for `escape_debug`; a leading letter stops it from
/// also escaping combining marks, which Go prints.
pub fn is_print(c: char) -> bool {
    if c.is_ascii() {
        return (' '..='~').contains(&c);
    }
    let mut text = String::from("a");
    text.push(c);
    text.escape_debug().nth(1) == Some(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_print_as_go_prints_them() {
        for (f, v, plain, json) in [
            (1.0, "1", "1", "1"),
            (1.5, "1.5", "1.5", "1.5"),
            (-0.0, "-0", "-0", "-0"),
            (1e20, "1e+20", "100000000000000000000", "100000000000000000000"),
            (1e21, "1e+21", "1000000000000000000000", "1e+21"),
            (1e-7, "1e-07", "0.0000001", "1e-7"),
            (0.0001, "0.0001", "0.0001", "0.0001"),
            (1e6, "1e+06", "1000000", "1000000"),
            (123_456_789.0, "1.23456789e+08", "123456789", "123456789"),
            (123_456.75, "123456.75", "123456.75", "123456.75"),
        ] {
            assert_eq!(float_v(f), v, "%v of {f:e}");
            assert_eq!(float_f(f), plain, "'f' of {f:e}");
            assert_eq!(float_json(f), json, "json of {f:e}");
        }
    }

    #[test]
    fn strings_quote_as_go_quotes_them() {
        for (text, want) in [
            ("a\"b\\", r#""a\"b\\""#),
            ("\u{0}\n\u{7f}", r#""\x00\n\x7f""#),
            ("日本é\u{301}", "\"日本é\u{301}\""),
            ("\u{a0}\u{200b}\u{e000}\u{10ffff}", r#""\u00a0\u200b\ue000\U0010ffff""#),
        ] {
            assert_eq!(quote(text), want);
        }
        assert_eq!(quote_bytes(b"a\"\xc3\xa9\xc3"), "\"a\\\"é\\xc3\"");
    }
}
