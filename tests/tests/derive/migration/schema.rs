//! kube's example `crd_derive_schema`: defaults, nulls, sets and rules.

use crd_runtime::admit::{self, Rejection};
use crd_runtime::compiled::CompiledSchema;
use crd_runtime::field::{Error, ErrorKind};
use crd_runtime::{CrdSchema, CustomResource, definition};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

// after:start
#[derive(CustomResource, Serialize, Deserialize, Default, Debug, PartialEq, Eq, Clone)]
#[crd(group = "clux.dev", version = "v1", kind = "Foo", namespaced)]
#[crd(derive(PartialEq, Default), root_rule("self.metadata.name != 'forbidden'"))]
#[crd(rule("self.nonNullable == oldSelf.nonNullable"))]
#[serde(rename_all = "camelCase")]
pub(crate) struct FooSpec {
    non_nullable: String,

    #[crd(default)]
    #[serde(default = "default_value")]
    non_nullable_with_default: String,

    #[crd(nullable)]
    #[serde(skip_serializing_if = "Option::is_none")]
    nullable_skipped: Option<String>,

    nullable: Option<String>,

    #[crd(default, nullable)]
    #[serde(default = "default_nullable", skip_serializing_if = "Option::is_none")]
    nullable_skipped_with_default: Option<String>,

    #[crd(default, nullable)]
    #[serde(default = "default_nullable")]
    nullable_with_default: Option<String>,

    #[crd(default)]
    #[serde(default)]
    default_listable: Vec<u32>,

    #[crd(default, list_type = "set")]
    #[serde(default)]
    set_listable: Vec<u32>,

    #[crd(
        default,
        nullable,
        rule(
            "self != 'illegal'",
            message_expression = "'string cannot be illegal'",
            reason = "FieldValueForbidden"
        ),
        rule("self != 'not legal'", reason = "FieldValueInvalid")
    )]
    #[serde(default = "default_legal")]
    cel_validated: Option<String>,

    #[crd(rule(
        "oldSelf.optMap(o, o == self).orValue(true)",
        optional_old_self = true,
        message = "Immutable after creation"
    ))]
    #[serde(default)]
    immutable: Option<String>,

    #[crd(rule("self == oldSelf", message = "is immutable"))]
    foo_sub_spec: Option<FooSubSpec>,

    #[crd(default)]
    #[serde(default = "FooSpec::default_value")]
    associated_default: bool,
}

#[derive(CrdSchema, Serialize, Deserialize, Default, Debug, PartialEq, Eq, Clone)]
pub(crate) struct FooSubSpec {
    #[crd(rule("self != 'not legal'"), rule("self != 'not that'"))]
    #[crd(rule("self != 'also not that'", message = "some pretty good reason"))]
    field: String,

    other: Option<String>,
}
// after:end

impl FooSpec {
    fn default_value() -> bool {
        true
    }
}

fn default_value() -> String {
    "default_value".into()
}

#[expect(clippy::unnecessary_wraps, reason = "serde asks for the field's type")]
fn default_legal() -> Option<String> {
    Some("legal".into())
}

#[expect(clippy::unnecessary_wraps, reason = "serde asks for the field's type")]
fn default_nullable() -> Option<String> {
    Some("default_nullable".into())
}

fn schema() -> CompiledSchema {
    let crd = Foo::crd();
    definition::validate(&crd).into_result().expect("a definition that the server takes");
    CompiledSchema::for_version(&crd, "v1").expect("a schema")
}

fn object(name: &str, spec: &Value) -> Value {
    json!({
        "apiVersion": "clux.dev/v1", "kind": "Foo",
        "metadata": {"name": name, "namespace": "default", "resourceVersion": "1"}, "spec": spec,
    })
}

fn created(spec: &Value) -> Value {
    admit::create(&schema(), object("baz", spec)).expect("admitted").object
}

/// Returns the only error of a change of `baz`.
fn rejected(change: &Value) -> Error {
    let old = created(&json!({
        "nonNullable": "x", "defaultListable": [2], "setListable": [2],
        "fooSubSpec": {"field": "legal"},
    }));
    let mut new = old.clone();
    for (key, value) in change.as_object().expect("fields") {
        new["spec"][key] = value.clone();
    }
    match admit::update(&schema(), new, &old).expect_err("an error") {
        Rejection::Invalid(invalid) => {
            let mut errors = invalid.errors.into_iter();
            let first = errors.next().expect("an error");
            assert_eq!(errors.next(), None);
            first
        }
        other => panic!("{other}"),
    }
}

