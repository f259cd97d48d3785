//! Adds elements and entries, which may be optional, to the values of list and map literals.
//!
//! Source: `cel-go/interpreter/interpretable.go`, `evalList`, `evalMap`.

use super::{OwnedMap, Value, hashable};
use crate::error::EvalError;

/// Adds an element; an optional one only if it has a value.
///
/// # Errors
/// If an element written with `?` is not an optional value.
pub(crate) fn push_element<'v>(
    items: &mut Vec<Value<'v>>,
    element: Value<'v>,
    optional: bool,
) -> Result<(), EvalError> {
    match (optional, element) {
        (false, element) => items.push(element),
        (true, Value::Optional(Some(element))) => items.push((*element).clone()),
        (true, Value::Optional(None)) => {}
        (true, other) => {
            return Err(EvalError::of(format_args!(
                "cannot initialize optional list element from non-optional value {other}"
            )));
        }
    }
    Ok(())
}

/// Sets an entry; an optional one without a value removes it.
///
/// # Errors
/// If the value of an entry written with `?` is not an optional value.
pub(crate) fn push_entry<'v>(
    map: &mut OwnedMap<'v>,
    key: Value<'v>,
    value: Value<'v>,
    optional: bool,
) -> Result<(), EvalError> {
    match (optional, value) {
        (false, value) => {
            hashable(&key)?;
            map.insert(key, value);
        }
        (true, Value::Optional(Some(value))) => {
            hashable(&key)?;
            map.insert(key, (*value).clone());
        }
        (true, Value::Optional(None)) => {
            // Upstream: removing a key that cannot be hashed panics, with another text than adding it.
            if hashable(&key).is_err() {
                let ty = key.go_type();
                return Err(EvalError::internal(&format_args!("hash of unhashable type: {ty}")));
            }
            map.remove(&key);
        }
        (true, other) => {
            return Err(EvalError::of(format_args!(
                "cannot initialize optional entry '{key}' from non-optional value {other}"
            )));
        }
    }
    Ok(())
}
