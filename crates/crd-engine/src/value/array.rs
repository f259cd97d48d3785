//! `items`, `minItems`, `maxItems` and `uniqueItems`.

use serde_json::Value;

use super::ValueWalk;
use super::location::Location;
use super::report::{Collect, FailureKind, ValidationFailure, check_count};
use crate::compiled::Node;
use crate::correlate::Correlation;
use crate::field::{BadValue, ErrorKind};
use crate::json;

/// Checks a list and its items.
///
/// Source: `pkg/validation/validate/slice_validator.go`, `schemaSliceValidator.Validate`.
pub(super) fn check<R: Collect>(
    walk: ValueWalk<'_>,
    node: &Node,
    items: &[Value],
    at: &Location<'_>,
    pair: Option<&Correlation<'_>>,
    record: &mut R,
) {
    self::items(walk, node, items, at, pair, record);
    if record.is_decided() {
        return;
    }
    if let Some(checks) = &node.checks.array {
        check_count(items.len(), checks.min_items, checks.max_items, "items", at, record);
        if checks.unique_items && has_duplicates(items) {
            record.fail(ErrorKind::Invalid, || {
                let kind = FailureKind::Invalid(BadValue::from(""));
                ValidationFailure::at(at, format_args!("shouldn't contain duplicates"), kind)
            });
        }
    }
    record.count();
}

/// Validates the items of a list.
#[inline]
pub(super) fn items<R: Collect>(
    walk: ValueWalk<'_>,
    node: &Node,
    items: &[Value],
    at: &Location<'_>,
    pair: Option<&Correlation<'_>>,
    record: &mut R,
) {
    let Some(id) = node.items else { return };
    for (index, item) in items.iter().enumerate() {
        if walk.passes::<R>(id, item) {
            continue;
        }
        let pair = pair.and_then(|pair| pair.index(index));
        walk.with_ratcheting(id, item, &at.index(index), pair.as_ref(), record);
        if record.is_decided() {
            return;
        }
    }
}

/// Compares all pairs, as the server does. The quadratic time does not matter: no valid CRD has `uniqueItems`.
fn has_duplicates(items: &[Value]) -> bool {
    items
        .iter()
        .enumerate()
        .any(|(index, item)| items.iter().take(index).any(|earlier| json::equal(item, earlier)))
}
