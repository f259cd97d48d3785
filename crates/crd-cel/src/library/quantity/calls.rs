//! Evaluation of Kubernetes quantities (`1.5Gi`).

use crate::budget::Budget;
use crate::domain::quantity::Quantity;
use crate::error::EvalError;
use crate::value::Opaque;
pub(super) use crate::value::Value;
use std::cmp::Ordering;
use std::sync::Arc;

type Result<'a> = std::result::Result<Value<'a>, EvalError>;

pub(super) fn parse<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    match args {
        [Value::String(text)] => match Quantity::parse(text) {
            Ok(quantity) => Ok(value(quantity, false)),
            Err(error) => Err(EvalError::from(error)),
        },
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

pub(super) fn is_valid<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    match args {
        [Value::String(text)] => Ok(Value::Bool(Quantity::parse(text).is_ok())),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

pub(super) fn to_int<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    property(args, |quantity| match quantity.as_integer() {
        Some(integer) => Ok(Value::Int(integer)),
        None => Err(EvalError::fixed("cannot convert value to integer")),
    })
}

pub(super) fn add<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    combine(budget, args, Quantity::checked_add)
}

pub(super) fn subtract<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    combine(budget, args, Quantity::checked_sub)
}

/// A value of CEL. `computed` is true for a sum or a difference.
fn value<'a>(quantity: Quantity, computed: bool) -> Value<'a> {
    Value::Opaque(Opaque::Quantity { value: Arc::new(quantity), computed })
}

pub(super) fn property<'a>(
    args: &[Value<'a>],
    property: fn(&Quantity) -> Result<'a>,
) -> Result<'a> {
    match args {
        [Value::Opaque(Opaque::Quantity { value, .. })] => property(value),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

pub(super) fn compare<'a>(args: &[Value<'a>], result: fn(Ordering) -> Value<'a>) -> Result<'a> {
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
    // The server writes out all digits of a number such as 1e99999999. Here it exceeds the memory limit.
    let quantity = result.ok_or(EvalError::MEMORY_LIMIT)?;
    // A step is taken for each byte of the result, because both numbers are first scaled to one exponent.
    budget.steps.take(quantity.bytes() as u64)?;
    Ok(value(quantity, true))
}
