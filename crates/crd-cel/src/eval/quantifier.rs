//! `all` and `exists`.
//!
//! They expand to comprehensions, and cost as much. Before each element the loop condition is
//! evaluated: `@not_strictly_false(@result)` for `all`, `@not_strictly_false(!@result)` for
//! `exists`. Then the accumulator `@result` becomes `@result && predicate` or
//! `@result || predicate`. The last accumulator is the result.
//! Here the accumulator has no slot, and its operations are not evaluated, only charged.

use serde_json::Value as Json;

use super::condition::{Condition, Failed};
use super::{Evaluated, Evaluation, Slot};
use crate::decl::{Decl, DeclKind};
use crate::error::EvalError;
use crate::plan::Quantifier;
use crate::value::{List, Map, Value, convert};

/// The accumulator. A failure is the result unless a later element decides.
enum Tally {
    Undecided,
    Decided,
    Failed(EvalError),
}

impl<'v> Evaluation<'_, 'v> {
    #[inline(never)]
    pub(super) fn quantifier(&mut self, quantifier: &'v Quantifier) -> Evaluated<'v> {
        let range = self.eval(&quantifier.range)?;
        let mut tally = Tally::Undecided;
        if let Err(Failed) = self.test_all(quantifier, &range, &mut tally) {
            return Err(self.take_error());
        }
        self.budget.charge(1)?;
        match tally {
            Tally::Undecided => Ok(Value::Bool(quantifier.universal)),
            Tally::Decided => Ok(Value::Bool(!quantifier.universal)),
            Tally::Failed(error) => Err(error),
        }
    }

    fn test_all(
        &mut self,
        quantifier: &'v Quantifier,
        range: &Value<'v>,
        tally: &mut Tally,
    ) -> Result<(), Failed> {
        let first = quantifier.first;
        match (range, quantifier.second) {
            (Value::List(List::Json { items, decl }), None) if decl.element().is_some() => {
                let Some(decl) = decl.element() else { return Ok(()) };
                for item in *items {
                    self.set(first, Slot::Set(element(item, decl)));
                    if !self.test_predicate(quantifier, tally)? {
                        break;
                    }
                }
            }
            (Value::List(list), None) => {
                for element in list.iter() {
                    self.set(first, Slot::Set(element));
                    if !self.test_predicate(quantifier, tally)? {
                        break;
                    }
                }
            }
            (Value::List(list), Some(second)) => {
                for (index, element) in (0_i64..).zip(list.iter()) {
                    self.set(first, Slot::Set(Ok(Value::Int(index))));
                    self.set(second, Slot::Set(element));
                    if !self.test_predicate(quantifier, tally)? {
                        break;
                    }
                }
            }
            (Value::Map(map), None) => {
                for key in map.keys() {
                    self.set(first, Slot::Set(Ok(key)));
                    if !self.test_predicate(quantifier, tally)? {
                        break;
                    }
                }
            }
            (Value::Map(map), Some(second)) => {
                for key in map.keys() {
                    self.set(second, Slot::Set(entry(map, &key)));
                    self.set(first, Slot::Set(Ok(key)));
                    if !self.test_predicate(quantifier, tally)? {
                        break;
                    }
                }
            }
            (other, None) => return Err(self.failed(not_iterable(other))),
            (other, Some(_)) => return Err(self.failed(not_iterable_by_two(other))),
        }
        Ok(())
    }

    /// Evaluates one iteration, with its variables set. Returns whether the loop condition held.
    #[inline]
    fn test_predicate(&mut self, quantifier: &'v Quantifier, tally: &mut Tally) -> Condition {
        // The cost of the loop condition: the accumulator, its negation in `exists`, and
        // `@not_strictly_false`.
        let cost = if quantifier.universal { 2 } else { 3 };
        if let Tally::Decided = tally {
            self.charge_units(cost)?;
            return Ok(false);
        }
        // The accumulator again, as an operand.
        self.charge_units(cost + 1)?;
        match self.holds(&quantifier.predicate) {
            Ok(b) if b == quantifier.universal => {}
            Ok(_) => *tally = Tally::Decided,
            Err(Failed) => {
                if self.failure.ends_evaluation() {
                    return Err(Failed);
                }
                let error = self.take_error();
                if let Tally::Undecided = tally {
                    *tally = Tally::Failed(error);
                }
            }
        }
        Ok(true)
    }
}

/// An element of a declared list, most often an object.
#[inline]
fn element<'v>(item: &'v Json, decl: &'v Decl) -> Evaluated<'v> {
    match (item, &decl.kind) {
        (Json::Object(entries), DeclKind::Object(decl)) => {
            Ok(Value::Map(Map::Object { entries, decl }))
        }
        _ => convert::typed(item, decl),
    }
}

/// The value of a key that a map was found to have.
pub(super) fn entry<'v>(map: &Map<'v>, key: &Value<'v>) -> Evaluated<'v> {
    map.get(key)?.ok_or_else(|| EvalError::no_such_key(key))
}

pub(super) fn not_iterable(value: &Value<'_>) -> EvalError {
    EvalError::of(format_args!("got '{}', expected iterable type", value.go_type()))
}

pub(super) fn not_iterable_by_two(value: &Value<'_>) -> EvalError {
    EvalError::of(format_args!("unsupported comprehension range type: {}", value.go_type()))
}
