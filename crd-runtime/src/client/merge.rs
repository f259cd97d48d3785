//! Applies the changes of a typed value to the JSON that it was read from, so that fields that the Rust type does not
//! have are kept.

use std::collections::{HashMap, VecDeque};

use serde_json::{Map, Value};

use crate::compiled::{Additional, CompiledSchema, ListType, NodeId};
use crate::json;

/// The result of applying changes to an object.
#[derive(Debug)]
pub(super) struct Merged {
    /// The object.
    pub object: Value,
    /// Fields that the Rust type does not have and that are lost, because the element of a list that they belonged to
    /// cannot be found among the new elements.
    pub dropped: Vec<String>,
}

/// Returns the paths of the fields of `raw` that are missing in `typed`, which was read from it, and that the schema of
/// the type does not declare.
pub(super) fn unknown(schema: &CompiledSchema, raw: &Value, typed: &Value) -> Vec<String> {
    let mut found = Vec::new();
    find_unknown(schema, Some(schema.root), raw, typed, "", &mut found);
    found
}

/// Applies the changes between `before`, which was read from `raw`, and `after` to `raw`.
pub(super) fn overlay(
    schema: &CompiledSchema,
    raw: Value,
    before: &Value,
    after: &Value,
) -> Merged {
    let mut overlay = Overlay { schema, dropped: Vec::new() };
    let mut object = raw;
    overlay.value(Some(schema.root), "", &mut object, before, after);
    Merged { object, dropped: overlay.dropped }
}

fn find_unknown(
    schema: &CompiledSchema,
    node: Option<NodeId>,
    raw: &Value,
    typed: &Value,
    path: &str,
    found: &mut Vec<String>,
) {
    match (raw, typed) {
        (Value::Object(raw), Value::Object(typed)) => {
            for (key, value) in raw {
                let path = joined(path, key);
                let below = child(schema, node, key);
                match typed.get(key) {
                    Some(typed) => find_unknown(schema, below, value, typed, &path, found),
                    // A declared field is missing only because serde skips it, such as an empty list.
                    None if below.is_none() && !is_nothing(value) => found.push(path),
                    None => {}
                }
            }
        }
        (Value::Array(raw), Value::Array(typed)) if raw.len() == typed.len() => {
            let below = items(schema, node);
            for (index, (raw, typed)) in raw.iter().zip(typed).enumerate() {
                find_unknown(schema, below, raw, typed, &format!("{path}[{index}]"), found);
            }
        }
        (Value::Array(raw), _) if !raw.is_empty() => found.push(path.to_owned()),
        _ => {}
    }
}

/// Returns whether a value is null or empty. serde skips fields of metadata with such values.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.is_empty(),
        _ => false,
    }
}

struct Overlay<'a> {
    schema: &'a CompiledSchema,
    dropped: Vec<String>,
}

impl Overlay<'_> {
    fn value(
        &mut self,
        node: Option<NodeId>,
        path: &str,
        raw: &mut Value,
        before: &Value,
        after: &Value,
    ) {
        if before == after {
            return;
        }
        match (raw, before, after) {
            (Value::Object(raw), Value::Object(before), Value::Object(after)) => {
                self.object(node, path, raw, before, after);
            }
            (Value::Array(raw), Value::Array(before), Value::Array(after)) => {
                self.list(node, path, raw, before, after);
            }
            (raw, _, after) => *raw = after.clone(),
        }
    }

    fn object(
        &mut self,
        node: Option<NodeId>,
        path: &str,
        raw: &mut Map<String, Value>,
        before: &Map<String, Value>,
        after: &Map<String, Value>,
    ) {
        for key in before.keys().filter(|key| !after.contains_key(*key)) {
            raw.remove(key);
        }
        for (key, value) in after {
            match (raw.get_mut(key), before.get(key)) {
                (Some(raw), Some(before)) => {
                    let below = child(self.schema, node, key);
                    self.value(below, &joined(path, key), raw, before, value);
                }
                _ => {
                    raw.insert(key.clone(), value.clone());
                }
            }
        }
    }

    fn list(
        &mut self,
        node: Option<NodeId>,
        path: &str,
        raw: &mut Vec<Value>,
        before: &[Value],
        after: &[Value],
    ) {
        let below = items(self.schema, node);
        let was_read_whole = raw.len() == before.len();
        let pairs = if was_read_whole {
            pairs(self.keys(node), before, after)
        } else {
            vec![None; after.len()]
        };
        if !was_read_whole {
            // No element is known to be that of `raw`, so the fields of all are lost.
            self.dropped.push(path.to_owned());
        } else if pairs.iter().any(Option::is_none) && self.keys(node).is_empty() {
            // A new element may be a changed old one, whose unknown fields would be lost unnoticed. With keys, an
            // element without a pair is new.
            let mut is_paired = vec![false; raw.len()];
            for &index in pairs.iter().flatten() {
                is_paired[index] = true;
            }
            for (index, old) in raw.iter().enumerate() {
                if !is_paired[index] {
                    let path = format!("{path}[{index}]");
                    let known = &before[index];
                    find_unknown(self.schema, below, old, known, &path, &mut self.dropped);
                }
            }
        }
        let old = std::mem::take(raw);
        for (index, (pair, new)) in pairs.into_iter().zip(after).enumerate() {
            let Some(from) = pair else {
                raw.push(new.clone());
                continue;
            };
            let mut element = old[from].clone();
            self.value(below, &format!("{path}[{index}]"), &mut element, &before[from], new);
            raw.push(element);
        }
    }

    fn keys(&self, node: Option<NodeId>) -> &[Box<str>] {
        match node.map(|node| &self.schema[node].list_type) {
            Some(ListType::Map(keys)) => keys,
            _ => &[],
        }
    }
}

