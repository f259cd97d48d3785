//! Merges the fields that a version does not have into an object that was changed in that version.

use std::collections::{BTreeMap, VecDeque};

use serde_json::{Map, Value};

use crate::compiled::{Additional, CompiledSchema, ListType, Node, NodeId};
use crate::json;

/// Merges preserved values into converted ones.
///
/// A value has three forms: `was` is the preserved value, `shown` is `was` after a conversion to the other version and
/// back, so it lacks what the other version does not have, and `now` is the converted value. If `now` equals `shown`,
/// nobody has changed it in the other version, and `was` is restored.
///
/// | value | what is restored |
/// |---|---|
/// | objects, maps | each field by itself |
/// | lists of type `map` | the fields of each item that is still there, by its keys in `shown`; and items that the other version does not show |
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
                let id = |item: &Value| {
                    let keys = keys.iter().map(|key| self.key(items, item, key));
                    keys.collect::<Vec<String>>().join(",")
                };
                self.identified(items, &id, was, shown, now)
            }
            ListType::Set => self.identified(items, &json::to_go_string, was, shown, now),
            ListType::Unset | ListType::Atomic if was.len() == shown.len() => {
                self.ordered(items, was, shown, now)
            }
            ListType::Unset | ListType::Atomic => now,
        }
    }

    /// Returns the text of a key of an item, or of its default.
    fn key(&self, items: Option<&Node>, item: &Value, key: &str) -> String {
        let default = || self.below(items, key)?.default.as_ref();
        item.get(key).or_else(default).map_or_else(String::new, json::to_go_string)
    }

    /// Merges items that have an identity.
    fn identified(
        &self,
        items: Option<&Node>,
        id: &dyn Fn(&Value) -> String,
        was: &[Value],
        shown: &[Value],
        now: Vec<Value>,
    ) -> Vec<Value> {
        let by_id = |list: &[Value]| -> BTreeMap<String, usize> {
            list.iter().enumerate().map(|(index, item)| (id(item), index)).collect()
        };
        let (was_at, shown_at) = (by_id(was), by_id(shown));
        let mut was_of: Vec<Option<usize>> =
            shown.iter().map(|item| was_at.get(&id(item)).copied()).collect();
        // Items whose identity the other version does not keep are in the same order.
        let mut lone: Vec<usize> =
            (0..was.len()).filter(|index| !shown_at.contains_key(&id(&was[*index]))).collect();
        let changed = || was_of.iter().filter(|index| index.is_none()).count();
        let hides = match changed() {
            0 => true,
            changed if changed == lone.len() => {
                let mut lone = lone.drain(..);
                was_of.iter_mut().filter(|of| of.is_none()).for_each(|of| *of = lone.next());
                true
            }
            _ => false,
        };
        // Each item of the result, with the index of the preserved item that it comes from.
        let mut merged: Vec<(Option<usize>, Value)> = Vec::with_capacity(now.len());
        let mut found = vec![false; was.len()];
        for item in now {
            let id = id(&item);
            let origin = match shown_at.get(&id) {
                Some(at) => was_of[*at].map(|index| (index, Some(&shown[*at]))),
                None => was_at.get(&id).map(|index| (*index, None)),
            };
            let Some((index, shown)) = origin else {
                merged.push((None, item));
                continue;
            };
            found[index] = true;
            if let Some(item) = self.value(items, &was[index], shown, Some(item)) {
                merged.push((Some(index), item));
            }
        }
        // The other version does not show these.
        for index in lone.into_iter().filter(|index| hides && !found[*index]) {
            // It follows the item that it followed before.
            let before = merged.iter().rposition(|(of, _)| of.is_some_and(|of| of < index));
            merged.insert(before.map_or(0, |at| at + 1), (Some(index), was[index].clone()));
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
            free.entry(json::to_go_string(item)).or_default().push_back(index);
        }
        for (origin, item) in origin.iter_mut().zip(&now).filter(|(origin, _)| origin.is_none()) {
            *origin = free.get_mut(&json::to_go_string(item)).and_then(VecDeque::pop_front);
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Merges lists of type `map` whose keys are `name` and `port`, which has a default; or other lists.
    #[track_caller]
    fn check(case: [Value; 5]) {
        let [list, was, shown, now, want] = case;
        let mut root = json!({"type": "object", "properties": {"l": list}});
        root["properties"]["l"]["type"] = "array".into();
        let crd = crd_fixtures::crd("example.com", "K").version("v1", root);
        let crd: crate::model::CustomResourceDefinition = crd.read();
        let schema = CompiledSchema::for_version(&crd, "v1").expect("a schema");
        let merged = Merge { schema: &schema }.field("l", &was, Some(&shown), Some(now));
        assert_eq!(merged, Some(want));
    }

    fn ports() -> Value {
        json!({
            "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name", "port"],
            "items": {"type": "object", "properties": {
                "name": {"type": "string"}, "port": {"type": "number", "default": 1}, "x": {"type": "string"},
            }},
        })
    }

    #[test]
    fn keys_are_compared_by_value() {
        check([
            ports(),
            json!([{"name": "a", "port": 80, "x": "1"}, {"name": "b", "port": 1e20, "x": "2"}]),
            json!([{"name": "a", "port": 80.0}, {"name": "b", "port": 1e20}]),
            json!([{"name": "b", "port": 100_000_000_000_000_000_000_f64}, {"name": "a", "port": 80}]),
            json!([{"name": "b", "port": 1e20, "x": "2"}, {"name": "a", "port": 80, "x": "1"}]),
        ]);
        let set = json!({"x-kubernetes-list-type": "set", "items": {"type": "number"}});
        check([set, json!([1, 2, 3]), json!([1.0, 2.0]), json!([2, 1]), json!([2, 1, 3])]);
        let list =
            json!({"items": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}});
        check([
            list,
            json!([{"a": 1, "x": 1}, {"a": 2, "x": 2}]),
            json!([{"a": 1.0}, {"a": 2.0}]),
            json!([{"a": 2}, {"a": 1}, {"a": 3}]),
            json!([{"a": 2, "x": 2}, {"a": 1, "x": 1}, {"a": 3}]),
        ]);
    }

    #[test]
    fn an_absent_key_is_its_default() {
        check([
            ports(),
            json!([{"name": "a", "port": 1, "x": "1"}, {"name": "b", "port": 1, "x": "2"}]),
            json!([{"name": "a"}, {"name": "b"}]),
            json!([{"name": "c"}, {"name": "b"}]),
            json!([{"name": "c"}, {"name": "b", "port": 1, "x": "2"}]),
        ]);
    }

    /// The other version has one key less, or writes it in another way.
    #[test]
    fn items_are_identified_as_the_other_version_shows_them() {
        let was =
            || json!([{"name": "a", "port": 7, "x": "1"}, {"name": "b", "port": 8, "x": "2"}]);
        let shown = || json!([{"name": "a", "port": 1}, {"name": "b", "port": 1}]);
        check([
            ports(),
            was(),
            shown(),
            json!([{"name": "b", "port": 1}, {"name": "c", "port": 1}]),
            json!([{"name": "b", "port": 8, "x": "2"}, {"name": "c", "port": 1}]),
        ]);
        let set = json!({"x-kubernetes-list-type": "set", "items": {"type": "string"}});
        check([set, json!(["A", "B"]), json!(["a", "b"]), json!(["b"]), json!(["B"])]);
        // Which item was `c` is not clear, and that `a` and `b` are hidden neither.
        check([
            ports(),
            was(),
            json!([{"name": "c", "port": 1}]),
            json!([{"name": "c", "port": 2}]),
            json!([{"name": "c", "port": 2}]),
        ]);
    }

    #[test]
    fn an_item_that_is_added_is_the_hidden_one_with_its_keys() {
        check([
            ports(),
            json!([{"name": "a", "port": 1}, {"name": "hidden", "port": 1, "x": "2"}]),
            json!([{"name": "a", "port": 1}]),
            json!([{"name": "hidden", "port": 1, "x": "3"}]),
            json!([{"name": "hidden", "port": 1, "x": "3"}]),
        ]);
    }

    #[test]
    fn lists_of_lists_and_maps_of_lists_are_merged() {
        let atomic = json!({
            "x-kubernetes-list-type": "atomic",
            "items": {"type": "array", "items": {"type": "object", "properties": {"a": {"type": "integer"}}}},
        });
        check([
            atomic,
            json!([[{"a": 1, "x": 1}, {"a": 2, "x": 2}], [{"a": 3, "x": 3}]]),
            json!([[{"a": 1}, {"a": 2}], [{"a": 3}]]),
            json!([[{"a": 2}, {"a": 1}], [{"a": 3}]]),
            json!([[{"a": 2, "x": 2}, {"a": 1, "x": 1}], [{"a": 3, "x": 3}]]),
        ]);
        let mut map = json!({
            "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
            "items": {"type": "object", "properties": {
                "name": {"type": "string"}, "of": {"type": "object", "additionalProperties": {"type": "array"}},
            }},
        });
        let ports = ports();
        let inner = &mut map["items"]["properties"]["of"]["additionalProperties"];
        for (key, value) in ports.as_object().expect("an object") {
            inner[key] = value.clone();
        }
        let item = |ports: Value| json!([{"name": "a", "of": {"k": ports}}]);
        check([
            map,
            item(json!([{"name": "a", "port": 1, "x": "1"}, {"name": "b", "port": 1, "x": "2"}])),
            item(json!([{"name": "a", "port": 1}, {"name": "b", "port": 1}])),
            item(json!([{"name": "b", "port": 1}])),
            item(json!([{"name": "b", "port": 1, "x": "2"}])),
        ]);
    }
}
