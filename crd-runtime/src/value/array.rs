//! `items`, `minItems`, `maxItems` and `uniqueItems`.

use serde_json::Value;

use super::Walk;
use super::location::Location;
use super::report::{Failure, Fault, Record};
use crate::compiled::Node;
use crate::correlate::Correlation;
use crate::field::{BadValue, ErrorKind};
use crate::json;

/// Source: `pkg/validation/validate/slice_validator.go`, `schemaSliceValidator.Validate`.
pub(super) fn check<R: Record>(
    walk: Walk<'_>,
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
        let count = i64::try_from(items.len()).unwrap_or(i64::MAX);
        if let Some(min) = checks.min_items
            && count < min
        {
            record.fail(ErrorKind::Invalid, || {
                let text = format!("should have at least {min} items");
                Failure::at(at, &text, Fault::Invalid(count.into()))
            });
        }
        if let Some(max) = checks.max_items
            && count > max
        {
            record.fail(ErrorKind::TooMany, || {
                let text = format!("should have at most {max} items");
                Failure::at(at, &text, Fault::TooMany(count, max))
            });
        }
        if checks.unique_items && has_duplicates(items) {
            record.fail(ErrorKind::Invalid, || {
                let fault = Fault::Invalid(BadValue::from(""));
                Failure::at(at, "shouldn't contain duplicates", fault)
            });
        }
    }
    record.count();
}

/// Validates the items of a list.
#[inline]
pub(super) fn items<R: Record>(
    walk: Walk<'_>,
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
        walk.forgiving(id, item, &at.index(index), pair.as_ref(), record);
        if record.is_decided() {
            return;
        }
    }
}

/// Compares all pairs, as the server does. No valid CRD has `uniqueItems`.
fn has_duplicates(items: &[Value]) -> bool {
    items
        .iter()
        .enumerate()
        .any(|(index, item)| items.iter().take(index).any(|earlier| json::equal(item, earlier)))
}
