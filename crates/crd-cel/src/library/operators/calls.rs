//! Evaluation of the standard operators, and `size`.

use crate::budget::Budget;
use crate::error::EvalError;
use crate::library::binding::{Binding, Call, Cost};
use crate::library::costs::{Operand, size, traversed};
use crate::value::{Map, Value, equal, keyed, order};
use std::cmp::Ordering;

type Result<'a> = std::result::Result<Value<'a>, EvalError>;

/// Binds an ordering operator of texts, which costs a traversal of the shorter operand.
pub(super) const fn by_length(call: Call) -> Binding {
    operator(call).costing(Cost::Of(smaller_size))
}

/// Binds a function that checks the types of its operands itself.
pub(super) const fn operator(call: Call) -> Binding {
    Binding::new(call).without_type_guards()
}

const INT_OVERFLOW: EvalError = EvalError::fixed("integer overflow");
const UINT_OVERFLOW: EvalError = EvalError::fixed("unsigned integer overflow");
const DIVISION_BY_ZERO: EvalError = EvalError::fixed("division by zero");
const MODULUS_BY_ZERO: EvalError = EvalError::fixed("modulus by zero");

pub(super) fn joined_size(args: &[Operand<'_, '_>], _: Operand<'_, '_>) -> u64 {
    traversed(args.iter().map(|arg| size(*arg)).sum())
}

fn smaller_size(args: &[Operand<'_, '_>], _: Operand<'_, '_>) -> u64 {
    traversed(args.iter().map(|arg| size(*arg)).min().unwrap_or(1))
}

pub(super) fn list_size(args: &[Operand<'_, '_>], _: Operand<'_, '_>) -> u64 {
    args.get(1).map_or(1, |list| size(*list))
}

/// The error of an operand whose type does not have the operation. For a type with methods, cel-go
/// looks for a method of the operator's name, and the error is that of a missing method.
fn missing<'a>(operand: &Value<'_>, error: &'static str) -> Result<'a> {
    Err(match operand {
        Value::String(_) | Value::Timestamp(_) | Value::Duration(_) => EvalError::NO_SUCH_OVERLOAD,
        _ => EvalError::fixed(error),
    })
}

fn checked<'a, T>(value: Option<T>, wrap: fn(T) -> Value<'a>, overflow: EvalError) -> Result<'a> {
    value.map(wrap).ok_or(overflow)
}

pub(super) fn not<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    match args {
        [Value::Bool(b)] => Ok(Value::Bool(!b)),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

pub(super) fn negate<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    match args {
        [Value::Int(i)] => checked(i.checked_neg(), Value::Int, INT_OVERFLOW),
        [Value::Double(d)] => Ok(Value::Double(-d)),
        [Value::Duration(d)] => d.checked_neg().map(Value::Duration),
        [Value::Bool(_)] => Err(EvalError::NO_SUCH_OVERLOAD),
        [other] => missing(other, "no such overload: -_"),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

pub(super) fn add<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let [a, b] = args else { return Err(EvalError::NO_SUCH_OVERLOAD) };
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => checked(a.checked_add(*b), Value::Int, INT_OVERFLOW),
        (Value::Uint(a), Value::Uint(b)) => checked(a.checked_add(*b), Value::Uint, UINT_OVERFLOW),
        (Value::Double(a), Value::Double(b)) => Ok(Value::Double(a + b)),
        (Value::String(a), Value::String(b)) => {
            budget.allocate(a.len() as u64 + b.len() as u64)?;
            Ok(Value::string([&**a, &**b].concat()))
        }
        (Value::Bytes(a), Value::Bytes(b)) => {
            budget.allocate(a.len() as u64 + b.len() as u64)?;
            Ok(Value::bytes([&**a, &**b].concat()))
        }
        (Value::List(a), Value::List(b)) => keyed::add(budget, a, b),
        (Value::Duration(a), Value::Duration(b)) => a.checked_add(*b).map(Value::Duration),
        (Value::Duration(d), Value::Timestamp(t)) | (Value::Timestamp(t), Value::Duration(d)) => {
            t.checked_add(*d).map(Value::Timestamp)
        }
        (
            Value::Int(_)
            | Value::Uint(_)
            | Value::Double(_)
            | Value::String(_)
            | Value::Bytes(_)
            | Value::List(_)
            | Value::Duration(_)
            | Value::Timestamp(_),
            _,
        ) => Err(EvalError::NO_SUCH_OVERLOAD),
        _ => Err(EvalError::fixed("no such overload: _+_")),
    }
}

