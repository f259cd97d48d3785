//! Metadata of objects: decoding, normalising and validation.

use crd_runtime::admit;
use crd_runtime::compiled::CompiledSchema;
use serde_json::{Value, json};

use super::support::{errors, kind, outcome, widget, with_metadata};

fn any() -> CompiledSchema {
    widget(&json!({"type": "object"}))
}

/// Checks what metadata decodes to, apart from its generation, and which of its fields are unknown.
#[track_caller]
fn check_normal(metadata: &Value, want: &Value, unknown: &[&str]) {
    let (object, found) = outcome(admit::create(&any(), with_metadata(metadata)));
    let mut want = want.clone();
    want["generation"] = json!(1);
    assert_eq!(object["metadata"], want);
    assert_eq!(found, unknown);
}

#[track_caller]
fn check_decode(metadata: &Value, want: &str) {
    assert_eq!(errors(&admit::create(&any(), with_metadata(metadata))), [want]);
}

/// Checks how each error of metadata begins. `more` is added to a valid name and namespace.
#[track_caller]
fn check(more: &Value, want: &[&str]) {
    let mut metadata = json!({"name": "w", "namespace": "default"});
    metadata.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let found = errors(&admit::create(&any(), with_metadata(&metadata)));
    assert_eq!(found.len(), want.len(), "{found:#?}");
    for (found, want) in found.iter().zip(want) {
        assert!(found.starts_with(want), "{found}");
    }
}

#[test]
fn empty_fields_are_removed() {
    let name = json!({"name": "w"});
    check_normal(
        &json!({
            "name": "w", "namespace": "", "labels": {}, "annotations": null, "finalizers": [],
            "ownerReferences": [], "managedFields": null, "creationTimestamp": null, "uid": null,
            "deletionTimestamp": null, "generation": 0,
        }),
        &name,
        &[],
    );
    check_normal(&json!({"name": "w", "creationTimestamp": "0001-01-01T00:00:00Z"}), &name, &[]);
}

#[test]
fn fields_are_written_as_the_server_writes_them() {
    check_normal(
        &json!({
            "creationTimestamp": "2024-05-01T01:00:00.5+02:00", "labels": {"a": null},
            "finalizers": ["x/y", null], "deletionGracePeriodSeconds": 3.0, "generation": 7,
            "ownerReferences": [{"kind": "Pod", "name": "p"}, null],
            "managedFields": [{"fieldsV1": {"f:a": {}}, "time": null, "manager": ""}],
        }),
        &json!({
            "creationTimestamp": "2024-04-30T23:00:00Z", "labels": {"a": ""},
            "finalizers": ["x/y", ""], "deletionGracePeriodSeconds": 3,
            "ownerReferences": [
                {"apiVersion": "", "kind": "Pod", "name": "p", "uid": ""},
                {"apiVersion": "", "kind": "", "name": "", "uid": ""},
            ],
            "managedFields": [{"fieldsV1": {"f:a": {}}}],
        }),
        &[],
    );
}

#[test]
fn unknown_fields_are_removed_and_reported_in_the_order_of_the_walk() {
    check_normal(
        &json!({
            "name": "w", "Name": "w", "zz": 1, "ownerReferencesA": 1,
            "ownerReferences": [{"x": 1, "b": 1, "uid": "u", "apiVersion": "v1", "kind": "Pod", "name": "p"}],
            "managedFields": [{"q": 1, "operation": "Apply"}],
        }),
        &json!({
            "name": "w",
            "ownerReferences": [{"uid": "u", "apiVersion": "v1", "kind": "Pod", "name": "p"}],
            "managedFields": [{"operation": "Apply"}],
        }),
        &[
            "metadata.Name",
            "metadata.managedFields[0].q",
            "metadata.ownerReferences[0].b",
            "metadata.ownerReferences[0].x",
            "metadata.ownerReferencesA",
            "metadata.zz",
        ],
    );
}

