//! Checks the scale subresource. The status subresource has no fields to check.

use crate::field::{Path, Shown, Sink};
use crate::model::Subresources;

/// Checks the JSON paths of the scale subresource.
///
/// Source: `ValidateCustomResourceDefinitionSubresources`.
pub(super) fn check(subresources: Option<&Subresources>, path: &Path<'_>, errors: &mut Sink) {
    let Some(scale) = subresources.and_then(|subresources| subresources.scale.as_ref()) else {
        return;
    };
    let scale_path = path.field("scale");
    for (key, value, below) in [
        ("specReplicasPath", &scale.spec_replicas_path, "spec"),
        ("statusReplicasPath", &scale.status_replicas_path, "status"),
    ] {
        let at = scale_path.field(key);
        if value.is_empty() {
            errors.required(&at, "");
        } else if check_simple_json_path(value, &at, errors) && !is_below(value, below) {
            let detail = format!("should be a json path under .{below}");
            errors.invalid(&at, value.as_str(), detail);
        }
    }
    if let Some(value) = scale.label_selector_path.as_ref().filter(|value| !value.is_empty()) {
        let at = scale_path.field("labelSelectorPath");
        if check_simple_json_path(value, &at, errors)
            && !is_below(value, "spec")
            && !is_below(value, "status")
        {
            let detail = "should be a json path under either .spec or .status";
            errors.invalid(&at, Shown::TypedText(value), detail);
        }
    }
}

fn is_below(json_path: &str, field: &str) -> bool {
    json_path
        .strip_prefix('.')
        .and_then(|rest| rest.strip_prefix(field))
        .is_some_and(|rest| rest.starts_with('.'))
}

/// Checks that a path begins with a dot, and nothing else. Returns whether it does.
///
/// Source: `validateSimpleJSONPath`.
pub(super) fn check_simple_json_path(json_path: &str, path: &Path<'_>, errors: &mut Sink) -> bool {
    if json_path.starts_with('.') {
        return true;
    }
    errors.invalid(path, json_path, "must be a simple json path starting with .");
    false
}
