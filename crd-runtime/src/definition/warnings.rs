//! What the server warns of.

use std::collections::BTreeSet;

use crd_cel::gofmt;

use super::internal::Internal;
use super::search;
use crate::compiled::is_format_of_type;

/// Source: `strategy.WarningsOnCreate`.
pub(super) fn of_create(crd: &Internal<'_>) -> Vec<String> {
    unrecognized_formats(crd).into_iter().map(text).collect()
}

/// Source: `strategy.WarningsOnUpdate`.
pub(super) fn of_update(crd: &Internal<'_>, old: &Internal<'_>) -> Vec<String> {
    let old: BTreeSet<&str> = unrecognized_formats(old).into_iter().collect();
    unrecognized_formats(crd).into_iter().filter(|format| !old.contains(format)).map(text).collect()
}

fn text(format: &str) -> String {
    format!("unrecognized format {}", gofmt::quote(format))
}

/// Every format that its type does not know, as often as it stands.
fn unrecognized_formats<'a>(crd: &Internal<'a>) -> Vec<&'a str> {
    let mut formats = Vec::new();
    for schema in crd.schemas() {
        search::each(schema, &mut |schema| {
            if !schema.format.is_empty() && !is_format_of_type(&schema.format, &schema.type_) {
                formats.push(schema.format.as_str());
            }
        });
    }
    formats
}
