//! Reads the documents of a stream.
//!
//! Source: k8s.io/apimachinery v0.37.2 `pkg/util/yaml/decoder.go` (`YAMLReader`, `YAMLOrJSONDecoder`): a stream is
//! split at lines that begin with `---`, and documents that are empty or null are skipped.

use std::borrow::Cow;
use std::io::{self, BufRead};

use super::compose::Tree;
use super::scan::Mark;
use super::{Document, Error, decode};

/// Reads the documents of a stream in order. If one cannot be read, the documents after it still are.
///
/// Lines are counted from the beginning of the stream.
pub fn documents(text: &str) -> impl Iterator<Item = Result<Document, Error>> + '_ {
    // Reading from memory does not fail.
    Chunks::new(text.as_bytes()).filter_map(Result::ok).flat_map(|chunk| chunk.documents())
}

/// Reads a text as one document, as the API server reads a body: `None` if it is empty or null. What follows the first
/// document is not looked at.
///
/// # Errors
/// If it cannot be read.
pub fn document(bytes: &[u8]) -> Result<Option<Document>, Error> {
    let bytes = utf8(bytes);
    let tree = Tree::read(&bytes)?;
    let line = tree.root.and_then(|root| tree.node(root)).map_or(1, |root| root.mark.line + 1);
    let decode::Decoded { value, duplicates, strict } = decode::decode(&tree)?;
    if value.is_null() {
        return Ok(None);
    }
    Ok(Some(Document { line, value, duplicates, strict_errors: strict }))
}

/// Converts a text in UTF-16, which has to begin with a byte order mark, to UTF-8.
fn utf8(bytes: &[u8]) -> Cow<'_, [u8]> {
    let unit = match bytes {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return Cow::Borrowed(bytes),
    };
    let (units, rest) = bytes.as_chunks::<2>();
    let units = units.iter().skip(1).map(|two| unit(*two));
    // A surrogate without its pair becomes a byte that is not UTF-8, and so is an incomplete unit.
    let mut text = Vec::with_capacity(bytes.len());
    for c in char::decode_utf16(units) {
        match c {
            Ok(c) => text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            Err(_) => text.push(0xff),
        }
    }
    if !rest.is_empty() {
        text.push(0xff);
    }
    Cow::Owned(text)
}

/// Counts the line ends of a text.
pub fn newlines(text: &[u8]) -> usize {
    text.split(|byte| *byte == b'\n').count().saturating_sub(1)
}

/// The part of a stream between two separators.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chunk {
    /// The text.
    pub bytes: Vec<u8>,
    /// The number of lines of the stream before it.
    pub(crate) lines_before: usize,
    /// The number of its lines in the stream, including its separator.
    pub lines: usize,
    /// The number of its bytes in the stream, including its separator.
    pub length: u64,
    /// The text after the dashes of its separator, if it is an error: neither empty nor a comment.
    behind_separator: Option<String>,
}

/// Splits a stream at its separators, and reads no further than the next one.
#[derive(Debug)]
pub struct Chunks<R> {
    stream: R,
    lines: usize,
    ended: bool,
}

impl<R: BufRead> Chunks<R> {
    /// Splits a stream from its beginning.
    pub fn new(stream: R) -> Self {
        Self { stream, lines: 0, ended: false }
    }

    /// Counts lines as if this many had been read before.
    #[must_use]
    pub fn after_lines(mut self, lines: usize) -> Self {
        self.lines = lines;
        self
    }

    fn next_chunk(&mut self) -> io::Result<Chunk> {
        let mut chunk = Chunk::new(Vec::new(), self.lines);
        loop {
            let start = chunk.bytes.len();
            let read = self.stream.read_until(b'\n', &mut chunk.bytes)?;
            if read == 0 {
                self.ended = true;
                return Ok(chunk);
            }
            self.lines += 1;
            chunk.lines += 1;
            chunk.length = chunk.length.saturating_add(read as u64);
            let Some(behind) = chunk.bytes.get(start..).and_then(|line| line.strip_prefix(b"---"))
            else {
                continue;
            };
            let behind = behind.trim_ascii();
            if !(behind.is_empty() || behind.starts_with(b"#")) {
                chunk.behind_separator = Some(String::from_utf8_lossy(behind).into_owned());
            }
            chunk.bytes.truncate(start);
            return Ok(chunk);
        }
    }
}

impl<R: BufRead> Iterator for Chunks<R> {
    type Item = io::Result<Chunk>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let chunk = self.next_chunk();
        self.ended |= chunk.is_err();
        Some(chunk)
    }
}

