//! Embedded resources.

use crd_runtime::admit;
use serde_json::{Value, json};

use super::support::{errors, object, outcome, widget};

fn schema() -> crd_runtime::compiled::CompiledSchema {
    let resource = json!({"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true});
    widget(&json!({"type": "object", "properties": {
        "one": resource,
        "many": {"type": "array", "items": resource},
        "named": {"type": "object", "additionalProperties": resource},
    }}))
}

#[track_caller]
fn check(one: &Value, want: &[&str]) {
    let found = errors(&admit::create(&schema(), object(&json!({"one": one}))));
    assert_eq!(found.len(), want.len(), "{found:#?}");
    for (found, want) in found.iter().zip(want) {
        assert!(found.starts_with(want), "{found}");
    }
}

#[test]
fn metadata_is_normalised_wherever_it_is() {
    let pod =
        json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "x": 1, "labels": {}}});
    let spec = json!({"one": pod, "many": [pod], "named": {"k": pod}});
    let (object, unknown) = outcome(admit::create(&schema(), object(&spec)));
    let want = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}});
    assert_eq!(object["spec"], json!({"one": want, "many": [want], "named": {"k": want}}));
    assert_eq!(
        unknown,
        ["spec.many[0].metadata.x", "spec.named[k].metadata.x", "spec.one.metadata.x"]
    );
}

#[test]
fn what_does_not_decode_is_rejected() {
    check(
        &json!({"apiVersion": 1, "kind": "Pod"}),
        &["spec.one.apiVersion: Invalid value: 1: must be a string"],
    );
    check(&json!({"kind": null}), &["spec.one.kind: Invalid value: null: must be a string"]);
    check(
        &json!({"metadata": {"name": 1, "x": 2}}),
        &[
            r#"spec.one.metadata: Invalid value: {"name":1,"x":2}: json: cannot unmarshal number into Go struct field ObjectMeta.name of type string"#,
        ],
    );
}

#[test]
fn types_are_required_and_checked() {
    check(&json!({"apiVersion": "v1", "kind": "Pod"}), &[]);
    check(&json!({}), &["spec.one.apiVersion: Required value", "spec.one.kind: Required value"]);
    check(
        &json!({"apiVersion": "", "kind": ""}),
        &[
            r#"spec.one.apiVersion: Invalid value: "": must not be empty"#,
            r#"spec.one.kind: Invalid value: "": must not be empty"#,
        ],
    );
    check(
        &json!({"apiVersion": "a/b/c", "kind": "a_b"}),
        &[
            r#"spec.one.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c"#,
            r#"spec.one.kind: Invalid value: "a_b": may have mixed case, but should otherwise match: a DNS-1035 label must"#,
        ],
    );
}

#[test]
fn metadata_is_checked_as_of_any_kind() {
    let with = |metadata: Value| json!({"apiVersion": "v1", "kind": "Pod", "metadata": metadata});
    check(&with(json!({})), &[]);
    check(&with(json!({"name": "Any_Name"})), &[]);
    check(
        &with(json!({"name": "a/b"})),
        &[r#"spec.one.metadata.name: Invalid value: "a/b": may not contain '/'"#],
    );
    check(
        &with(json!({"name": ".."})),
        &[r#"spec.one.metadata.name: Invalid value: "..": may not be '..'"#],
    );
    check(&with(json!({"generateName": ".."})), &[]);
    check(
        &with(json!({"namespace": "A"})),
        &[r#"spec.one.metadata.namespace: Invalid value: "A": a lowercase RFC 1123 label"#],
    );
    check(
        &with(json!({"labels": {"a": "?"}})),
        &[r#"spec.one.metadata.labels: Invalid value: "?": a valid label"#],
    );
}

#[test]
fn a_stored_object_loses_what_does_not_decode() {
    let stored = json!({
        "apiVersion": "example.com/v1", "kind": "Widget",
        "metadata": {"name": "w", "labels": {"a": 1}, "finalizers": ["x/y"], "q": 1},
        "spec": {"one": {"apiVersion": 1, "kind": "Pod", "metadata": {"name": 1, "uid": "u"}}, "many": [{"metadata": 5}]},
    });
    let read = admit::read(&schema(), stored).unwrap();
    assert_eq!(read["metadata"], json!({"name": "w", "finalizers": ["x/y"], "generation": 1}));
    assert_eq!(
        read["spec"],
        json!({"one": {"kind": "Pod", "metadata": {"uid": "u"}}, "many": [{"metadata": 5}]})
    );
}
