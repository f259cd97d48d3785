//! List and map literals.
//!
//! Source: `cel-go/interpreter/interpretable.go`, `evalList`, `evalMap`.

use super::{Evaluated, LIST_COST, MAP_COST, Machine};
use crate::budget::TEXT;
use crate::error::EvalError;
use crate::plan::Node;
use crate::value::{OwnedMap, Value, hashable};

/// Adds an element; an optional one only where it has a value.
///
/// # Errors
/// If an optional element is not an optional.
pub(crate) fn push_element<'v>(
    items: &mut Vec<Value<'v>>,
    element: Value<'v>,
    optional: bool,
) -> Result<(), EvalError> {
    match (optional, element) {
        (false, element) => items.push(element),
        (true, Value::Optional(Some(element))) => items.push((*element).clone()),
        (true, Value::Optional(None)) => {}
        (true, other) => {
            return Err(EvalError::of(format_args!(
                "cannot initialize optional list element from non-optional value {other}"
            )));
        }
    }
    Ok(())
}

/// Sets an entry; an optional one without a value removes it.
///
/// # Errors
/// If an optional entry is not an optional.
pub(crate) fn push_entry<'v>(
    map: &mut OwnedMap<'v>,
    key: Value<'v>,
    value: Value<'v>,
    optional: bool,
) -> Result<(), EvalError> {
    match (optional, value) {
        (false, value) => {
            hashable(&key)?;
            map.insert(key, value);
        }
        (true, Value::Optional(Some(value))) => {
            hashable(&key)?;
            map.insert(key, (*value).clone());
        }
        (true, Value::Optional(None)) => {
            // Upstream: taking such a key out of a map is given up in other words.
            if hashable(&key).is_err() {
                let ty = key.go_type();
                return Err(EvalError::internal(&format_args!("hash of unhashable type: {ty}")));
            }
            map.remove(&key);
        }
        (true, other) => {
            return Err(EvalError::of(format_args!(
                "cannot initialize optional entry '{key}' from non-optional value {other}"
            )));
        }
    }
    Ok(())
}

impl<'v> Machine<'_, 'v> {
    #[inline(never)]
    pub(super) fn list(&mut self, elements: &'v [(Node, bool)]) -> Evaluated<'v> {
        let list = self.elements(elements);
        self.paid(list, |_| Ok(LIST_COST))
    }

    fn elements(&mut self, elements: &'v [(Node, bool)]) -> Evaluated<'v> {
        self.budget.allocate(elements.len() as u64 * size_of::<Value<'_>>() as u64 + TEXT)?;
        let mut items = Vec::with_capacity(elements.len());
        for (element, optional) in elements {
            let element = self.eval(element)?;
            push_element(&mut items, element, *optional)?;
        }
        Ok(Value::list(items))
    }

    #[inline(never)]
    pub(super) fn map(&mut self, entries: &'v [(Node, Node, bool)]) -> Evaluated<'v> {
        let map = self.entries(entries);
        self.paid(map, |_| Ok(MAP_COST))
    }

    fn entries(&mut self, entries: &'v [(Node, Node, bool)]) -> Evaluated<'v> {
        self.budget.allocate(2 * entries.len() as u64 * size_of::<Value<'_>>() as u64 + TEXT)?;
        let mut map = OwnedMap::new();
        for (key, value, optional) in entries {
            let key = self.eval(key)?;
            let value = self.eval(value)?;
            push_entry(&mut map, key, value, *optional)?;
        }
        Ok(Value::map(map))
    }
}
