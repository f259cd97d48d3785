//! Evaluation of optional values.

use crate::budget::Budget;
use crate::error::EvalError;
pub(super) use crate::value::Value;
use crate::value::{List, Map, Opaque};

type Result<'a> = std::result::Result<Value<'a>, EvalError>;

/// Go's zero time, the start of the year 1, in seconds since 1970.
const ZERO_TIME: i64 = -62_135_596_800;

fn one<'v, 'a>(args: &'v [Value<'a>]) -> std::result::Result<&'v Value<'a>, EvalError> {
    args.first().ok_or(EvalError::NO_SUCH_OVERLOAD)
}

pub(super) fn of<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    one(args).map(|value| Value::some(value.clone()))
}

pub(super) fn of_non_zero<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let value = one(args)?;
    Ok(if is_zero(value) { Value::none() } else { Value::some(value.clone()) })
}

/// Whether a value is the zero of its type. Lists and maps over declared JSON are never zero,
/// because the API server's types do not implement cel-go's test for zero.
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
        Value::Opaque(Opaque::Constructed(object)) => object.is_zero(),
        Value::List(_)
        | Value::Map(_)
        | Value::Type(_)
        | Value::Optional(_)
        | Value::Opaque(_)
        | Value::Unknown(_) => false,
    }
}

pub(super) fn value<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    match args {
        [Value::Optional(Some(value))] => value.taken_out(),
        [Value::Optional(None)] => Err(EvalError::fixed("optional.none() dereference")),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

pub(super) fn has_value<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    match args {
        [Value::Optional(value)] => Ok(Value::Bool(value.is_some())),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

fn element<'a>(list: &List<'a>, index: usize) -> Value<'a> {
    list.get(index).map_or_else(Value::none, Value::some_member)
}

pub(super) fn first<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    match args {
        [Value::List(list)] => Ok(element(list, 0)),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

pub(super) fn last<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    match args {
        [Value::List(list)] => Ok(element(list, list.len().wrapping_sub(1))),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

pub(super) fn unwrap<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
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
