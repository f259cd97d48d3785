//! Plans calls: operators as nodes of their own, and functions by their overloads.
//!
//! Source: `cel-go/interpreter/planner.go`, `planCall`.

use super::PlanError;
use super::constant;
use super::node::{Call, Compare, Node, Order, PlannedOverload, TextTestCall};
use super::planner::{Planned, Planner};
use crate::budget::Budget;
use crate::checked::Reference;
use crate::env::Env;
use crate::error::EvalError;
use crate::library::binding::{Binding, Call as Function, Cost, TextTest as Test};
use crate::library::is_conversion;
use crate::minors::KubernetesVersion;
use crate::re2::Regex;
use crate::syntax::{Expr, ExprId};
use crate::value::Value;

/// The least number of arguments with which cel-go evaluates a call as variadic.
const VARIADIC: usize = 3;

impl Planner<'_> {
    pub(super) fn call(
        &mut self,
        id: ExprId,
        target: Option<&Expr>,
        function: &str,
        args: &[Expr],
    ) -> Planned {
        match (function, args) {
            ("_[_]", [operand, index]) => return self.index(operand, index, false),
            ("_[?_]" | "_?._", [operand, index]) => return self.index(operand, index, true),
            _ => {}
        }
        if let Some(Reference::Overloads(overloads)) = self.checked.reference_of(id) {
            let nodes = self.arguments(target, args)?;
            return match operator(function, nodes) {
                Ok(node) => Ok(node),
                Err(nodes) => self.function(function, overloads, nodes),
            };
        }
        self.unchecked_call(target, function, args)
    }

    fn arguments(&mut self, target: Option<&Expr>, args: &[Expr]) -> Result<Vec<Node>, PlanError> {
        target.into_iter().chain(args).map(|arg| self.plan(arg)).collect()
    }

    /// Plans a call that was not type-checked. `a.b(x)` calls the function `a.b` if there is one,
    /// or else `b` with the receiver `a`. The evaluation tries all overloads with this number of
    /// parameters.
    ///
    /// Source: `cel-go/interpreter/planner.go`, `resolveFunction`.
    fn unchecked_call(&mut self, target: Option<&Expr>, function: &str, args: &[Expr]) -> Planned {
        let dotted = target
            .and_then(Expr::qualified_name)
            .map(|name| format!("{name}.{function}"))
            .filter(|name| self.env.function(name).is_some());
        let (target, function) = match &dotted {
            Some(name) => (None, name.as_str()),
            None => (target, function.trim_start_matches('.')),
        };
        let nodes = match operator(function, self.arguments(target, args)?) {
            Ok(node) => return Ok(node),
            Err(nodes) => nodes,
        };
        let declared = self.env.function(function);
        let overloads: Vec<&'static str> = declared
            .iter()
            .flat_map(|function| function.overloads_in(self.env.environment()))
            .filter(|overload| overload.params.len() == nodes.len())
            .map(|overload| overload.row.id)
            .collect();
        if overloads.is_empty() {
            let text = format!("no such overload: {function}");
            return Ok(Node::Constant(Err(EvalError::new(text))));
        }
        self.function(function, &overloads, nodes)
    }

    fn function(&self, function: &str, overloads: &[&'static str], mut args: Vec<Node>) -> Planned {
        let single = match overloads {
            [overload] => Some(*overload),
            _ => None,
        };
        match (single, args.len()) {
            (Some("optional_or_optional") | None, 2) if function == "or" => {
                return pair(args).map(Node::OptionalOr);
            }
            (Some("optional_orValue_value") | None, 2) if function == "orValue" => {
                return pair(args).map(Node::OptionalOrValue);
            }
            (Some("in_list"), 2) => {
                if let (Some(list), Some(item)) = (args.pop(), args.pop()) {
                    match constant::member(item, &list) {
                        Ok(node) => return Ok(node),
                        Err(item) => args = vec![item, list],
                    }
                }
            }
            _ => {}
        }
        let bound: Vec<(&'static str, Binding)> =
            overloads.iter().filter_map(|id| Some((*id, self.binding(id)?))).collect();
        let Some((_, binding)) = bound.first().copied() else {
            return Err(PlanError::new(format!("no such overload: {function}(...)")));
        };
        let mut call = Call {
            function: function.to_owned(),
            cost: match single {
                Some(_) => binding.cost,
                None => Env::library()
                    .cost_by_name(function, self.env.version())
                    .unwrap_or(Cost::Fixed(1)),
            },
            stops_at_error: args.len() >= VARIADIC
                || binding.stops_at_error
                || (single.is_none() && binding.has_type_guards),
            overloads: bound.iter().map(|(id, binding)| Self::overload(id, *binding)).collect(),
            args,
            regex: None,
        };
        if let (Some(regex_call), Some(Node::Constant(Ok(Value::String(pattern))))) =
            (binding.regex, call.args.get(1))
        {
            let regex = Regex::new(pattern).map_err(|error| PlanError::new(error.to_string()))?;
            call.regex = Some((regex, regex_call));
            call.stops_at_error = true;
        }
        if is_conversion(function) || binding.once {
            return prepared(call, self.env.version());
        }
        Ok(match (ordering(function), binding.text) {
            (Some(order), _) => compare(call, order, binding.call),
            (None, Some(test)) if single.is_some() => text_test(call, test, binding.call),
            (None, _) => Node::Call(Box::new(call)),
        })
    }

    fn binding(&self, overload: &str) -> Option<Binding> {
        Env::library().overload(overload)?.row.binding_in(self.env.version())
    }

    fn overload(id: &str, binding: Binding) -> PlannedOverload {
        let declared = binding.has_type_guards.then(|| Env::library().overload(id)).flatten();
        PlannedOverload {
            params: declared.map(|overload| overload.params.clone()),
            function: binding.call,
        }
    }
}

/// The ordering operator of a name.
fn ordering(operator: &str) -> Option<Order> {
    Some(match operator {
        "_<_" => Order::Less,
        "_<=_" => Order::LessOrEqual,
        "_>_" => Order::Greater,
        "_>=_" => Order::GreaterOrEqual,
        _ => return None,
    })
}

fn compare(call: Call, order: Order, function: Function) -> Node {
    let cost = call.cost;
    match <[Node; 2]>::try_from(call.args) {
        Ok(operands) => Node::Compare(Box::new(Compare { operands, order, function, cost })),
        Err(args) => Node::Call(Box::new(Call { args, ..call })),
    }
}

fn text_test(call: Call, test: Test, function: Function) -> Node {
    let cost = call.cost;
    match <[Node; 2]>::try_from(call.args) {
        Ok(operands) => Node::TextTest(Box::new(TextTestCall { operands, test, function, cost })),
        Err(args) => Node::Call(Box::new(Call { args, ..call })),
    }
}

/// Evaluates a call now if its arguments are constants. A conversion becomes a constant, which
/// costs nothing, and its error is an error of the plan. The result of any other call is kept with
/// its cost, which each evaluation charges.
fn prepared(call: Call, version: KubernetesVersion) -> Planned {
    let mut values = Vec::with_capacity(call.args.len());
    for arg in &call.args {
        match arg {
            Node::Constant(Ok(value)) => values.push(value.clone()),
            Node::Constant(Err(error)) if is_conversion(&call.function) => {
                return Err(PlanError::new(error.text()));
            }
            _ => return Ok(Node::Call(Box::new(call))),
        }
    }
    let mut budget = Budget::new(u64::MAX, version);
    let result = call.invoke(&mut budget, &values);
    if is_conversion(&call.function) {
        return match result {
            Ok(value) => Ok(Node::Constant(Ok(value))),
            Err(error) => Err(PlanError::new(error.text())),
        };
    }
    let operands: Vec<_> = values.iter().map(Some).collect();
    match call.cost.of(&operands, result.as_ref().ok()) {
        Ok(cost) => Ok(Node::Prepared(Box::new((result, cost)))),
        Err(error) => Ok(Node::Prepared(Box::new((Err(error), 0)))),
    }
}

fn pair(args: Vec<Node>) -> Result<Box<[Node; 2]>, PlanError> {
    <[Node; 2]>::try_from(args)
        .map(Box::new)
        .map_err(|args| PlanError::new(format!("expected two operands, not {}", args.len())))
}

/// The node of an operator that is not planned as a function. Gives the arguments back if the function
/// is not such an operator.
fn operator(function: &str, args: Vec<Node>) -> Result<Node, Vec<Node>> {
    let two = |args: Vec<Node>| <[Node; 2]>::try_from(args).map(Box::new);
    match function {
        "_&&_" => two(args).map(Node::And),
        "_||_" => two(args).map(Node::Or),
        "_==_" => two(args).map(|operands| Node::Equal { operands, negated: false }),
        "_!=_" => two(args).map(|operands| Node::Equal { operands, negated: true }),
        "_?_:_" => <[Node; 3]>::try_from(args)
            .map(|[condition, truthy, falsy]| Node::conditional(condition, truthy, falsy)),
        "@not_strictly_false" => {
            <[Node; 1]>::try_from(args).map(|[operand]| Node::NotStrictlyFalse(Box::new(operand)))
        }
        _ => Err(args),
    }
}
