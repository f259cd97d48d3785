//! Decodes bytes to a tree, as the server decodes a request body.
//!
//! Integer literals that fit are int64, all other numbers float64. Invalid UTF-8 becomes U+FFFD. Of a duplicate key the
//! last value is kept, and its path is reported. Error texts are those of Go's decoder.
//!
//! The reader keeps its own stack, so that no input can exhaust the thread's.
//!
//! Source: `sigs.k8s.io/json` (`scanner.go`, `decode.go`, `kubernetes_patch.go`).

use std::collections::{BTreeMap, HashSet};
use std::fmt::{self, Write as _};
use std::mem;

use crd_cel::gofmt;
use serde_json::{Map, Number, Value};

/// The deepest nesting of lists and objects that Go reads, in levels. Source: `maxNestingDepth` of
/// `encoding/json`.
const MAX_NESTING: usize = 10_000;

/// The deepest nesting that is accepted, in levels, because dropping, comparing and printing a tree recurse.
///
/// Divergence: the server keeps up to 10,000 levels.
pub const MAX_DEPTH: usize = 500;

/// How many duplicate keys are reported. Source: `saveStrictError` in `sigs.k8s.io/json`.
const MAX_DUPLICATES: usize = 100;

/// The largest number of bytes of duplicate keys' paths to report: each path may contain a key of megabytes.
///
/// Divergence: the server has no limit in bytes.
const MAX_DUPLICATE_BYTES: usize = 1024 * 1024;

/// A decoded document.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Decoded {
    /// The tree.
    pub value: Value,
    /// The errors of strict field validation for duplicate keys: `duplicate field "a.b"`.
    pub duplicates: Vec<String>,
}

/// An error of decoding, with the text of Go's decoder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    text: String,
    is_syntax: bool,
}

impl Error {
    /// The document is not JSON.
    fn syntax(text: String) -> Self {
        Self { text, is_syntax: true }
    }