/// Pairs each element of `after` with the index of its old version in `before`: the element with the same keys; in a
/// list without keys an equal element or, if the lists are equally long, the one at the same index.
fn pairs(keys: &[Box<str>], before: &[Value], after: &[Value]) -> Vec<Option<usize>> {
    if keys.is_empty() { pairs_by_value(before, after) } else { pairs_by_keys(keys, before, after) }
}

fn pairs_by_keys(keys: &[Box<str>], before: &[Value], after: &[Value]) -> Vec<Option<usize>> {
    let of = |element: &Value| -> Vec<Option<String>> {
        keys.iter().map(|key| element.get(&**key).map(json::to_go_string)).collect()
    };
    let mut indices = HashMap::with_capacity(before.len());
    for (index, element) in before.iter().enumerate() {
        indices.entry(of(element)).or_insert(index);
    }
    after.iter().map(|element| indices.get(&of(element)).copied()).collect()
}

fn pairs_by_value(before: &[Value], after: &[Value]) -> Vec<Option<usize>> {
    let texts: Vec<String> = before.iter().map(json::to_go_string).collect();
    let mut indices: HashMap<&str, VecDeque<usize>> = HashMap::with_capacity(before.len());
    for (index, text) in texts.iter().enumerate() {
        indices.entry(text).or_default().push_back(index);
    }
    let mut taken = vec![false; before.len()];
    let mut pairs = vec![None; after.len()];
    for (index, element) in after.iter().enumerate() {
        let text = json::to_go_string(element);
        let Some(indices) = indices.get_mut(&*text) else { continue };
        // Prefers the element at the same index. Taken elements are removed from the queue when they reach its front.
        let found = if texts.get(index) == Some(&text) && !taken[index] {
            Some(index)
        } else {
            while indices.front().is_some_and(|&index| taken[index]) {
                indices.pop_front();
            }
            indices.pop_front()
        };
        if let Some(found) = found {
            taken[found] = true;
            pairs[index] = Some(found);
        }
    }
    if before.len() == after.len() {
        for (index, pair) in pairs.iter_mut().enumerate() {
            if pair.is_none() && !taken[index] {
                taken[index] = true;
                *pair = Some(index);
            }
        }
    }
    pairs
}

fn child(schema: &CompiledSchema, node: Option<NodeId>, key: &str) -> Option<NodeId> {
    let node = &schema[node?];
    node.property(key).or(match node.additional {
        Additional::Schema(values) => Some(values),
        Additional::Absent | Additional::Bool(_) => None,
    })
}

fn items(schema: &CompiledSchema, node: Option<NodeId>) -> Option<NodeId> {
    schema[node?].items
}