pub(super) fn subtract<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let [a, b] = args else { return Err(EvalError::NO_SUCH_OVERLOAD) };
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => checked(a.checked_sub(*b), Value::Int, INT_OVERFLOW),
        (Value::Uint(a), Value::Uint(b)) => checked(a.checked_sub(*b), Value::Uint, UINT_OVERFLOW),
        (Value::Double(a), Value::Double(b)) => Ok(Value::Double(a - b)),
        (Value::Duration(a), Value::Duration(b)) => a.checked_sub(*b).map(Value::Duration),
        (Value::Timestamp(t), Value::Duration(d)) => t.checked_sub(*d).map(Value::Timestamp),
        (Value::Timestamp(a), Value::Timestamp(b)) => a.checked_since(*b).map(Value::Duration),
        (
            Value::Int(_)
            | Value::Uint(_)
            | Value::Double(_)
            | Value::Duration(_)
            | Value::Timestamp(_),
            _,
        ) => Err(EvalError::NO_SUCH_OVERLOAD),
        _ => missing(a, "no such overload: _-_"),
    }
}

pub(super) fn multiply<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let [a, b] = args else { return Err(EvalError::NO_SUCH_OVERLOAD) };
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => checked(a.checked_mul(*b), Value::Int, INT_OVERFLOW),
        (Value::Uint(a), Value::Uint(b)) => checked(a.checked_mul(*b), Value::Uint, UINT_OVERFLOW),
        (Value::Double(a), Value::Double(b)) => Ok(Value::Double(a * b)),
        (Value::Int(_) | Value::Uint(_) | Value::Double(_), _) => Err(EvalError::NO_SUCH_OVERLOAD),
        _ => missing(a, "no such overload: _*_"),
    }
}

pub(super) fn divide<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let [a, b] = args else { return Err(EvalError::NO_SUCH_OVERLOAD) };
    match (a, b) {
        (Value::Int(_), Value::Int(0)) | (Value::Uint(_), Value::Uint(0)) => Err(DIVISION_BY_ZERO),
        (Value::Int(a), Value::Int(b)) => checked(a.checked_div(*b), Value::Int, INT_OVERFLOW),
        (Value::Uint(a), Value::Uint(b)) => checked(a.checked_div(*b), Value::Uint, UINT_OVERFLOW),
        (Value::Double(a), Value::Double(b)) => Ok(Value::Double(a / b)),
        (Value::Int(_) | Value::Uint(_) | Value::Double(_), _) => Err(EvalError::NO_SUCH_OVERLOAD),
        _ => missing(a, "no such overload: _/_"),
    }
}

pub(super) fn modulo<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let [a, b] = args else { return Err(EvalError::NO_SUCH_OVERLOAD) };
    match (a, b) {
        (Value::Int(_), Value::Int(0)) | (Value::Uint(_), Value::Uint(0)) => Err(MODULUS_BY_ZERO),
        (Value::Int(a), Value::Int(b)) => checked(a.checked_rem(*b), Value::Int, INT_OVERFLOW),
        (Value::Uint(a), Value::Uint(b)) => checked(a.checked_rem(*b), Value::Uint, UINT_OVERFLOW),
        (Value::Int(_) | Value::Uint(_), _) => Err(EvalError::NO_SUCH_OVERLOAD),
        _ => missing(a, "no such overload: _%_"),
    }
}

