//! A document of a file, or the error of reading it.

use std::fmt;

use serde_json::Value;

/// A document of a file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Document {
    /// The line on which it begins, counted from 1.
    pub(crate) line: usize,
    /// Its index, if it is an item of a list that begins on the line.
    pub(crate) item: Option<usize>,
    pub(crate) value: Value,
    /// The errors of duplicate keys.
    pub(crate) duplicates: Vec<String>,
}

/// The reason why a document cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DocumentError {
    /// The line, counted from 1; 0 if the file itself cannot be read.
    pub(crate) line: usize,
    /// The column, in characters, counted from 1.
    pub(crate) column: Option<usize>,
    pub(crate) message: String,
}

impl DocumentError {
    /// Returns the error of reading a file.
    pub(crate) fn of_file(message: String) -> Self {
        Self { line: 0, column: None, message }
    }
}

impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (0, _) => f.write_str(&self.message),
            (line, None) => write!(f, "line {line}: {}", self.message),
            (line, Some(column)) => write!(f, "line {line}, column {column}: {}", self.message),
        }
    }
}

impl Document {
    /// Returns the objects of a list, or the document itself. A list with duplicate keys, without a version, or of the
    /// kind `List` in a version other than `v1` stays one document, which has their errors.
    ///
    /// Source: `FlattenListVisitor` of `k8s.io/cli-runtime/pkg/resource/visitor.go`; for items without a kind, which
    /// get that of the list, `decodeToList` of `k8s.io/apimachinery/pkg/apis/meta/v1/unstructured/helpers.go`.
    ///
    /// Divergence: upstream, any object with `items` is a list. Here, its kind has to end in `List` too, so that a
    /// custom resource with `items` at its root, which the server takes for a list, is one error and not one for each
    /// item.
    pub(crate) fn flatten(self) -> Vec<Self> {
        let text = |key| self.value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let (kind, api_version) = (text("kind"), text("apiVersion"));
        let is_known = !api_version.is_empty() && (kind != "List" || api_version == "v1");
        let item_kind =
            kind.strip_suffix("List").filter(|_| is_known && self.duplicates.is_empty());
        let is_list = item_kind.is_some();
        let of_items =
            item_kind.filter(|kind| !kind.is_empty()).map(|kind| (kind, api_version.as_str()));
        let Self { line, item, mut value, duplicates } = self;
        match value.get_mut("items").filter(|items| is_list && items.is_array()).map(Value::take) {
            Some(Value::Array(items)) => items
                .into_iter()
                .enumerate()
                .map(|(index, mut value)| {
                    complete(&mut value, of_items);
                    Self { line, item: Some(index), value, duplicates: Vec::new() }
                })
                .collect(),
            _ => vec![Self { line, item, value, duplicates }],
        }
    }
}

/// Sets the missing kind and version of an item in a list such as `CronTabList`.
fn complete(item: &mut Value, of_items: Option<(&str, &str)>) {
    let (Some((kind, api_version)), Some(item)) = (of_items, item.as_object_mut()) else { return };
    let is_absent = |key| item.get(key).and_then(Value::as_str).unwrap_or_default().is_empty();
    if is_absent("kind") && is_absent("apiVersion") {
        item.insert("kind".to_owned(), Value::from(kind));
        item.insert("apiVersion".to_owned(), Value::from(api_version));
    }
}
