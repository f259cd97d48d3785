//! Reads the documents of a stream.
//!
//! Source: k8s.io/apimachinery v0.37.2 `pkg/util/yaml/decoder.go` (`YAMLReader`, `YAMLOrJSONDecoder`): a stream is
//! split at lines that begin with `---`, and documents that are empty or null are skipped.

use std::io::{self, BufRead};

use saphyr_parser::{Event, Parser};

use super::build::Builder;
use super::{Document, Error};

/// Reads the documents of a stream in order. If one cannot be read, the documents after it still are.
///
/// Lines are counted from the beginning of the stream.
pub fn documents(text: &str) -> impl Iterator<Item = Result<Document, Error>> + '_ {
    // Reading from memory does not fail.
    Chunks::new(text.as_bytes()).filter_map(Result::ok).flat_map(|chunk| chunk.documents())
}

/// Counts the line ends of a text.
pub(crate) fn newlines(text: &[u8]) -> usize {
    text.split(|byte| *byte == b'\n').count().saturating_sub(1)
}

/// The part of a stream between two separators.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Chunk {
    pub(crate) bytes: Vec<u8>,
    /// The number of lines of the stream before it.
    pub(crate) lines_before: usize,
    /// The number of its lines in the stream, including its separator.
    pub(crate) lines: usize,
    /// The number of its bytes in the stream, including its separator.
    pub(crate) length: u64,
    /// The text after the dashes of its separator, if it is an error: neither empty nor a comment.
    behind_separator: Option<String>,
}

/// Splits a stream at its separators, and reads no further than the next one.
#[derive(Debug)]
pub(crate) struct Chunks<R> {
    stream: R,
    lines: usize,
    ended: bool,
}

impl<R: BufRead> Chunks<R> {
    /// Splits a stream from its beginning.
    pub(crate) fn new(stream: R) -> Self {
        Self { stream, lines: 0, ended: false }
    }

