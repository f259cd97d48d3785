//! Evaluates a program with values for its variables, and counts the cost.
//!
//! Errors are values: a node that fails returns its error to its parent, and some operators absorb
//! it. The cost is exactly what the API server counts (`cel-go/interpreter/runtimecost.go`): each
//! node adds its own cost after it has a value or an error.

mod aggregate;
mod attribute;
mod call;
mod condition;
mod fold;
mod member;
mod quantifier;
#[cfg(test)]
mod tests;
mod well_known;

use crate::budget::Budget;
use crate::error::EvalError;
use crate::minors::Change;
use crate::plan::{Attribute, Base, Node, Program};
use crate::value::{OwnedMap, Value, hashable};

#[doc(hidden)]
pub use crate::budget::STEPS_OF_COST;

/// The cost of making a list, in cost units.
/// Source: `cel-go/common/cost.go`.
const LIST_COST: u64 = 10;
/// The cost of making a map, in cost units. Source: that of [`LIST_COST`].
const MAP_COST: u64 = 30;
/// The cost of making a message, in cost units. Source: that of [`LIST_COST`].
const STRUCT_COST: u64 = 40;

/// The slots of a rule without comprehensions: `self` and `oldSelf`.
const RULE_SLOTS: usize = 2;
/// Programs with at most this many slots need no allocation for them.
const INLINE_SLOTS: usize = 4;

type Evaluated<'v> = Result<Value<'v>, EvalError>;

/// The result of an evaluation.
#[derive(Debug)]
#[non_exhaustive]
pub struct Outcome<'v> {
    /// The value or error.
    pub result: Result<Value<'v>, EvalError>,
    /// The run-time cost, in the API server's units.
    pub cost: u64,
    /// The work that the cost does not count, such as comparing elements of nested lists, in steps
    /// of a few instructions of the processor. An evaluation ends at 16 steps for each unit of its
    /// cost limit, or of 100,000 if the limit is lower.
    pub steps: u64,
}

/// The value of a variable.
#[derive(Debug, Default)]
enum Slot<'v> {
    /// The variable is not bound.
    #[default]
    Unset,
    /// An accumulator that has not been used yet.
    Lazy(&'v Node),
    /// The value, or its error.
    Set(Evaluated<'v>),
}

/// An evaluation in progress.
#[derive(Debug)]
struct Evaluation<'m, 'v> {
    slots: &'m mut [Slot<'v>],
    budget: Budget,
    /// The error of the last condition that failed.
    failure: EvalError,
}

/// The value of a constant. Text is borrowed, so that no reference count changes.
#[inline]
fn borrowed<'v>(constant: &'v Result<Value<'static>, EvalError>) -> Evaluated<'v> {
    match constant {
        Ok(value) => Ok(value.borrowed()),
        Err(error) => Err(error.clone()),
    }
}

