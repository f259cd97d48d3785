//! Evaluates boolean nodes without building values for their results, or for the numbers and
//! strings that they compare.

use serde_json::Value as Json;

use super::member::{descend, selected};
use super::{Evaluated, Evaluation, Slot, absorbable};
use crate::decl::{Decl, DeclKind};
use crate::error::EvalError;
use crate::library::costs::{text_traversed, traversed};
use crate::plan::{Attribute, Base, Compare, Node, TextTestCall};
use crate::value::{Map, Str, Value, equal};

/// A condition that failed. The evaluation keeps the error ([`Evaluation::take_error`]), so that the result of
/// a condition takes one byte.
#[derive(Debug)]
pub(super) struct Failed;

/// The result of a node that is evaluated as a condition.
pub(super) type Condition = Result<bool, Failed>;

/// An operand that is read without building a value.
#[derive(Debug, Clone, Copy)]
enum ScalarOperand<'v> {
    Int(i64),
    Text(&'v str),
}

impl<'v> ScalarOperand<'v> {
    fn value(self) -> Value<'v> {
        match self {
            Self::Int(i) => Value::Int(i),
            Self::Text(text) => Value::str(text),
        }
    }
}

#[inline]
fn int(json: &Json, decl: &Decl) -> Option<i64> {
    match decl.kind {
        DeclKind::Int | DeclKind::IntOrString => json.as_i64(),
        _ => None,
    }
}

#[inline]
fn text<'v>(json: &'v Json, decl: &Decl) -> Option<&'v str> {
    match decl.kind {
        DeclKind::String | DeclKind::IntOrString => json.as_str(),
        _ => None,
    }
}

