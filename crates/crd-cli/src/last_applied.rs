//! Definitions that are too large for `kubectl apply` without `--server-side`.

use serde_json::Value;

use super::object_meta::ANNOTATIONS_MAX_BYTES;
use crate::json;

/// The annotation in which `kubectl apply` without `--server-side` stores a copy of the manifest.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Returns a warning if the copy of a manifest does not fit into its annotations.
///
/// Source: kubectl `pkg/util/apply.go`, and `TotalAnnotationSizeLimitB` of apimachinery `pkg/api/validation/objectmeta.go`.
pub(super) fn warning(manifest: &Value) -> Option<String> {
    let copy = json::to_go_string(manifest).len() + "\n".len();
    let annotations = manifest.pointer("/metadata/annotations").and_then(Value::as_object);
    let others = annotations.into_iter().flatten().filter(|(key, _)| *key != LAST_APPLIED);
    let others: usize =
        others.map(|(key, value)| key.len() + value.as_str().map_or(0, str::len)).sum();
    let bytes = others + LAST_APPLIED.len() + copy;
    (bytes > ANNOTATIONS_MAX_BYTES).then(|| {
        format!(
            "`kubectl apply` fails without `--server-side`, because it stores a copy of the manifest in an annotation, \
             and all annotations may not be more than {ANNOTATIONS_MAX_BYTES} bytes: apply it with `--server-side`, or \
             shorten the descriptions with `crds --max-description-length`"
        )
    })
}
