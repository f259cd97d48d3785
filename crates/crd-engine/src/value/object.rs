//! `minProperties`, `maxProperties`, `properties`, `additionalProperties` and `required`.

use serde_json::{Map, Value};

use super::ValueWalk;
use super::location::Location;
use super::report::{Collect, FailureKind, ValidationFailure, check_count};
use crate::compiled::{Additional, Node};
use crate::correlate::Correlation;
use crate::field::ErrorKind;
use crate::json;
use crate::ratchet::is_type_meta;

/// Checks an object and its values.
///
/// Source: `pkg/validation/validate/object_validator.go`, `objectValidator.Validate`.
pub(super) fn check<R: Collect>(
    walk: ValueWalk<'_>,
    node: &Node,
    map: &Map<String, Value>,
    at: &Location<'_>,
    pair: Option<&Correlation<'_>>,
    record: &mut R,
) {
    if let Some(checks) = &node.checks.object {
        let (min, max) = (checks.min_properties, checks.max_properties);
        check_count(map.len(), min, max, "properties", at, record);
    }
    let found = properties(walk, node, map, at, pair, record);
    if record.is_decided() {
        return;
    }
    if let Some(checks) = &node.checks.object {
        // PERF: required properties found above need no search.
        if node.properties.as_ref().is_some_and(|properties| properties.has_required(found)) {
            return;
        }
        for name in &checks.required {
            if !map.contains_key(&**name) {
                record.fail(ErrorKind::Required, || {
                    let name = at.additional(name);
                    ValidationFailure::at(&name, format_args!("is required"), FailureKind::Required)
                });
            }
        }
    }
}

/// Validates the values of an object. Returns the number of its keys that are required properties.
#[inline]
pub(super) fn properties<R: Collect>(
    walk: ValueWalk<'_>,
    node: &Node,
    map: &Map<String, Value>,
    at: &Location<'_>,
    pair: Option<&Correlation<'_>>,
    record: &mut R,
) -> usize {
    let mut found = 0;
    if node.properties.is_none() && node.additional == Additional::Absent {
        return found;
    }
    let sorted = if R::ORDERED { json::sorted(map) } else { None };
    if let Some(sorted) = sorted {
        for (key, value) in sorted {
            found += usize::from(entry(walk, node, key, value, at, pair, record));
        }
    } else {
        for (key, value) in map {
            found += usize::from(entry(walk, node, key, value, at, pair, record));
            if record.is_decided() {
                return found;
            }
        }
    }
    found
}

/// Validates one value. Returns whether its key is a required property.
#[inline]
fn entry<R: Collect>(
    walk: ValueWalk<'_>,
    node: &Node,
    key: &str,
    value: &Value,
    at: &Location<'_>,
    pair: Option<&Correlation<'_>>,
    record: &mut R,
) -> bool {
    let declared = node.properties.as_ref().and_then(|properties| properties.find(key));
    let id = match (declared, node.additional) {
        (Some(declared), _) => declared.id,
        (None, Additional::Schema(id)) => id,
        (None, Additional::Bool(false)) => {
            record.fail(ErrorKind::Invalid, || {
                let name = at.render();
                let message = format!("{name}.{key} in body is a forbidden property");
                ValidationFailure::new(name, message, FailureKind::Invalid(key.into()))
            });
            return false;
        }
        (None, Additional::Bool(true) | Additional::Absent) => return false,
    };
    if !walk.passes::<R>(id, value) {
        let below = if declared.is_some() { at.declared(key) } else { at.additional(key) };
        // Upstream: `apiVersion` and `kind` of the root are not ratcheted. Both objects have been converted to one
        // version, so a change of these fields is not visible.
        let pair = pair.filter(|_| !(is_type_meta(key) && at.is_empty()));
        let pair = pair.and_then(|pair| pair.key(key));
        walk.with_ratcheting(id, value, &below, pair.as_ref(), record);
    }
    declared.is_some_and(|declared| declared.required)
}
