//! Splits a stream into pieces: a JSON object, or the YAML between two separators.
//!
//! Source: k8s.io/apimachinery v0.37.2 `pkg/util/yaml/decoder.go` (`YAMLOrJSONDecoder`): a stream that begins with `{`
//! is JSON up to the first piece that does not begin with `{`; the rest is YAML.

use std::io::{self, BufRead};

use super::document::{Document, DocumentError};
use crate::json;
use crate::yaml::{self, Chunk, Chunks, newlines};

/// A piece of a stream.
#[derive(Debug)]
pub(super) enum Text {
    Json(Vec<u8>),
    Yaml(Chunk),
}

/// The format of the rest of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Language {
    /// The next character decides between JSON and YAML.
    Undecided,
    Yaml,
}

/// A stream that is read piece by piece.
#[derive(Debug)]
pub(super) struct Stream<R> {
    reader: R,
    language: Language,
    offset: u64,
    lines: usize,
    ended: bool,
}

impl<R: BufRead> Stream<R> {
    /// Returns a stream of which some bytes and lines have been read already.
    pub(super) fn at(reader: R, offset: u64, lines: usize) -> Self {
        Self { reader, language: Language::Undecided, offset, lines, ended: false }
    }

    /// Bytes read so far.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// Lines read so far.
    pub(super) fn lines(&self) -> usize {
        self.lines
    }

    /// Returns the next piece; the stream ends with the first error.
    pub(super) fn next(&mut self) -> Option<io::Result<Text>> {
        if self.ended {
            return None;
        }
        let text = self.read().transpose();
        self.ended |= !matches!(text, Some(Ok(_)));
        text
    }

    fn read(&mut self) -> io::Result<Option<Text>> {
        if self.language == Language::Undecided && self.begins_json()? {
            return Ok(Some(Text::Json(self.read_json()?)));
        }
        self.language = Language::Yaml;
        let Some(chunk) =
            Chunks::new(&mut self.reader).after_lines(self.lines).next().transpose()?
        else {
            return Ok(None);
        };
        self.offset += chunk.length;
        self.lines += chunk.lines;
        // An empty chunk is the end of the stream.
        Ok((chunk.length > 0).then_some(Text::Yaml(chunk)))
    }

    /// Returns whether the next character is `{`. Whitespace before it is kept, because it may be significant in YAML.
    /// `{{` begins a template, which is read as YAML, so that it gives one error and not one for each brace.
    fn begins_json(&mut self) -> io::Result<bool> {
        let buffer = self.reader.fill_buf()?;
        let buffer = buffer.strip_prefix(b"\xef\xbb\xbf").unwrap_or(buffer);
        let text = buffer.trim_ascii_start();
        Ok(text.starts_with(b"{") && !text.starts_with(b"{{"))
    }

    /// Reads until the braces are balanced.
    fn read_json(&mut self) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        let mut braces = Braces::default();
        loop {
            let buffer = self.reader.fill_buf()?;
            if buffer.is_empty() {
                return Ok(text);
            }
            let end = buffer.iter().position(|byte| braces.count(*byte));
            let taken = buffer.get(..end.map_or(buffer.len(), |end| end + 1)).unwrap_or(buffer);
            text.extend_from_slice(taken);
            let length = taken.len();
            self.lines += newlines(taken);
            self.offset += length as u64;
            self.reader.consume(length);
            if end.is_some() {
                return Ok(text);
            }
        }
    }
}

/// Counts the braces of JSON outside strings.
#[derive(Debug, Default)]
struct Braces {
    open: usize,
    in_string: bool,
    escaped: bool,
}

impl Braces {
    /// Counts the next byte. Returns whether it closes the first brace.
    fn count(&mut self, byte: u8) -> bool {
        if self.escaped {
            self.escaped = false;
            return false;
        }
        match byte {
            b'\\' if self.in_string => self.escaped = true,
            b'"' => self.in_string = !self.in_string,
            _ if self.in_string => {}
            b'{' => self.open += 1,
            b'}' => {
                self.open = self.open.saturating_sub(1);
                return self.open == 0;
            }
            _ => {}
        }
        false
    }
}

impl Text {
    /// Returns the documents of a piece; `lines_before` is the number of lines before it.
    pub(super) fn documents(&self, lines_before: usize) -> Vec<Result<Document, DocumentError>> {
        let bytes = match self {
            Self::Yaml(chunk) => return of_yaml(chunk),
            Self::Json(bytes) => bytes,
        };
        let body = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let white = body.len() - body.trim_ascii_start().len();
        let begin = newlines(body.get(..white).unwrap_or_default());
        let line = lines_before + begin + 1;
        let error = match json::decode(body) {
            Ok(decoded) => {
                return vec![Ok(Document {
                    line,
                    item: None,
                    value: decoded.value,
                    duplicates: decoded.duplicates,
                })];
            }
            Err(error) => error,
        };
        // YAML in flow style begins like JSON.
        let chunk = Chunk::new(bytes.clone(), lines_before);
        let read = of_yaml(&chunk);
        if !read.is_empty() && read.iter().all(Result::is_ok) {
            return read;
        }
        vec![Err(DocumentError { line, column: None, message: error.to_string() })]
    }

    /// Returns the lines of fields of the document that begins on a line.
    pub(super) fn lines(
        &self,
        lines_before: usize,
        item: Option<usize>,
        fields: &[String],
    ) -> Vec<usize> {
        let bytes = match self {
            Self::Json(bytes) => bytes,
            Self::Yaml(chunk) => &chunk.bytes,
        };
        let within = |field: &String| match item {
            Some(item) => format!("items[{item}].{field}"),
            None => field.clone(),
        };
        let fields: Vec<String> = fields.iter().map(within).collect();
        let lines = yaml::lines(bytes, &fields);
        lines.into_iter().map(|line| lines_before + line).collect()
    }

    /// Returns whether the bytes of the piece contain a word.
    pub(super) fn mentions(&self, word: &str) -> bool {
        let bytes = match self {
            Self::Json(bytes) => bytes,
            Self::Yaml(chunk) => &chunk.bytes,
        };
        bytes.windows(word.len()).any(|window| window == word.as_bytes())
    }
}

fn of_yaml(chunk: &Chunk) -> Vec<Result<Document, DocumentError>> {
    let documents = chunk.documents().into_iter();
    documents
        .map(|document| match document {
            Ok(document) => Ok(Document {
                line: document.line,
                item: None,
                value: document.value,
                duplicates: document.duplicates.iter().map(ToString::to_string).collect(),
            }),
            Err(error) => Err(DocumentError {
                line: error.line,
                column: Some(error.column),
                message: error.message,
            }),
        })
        .collect()
}
