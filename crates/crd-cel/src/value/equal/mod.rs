//! Equality: that of cel-go for results of operations, and that of the API server for values over
//! JSON.
//!
//! Source: `cel-go/common/types`, `Equal` of each type; `k8s.io/apiserver/pkg/cel/common/
//! valuesunstructured.go`.

mod lists;

use std::cmp::Ordering;

use super::{List, Map, Value, order, raw};
use crate::error::EvalError;
use crate::minors::Change;
use crate::steps::Steps;

/// `a == b`. Null is equal only to null; otherwise the type of the left operand decides how values are
/// compared.
///
/// # Errors
/// If the right operand is of another type and the left operand's type can be compared only with itself; if an element
/// does not match its declaration; or if no steps are left: each pair of elements takes one.
pub(crate) fn equal(a: &Value<'_>, b: &Value<'_>, steps: &mut Steps) -> Result<bool, EvalError> {
    match (a, b) {
        (Value::Null, Value::Null) => Ok(true),
        (Value::Null, _) | (_, Value::Null) => Ok(false),
        _ => equals(a, b, steps),
    }
}

/// The equality of the left operand's type, without the test for null of [`equal`]. It is used for elements of declared
/// lists and maps, for `in` and functions that search lists, and inside optionals.
///
/// # Errors
/// As [`equal`].
#[expect(clippy::float_cmp, reason = "CEL compares doubles exactly")]
pub(crate) fn equals(a: &Value<'_>, b: &Value<'_>, steps: &mut Steps) -> Result<bool, EvalError> {
    Ok(match (a, b) {
        (Value::Null, _) => matches!(b, Value::Null),
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Uint(a), Value::Uint(b)) => a == b,
        (Value::Double(a), Value::Double(b)) => a == b,
        (Value::String(a), Value::String(b)) | (Value::Type(a), Value::Type(b)) => {
            return same(a.as_bytes(), b.as_bytes(), steps);
        }
        (Value::Bytes(a), Value::Bytes(b)) => return same(a, b, steps),
        (Value::Duration(a), Value::Duration(b)) => a == b,
        (Value::Timestamp(a), Value::Timestamp(b)) => (a.seconds, a.nanos) == (b.seconds, b.nanos),
        (
            Value::Int(_) | Value::Uint(_) | Value::Double(_),
            Value::Int(_) | Value::Uint(_) | Value::Double(_),
        ) => order::numbers(a, b) == Some(Ordering::Equal),
        (Value::List(a), _) => return list_equals(a, b, steps),
        (Value::Map(a), _) => return map_equals(a, b, steps),
        (Value::Optional(a), Value::Optional(b)) => match (a, b) {
            (None, None) => true,
            (Some(a), Some(b)) => return equals(a, b, steps),
            _ => false,
        },
        (Value::Opaque(a), _) => return a.equals(b, steps),
        (Value::Unknown(a), _) => return raw::matches(b, a, steps),
        _ => false,
    })
}

/// Whether two texts or bytes are equal.
fn same(a: &[u8], b: &[u8], steps: &mut Steps) -> Result<bool, EvalError> {
    if a.len() != b.len() {
        return Ok(false);
    }
    steps.take_bytes(a.len())?;
    Ok(a == b)
}

fn list_equals(a: &List<'_>, other: &Value<'_>, steps: &mut Steps) -> Result<bool, EvalError> {
    let is_declared = a.declared().is_some() || matches!(a, List::Merged(_));
    let Value::List(b) = other else {
        return if is_declared { Err(EvalError::NO_SUCH_OVERLOAD) } else { Ok(false) };
    };
    if a.len() != b.len() {
        return Ok(false);
    }
    if let List::Merged(merged) = a {
        return lists::merged(merged, b, steps);
    }
    match a.declared() {
        Some(decl) => lists::declared(a, decl, b, steps),
        None => undeclared_list_equals(a, b, steps),
    }
}