impl Chunk {
    /// Creates a chunk that begins after this many lines of its stream.
    pub fn new(bytes: Vec<u8>, lines_before: usize) -> Self {
        Self { bytes, lines_before, ..Self::default() }
    }

    /// Reads the document, if there is one, and checks the separator after it.
    pub fn documents(&self) -> Vec<Result<Document, Error>> {
        let mut documents: Vec<_> = document(&self.bytes)
            .map_err(|error| self.located(error))
            .transpose()
            .map(|document| document.map(|document| self.moved(document)))
            .into_iter()
            .collect();
        if let Some(behind) = &self.behind_separator {
            let line = self.lines_before + newlines(&self.bytes);
            let message = format!("invalid Yaml document separator: {behind}");
            let mark = Mark { line, ..Mark::default() };
            documents.push(Err(Error::converting(mark, message)));
        }
        documents
    }

    fn moved(&self, mut document: Document) -> Document {
        document.line += self.lines_before;
        for duplicate in &mut document.duplicates {
            duplicate.line += self.lines_before;
        }
        document
    }

    fn located(&self, mut error: Error) -> Error {
        error.line += self.lines_before;
        error
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use serde_json::{Value, json};

    use super::super::MAX_DEPTH;
    use super::*;

    /// A map whose keys are null, of such a map.
    const NESTED: &str = "interface {}(nil):map[interface {}]interface {}{interface {}(nil):[]interface {}{interface {}(nil)}}";

    #[track_caller]
    fn check(text: &str, want: &[Value]) {
        let values: Result<Vec<Value>, Error> =
            documents(text).map(|document| document.map(|document| document.value)).collect();
        assert_eq!(values.as_deref(), Ok(want));
    }

    #[track_caller]
    fn check_error(text: &str, want: &str) {
        let error = documents(text).find_map(Result::err).expect("an error");
        assert_eq!(error.to_string(), want);
    }

    #[test]
    fn documents_are_cut_at_dashes() {
        check(
            "a: 1\n---\nb: 2\n--- # third\nc: 3\n",
            &[json!({"a": 1}), json!({"b": 2}), json!({"c": 3})],
        );
        check("---\n# nothing\n---\n\n---\nnull\n", &[]);
        check("\u{feff}a: 1\r\n---\r\nb: 2\r\n", &[json!({"a": 1}), json!({"b": 2})]);
        check("a: 1\n...\n", &[json!({"a": 1})]);
        // As `kubectl`: what follows the end of a document is not read.
        check("a: 1\n...\nb: 2\n", &[json!({"a": 1})]);
        check("{a: 1} b\n", &[json!({"a": 1})]);
        check_error("a: \u{e9}\n--- b\n", "line 2, column 1: invalid Yaml document separator: b");
    }

    #[test]
    fn a_broken_document_does_not_hide_the_others() {
        let read: Vec<_> = documents("a: 1\n---\na: [\n---\nb: 2\n").collect();
        assert_eq!(read.len(), 3);
        assert!(read[0].is_ok() && read[1].is_err() && read[2].is_ok());
        assert_eq!(read[2].as_ref().map(|document| document.line), Ok(5));
    }

    #[test]
    fn yaml_one_one_scalars() {
        check(
            "{on: yes, 012: 0o17, f: 1e3, t: 2001-01-01, q: \"no\", e: }",
            &[json!({"true": true, "10": 15, "f": 1000, "t": "2001-01-01", "q": "no", "e": null})],
        );
        check(
            "a: !!str 12\nb: !!float 1.5\nc: !custom 5\nd: !!binary aGk=\ne: ! 7\n",
            &[json!({"a": "12", "b": 1.5, "c": "5", "d": "hi", "e": "7"})],
        );
    }

    #[test]
    fn merges_take_effect_at_their_position() {
        let base = "base: &b {x: 1, z: 2}\n";
        let with = |rest: &str| format!("{base}{rest}");
        let want = |of: Value| json!({"base": {"x": 1, "z": 2}, "of": of});
        check(&with("of: {<<: *b, x: 9}"), &[want(json!({"x": 9, "z": 2}))]);
        check(&with("of: {x: 9, <<: *b}"), &[want(json!({"x": 1, "z": 2}))]);
        check(&with("of: {<<: [{x: 5}, *b]}"), &[want(json!({"x": 5, "z": 2}))]);
        check(&with("of: {\"<<\": *b}"), &[want(json!({"<<": {"x": 1, "z": 2}}))]);
        check_error(
            "<<: 1",
            "line 1, column 5: map merge requires map or sequence of maps as the value",
        );
    }

    #[test]
    fn duplicate_keys_are_reported_with_their_positions() {
        let document = documents("---\na: 1\nb:\n  c: 1\n  c: 2\na: 3\n")
            .next()
            .expect("a document")
            .expect("readable");
        let messages: Vec<String> = document.duplicates.iter().map(ToString::to_string).collect();
        assert_eq!(
            messages,
            [
                "line 5, column 3: key \"c\" already set in map",
                "line 6, column 1: key \"a\" already set in map"
            ]
        );
        assert_eq!(document.value, json!({"a": 3, "b": {"c": 2}}));
        let merged = documents("a: &a {x: 1}\nb: {<<: *a, x: 2}")
            .next()
            .expect("a document")
            .expect("readable");
        assert_eq!(merged.duplicates, []);
    }

    #[test]
    fn errors_have_positions() {
        check_error("a: 1\nb: *nobody\n", "line 2, column 4: unknown anchor 'nobody' referenced");
        check_error("? [a]\n: b\n", "line 1, column 3: invalid map key: []interface {}{\"a\"}");
        check_error(
            "? {a: ~}\n: b\n",
            "line 1, column 3: invalid map key: map[interface {}]interface {}{\"a\":interface {}(nil)}",
        );
        check_error("a: .inf\n", "line 1, column 4: json: unsupported value: +Inf");
        for (value, shown) in [
            ("1", "1"),
            ("a", "\"a\""),
            ("~", "<nil>"),
            ("", "<nil>"),
            ("2.0e+8", "2e+08"),
            ("18446744073709551615", "0xffffffffffffffff"),
            ("[1, ~, x]", "[]interface {}{1, interface {}(nil), \"x\"}"),
            ("{a: {}}", "map[interface {}]interface {}{\"a\":map[interface {}]interface {}{}}"),
        ] {
            check_error(
                &format!("~: {value}\n"),
                &format!(
                    "line 1, column 1: unsupported map key of type: %!s(<nil>), key: <nil>, value: {shown}"
                ),
            );
        }
        check_error(
            "9223372036854775808: 1\n",
            "line 1, column 1: unsupported map key of type: uint64, key: 0x8000000000000000, value: 1",
        );
    }

    #[test]
    fn errors_show_what_was_decoded_before_it_became_json() {
        for (value, shown) in [
            ("{~: ~}", "interface {}(nil):interface {}(nil)"),
            ("{~: {~: [~]}}", NESTED),
            (
                "{a: 1, 1: b, true: c, no: d, 1.5: e, -1: f, .inf: g, ~: h, 18446744073709551615: i}",
                "interface {}(nil):\"h\", \"a\":1, 0xffffffffffffffff:\"i\", -1:\"f\", 1:\"b\", 1.5:\"e\", \
                 +Inf:\"g\", false:\"d\", true:\"c\"",
            ),
            (
                "{a: .inf, b: .nan, c: 1e8, d: 18446744073709551615, e: -0.0, f: 1.0}",
                "\"a\":+Inf, \"b\":NaN, \"c\":1e+08, \"d\":0xffffffffffffffff, \"e\":-0, \"f\":1",
            ),
            ("{.nan: 1, .nan: 1, 0.0: 2, -0.0: 3}", "NaN:1, NaN:1, -0:3"),
            ("{1: a, 1: b, '1': c, 1.0: d}", "\"1\":\"c\", 1:\"b\", 1:\"d\""),
            ("{x: 1, <<: {1: 2, x: 5}}", "\"x\":5, 1:2"),
            ("{<<: [{x: 1}, {x: 2, z: 3}]}", "\"x\":1, \"z\":3"),
        ] {
            let shown = format!("map[interface {{}}]interface {{}}{{{shown}}}");
            check_error(
                &format!("~: {value}\n"),
                &format!(
                    "line 1, column 1: unsupported map key of type: %!s(<nil>), key: <nil>, value: {shown}"
                ),
            );
            check_error(
                &format!("? {value}\n: b\n"),
                &format!("line 1, column 3: invalid map key: {shown}"),
            );
        }
    }

    #[test]
    fn only_what_is_left_has_to_become_json() {
        check("a: {~: 1, ~: .inf}\na: 2\n", &[json!({"a": 2})]);
        check("a: .inf\na: 2\n", &[json!({"a": 2})]);
        check("{0.0: 1, -0.0: 2, '0': 3}\n", &[json!({"-0": 2, "0": 3})]);
        let document = document(b"a: {~: 1, ~: 2}\na: 2\n").ok().flatten().expect("a document");
        assert_eq!(
            document.strict_errors,
            ["line 1: key <nil> already set in map", "line 2: key \"a\" already set in map"]
        );
        let key =
            |value| format!("unsupported map key of type: %!s(<nil>), key: <nil>, value: {value}");
        check_error("~: 1\n~: 2\n", &format!("line 2, column 1: {}", key("2")));
        check_error("a: .inf\nb: {~: 1}\n", &format!("line 2, column 5: {}", key("1")));
        check_error("b: .inf\na: .nan\n", "line 2, column 4: json: unsupported value: NaN");
    }

    #[test]
    fn control_characters_are_rejected() {
        let message = "line 3, column 5: control characters are not allowed";
        for c in ['\0', '\u{1}', '\u{7f}', '\u{9f}', '\u{ffff}'] {
            check_error(&format!("a: 1\n---\nb: \"{c}\"\n"), message);
            check_error(&format!("a: 1\n---\nb: \u{fc}{c}\n"), message);
        }
        check("a: \"\\0\\x01\"\n", &[json!({"a": "\0\u{1}"})]);
    }

    #[test]
    fn aliases_cannot_multiply_without_bound() {
        let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..9 {
            let of = format!("*a{}, ", level - 1).repeat(9);
            let _ = writeln!(text, "a{level}: &a{level} [{of}]");
        }
        let error = documents(&text).find_map(Result::err).expect("an error");
        assert_eq!(error.message, "document contains excessive aliasing");
    }

    #[test]
    fn aliases_repeat_their_anchors() {
        check(
            "f: &f 1.10\nk: {*f : 1, &g 0.1 : 2}\nl: *f\nm: *g\n",
            &[json!({"f": 1.1, "k": {"1.1": 1, "0.1": 2}, "l": 1.1, "m": 0.1})],
        );
        // A key has the digits of a float32, a value those of a float64.
        check(
            "f: &f 16777217.5\nk: {*f : 1}\n",
            &[json!({"f": 16_777_217.5, "k": {"1.6777218e+07": 1}})],
        );
        check(
            "a: &a [1, &b {x: &c 2, <<: {z: 3}}, *c ]\nb: [*b , *a ]\n",
            &[json!({
                "a": [1, {"x": 2, "z": 3}, 2],
                "b": [{"x": 2, "z": 3}, [1, {"x": 2, "z": 3}, 2]],
            })],
        );
        check(
            "m: &m {<<: {x: 1}}\no: {<<: *m, z: *m }",
            &[json!({
                "m": {"x": 1}, "o": {"x": 1, "z": {"x": 1}},
            })],
        );
        check_error("a: &a [*a ]", "line 1, column 8: anchor 'a' value contains itself");
        check_error(
            "a: &a ~\nb: {*a : *a }\n",
            "line 2, column 5: unsupported map key of type: %!s(<nil>), key: <nil>, value: <nil>",
        );
        check_error(
            "a: &a [1]\nb: {*a : 1}\n",
            "line 2, column 5: invalid map key: []interface {}{1}",
        );
        check("a: &a 1\nb: &a 2\nc: *a\n", &[json!({"a": 1, "b": 2, "c": 2})]);
    }

    #[test]
    fn a_duplicate_key_in_an_anchor_is_reported_once() {
        let document = documents("a: &a {x: 1, x: 2}\nb: *a\n").next().expect("a document");
        assert_eq!(document.expect("readable").duplicates.len(), 1);
    }

    /// On a small stack: nothing recurses on the depth of a text but the drop of the value.
    #[test]
    fn nesting_is_bounded() {
        let read = || {
            for (open, close) in [("[", "]"), ("{a: ", "}"), ("- ", ""), ("[a: ", "]")] {
                let nested = |levels| open.repeat(levels) + &close.repeat(levels);
                let pairs = if open == "[a: " { 2 } else { 1 };
                assert_eq!(documents(&nested(MAX_DEPTH / pairs)).flatten().count(), 1);
                let error = documents(&nested(100_000)).find_map(Result::err).expect("an error");
                assert!(error.message.contains("max depth"), "{error}");
            }
            // Aliases nest what they expand to.
            let nested = |levels| {
                let each = (1..levels).map(|at| format!("- &a{at} [*a{}]\n", at - 1));
                documents(&format!("- &a0 x\n{}", each.collect::<String>())).find_map(Result::err)
            };
            assert_eq!(nested(20), None);
            assert!(nested(1000).is_some());
        };
        let thread = std::thread::Builder::new().stack_size(1 << 19).spawn(read);
        assert!(thread.expect("a thread").join().is_ok());
    }
}