#[test]
fn wrong_types_do_not_decode() {
    let go = |value: &str, field: &str, type_: &str| {
        format!("json: cannot unmarshal {value} into Go struct field {field} of type {type_}")
    };
    for (metadata, want) in [
        (json!([]), "json: cannot unmarshal array into Go value of type v1.ObjectMeta".to_owned()),
        (json!({"name": 1}), go("number", "ObjectMeta.name", "string")),
        (json!({"uid": true}), go("bool", "ObjectMeta.uid", "types.UID")),
        (json!({"labels": []}), go("array", "ObjectMeta.labels", "map[string]string")),
        (json!({"labels": {"a": 1}}), go("number", "ObjectMeta.labels", "string")),
        (json!({"finalizers": "x"}), go("string", "ObjectMeta.finalizers", "[]string")),
        (json!({"finalizers": [{}]}), go("object", "ObjectMeta.finalizers", "string")),
        (json!({"generation": 1.5}), go("number 1.5", "ObjectMeta.generation", "int64")),
        (json!({"generation": "1"}), go("string", "ObjectMeta.generation", "int64")),
        (json!({"creationTimestamp": 1}), go("number", "ObjectMeta.creationTimestamp", "string")),
        (
            json!({"ownerReferences": {}}),
            go("object", "ObjectMeta.ownerReferences", "[]v1.OwnerReference"),
        ),
        (
            json!({"ownerReferences": ["x"]}),
            go("string", "ObjectMeta.ownerReferences", "v1.OwnerReference"),
        ),
        (
            json!({"ownerReferences": [{"uid": 1}]}),
            go("number", "OwnerReference.ownerReferences.uid", "types.UID"),
        ),
        (
            json!({"ownerReferences": [{"controller": 1}]}),
            go("number", "OwnerReference.ownerReferences.controller", "bool"),
        ),
        (
            json!({"managedFields": [{"operation": 1}]}),
            go(
                "number",
                "ManagedFieldsEntry.managedFields.operation",
                "v1.ManagedFieldsOperationType",
            ),
        ),
        // Of several wrong types, the first in the order of keys is reported, but an invalid time ends decoding with
        // its own error.
        (json!({"name": 1, "labels": 2}), go("number", "ObjectMeta.labels", "map[string]string")),
        (
            json!({"annotations": 1, "creationTimestamp": "x"}),
            r#"parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006""#
                .to_owned(),
        ),
    ] {
        check_decode(&metadata, &want);
    }
}

