//! Pairs the values of an updated object with their old values.
//!
//! A [`Correlation`] is a pair of a new value and its old value. Validation walks the new object and gets the pair of
//! each child; a child that is not correlatable has none. [`MapList`] finds the old element of a list of type `map` by
//! its keys.
//!
//! Source: `pkg/cel/common/equality.go` and `pkg/cel/common/maplist.go` of k8s.io/apiserver.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::rc::Rc;

use crd_cel::gofmt;
use serde_json::{Map, Value};

use crate::compiled::{Additional, CompiledSchema, ListType, NodeId, SchemaType};
use crate::json::{self, Num};

/// A new value and its old value, with the schema of both.
///
/// Source: `CorrelatedObject`.
#[derive(Debug)]
pub(crate) struct Correlation<'a> {
    schema: &'a CompiledSchema,
    node: NodeId,
    new: &'a Value,
    old: &'a Value,
    unchanged: OnceCell<bool>,
    old_items: OnceCell<MapList<'a>>,
    compared: Rc<RefCell<Compared>>,
}

/// The results of comparing lists and objects, by schema node and the addresses of both values. Without them, a
/// comparison at each level would repeat those of the levels below.
type Compared = HashMap<(NodeId, usize, usize), bool>;

impl<'a> Correlation<'a> {
    /// Pairs whole objects.
    pub(crate) fn root(schema: &'a CompiledSchema, new: &'a Value, old: &'a Value) -> Self {
        Self::of(schema, schema.root, new, old)
    }

    /// Pairs two values of one schema.
    pub(crate) fn of(
        schema: &'a CompiledSchema,
        node: NodeId,
        new: &'a Value,
        old: &'a Value,
    ) -> Self {
        Self::sharing(schema, node, new, old, Rc::default())
    }

    /// Creates a pair below this one.
    fn below(&self, node: NodeId, new: &'a Value, old: &'a Value) -> Self {
        Self::sharing(self.schema, node, new, old, Rc::clone(&self.compared))
    }

    fn sharing(
        schema: &'a CompiledSchema,
        node: NodeId,
        new: &'a Value,
        old: &'a Value,
        compared: Rc<RefCell<Compared>>,
    ) -> Self {
        let (unchanged, old_items) = (OnceCell::new(), OnceCell::new());
        Self { schema, node, new, old, unchanged, old_items, compared }
    }

    /// Returns the pair at a key, if both objects have the key and the schema specifies it.
    ///
    /// Source: `CorrelatedObject.Key`.
    pub(crate) fn key(&self, key: &str) -> Option<Self> {
        let (Value::Object(new), Value::Object(old)) = (self.new, self.old) else { return None };
        let node = &self.schema[self.node];
        let node = node.property(key).or(match node.additional {
            Additional::Schema(id) => Some(id),
            Additional::Absent | Additional::Bool(_) => None,
        })?;
        Some(self.below(node, new.get(key)?, old.get(key)?))
    }

    /// Returns the pair at an index of the new list, if the list is of type `map` and the old list has an element with
    /// the same keys.
    ///
    /// Source: `CorrelatedObject.Index`.
    pub(crate) fn index(&self, index: usize) -> Option<Self> {
        let (Value::Array(new), Value::Array(old)) = (self.new, self.old) else { return None };
        let node = &self.schema[self.node];
        let ListType::Map(keys) = &node.list_type else { return None };
        if node.type_ != SchemaType::Array {
            return None;
        }
        let new = new.get(index)?;
        let old = self.old_items.get_or_init(|| MapList::new(keys, old)).get(new)?;
        Some(self.below(node.items?, new, old))
    }

    /// Returns whether the new value equals the old one. An object with a key that the schema does not specify always
    /// counts as changed. The order of a list of type `map` does not matter.
    ///
    /// Source: `CorrelatedObject.CachedDeepEqual`.
    pub(crate) fn is_unchanged(&self) -> bool {
        *self.unchanged.get_or_init(|| self.compare())
    }

    /// Recursion follows the schema, which is finite.
    fn compare(&self) -> bool {
        if !matches!(self.new, Value::Object(_) | Value::Array(_)) {
            return json::equal(self.new, self.old);
        }
        let key = (self.node, address(self.new), address(self.old));
        if let Some(known) = self.compared.borrow().get(&key) {
            return *known;
        }
        let unchanged = self.compare_children();
        self.compared.borrow_mut().insert(key, unchanged);
        unchanged
    }

