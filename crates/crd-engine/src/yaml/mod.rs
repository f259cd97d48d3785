//! Reads YAML as `kubectl` does, and writes YAML that every parser reads the same.
//!
//! Reading follows sigs.k8s.io/yaml v1.6.0 on go.yaml.in/yaml v2.4.4: libyaml's grammar of YAML 1.1, its scalars (`yes`, `0o17`,
//! `017`, `1_000`), merge keys, anchors, keys turned into strings, then Go's JSON, so that `1.0` and `1e3` are integers.
//! What is rejected is rejected with the same text. Written YAML uses only the syntax on which YAML 1.1 and 1.2 parsers
//! agree.
//!
//! This module does not build typed values and does not keep comments.

mod compose;
mod decode;
mod go_value;
mod lines;
mod plain;
mod read;
mod scalar;
mod scan;
mod timestamp;
mod write;

use std::fmt;

use serde_json::Value;

use scan::Mark;

pub use lines::lines;
pub use read::{Chunk, Chunks, newlines};
pub use read::{document, documents};
#[doc(hidden)]
pub use write::to_answer;
pub use write::{to_documents, to_string};

/// The deepest nesting that is read, in containers, as for JSON.
pub const MAX_DEPTH: usize = crate::json::MAX_DEPTH;

/// One document of a stream.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Document {
    /// The line on which the document begins, counted from 1.
    pub line: usize,
    /// Its value as JSON.
    pub value: Value,
    /// Duplicate keys of mappings; `value` has the last one.
    pub duplicates: Vec<Duplicate>,
    /// The duplicate keys as go-yaml's strict decoding reports them: also the keys that a merge sets again, and those
    /// of an anchor once more for each alias. The lines are those of the values, counted from the beginning of the
    /// document's text.
    pub strict_errors: Vec<String>,
}

/// A duplicate key of a mapping.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Duplicate {
    /// Line of the repetition, counted from 1.
    pub line: usize,
    /// Column of the repetition, in characters, counted from 1.
    pub column: usize,
    /// The key.
    pub key: String,
}

impl fmt::Display for Duplicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}, column {}: key {:?} already set in map",
            self.line, self.column, self.key
        )
    }
}

/// The reason why a document cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Error {
    /// Line, counted from 1.
    pub line: usize,
    /// Column, in characters, counted from 1.
    pub column: usize,
    /// The message.
    pub message: String,
    /// The place as go-yaml reports it, and the name of the package that reports it.
    reported: String,
}

impl Error {
    /// Returns an error of the scanner, which upstream reports with its line, except for the first one.
    fn scanning(mark: Mark, message: &str) -> Self {
        let line = if mark.line == 0 { String::new() } else { format!("line {}: ", mark.line + 1) };
        Self { reported: format!("yaml: {line}"), ..Self::at(mark, message.to_owned()) }
    }

    /// Returns an error of the grammar, which upstream reports with the line before.
    fn parsing(mark: Mark, message: &str) -> Self {
        let line = if mark.line == 0 { String::new() } else { format!("line {}: ", mark.line) };
        Self { reported: format!("yaml: {line}"), ..Self::at(mark, message.to_owned()) }
    }

    /// Returns an error of bytes that are not text, which upstream reports without a line.
    fn reading(mark: Mark, message: &str) -> Self {
        Self::decoding(mark, message.to_owned())
    }

    /// Returns an error of nodes, which upstream reports without a line.
    fn decoding(mark: Mark, message: String) -> Self {
        Self { reported: "yaml: ".to_owned(), ..Self::at(mark, message) }
    }

    /// Returns an error of a value that JSON does not have.
    fn converting(mark: Mark, message: String) -> Self {
        Self::at(mark, message)
    }

    fn at(mark: Mark, message: String) -> Self {
        Self { line: mark.line + 1, column: mark.column + 1, message, reported: String::new() }
    }

    /// Returns the text that `kubectl` and the API server print: `yaml: line 3: could not find expected ':'`.
    ///
    /// Its line is counted from the beginning of the document's text.
    pub fn go_text(&self) -> String {
        format!("{}{}", self.reported, self.message)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for Error {}