#[test]
fn names_and_namespaces() {
    check(&json!({}), &[]);
    check(
        &json!({"name": ""}),
        &["metadata.name: Required value: name or generateName is required"],
    );
    check(
        &json!({"name": "A"}),
        &[r#"metadata.name: Invalid value: "A": a lowercase RFC 1123 subdomain"#],
    );
    check(&json!({"generateName": "a-"}), &[]);
    check(
        &json!({"generateName": "A_b-"}),
        &[r#"metadata.generateName: Invalid value: "A_b-": a lowercase"#],
    );
    check(&json!({"namespace": ""}), &["metadata.namespace: Required value"]);
    check(
        &json!({"namespace": "a.b"}),
        &[r#"metadata.namespace: Invalid value: "a.b": must not contain dots"#],
    );
    let cluster = kind(&json!({"type": "object"}), &json!({}), "Cluster");
    let object = with_metadata(&json!({"name": "w", "namespace": "x"}));
    assert_eq!(
        errors(&admit::create(&cluster, object)),
        ["metadata.namespace: Forbidden: not allowed on this type"]
    );
}

#[test]
fn labels_and_annotations() {
    check(&json!({"labels": {"a/b": "c"}, "annotations": {"A.b/C": "any text"}}), &[]);
    check(
        &json!({"labels": {"a b": "c d"}}),
        &[
            r#"metadata.labels: Invalid value: "a b": name part must consist"#,
            r#"metadata.labels: Invalid value: "c d": a valid label must"#,
        ],
    );
    check(
        &json!({"annotations": {"/a": ""}}),
        &[r#"metadata.annotations: Invalid value: "/a": prefix part must be non-empty"#],
    );
    let fits = "x".repeat(256 * 1024 - 1);
    check(&json!({"annotations": {"a": fits}}), &[]);
    let long = fits + "x";
    check(
        &json!({"annotations": {"a": long}}),
        &["metadata.annotations: Too long: may not be more than 262144 bytes"],
    );
}

#[test]
fn owners() {
    let owner = |api_version: &str, kind: &str, controller: bool| json!({"apiVersion": api_version, "kind": kind, "name": "n", "uid": "u", "controller": controller});
    check(&json!({"ownerReferences": [owner("apps/v1", "X", true), owner("v1", "Y", false)]}), &[]);
    check(
        &json!({"ownerReferences": [null]}),
        &[
            "metadata.ownerReferences[0].apiVersion: Required value: must not be empty",
            "metadata.ownerReferences[0].kind: Required value: must not be empty",
            "metadata.ownerReferences[0].name: Required value: must not be empty",
            "metadata.ownerReferences[0].uid: Required value: must not be empty",
        ],
    );
    check(
        &json!({"ownerReferences": [owner("a/b/c", "X", false)]}),
        &[
            r#"metadata.ownerReferences[0].apiVersion: Invalid value: "a/b/c": must be <group>/<version> or <version>"#,
        ],
    );
    check(
        &json!({"ownerReferences": [owner("v1", "Event", false)]}),
        &[
            r#"metadata.ownerReferences[0]: Invalid value: {"apiVersion":"v1","kind":"Event","name":"n","uid":"u","controller":false}: /v1, Kind=Event is disallowed from being an owner"#,
        ],
    );
    check(
        &json!({"ownerReferences": [owner("v1", "A", true), owner("v1", "B", true)]}),
        &[
            r#"metadata.ownerReferences: Invalid value: [{"apiVersion":"v1","kind":"A","name":"n","uid":"u","controller":true},{"apiVersion":"v1","kind":"B","name":"n","uid":"u","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for A/n and B/n"#,
        ],
    );
}

#[test]
fn finalizers() {
    check(&json!({"finalizers": ["a.b/c", "orphan"]}), &[]);
    check(
        &json!({"finalizers": ["a b"]}),
        &[r#"metadata.finalizers: Invalid value: "a b": name part must consist"#],
    );
    check(
        &json!({"finalizers": ["orphan", "foregroundDeletion"]}),
        &[
            r#"metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set"#,
        ],
    );
}

#[test]
fn managed_fields() {
    check(
        &json!({"managedFields": [{"operation": "Update", "fieldsType": "FieldsV1", "manager": "m"}]}),
        &[],
    );
    check(
        &json!({"managedFields": [{
            "operation": "Patch", "fieldsType": "X", "manager": "m".repeat(129), "subresource": "s".repeat(257),
        }]}),
        &[
            r#"metadata.managedFields[0].operation: Unsupported value: "Patch": supported values: "Apply", "Update""#,
            r#"metadata.managedFields[0].fieldsType: Invalid value: "X": must be `FieldsV1`"#,
            "metadata.managedFields[0].manager: Too long: may not be more than 128 bytes",
            "metadata.managedFields[0].subresource: Too long: may not be more than 256 bytes",
        ],
    );
    check(
        &json!({"managedFields": [{"operation": "Apply", "manager": "a\u{7}"}]}),
        &[
            r#"metadata.managedFields[0].manager: Invalid value: "a\a": invalid character U+0007 (at position 1)"#,
        ],
    );
}

#[test]
fn finalizers_are_warned_of() {
    let finalizers = json!(["a", "a.b", "a/b", "kubernetes"]);
    let object =
        with_metadata(&json!({"name": "w", "namespace": "default", "finalizers": finalizers}));
    let admitted = admit::create(&any(), object).unwrap();
    let accidental = "to avoid accidental conflicts with other finalizer writers";
    assert_eq!(
        admitted.warnings,
        [
            format!(
                r#"metadata.finalizers: "a": prefer a domain-qualified finalizer name {accidental}"#
            ),
            format!(
                r#"metadata.finalizers: "a.b": prefer a domain-qualified finalizer name including a path (/) {accidental}"#
            ),
        ]
    );
}

#[test]
fn lowercasing_a_key_maps_one_character_to_one() {
    let schema = widget(&json!({"type": "object"}));
    let object = with_metadata(&json!({"name": "w", "namespace": "default",
        "annotations": {"\u{130}.com/\u{212a}": "x"}}));
    assert_eq!(errors(&admit::create(&schema, object)), [""; 0]);
}

#[test]
fn numbers_of_managed_fields_are_read_once_more() {
    let schema = widget(&json!({"type": "object"}));
    let object = with_metadata(&json!({"name": "w", "namespace": "default", "managedFields": [
        {"operation": "Update", "fieldsV1": {"a": -0.0, "b": 1e3, "c": 0.5}},
    ]}));
    let (object, _) = outcome(admit::create(&schema, object));
    let fields = &object["metadata"]["managedFields"][0]["fieldsV1"];
    assert_eq!(*fields, json!({"a": 0, "b": 1000, "c": 0.5}));
}
