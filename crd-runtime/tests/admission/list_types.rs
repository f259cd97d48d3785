//! Sets and maps.

use crd_runtime::admit;
use serde_json::{Value, json};

use super::support::{errors, object, widget, widget_with};

#[track_caller]
fn check(list: &Value, items: &Value, want: &[&str]) {
    let schema = widget(&json!({"type": "object", "properties": {"l": list}}));
    assert_eq!(errors(&admit::create(&schema, object(&json!({"l": items})))), want);
}

fn any() -> Value {
    json!({"x-kubernetes-preserve-unknown-fields": true})
}

fn set() -> Value {
    json!({"type": "array", "x-kubernetes-list-type": "set", "items": any()})
}

fn map(keys: &[&str]) -> Value {
    let properties: serde_json::Map<_, _> =
        keys.iter().map(|key| ((*key).to_owned(), any())).collect();
    json!({
        "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys,
        "items": {"type": "object", "properties": properties, "x-kubernetes-preserve-unknown-fields": true},
    })
}

#[test]
fn the_second_of_equal_elements_is_reported() {
    check(
        &set(),
        &json!(["a", "b", "a", "a", "b"]),
        &[r#"spec.l[2]: Duplicate value: "a""#, r#"spec.l[4]: Duplicate value: "b""#],
    );
    check(&set(), &json!([null, null]), &["spec.l[1]: Duplicate value: null"]);
    check(&set(), &json!([true, 1, "1", 1.0, [1], {"a": 1}]), &[]);
    check(
        &set(),
        &json!([{"b": 1, "a": 2}, {"a": 2.0, "b": 1}]),
        &[r#"spec.l[1]: Duplicate value: {"a":2,"b":1}"#],
    );
    check(&set(), &json!([0.0, -0.0]), &["spec.l[1]: Duplicate value: -0"]);
}

#[test]
fn maps_by_one_key() {
    check(
        &map(&["k"]),
        &json!([{"k": "a"}, {"k": "b"}, {"k": "a", "v": 1}]),
        &[r#"spec.l[2]: Duplicate value: {"k":"a"}"#],
    );
    check(&map(&["k"]), &json!([{}, {"v": 1}]), &["spec.l[1]: Duplicate value: {}"]);
    check(&map(&["k"]), &json!([{"k": 1}, {"k": 1.0}, {"k": "1"}]), &[]);
}

#[test]
fn maps_by_several_keys() {
    check(
        &map(&["k", "a"]),
        &json!([{"k": 1, "a": 2}, {"k": 2, "a": 1}, {"a": 2, "k": 1}]),
        &[r#"spec.l[2]: Duplicate value: {"a":2,"k":1}"#],
    );
    check(
        &map(&["k", "a"]),
        &json!([{"k": 1}, {"k": 1}]),
        &[r#"spec.l[1]: Duplicate value: {"k":1}"#],
    );
    check(&map(&["k", "a"]), &json!([{"k": 1}, {"a": 1}]), &[]);
}

#[test]
fn elements_of_maps_are_objects() {
    let schema = widget(&json!({"type": "object", "properties": {"l": map(&["k"])}}));
    let found =
        errors(&admit::create(&schema, object(&json!({"l": [{"k": 1}, "x", {"k": 1}, 5]}))));
    assert!(
        found.contains(
            &r#"spec.l[1]: Invalid value: "x": must be an object for an array of list-type map"#
                .to_owned()
        )
    );
    assert_eq!(
        found
            .iter()
            .filter(|text| text.contains("Duplicate") || text.contains("list-type"))
            .count(),
        1
    );
}

#[test]
fn lists_below_lists_and_maps_are_checked() {
    let schema = widget(
        &json!({"type": "object", "additionalProperties": {"type": "array", "items": set()}}),
    );
    assert_eq!(
        errors(&admit::create(&schema, object(&json!({"x": [["a"], ["b", "b"]]})))),
        [r#"spec[x][1][1]: Duplicate value: "b""#]
    );
}

#[test]
fn other_lists_may_repeat() {
    for list_type in ["atomic", ""] {
        let mut list = json!({"type": "array", "items": {"type": "string"}});
        if !list_type.is_empty() {
            list["x-kubernetes-list-type"] = list_type.into();
        }
        check(&list, &json!(["a", "a"]), &[]);
    }
}

/// A list at the root is no object, and is not checked.
#[test]
fn lists_are_checked_below_the_root() {
    let schema = widget_with(&set(), &json!({}));
    assert_eq!(schema.validate_list_types(&json!(["a", "a"])).len(), 0);
    let below = widget(&set());
    let errors = below.validate_list_types(&json!({"spec": ["a", "b", "a"]}));
    assert_eq!(errors.to_string(), r#"spec[2]: Duplicate value: "a""#);
}
