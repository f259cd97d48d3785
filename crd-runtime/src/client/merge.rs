//! Changes of a typed value laid over the object they were made of, so that what the type does not know
//! stays.

use serde_json::{Map, Value};

use crate::compiled::{Additional, CompiledSchema, ListType, NodeId};

/// An object with the changes in it.
#[derive(Debug)]
pub(super) struct Merged {
    /// The object.
    pub object: Value,
    /// Fields that changes would drop, because nothing tells which element of a list they belong to now.
    pub dropped: Vec<String>,
}

/// The fields of `raw` that are not in `typed`, which was read from it, and that the schema of the type does
/// not declare.
pub(super) fn unknown(schema: &CompiledSchema, raw: &Value, typed: &Value) -> Vec<String> {
    let mut found = Vec::new();
    find_unknown(schema, Some(schema.root), raw, typed, "", &mut found);
    found
}

/// Lays over `raw` what changed between `before`, which was read from it, and `after`.
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
                    // serde may leave out what the type knows, such as an empty list.
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

/// Metadata is full of fields that are empty where nothing is said.
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
        let pairs = if raw.len() == before.len() {
            pairs(self.keys(node), before, after)
        } else {
            vec![None; after.len()]
        };
        // An element that is gone takes what was unknown in it along, but not where another may be it.
        if pairs.iter().any(Option::is_none) {
            for (index, old) in raw.iter().enumerate() {
                if !pairs.contains(&Some(index)) && self.keys(node).is_empty() {
                    let known = before.get(index).unwrap_or(&Value::Null);
                    let path = format!("{path}[{index}]");
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

/// Of each element, which one it was: the one of the same keys; without keys an equal one, or the one that
/// stood there where no element came or went.
fn pairs(keys: &[Box<str>], before: &[Value], after: &[Value]) -> Vec<Option<usize>> {
    if !keys.is_empty() {
        let of = |element: &Value| keys.iter().map(|key| element.get(&**key).cloned()).collect();
        let before: Vec<Vec<_>> = before.iter().map(of).collect();
        return after
            .iter()
            .map(|element| {
                let wanted: Vec<_> = of(element);
                before.iter().position(|keys| *keys == wanted)
            })
            .collect();
    }
    let mut taken = vec![false; before.len()];
    let mut pairs = vec![None; after.len()];
    for (index, element) in after.iter().enumerate() {
        let same = before.get(index).is_some_and(|old| old == element) && !taken[index];
        let found = if same {
            Some(index)
        } else {
            (0..before.len()).find(|&old| !taken[old] && before[old] == *element)
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
        let crd: CustomResourceDefinition = serde_json::from_value(json!({
            "metadata": {"name": "as.example.com"},
            "spec": {
                "group": "example.com", "scope": "Namespaced",
                "names": {"plural": "as", "kind": "A"},
                "versions": [{"name": "v1", "served": true, "storage": true, "schema": {
                    "openAPIV3Schema": {"type": "object", "properties": {
                        "a": {"type": "string"},
                        "empty": {"type": "array", "items": {"type": "string"}},
                        "list": {"type": "array", "items": {"type": "object", "properties": {
                            "x": {"type": "integer"},
                        }}},
                        "keyed": {
                            "type": "array", "x-kubernetes-list-type": "map",
                            "x-kubernetes-list-map-keys": ["k"],
                            "items": {"type": "object", "required": ["k"], "properties": {
                                "k": {"type": "string"}, "v": {"type": "integer"},
                            }},
                        },
                    }},
                }}],
            },
        }))
        .expect("a CRD");
        CompiledSchema::for_version(&crd, "v1").expect("a schema")
    }

    #[track_caller]
    fn check(raw: Value, before: &Value, after: &Value, want: &Value, dropped: &[&str]) {
        let merged = overlay(&schema(), raw, before, after);
        assert_eq!(merged.object, *want);
        assert_eq!(merged.dropped, dropped);
    }

    #[test]
    fn fields_beside_a_change_stay() {
        check(
            json!({"a": "x", "new": {"deep": 1}}),
            &json!({"a": "x"}),
            &json!({"a": "y", "b": 1}),
            &json!({"a": "y", "b": 1, "new": {"deep": 1}}),
            &[],
        );
    }

    #[test]
    fn fields_that_are_unset_go() {
        check(json!({"a": "x", "n": 1}), &json!({"a": "x"}), &json!({}), &json!({"n": 1}), &[]);
    }

    #[test]
    fn what_did_not_change_keeps_its_form() {
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
    fn elements_without_keys_are_paired_by_value_or_place() {
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
    fn unknown_is_what_neither_value_nor_schema_has() {
        let raw = json!({
            "a": "x", "empty": [], "new": 1, "nothing": null,
            "list": [{"x": 1, "n": {"y": 1}}], "more": {"b": [1]},
        });
        let typed = json!({"a": "x", "list": [{"x": 1}]});
        assert_eq!(unknown(&schema(), &raw, &typed), ["list[0].n", "more", "new"]);
    }
}
