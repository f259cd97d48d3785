//! Calls of functions: arguments, choice of the overload, cost.
//!
//! Source: `cel-go/interpreter/interpretable.go`, `evalUnary`, `evalBinary`, `evalVarArgs`;
//! `cel-go/common/decls/decls.go`, `Bindings`.

use super::{Evaluated, Machine};
use crate::budget::Budget;
use crate::error::EvalError;
use crate::library::bind::{Call as Function, Cost, Operand};
use crate::plan::{Call, Node};
use crate::types::Type;
use crate::value::Value;

/// Calls of so many arguments need no allocation for them.
const FEW: usize = 3;

impl<'v> Machine<'_, 'v> {
    pub(super) fn call(&mut self, call: &'v Call) -> Evaluated<'v> {
        match &call.args[..] {
            [arg] => self.unary(call, arg),
            [a, b] if !call.sequential => self.binary(call, a, b),
            args => self.variadic(call, args),
        }
    }

    fn unary(&mut self, call: &'v Call, arg: &'v Node) -> Evaluated<'v> {
        match self.operand(arg)? {
            Ok(value) => {
                let args = [value];
                let result = dispatch(&mut self.budget, call, &args);
                let [value] = &args;
                self.paid(result, |result| call.cost.of(&[Some(value)], result))
            }
            // Upstream: a call whose argument is an error is paid for all the same.
            Err(error) => self.paid(Err(error), |_| call.cost.of(&[None], None)),
        }
    }

    fn binary(&mut self, call: &'v Call, a: &'v Node, b: &'v Node) -> Evaluated<'v> {
        match (self.operand(a)?, self.operand(b)?) {
            (Ok(a), Ok(b)) => {
                let args = [a, b];
                let result = dispatch(&mut self.budget, call, &args);
                let [a, b] = &args;
                self.paid(result, |result| call.cost.of(&[Some(a), Some(b)], result))
            }
            (a, b) => self.without_value(call.cost, a, b),
        }
    }

    /// A function of two operands, which may be errors.
    #[inline(never)]
    pub(super) fn apply(
        &mut self,
        function: Function,
        cost: Cost,
        a: Evaluated<'v>,
        b: Evaluated<'v>,
    ) -> Evaluated<'v> {
        match (a, b) {
            (Ok(a), Ok(b)) => {
                let args = [a, b];
                let result = function(&mut self.budget, &args);
                let [a, b] = &args;
                self.paid(result, |result| cost.of(&[Some(a), Some(b)], result))
            }
            (a, b) => self.without_value(cost, a, b),
        }
    }

    /// A call of two operands of which at least one is an error: the first is the result.
    #[inline(never)]
    fn without_value(&mut self, cost: Cost, a: Evaluated<'v>, b: Evaluated<'v>) -> Evaluated<'v> {
        self.budget.charge(cost.of(&[a.as_ref().ok(), b.as_ref().ok()], None)?)?;
        a.and(b)
    }

    /// Any number of arguments. The first error ends the call, and unless that was the last argument
    /// nothing is paid.
    fn variadic(&mut self, call: &'v Call, args: &'v [Node]) -> Evaluated<'v> {
        let mut few = [const { Value::Null }; FEW];
        match few.get_mut(..args.len()) {
            Some(values) => self.variadic_into(call, args, values),
            None => self.variadic_into(call, args, &mut vec![Value::Null; args.len()]),
        }
    }

    fn variadic_into(
        &mut self,
        call: &'v Call,
        args: &'v [Node],
        values: &mut [Value<'v>],
    ) -> Evaluated<'v> {
        let last = args.len().saturating_sub(1);
        for (place, (arg, value)) in args.iter().zip(values.iter_mut()).enumerate() {
            match self.operand(arg)? {
                Ok(found) => *value = found,
                Err(error) => {
                    if place == last {
                        let cost = with_operands(values, true, |args| call.cost.of(args, None))?;
                        self.budget.charge(cost)?;
                    }
                    return Err(error);
                }
            }
        }
        let result = dispatch(&mut self.budget, call, values);
        self.paid(result, |result| with_operands(values, false, |args| call.cost.of(args, result)))
    }
}