    /// Whether the document is not JSON or is nested too deep, which the server reports before it reads the kind.
    /// Otherwise a number is out of range.
    pub fn is_syntax(&self) -> bool {
        self.is_syntax
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Error {}

/// Reads one JSON document.
///
/// # Errors
/// The text of Go's decoder, or that the document is nested deeper than [`MAX_DEPTH`].
pub fn decode(body: &[u8]) -> Result<Decoded, Error> {
    let mut reader = Reader {
        body,
        text: std::str::from_utf8(body).ok(),
        at: 0,
        stack: Vec::new(),
        told: BTreeMap::new(),
        duplicates: Vec::new(),
        duplicate_bytes: 0,
        told_up_to: usize::MAX,
        untold: 0,
        too_deep: false,
        out_of_range: None,
    };
    let value = reader.document().map_err(|text| Error::syntax(*text))?;
    if let Some(literal) = reader.out_of_range {
        let text = format!("json: cannot unmarshal number {literal} into Go value of type float64");
        return Err(Error { text, is_syntax: false });
    }
    if reader.too_deep {
        return Err(Error::syntax(too_deep()));
    }
    let mut duplicates: Vec<String> =
        reader.duplicates.into_iter().map(|duplicate| duplicate.text()).collect();
    let more = reader.untold.min(MAX_DUPLICATES.saturating_sub(duplicates.len()));
    if more > 0 {
        duplicates.push(format!("more duplicate fields are not listed: {more}"));
    }
    Ok(Decoded { value, duplicates })
}

/// The error for nesting beyond [`MAX_DEPTH`].
pub(crate) fn too_deep() -> String {
    format!("json: nested deeper than {MAX_DEPTH} levels")
}

/// Whether a tree is nested deeper than [`MAX_DEPTH`].
pub(crate) fn is_too_deep(value: &Value) -> bool {
    fn exceeds(value: &Value, left: usize) -> bool {
        match value {
            Value::Array(items) => left == 0 || items.iter().any(|item| exceeds(item, left - 1)),
            Value::Object(map) => left == 0 || map.values().any(|item| exceeds(item, left - 1)),
            _ => false,
        }
    }
    exceeds(value, MAX_DEPTH)
}

/// Drops a tree of any depth without recursion.
pub(crate) fn drop_deep(value: Value) {
    let mut todo = vec![value];
    while let Some(value) = todo.pop() {
        match value {
            Value::Array(items) => todo.extend(items),
            Value::Object(map) => todo.extend(map.into_iter().map(|(_, value)| value)),
            _ => {}
        }
    }
}

struct Duplicate {
    /// The offset of the key; the server reports duplicates in this order.
    at: usize,
    path: String,
}

impl Duplicate {
    fn text(&self) -> String {
        format!("duplicate field {}", gofmt::quote(&self.path))
    }
}

/// A list or object that is being read.
enum Open {
    /// No container is open.
    Document,
    Array(Vec<Value>),
    Object {
        map: Map<String, Value>,
        /// The key whose value is read next.
        key: String,
        /// The offset of that key.
        key_at: usize,
    },
}

/// An error with Go's text. It is boxed to keep results small, because errors are rare.
type Malformed = Box<String>;

struct Reader<'a> {
    body: &'a [u8],
    /// The body, if all of it is UTF-8.
    text: Option<&'a str>,
    at: usize,
    /// The containers around the innermost one.
    stack: Vec<Open>,
    /// By depth, the keys of open objects already reported as duplicates.
    told: BTreeMap<usize, HashSet<String>>,
    /// The first duplicates, sorted by offset; at most [`MAX_DUPLICATES`].
    duplicates: Vec<Duplicate>,
    /// The total length of their paths, in bytes.
    duplicate_bytes: usize,
    /// Duplicates after this offset are only counted, because the paths of those before it use up
    /// [`MAX_DUPLICATE_BYTES`].
    told_up_to: usize,
    /// The number of duplicates that were only counted.
    untold: usize,
    too_deep: bool,
    out_of_range: Option<String>,
}

impl Reader<'_> {
    fn document(&mut self) -> Result<Value, Malformed> {
        let mut open = Open::Document;
        loop {
            let Some(mut value) = self.begin_value(&mut open)? else { continue };
            // A value is complete: add it to its container, and repeat while that is complete, too.
            loop {
                match &mut open {
                    Open::Document => return self.end(value),
                    Open::Array(items) => {
                        items.push(value);
                        match self.next_token()? {
                            b',' => break,
                            b']' => {}
                            other => return Err(invalid(other, "after array element")),
                        }
                    }
                    Open::Object { map, key, key_at } => {
                        if map.insert(mem::take(key), value).is_some() {
                            let key_at = *key_at;
                            self.report_duplicate(key_at);
                        }
                        match self.next_token()? {
                            b',' => {
                                let first = self.next_token()?;
                                *key_at = self.at;
                                *key = self.key(first)?;
                                break;
                            }
                            b'}' => {}
                            other => return Err(invalid(other, "after object key:value pair")),
                        }
                    }
                }
                value = self.close(&mut open);
            }
        }
    }

    /// A scalar or an empty container; `None` if a container has been opened.
    fn begin_value(&mut self, open: &mut Open) -> Result<Option<Value>, Malformed> {
        let byte = self.next_token()?;
        Ok(Some(match byte {
            b'"' => Value::String(self.string()?),
            b'{' => {
                self.check_nesting(byte, open)?;
                let first = self.next_token()?;
                if first == b'}' {
                    return Ok(Some(self.keep(Value::Object(Map::new()), open)));
                }
                let key_at = self.at;
                let key = self.key(first)?;
                self.open(open, Open::Object { map: Map::new(), key, key_at });
                return Ok(None);
            }
            b'[' => {
                self.check_nesting(byte, open)?;
                if self.next_token()? == b']' {
                    return Ok(Some(self.keep(Value::Array(Vec::new()), open)));
                }
                self.at -= 1;
                self.open(open, Open::Array(Vec::new()));
                return Ok(None);
            }
            b't' => self.literal("true", Value::Bool(true))?,
            b'f' => self.literal("false", Value::Bool(false))?,
            b'n' => self.literal("null", Value::Null)?,
            b'-' | b'0'..=b'9' => self.number(byte)?,
            other => return Err(invalid(other, "looking for beginning of value")),
        }))
    }

    fn end(&mut self, value: Value) -> Result<Value, Malformed> {
        self.skip_space();
        match self.body.get(self.at) {
            None => Ok(value),
            Some(byte) => Err(invalid(*byte, "after top-level value")),
        }
    }

