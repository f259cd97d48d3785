//! Equality: cel-go's for values that operations made, the API server's for values over JSON.
//!
//! Source: `cel-go/common/types`, `Equal` of each type; `k8s.io/apiserver/pkg/cel/common/
//! valuesunstructured.go`.

use std::cmp::Ordering;

use super::{List, Map, Value, keyed, order, raw};
use crate::error::EvalError;

/// `a == b`: null is equal to null only; otherwise the left operand decides.
///
/// # Errors
/// Where the left operand is of a type that compares with its own kind only, or an element is not what
/// its declaration says.
pub(crate) fn equal(a: &Value<'_>, b: &Value<'_>) -> Result<bool, EvalError> {
    match (a, b) {
        (Value::Null, Value::Null) => Ok(true),
        (Value::Null, _) | (_, Value::Null) => Ok(false),
        _ => equals(a, b),
    }
}

/// The left operand's own equality, which decides without looking for null first: what is used for
/// the elements of JSON lists, for `in`, and inside optionals.
///
/// # Errors
/// As [`equal`].
#[expect(clippy::float_cmp, reason = "CEL compares doubles exactly")]
pub(crate) fn equals(a: &Value<'_>, b: &Value<'_>) -> Result<bool, EvalError> {
    Ok(match (a, b) {
        (Value::Null, _) => matches!(b, Value::Null),
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Uint(a), Value::Uint(b)) => a == b,
        (Value::Double(a), Value::Double(b)) => a == b,
        (Value::String(a), Value::String(b)) | (Value::Type(a), Value::Type(b)) => **a == **b,
        (Value::Bytes(a), Value::Bytes(b)) => **a == **b,
        (Value::Duration(a), Value::Duration(b)) => a == b,
        (Value::Timestamp(a), Value::Timestamp(b)) => (a.seconds, a.nanos) == (b.seconds, b.nanos),
        (
            Value::Int(_) | Value::Uint(_) | Value::Double(_),
            Value::Int(_) | Value::Uint(_) | Value::Double(_),
        ) => order::numbers(a, b) == Some(Ordering::Equal),
        (Value::List(a), _) => return list_equals(a, b),
        (Value::Map(a), _) => return map_equals(a, b),
        (Value::Optional(a), Value::Optional(b)) => match (a, b) {
            (None, None) => true,
            (Some(a), Some(b)) => return equals(a, b),
            _ => false,
        },
        (Value::Opaque(a), _) => return a.equals(b),
        (Value::Unknown(a), _) => raw::matches(b, a),
        _ => false,
    })
}

fn list_equals(a: &List<'_>, other: &Value<'_>) -> Result<bool, EvalError> {
    let json_backed = a.declared().is_some();
    let Value::List(b) = other else {
        return if json_backed { Err(EvalError::NO_SUCH_OVERLOAD) } else { Ok(false) };
    };
    if a.len() != b.len() {
        return Ok(false);
    }
    match a.declared() {
        Some(decl) => keyed::equals(a, decl, b),
        None => Ok(made_list_equals(a, b)),
    }
}

/// Lists that operations made: only an element that is certainly different counts.
fn made_list_equals(a: &List<'_>, b: &List<'_>) -> bool {
    a.iter().zip(b.iter()).all(|pair| match pair {
        (Ok(a), Ok(b)) => equal(&a, &b) != Ok(false),
        // Upstream: what is wrong with an element is a value too, and differs from most.
        (a, Err(error)) => elements_equal(a, Err(error)) != Ok(false),
        (Err(_), Ok(_)) => true,
    })
}

fn map_equals(a: &Map<'_>, other: &Value<'_>) -> Result<bool, EvalError> {
    let Value::Map(b) = other else {
        return match a {
            Map::Object { .. } | Map::Json { .. } => Err(EvalError::NO_SUCH_OVERLOAD),
            Map::Raw(_) | Map::Owned(_) => Ok(false),
        };
    };
    if a.len() != b.len() {
        return Ok(false);
    }
    match a {
        Map::Object { entries, decl } => {
            for (key, member) in *entries {
                let equal = if decl.property(key).is_some() {
                    found_equal(a.get_str(key), b.get_str(key))?
                } else {
                    // Upstream: an unknown key counts only where both objects have it.
                    match b {
                        Map::Object { entries, .. } | Map::Json { entries, .. } => {
                            entries.get(key).is_none_or(|other| raw::json_equal(member, other))
                        }
                        Map::Raw(_) | Map::Owned(_) => return Err(EvalError::NO_SUCH_OVERLOAD),
                    }
                };
                if !equal {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        Map::Json { entries, .. } => {
            for (key, _) in *entries {
                if !found_equal(a.get_str(key), b.get_str(key))? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        Map::Raw(_) | Map::Owned(_) => made_map_equals(a, b),
    }
}

type Found<'a> = Option<Result<Value<'a>, EvalError>>;

/// Whether a member is absent from both maps, or equal in both.
fn found_equal(a: Found<'_>, b: Found<'_>) -> Result<bool, EvalError> {
    match (a, b) {
        (None, None) => Ok(true),
        (Some(a), Some(b)) => elements_equal(a, b),
        _ => Ok(false),
    }
}

/// Whether elements of JSON lists and maps are equal, either of which may not be what its declaration
/// says. The left one decides: only lists and maps pass on what is wrong with the right one.
pub(super) fn elements_equal(
    a: Result<Value<'_>, EvalError>,
    b: Result<Value<'_>, EvalError>,
) -> Result<bool, EvalError> {
    let a = a?;
    match (b, &a) {
        (Ok(b), _) => equals(&a, &b),
        (Err(error), Value::Map(Map::Object { .. } | Map::Json { .. })) => Err(error),
        (Err(error), Value::List(list)) if list.declared().is_some() => Err(error),
        (Err(_), _) => Ok(false),
    }
}

/// Maps that operations made: only a value that is certainly different counts.
fn made_map_equals(a: &Map<'_>, b: &Map<'_>) -> Result<bool, EvalError> {
    for key in a.keys() {
        let Some(this) = a.get(&key)? else {
            return Ok(false);
        };
        let equal = match b.get(&key) {
            Ok(Some(other)) => equal(&this, &other),
            Ok(None) => return Ok(false),
            // Upstream: what is wrong with a member is a value too, and differs from most.
            Err(error) => elements_equal(Ok(this), Err(error)),
        };
        if equal == Ok(false) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// `x in list`.
///
/// # Errors
/// A JSON list reports the first comparison that had no answer, unless an element is equal.
pub(crate) fn list_contains(list: &List<'_>, item: &Value<'_>) -> Result<bool, EvalError> {
    if list.declared().is_none() {
        return Ok(list
            .iter()
            .any(|element| element.is_ok_and(|element| equals(item, &element) == Ok(true))));
    }
    let mut undecided = None;
    for element in list.iter() {
        match element.and_then(|element| equals(&element, item)) {
            Ok(true) => return Ok(true),
            Ok(false) => {}
            Err(error) => {
                undecided.get_or_insert(error);
            }
        }
    }
    undecided.map_or(Ok(false), Err)
}
