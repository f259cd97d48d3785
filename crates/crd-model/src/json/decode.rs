//! Decodes bytes to a tree, as the server decodes a request body.
//!
//! Integer literals within int64 become int64, all other numbers float64. Invalid UTF-8 becomes U+FFFD. Of a duplicate
//! key the last value is kept, and the key's path is reported. Error texts are those of Go's decoder.
//!
//! The reader keeps a stack of its own instead of recursing, so that no input can overflow the stack of the
//! thread.
//!
//! Source: `sigs.k8s.io/json` (`scanner.go`, `decode.go`, `kubernetes_patch.go`).

mod duplicates;
mod scalars;

use std::fmt::{self, Write as _};
use std::mem;

use crd_cel::gofmt;
use serde_json::{Map, Value};

use super::depth::{MAX_DEPTH, too_deep};
use duplicates::Duplicates;

/// The deepest nesting of lists and objects that Go reads, in levels. Source: `maxNestingDepth` of
/// `encoding/json`.
const MAX_NESTING: usize = 10_000;

/// The most numbers out of range whose places [`decode_any`] keeps, so that their paths take no more memory than a few
/// bodies.
const MAX_OUT_OF_RANGE: usize = 16;

/// A decoded document.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Decoded {
    /// The tree.
    pub value: Value,
    /// The errors of strict field validation for duplicate keys: `duplicate field "a.b"`.
    pub duplicates: Vec<String>,
}

/// A number that no float64 holds. Go's decoder goes on after it: whether it is an error depends on the type that the
/// value is decoded into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutOfRange {
    /// Where it is: `spec.ports[0].port`.
    pub path: String,
    /// The number as it was sent: `1e400`.
    pub literal: String,
}

impl OutOfRange {
    /// Returns the error of Go's decoder where the number is to be any JSON.
    pub fn error(&self) -> Error {
        let Self { literal, .. } = self;
        let text = format!("json: cannot unmarshal number {literal} into Go value of type float64");
        Error { text, is_syntax: false }
    }
}

/// An error of decoding, with the text of Go's decoder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    text: String,
    is_syntax: bool,
}

impl Error {
    /// Creates the error of a document that is not JSON or is nested too deep.
    fn syntax(text: String) -> Self {
        Self { text, is_syntax: true }
    }

    /// Returns whether the document is not JSON or is nested too deep. The server reports such an error before it reads
    /// the kind. The only other error is a number that is out of range.
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
/// If the document is not JSON, contains a number that is out of range, or is nested deeper than [`MAX_DEPTH`].
pub fn decode(body: &[u8]) -> Result<Decoded, Error> {
    let (decoded, numbers) = decode_any(body)?;
    numbers.first().map_or(Ok(decoded), |number| Err(number.error()))
}

/// Reads one JSON document as [`decode`] does, but numbers that are out of range are 0, and returned.
///
/// # Errors
/// As [`decode`], and if more than 16 numbers are out of range.
pub fn decode_any(body: &[u8]) -> Result<(Decoded, Vec<OutOfRange>), Error> {
    let mut reader = Reader::<false>::new(body, std::str::from_utf8(body).ok(), MAX_DEPTH);
    let value = reader.document().map_err(|text| Error::syntax(*text))?;
    let numbers = reader.out_of_range;
    if let Some(first) = numbers.first().filter(|_| numbers.len() > MAX_OUT_OF_RANGE) {
        return Err(first.error());
    }
    if reader.too_deep {
        return Err(Error::syntax(too_deep()));
    }
    Ok((Decoded { value, duplicates: reader.duplicates.into_texts() }, numbers))
}

/// Reads a JSON document that [`decode_any`] has read. Its numbers and strings are strings with their texts, quotes
/// included.
pub fn decode_texts(body: &[u8]) -> Value {
    let mut reader = Reader::<true>::new(body, std::str::from_utf8(body).ok(), MAX_DEPTH);
    reader.document().unwrap_or_default()
}

/// Reads a tree that this crate has written. It may be nested deeper than [`MAX_DEPTH`] after defaults have been set.
pub fn decode_own(text: &str) -> Value {
    // A text that was written from a tree has no errors.
    Reader::<false>::new(text.as_bytes(), Some(text), MAX_NESTING).document().unwrap_or_default()
}

/// A list or object that is being read.
enum OpenContainer {
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
type BoxedError = Box<String>;

/// PERF: whether numbers and strings are read as their texts (`TEXTS`) is known when the reader is compiled, since it is
/// asked at each value.
struct Reader<'a, const TEXTS: bool> {
    body: &'a [u8],
    /// The body, if all of it is UTF-8.
    text: Option<&'a str>,
    at: usize,
    /// The maximum depth of the tree.
    max_depth: usize,
    /// The containers around the innermost one, which is not on the stack.
    stack: Vec<OpenContainer>,
    duplicates: Duplicates,
    too_deep: bool,
    /// The first numbers out of range, at most one more than [`MAX_OUT_OF_RANGE`].
    out_of_range: Vec<OutOfRange>,
}

impl<'a, const TEXTS: bool> Reader<'a, TEXTS> {
    fn new(body: &'a [u8], text: Option<&'a str>, max_depth: usize) -> Self {
        Self {
            body,
            text,
            at: 0,
            max_depth,
            stack: Vec::new(),
            duplicates: Duplicates::default(),
            too_deep: false,
            out_of_range: Vec::new(),
        }
    }

