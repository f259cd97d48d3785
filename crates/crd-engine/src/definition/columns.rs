//! Printer columns.

use super::subresources::check_simple_json_path;
use crate::field::{Path, Sink};
use crate::model::PrinterColumn;

const TYPES: [&str; 5] = ["boolean", "date", "integer", "number", "string"];

const FORMATS: [&str; 8] =
    ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];

/// Checks printer columns: name, type, format and the form of the JSON path.
///
/// Source: `ValidateCustomResourceColumnDefinition`, which does not parse the path.
pub(super) fn check(columns: &[PrinterColumn], path: &Path<'_>, errors: &mut Sink) {
    for (index, column) in columns.iter().enumerate() {
        let path = path.index(index);
        if column.name.is_empty() {
            errors.required(&path.field("name"), "");
        }
        let type_ = column.type_.as_str();
        if !TYPES.contains(&type_) {
            let at = path.field("type");
            let detail = format!("must be one of {}", TYPES.join(","));
            match type_ {
                "" => errors.required(&at, detail),
                type_ => errors.invalid(&at, type_, detail),
            }
        }
        let format = column.format.as_str();
        if !format.is_empty() && !FORMATS.contains(&format) {
            let detail = format!("must be one of {}", FORMATS.join(","));
            errors.invalid(&path.field("format"), format, detail);
        }
        // Upstream: the path of the error has the name of the Go field.
        let at = path.field("JSONPath");
        if column.json_path.is_empty() {
            errors.required(&at, "");
        } else {
            check_simple_json_path(&column.json_path, &at, errors);
        }
    }
}
