//! Kubernetes quantities (`1.5Gi`).
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/quantity.go`.

use std::cmp::Ordering;
use std::sync::Arc;

use super::binding::{Binding, parsing};
use super::estimate::Kubernetes;
use super::row::{Row, sig};
use crate::budget::Budget;
use crate::domain::quantity::Quantity;
use crate::error::EvalError;
use crate::value::{Opaque, Value};

type Result<'a> = std::result::Result<Value<'a>, EvalError>;

pub(super) const OVERLOADS: &[Row] = &[
    Row::function(
        "quantity",
        "string_to_quantity",
        sig!((string) -> Quantity),
        parsing(|_, args| match args {
            [Value::String(text)] => match Quantity::parse(text) {
                Ok(quantity) => Ok(value(quantity, false)),
                Err(error) => Err(EvalError::from(error)),
            },
            _ => Err(EvalError::NO_SUCH_OVERLOAD),
        })
        .once(),
    )
    .kubernetes(Kubernetes::Parse)
    .costed_by_name(),
    Row::function(
        "isQuantity",
        "is_quantity_string",
        sig!((string) -> bool),
        parsing(|_, args| match args {
            [Value::String(text)] => Ok(Value::Bool(Quantity::parse(text).is_ok())),
            _ => Err(EvalError::NO_SUCH_OVERLOAD),
        }),
    )
    .kubernetes(Kubernetes::Parse)
    .costed_by_name(),
    Row::function(
        "sign",
        "quantity_sign",
        sig!((Quantity) -> int),
        Binding::new(|_, args| property(args, |q| Ok(Value::Int(q.signum())))),
    ),
    Row::method(
        "isGreaterThan",
        "quantity_is_greater_than",
        sig!((Quantity Quantity) -> bool),
        Binding::new(|_, args| compare(args, |ordering| Value::Bool(ordering.is_gt()))),
    ),
    Row::method(
        "isLessThan",
        "quantity_is_less_than",
        sig!((Quantity Quantity) -> bool),
        Binding::new(|_, args| compare(args, |ordering| Value::Bool(ordering.is_lt()))),
    ),
    Row::method(
        "compareTo",
        "quantity_compare_to",
        sig!((Quantity Quantity) -> int),
        Binding::new(|_, args| compare(args, |ordering| Value::Int(ordering as i64))),
    ),
    Row::method(
        "asApproximateFloat",
        "quantity_get_float",
        sig!((Quantity) -> double),
        Binding::new(|_, args| property(args, |q| Ok(Value::Double(q.approximate())))),
    ),
    Row::method(
        "asInteger",
        "quantity_get_int",
        sig!((Quantity) -> int),
        Binding::new(|_, args| {
            property(args, |q| match q.as_integer() {
                Some(integer) => Ok(Value::Int(integer)),
                None => Err(EvalError::fixed("cannot convert value to integer")),
            })
        }),
    ),
    Row::method(
        "isInteger",
        "quantity_is_integer",
        sig!((Quantity) -> bool),
        Binding::new(|_, args| property(args, |q| Ok(Value::Bool(q.as_integer().is_some())))),
    ),
    Row::method(
        "add",
        "quantity_add",
        sig!((Quantity Quantity) -> Quantity),
        Binding::new(|budget, args| combine(budget, args, Quantity::checked_add)),
    ),
    Row::method(
        "add",
        "quantity_add_int",
        sig!((Quantity int) -> Quantity),
        Binding::new(|budget, args| combine(budget, args, Quantity::checked_add)),
    ),
    Row::method(
        "sub",
        "quantity_sub",
        sig!((Quantity Quantity) -> Quantity),
        Binding::new(|budget, args| combine(budget, args, Quantity::checked_sub)),
    ),
    Row::method(
        "sub",
        "quantity_sub_int",
        sig!((Quantity int) -> Quantity),
        Binding::new(|budget, args| combine(budget, args, Quantity::checked_sub)),
    ),
];

fn value<'a>(quantity: Quantity, computed: bool) -> Value<'a> {
    Value::Opaque(Opaque::Quantity { value: Arc::new(quantity), computed })
}

fn property<'a>(args: &[Value<'a>], property: fn(&Quantity) -> Result<'a>) -> Result<'a> {
    match args {
        [Value::Opaque(Opaque::Quantity { value, .. })] => property(value),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

fn compare<'a>(args: &[Value<'a>], result: fn(Ordering) -> Value<'a>) -> Result<'a> {
    match args {
        [
            Value::Opaque(Opaque::Quantity { value: a, .. }),
            Value::Opaque(Opaque::Quantity { value: b, .. }),
        ] => Ok(result(a.compare(b))),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

fn combine<'a>(
    budget: &mut Budget,
    args: &[Value<'a>],
    operation: fn(&Quantity, &Quantity) -> Option<Quantity>,
) -> Result<'a> {
    let result = match args {
        [
            Value::Opaque(Opaque::Quantity { value: a, .. }),
            Value::Opaque(Opaque::Quantity { value: b, .. }),
        ] => operation(a, b),
        [Value::Opaque(Opaque::Quantity { value: a, .. }), Value::Int(b)] => {
            operation(a, &Quantity::from_integer(*b))
        }
        _ => return Err(EvalError::NO_SUCH_OVERLOAD),
    };
    // The server would write out all digits of a number like 1e99999999.
    let quantity = result.ok_or(EvalError::MEMORY_LIMIT)?;
    // Steps for each byte of the result: both numbers are first scaled to one exponent.
    budget.steps.take(quantity.bytes() as u64)?;
    Ok(value(quantity, true))
}
