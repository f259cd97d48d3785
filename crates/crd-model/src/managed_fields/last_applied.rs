//! The annotation in which client-side apply keeps the configuration that it applied last.
//!
//! Source: apimachinery 0.37.2 `pkg/util/managedfields/internal`.

use serde_json::{Map, Value};

use super::compare::FieldComparison;
use super::field_set::FieldSet;
use super::granularity::PlaceType;
use super::{owned, valid};
use crate::json;

/// The manager for which the server reads the annotation of client-side apply.
/// Source: `internal/lastappliedmanager.go`.
pub(super) const KUBECTL: &str = "kubectl";
/// The annotation of client-side apply, with the configuration that was applied last. Source:
/// `internal/lastapplied.go`.
pub(super) const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";
/// The largest size of all annotations together, in bytes. Source: `TotalAnnotationSizeLimitB` of apimachinery
/// `pkg/api/validation`.
const MAX_ANNOTATIONS_BYTES: usize = 256 * (1 << 10);

/// Sets the annotation to the configuration that is applied, if the object has it and kubectl applies.
///
/// Source: `internal/lastappliedupdater.go`.
pub(super) fn update(object: &mut Value, config: &Value, manager: &str) {
    fn annotations_of(object: &mut Value) -> Option<&mut Map<String, Value>> {
        object.get_mut("metadata")?.get_mut("annotations")?.as_object_mut()
    }
    if manager == KUBECTL
        && let Some(annotations) = annotations_of(object)
        && annotations.get(LAST_APPLIED).and_then(Value::as_str).is_some_and(|it| !it.is_empty())
    {
        let mut config = config.clone();
        if let Some(annotations) = annotations_of(&mut config) {
            annotations.remove(LAST_APPLIED);
        }
        let text = format!("{}\n", json::to_go_string(&config));
        annotations.insert(LAST_APPLIED.to_owned(), text.into());
        let bytes =
            |(key, value): (&String, &Value)| key.len() + value.as_str().map_or(0, str::len);
        if annotations.iter().map(bytes).sum::<usize>() > MAX_ANNOTATIONS_BYTES {
            annotations.remove(LAST_APPLIED);
        }
    }
}

/// Returns the fields that a manager may take over from others without `force`.
pub(super) fn taken_over(
    ty: PlaceType<'_>,
    version: &str,
    live: &Value,
    manager: &str,
) -> FieldSet {
    match manager {
        KUBECTL => of_last_applied(ty, version, live).unwrap_or_default(),
        _ => FieldSet::default(),
    }
}

/// Returns the fields that kubectl has set by client-side apply and that nobody has changed since: kubectl may take
/// them over. `None` if the object has no such annotation, or one that cannot be read or is of another version.
///
/// Source: `allowedConflictsFromLastApplied` of `internal/lastappliedmanager.go`.
fn of_last_applied(ty: PlaceType<'_>, version: &str, live: &Value) -> Option<FieldSet> {
    let text = live.get("metadata")?.get("annotations")?.get(LAST_APPLIED)?.as_str()?;
    let last: Value = serde_json::from_str(text).ok()?;
    let is_same = last.get("apiVersion").and_then(Value::as_str) == Some(version);
    if !is_same || !last.is_object() || !valid::is_valid(ty, &last) {
        return None;
    }
    let FieldComparison { removed, modified, added } = FieldComparison::of(ty, &last, live);
    let fields = owned::fields_of(ty, &last);
    Some(fields.difference(&modified).difference(&added).difference(&removed))
}
