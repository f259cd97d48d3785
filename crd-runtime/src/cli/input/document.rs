//! One document, or why there is none.

use std::fmt;

use serde_json::Value;

/// A document of a file.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::cli) struct Document {
    /// The line on which it begins, counted from 1.
    pub(in crate::cli) line: usize,
    pub(in crate::cli) value: Value,
    /// What is said of keys that stand twice in one map.
    pub(in crate::cli) duplicates: Vec<String>,
}

/// Why a document cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::cli) struct Trouble {
    /// The line, counted from 1; 0 where the file itself cannot be read.
    pub(in crate::cli) line: usize,
    /// The column, in characters, counted from 1.
    pub(in crate::cli) column: Option<usize>,
    pub(in crate::cli) message: String,
}

impl Trouble {
    /// Trouble with a whole file.
    pub(in crate::cli) fn of_file(message: String) -> Self {
        Self { line: 0, column: None, message }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (0, _) => f.write_str(&self.message),
            (line, None) => write!(f, "line {line}: {}", self.message),
            (line, Some(column)) => write!(f, "line {line}, column {column}: {}", self.message),
        }
    }
}