/// The values of a call as operands of its cost; the last may be an error.
fn with_operands<'v, T>(
    values: &[Value<'v>],
    last_is_error: bool,
    work: impl FnOnce(&[Operand<'_, 'v>]) -> T,
) -> T {
    let last = values.len().saturating_sub(1);
    let operand = |(place, value)| (!last_is_error || place < last).then_some(value);
    let operands = values.iter().enumerate().map(operand);
    let mut few = [None; FEW];
    match few.get_mut(..values.len()) {
        Some(few) => {
            few.iter_mut().zip(operands).for_each(|(place, operand)| *place = operand);
            work(few)
        }
        None => work(&operands.collect::<Vec<_>>()),
    }
}

/// Calls the first overload that fits the arguments, and counts what its result holds.
pub(crate) fn dispatch<'v>(budget: &mut Budget, call: &Call, args: &[Value<'v>]) -> Evaluated<'v> {
    let before = budget.memory();
    let result = invoke(budget, call, args)?;
    let held = result.held_alone();
    if held > 0 {
        // What the function has asked for itself is counted already.
        budget.allocate(held.saturating_sub(budget.memory() - before))?;
    }
    Ok(result)
}

#[inline]
fn invoke<'v>(budget: &mut Budget, call: &Call, args: &[Value<'v>]) -> Evaluated<'v> {
    if let Some((regex, function)) = &call.regex {
        return function(budget, regex, args);
    }
    for overload in &call.overloads {
        let fits = overload.params.as_ref().is_none_or(|params| {
            params.len() == args.len() && params.iter().zip(args).all(|(ty, arg)| fits(ty, arg))
        });
        if fits {
            return (overload.function)(budget, args);
        }
    }
    let types: Vec<&str> = args.iter().map(Value::type_name).collect();
    let function = &call.function;
    Err(EvalError::of(format_args!("no such overload: {function}({})", types.join(", "))))
}

/// Whether a value is of a type at run time, where of a list or map only the first element says what the
/// elements are.
///
/// Source: `cel-go/common/types/types.go`, `defaultIsAssignableRuntimeType`.
fn fits(ty: &Type, value: &Value<'_>) -> bool {
    match (ty, value) {
        (Type::List(element), Value::List(list)) => match list.get(0) {
            Some(Ok(first)) => fits(element, &first),
            Some(Err(_)) => fits_error(element),
            None => true,
        },
        (Type::Map(key, member), Value::Map(map)) => match map.keys().first() {
            Some(first) => {
                fits(key, first)
                    && match map.get(first) {
                        Ok(Some(value)) => fits(member, &value),
                        Ok(None) | Err(_) => fits_error(member),
                    }
            }
            None => true,
        },
        (Type::Dyn | Type::Any | Type::Var(_) | Type::Param(_), _)
        | (Type::Null, Value::Null)
        | (Type::Bool, Value::Bool(_))
        | (Type::Int, Value::Int(_))
        | (Type::Uint, Value::Uint(_))
        | (Type::Double, Value::Double(_))
        | (Type::String, Value::String(_))
        | (Type::Bytes, Value::Bytes(_))
        | (Type::Duration, Value::Duration(_))
        | (Type::Timestamp, Value::Timestamp(_))
        | (Type::Type(_), Value::Type(_)) => true,
        (Type::Wrapper(inner), _) => matches!(value, Value::Null) || fits(inner, value),
        (Type::Object(name) | Type::Opaque(name, _), _) => **name == *value.type_name(),
        _ => false,
    }
}

/// Whether an element that is an error is of a type: only where any is.
fn fits_error(ty: &Type) -> bool {
    matches!(ty, Type::Dyn | Type::Any | Type::Var(_) | Type::Param(_))
}
