//! YAML as `kubectl` reads it, and YAML that every parser reads back.
//!
//! Reading follows sigs.k8s.io/yaml v1.6.0 on go.yaml.in/yaml v2.4.3: YAML 1.1 scalars (`yes`, `0o17`, `017`,
//! `1_000`), merge keys, anchors, keys turned into strings, then Go's JSON, so that `1.0` and `1e3` are integers.
//! Writing keeps to what YAML 1.1 and 1.2 parsers agree on. The grammar itself is saphyr-parser's.
//!
//! It deliberately does not build typed values and does not keep comments.

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

/// Deepest nesting that is read, in containers: as deep as JSON is.
pub const MAX_DEPTH: usize = crate::json::MAX_DEPTH;

/// One document of a stream.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Document {
    /// The line on which the document begins, counted from 1.
    pub line: usize,
    /// What it says, as JSON.
    pub value: Value,
    /// Keys that stand more than once in one mapping; the last one counts in `value`.
    pub duplicates: Vec<Duplicate>,
}

/// A key that stands again in one mapping.
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

/// Why a document cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Error {
    /// Line, counted from 1.
    pub line: usize,
    /// Column, in characters, counted from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for Error {}