    fn compare_children(&self) -> bool {
        match (self.new, self.old) {
            (Value::Object(new), Value::Object(old)) => {
                new.len() == old.len()
                    && new.keys().all(|key| self.key(key).is_some_and(|child| child.compare()))
            }
            (Value::Array(new), Value::Array(old)) => {
                if new.len() != old.len() {
                    return false;
                }
                match self.schema[self.node].list_type {
                    ListType::Map(_) => (0..new.len())
                        .all(|index| self.index(index).is_some_and(|child| child.compare())),
                    ListType::Unset | ListType::Atomic | ListType::Set => {
                        json::equal(self.new, self.old)
                    }
                }
            }
            (new, old) => json::equal(new, old),
        }
    }
}

/// Returns the address of a value, which identifies the value while it is borrowed.
fn address(value: &Value) -> usize {
    std::ptr::from_ref(value).addr()
}

/// The elements of an old list, indexed by their keys.
///
/// Source: `MapList`.
#[derive(Debug)]
pub(crate) struct MapList<'a> {
    keys: &'a [Box<str>],
    by_key: HashMap<ElementKey<'a>, &'a Value>,
}

/// The values of one element's keys.
#[derive(Debug, PartialEq, Eq, Hash)]
enum ElementKey<'a> {
    Bool(bool),
    Int(i64),
    /// The bits of the number; for -0, those of 0.
    Float(u64),
    Text(&'a str),
    Several(String),
}

impl<'a> MapList<'a> {
    /// Indexes a list. Of elements with equal keys only the first is kept; elements without all keys are skipped.
    pub(crate) fn new(keys: &'a [Box<str>], items: &'a [Value]) -> Self {
        let mut by_key = HashMap::with_capacity(items.len());
        if !keys.is_empty() {
            for item in items {
                if let Some(key) = item.as_object().and_then(|map| key_of(keys, map)) {
                    by_key.entry(key).or_insert(item);
                }
            }
        }
        Self { keys, by_key }
    }

    /// Returns the old element with the same keys as `element`.
    pub(crate) fn get(&self, element: &Value) -> Option<&'a Value> {
        let key = key_of(self.keys, element.as_object()?)?;
        self.by_key.get(&key).copied()
    }
}

