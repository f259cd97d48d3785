//! What applying a configuration makes of an object.
//!
//! Follows `typed/merge.go` of structured-merge-diff 6.3.2, and `merge/update.go` for what a manager said before
//! and leaves out now.
//! Of what other managers own, only that there may be some is told: their sets are not looked at.

use serde_json::{Map, Value};

use super::granularity::{Ownership, Type};
use super::walk::key_of;
use crate::model::JsonSchemaProps;

/// An object with a configuration applied.
#[derive(Debug)]
pub(crate) struct Applied {
    /// The object.
    pub object: Value,
    /// Whether something went that the manager had applied: it stays where another owns it too.
    pub gives_up: bool,
}

/// Applies `config` to `live`, of which the manager has applied `before`.
pub(crate) fn apply(
    schema: &JsonSchemaProps,
    live: &Value,
    before: &Value,
    config: &Value,
) -> Applied {
    let mut applied = Applied { object: live.clone(), gives_up: false };
    let Applied { object, gives_up } = &mut applied;
    value(Type::root(schema), object, Some(before), config, gives_up);
    applied
}

fn value(ty: Type<'_>, live: &mut Value, before: Option<&Value>, new: &Value, gone: &mut bool) {
    match (ty.ownership(new), live, new) {
        (Ownership::Fields, Value::Object(live), Value::Object(new)) => {
            fields(ty, live, before.and_then(Value::as_object), new, gone);
        }
        (Ownership::Set(_), Value::Array(live), Value::Array(new)) => {
            let before = before.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            let kept = |item: &Value| !before.contains(item) || new.contains(item);
            *gone |= !live.iter().all(kept);
            live.retain(kept);
            for item in new {
                if !live.contains(item) {
                    live.push(item.clone());
                }
            }
        }
        (Ownership::Map(keys, items), Value::Array(live), Value::Array(new)) => {
            let before = before.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            list(keys, items, live, before, new, gone);
        }
        (_, live, new) => *live = new.clone(),
    }
}

fn fields(
    ty: Type<'_>,
    live: &mut Map<String, Value>,
    before: Option<&Map<String, Value>>,
    new: &Map<String, Value>,
    gone: &mut bool,
) {
    // Name and namespace are no part of what is owned.
    let identity = ["apiVersion", "kind", "name", "namespace"];
    for name in before.into_iter().flat_map(Map::keys) {
        if !new.contains_key(name) && !identity.contains(&name.as_str()) {
            *gone |= live.remove(name).is_some();
        }
    }
    for (name, new) in new {
        match live.get_mut(name) {
            Some(live) => {
                let before = before.and_then(|before| before.get(name));
                value(ty.field(name).ty, live, before, new, gone);
            }
            None => {
                live.insert(name.clone(), new.clone());
            }
        }
    }
}

fn list(
    keys: &[String],
    items: Type<'_>,
    live: &mut Vec<Value>,
    before: &[Value],
    new: &[Value],
    gone: &mut bool,
) {
    let same = |a: &Value, b: &Value| match (key_of(a, keys, items), key_of(b, keys, items)) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    };
    let find = |list: &[Value], item: &Value| list.iter().position(|other| same(other, item));
    live.retain(|item| {
        let kept = find(before, item).is_none() || find(new, item).is_some();
        *gone |= !kept;
        kept
    });
    for item in new {
        match find(live, item) {
            Some(index) => {
                let before = find(before, item).map(|index| &before[index]);
                value(items, &mut live[index], before, item, gone);
            }
            None => live.push(item.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn schema() -> JsonSchemaProps {
        serde_json::from_value(json!({"type": "object", "properties": {"spec": {
            "type": "object",
            "properties": {
                "a": {"type": "integer"},
                "atomic": {"type": "object", "x-kubernetes-map-type": "atomic"},
                "list": {"type": "array"},
                "set": {"type": "array", "x-kubernetes-list-type": "set"},
                "map": {
                    "type": "array", "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["k"],
                    "items": {"type": "object", "properties": {"k": {}, "v": {}, "w": {}}},
                },
            },
        }}}))
        .expect("a schema")
    }

    #[track_caller]
    fn check(live: &Value, before: &Value, config: &Value, want: &Value, gives_up: bool) {
        let of = |spec: &Value| json!({"metadata": {"name": "x"}, "spec": spec});
        let applied = apply(&schema(), &of(live), &of(before), &of(config));
        assert_eq!((&applied.object["spec"], applied.gives_up), (want, gives_up));
    }

    #[test]
    fn fields_are_added_changed_and_given_up() {
        let live = json!({"a": 1, "b": 2, "c": 3});
        check(&live, &json!({}), &json!({"a": 5}), &json!({"a": 5, "b": 2, "c": 3}), false);
        check(&live, &json!({"b": 2}), &json!({"a": 5}), &json!({"a": 5, "c": 3}), true);
    }

    #[test]
    fn wholes_are_replaced() {
        let live = json!({"atomic": {"x": 1}, "list": [1]});
        let new = json!({"atomic": {"y": 1}, "list": [2]});
        check(&live, &json!({}), &new, &new, false);
    }

    #[test]
    fn sets_keep_what_others_put_in() {
        let (live, before, new) =
            (json!({"set": [1, 2]}), json!({"set": [2]}), json!({"set": [3]}));
        check(&live, &before, &new, &json!({"set": [1, 3]}), true);
    }

    #[test]
    fn items_are_told_apart_by_their_keys() {
        check(
            &json!({"map": [{"k": "a", "v": 1, "w": 1}, {"k": "b", "v": 1}, {"k": "c"}]}),
            &json!({"map": [{"k": "a", "v": 1}, {"k": "b"}]}),
            &json!({"map": [{"k": "a"}, {"k": "d", "v": 2}]}),
            &json!({"map": [{"k": "a", "w": 1}, {"k": "c"}, {"k": "d", "v": 2}]}),
            true,
        );
    }
}
