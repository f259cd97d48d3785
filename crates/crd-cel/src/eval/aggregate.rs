//! Evaluates list and map literals.
//!
//! Source: `cel-go/interpreter/interpretable.go`, `evalList`, `evalMap`.

use super::{Evaluated, Evaluation, LIST_COST, MAP_COST};
use crate::plan::Node;
use crate::value::literal::{push_element, push_entry};
use crate::value::{OwnedMap, SHARED_TEXT, Value};

impl<'v> Evaluation<'_, 'v> {
    #[inline(never)]
    pub(super) fn list(&mut self, elements: &'v [(Node, bool)]) -> Evaluated<'v> {
        let list = self.elements(elements);
        self.charged(list, |_| Ok(LIST_COST))
    }

    fn elements(&mut self, elements: &'v [(Node, bool)]) -> Evaluated<'v> {
        self.budget
            .allocate(elements.len() as u64 * size_of::<Value<'_>>() as u64 + SHARED_TEXT)?;
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
        self.charged(map, |_| Ok(MAP_COST))
    }

    fn entries(&mut self, entries: &'v [(Node, Node, bool)]) -> Evaluated<'v> {
        self.budget
            .allocate(2 * entries.len() as u64 * size_of::<Value<'_>>() as u64 + SHARED_TEXT)?;
        let mut map = OwnedMap::new();
        for (key, value, optional) in entries {
            let key = self.eval(key)?;
            let value = self.eval(value)?;
            push_entry(&mut map, key, value, *optional)?;
        }
        Ok(Value::map(map))
    }
}
