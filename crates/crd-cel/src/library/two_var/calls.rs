//! Evaluation of the function that comprehensions of two variables expand to.

use crate::budget::Budget;
use crate::error::EvalError;
use crate::value::{Map, OwnedMap, Value, hashable};

type Result<'a> = std::result::Result<Value<'a>, EvalError>;

/// Adds an entry to a map that has no such key yet.
///
/// # Errors
/// If the map has the key, or the key's type cannot be a map key in Go.
pub(crate) fn insert_entry<'a>(
    map: &mut OwnedMap<'a>,
    key: Value<'a>,
    value: Value<'a>,
) -> std::result::Result<(), EvalError> {
    hashable(&key)?;
    if map.find(&key).is_some() {
        return Err(EvalError::of(format_args!("insert failed: key {key} already exists")));
    }
    map.insert(key, value);
    Ok(())
}

/// A copy of a map that can be added to.
fn copied<'a>(budget: &mut Budget, map: &Map<'a>) -> std::result::Result<OwnedMap<'a>, EvalError> {
    budget.allocate(2 * map.len() as u64 * size_of::<Value<'_>>() as u64)?;
    if let Map::Owned(map) = map {
        return Ok((**map).clone());
    }
    let mut copy = OwnedMap::new();
    for key in map.keys() {
        if let Some(value) = map.get(&key)? {
            copy.insert(key, value);
        }
    }
    Ok(copy)
}

pub(super) fn insert<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let [Value::Map(map), key, value] = args else { return Err(EvalError::NO_SUCH_OVERLOAD) };
    let mut map = copied(budget, map)?;
    insert_entry(&mut map, key.clone(), value.clone())?;
    Ok(Value::map(map))
}

pub(super) fn insert_all<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let [Value::Map(map), Value::Map(added)] = args else {
        return Err(EvalError::NO_SUCH_OVERLOAD);
    };
    let mut map = copied(budget, map)?;
    insert_map(&mut map, added)?;
    Ok(Value::map(map))
}

/// Adds the entries of one map to another.
///
/// # Errors
/// As [`insert_entry`], or if a value does not match its declaration.
pub(crate) fn insert_map<'a>(
    map: &mut OwnedMap<'a>,
    added: &Map<'a>,
) -> std::result::Result<(), EvalError> {
    if let Map::Owned(added) = added {
        // Not by key, because a lookup does not find every key, such as a list.
        return added
            .iter()
            .try_for_each(|(key, value)| insert_entry(map, key.clone(), value.clone()));
    }
    for key in added.keys() {
        if let Some(value) = added.get(&key)? {
            insert_entry(map, key, value)?;
        }
    }
    Ok(())
}