/// Returns the keys of an element: a single key as a typed value, several as text. `None` if a key is missing or is not
/// a scalar.
fn key_of<'v>(keys: &[Box<str>], map: &'v Map<String, Value>) -> Option<ElementKey<'v>> {
    if let [key] = keys {
        return match map.get(&**key)? {
            Value::Bool(b) => Some(ElementKey::Bool(*b)),
            Value::Number(number) => Some(match Num::of(number) {
                Num::Int(int) => ElementKey::Int(int),
                Num::Float(float) => ElementKey::Float((float + 0.0).to_bits()),
            }),
            Value::String(text) => Some(ElementKey::Text(text)),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        };
    }
    let mut text = String::new();
    for key in keys {
        text.push('\0');
        match map.get(&**key)? {
            Value::Bool(b) => text.push_str(if *b { "true" } else { "false" }),
            Value::Number(number) => {
                // Upstream: `%f` has six decimals, so that floats that are close together are equal.
                let _ = match Num::of(number) {
                    Num::Int(int) => write!(text, "{int}"),
                    Num::Float(float) => write!(text, "{float:.6}"),
                };
            }
            Value::String(value) => text.push_str(&gofmt::quote(value)),
            Value::Null | Value::Array(_) | Value::Object(_) => return None,
        }
    }
    Some(ElementKey::Several(text))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::CustomResourceDefinition;

    fn compile(spec: &Value) -> CompiledSchema {
        let crd: CustomResourceDefinition =
            crd_fixtures::crd("example.com", "Thing").spec("v1", spec).read();
        CompiledSchema::for_version(&crd, "v1").unwrap()
    }

    /// Checks whether a spec counts as unchanged.
    #[track_caller]
    fn check(spec: &Value, new: &Value, old: &Value, unchanged: bool) {
        let schema = compile(spec);
        let (new, old) = (json!({"spec": new}), json!({"spec": old}));
        let root = Correlation::root(&schema, &new, &old);
        assert_eq!(root.key("spec").unwrap().is_unchanged(), unchanged, "{new} {old}");
    }

    fn map_list(keys: &[&str]) -> Value {
        json!({
            "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys,
            "items": {"type": "object", "properties": {
                "k": {"x-kubernetes-preserve-unknown-fields": true}, "v": {"type": "integer"},
                "j": {"x-kubernetes-preserve-unknown-fields": true},
            }},
        })
    }

    #[test]
    fn scalars_are_compared_with_their_type() {
        let any = json!({"x-kubernetes-preserve-unknown-fields": true});
        check(&any, &json!(1), &json!(1), true);
        check(&any, &json!(1), &json!(1.0), false);
        check(&any, &json!(1), &json!("1"), false);
        check(&any, &json!(null), &json!(null), true);
        check(&any, &json!(null), &json!([]), false);
        check(&any, &json!([]), &json!({}), false);
    }

    #[test]
    fn a_key_that_the_schema_does_not_know_is_a_change() {
        let known = json!({"type": "object", "properties": {"a": {"type": "integer"}},
            "x-kubernetes-preserve-unknown-fields": true});
        check(&known, &json!({"a": 1}), &json!({"a": 1}), true);
        check(&known, &json!({"b": 1}), &json!({"b": 1}), false);
        check(&known, &json!({}), &json!({}), true);
        let additional = json!({"type": "object", "additionalProperties": {"type": "integer"}});
        check(&additional, &json!({"b": 1}), &json!({"b": 1}), true);
        check(&additional, &json!({"b": 1}), &json!({"c": 1}), false);
        check(
            &json!({"type": "object", "additionalProperties": true}),
            &json!({"b": 1}),
            &json!({"b": 1}),
            false,
        );
    }

    #[test]
    fn lists_are_compared_whole_unless_they_are_maps() {
        let list = json!({"type": "array", "items": {"type": "object", "properties": {}}});
        check(&list, &json!([{"x": 1}]), &json!([{"x": 1}]), true);
        check(&list, &json!([1, 2]), &json!([2, 1]), false);
        check(&map_list(&["k"]), &json!([{"k": 1}, {"k": 2}]), &json!([{"k": 2}, {"k": 1}]), true);
        check(&map_list(&["k"]), &json!([{"k": 1, "v": 1}]), &json!([{"k": 1, "v": 2}]), false);
        check(&map_list(&["k"]), &json!([{"v": 1}]), &json!([{"v": 1}]), false);
        check(&map_list(&["k"]), &json!([]), &json!([]), true);
    }

    #[test]
    fn compared_values_are_not_compared_again() {
        let schema = compile(&json!({"type": "object", "properties": {
            "o": {"type": "object", "properties": {"l": {"type": "array", "items": {"type": "integer"}}}},
            "l": map_list(&["k"]),
        }}));
        let new = json!({"spec": {"o": {"l": [1]}, "l": [{"k": 1}, {"k": 2}]}});
        let old = new.clone();
        for below in [&["o", "l"][..], &["l"], &["o"]] {
            let root = Correlation::root(&schema, &new, &old);
            let mut pair = root.key("spec").unwrap();
            for key in below {
                pair = pair.key(key).unwrap();
            }
            assert!(pair.is_unchanged());
            // The values above use the stored results, and do not compare again.
            for known in root.compared.borrow_mut().values_mut() {
                *known = false;
            }
            assert!(!root.is_unchanged(), "{below:?}");
        }
        // The stored result of a value is not used in a comparison with another value.
        let [a, b] = [json!({"spec": {"o": {}}}), json!({"spec": {"o": {"l": []}}})];
        let root = Correlation::root(&schema, &a, &a);
        assert!(root.is_unchanged());
        assert!(!root.below(schema.root, &a, &b).is_unchanged());
    }

    #[test]
    fn elements_are_found_by_their_keys() {
        fn found(keys: &[&str], element: &Value, items: &Value) -> Option<i64> {
            let keys: Vec<Box<str>> = keys.iter().map(|key| (*key).into()).collect();
            let list = MapList::new(&keys, items.as_array()?);
            list.get(element)?.get("v")?.as_i64()
        }
        let items =
            json!([{"k": 1, "v": 1}, {"k": 1, "v": 2}, {"k": "1", "v": 3}, {"k": 1.0, "v": 4}, 5]);
        assert_eq!(found(&["k"], &json!({"k": 1}), &items), Some(1));
        assert_eq!(found(&["k"], &json!({"k": "1"}), &items), Some(3));
        assert_eq!(found(&["k"], &json!({"k": 1.0}), &items), Some(4));
        assert_eq!(found(&["k"], &json!({"k": null}), &items), None);
        assert_eq!(found(&["k"], &json!({}), &items), None);
        assert_eq!(found(&[], &json!({"k": 1}), &items), None);
        let items = json!([{"k": "a", "j": 1.000_000_1, "v": 1}, {"k": "a", "j": true, "v": 2}]);
        assert_eq!(found(&["k", "j"], &json!({"k": "a", "j": 1.0}), &items), Some(1));
        assert_eq!(found(&["k", "j"], &json!({"k": "a", "j": true}), &items), Some(2));
        assert_eq!(found(&["k", "j"], &json!({"k": "a", "j": 1}), &items), None);
        assert_eq!(found(&["k", "j"], &json!({"k": "a"}), &items), None);
    }
}
