//! Reads literals, numbers and strings.

use serde_json::{Number, Value};

use super::{BoxedError, Reader, invalid, unexpected_end};

impl<const TEXTS: bool> Reader<'_, TEXTS> {
    pub(super) fn literal(&mut self, word: &str, value: Value) -> Result<Value, BoxedError> {
        for want in word.bytes().skip(1) {
            let byte = self.next_byte_or_space();
            if byte != want {
                let context = format!("in literal {word} (expecting '{}')", char::from(want));
                return Err(invalid(byte, &context));
            }
        }
        Ok(value)
    }

    /// Reads a number whose first byte is consumed, or the text of one that is out of range.
    pub(super) fn number(&mut self, first: u8) -> Result<Result<Number, String>, BoxedError> {
        let start = self.at - 1;
        let lead = if first == b'-' { self.next_byte_or_space() } else { first };
        match lead {
            b'0' => {}
            b'1'..=b'9' => self.skip_digits(),
            other => return Err(invalid(other, "in numeric literal")),
        }
        let mut integer = true;
        if self.body.get(self.at) == Some(&b'.') {
            self.at += 1;
            integer = false;
            self.digits("after decimal point in numeric literal")?;
        }
        if let Some(b'e' | b'E') = self.body.get(self.at) {
            self.at += 1;
            integer = false;
            if let Some(b'+' | b'-') = self.body.get(self.at) {
                self.at += 1;
            }
            self.digits("in exponent of numeric literal")?;
        }
        let bytes = self.body.get(start..self.at).unwrap_or_default();
        if integer && let Some(int) = short_int(bytes) {
            return Ok(Ok(int.into()));
        }
        // The text has only ASCII digits, signs, points and exponents.
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        if integer && let Ok(int) = text.parse::<i64>() {
            return Ok(Ok(int.into()));
        }
        let number = text.parse().ok().and_then(Number::from_f64);
        Ok(number.ok_or_else(|| text.to_owned()))
    }

    fn skip_digits(&mut self) {
        while let Some(b'0'..=b'9') = self.body.get(self.at) {
            self.at += 1;
        }
    }

    fn digits(&mut self, context: &str) -> Result<(), BoxedError> {
        match self.next_byte_or_space() {
            b'0'..=b'9' => {
                self.skip_digits();
                Ok(())
            }
            other => Err(invalid(other, context)),
        }
    }

    /// Reads a string whose opening quote is consumed.
    pub(super) fn string(&mut self) -> Result<String, BoxedError> {
        let start = self.at;
        let end = start + plain(self.body.get(start..).unwrap_or_default());
        self.at = end;
        match self.body.get(end) {
            Some(b'"') => {
                self.at += 1;
                // PERF: if the whole body is UTF-8, its strings need no check.
                if let Some(text) = self.text.and_then(|text| text.get(start..end)) {
                    return Ok(text.to_owned());
                }
                let mut out = String::new();
                push_utf8(&mut out, self.body.get(start..end).unwrap_or_default());
                Ok(out)
            }
            Some(_) => {
                let mut out = String::with_capacity(end - start + 16);
                push_utf8(&mut out, self.body.get(start..end).unwrap_or_default());
                self.string_with_escapes(out)
            }
            None => Err(unexpected_end()),
        }
    }

    #[cold]
    fn string_with_escapes(&mut self, mut out: String) -> Result<String, BoxedError> {
        let mut start = self.at;
        loop {
            let byte = self.next_byte()?;
            match byte {
                b'"' | b'\\' => {
                    push_utf8(&mut out, self.body.get(start..self.at - 1).unwrap_or_default());
                    if byte == b'"' {
                        return Ok(out);
                    }
                    let c = self.escape()?;
                    out.push(c);
                    start = self.at;
                }
                0..=0x1f => return Err(invalid(byte, "in string literal")),
                _ => {}
            }
        }
    }

    fn escape(&mut self) -> Result<char, BoxedError> {
        Ok(match self.next_byte_or_space() {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\x08',
            b'f' => '\x0c',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode_escape(),
            other => return Err(invalid(other, "in string escape code")),
        })
    }

    /// Reads the digits of `\uXXXX`, and of the second escape of a surrogate pair. A surrogate without its pair becomes
    /// U+FFFD, as in Go.
    fn unicode_escape(&mut self) -> Result<char, BoxedError> {
        let unit = self.hex4()?;
        if let Some(c) = char::from_u32(unit) {
            return Ok(c);
        }
        let after = self.at;
        if (0xd800..0xdc00).contains(&unit)
            && self.body.get(after..after + 2) == Some(br"\u".as_slice())
        {
            self.at = after + 2;
            let low = self.hex4()?;
            if (0xdc00..0xe000).contains(&low) {
                let c = 0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                return Ok(char::from_u32(c).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            // The second escape is not the other half of a pair, and is read on its own.
            self.at = after;
        }
        Ok(char::REPLACEMENT_CHARACTER)
    }

    fn hex4(&mut self) -> Result<u32, BoxedError> {
        let mut unit = 0;
        for _ in 0..4 {
            let byte = self.next_byte_or_space();
            let digit = char::from(byte)
                .to_digit(16)
                .ok_or_else(|| invalid(byte, "in \\u hexadecimal character escape"))?;
            unit = unit * 16 + digit;
        }
        Ok(unit)
    }
}

/// Converts an integer literal that is too short to exceed int64; `None` for a longer one.
///
/// PERF: the caller has checked the digits, and the length ensures the range.
#[inline]
fn short_int(literal: &[u8]) -> Option<i64> {
    const SURE: usize = 18;
    let digits = literal.strip_prefix(b"-").unwrap_or(literal);
    if digits.len() > SURE {
        return None;
    }
    let digit = |digit: u8| i64::from(digit.wrapping_sub(b'0'));
    let int = digits.iter().fold(0, |int, byte| int * 10 + digit(*byte));
    Some(if digits.len() < literal.len() { -int } else { int })
}

/// Returns the number of bytes of a string before the first quote, backslash or control character.
///
/// PERF: tests eight bytes at a time. Subtracting 0x20 sets the high bit of a byte below 0x20. A quote or backslash
/// becomes 0 by exclusive or, and subtracting 1 sets its high bit. A borrow affects only bytes after the first hit,
/// which do not matter.
#[inline]
fn plain(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = ONES << 7;
    let mut length = 0;
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        let word = u64::from_le_bytes(*word);
        let quote = word ^ (ONES * 0x22);
        let backslash = word ^ (ONES * 0x5c);
        let found = (word.wrapping_sub(ONES * 0x20) & !word)
            | (quote.wrapping_sub(ONES) & !quote)
            | (backslash.wrapping_sub(ONES) & !backslash);
        let found = found & HIGH;
        if found != 0 {
            return length + (found.trailing_zeros() / 8) as usize;
        }
        length += 8;
    }
    let special = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f));
    length + special.unwrap_or(rest.len())
}