fn joined(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::CustomResourceDefinition;

    fn schema() -> CompiledSchema {
        let root = json!({"type": "object", "properties": {
            "a": {"type": "string"},
            "empty": {"type": "array", "items": {"type": "string"}},
            "list": {"type": "array", "items": {"type": "object", "properties": {"x": {"type": "integer"}}}},
            "keyed": {
                "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
                "items": {"type": "object", "required": ["k"], "properties": {
                    "k": {"type": "string"}, "v": {"type": "integer"},
                }},
            },
        }});
        let crd: CustomResourceDefinition = crd_fixtures::widget(root).read();
        CompiledSchema::for_version(&crd, "v1").expect("a schema")
    }

    #[track_caller]
    fn check(raw: Value, before: &Value, after: &Value, want: &Value, dropped: &[&str]) {
        let merged = overlay(&schema(), raw, before, after);
        assert_eq!(merged.object, *want);
        assert_eq!(merged.dropped, dropped);
    }

    #[test]
    fn unknown_fields_beside_a_change_are_kept() {
        check(
            json!({"a": "x", "new": {"deep": 1}}),
            &json!({"a": "x"}),
            &json!({"a": "y", "b": 1}),
            &json!({"a": "y", "b": 1, "new": {"deep": 1}}),
            &[],
        );
    }

    #[test]
    fn unset_fields_are_removed() {
        check(json!({"a": "x", "n": 1}), &json!({"a": "x"}), &json!({}), &json!({"n": 1}), &[]);
    }

    #[test]
    fn unchanged_values_keep_their_form() {
        check(json!({"a": 1.0}), &json!({"a": 1}), &json!({"a": 1}), &json!({"a": 1.0}), &[]);
    }

    #[test]
    fn elements_are_paired_by_keys() {
        check(
            json!({"keyed": [{"k": "a", "v": 1, "n": 1}, {"k": "b", "v": 2, "n": 2}]}),
            &json!({"keyed": [{"k": "a", "v": 1}, {"k": "b", "v": 2}]}),
            &json!({"keyed": [{"k": "c", "v": 0}, {"k": "b", "v": 5}]}),
            &json!({"keyed": [{"k": "c", "v": 0}, {"k": "b", "v": 5, "n": 2}]}),
            &[],
        );
    }

    #[test]
    fn elements_of_a_list_that_was_not_read_as_a_whole_have_no_pair() {
        check(
            json!({"keyed": [{"k": "a", "v": 1, "n": 1}, {"k": "b", "v": 2, "n": 2}]}),
            &json!({"keyed": [{"k": "a", "v": 1}]}),
            &json!({"keyed": [{"k": "a", "v": 5}]}),
            &json!({"keyed": [{"k": "a", "v": 5}]}),
            &["keyed"],
        );
    }

    #[test]
    fn elements_without_keys_are_paired_by_value_or_index() {
        let raw = json!({"list": [{"x": 1, "n": 1}, {"x": 2, "n": 2}]});
        let before = json!({"list": [{"x": 1}, {"x": 2}]});
        check(
            raw.clone(),
            &before,
            &json!({"list": [{"x": 2}, {"x": 1}]}),
            &json!({"list": [{"x": 2, "n": 2}, {"x": 1, "n": 1}]}),
            &[],
        );
        check(
            raw.clone(),
            &before,
            &json!({"list": [{"x": 1}, {"x": 5}]}),
            &json!({"list": [{"x": 1, "n": 1}, {"x": 5, "n": 2}]}),
            &[],
        );
        check(
            raw.clone(),
            &before,
            &json!({"list": [{"x": 2}]}),
            &json!({"list": [{"x": 2, "n": 2}]}),
            &[],
        );
        check(
            raw,
            &before,
            &json!({"list": [{"x": 2}, {"x": 3}, {"x": 4}]}),
            &json!({"list": [{"x": 2, "n": 2}, {"x": 3}, {"x": 4}]}),
            &["list[0].n"],
        );
    }

    #[test]
    fn equal_elements_are_paired_each_once() {
        let of = |after: &[i32]| {
            let values = |list: &[i32]| list.iter().map(|&x| json!({"x": x})).collect::<Vec<_>>();
            pairs(&[], &values(&[1, 2, 1, 3]), &values(after))
        };
        assert_eq!(of(&[1, 1, 1]), [Some(0), Some(2), None]);
        assert_eq!(of(&[2, 1, 1, 1]), [Some(1), Some(0), Some(2), Some(3)]);
        assert_eq!(of(&[3, 3]), [Some(3), None]);
    }

    /// A search through all elements for each one would be too slow for this test.
    #[test]
    fn long_lists_are_paired_without_searching_each_element() {
        const LENGTH: usize = 200_000;
        let list: Vec<Value> = (0..LENGTH).map(|x| json!({"x": x, "k": x.to_string()})).collect();
        let mut reversed = list.clone();
        reversed.reverse();
        let want: Vec<Option<usize>> = (0..LENGTH).rev().map(Some).collect();
        assert_eq!(pairs(&[], &list, &reversed), want);
        assert_eq!(pairs(&["k".into()], &list, &reversed), want);
        let same = vec![json!({"x": 1}); LENGTH];
        assert_eq!(pairs(&[], &same, &same), (0..LENGTH).map(Some).collect::<Vec<_>>());
        // Only the first element stays. Each of the others is searched for unknown fields once.
        let typed = json!({"list": list});
        let fewer = json!({"list": [list[0], {"x": -1}]});
        let merged = overlay(&schema(), typed.clone(), &typed, &fewer);
        assert_eq!(merged.object, fewer);
    }

    #[test]
    fn fields_of_neither_the_value_nor_the_schema_are_unknown() {
        let raw = json!({
            "a": "x", "empty": [], "new": 1, "nothing": null,
            "list": [{"x": 1, "n": {"y": 1}}], "more": {"b": [1]},
        });
        let typed = json!({"a": "x", "list": [{"x": 1}]});
        assert_eq!(unknown(&schema(), &raw, &typed), ["list[0].n", "more", "new"]);
    }
}
