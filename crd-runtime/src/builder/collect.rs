//! Collects the printer columns and selectable fields that attributes of fields add, from the root down.

use crate::model::{JsonSchemaProps, PrinterColumn, SelectableField};

/// The columns and selectable fields, in the order of the fields.
#[derive(Debug, Default)]
pub(crate) struct Collected {
    pub(crate) columns: Vec<PrinterColumn>,
    pub(crate) selectable: Vec<SelectableField>,
}

/// The attribute `print_column(..)`. Name, type and path that are not given follow from the field.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// The heading.
    pub name: Option<&'static str>,
    /// The column's type.
    pub type_: Option<&'static str>,
    /// The JSON path.
    pub path: Option<&'static str>,
    /// The description, which documentation tools show.
    pub description: Option<&'static str>,
    /// An OpenAPI format.
    pub format: Option<&'static str>,
    /// The priority. Columns with a priority above 0 are shown only with `-o wide`.
    pub priority: i32,
}

impl Column {
    /// A column without any key.
    pub const NONE: Self =
        Self { name: None, type_: None, path: None, description: None, format: None, priority: 0 };

    pub(crate) fn build(self) -> PrinterColumn {
        let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
        PrinterColumn {
            name: text(self.name),
            type_: text(self.type_),
            format: text(self.format),
            description: text(self.description),
            priority: self.priority,
            json_path: text(self.path),
        }
    }
}

/// Formats that a column may have.
///
/// Source: `pkg/apis/apiextensions/validation/validation.go`, `printerColumnDatatypes` and
/// `customResourceColumnDefinitionFormats`.
const COLUMN_FORMATS: [&str; 8] =
    ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];

impl Collected {
    /// Adds the column of the field `name` of the object at `at`.
    pub(crate) fn column(
        &mut self,
        at: &str,
        name: &str,
        schema: &JsonSchemaProps,
        column: Column,
    ) {
        let mut column = column.build();
        if column.name.is_empty() {
            column.name = heading(name);
        }
        if column.json_path.is_empty() {
            column.json_path = Self::below(at, name);
        }
        if column.type_.is_empty() {
            let date = schema.type_ == "string" && schema.format == "date-time";
            let type_ = match schema.type_.as_str() {
                "string" if date => "date",
                scalar @ ("integer" | "number" | "boolean") => scalar,
                // Upstream: a `string` column prints any JSON.
                _ => "string",
            };
            type_.clone_into(&mut column.type_);
            if column.format.is_empty() && !date && COLUMN_FORMATS.contains(&&*schema.format) {
                column.format.clone_from(&schema.format);
            }
        }
        self.columns.push(column);
    }

    /// Adds the selectable field `name` of the object at `at`.
    pub(crate) fn selectable(&mut self, at: &str, name: &str) {
        self.selectable.push(SelectableField { json_path: Self::below(at, name) });
    }

    /// Returns the path of the field `name` of the object at `at`.
    pub(crate) fn below(at: &str, name: &str) -> String {
        format!("{at}{}", segment(name))
    }
}

/// Returns `.name`, or `.na\.me` for a name with a dot. Brackets are no alternative, because kubectl splits a name in
/// brackets at its dots too.
///
/// Source: `k8s.io/client-go/util/jsonpath/parser.go`, `parseField` and `isTerminator`.
pub(super) fn segment(name: &str) -> String {
    let mut segment = String::from(".");
    for c in name.chars() {
        if c.is_whitespace() || matches!(c, '.' | ',' | '[' | ']' | '$' | '@' | '{' | '}') {
            segment.push('\\');
        }
        segment.push(c);
    }
    segment
}

/// Turns `lastSchedule` and `last_schedule` into `Last Schedule`. kubectl prints headings in upper case, so the words
/// of `lastSchedule` would run together.
fn heading(name: &str) -> String {
    let mut heading = String::new();
    let mut start = true;
    let mut after_upper = false;
    for c in name.chars() {
        if matches!(c, '_' | '-' | '.' | ' ') {
            start = true;
            continue;
        }
        let new_word = start || (c.is_uppercase() && !after_upper);
        if new_word && !heading.is_empty() {
            heading.push(' ');
        }
        if start {
            heading.extend(c.to_uppercase());
        } else {
            heading.push(c);
        }
        after_upper = c.is_uppercase();
        start = false;
    }
    heading
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_words() {
        for (name, want) in [
            ("replicas", "Replicas"),
            ("cronSpec", "Cron Spec"),
            ("last_schedule", "Last Schedule"),
            ("clusterIP", "Cluster IP"),
        ] {
            assert_eq!(heading(name), want);
        }
    }

    #[test]
    fn dots_in_names_are_escaped_in_paths() {
        assert_eq!(segment("cronSpec"), ".cronSpec");
        assert_eq!(segment("a.b/c-d"), ".a\\.b/c-d");
    }
}
