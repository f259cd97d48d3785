//! Evaluates calls of functions: arguments, result and cost.
//!
//! Source: `cel-go/interpreter/interpretable.go`, `evalUnary`, `evalBinary`, `evalVarArgs`.

use super::{Evaluated, Evaluation};
use crate::library::binding::{Call as Function, Cost};
use crate::library::costs::Operand;
use crate::plan::{Call, Node};
use crate::value::Value;

/// Calls with up to this many arguments need no allocation for them.
const FEW: usize = 3;

impl<'v> Evaluation<'_, 'v> {
    pub(super) fn call(&mut self, call: &'v Call) -> Evaluated<'v> {
        match &call.args[..] {
            [arg] => self.unary(call, arg),
            [a, b] if !call.stops_at_error => self.binary(call, a, b),
            args => self.variadic(call, args),
        }
    }

    fn unary(&mut self, call: &'v Call, arg: &'v Node) -> Evaluated<'v> {
        match self.operand(arg)? {
            Ok(value) => {
                let args = [value];
                let result = call.invoke(&mut self.budget, &args);
                let [value] = &args;
                self.charged(result, |result| call.cost.of(&[Some(value)], result))
            }
            // Upstream: a call whose argument is an error is charged all the same.
            Err(error) => self.charged(Err(error), |_| call.cost.of(&[None], None)),
        }
    }

    fn binary(&mut self, call: &'v Call, a: &'v Node, b: &'v Node) -> Evaluated<'v> {
        match (self.operand(a)?, self.operand(b)?) {
            (Ok(a), Ok(b)) => {
                let args = [a, b];
                let result = call.invoke(&mut self.budget, &args);
                let [a, b] = &args;
                self.charged(result, |result| call.cost.of(&[Some(a), Some(b)], result))
            }
            (a, b) => self.failed_call(call.cost, a, b),
        }
    }

    /// Calls a function with two operands, which may be errors.
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
                self.charged(result, |result| cost.of(&[Some(a), Some(b)], result))
            }
            (a, b) => self.failed_call(cost, a, b),
        }
    }

    /// Charges a call of two operands at least one of which is an error, and returns the first error.
    #[inline(never)]
    fn failed_call(&mut self, cost: Cost, a: Evaluated<'v>, b: Evaluated<'v>) -> Evaluated<'v> {
        self.budget.charge(cost.of(&[a.as_ref().ok(), b.as_ref().ok()], None)?)?;
        a.and(b)
    }

    /// Evaluates a call with any number of arguments. The first argument that is an error ends the call,
    /// which is then charged only if that argument is the last.
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
        for (index, (arg, value)) in args.iter().zip(values.iter_mut()).enumerate() {
            match self.operand(arg)? {
                Ok(found) => *value = found,
                Err(error) => {
                    if index == last {
                        let cost = with_operands(values, true, |args| call.cost.of(args, None))?;
                        self.budget.charge(cost)?;
                    }
                    return Err(error);
                }
            }
        }
        let result = call.invoke(&mut self.budget, values);
        self.charged(result, |result| {
            with_operands(values, false, |args| call.cost.of(args, result))
        })
    }
}

/// Calls `work` with the values of a call as operands of its cost. If the last operand is an error,
/// it has no value.
fn with_operands<'v, T>(
    values: &[Value<'v>],
    last_is_error: bool,
    work: impl FnOnce(&[Operand<'_, 'v>]) -> T,
) -> T {
    let last = values.len().saturating_sub(1);
    let operand = |(index, value)| (!last_is_error || index < last).then_some(value);
    let operands = values.iter().enumerate().map(operand);
    let mut few = [None; FEW];
    match few.get_mut(..values.len()) {
        Some(few) => {
            few.iter_mut().zip(operands).for_each(|(slot, operand)| *slot = operand);
            work(few)
        }
        None => work(&operands.collect::<Vec<_>>()),
    }
}
