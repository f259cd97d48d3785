//! The standard operators, and `size`.
//!
//! Source: `cel-go/common/stdlib/standard.go`; `common/types`, `Add`, `Subtract`, `Compare`, ... of
//! each type, and `overflow.go`. An operator tests its left operand first: if its type does not
//! have the operation, the error names the operator.

use std::cmp::Ordering;

use super::binding::{Binding, Call, Cost};
use super::costs::{Operand, size, traversed};
use super::estimate::{Kubernetes, Standard};
use super::row::{Row, Signature, sig};
use crate::budget::Budget;
use crate::error::EvalError;
use crate::value::{Map, Value, equal, keyed, order};

type Result<'a> = std::result::Result<Value<'a>, EvalError>;

/// Logic and equality.
pub(super) const LOGIC: &[Row] = &[
    Row::node("_?_:_", "conditional", sig!((bool A A) -> A)).standard(Standard::Conditional),
    Row::node("_&&_", "logical_and", sig!((bool bool) -> bool)).standard(Standard::Logic),
    Row::node("_||_", "logical_or", sig!((bool bool) -> bool)).standard(Standard::Logic),
    Row::function("!_", "logical_not", sig!((bool) -> bool), operator(not)),
    Row::node("@not_strictly_false", "not_strictly_false", sig!((bool) -> bool)),
    Row::node("_==_", "equals", sig!((A A) -> bool)).kubernetes(Kubernetes::Equals),
    Row::node("_!=_", "not_equals", sig!((A A) -> bool)).standard(Standard::Compare),
];

/// `+ - * / %` and negation.
pub(super) const ARITHMETIC: &[Row] = &[
    Row::function(
        "_+_",
        "add_bytes",
        sig!((bytes bytes) -> bytes),
        operator(add).costing(Cost::Of(joined_size)),
    )
    .standard(Standard::AddTexts),
    Row::function("_+_", "add_double", sig!((double double) -> double), operator(add)),
    Row::function(
        "_+_",
        "add_duration_duration",
        sig!((duration duration) -> duration),
        operator(add),
    ),
    Row::function(
        "_+_",
        "add_duration_timestamp",
        sig!((duration timestamp) -> timestamp),
        operator(add),
    ),
    Row::function(
        "_+_",
        "add_timestamp_duration",
        sig!((timestamp duration) -> timestamp),
        operator(add),
    ),
    Row::function("_+_", "add_int64", sig!((int int) -> int), operator(add)),
    Row::function("_+_", "add_list", sig!(([A] [A]) -> [A]), operator(add))
        .standard(Standard::AddLists),
    Row::function(
        "_+_",
        "add_string",
        sig!((string string) -> string),
        operator(add).costing(Cost::Of(joined_size)),
    )
    .standard(Standard::AddTexts),
    Row::function("_+_", "add_uint64", sig!((uint uint) -> uint), operator(add)),
    Row::function("_/_", "divide_double", sig!((double double) -> double), operator(divide)),
    Row::function("_/_", "divide_int64", sig!((int int) -> int), operator(divide)),
    Row::function("_/_", "divide_uint64", sig!((uint uint) -> uint), operator(divide)),
    Row::function("_%_", "modulo_int64", sig!((int int) -> int), operator(modulo)),
    Row::function("_%_", "modulo_uint64", sig!((uint uint) -> uint), operator(modulo)),
    Row::function("_*_", "multiply_double", sig!((double double) -> double), operator(multiply)),
    Row::function("_*_", "multiply_int64", sig!((int int) -> int), operator(multiply)),
    Row::function("_*_", "multiply_uint64", sig!((uint uint) -> uint), operator(multiply)),
    Row::function("-_", "negate_double", sig!((double) -> double), operator(negate)),
    Row::function("-_", "negate_int64", sig!((int) -> int), operator(negate)),
    Row::function("_-_", "subtract_double", sig!((double double) -> double), operator(subtract)),
    Row::function(
        "_-_",
        "subtract_duration_duration",
        sig!((duration duration) -> duration),
        operator(subtract),
    ),
    Row::function("_-_", "subtract_int64", sig!((int int) -> int), operator(subtract)),
    Row::function(
        "_-_",
        "subtract_timestamp_duration",
        sig!((timestamp duration) -> timestamp),
        operator(subtract),
    ),
    Row::function(
        "_-_",
        "subtract_timestamp_timestamp",
        sig!((timestamp timestamp) -> duration),
        operator(subtract),
    ),
    Row::function("_-_", "subtract_uint64", sig!((uint uint) -> uint), operator(subtract)),
];

/// The overloads of an ordering operator, across numeric types too: its cost, the end of its id,
/// its operands.
macro_rules! order {
    ($name:literal, $id:literal, $call:path) => {
        order! {
            $name, $id, $call;
            at_once "_bool" bool bool;
            at_once "_int64" int int;
            at_once "_int64_double" int double;
            at_once "_int64_uint64" int uint;
            at_once "_uint64" uint uint;
            at_once "_uint64_double" uint double;
            at_once "_uint64_int64" uint int;
            at_once "_double" double double;
            at_once "_double_int64" double int;
            at_once "_double_uint64" double uint;
            by_length "_string" string string;
            by_length "_bytes" bytes bytes;
            at_once "_timestamp" timestamp timestamp;
            at_once "_duration" duration duration;
        }
    };
    ($name:literal, $id:literal, $call:path; $($row:ident $end:literal $left:tt $right:tt;)*) => {
        &[$($row($name, concat!($id, $end), sig!(($left $right) -> bool), $call)),*]
    };
}

