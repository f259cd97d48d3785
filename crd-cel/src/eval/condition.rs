//! Steps that are true or false: no value is made of their answers, nor of numbers and texts that they
//! compare.

use serde_json::Value as Json;

use super::attribute::Walk;
use super::{Evaluated, Machine, goes_on};
use crate::decl::{Decl, DeclKind};
use crate::error::EvalError;
use crate::library::bind::{code_points, traversed};
use crate::plan::{Compare, Node, TextTest};
use crate::value::{Str, Value, convert, equal};

/// The answer of a step that is asked as a condition.
pub(super) type Condition = Result<bool, EvalError>;

/// A value as a condition: what is no bool is one of no answer.
fn condition(value: Evaluated<'_>) -> Condition {
    match value {
        Ok(Value::Bool(b)) => Ok(b),
        Ok(_) => Err(EvalError::NO_SUCH_OVERLOAD),
        Err(error) => Err(error),
    }
}

impl<'v> Machine<'_, 'v> {
    /// Whether a condition holds.
    ///
    /// # Errors
    /// Where its evaluation fails, or is no bool.
    pub(super) fn holds(&mut self, node: &'v Node) -> Condition {
        match node {
            Node::And(operands) => self.logic(operands, false),
            Node::Or(operands) => self.logic(operands, true),
            Node::Compare(compare) => self.compare(compare),
            Node::TextTest(test) => self.text_test(test),
            Node::Equal { operands, negated } => self.equality(operands, *negated),
            Node::NotStrictlyFalse(operand) => self.not_strictly_false(operand),
            other => condition(self.eval(other)),
        }
    }

    #[inline(never)]
    pub(super) fn not_strictly_false(&mut self, operand: &'v Node) -> Condition {
        let holds = self.holds(operand);
        match self.paid(holds, |_| Ok(1)) {
            Err(error) if error.ends_evaluation() => Err(error),
            holds => Ok(holds != Ok(false)),
        }
    }

    /// The JSON that an operand is, where that is known without making a value of it; its value otherwise.
    #[inline(never)]
    fn json(&mut self, node: &'v Node) -> Result<(&'v Json, &'v Decl), Evaluated<'v>> {
        if let Node::Attribute(attribute) = node
            && !attribute.test_only
            && let Some((entries, decl)) = self.declared(attribute)
        {
            // As any attribute that is a step of its own.
            if let Err(error) = self.budget.charge(1) {
                return Err(Err(error));
            }
            return match self.walk(entries, decl, &attribute.qualifiers) {
                Walk::Json(json, decl, []) => Ok((json, decl)),
                walk => Err(self.walked(walk, false)),
            };
        }
        Err(self.eval(node))
    }

    /// An operand that is most often an int; its value where it is not.
    #[inline]
    fn int(&mut self, node: &'v Node) -> Result<i64, Evaluated<'v>> {
        if let Node::Constant(Ok(Value::Int(i))) = node {
            return Ok(*i);
        }
        match self.json(node) {
            Ok((json, decl)) => match (json.as_i64(), &decl.kind) {
                (Some(i), DeclKind::Int | DeclKind::IntOrString) => Ok(i),
                _ => Err(convert::typed(json, decl)),
            },
            Err(Ok(Value::Int(i))) => Ok(i),
            Err(value) => Err(value),
        }
    }

    /// An operand that is most often a text that lives elsewhere; its value where it is not.
    #[inline]
    fn text(&mut self, node: &'v Node) -> Result<&'v str, Evaluated<'v>> {
        if let Node::Constant(Ok(Value::String(text))) = node {
            return Ok(text);
        }
        match self.json(node) {
            Ok((json, decl)) => match (json, &decl.kind) {
                (Json::String(text), DeclKind::String | DeclKind::IntOrString) => Ok(text),
                _ => Err(convert::typed(json, decl)),
            },
            Err(Ok(Value::String(Str::Borrowed(text)))) => Ok(text),
            Err(value) => Err(value),
        }
    }

    // PERF: the steps below return from where both operands are known, so that nothing is moved or
    // dropped on the way of the commonest.

    #[inline(never)]
    pub(super) fn compare(&mut self, compare: &'v Compare) -> Condition {
        let [a, b] = &compare.operands;
        let (a, b) = match self.int(a) {
            Ok(a) => match self.int(b) {
                Ok(b) => {
                    self.budget.charge(1)?;
                    return Ok((compare.holds)(a.cmp(&b)));
                }
                Err(b) => (Ok(Value::Int(a)), goes_on(b)?),
            },
            Err(a) => (goes_on(a)?, self.operand(b)?),
        };
        condition(self.apply(compare.function, compare.cost, a, b))
    }

    #[inline(never)]
    pub(super) fn text_test(&mut self, test: &'v TextTest) -> Condition {
        let [a, b] = &test.operands;
        let (a, b) = match self.text(a) {
            Ok(a) => match self.text(b) {
                Ok(b) => {
                    self.budget.charge((test.test.cost)(a, b))?;
                    return Ok((test.test.holds)(a, b));
                }
                Err(b) => (Ok(Value::str(a)), goes_on(b)?),
            },
            Err(a) => (goes_on(a)?, self.operand(b)?),
        };
        condition(self.apply(test.function, test.cost, a, b))
    }

    /// `&&` and `||`: `decisive` wins over anything, an error over the other bool.
    pub(super) fn logic(&mut self, operands: &'v [Node; 2], decisive: bool) -> Condition {
        let [first, second] = operands;
        match self.holds(first) {
            Ok(b) if b == decisive => Ok(b),
            Ok(_) => self.holds(second),
            Err(error) if error.ends_evaluation() => Err(error),
            Err(error) => match self.holds(second) {
                Ok(b) if b == decisive => Ok(b),
                Err(second) if second.ends_evaluation() => Err(second),
                _ => Err(error),
            },
        }
    }

    #[inline(never)]
    pub(super) fn equality(&mut self, operands: &'v [Node; 2], negated: bool) -> Condition {
        let [a, b] = operands;
        let (a, b) = match self.operand(a)? {
            Ok(Value::Int(a)) => match self.int(b) {
                Ok(b) => {
                    self.budget.charge(1)?;
                    return Ok((a == b) != negated);
                }
                Err(b) => (Ok(Value::Int(a)), goes_on(b)?),
            },
            Ok(Value::String(Str::Borrowed(a))) => match self.text(b) {
                Ok(b) => {
                    self.budget.charge(traversed(code_points(a).min(code_points(b))))?;
                    return Ok((a == b) != negated);
                }
                Err(b) => (Ok(Value::str(a)), goes_on(b)?),
            },
            a => (a, self.operand(b)?),
        };
        let size = |value: &Evaluated<'v>| value.as_ref().map_or(1, Value::cost_size);
        let cost = match &a {
            // Upstream: `==` of the API server's types costs 1, `!=` what their size says.
            Ok(Value::Opaque(_)) if !negated => 1,
            // Of two values without a size, most often.
            Ok(Value::Bool(_) | Value::Int(_) | Value::Double(_)) if b.is_ok() => {
                u64::from(size(&b) != 0)
            }
            _ => traversed(size(&a).min(size(&b))),
        };
        let result = match (a, b) {
            (Ok(a), Ok(b)) => match (equal::equal(&a, &b), negated) {
                (Err(error), _) if error.ends_evaluation() => Err(error),
                // Upstream: anything but true, an error too, makes `!=` true.
                (equal, true) => Ok(equal != Ok(true)),
                (equal, false) => equal,
            },
            (Err(error), _) | (_, Err(error)) => Err(error),
        };
        self.paid(result, |_| Ok(cost))
    }
}