impl<'v> Evaluation<'_, 'v> {
    /// Whether a condition holds.
    ///
    /// # Errors
    /// If its evaluation fails, or its value is not a bool.
    pub(super) fn holds(&mut self, node: &'v Node) -> Condition {
        match node {
            Node::And(operands) => self.logic(operands, false),
            Node::Or(operands) => self.logic(operands, true),
            Node::Compare(compare) => self.compare(compare),
            Node::TextTest(test) => self.text_test(test),
            Node::Equal { operands, negated } => self.equality(operands, *negated),
            Node::NotStrictlyFalse(operand) => self.not_strictly_false(operand),
            other => self.other(other),
        }
    }

    #[inline(never)]
    fn other(&mut self, node: &'v Node) -> Condition {
        let value = self.eval(node);
        self.condition(value)
    }

    /// Converts a value to a condition, which fails if the value is not a bool.
    fn condition(&mut self, value: Evaluated<'_>) -> Condition {
        match value {
            Ok(Value::Bool(b)) => Ok(b),
            Ok(_) => Err(self.failed(EvalError::NO_SUCH_OVERLOAD)),
            Err(error) => Err(self.failed(error)),
        }
    }

    /// Evaluates a condition to a value.
    pub(super) fn answer(&mut self, node: &'v Node) -> Evaluated<'v> {
        match self.holds(node) {
            Ok(b) => Ok(Value::Bool(b)),
            Err(Failed) => Err(self.take_error()),
        }
    }

    /// Keeps the error of a condition that failed.
    #[inline(never)]
    pub(super) fn failed(&mut self, error: EvalError) -> Failed {
        self.failure = error;
        Failed
    }

    /// Takes the error of the last condition that failed.
    pub(super) fn take_error(&mut self) -> EvalError {
        std::mem::replace(&mut self.failure, EvalError::NO_SUCH_OVERLOAD)
    }

    #[inline]
    fn charge(&mut self, cost: u64) -> Result<(), Failed> {
        match self.budget.charge(cost) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.failed(error)),
        }
    }

    /// Adds `units` to the cost as if they were charged one by one.
    #[inline]
    pub(super) fn charge_units(&mut self, units: u64) -> Result<(), Failed> {
        match self.budget.charge_units(units) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.failed(error)),
        }
    }

    #[inline(never)]
    pub(super) fn not_strictly_false(&mut self, operand: &'v Node) -> Condition {
        let holds = self.holds(operand);
        if holds.is_err() && self.failure.ends_evaluation() {
            return Err(Failed);
        }
        self.charge(1)?;
        Ok(!matches!(holds, Ok(false)))
    }

    /// The value of a variable, if the attribute has no qualifiers.
    #[inline]
    fn variable(&self, attribute: &Attribute) -> Option<&Value<'v>> {
        let Base::Variable(slot) = attribute.base else { return None };
        match self.slots.get(slot)? {
            Slot::Set(Ok(value)) if attribute.qualifiers.is_empty() => Some(value),
            _ => None,
        }
    }

    /// The value that an attribute's names select from a declared object, without charging cost;
    /// `None` if it needs the full evaluation.
    #[inline]
    fn find_json(&self, attribute: &'v Attribute) -> Option<(&'v Json, &'v Decl)> {
        let Base::Variable(slot) = attribute.base else { return None };
        let Slot::Set(Ok(Value::Map(Map::Object { entries, decl }))) = self.slots.get(slot)? else {
            return None;
        };
        if attribute.test_only {
            return None;
        }
        match &attribute.qualifiers[..] {
            [name] => selected(entries, decl, name),
            names => descend(entries, decl, names),
        }
    }

    /// Charges for an attribute and each of its names, if the cost limit allows. Returns whether it
    /// charged.
    #[inline]
    fn charge_for(&mut self, attribute: &Attribute) -> bool {
        let qualifiers = if attribute.is_shadowed_global { 0 } else { attribute.qualifiers.len() };
        self.budget.charge_within(1 + qualifiers as u64)
    }

    /// An operand that is an int, with its cost charged. `None`, with nothing charged, if it is
    /// something else or needs the full evaluation.
    #[inline]
    fn int(&mut self, node: &'v Node) -> Option<i64> {
        let attribute = match node {
            Node::Attribute(attribute) => attribute,
            Node::Constant(Ok(Value::Int(i))) => return Some(*i),
            _ => return None,
        };
        let int = match self.find_json(attribute) {
            Some((json, decl)) => int(json, decl)?,
            None => match self.variable(attribute)? {
                Value::Int(i) => *i,
                _ => return None,
            },
        };
        self.charge_for(attribute).then_some(int)
    }

    /// As [`Evaluation::int`], for an operand that is a borrowed text.
    #[inline]
    fn text(&mut self, node: &'v Node) -> Option<&'v str> {
        let attribute = match node {
            Node::Attribute(attribute) => attribute,
            Node::Constant(Ok(Value::String(text))) => return Some(text),
            _ => return None,
        };
        let text = match self.find_json(attribute) {
            Some((json, decl)) => text(json, decl)?,
            None => match self.variable(attribute)? {
                Value::String(Str::Borrowed(text)) => text,
                _ => return None,
            },
        };
        self.charge_for(attribute).then_some(text)
    }

    /// As [`Evaluation::int`], for an operand that is one of the scalars.
    #[inline(never)]
    fn scalar(&mut self, node: &'v Node) -> Option<ScalarOperand<'v>> {
        let attribute = match node {
            Node::Attribute(attribute) => attribute,
            Node::Constant(Ok(Value::Int(i))) => return Some(ScalarOperand::Int(*i)),
            Node::Constant(Ok(Value::String(text))) => return Some(ScalarOperand::Text(text)),
            _ => return None,
        };
        let scalar = match self.find_json(attribute) {
            Some((json, decl)) => match text(json, decl) {
                Some(text) => ScalarOperand::Text(text),
                None => ScalarOperand::Int(int(json, decl)?),
            },
            None => match self.variable(attribute)? {
                Value::String(Str::Borrowed(text)) => ScalarOperand::Text(text),
                Value::Int(i) => ScalarOperand::Int(*i),
                _ => return None,
            },
        };
        self.charge_for(attribute).then_some(scalar)
    }

    /// The value of an operand of an operator that can absorb errors. The operand is evaluated unless
    /// it is known as a scalar.
    #[inline]
    fn operand_of(
        &mut self,
        known: Option<ScalarOperand<'v>>,
        node: &'v Node,
    ) -> Result<Evaluated<'v>, EvalError> {
        match known {
            Some(scalar) => Ok(Ok(scalar.value())),
            None => absorbable(self.eval(node)),
        }
    }

    // PERF: the functions below return as soon as both operands are known, so that the most common case
    // moves and drops nothing.

    #[inline(never)]
    pub(super) fn compare(&mut self, compare: &'v Compare) -> Condition {
        let [a, b] = &compare.operands;
        let a = self.int(a);
        if let Some(a) = a
            && let Some(b) = self.int(b)
        {
            self.charge(1)?;
            return Ok(compare.order.holds(a, b));
        }
        let compared = self.compared(compare, a.map(ScalarOperand::Int));
        self.condition(compared)
    }

    #[inline(never)]
    fn compared(&mut self, compare: &'v Compare, a: Option<ScalarOperand<'v>>) -> Evaluated<'v> {
        let [first, second] = &compare.operands;
        let a = self.operand_of(a, first)?;
        let b = self.operand(second)?;
        if let (Ok(Value::Int(a)), Ok(Value::Int(b))) = (&a, &b) {
            self.budget.charge(1)?;
            return Ok(Value::Bool(compare.order.holds(*a, *b)));
        }
        self.apply(compare.function, compare.cost, a, b)
    }

    #[inline(never)]
    pub(super) fn text_test(&mut self, test: &'v TextTestCall) -> Condition {
        let [a, b] = &test.operands;
        let a = self.text(a);
        if let Some(a) = a
            && let Some(b) = self.text(b)
        {
            self.charge((test.test.cost)(a, b))?;
            return Ok((test.test.holds)(a, b));
        }
        let tested = self.tested(test, a.map(ScalarOperand::Text));
        self.condition(tested)
    }

    #[inline(never)]
    fn tested(&mut self, test: &'v TextTestCall, a: Option<ScalarOperand<'v>>) -> Evaluated<'v> {
        let [first, second] = &test.operands;
        let a = self.operand_of(a, first)?;
        let b = self.operand(second)?;
        if let (Ok(Value::String(a)), Ok(Value::String(b))) = (&a, &b) {
            self.budget.charge((test.test.cost)(a, b))?;
            return Ok(Value::Bool((test.test.holds)(a, b)));
        }
        self.apply(test.function, test.cost, a, b)
    }

    /// `&&` and `||`: the result is `decisive` if either operand is, and otherwise an error if either
    /// operand is one.
    // PERF: a function of its own, which keeps `holds` small.
    #[inline(never)]
    fn logic(&mut self, operands: &'v [Node; 2], decisive: bool) -> Condition {
        let [first, second] = operands;
        match self.holds(first) {
            Ok(b) if b == decisive => Ok(b),
            Ok(_) => self.holds(second),
            Err(Failed) => self.logic_of_second(second, decisive),
        }
    }

    /// As [`Evaluation::logic`], if the first operand is an error.
    #[inline(never)]
    fn logic_of_second(&mut self, second: &'v Node, decisive: bool) -> Condition {
        if self.failure.ends_evaluation() {
            return Err(Failed);
        }
        let first = self.take_error();
        match self.holds(second) {
            Ok(b) if b == decisive => Ok(b),
            Err(Failed) if self.failure.ends_evaluation() => Err(Failed),
            _ => Err(self.failed(first)),
        }
    }

    #[inline(never)]
    pub(super) fn equality(&mut self, operands: &'v [Node; 2], negated: bool) -> Condition {
        let [a, b] = operands;
        let a = self.scalar(a);
        let known = match a {
            Some(ScalarOperand::Int(a)) => self.int(b).map(|b| (a == b, 1)),
            // The string with fewer bytes can have more code points.
            Some(ScalarOperand::Text(a)) => {
                self.text(b).map(|b| (a == b, text_traversed(a).min(text_traversed(b))))
            }
            None => None,
        };
        if let Some((equal, cost)) = known {
            self.charge(cost)?;
            return Ok(equal != negated);
        }
        let compared = self.equality_of_values(operands, negated, a);
        self.condition(compared)
    }

    #[inline(never)]
    fn equality_of_values(
        &mut self,
        [first, second]: &'v [Node; 2],
        negated: bool,
        a: Option<ScalarOperand<'v>>,
    ) -> Evaluated<'v> {
        let a = self.operand_of(a, first)?;
        let b = self.operand(second)?;
        let size = |value: &Evaluated<'v>| value.as_ref().map_or(1, Value::cost_size);
        let cost = match &a {
            // Upstream: `==` of the API server's types costs 1, and `!=` costs by their size.
            Ok(Value::Opaque(_)) if !negated => 1,
            // Most often, neither value has a size.
            Ok(Value::Bool(_) | Value::Int(_) | Value::Double(_)) if b.is_ok() => {
                u64::from(size(&b) != 0)
            }
            _ => traversed(size(&a).min(size(&b))),
        };
        let result = match (a, b) {
            (Ok(a), Ok(b)) => match (equal::equal(&a, &b, &mut self.budget.steps), negated) {
                (Err(error), _) if error.ends_evaluation() => Err(error),
                // Upstream: anything but true, even an error, makes `!=` true.
                (equal, true) => Ok(equal != Ok(true)),
                (equal, false) => equal,
            },
            (Err(error), _) | (_, Err(error)) => Err(error),
        };
        self.charged(result, |_| Ok(cost)).map(Value::Bool)
    }
}
