//! Pruning.

use crd_runtime::admit;
use serde_json::{Value, json};

use super::support::{object, outcome, widget, widget_with};

#[track_caller]
fn check(schema: &Value, spec: &Value, want: &Value, unknown: &[&str]) {
    let (object, found) = outcome(admit::create(&widget(schema), object(spec)));
    assert_eq!(object["spec"], *want);
    assert_eq!(found, unknown);
}

#[test]
fn unspecified_keys_are_dropped_and_reported_in_order() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {"type": "string"}}}}});
    check(
        &schema,
        &json!({"z": 1, "a": {"b": "x", "c": {"d": 1}}, "B": null}),
        &json!({"a": {"b": "x"}}),
        &["spec.B", "spec.a.c", "spec.z"],
    );
}

#[test]
fn lists_are_pruned_element_by_element() {
    let schema = json!({"type": "object", "properties": {"l": {"type": "array", "items": {"type": "object", "properties": {"a": {"type": "integer"}}}}}});
    check(
        &schema,
        &json!({"l": [{"a": 1, "b": 2}, [{"c": 1}], 3]}),
        &json!({"l": [{"a": 1}, [{}], 3]}),
        &["spec.l[0].b", "spec.l[1][0].c"],
    );
}

#[test]
fn an_object_where_the_schema_has_a_scalar_is_emptied() {
    let schema = json!({"type": "object", "properties": {"s": {"type": "string"}}});
    check(&schema, &json!({"s": {"a": 1}}), &json!({"s": {}}), &["spec.s.a"]);
}

#[test]
fn additional_properties_keep_keys() {
    let of_integers = json!({"type": "object", "additionalProperties": {"type": "object", "properties": {"a": {"type": "integer"}}}});
    check(
        &of_integers,
        &json!({"x.y": {"a": 1, "b": 1}}),
        &json!({"x.y": {"a": 1}}),
        &["spec.x.y.b"],
    );
    let of_anything = json!({"type": "object", "additionalProperties": true});
    check(
        &of_anything,
        &json!({"s": 1, "o": {"a": {"b": 1}}, "l": [[{"c": 1}], 2]}),
        &json!({"s": 1, "o": {}, "l": [[{}], 2]}),
        &["spec.l[0][0].c", "spec.o.a"],
    );
}

#[test]
fn preserved_fields_stay_and_specified_ones_below_are_pruned() {
    let schema = json!({
        "type": "object", "x-kubernetes-preserve-unknown-fields": true,
        "properties": {
            "known": {"type": "object", "properties": {"a": {"type": "integer"}}},
            "list": {"type": "array", "x-kubernetes-preserve-unknown-fields": true,
                     "items": {"type": "object", "properties": {"o": {"type": "object"}}}},
        },
    });
    check(
        &schema,
        &json!({"u": {"v": 1}, "known": {"a": 1, "b": 1}, "list": [{"o": {"p": 1}, "q": {"r": 1}}]}),
        &json!({"u": {"v": 1}, "known": {"a": 1}, "list": [{"o": {}, "q": {"r": 1}}]}),
        &["spec.known.b", "spec.list[0].o.p"],
    );
}

#[test]
fn type_and_metadata_of_resources_stay() {
    let schema = json!({"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"spec": {"type": "object"}}});
    check(
        &schema,
        &json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {"a": 1}, "x": 1}),
        &json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {}}),
        &["spec.spec.a", "spec.x"],
    );
}

#[test]
fn without_a_schema_only_type_and_metadata_stay() {
    let schema = widget_with(&Value::Null, &json!({"schema": null}));
    let (object, unknown) = outcome(admit::create(&schema, object(&json!({"a": 1}))));
    assert_eq!(unknown, ["spec"]);
    assert!(object.get("spec").is_none());
}

/// The schemas of other versions are not known, so that nothing but the type and metadata is kept.
#[test]
fn an_object_of_another_version_loses_its_content() {
    let schema = widget(&json!({"type": "object", "properties": {"a": {"type": "integer"}}}));
    let mut other = object(&json!({"a": 1}));
    other["apiVersion"] = "example.com/v2".into();
    let (kept, unknown) = outcome(admit::create(&schema, other));
    assert_eq!(kept.get("spec"), None, "{kept}");
    assert_eq!(kept["kind"], "Widget");
    assert_eq!(unknown, ["spec"]);
}
