//! Kubernetes quantities (`1.5Gi`).
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/quantity.go`.

use std::cmp::Ordering;
use std::sync::Arc;

use super::Declarations;
use super::bind::{Binding, Call, Cost, traversal};
use crate::budget::Budget;
use crate::domain::quantity::Quantity;
use crate::error::EvalError;
use crate::types::{Type, type_names};
use crate::value::{Opaque, Value};

fn quantity() -> Type {
    Type::object(type_names::QUANTITY)
}

/// Declares the library's functions and types.
pub(crate) fn declare(d: &mut Declarations) {
    d.function("quantity", "string_to_quantity", [Type::String], quantity());
    d.function("isQuantity", "is_quantity_string", [Type::String], Type::Bool);
    d.function("sign", "quantity_sign", [quantity()], Type::Int);
    d.method("isGreaterThan", "quantity_is_greater_than", [quantity(), quantity()], Type::Bool);
    d.method("isLessThan", "quantity_is_less_than", [quantity(), quantity()], Type::Bool);
    d.method("compareTo", "quantity_compare_to", [quantity(), quantity()], Type::Int);
    d.method("asApproximateFloat", "quantity_get_float", [quantity()], Type::Double);
    d.method("asInteger", "quantity_get_int", [quantity()], Type::Int);
    d.method("isInteger", "quantity_is_integer", [quantity()], Type::Bool);
    d.method("add", "quantity_add", [quantity(), quantity()], quantity());
    d.method("add", "quantity_add_int", [quantity(), Type::Int], quantity());
    d.method("sub", "quantity_sub", [quantity(), quantity()], quantity());
    d.method("sub", "quantity_sub_int", [quantity(), Type::Int], quantity());
}

type Result<'a> = std::result::Result<Value<'a>, EvalError>;

/// How the overloads are evaluated.
pub(super) fn bind(overload: &str) -> Option<Binding> {
    let parsing = |call| Binding::new(call).costing(Cost::Of(traversal));
    let call: Call = match overload {
        "string_to_quantity" => {
            return Some(
                parsing(|_, args| match args {
                    [Value::String(text)] => match Quantity::parse(text) {
                        Ok(quantity) => Ok(value(quantity, false)),
                        Err(error) => Err(EvalError::from(error)),
                    },
                    _ => Err(EvalError::NO_SUCH_OVERLOAD),
                })
                .once(),
            );
        }
        "is_quantity_string" => {
            return Some(parsing(|_, args| match args {
                [Value::String(text)] => Ok(Value::Bool(Quantity::parse(text).is_ok())),
                _ => Err(EvalError::NO_SUCH_OVERLOAD),
            }));
        }
        "quantity_sign" => |_, args| property(args, |q| Ok(Value::Int(q.signum()))),
        "quantity_is_integer" => {
            |_, args| property(args, |q| Ok(Value::Bool(q.as_integer().is_some())))
        }
        "quantity_get_int" => |_, args| {
            property(args, |q| match q.as_integer() {
                Some(integer) => Ok(Value::Int(integer)),
                None => Err(EvalError::fixed("cannot convert value to integer")),
            })
        },
        "quantity_get_float" => |_, args| property(args, |q| Ok(Value::Double(q.approximate()))),
        "quantity_is_greater_than" => {
            |_, args| compare(args, |ordering| Value::Bool(ordering.is_gt()))
        }
        "quantity_is_less_than" => {
            |_, args| compare(args, |ordering| Value::Bool(ordering.is_lt()))
        }
        "quantity_compare_to" => |_, args| compare(args, |ordering| Value::Int(ordering as i64)),
        "quantity_add" | "quantity_add_int" => {
            |budget, args| combine(budget, args, Quantity::checked_add)
        }
        "quantity_sub" | "quantity_sub_int" => {
            |budget, args| combine(budget, args, Quantity::checked_sub)
        }
        _ => return None,
    };
    Some(Binding::new(call))
}

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
    // A step for each digit: the numbers are lined up first.
    budget.steps.take(quantity.bytes() as u64)?;
    Ok(value(quantity, true))
}