#[test]
fn skipped_fields_of_a_typed_object_get_their_defaults() {
    let foo = Foo::new("bar", FooSpec::default());
    let mut value = serde_json::to_value(&foo).unwrap();
    value["metadata"]["namespace"] = json!("default");
    let admitted = admit::create(&schema(), value).expect("admitted");
    let spec = &admitted.object["spec"];
    assert_eq!(spec.get("nullableSkipped"), None);
    assert_eq!(spec.get("nullable"), Some(&Value::Null));
    let read: Foo = admitted.into_typed().expect("fits");
    let want = FooSpec {
        // The field was not serialized, so the server set its default. A `null` that is sent stays.
        nullable_skipped_with_default: default_nullable(),
        ..FooSpec::default()
    };
    assert_eq!(read.spec, want);
}

#[test]
fn absent_fields_get_their_defaults() {
    let created = created(&json!({"nonNullable": "a required field"}));
    let want = json!({
        "nonNullable": "a required field",
        "nonNullableWithDefault": "default_value",
        "nullableSkippedWithDefault": "default_nullable",
        "nullableWithDefault": "default_nullable",
        "defaultListable": [], "setListable": [],
        "celValidated": "legal", "associatedDefault": true,
    });
    assert_eq!(created["spec"], want);
}

#[test]
fn missing_required_fields_are_errors() {
    let rejection = admit::create(&schema(), object("qux", &json!({}))).expect_err("an error");
    let message = rejection.message(&schema());
    assert!(message.starts_with("Foo.clux.dev \"qux\" is invalid: "), "{message}");
    assert!(message.contains("spec.nonNullable: Required value"), "{message}");
}

#[test]
fn rules_are_evaluated() {
    let name = object("forbidden", &json!({"nonNullable": "x"}));
    assert!(admit::create(&schema(), name).is_err());
    for (change, kind, field, text) in [
        (
            json!({"celValidated": "illegal"}),
            ErrorKind::Forbidden,
            "spec.celValidated",
            "string cannot be illegal",
        ),
        (
            json!({"celValidated": "not legal"}),
            ErrorKind::Invalid,
            "spec.celValidated",
            "failed rule: self != 'not legal'",
        ),
        (
            json!({"fooSubSpec": {"field": "legal", "other": "different"}}),
            ErrorKind::Invalid,
            "spec.fooSubSpec",
            "is immutable",
        ),
    ] {
        let error = rejected(&change);
        assert_eq!((error.kind, &*error.field, &*error.detail), (kind, field, text));
    }
    for (field, text) in [
        ("not legal", "failed rule: self != 'not legal'"),
        ("also not that", "some pretty good reason"),
    ] {
        let spec = json!({"nonNullable": "x", "fooSubSpec": {"field": field}});
        let rejection = admit::create(&schema(), object("new", &spec)).expect_err("an error");
        let text = format!("spec.fooSubSpec.field: Invalid value: {field:?}: {text}");
        assert_eq!(rejection.to_string(), text);
    }
}

#[test]
fn the_page_shows_this_struct() {
    let page = std::fs::read_to_string("../docs/guide/src/from-kube.md").expect("the page");
    let block = page
        .split("```diff\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .expect("a diff in the page");
    let here = include_str!("schema.rs");
    let (_, rest) = here.split_once("// after:start\n").expect("a start");
    let (after, _) = rest.split_once("// after:end").expect("an end");
    let plain = |line: &str| line.trim().replace("pub(crate) struct", "pub struct");
    let after: Vec<_> = after.lines().map(plain).filter(|line| !line.is_empty()).collect();
    // The lines of the diff that are not removed are those of the struct.
    let shown: Vec<_> = block
        .lines()
        .filter(|line| !line.starts_with('-'))
        .map(|line| plain(line.get(1..).unwrap_or_default()))
        .filter(|line| !line.is_empty() && !line.starts_with("use "))
        .collect();
    assert_eq!(shown, after);
}
