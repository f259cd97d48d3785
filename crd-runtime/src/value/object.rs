//! `minProperties`, `maxProperties`, `properties`, `additionalProperties` and `required`.

use serde_json::{Map, Value};

use super::Walk;
use super::location::Location;
use super::report::{Failure, Fault, Record};
use crate::compiled::{Additional, Node};
use crate::correlate::Correlation;
use crate::json;
use crate::ratchet::is_type_meta;

/// Source: `pkg/validation/validate/object_validator.go`, `objectValidator.Validate`.
pub(super) fn check<R: Record>(
    walk: Walk<'_>,
    node: &Node,
    map: &Map<String, Value>,
    at: &Location<'_>,
    pair: Option<&Correlation<'_>>,
    record: &mut R,
) {
    if let Some(checks) = &node.checks.object {
        let count = i64::try_from(map.len()).unwrap_or(i64::MAX);
        if let Some(min) = checks.min_properties
            && count < min
        {
            record.fail(|| {
                let text = format!("should have at least {min} properties");
                Failure::at(at, &text, Fault::Invalid(count.into()))
            });
        }
        if let Some(max) = checks.max_properties
            && count > max
        {
            record.fail(|| {
                let text = format!("should have at most {max} properties");
                Failure::at(at, &text, Fault::TooMany(count, max))
            });
        }
    }
    if node.properties.is_some() || node.additional != Additional::Absent {
        let sorted = if R::ORDERED { json::sorted(map) } else { None };
        if let Some(sorted) = sorted {
            for (key, value) in sorted {
                entry(walk, node, key, value, at, pair, record);
            }
        } else {
            for (key, value) in map {
                entry(walk, node, key, value, at, pair, record);
                if record.is_decided() {
                    return;
                }
            }
        }
    }
    if let Some(checks) = &node.checks.object {
        for name in &checks.required {
            if !map.contains_key(&**name) {
                record.fail(|| {
                    let name = at.additional(name);
                    Failure::at(&name, "is required", Fault::Required)
                });
            }
        }
    }
}

#[inline]
fn entry<R: Record>(
    walk: Walk<'_>,
    node: &Node,
    key: &str,
    value: &Value,
    at: &Location<'_>,
    pair: Option<&Correlation<'_>>,
    record: &mut R,
) {
    let (id, below) = match (node.property(key), node.additional) {
        (Some(id), _) => (id, at.declared(key)),
        (None, Additional::Schema(id)) => (id, at.additional(key)),
        (None, Additional::Bool(false)) => {
            return record.fail(|| {
                let name = at.render();
                let message = format!("{name}.{key} in body is a forbidden property");
                Failure::new(name, message, Fault::Invalid(key.into()))
            });
        }
        (None, Additional::Bool(true) | Additional::Absent) => return,
    };
    // Upstream: both objects were converted to one version, so that a change of these is not seen.
    let unseen = is_type_meta(key) && at.is_empty();
    let pair = pair.filter(|_| !unseen).and_then(|pair| pair.key(key));
    walk.forgiving(id, value, &below, pair.as_ref(), record);
}
