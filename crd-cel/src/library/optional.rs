//! Optional values.
//!
//! `or` and `orValue` evaluate their argument only if they need it: the planner has nodes for them.
//!
//! Source: cel-go `cel/library.go`, `optionalLib`.

use super::binding::Binding;
use super::row::{NamedType, Row, Sig, sig};
use crate::budget::Budget;
use crate::error::EvalError;
use crate::minors::Presence;
use crate::minors::libraries::OPTIONALS_OF_LISTS;
use crate::types::OPTIONAL;
use crate::value::{List, Map, Value};

type Result<'a> = std::result::Result<Value<'a>, EvalError>;

/// The types that have a name.
pub(super) const TYPES: &[NamedType] =
    &[NamedType::new(OPTIONAL, Sig::Opaque(OPTIONAL)).within(Presence::built_since(31))];

pub(super) const OVERLOADS: &[Row] = &[
    Row::function("optional.of", "optional_of", sig!((A) -> (optional A)), Binding::new(of)),
    Row::function(
        "optional.ofNonZeroValue",
        "optional_ofNonZeroValue",
        sig!((A) -> (optional A)),
        Binding::new(of_non_zero),
    ),
    Row::function(
        "optional.none",
        "optional_none",
        sig!(() -> (optional A)),
        Binding::new(|_, _| Ok(Value::none())),
    ),
    Row::method("value", "optional_value", sig!(((optional A)) -> A), Binding::new(value)),
    Row::method(
        "hasValue",
        "optional_hasValue",
        sig!(((optional A)) -> bool),
        Binding::new(has_value),
    ),
    Row::node_method(
        "or",
        "optional_or_optional",
        sig!(((optional A) (optional A)) -> (optional A)),
    ),
    Row::node_method("orValue", "optional_orValue_value", sig!(((optional A) A) -> A)),
    Row::node("_?._", "select_optional_field", sig!((dyn string) -> (optional A))),
    Row::node("_[?_]", "list_optindex_optional_int", sig!(([A] int) -> (optional A))),
    Row::node(
        "_[?_]",
        "optional_list_optindex_optional_int",
        sig!(((optional [A]) int) -> (optional A)),
    ),
    Row::node("_[?_]", "map_optindex_optional_value", sig!(({A B} A) -> (optional B))),
    Row::node(
        "_[?_]",
        "optional_map_optindex_optional_value",
        sig!(((optional {A B}) A) -> (optional B)),
    ),
    Row::node("_[_]", "optional_list_index_int", sig!(((optional [A]) int) -> (optional A))),
    Row::node("_[_]", "optional_map_index_value", sig!(((optional {A B}) A) -> (optional B))),
    Row::method("last", "list_last", sig!(([A]) -> (optional A)), Binding::new(last))
        .within(OPTIONALS_OF_LISTS),
    Row::method("first", "list_first", sig!(([A]) -> (optional A)), Binding::new(first))
        .within(OPTIONALS_OF_LISTS),
    Row::function(
        "optional.unwrap",
        "optional_unwrap",
        sig!(([(optional A)]) -> [A]),
        Binding::new(unwrap),
    )
    .within(OPTIONALS_OF_LISTS),
    Row::method(
        "unwrapOpt",
        "optional_unwrapOpt",
        sig!(([(optional A)]) -> [A]),
        Binding::new(unwrap),
    )
    .within(OPTIONALS_OF_LISTS),
];

/// Go's zero time, the start of the year 1, in seconds since 1970.
const ZERO_TIME: i64 = -62_135_596_800;

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
