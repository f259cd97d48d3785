//! The locations of reported fields, in files and in Rust source.

use std::fmt;

use serde_json::Value;

/// A line of a file, counted from 1; 0 for the file as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileLine {
    pub(super) file: String,
    pub(super) line: usize,
}

/// Lines 0 and 1 are not printed: most files hold one document, which begins at line 1.
impl fmt::Display for FileLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 | 1 => f.write_str(&self.file),
            line => write!(f, "{}:{line}", self.file),
        }
    }
}

/// Returns the number of the line of a byte, from 1.
pub(super) fn line_of(text: &str, at: usize) -> usize {
    text.get(..at).unwrap_or(text).matches('\n').count() + 1
}

/// A place in Rust source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Origin {
    /// The text shown: `operator::CronTabSpec.replicas (src/crontab.rs:14)`.
    pub(super) text: String,
    /// The line of the field, or else the file of the type.
    pub(super) place: FileLine,
}

/// The location of a field of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct FieldLocation {
    /// The line of the field, or of the closest field that contains it; 0 if there is no file, or lines are not shown.
    pub(super) line: usize,
    /// The field's place in Rust source, for a derived kind.
    pub(super) origin: Option<Origin>,
}

impl FieldLocation {
    /// Returns the reported place: in Rust source, or else the line of the field, or else the document.
    pub(super) fn place(&self, document: &FileLine) -> FileLine {
        match (&self.origin, self.line) {
            (Some(origin), _) => origin.place.clone(),
            (None, 0) => document.clone(),
            (None, line) => FileLine { line, ..document.clone() },
        }
    }

    /// Returns a text, and below it the place in Rust.
    pub(super) fn below(&self, text: String) -> String {
        match &self.origin {
            Some(origin) => format!("{text}\n  at {}", origin.text),
            None => text,
        }
    }

    /// Adds the line and the place in Rust to an object of JSON output.
    pub(super) fn add_to(&self, object: &mut Value) {
        if self.line > 0 {
            object["line"] = self.line.into();
        }
        if let Some(origin) = &self.origin {
            object["at"] = origin.text.as_str().into();
        }
    }
}
