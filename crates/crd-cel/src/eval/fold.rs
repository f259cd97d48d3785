//! Comprehensions.
//!
//! Source: `cel-go/interpreter/interpretable.go`, `evalFold`, `folder`.

use std::sync::Arc;

use super::condition::Failed;
use super::quantifier::{entry, not_iterable, not_iterable_by_two};
use super::{Evaluated, Evaluation, LIST_COST, Slot};
use crate::error::EvalError;
use crate::library::{insert_entry, insert_map};
use crate::plan::{Append, Fold, Insert};
use crate::value::{List, Map, Value};

/// Whether a comprehension continues.
enum Next {
    Continue,
    Stop,
}

impl<'v> Evaluation<'_, 'v> {
    #[inline(never)]
    pub(super) fn fold(&mut self, fold: &'v Fold) -> Evaluated<'v> {
        let range = self.eval(&fold.range)?;
        // Upstream: the accumulator's initial value is evaluated at its first use.
        self.set(fold.accumulator, Slot::Lazy(&fold.init));
        match (&range, fold.second) {
            (Value::List(list), None) => {
                for index in 0..list.len() {
                    let Some(element) = list.get(index) else { break };
                    self.set(fold.first, Slot::Set(element));
                    if let Next::Stop = self.iterate(fold)? {
                        break;
                    }
                }
            }
            (Value::Map(map), None) => {
                for key in map.keys() {
                    self.set(fold.first, Slot::Set(Ok(key)));
                    if let Next::Stop = self.iterate(fold)? {
                        break;
                    }
                }
            }
            (Value::List(list), Some(second)) => {
                for index in 0..list.len() {
                    let Some(element) = list.get(index) else { break };
                    let position = i64::try_from(index).unwrap_or(i64::MAX);
                    self.set(fold.first, Slot::Set(Ok(Value::Int(position))));
                    self.set(second, Slot::Set(element));
                    if let Next::Stop = self.iterate(fold)? {
                        break;
                    }
                }
            }
            (Value::Map(map), Some(second)) => {
                for key in map.keys() {
                    let value = entry(map, &key);
                    self.set(fold.first, Slot::Set(Ok(key)));
                    self.set(second, Slot::Set(value));
                    if let Next::Stop = self.iterate(fold)? {
                        break;
                    }
                }
            }
            (other, None) => return Err(not_iterable(other)),
            (other, Some(_)) => return Err(not_iterable_by_two(other)),
        }
        let result = self.eval(&fold.result);
        self.set(fold.accumulator, Slot::Unset);
        result
    }

    #[inline]
    pub(super) fn set(&mut self, slot: usize, value: Slot<'v>) {
        if let Some(slot) = self.slots.get_mut(slot) {
            *slot = value;
        }
    }

    /// Evaluates one iteration. A condition that fails or is not a bool does not end the
    /// comprehension.
    fn iterate(&mut self, fold: &'v Fold) -> Result<Next, EvalError> {
        match self.holds(&fold.condition) {
            Ok(false) => return Ok(Next::Stop),
            Err(Failed) if self.failure.ends_evaluation() => return Err(self.take_error()),
            Ok(true) | Err(Failed) => {}
        }
        let step = self.operand(&fold.step)?;
        self.set(fold.accumulator, Slot::Set(step));
        Ok(Next::Continue)
    }

    /// Takes the accumulator out of its slot, so that the step owns it and changes it in place. The
    /// step's result becomes the next accumulator.
    fn take(&mut self, slot: usize) -> Evaluated<'v> {
        match self.slots.get_mut(slot).map(std::mem::take) {
            Some(Slot::Set(value)) => value,
            Some(Slot::Lazy(init)) => self.eval(init),
            Some(Slot::Unset) | None => Err(EvalError::fixed("no such attribute(s): @result")),
        }
    }

    /// Evaluates `accumulator + [element]` without a copy of the list. The cost is that of the
    /// variable, the list literal and the addition.
    #[inline(never)]
    pub(super) fn append(&mut self, append: &'v Append) -> Evaluated<'v> {
        self.budget.charge(1)?;
        let element = self.operand(&append.element)?;
        self.budget.charge(if append.constant { 1 } else { LIST_COST + 1 })?;
        let list = self.take(append.accumulator)?;
        let element = element?;
        self.budget.allocate(size_of::<Value<'_>>() as u64)?;
        let Value::List(List::Owned(mut items)) = list else {
            return Err(EvalError::NO_SUCH_OVERLOAD);
        };
        // `make_mut` copies the constant `[]` for the first element. Later lists are not shared.
        Arc::make_mut(&mut items).push(element);
        Ok(Value::List(List::Owned(items)))
    }

    /// Evaluates `cel.@mapInsert` without a copy of the map. The cost is that of the variable, the
    /// arguments and the call. An error in the key ends the call before it is charged; an error in
    /// the last argument ends it afterwards.
    #[inline(never)]
    pub(super) fn insert(&mut self, insert: &'v Insert) -> Evaluated<'v> {
        self.budget.charge(1)?;
        let accumulated = match self.slots.get(insert.accumulator) {
            Some(Slot::Set(Err(error))) => Err(error.clone()),
            _ => Ok(()),
        };
        // With one argument the call is binary, so the argument is evaluated even if the accumulator is
        // an error.
        match (&insert.args[..], accumulated) {
            ([added], accumulated) => {
                let added = self.operand(added)?;
                self.budget.charge(1)?;
                accumulated?;
                let added = match added? {
                    Value::Map(added) => added,
                    other => {
                        let ty = other.type_name();
                        let text = format!("no such overload: cel.@mapInsert(map, {ty})");
                        return Err(EvalError::new(text));
                    }
                };
                self.budget.allocate(2 * added.len() as u64 * size_of::<Value<'_>>() as u64)?;
                let mut map = self.take_map(insert.accumulator)?;
                insert_map(Arc::make_mut(&mut map), &added)?;
                Ok(Value::Map(Map::Owned(map)))
            }
            ([key, value], Ok(())) => {
                let key = self.eval(key)?;
                let value = self.operand(value)?;
                self.budget.charge(1)?;
                let value = value?;
                self.budget.allocate(2 * size_of::<Value<'_>>() as u64)?;
                let mut map = self.take_map(insert.accumulator)?;
                insert_entry(Arc::make_mut(&mut map), key, value)?;
                Ok(Value::Map(Map::Owned(map)))
            }
            (_, Err(error)) => Err(error),
            _ => Err(EvalError::NO_SUCH_OVERLOAD),
        }
    }

    fn take_map(&mut self, slot: usize) -> Result<Arc<crate::value::OwnedMap<'v>>, EvalError> {
        match self.take(slot)? {
            Value::Map(Map::Owned(map)) => Ok(map),
            _ => Err(EvalError::NO_SUCH_OVERLOAD),
        }
    }
}