/// An ordering operator with a fixed cost.
const fn at_once(name: &'static str, id: &'static str, signature: Signature, call: Call) -> Row {
    Row::function(name, id, signature, operator(call))
}

/// An ordering operator that costs a traversal of the shorter operand.
const fn by_length(name: &'static str, id: &'static str, signature: Signature, call: Call) -> Row {
    let binding = operator(call).costing(Cost::Of(smaller_size));
    Row::function(name, id, signature, binding).standard(Standard::Compare)
}

pub(super) const LESS: &[Row] = order!("_<_", "less", less);
pub(super) const LESS_EQUALS: &[Row] = order!("_<=_", "less_equals", less_equals);
pub(super) const GREATER: &[Row] = order!("_>_", "greater", greater);
pub(super) const GREATER_EQUALS: &[Row] = order!("_>=_", "greater_equals", greater_equals);

/// Indexing, `in` and `size`.
pub(super) const MEMBERS: &[Row] = &[
    Row::node("_[_]", "index_list", sig!(([A] int) -> A)).standard(Standard::Element),
    Row::node("_[_]", "index_map", sig!(({A B} A) -> B)).standard(Standard::Member),
    Row::function(
        "@in",
        "in_list",
        sig!((A [A]) -> bool),
        operator(contains).costing(Cost::Of(list_size)),
    )
    .standard(Standard::In),
    Row::function("@in", "in_map", sig!((A {A B}) -> bool), operator(contains)),
    Row::function("size", "size_bytes", sig!((bytes) -> int), operator(size_of)),
    Row::method("size", "bytes_size", sig!((bytes) -> int), operator(size_of)),
    Row::function("size", "size_list", sig!(([A]) -> int), operator(size_of)),
    Row::method("size", "list_size", sig!(([A]) -> int), operator(size_of)),
    Row::function("size", "size_map", sig!(({A B}) -> int), operator(size_of)),
    Row::method("size", "map_size", sig!(({A B}) -> int), operator(size_of)),
    Row::function("size", "size_string", sig!((string) -> int), operator(size_of)),
    Row::method("size", "string_size", sig!((string) -> int), operator(size_of)),
];

/// A function that looks at the types of its operands itself.
const fn operator(call: Call) -> Binding {
    Binding::new(call).unguarded()
}

const INT_OVERFLOW: EvalError = EvalError::fixed("integer overflow");
const UINT_OVERFLOW: EvalError = EvalError::fixed("unsigned integer overflow");
const DIVISION_BY_ZERO: EvalError = EvalError::fixed("division by zero");
const MODULUS_BY_ZERO: EvalError = EvalError::fixed("modulus by zero");

fn joined_size(args: &[Operand<'_, '_>], _: Operand<'_, '_>) -> u64 {
    traversed(args.iter().map(|arg| size(*arg)).sum())
}

fn smaller_size(args: &[Operand<'_, '_>], _: Operand<'_, '_>) -> u64 {
    traversed(args.iter().map(|arg| size(*arg)).min().unwrap_or(1))
}

fn list_size(args: &[Operand<'_, '_>], _: Operand<'_, '_>) -> u64 {
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

fn not<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    match args {
        [Value::Bool(b)] => Ok(Value::Bool(!b)),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

fn negate<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    match args {
        [Value::Int(i)] => checked(i.checked_neg(), Value::Int, INT_OVERFLOW),
        [Value::Double(d)] => Ok(Value::Double(-d)),
        [Value::Duration(d)] => d.checked_neg().map(Value::Duration),
        [Value::Bool(_)] => Err(EvalError::NO_SUCH_OVERLOAD),
        [other] => missing(other, "no such overload: -_"),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

fn add<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
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

fn subtract<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
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

fn multiply<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let [a, b] = args else { return Err(EvalError::NO_SUCH_OVERLOAD) };
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => checked(a.checked_mul(*b), Value::Int, INT_OVERFLOW),
        (Value::Uint(a), Value::Uint(b)) => checked(a.checked_mul(*b), Value::Uint, UINT_OVERFLOW),
        (Value::Double(a), Value::Double(b)) => Ok(Value::Double(a * b)),
        (Value::Int(_) | Value::Uint(_) | Value::Double(_), _) => Err(EvalError::NO_SUCH_OVERLOAD),
        _ => missing(a, "no such overload: _*_"),
    }
}

fn divide<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
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

fn modulo<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
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

fn less<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    ordered(args, Ordering::is_lt, "no such overload: _<_")
}

fn less_equals<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    ordered(args, Ordering::is_le, "no such overload: _<=_")
}

fn greater<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    ordered(args, Ordering::is_gt, "no such overload: _>_")
}

fn greater_equals<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    ordered(args, Ordering::is_ge, "no such overload: _>=_")
}

fn contains<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
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

fn size_of<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
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
    use crate::minors::KubernetesVersion;

    #[track_caller]
    fn check(overload: &str, args: &[Value<'_>], want: &str) {
        let binding = crate::library::bound(overload);
        let got =
            match (binding.call)(&mut Budget::new(1_000_000, KubernetesVersion::REFERENCE), args) {
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