    fn document(&mut self) -> Result<Value, BoxedError> {
        let mut open = OpenContainer::Document;
        loop {
            let Some(mut value) = self.begin_value(&mut open)? else { continue };
            // A value is complete: add it to its container, and repeat while that is complete, too.
            loop {
                match &mut open {
                    OpenContainer::Document => return self.end(value),
                    OpenContainer::Array(items) => {
                        items.push(value);
                        match self.next_token()? {
                            b',' => break,
                            b']' => {}
                            other => return Err(invalid(other, "after array element")),
                        }
                    }
                    OpenContainer::Object { map, key, key_at } => {
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

    /// Reads a scalar or an empty container; `None` if it opened a container.
    fn begin_value(&mut self, open: &mut OpenContainer) -> Result<Option<Value>, BoxedError> {
        let byte = self.next_token()?;
        let start = self.at - 1;
        Ok(Some(match byte {
            b'"' => {
                let text = self.string()?;
                Value::String(if TEXTS { self.text_from(start) } else { text })
            }
            b'{' => {
                self.check_nesting(byte, open)?;
                let first = self.next_token()?;
                if first == b'}' {
                    return Ok(Some(self.keep(Value::Object(Map::new()), open)));
                }
                let key_at = self.at;
                let key = self.key(first)?;
                self.open(open, OpenContainer::Object { map: Map::new(), key, key_at });
                return Ok(None);
            }
            b'[' => {
                self.check_nesting(byte, open)?;
                if self.next_token()? == b']' {
                    return Ok(Some(self.keep(Value::Array(Vec::new()), open)));
                }
                self.at -= 1;
                self.open(open, OpenContainer::Array(Vec::new()));
                return Ok(None);
            }
            b't' => self.literal("true", Value::Bool(true))?,
            b'f' => self.literal("false", Value::Bool(false))?,
            b'n' => self.literal("null", Value::Null)?,
            b'-' | b'0'..=b'9' => match self.number(byte)? {
                _ if TEXTS => Value::String(self.text_from(start)),
                Ok(number) => Value::Number(number),
                Err(literal) => self.keep_out_of_range(literal, open),
            },
            other => return Err(invalid(other, "looking for beginning of value")),
        }))
    }

    /// Returns what has been read since an offset.
    fn text_from(&self, start: usize) -> String {
        let bytes = self.body.get(start..self.at).unwrap_or_default();
        String::from_utf8_lossy(bytes).into_owned()
    }

    fn end(&mut self, value: Value) -> Result<Value, BoxedError> {
        self.skip_space();
        match self.body.get(self.at) {
            None => Ok(value),
            Some(byte) => Err(invalid(*byte, "after top-level value")),
        }
    }

    /// Reads a key and its colon. `first` is the first byte, which is consumed.
    fn key(&mut self, first: u8) -> Result<String, BoxedError> {
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
    fn open(&mut self, open: &mut OpenContainer, inner: OpenContainer) {
        let outer = mem::replace(open, inner);
        if !matches!(outer, OpenContainer::Document) {
            self.stack.push(outer);
        }
    }

    /// Closes the innermost container and returns it; its parent becomes the innermost one.
    fn close(&mut self, open: &mut OpenContainer) -> Value {
        self.duplicates.close(self.stack.len());
        let outer = self.stack.pop().unwrap_or(OpenContainer::Document);
        let value = match mem::replace(open, outer) {
            OpenContainer::Document => Value::Null,
            OpenContainer::Array(items) => Value::Array(items),
            OpenContainer::Object { map, .. } => Value::Object(map),
        };
        self.keep(value, open)
    }

    /// Returns a container, or null in its place if it is nested too deep.
    fn keep(&mut self, value: Value, open: &OpenContainer) -> Value {
        if self.depth(open) < self.max_depth {
            return value;
        }
        self.too_deep = true;
        Value::Null
    }

    /// The number of open containers.
    fn depth(&self, open: &OpenContainer) -> usize {
        self.stack.len() + usize::from(!matches!(open, OpenContainer::Document))
    }

    fn check_nesting(&self, byte: u8, open: &OpenContainer) -> Result<(), BoxedError> {
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
    fn next_token(&mut self) -> Result<u8, BoxedError> {
        self.skip_space();
        self.next_byte()
    }

    #[inline]
    fn next_byte(&mut self) -> Result<u8, BoxedError> {
        match self.body.get(self.at) {
            Some(byte) => {
                self.at += 1;
                Ok(*byte)
            }
            None => Err(unexpected_end()),
        }
    }

    /// Consumes the next byte. Upstream: at the end of the body, the scanner is given a space.
    fn next_byte_or_space(&mut self) -> u8 {
        let byte = self.body.get(self.at).copied().unwrap_or(b' ');
        self.at = (self.at + 1).min(self.body.len());
        byte
    }

    /// Records a number that is out of range, and returns 0 in its place.
    #[cold]
    fn keep_out_of_range(&mut self, literal: String, open: &OpenContainer) -> Value {
        if self.out_of_range.len() <= MAX_OUT_OF_RANGE {
            let mut path = String::new();
            for (depth, open) in self.stack.iter().chain([open]).enumerate() {
                push_place(&mut path, depth, open);
            }
            self.out_of_range.push(OutOfRange { path, literal });
        }
        Value::from(0)
    }

    /// Records the duplicate key at offset `at` of the innermost object.
    #[cold]
    fn report_duplicate(&mut self, at: usize) {
        let next = mem::replace(&mut self.at, at);
        let key = self.string().unwrap_or_default();
        self.at = next;
        self.duplicates.report(at, self.stack.len(), &key, || path(&self.stack, &key));
    }
}

/// Returns the path of a key. `stack` are the containers around its object.
fn path(stack: &[OpenContainer], key: &str) -> String {
    let mut path = String::new();
    for (depth, open) in stack.iter().enumerate() {
        push_place(&mut path, depth, open);
    }
    push_key(&mut path, stack.len(), key);
    path
}

/// Appends the place in a container at which its next value is read.
fn push_place(path: &mut String, depth: usize, open: &OpenContainer) {
    match open {
        OpenContainer::Document => {}
        OpenContainer::Array(items) => {
            let _ = write!(path, "[{}]", items.len());
        }
        OpenContainer::Object { key, .. } => push_key(path, depth, key),
    }
}

/// Appends a key to a path. Upstream: a dot precedes every key below the top level, even after an empty key.
fn push_key(path: &mut String, depth: usize, key: &str) {
    if depth > 0 {
        path.push('.');
    }
    path.push_str(key);
}

#[cold]
#[expect(
    clippy::unnecessary_box_returns,
    reason = "an error is a pointer, so that results are small"
)]
fn unexpected_end() -> BoxedError {
    Box::new("unexpected end of JSON input".to_owned())
}

#[cold]
#[expect(
    clippy::unnecessary_box_returns,
    reason = "an error is a pointer, so that results are small"
)]
fn invalid(byte: u8, context: &str) -> BoxedError {
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
    fn numbers_out_of_range_are_returned_with_their_places() {
        let body = br#"{"a": [1, {"b": -1e400}], "c": 1e999}"#;
        let (decoded, numbers) = decode_any(body).unwrap();
        assert_eq!(decoded.value, json!({"a": [1, {"b": 0}], "c": 0}));
        let places = numbers.iter().map(|number| (number.path.as_str(), number.literal.as_str()));
        assert_eq!(places.collect::<Vec<_>>(), [("a[1].b", "-1e400"), ("c", "1e999")]);
        let many = format!("[{}1]", "1e400,".repeat(MAX_OUT_OF_RANGE + 1));
        assert!(!decode_any(many.as_bytes()).unwrap_err().is_syntax());
    }

    #[test]
    fn the_last_of_two_equal_keys_is_kept_and_the_second_reported() {
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
    fn a_hundred_duplicates_are_reported() {
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
}