/// Compares lists, the left one without a declaration: created by an operation, or plain JSON. They are equal unless a
/// comparison of elements is false: an error counts as equal.
fn undeclared_list_equals(
    a: &List<'_>,
    b: &List<'_>,
    steps: &mut Steps,
) -> Result<bool, EvalError> {
    for (a, b) in a.iter().zip(b.iter()) {
        steps.take(1)?;
        if is_different(undeclared_elements_equal(a, b, steps))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Compares elements of lists and maps, the left one without a declaration; either element may be an error.
///
/// Upstream: an error is a value, too. As a right operand, it differs from all values but declared lists and maps. As a
/// left operand, it differs from null. Other comparisons with it are errors.
fn undeclared_elements_equal(
    a: Result<Value<'_>, EvalError>,
    b: Result<Value<'_>, EvalError>,
    steps: &mut Steps,
) -> Result<bool, EvalError> {
    match (a, b) {
        (Ok(a), Ok(b)) => equal(&a, &b, steps),
        (Err(_), Ok(Value::Null)) => Ok(false),
        (Err(error), _) => Err(error),
        (a, Err(error)) => elements_equal(a, Err(error), steps),
    }
}

/// Whether a comparison is false, and not an error.
///
/// # Errors
/// If the evaluation ends.
fn is_different(equal: Result<bool, EvalError>) -> Result<bool, EvalError> {
    match equal {
        Err(error) if error.ends_evaluation() => Err(error),
        equal => Ok(equal == Ok(false)),
    }
}

/// Whether a comparison is true, and not an error.
///
/// # Errors
/// As [`is_different`].
pub(crate) fn is_equal(equal: Result<bool, EvalError>) -> Result<bool, EvalError> {
    match equal {
        Err(error) if error.ends_evaluation() => Err(error),
        equal => Ok(equal == Ok(true)),
    }
}

fn map_equals(a: &Map<'_>, other: &Value<'_>, steps: &mut Steps) -> Result<bool, EvalError> {
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
                steps.take(1)?;
                let equal = if decl.property(key).is_some() {
                    if member.is_null() && !steps.server_has(Change::NullFieldsAreEqual) {
                        return Ok(false);
                    }
                    found_equal(a.get_str(key), b.get_str(key), steps)?
                } else {
                    // Upstream: an unknown key is compared only if both objects have it.
                    match b {
                        Map::Object { entries, .. } | Map::Json { entries, .. } => {
                            match entries.get(key) {
                                Some(other) => raw::json_equal(member, other, steps)?,
                                None => true,
                            }
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
                steps.take(1)?;
                if !found_equal(a.get_str(key), b.get_str(key), steps)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        Map::Raw(_) | Map::Owned(_) => undeclared_map_equals(a, b, steps),
    }
}

type Found<'a> = Option<Result<Value<'a>, EvalError>>;

/// Whether a member is absent from both maps, or equal in both.
fn found_equal(a: Found<'_>, b: Found<'_>, steps: &mut Steps) -> Result<bool, EvalError> {
    match (a, b) {
        (None, None) => Ok(true),
        (Some(a), Some(b)) => elements_equal(a, b, steps),
        _ => Ok(false),
    }
}

/// Compares elements of declared lists and maps. An element that does not match its declaration is an error. The error
/// of the left element is returned; that of the right one only if the left one is a declared list or map, and otherwise
/// the elements differ.
pub(super) fn elements_equal(
    a: Result<Value<'_>, EvalError>,
    b: Result<Value<'_>, EvalError>,
    steps: &mut Steps,
) -> Result<bool, EvalError> {
    let a = a?;
    match (b, &a) {
        (Ok(b), _) => equals(&a, &b, steps),
        (Err(error), Value::Map(Map::Object { .. } | Map::Json { .. })) => Err(error),
        (Err(error), Value::List(list)) if list.declared().is_some() => Err(error),
        (Err(_), _) => Ok(false),
    }
}

/// Compares maps, the left one without a declaration. They are equal if they have the same keys, unless a comparison of
/// values is false: an error counts as equal.
fn undeclared_map_equals(a: &Map<'_>, b: &Map<'_>, steps: &mut Steps) -> Result<bool, EvalError> {
    for key in a.keys() {
        steps.take(1)?;
        let Some(this) = a.get(&key).transpose() else { return Ok(false) };
        let Some(other) = b.get(&key).transpose() else { return Ok(false) };
        if is_different(undeclared_elements_equal(this, other, steps))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// `x in list`.
///
/// # Errors
/// For a declared list it returns the first error of a comparison, unless an element is equal.
pub(crate) fn list_contains(
    list: &List<'_>,
    item: &Value<'_>,
    steps: &mut Steps,
) -> Result<bool, EvalError> {
    if list.declared().is_none() {
        for element in list.iter() {
            steps.take(1)?;
            if let Ok(element) = element
                && is_equal(equals(item, &element, steps))?
            {
                return Ok(true);
            }
        }
        return Ok(false);
    }
    let mut undecided = None;
    for element in list.iter() {
        steps.take(1)?;
        match element.and_then(|element| equals(&element, item, steps)) {
            Ok(true) => return Ok(true),
            Ok(false) => {}
            Err(error) if error.ends_evaluation() => return Err(error),
            Err(error) => {
                undecided.get_or_insert(error);
            }
        }
    }
    undecided.map_or(Ok(false), Err)
}
