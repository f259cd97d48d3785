//! Reads YAML as `kubectl` does, and writes YAML that every parser reads the same.
//!
//! Reading follows sigs.k8s.io/yaml v1.6.0 on go.yaml.in/yaml v2.4.3: YAML 1.1 scalars (`yes`, `0o17`, `017`, `1_000`),
//! merge keys, anchors, keys turned into strings, then Go's JSON, so that `1.0` and `1e3` are integers. Written YAML
//! uses only the syntax on which YAML 1.1 and 1.2 parsers agree. The grammar itself is saphyr-parser's.
//!
//! This module does not build typed values and does not keep comments.

mod build;
#[cfg(feature = "cli")]
mod lines;
mod plain;
mod read;
mod scalar;
mod write;

use std::fmt;

use serde_json::Value;

#[cfg(feature = "cli")]
pub(crate) use lines::lines;
pub use read::documents;
#[cfg(feature = "cli")]
pub(crate) use read::{Chunk, Chunks, newlines};
pub use write::to_string;

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
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for Error {}
