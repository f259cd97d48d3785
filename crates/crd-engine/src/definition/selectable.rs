//! Checks `selectableFields`.

use std::collections::BTreeSet;

use crate::field::{Path, Sink};
use crate::model::SelectableField;
use crate::schema::{Notation, Structural, resolve};

/// The largest number of selectable fields of a version. Source: `MaxSelectableFields`.
pub(super) const MAX_SELECTABLE_FIELDS: usize = 8;

/// Checks the selectable fields of a version. `may_be_many` allows more than
/// [`MAX_SELECTABLE_FIELDS`].
///
/// Source: `ValidateCustomResourceSelectableFields`.
///
/// Divergence: without a structural schema the server panics on any path; here no path is valid.
pub(super) fn check(
    fields: &[SelectableField],
    schema: Option<&Structural>,
    may_be_many: bool,
    path: &Path<'_>,
    errors: &mut Sink,
) {
    let mut seen = BTreeSet::new();
    for (index, field) in fields.iter().enumerate() {
        let item = path.index(index);
        let at = item.field("jsonPath");
        let json_path = field.json_path.as_str();
        if json_path.is_empty() {
            errors.required(&at, "");
            continue;
        }
        let resolved = match resolve(json_path, schema, Notation::Dots) {
            Ok(resolved) => resolved,
            Err(error) => {
                let detail = format!("is an invalid path: {error}");
                errors.invalid(&at, json_path, detail);
                continue;
            }
        };
        if resolved.first.as_deref() == Some("metadata") {
            let detail = "must not point to fields in metadata";
            errors.invalid(&at, json_path, detail);
        }
        let type_ = resolved.schema.map(|schema| schema.generic.type_.as_str());
        if !matches!(type_, Some("string" | "boolean" | "integer")) {
            let detail = "must point to a field of type string, boolean or integer. Enum string \
                          fields and strings with formats are allowed.";
            errors.invalid(&at, json_path, detail);
        }
        if !seen.insert(resolved.path) {
            errors.duplicate(&at, json_path);
        }
    }
    if seen.len() > MAX_SELECTABLE_FIELDS && !may_be_many {
        let count = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        errors.too_many(path, count(seen.len()), count(MAX_SELECTABLE_FIELDS));
    }
}