    /// A key and its colon, from its first byte on.
    fn key(&mut self, first: u8) -> Result<String, Malformed> {
        if first != b'"' {
            return Err(invalid(first, "looking for beginning of object key string"));
        }
        let text = self.string()?;
        match self.next_token()? {
            b':' => Ok(text),
            other => Err(invalid(other, "after object key")),
        }
    }

    /// Makes a container the innermost one.
    fn open(&mut self, open: &mut Open, inner: Open) {
        let outer = mem::replace(open, inner);
        if !matches!(outer, Open::Document) {
            self.stack.push(outer);
        }
    }

    /// Closes the innermost container and returns it; its parent becomes the innermost one.
    fn close(&mut self, open: &mut Open) -> Value {
        if !self.told.is_empty() {
            self.told.remove(&self.stack.len());
        }
        let outer = self.stack.pop().unwrap_or(Open::Document);
        let value = match mem::replace(open, outer) {
            Open::Document => Value::Null,
            Open::Array(items) => Value::Array(items),
            Open::Object { map, .. } => Value::Object(map),
        };
        self.keep(value, open)
    }

    /// Opens a container, unless it is nested too deep.
    fn keep(&mut self, value: Value, open: &Open) -> Value {
        if self.depth(open) < MAX_DEPTH {
            return value;
        }
        self.too_deep = true;
        Value::Null
    }

    /// The number of open containers.
    fn depth(&self, open: &Open) -> usize {
        self.stack.len() + usize::from(!matches!(open, Open::Document))
    }

    fn check_nesting(&self, byte: u8, open: &Open) -> Result<(), Malformed> {
        if self.depth(open) >= MAX_NESTING {
            return Err(invalid(byte, "exceeded max depth"));
        }
        Ok(())
    }