/// Splits the result of an operand for an operator that can absorb errors. The outer `Err` ends the
/// evaluation; the inner `Err` is a CEL error that the operator may absorb.
#[inline]
fn absorbable(operand: Evaluated<'_>) -> Result<Evaluated<'_>, EvalError> {
    match operand {
        Err(error) if error.ends_evaluation() => Err(error),
        operand => Ok(operand),
    }
}

impl Program {
    /// Evaluates with the given variables. A variable of the environment that is not given is
    /// unbound: using it is an error. The evaluation ends with an error when it costs more than
    /// `cost_limit`, in cost units.
    ///
    /// # Example
    /// ```
    /// use crd_cel::env::Env;
    /// use crd_cel::plan::Program;
    /// use crd_cel::types::Type;
    /// use crd_cel::value::Value;
    ///
    /// let env = Env::kubernetes().with_variable("replicas", Type::Int, None);
    /// let checked = env.compile("replicas + 1 > 3").map_err(|issues| issues.to_string())?;
    /// let program = Program::plan(&checked, &env).map_err(|error| error.to_string())?;
    /// let outcome = program.eval(&[("replicas", Value::Int(3))], 1_000_000);
    /// assert!(matches!(outcome.result, Ok(Value::Bool(true))));
    /// assert_eq!(outcome.cost, 3);
    /// # Ok::<(), String>(())
    /// ```
    pub fn eval<'v>(&'v self, variables: &[(&str, Value<'v>)], cost_limit: u64) -> Outcome<'v> {
        let given = |name: &str| variables.iter().find(|(given, _)| *given == name);
        self.start(|name| Some(Ok(given(name)?.1.clone())), cost_limit)
    }

    /// As [`Program::eval`], with variables that may be errors. Using such a variable returns its
    /// error.
    pub fn eval_bound<'v>(
        &'v self,
        variables: &[(&str, Result<Value<'v>, EvalError>)],
        cost_limit: u64,
    ) -> Outcome<'v> {
        let given = |name: &str| variables.iter().find(|(given, _)| *given == name);
        self.start(|name| Some(given(name)?.1.clone()), cost_limit)
    }

    fn start<'v>(
        &'v self,
        variable: impl Fn(&str) -> Option<Evaluated<'v>>,
        cost_limit: u64,
    ) -> Outcome<'v> {
        // PERF: three sizes, because unused slots are initialized and dropped, too.
        if self.slots <= RULE_SLOTS {
            self.run(&mut <[Slot<'v>; RULE_SLOTS]>::default(), variable, cost_limit)
        } else if self.slots <= INLINE_SLOTS {
            self.run(&mut <[Slot<'v>; INLINE_SLOTS]>::default(), variable, cost_limit)
        } else {
            let mut slots: Vec<Slot<'v>> = Vec::new();
            slots.resize_with(self.slots, Slot::default);
            self.run(&mut slots, variable, cost_limit)
        }
    }

    fn run<'v>(
        &'v self,
        slots: &mut [Slot<'v>],
        variable: impl Fn(&str) -> Option<Evaluated<'v>>,
        cost_limit: u64,
    ) -> Outcome<'v> {
        for (slot, name) in slots.iter_mut().zip(&self.variables) {
            if let Some(value) = variable(name) {
                *slot = Slot::Set(value);
            }
        }
        let budget = Budget::new(cost_limit, self.version);
        let mut evaluation = Evaluation { slots, budget, failure: EvalError::NO_SUCH_OVERLOAD };
        let result = evaluation.eval(&self.root);
        Outcome { result, cost: evaluation.budget.cost(), steps: evaluation.budget.steps_taken() }
    }
}

// PERF: a value is four words, and moving one right after it was written stalls the processor. So a
// node returns the value of its operand unchanged or builds its result in place, and rare nodes are
// evaluated in separate functions, which keeps the stack frame of `eval` small.
impl<'v> Evaluation<'_, 'v> {
    fn eval(&mut self, node: &'v Node) -> Evaluated<'v> {
        match node {
            Node::Constant(constant) => borrowed(constant),
            Node::Attribute(attribute) => self.attribute(attribute),
            Node::Call(call) => self.call(call),
            Node::And(_)
            | Node::Or(_)
            | Node::Compare(_)
            | Node::TextTest(_)
            | Node::Equal { .. }
            | Node::NotStrictlyFalse(_) => self.answer(node),
            Node::Prepared(prepared) => {
                let (constant, cost) = &**prepared;
                self.budget.charge(*cost)?;
                borrowed(constant)
            }
            Node::Member(member) => {
                let (item, set) = &**member;
                self.member(item, set)
            }
            Node::OptionalOr(operands) => self.optional_or(operands),
            Node::OptionalOrValue(operands) => self.optional_or_value(operands),
            Node::List(elements) => self.list(elements),
            Node::Map(entries) => self.map(entries),
            Node::WellKnown(message) => self.message(&message.0, &message.1),
            Node::Quantifier(quantifier) => self.quantifier(quantifier),
            Node::Fold(fold) => self.fold(fold),
            Node::Append(append) => self.append(append),
            Node::Insert(insert) => self.insert(insert),
        }
    }

    /// Evaluates an operand of an operator that can absorb errors.
    #[inline]
    fn operand(&mut self, node: &'v Node) -> Result<Evaluated<'v>, EvalError> {
        absorbable(self.eval(node))
    }

    /// Charges for a node, and returns its result. A node that ended the evaluation is not charged,
    /// because the server does not charge for a node that panics.
    #[inline]
    fn charged<T>(
        &mut self,
        result: Result<T, EvalError>,
        cost: impl FnOnce(Option<&T>) -> Result<u64, EvalError>,
    ) -> Result<T, EvalError> {
        if !result.as_ref().is_err_and(EvalError::ends_evaluation) {
            self.budget.charge(cost(result.as_ref().ok())?)?;
        }
        result
    }

    /// An attribute costs 1 besides its qualifiers, or nothing if its base is a conditional. A
    /// presence test costs 1 less, so a presence test of a conditional refunds 1.
    ///
    /// Source: `cel-go/interpreter/runtimecost.go`, `costTrackerFactory.Observe`.
    #[inline]
    fn attribute(&mut self, attribute: &'v Attribute) -> Evaluated<'v> {
        if attribute.test_only {
            return self.presence(attribute);
        }
        if matches!(attribute.base, Base::Conditional(_)) {
            return self.resolve(attribute);
        }
        self.budget.charge(1)?;
        // An accumulator that is evaluated at its first use may end the evaluation.
        self.resolve(attribute).inspect_err(|error| {
            if error.ends_evaluation() && !error.is_cancelled() {
                self.budget.refund(1);
            }
        })
    }

    #[inline(never)]
    fn presence(&mut self, attribute: &'v Attribute) -> Evaluated<'v> {
        let value = self.resolve(attribute);
        if matches!(attribute.base, Base::Conditional(_)) {
            self.budget.refund(1);
        }
        match value {
            Ok(Value::Optional(found)) => Ok(Value::Bool(found.is_some())),
            value => value,
        }
    }

    #[inline(never)]
    fn member(&mut self, item: &'v Node, set: &OwnedMap<'_>) -> Evaluated<'v> {
        let item = self.eval(item)?;
        hashable(&item)?;
        Ok(Value::Bool(set.contains_exactly(&item)))
    }

    #[inline(never)]
    fn optional_or(&mut self, operands: &'v [Node; 2]) -> Evaluated<'v> {
        let [optional, other] = operands;
        match self.eval(optional)? {
            Value::Optional(None) => self.eval(other),
            value => self.checked_target(value),
        }
    }

    /// Returns the target of `or` or `orValue`, unless it is not an optional, and the server requires
    /// one.
    fn checked_target(&self, value: Value<'v>) -> Evaluated<'v> {
        let rejects = self.budget.steps.server_has(Change::OnlyOptionalsHaveAlternatives);
        match value {
            Value::Optional(_) => Ok(value),
            _ if rejects => Err(EvalError::NO_SUCH_OVERLOAD),
            value => Ok(value),
        }
    }

    #[inline(never)]
    fn optional_or_value(&mut self, operands: &'v [Node; 2]) -> Evaluated<'v> {
        let [optional, other] = operands;
        match self.eval(optional)? {
            Value::Optional(None) => self.eval(other),
            Value::Optional(Some(value)) => value.taken_out(),
            value => self.checked_target(value),
        }
    }
}
