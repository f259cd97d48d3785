//! Merges the fields that a version does not have into an object that was changed in that version.

use std::collections::{BTreeMap, VecDeque};

use serde_json::{Map, Value};

use crate::compiled::{Additional, CompiledSchema, ListType, Node, NodeId};

/// Merges preserved values into converted ones.
///
/// A value has three forms: `was` is the preserved value, `shown` is `was` after a conversion to the other version and
/// back, so it lacks what the other version does not have, and `now` is the converted value. If `now` equals `shown`,
/// nobody has changed it in the other version, and `was` is restored.
///
/// | value | what is restored |
/// |---|---|
/// | objects, maps | each field by itself |
/// | lists of type `map` | the fields of each item that is still there, by its keys; and items that the other version does not show |
/// | lists of type `set` | items that the other version does not show |
/// | other lists | the fields of items that are unchanged, wherever they are; and if the list has as many items as before, those of a changed item, by its index |
pub(super) struct Merge<'a> {
    pub(super) schema: &'a CompiledSchema,
}

impl Merge<'_> {
    /// Merges the fields of whole objects; `None` if the result lacks the value.
    pub(super) fn field(
        &self,
        name: &str,
        was: &Value,
        shown: Option<&Value>,
        now: Option<Value>,
    ) -> Option<Value> {
        self.value(self.below(Some(self.schema.root()), name), was, shown, now)
    }

    fn value(
        &self,
        node: Option<&Node>,
        was: &Value,
        shown: Option<&Value>,
        now: Option<Value>,
    ) -> Option<Value> {
        match (was, shown, now) {
            (_, None, None) => Some(was.clone()),
            (_, Some(shown), Some(now)) if same(shown, &now) => Some(was.clone()),
            (Value::Object(was), Some(Value::Object(shown)), Some(Value::Object(mut now))) => {
                for (key, was) in was {
                    let node = self.below(node, key);
                    let present = now.remove(key);
                    if let Some(merged) = self.value(node, was, shown.get(key), present) {
                        now.insert(key.clone(), merged);
                    }
                }
                Some(Value::Object(now))
            }
            (Value::Array(was), Some(Value::Array(shown)), Some(Value::Array(now))) => {
                Some(Value::Array(self.list(node, was, shown, now)))
            }
            (_, _, now) => now,
        }
    }

    /// Returns the schema of a field or of the values of a map.
    fn below(&self, node: Option<&Node>, key: &str) -> Option<&Node> {
        let node = node?;
        let id: NodeId = node.property(key).or(match node.additional {
            Additional::Schema(values) => Some(values),
            Additional::Absent | Additional::Bool(_) => None,
        })?;
        Some(&self.schema[id])
    }

    fn list(
        &self,
        node: Option<&Node>,
        was: &[Value],
        shown: &[Value],
        now: Vec<Value>,
    ) -> Vec<Value> {
        let items = node.and_then(|node| node.items).map(|items| &self.schema[items]);
        match node.map_or(&ListType::Unset, |node| &node.list_type) {
            ListType::Map(keys) => {
                let id = |item: &Value| -> Option<String> {
                    let keys = keys.iter().map(|key| item.get(&**key).map(Value::to_string));
                    keys.collect::<Option<Vec<String>>>().map(|keys| keys.join(","))
                };
                self.identified(items, &id, was, shown, now)
            }
            ListType::Set => {
                self.identified(items, &|item| Some(item.to_string()), was, shown, now)
            }
            ListType::Unset | ListType::Atomic if was.len() == shown.len() => {
                self.ordered(items, was, shown, now)
            }
            ListType::Unset | ListType::Atomic => now,
        }
    }

    /// Merges items that have an identity.
    fn identified(
        &self,
        items: Option<&Node>,
        id: &dyn Fn(&Value) -> Option<String>,
        was: &[Value],
        shown: &[Value],
        now: Vec<Value>,
    ) -> Vec<Value> {
        let by_id = |list: &[Value]| -> BTreeMap<String, usize> {
            let ids = list.iter().enumerate();
            ids.filter_map(|(index, item)| Some((id(item)?, index))).collect()
        };
        let (was_at, shown_at) = (by_id(was), by_id(shown));
        // Each item of the result, with the index of the preserved item that it comes from.
        let mut merged: Vec<(Option<usize>, Value)> = Vec::with_capacity(now.len());
        let mut found = vec![false; was.len()];
        for item in now {
            let index = id(&item).and_then(|id| {
                let index = *was_at.get(&id)?;
                Some((index, shown_at.get(&id).map(|at| &shown[*at])))
            });
            let Some((index, shown)) = index else {
                merged.push((None, item));
                continue;
            };
            found[index] = true;
            if let Some(item) = self.value(items, &was[index], shown, Some(item)) {
                merged.push((Some(index), item));
            }
        }
        for (index, item) in was.iter().enumerate() {
            let is_hidden = id(item).is_some_and(|id| !shown_at.contains_key(&id));
            if found[index] || !is_hidden {
                continue;
            }
            // It follows the item that it followed before.
            let before = merged.iter().rposition(|(of, _)| of.is_some_and(|of| of < index));
            merged.insert(before.map_or(0, |at| at + 1), (Some(index), item.clone()));
        }
        merged.into_iter().map(|(_, item)| item).collect()
    }

    /// Merges items without an identity. `was` and `shown` have the same items.
    fn ordered(
        &self,
        items: Option<&Node>,
        was: &[Value],
        shown: &[Value],
        now: Vec<Value>,
    ) -> Vec<Value> {
        let mut free: BTreeMap<String, VecDeque<usize>> = BTreeMap::new();
        let is_kept = |index: usize| now.get(index).is_some_and(|now| same(&shown[index], now));
        let mut origin: Vec<Option<usize>> = (0..now.len())
            .map(|index| (index < shown.len() && is_kept(index)).then_some(index))
            .collect();
        let mut is_free: Vec<bool> = (0..shown.len()).map(|index| !is_kept(index)).collect();
        for (index, item) in shown.iter().enumerate().filter(|(index, _)| is_free[*index]) {
            free.entry(item.to_string()).or_default().push_back(index);
        }
        for (origin, item) in origin.iter_mut().zip(&now).filter(|(origin, _)| origin.is_none()) {
            *origin = free.get_mut(&item.to_string()).and_then(VecDeque::pop_front);
            if let Some(index) = *origin {
                is_free[index] = false;
            }
        }
        if now.len() == shown.len() {
            for (index, origin) in origin.iter_mut().enumerate() {
                if origin.is_none() && is_free[index] {
                    *origin = Some(index);
                }
            }
        }
        let merged = now.into_iter().zip(origin).filter_map(|(item, origin)| match origin {
            Some(index) => self.value(items, &was[index], Some(&shown[index]), Some(item)),
            None => Some(item),
        });
        merged.collect()
    }
}

/// Iterates over the fields of an object except `apiVersion`, `kind` and `metadata`.
pub(super) fn content(object: &Value) -> impl Iterator<Item = (&String, &Value)> {
    let fields = object.as_object().into_iter().flat_map(Map::iter);
    fields.filter(|(key, _)| !matches!(key.as_str(), "apiVersion" | "kind" | "metadata"))
}

/// Returns whether two values are equal; numbers are compared by value.
pub(super) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(x), Value::Number(y)) => {
            x == y || (x.is_f64() || y.is_f64()) && x.as_f64() == y.as_f64()
        }
        (Value::Array(x), Value::Array(y)) => {
            x.len() == y.len() && x.iter().zip(y).all(|(x, y)| same(x, y))
        }
        (Value::Object(x), Value::Object(y)) => {
            x.len() == y.len() && x.iter().all(|(key, x)| y.get(key).is_some_and(|y| same(x, y)))
        }
        _ => a == b,
    }
}