    #[inline]
    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.body.get(self.at) {
            self.at += 1;
        }
    }

    /// Consumes the next byte that is not whitespace.
    #[inline]
    fn next_token(&mut self) -> Result<u8, Malformed> {
        self.skip_space();
        self.next_byte()
    }

    #[inline]
    fn next_byte(&mut self) -> Result<u8, Malformed> {
        match self.body.get(self.at) {
            Some(byte) => {
                self.at += 1;
                Ok(*byte)
            }
            None => Err(unexpected_end()),
        }
    }

    /// Upstream: a body is read as if a space followed its end.
    fn next_byte_or_space(&mut self) -> u8 {
        let byte = self.body.get(self.at).copied().unwrap_or(b' ');
        self.at = (self.at + 1).min(self.body.len());
        byte
    }

    fn literal(&mut self, word: &str, value: Value) -> Result<Value, Malformed> {
        for want in word.bytes().skip(1) {
            let byte = self.next_byte_or_space();
            if byte != want {
                let context = format!("in literal {word} (expecting '{}')", char::from(want));
                return Err(invalid(byte, &context));
            }
        }
        Ok(value)
    }

    /// A number whose first byte is consumed.
    fn number(&mut self, first: u8) -> Result<Value, Malformed> {
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
            return Ok(int.into());
        }
        // The text has only ASCII digits, signs, points and exponents.
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        if integer && let Ok(int) = text.parse::<i64>() {
            return Ok(int.into());
        }
        let number = text.parse().ok().and_then(Number::from_f64);
        if number.is_none() && self.out_of_range.is_none() {
            self.out_of_range = Some(text.to_owned());
        }
        Ok(number.map_or(Value::Null, Value::Number))
    }

    fn skip_digits(&mut self) {
        while let Some(b'0'..=b'9') = self.body.get(self.at) {
            self.at += 1;
        }
    }

    fn digits(&mut self, context: &str) -> Result<(), Malformed> {
        match self.next_byte_or_space() {
            b'0'..=b'9' => {
                self.skip_digits();
                Ok(())
            }
            other => Err(invalid(other, context)),
        }
    }

    /// A string whose opening quote is consumed.
    fn string(&mut self) -> Result<String, Malformed> {
        let start = self.at;
        let end = start + plain(self.body.get(start..).unwrap_or_default());
        self.at = end;
        match self.body.get(end) {
            Some(b'"') => {
                self.at += 1;
                // PERF: the whole body is UTF-8, so its strings need no check.
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
    fn string_with_escapes(&mut self, mut out: String) -> Result<String, Malformed> {
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

    fn escape(&mut self) -> Result<char, Malformed> {
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

    /// `\uXXXX`, or a surrogate pair of them; half a pair is U+FFFD, as in Go.
    fn unicode_escape(&mut self) -> Result<char, Malformed> {
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
            // The second escape is read on its own.
            self.at = after;
        }
        Ok(char::REPLACEMENT_CHARACTER)
    }

    fn hex4(&mut self) -> Result<u32, Malformed> {
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

    /// Records the duplicate key at offset `at` of the innermost object, which is not on the stack. Does no work once
    /// the limit is reached, because a body can have as many duplicates as bytes.
    #[cold]
    fn report_duplicate(&mut self, at: usize) {
        let next = mem::replace(&mut self.at, at);
        let key = self.string().unwrap_or_default();
        self.at = next;
        if !self.told.entry(self.stack.len()).or_default().insert(key.clone()) {
            return;
        }
        let place = self.duplicates.partition_point(|duplicate| duplicate.at < at);
        if place >= MAX_DUPLICATES {
            return;
        }
        if at > self.told_up_to {
            self.untold += 1;
            return;
        }
        let path = self.path(&key);
        if let Some(same) = self.duplicates.iter().position(|duplicate| duplicate.path == path) {
            if same < place {
                return;
            }
            self.duplicate_bytes -= path.len();
            self.duplicates.remove(same);
        }
        self.duplicate_bytes += path.len();
        self.duplicates.insert(place, Duplicate { at, path });
        let is_too_many = |told: &[Duplicate]| told.len() > MAX_DUPLICATES;
        while is_too_many(&self.duplicates)
            || self.duplicates.len() > 1 && self.duplicate_bytes > MAX_DUPLICATE_BYTES
        {
            self.untold += usize::from(!is_too_many(&self.duplicates));
            let last = self.duplicates.pop();
            self.duplicate_bytes -= last.map_or(0, |last| last.path.len());
        }
        if self.duplicate_bytes > MAX_DUPLICATE_BYTES || self.untold > 0 {
            self.told_up_to = self.duplicates.last().map_or(usize::MAX, |last| last.at);
        }
    }

    /// The path of a key of the innermost object.
    fn path(&self, key: &str) -> String {
        let mut path = String::new();
        for (depth, open) in self.stack.iter().enumerate() {
            match open {
                Open::Document => {}
                Open::Array(items) => {
                    let _ = write!(path, "[{}]", items.len());
                }
                Open::Object { key, .. } => push_key(&mut path, depth, key),
            }
        }
        push_key(&mut path, self.stack.len(), key);
        path
    }
}

/// The integer of a literal that is too short to exceed int64.
///
/// PERF: the digits and the range need no check.
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

/// The number of bytes of a string up to the first quote, backslash or control character.
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

/// Upstream: a dot follows any key before it, even an empty one.
fn push_key(path: &mut String, depth: usize, key: &str) {
    if depth > 0 {
        path.push('.');
    }
    path.push_str(key);
}

/// Appends text; each byte of invalid UTF-8 becomes one U+FFFD, as in Go.
fn push_utf8(out: &mut String, bytes: &[u8]) {
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        out.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
}

#[cold]
#[expect(
    clippy::unnecessary_box_returns,
    reason = "an error is a pointer, so that results are small"
)]
fn unexpected_end() -> Malformed {
    Box::new("unexpected end of JSON input".to_owned())
}

#[cold]
#[expect(
    clippy::unnecessary_box_returns,
    reason = "an error is a pointer, so that results are small"
)]
fn invalid(byte: u8, context: &str) -> Malformed {
    let c = match byte {
        b'\'' => r"\'".to_owned(),
        b'"' => "\"".to_owned(),
        byte => {
            gofmt::quote(char::from(byte).encode_utf8(&mut [0; 4])).trim_matches('"').to_owned()
        }
    };
    Box::new(format!("invalid character '{c}' {context}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(body: &str, want: &Value) {
        assert_eq!(decode(body.as_bytes()).unwrap().value, *want, "{body}");
    }

    #[track_caller]
    fn check_error(body: impl AsRef<[u8]>, want: &str) {
        assert_eq!(decode(body.as_ref()).unwrap_err().to_string(), want);
    }

    #[track_caller]
    fn check_duplicates(body: &str, want: &[&str]) {
        assert_eq!(decode(body.as_bytes()).unwrap().duplicates, want, "{body}");
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
        check_error("[1e400]", "json: cannot unmarshal number 1e400 into Go value of type float64");
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

    #[test]
    fn documents_nest() {
        check(
            " { \"a\" : [ 1 , { } , [ ] , null , true , false ] } ",
            &json!({"a": [1, {}, [], null, true, false]}),
        );
    }

    #[test]
    fn errors_are_those_of_go() {
        check_error("", "unexpected end of JSON input");
        check_error("{", "unexpected end of JSON input");
        check_error("\"a", "unexpected end of JSON input");
        check_error("[1", "unexpected end of JSON input");
        check_error("nul", "invalid character ' ' in literal null (expecting 'l')");
        check_error("1e", "invalid character ' ' in exponent of numeric literal");
        check_error("\"\\", "invalid character ' ' in string escape code");
        check_error("x", "invalid character 'x' looking for beginning of value");
        check_error("'", r"invalid character '\'' looking for beginning of value");
        check_error("\u{feff}{}", "invalid character 'ï' looking for beginning of value");
        check_error("[1,]", "invalid character ']' looking for beginning of value");
        check_error("{1", "invalid character '1' looking for beginning of object key string");
        check_error(
            "{\"a\":1,}",
            "invalid character '}' looking for beginning of object key string",
        );
        check_error("{\"a\" 1}", "invalid character '1' after object key");
        check_error("{\"a\":1 \"b\"", "invalid character '\"' after object key:value pair");
        check_error("[1 2]", "invalid character '2' after array element");
        check_error("01", "invalid character '1' after top-level value");
        check_error("-x", "invalid character 'x' in numeric literal");
        check_error("1.x", "invalid character 'x' after decimal point in numeric literal");
        check_error("1ex", "invalid character 'x' in exponent of numeric literal");
        check_error("trux", "invalid character 'x' in literal true (expecting 'e')");
        check_error("\"\n\"", "invalid character '\\n' in string literal");
        check_error("\"\\x\"", "invalid character 'x' in string escape code");
        check_error("\"\\u00g0\"", "invalid character 'g' in \\u hexadecimal character escape");
    }

    #[test]
    fn the_last_of_two_keys_counts_and_the_second_is_told() {
        check(r#"{"a":1,"a":2}"#, &json!({"a": 2}));
        check_duplicates(r#"{"a":1,"a":2,"a":3}"#, &[r#"duplicate field "a""#]);
        check_duplicates(r#"{"a":[{"b":{"c":1,"c":2}}]}"#, &[r#"duplicate field "a[0].b.c""#]);
        check_duplicates(
            r#"{"a":{"x":1,"x":1},"a":{"y":1,"y":1}}"#,
            &[r#"duplicate field "a.x""#, r#"duplicate field "a""#, r#"duplicate field "a.y""#],
        );
        check_duplicates(r#"{"":{"a":1,"a":2}}"#, &[r#"duplicate field ".a""#]);
        check_duplicates(r#"{"\"":1,"\"":1}"#, &[r#"duplicate field "\"""#]);
    }

    #[test]
    fn a_hundred_duplicates_are_told() {
        let mut body = String::from("{");
        for i in 0..300 {
            let _ = write!(body, r#""k{i}":1,"k{i}":2,"#);
        }
        body.push_str(r#""z":1}"#);
        let duplicates = decode(body.as_bytes()).unwrap().duplicates;
        assert_eq!(duplicates.len(), 100);
        assert_eq!(duplicates.last().unwrap(), r#"duplicate field "k99""#);
    }

    #[test]
    fn depth_is_limited() {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let nested = |depth: usize| {
                format!("{}{}", open.repeat(depth), if open == "[" { "" } else { "1" })
                    + &close.repeat(depth)
            };
            assert!(decode(nested(MAX_DEPTH).as_bytes()).is_ok());
            check_error(nested(MAX_DEPTH + 1), "json: nested deeper than 500 levels");
            check_error(nested(10_000), "json: nested deeper than 500 levels");
            let byte = &open[..1];
            check_error(nested(10_001), &format!("invalid character '{byte}' exceeded max depth"));
            check_error(
                nested(1_000_000),
                &format!("invalid character '{byte}' exceeded max depth"),
            );
        }
    }

    #[test]
    fn a_tree_of_any_depth_is_dropped() {
        let mut value = Value::Null;
        for _ in 0..200_000 {
            value = Value::Array(vec![value]);
        }
        assert!(is_too_deep(&value));
        drop_deep(value);
    }
}
