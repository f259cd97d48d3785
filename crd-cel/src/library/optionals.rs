//! Evaluation of optional values' functions, and of the map building of two-variable comprehensions.
//!
//! `or` and `orValue` evaluate their argument only where they need it: the planner knows them.
//!
//! Source: `cel-go/cel/library.go`, `optionalLib`; `cel-go/ext/comprehensions.go`, `mapInsert`.

use super::bind::Binding;
use crate::budget::Budget;
use crate::error::EvalError;
use crate::value::{List, Map, OwnedMap, Value, hashable};

type Result<'a> = std::result::Result<Value<'a>, EvalError>;

/// Go's zero time, the start of the year 1, in seconds since 1970.
const ZERO_TIME: i64 = -62_135_596_800;

/// How the overloads declared in `optional.rs` and `two_var.rs` are evaluated.
pub(super) fn bind(overload: &str) -> Option<Binding> {
    Some(match overload {
        "optional_of" => Binding::new(of),
        "optional_ofNonZeroValue" => Binding::new(of_non_zero),
        "optional_none" => Binding::new(|_, _| Ok(Value::none())),
        "optional_value" => Binding::new(value),
        "optional_hasValue" => Binding::new(has_value),
        "list_first" => Binding::new(first),
        "list_last" => Binding::new(last),
        "optional_unwrap" | "optional_unwrapOpt" => Binding::new(unwrap),
        "@mapInsert_map_key_value" => Binding::new(insert).sequential(),
        "@mapInsert_map_map" => Binding::new(insert_all),
        _ => return None,
    })
}

fn one<'v, 'a>(args: &'v [Value<'a>]) -> std::result::Result<&'v Value<'a>, EvalError> {
    args.first().ok_or(EvalError::NO_SUCH_OVERLOAD)
}

fn of<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    one(args).map(|value| Value::some(value.clone()))
}

fn of_non_zero<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let value = one(args)?;
    Ok(if is_zero(value) { Value::none() } else { Value::some(value.clone()) })
}

/// Whether a value is the zero of its type. Lists and maps over declared JSON are never zero, because
/// the API server's types do not say so.
fn is_zero(value: &Value<'_>) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(b) => !b,
        Value::Int(i) => *i == 0,
        Value::Uint(u) => *u == 0,
        Value::Double(d) => *d == 0.0,
        Value::String(text) => text.is_empty(),
        Value::Bytes(bytes) => bytes.is_empty(),
        Value::Duration(d) => d.nanos == 0,
        Value::Timestamp(t) => t.seconds == ZERO_TIME && t.nanos == 0,
        Value::List(list @ (List::Raw(_) | List::Owned(_))) => list.is_empty(),
        Value::Map(map @ (Map::Raw(_) | Map::Owned(_))) => map.is_empty(),
        Value::List(_)
        | Value::Map(_)
        | Value::Type(_)
        | Value::Optional(_)
        | Value::Opaque(_)
        | Value::Unknown(_) => false,
    }
}

fn value<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    match args {
        [Value::Optional(Some(value))] => value.taken_out(),
        [Value::Optional(None)] => Err(EvalError::fixed("optional.none() dereference")),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

fn has_value<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    match args {
        [Value::Optional(value)] => Ok(Value::Bool(value.is_some())),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

fn element<'a>(list: &List<'a>, index: usize) -> Value<'a> {
    list.get(index).map_or_else(Value::none, Value::some_member)
}

fn first<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    match args {
        [Value::List(list)] => Ok(element(list, 0)),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

fn last<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    match args {
        [Value::List(list)] => Ok(element(list, list.len().wrapping_sub(1))),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

fn unwrap<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let [Value::List(list)] = args else { return Err(EvalError::NO_SUCH_OVERLOAD) };
    budget.allocate(list.len() as u64 * size_of::<Value<'_>>() as u64)?;
    let mut items = Vec::new();
    for element in list.iter() {
        match element? {
            Value::Optional(Some(value)) => items.push((*value).clone()),
            Value::Optional(None) => {}
            other => return Err(EvalError::of(format_args!("value {other} is not optional"))),
        }
    }
    Ok(Value::list(items))
}

/// Adds an entry to a map that has no such key yet.
///
/// # Errors
/// If the map has the key.
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

fn insert<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let [Value::Map(map), key, value] = args else { return Err(EvalError::NO_SUCH_OVERLOAD) };
    let mut map = copied(budget, map)?;
    insert_entry(&mut map, key.clone(), value.clone())?;
    Ok(Value::map(map))
}

fn insert_all<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
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
/// If a key is in both.
pub(crate) fn insert_map<'a>(
    map: &mut OwnedMap<'a>,
    added: &Map<'a>,
) -> std::result::Result<(), EvalError> {
    if let Map::Owned(added) = added {
        // Not by key: not every key that is there is found.
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