/// Appends text; each byte of invalid UTF-8 becomes one U+FFFD, as in Go.
fn push_utf8(out: &mut String, bytes: &[u8]) {
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        out.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::decode;
    use super::*;

    #[track_caller]
    fn check(body: &str, want: &Value) {
        assert_eq!(decode(body.as_bytes()).unwrap().value, *want, "{body}");
    }

    #[test]
    fn numbers_are_int64_where_they_can_be() {
        check("1", &json!(1));
        check("-0", &json!(0));
        check("[0,7,-7,120]", &json!([0, 7, -7, 120]));
        check("999999999999999999", &json!(999_999_999_999_999_999_i64));
        check("-999999999999999999", &json!(-999_999_999_999_999_999_i64));
        check("-1000000000000000000", &json!(-1_000_000_000_000_000_000_i64));
        check("9223372036854775807", &json!(i64::MAX));
        check("-9223372036854775808", &json!(i64::MIN));
        check("9223372036854775808", &json!(9_223_372_036_854_775_808.0));
        check("1.0", &json!(1.0));
        check("1e3", &json!(1000.0));
        check("1E-400", &json!(0.0));
        let error = decode(b"[1e400]").unwrap_err().to_string();
        assert_eq!(error, "json: cannot unmarshal number 1e400 into Go value of type float64");
    }

    #[test]
    fn strings_are_unescaped() {
        check(r#""a\"\\\/\b\f\n\r\t\u00e9""#, &json!("a\"\\/\u{8}\u{c}\n\r\té"));
        check(r#""\ud83d\ude00""#, &json!("😀"));
        check(r#""\ud83d\u0041\udc00""#, &json!("\u{fffd}A\u{fffd}"));
        check(r#""\ud83dx""#, &json!("\u{fffd}x"));
        let decoded = decode(b"{\"a\xe2\x82\": \"\\n\xff\"}").unwrap();
        assert_eq!(decoded.value, json!({"a\u{fffd}\u{fffd}": "\n\u{fffd}"}));
    }
}