fn ordered<'a>(
    args: &[Value<'a>],
    holds: fn(Ordering) -> bool,
    missing: &'static str,
) -> Result<'a> {
    let [a, b] = args else { return Err(EvalError::NO_SUCH_OVERLOAD) };
    match order::compare(a, b) {
        Some(ordering) => Ok(Value::Bool(holds(ordering?))),
        None => Err(EvalError::fixed(missing)),
    }
}

pub(super) fn less<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    ordered(args, Ordering::is_lt, "no such overload: _<_")
}

pub(super) fn less_equals<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    ordered(args, Ordering::is_le, "no such overload: _<=_")
}

pub(super) fn greater<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    ordered(args, Ordering::is_gt, "no such overload: _>_")
}

pub(super) fn greater_equals<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    ordered(args, Ordering::is_ge, "no such overload: _>=_")
}

pub(super) fn contains<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    match args {
        [item, Value::List(list)] => {
            equal::list_contains(list, item, &mut budget.steps).map(Value::Bool)
        }
        [key, Value::Map(map)] => map_contains(map, key).map(Value::Bool),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

/// `key in map`; a member that does not match its declaration is an error.
fn map_contains(map: &Map<'_>, key: &Value<'_>) -> std::result::Result<bool, EvalError> {
    map.get(key).map(|found| found.is_some())
}

pub(super) fn size_of<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let [operand] = args else { return Err(EvalError::NO_SUCH_OVERLOAD) };
    match operand {
        Value::String(_) | Value::Bytes(_) | Value::List(_) | Value::Map(_) => {
            Ok(Value::Int(i64::try_from(operand.cost_size()).unwrap_or(i64::MAX)))
        }
        _ => missing(operand, "no such overload: size"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::testing::call;

    #[track_caller]
    fn check(overload: &str, args: &[Value<'_>], want: &str) {
        let got = match call(overload, args) {
            Ok(value) => format!("{value:?}"),
            Err(error) => error.to_string(),
        };
        assert_eq!(got, want, "{overload} {args:?}");
    }

    #[test]
    fn integers_overflow_into_errors() {
        check("add_int64", &[Value::Int(i64::MAX), Value::Int(1)], "integer overflow");
        check("subtract_uint64", &[Value::Uint(0), Value::Uint(1)], "unsigned integer overflow");
        check("divide_int64", &[Value::Int(i64::MIN), Value::Int(-1)], "integer overflow");
        check("modulo_int64", &[Value::Int(-7), Value::Int(2)], "Int(-1)");
        check("modulo_int64", &[Value::Int(1), Value::Int(0)], "modulus by zero");
        check("divide_uint64", &[Value::Uint(1), Value::Uint(0)], "division by zero");
        check("divide_double", &[Value::Double(1.0), Value::Double(0.0)], "Double(inf)");
        check("negate_int64", &[Value::Int(i64::MIN)], "integer overflow");
    }

    #[test]
    fn operands_of_other_types() {
        check("add_int64", &[Value::Int(1), Value::Double(1.0)], "no such overload");
        check("add_int64", &[Value::Bool(true), Value::Int(1)], "no such overload: _+_");
        check("subtract_int64", &[Value::str("a"), Value::Int(1)], "no such overload");
        check("subtract_int64", &[Value::Null, Value::Int(1)], "no such overload: _-_");
        check("less_int64", &[Value::none(), Value::Int(1)], "no such overload: _<_");
        check("size_list", &[Value::Int(1)], "no such overload: size");
        check("negate_int64", &[Value::Uint(1)], "no such overload: -_");
    }

    #[test]
    fn sizes_count_code_points() {
        check("size_string", &[Value::str("héé")], "Int(3)");
        check("size_bytes", &[Value::bytes("héé".as_bytes())], "Int(5)");
    }
}
