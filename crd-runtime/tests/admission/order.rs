//! The order of checks.

use crd_runtime::admit;
use serde_json::json;

use super::support::{errors, object, widget, with_metadata};

const NOT_CHECKED: &str = "<nil>: Invalid value: null: some validation rules were not checked because \
                           the object was invalid; correct the existing errors to complete validation";

#[test]
fn metadata_schema_resources_and_lists_in_this_order() {
    let schema = widget(&json!({"type": "object", "properties": {
        "set": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "integer"}},
        "resource": {"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true},
        "number": {"type": "integer", "maximum": 1},
    }}));
    let mut bad =
        object(&json!({"set": [1, 1], "number": 2, "resource": {"apiVersion": "v1", "kind": ""}}));
    bad["metadata"]["name"] = "".into();
    let fields: Vec<String> = errors(&admit::create(&schema, bad))
        .iter()
        .map(|text| text.split_once(": ").unwrap().0.to_owned())
        .collect();
    assert_eq!(fields, ["metadata.name", "spec.number", "spec.resource.kind", "spec.set[1]"]);
}

#[test]
fn a_wrong_kind_keeps_metadata_and_schema_from_being_checked() {
    let schema = widget(&json!({"type": "object"}));
    let mut other = with_metadata(&json!({}));
    other["kind"] = "Other".into();
    assert_eq!(
        errors(&admit::create(&schema, other)),
        [r#"kind: Invalid value: "Other": must be Widget"#]
    );
}

#[test]
fn rules_wait_for_what_they_can_rely_on() {
    let rule = json!([{"rule": "true"}]);
    let with_rules = widget(
        &json!({"type": "object", "required": ["a"], "x-kubernetes-validations": rule, "properties": {
            "a": {"type": "string", "pattern": "^x$"},
        }}),
    );
    let found = errors(&admit::create(&with_rules, object(&json!({}))));
    assert_eq!(found, ["spec.a: Required value", NOT_CHECKED]);
    let found = errors(&admit::create(&with_rules, object(&json!({"a": "y"}))));
    assert_eq!(found.len(), 1, "{found:?}");
    let without = widget(
        &json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}}),
    );
    assert_eq!(errors(&admit::create(&without, object(&json!({})))), ["spec.a: Required value"]);
}