    /// Counts lines as if this many had been read before.
    #[cfg(feature = "cli")]
    pub(crate) fn after_lines(mut self, lines: usize) -> Self {
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
    pub(crate) fn new(bytes: Vec<u8>, lines_before: usize) -> Self {
        Self { bytes, lines_before, ..Self::default() }
    }

    /// Reads the documents: usually one, but `...` may end one, and another may follow.
    pub(crate) fn documents(&self) -> Vec<Result<Document, Error>> {
        let mut documents = Vec::new();
        self.read_into(&mut documents);
        if let Some(behind) = &self.behind_separator {
            let line = self.lines_before + newlines(&self.bytes) + 1;
            let message = format!("invalid Yaml document separator: {behind}");
            documents.push(Err(Error { line, column: 1, message }));
        }
        documents
    }

    fn read_into(&self, documents: &mut Vec<Result<Document, Error>>) {
        let text = match str::from_utf8(&self.bytes) {
            Ok(text) => text.strip_prefix('\u{feff}').unwrap_or(text),
            Err(error) => {
                let before = self.bytes.get(..error.valid_up_to()).unwrap_or_default();
                let line = newlines(before) + 1;
                let column = before.rsplit(|byte| *byte == b'\n').next().map_or(0, <[u8]>::len) + 1;
                documents.push(Err(self.located(Error {
                    line,
                    column,
                    message: "invalid UTF-8".to_owned(),
                })));
                return;
            }
        };
        if let Some(error) = control_character(text) {
            documents.push(Err(self.located(error)));
            return;
        }
        let mut builder = Builder::default();
        let mut line = None;
        let mut parser = Parser::new_from_str(text);
        while let Some(event) = parser.next_event() {
            let (event, span) = match event {
                Ok(event) => event,
                Err(error) => {
                    let at = *error.marker();
                    let message = match error.info() {
                        // The parser counts the nesting of brackets and braces in a `u8`.
                        "recursion limit exceeded" => {
                            format!("exceeded max depth of {} in brackets and braces", u8::MAX)
                        }
                        message => message.to_owned(),
                    };
                    documents.push(Err(self.located(Error {
                        line: at.line(),
                        column: at.col() + 1,
                        message,
                    })));
                    return;
                }
            };
            let ends = event == Event::DocumentEnd;
            let begins = matches!(
                event,
                Event::Scalar(..)
                    | Event::SequenceStart(..)
                    | Event::MappingStart(..)
                    | Event::Alias(..)
            );
            if begins && line.is_none() {
                line = Some(span.start.line());
            }
            if let Err(error) = builder.event(event, span) {
                documents.push(Err(self.located(error)));
                return;
            }
            if ends {
                let (value, duplicates) = std::mem::take(&mut builder).finish();
                let line = self.lines_before + line.take().unwrap_or(1);
                let Some(value) = value.filter(|value| !value.is_null()) else { continue };
                let duplicates = duplicates
                    .into_iter()
                    .map(|mut duplicate| {
                        duplicate.line += self.lines_before;
                        duplicate
                    })
                    .collect();
                documents.push(Ok(Document { line, value, duplicates }));
            }
        }
    }

    fn located(&self, mut error: Error) -> Error {
        error.line += self.lines_before;
        error
    }
}

/// Finds the first character that go-yaml accepts nowhere, not even in quotes.
///
/// Source: `yaml_parser_update_buffer` in go.yaml.in/yaml v2.4.3 `readerc.go`.
fn control_character(text: &str) -> Option<Error> {
    let is_allowed = |c| matches!(c, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{fffd}' | '\u{10000}'..);
    let (at, c) = text.char_indices().find(|(_, c)| !is_allowed(*c))?;
    let before = text.get(..at).unwrap_or_default();
    let line = newlines(before.as_bytes()) + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let message = format!(
        "control characters are not allowed, and this is U+{:04X}; write it as an escape in double quotes",
        u32::from(c)
    );
    Some(Error { line, column, message })
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use serde_json::{Value, json};

    use super::super::MAX_DEPTH;
    use super::*;

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
        check("a: 1\n...\nb: 2\n", &[json!({"a": 1}), json!({"b": 2})]);
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
        check_error(
            "a: 1\nb: *nobody\n",
            "line 2, column 4: while parsing node, found unknown anchor",
        );
        check_error("? [a]\n: b\n", "line 1, column 3: invalid map key: a list or a map");
        check_error("a: .inf\n", "line 1, column 4: unsupported value: +Inf");
        check_error("~: 1\n", "line 1, column 1: unsupported map key: null");
    }

    #[test]
    fn control_characters_are_rejected() {
        let message = |c: &str| {
            format!(
                "line 3, column 5: control characters are not allowed, and this is {c}; write it as an escape in double \
                 quotes"
            )
        };
        for (c, name) in
            [('\0', "U+0000"), ('\u{1}', "U+0001"), ('\u{7f}', "U+007F"), ('\u{9f}', "U+009F")]
        {
            check_error(&format!("a: 1\n---\nb: \"{c}\"\n"), &message(name));
            check_error(&format!("a: 1\n---\nb: \u{fc}{c}\n"), &message(name));
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
        check_error("a: &a [*a ]", "line 1, column 8: an anchor's value contains itself");
        check_error("a: &a ~\nb: {*a : 1}\n", "line 2, column 5: unsupported map key: null");
        check_error(
            "a: &a [1]\nb: {*a : 1}\n",
            "line 2, column 5: invalid map key: a list or a map",
        );
        check("a: &a 1\nb: &a 2\nc: *a\n", &[json!({"a": 1, "b": 2, "c": 2})]);
    }

    #[test]
    fn a_duplicate_key_in_an_anchor_is_reported_once() {
        let document = documents("a: &a {x: 1, x: 2}\nb: *a\n").next().expect("a document");
        assert_eq!(document.expect("readable").duplicates.len(), 1);
    }

    /// saphyr-parser limits the nesting of flow collections to 255 levels.
    #[test]
    fn nesting_is_bounded() {
        let deep =
            |open: &str, close: &str, levels: usize| open.repeat(levels) + &close.repeat(levels);
        let error = documents(&deep("[", "]", 100_000)).find_map(Result::err).expect("an error");
        assert!(error.message.contains("max depth"), "{error}");
        assert!(documents(&deep("- ", "", MAX_DEPTH - 1)).all(|document| document.is_ok()));
        let error = documents(&deep("- ", "", 100_000)).find_map(Result::err).expect("an error");
        assert!(error.message.contains("max depth"), "{error}");
    }
}
