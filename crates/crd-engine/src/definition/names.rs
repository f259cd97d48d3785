//! Checks the names of a resource.

use crate::field::{Path, Sink};
use crate::model::{self, Names};
use crate::names::dns1035_label;

/// Checks the names that are given.
///
/// Source: `ValidateCustomResourceDefinitionNames`.
pub(super) fn check(names: &Names, path: &Path<'_>, errors: &mut Sink) {
    for (key, name) in [("plural", &names.plural), ("singular", &names.singular)] {
        if !name.is_empty() {
            check_label(name, &path.field(key), errors);
        }
    }
    for (key, kind) in [("kind", &names.kind), ("listKind", &names.list_kind)] {
        let messages = dns1035_label(&model::to_lower(kind));
        if !kind.is_empty() && !messages.is_empty() {
            let detail =
                format!("may have mixed case, but should otherwise match: {}", messages.join(","));
            errors.invalid(&path.field(key), kind.as_str(), detail);
        }
    }
    for (index, name) in names.short_names.iter().enumerate() {
        check_label(name, &path.field("shortNames").index(index), errors);
    }
    if !names.kind.is_empty() && names.kind == names.list_kind {
        let detail = "kind and listKind may not be the same";
        errors.invalid(&path.field("listKind"), names.list_kind.as_str(), detail);
    }
    for (index, category) in names.categories.iter().enumerate() {
        check_label(category, &path.field("categories").index(index), errors);
    }
}

/// Checks that the required names are given.
pub(super) fn check_required(names: &Names, path: &Path<'_>, errors: &mut Sink) {
    for (key, name) in [
        ("plural", &names.plural),
        ("singular", &names.singular),
        ("kind", &names.kind),
        ("listKind", &names.list_kind),
    ] {
        if name.is_empty() {
            errors.required(&path.field(key), "");
        }
    }
}

/// Checks a DNS-1035 label, and reports all its messages as one error.
pub(super) fn check_label(label: &str, path: &Path<'_>, errors: &mut Sink) {
    let messages = dns1035_label(label);
    if !messages.is_empty() {
        errors.invalid(path, label, messages.join(","));
    }
}
