//! `all` and `exists`.
//!
//! What they expand to is a comprehension like any other, and it is counted like one: before each
//! element the accumulator is asked whether to go on (`@not_strictly_false(@result)`, or of
//! `!@result`), then `@result && predicate` (or `||`) is the next accumulator, and the accumulator is
//! the result. Here the accumulator needs no slot and no steps of its own.

use super::{Evaluated, Machine, Slot};
use crate::error::EvalError;
use crate::plan::Quantifier;
use crate::value::{List, Map, Value, convert};

/// The accumulator: undecided so far, decided, or without an answer unless a later element decides.
enum Tally {
    Undecided,
    Decided,
    Failed(EvalError),
}

impl<'v> Machine<'_, 'v> {
    #[inline(never)]
    pub(super) fn quantifier(&mut self, quantifier: &'v Quantifier) -> Evaluated<'v> {
        let range = self.eval(&quantifier.range)?;
        let mut tally = Tally::Undecided;
        match (&range, quantifier.second) {
            (Value::List(List::Json { items, decl }), None) if decl.element().is_some() => {
                for item in *items {
                    let element = match decl.element() {
                        Some(element) => convert::typed(item, element),
                        None => break,
                    };
                    if !self.ask(quantifier, element, None, &mut tally)? {
                        break;
                    }
                }
            }
            (Value::List(list), None) => {
                for element in list.iter() {
                    if !self.ask(quantifier, element, None, &mut tally)? {
                        break;
                    }
                }
            }
            (Value::List(list), Some(second)) => {
                for (index, element) in (0_i64..).zip(list.iter()) {
                    let index = Ok(Value::Int(index));
                    if !self.ask(quantifier, index, Some((second, element)), &mut tally)? {
                        break;
                    }
                }
            }
            (Value::Map(map), None) => {
                for key in map.keys() {
                    if !self.ask(quantifier, Ok(key), None, &mut tally)? {
                        break;
                    }
                }
            }
            (Value::Map(map), Some(second)) => {
                for key in map.keys() {
                    let value = entry(map, &key);
                    if !self.ask(quantifier, Ok(key), Some((second, value)), &mut tally)? {
                        break;
                    }
                }
            }
            (other, None) => return Err(not_iterable(other)),
            (other, Some(_)) => return Err(not_iterable_by_two(other)),
        }
        self.budget.charge(1)?;
        match tally {
            Tally::Undecided => Ok(Value::Bool(quantifier.universal)),
            Tally::Decided => Ok(Value::Bool(!quantifier.universal)),
            Tally::Failed(error) => Err(error),
        }
    }

    /// One round; whether there is another.
    fn ask(
        &mut self,
        quantifier: &'v Quantifier,
        first: Evaluated<'v>,
        second: Option<(usize, Evaluated<'v>)>,
        tally: &mut Tally,
    ) -> Result<bool, EvalError> {
        // The accumulator, its negation in `exists`, and the question.
        let asked = if quantifier.universal { 2 } else { 3 };
        if let Tally::Decided = tally {
            self.budget.charge_steps(asked)?;
            return Ok(false);
        }
        // The accumulator again, as an operand.
        self.budget.charge_steps(asked + 1)?;
        if let Some(slot) = self.slots.get_mut(quantifier.first) {
            *slot = Slot::Set(first);
        }
        if let Some((second, value)) = second
            && let Some(slot) = self.slots.get_mut(second)
        {
            *slot = Slot::Set(value);
        }
        match self.holds(&quantifier.predicate) {
            Ok(b) if b == quantifier.universal => {}
            Ok(_) => *tally = Tally::Decided,
            Err(error) if error.ends_evaluation() => return Err(error),
            Err(error) => {
                if let Tally::Undecided = tally {
                    *tally = Tally::Failed(error);
                }
            }
        }
        Ok(true)
    }
}

/// The value of a key that a map was found to have.
pub(super) fn entry<'v>(map: &Map<'v>, key: &Value<'v>) -> Evaluated<'v> {
    map.get(key)?.ok_or_else(|| EvalError::no_such_key(key))
}

pub(super) fn not_iterable(value: &Value<'_>) -> EvalError {
    EvalError::new(format!("got '{}', expected iterable type", value.go_type()))
}

pub(super) fn not_iterable_by_two(value: &Value<'_>) -> EvalError {
    EvalError::new(format!("unsupported comprehension range type: {}", value.go_type()))
}
