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

impl Document {
    /// The objects of a list, or the document itself.
    ///
    /// Source: `k8s.io/cli-runtime/pkg/resource` (`FlattenListVisitor`): a list is what has items.
    pub(in crate::cli) fn flatten(self) -> Vec<Self> {
        let kind = self.value.get("kind").and_then(Value::as_str);
        let is_list = kind.is_some_and(|kind| kind.ends_with("List")) && self.duplicates.is_empty();
        let Self { line, mut value, duplicates } = self;
        match value.get_mut("items").filter(|items| is_list && items.is_array()).map(Value::take) {
            Some(Value::Array(items)) => items
                .into_iter()
                .map(|value| Self { line, value, duplicates: Vec::new() })
                .collect(),
            _ => vec![Self { line, value, duplicates }],
        }
    }
}
