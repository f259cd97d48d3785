//! The scale subresource.

use crd_runtime::admit::{self, scale};
use crd_runtime::compiled::CompiledSchema;
use serde_json::{Value, json};

use super::support::{errors, object, widget_with};

fn schema() -> CompiledSchema {
    let any = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    widget_with(
        &json!({"type": "object", "properties": {"spec": any, "status": any}}),
        &json!({"subresources": {"scale": {
            "specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas",
            "labelSelectorPath": ".status.selector",
        }}}),
    )
}

#[track_caller]
fn check(spec: &Value, status: &Value, want: &[&str]) {
    let mut object = object(spec);
    object["status"] = status.clone();
    assert_eq!(errors(&admit::create(&schema(), object)), want);
}

#[test]
fn replicas_are_small_counts() {
    check(&json!({"replicas": 3}), &json!({"replicas": 0, "selector": "a=b"}), &[]);
    check(&json!({}), &json!({}), &[]);
    check(&json!({"replicas": i32::MAX}), &json!({"replicas": i32::MAX}), &[]);
    check(
        &json!({"replicas": -1}),
        &json!({}),
        &[".spec.replicas: Invalid value: -1: should be a non-negative integer"],
    );
    check(
        &json!({"replicas": 2_147_483_648_i64}),
        &json!({"replicas": -2}),
        &[
            ".spec.replicas: Invalid value: 2147483648: should be less than or equal to 2147483647",
            ".status.replicas: Invalid value: -2: should be a non-negative integer",
        ],
    );
}

#[test]
fn wrong_types_have_the_messages_of_go() {
    check(
        &json!({"replicas": 1.5}),
        &json!({"replicas": {"b": [1, null], "a": "x"}, "selector": 5}),
        &[
            ".spec.replicas: Invalid value: 0: .spec.replicas accessor error: 1.5 is of the type float64, expected int64",
            ".status.replicas: Invalid value: 0: .status.replicas accessor error: map[a:x b:[1 <nil>]] is of the type map[string]interface {}, expected int64",
            r#".status.selector: Invalid value: "": .status.selector accessor error: 5 is of the type int64, expected string"#,
        ],
    );
}

#[test]
fn an_object_is_seen_as_a_scale() {
    let mut stored = object(&json!({"replicas": 3}));
    stored["status"] = json!({"replicas": 2, "selector": "a=b"});
    assert_eq!(
        scale::get(&schema(), &stored).unwrap(),
        json!({
            "apiVersion": "autoscaling/v1", "kind": "Scale",
            "metadata": {"name": "w", "namespace": "default", "resourceVersion": "1"},
            "spec": {"replicas": 3}, "status": {"replicas": 2, "selector": "a=b"},
        })
    );
    assert_eq!(
        scale::get(&schema(), &object(&json!({}))).unwrap_err().to_string(),
        r#"Internal error occurred: the spec replicas field ".spec.replicas" does not exist"#
    );
    let none = widget_with(&json!({"type": "object"}), &json!({}));
    assert_eq!(scale::get(&none, &stored).unwrap_err(), scale::ScaleError::Disabled);
}

/// Source: `replicas` of `ScaleSpec` in `autoscaling/v1` is an int32 with `omitempty`.
#[test]
fn replicas_that_are_zero_in_32_bits_are_left_out() {
    for replicas in [0, 1 << 32, i64::MIN] {
        let stored = object(&json!({"replicas": replicas}));
        let scale = scale::get(&schema(), &stored).unwrap();
        assert_eq!(scale["spec"], json!({}), "{replicas}");
    }
}

#[test]
fn a_scale_is_written_as_an_update() {
    let stored = object(&json!({}));
    let written = json!({"spec": {"replicas": 5}, "metadata": {"resourceVersion": "7"}});
    let new = scale::put(&schema(), &written, &stored).unwrap();
    assert_eq!(new["spec"], json!({"replicas": 5}));
    assert_eq!(new["metadata"]["resourceVersion"], "7");
    assert!(admit::update(&schema(), new, &stored).is_ok());
    let negative = scale::put(&schema(), &json!({"spec": {"replicas": -1}}), &stored).unwrap();
    assert_eq!(
        errors(&admit::update(&schema(), negative, &stored)),
        [".spec.replicas: Invalid value: -1: should be a non-negative integer"]
    );
    let nowhere = object(&json!("x"));
    assert!(scale::put(&schema(), &written, &nowhere).is_err());
}

#[test]
fn a_scale_is_not_decoded_as_an_object() {
    let scaled = json!({"subresources": {"scale": {
        "specReplicasPath": ".spec.count", "statusReplicasPath": ".status.replicas",
    }}});
    let schema = widget_with(&json!({"type": "object"}), &scaled);
    let stored = admit::read(&schema, object(&json!({}))).unwrap();
    let new = scale::put(&schema, &json!({"spec": {"replicas": 5}}), &stored).unwrap();
    let admitted = admit::Write::new(admit::Operation::UpdateScale(&stored)).admit(&schema, new);
    // Nothing declares the field, and it is there all the same until it is read again.
    assert_eq!(admitted.unwrap().object["spec"], json!({"count": 5}));
}

#[test]
fn of_several_malformed_values_the_first_is_reported() {
    let mut stored = object(&json!({"replicas": "x"}));
    stored["status"] = json!("y");
    assert_eq!(
        scale::of(&schema(), &stored).unwrap_err().to_string(),
        ".spec.replicas accessor error: x is of the type string, expected int64"
    );
}

#[test]
fn a_malformed_path_is_shown_up_to_the_value() {
    let scaled = json!({"subresources": {"scale": {
        "specReplicasPath": ".spec.a.b.replicas", "statusReplicasPath": ".status.replicas",
    }}});
    let any = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    let root = json!({"type": "object", "properties": {"spec": any}});
    let stored = object(&json!({"a": 7}));
    assert_eq!(
        scale::of(&widget_with(&root, &scaled), &stored).unwrap_err().to_string(),
        ".spec.a.b accessor error: 7 is of the type int64, expected map[string]interface{}"
    );
}
