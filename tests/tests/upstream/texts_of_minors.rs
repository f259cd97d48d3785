//! Error texts that differ on servers of older minors, compared with the output of their own code.

use std::env;

use crd_cel::kubernetes::KubernetesVersion;
use crd_tests::conformance::{Depth, Objects, decide_definition};
use crd_tests::go;
use crd_tests::oracle::Oracle;
use serde_json::{Value, json};

/// A case, and the texts of its error on older and newer minors.
struct Case {
    name: &'static str,
    request: Value,
    /// The first minor with the second text; older ones have the first.
    since: u32,
    /// Parts of the error. `|` separates alternatives.
    texts: [&'static str; 2],
}

fn definition(schema: &Value) -> Value {
    crd_fixtures::widget(schema).json()
}

/// A definition whose field `spec` has a schema.
fn of_spec(schema: &Value) -> Value {
    json!({"crd": definition(&json!({"type": "object", "properties": {"spec": schema}}))})
}

/// A definition whose `spec` is an object with a rule.
fn of_rule(rule: &Value) -> Value {
    of_spec(
        &json!({"type": "object", "properties": {"s": {"type": "string"}}, "x-kubernetes-validations": [rule]}),
    )
}

/// An object whose field `spec` has a schema and a value.
fn object(schema: &Value, spec: &Value) -> Value {
    let mut case = of_spec(schema);
    case["object"] = json!({
        "apiVersion": "example.com/v1", "kind": "Widget",
        "metadata": {"name": "w", "namespace": "default"}, "spec": spec,
    });
    case
}

fn with_metadata(key: &str, value: &Value) -> Value {
    let mut case = object(&json!({"type": "object"}), &json!({}));
    case["object"]["metadata"][key] = value.clone();
    case
}

fn definitions() -> Vec<Case> {
    let mut without_schema = of_spec(&json!({"type": "object"}));
    without_schema["crd"]["spec"]["versions"][0]["schema"].take();
    let mut other = of_spec(&json!({"type": "object"}));
    let old = other["crd"].clone();
    other["oldCrd"] = old;
    other["oldCrd"]["status"] = json!({"storedVersions": ["v0", "v1"]});
    let case = |name, request, since, texts| Case { name, request, since, texts };
    vec![
        case(
            "a schema that is missing",
            without_schema,
            34,
            ["schemas are required", "openAPIV3Schema: Required value"],
        ),
        case(
            "a stored version that is gone",
            other,
            33,
            ["must appear in spec.versions", "missing from spec.versions"],
        ),
        case(
            "a blank message",
            of_rule(&json!({"rule": "true", "message": " "})),
            34,
            [": message must be non-empty", ": must be non-empty"],
        ),
        case(
            "a message of two lines",
            of_rule(&json!({"rule": "true", "message": "a\nb"})),
            34,
            [": message must not contain", ": must not contain"],
        ),
        case(
            "a path that leads nowhere",
            of_rule(&json!({"rule": "true", "fieldPath": ".nowhere"})),
            34,
            [": fieldPath must be a valid path", ": must be a valid path"],
        ),
        case(
            "a rule that does not compile",
            of_rule(&json!({"rule": "self.t == \"<\"", "message": "m"})),
            34,
            ["apiextensions.ValidationRule{Rule:", "{\"Rule\":"],
        ),
        case(
            "a key that is no property",
            of_spec(&json!({
                "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a", "b"],
                "items": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}},
            })),
            34,
            ["[]string{\"a\", \"b\"}", "[\"a\",\"b\"]"],
        ),
        case(
            "a default of another type than its format",
            of_spec(&json!({"type": "object", "properties": {
                "n": {"type": "string", "format": "k8s-short-name", "default": 1}}})),
            34,
            ["must be of type k8s-short-name"; 2],
        ),
        case(
            "an unknown reason",
            of_rule(&json!({"rule": "true", "reason": "<>"})),
            34,
            ["\"<>\"", "\"\\u003c\\u003e\""],
        ),
    ]
}

#[expect(clippy::too_many_lines, reason = "a table")]
fn objects() -> Vec<Case> {
    let case = |name, request, since, texts| Case { name, request, since, texts };
    let strings = || json!({"type": "array", "items": {"type": "string"}});
    let mut long = strings();
    long["items"]["maxLength"] = 3.into();
    let mut longest = strings();
    longest["items"]["maxLength"] = 1.into();
    let mut few = strings();
    few["maxItems"] = 1.into();
    let by_key = |keys: &[&str]| {
        json!({
            "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys,
            "items": {"type": "object", "required": ["a", "b"],
                "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}},
        })
    };
    let twice = || json!([{"a": "x", "b": 1}, {"a": "x", "b": 1}]);
    vec![
        case(
            "a text that is too long",
            object(&long, &json!(["abcd"])),
            32,
            ["may not be longer than 3", "may not be more than 3 bytes"],
        ),
        case(
            "a text that is longer than 1",
            object(&longest, &json!(["ab"])),
            34,
            ["longer than 1|1 bytes", "1 byte"],
        ),
        case(
            "a list that is longer than 1",
            object(&few, &json!(["a", "b"])),
            34,
            ["at most 1 items", "at most 1 item"],
        ),
        case(
            "annotations that are too long",
            with_metadata("annotations", &json!({"a": "x".repeat(300_000)})),
            32,
            ["must have at most 262144 bytes", "may not be more than 262144 bytes"],
        ),
        case(
            "a finalizer with a dot",
            with_metadata("finalizers", &json!(["example.com"])),
            32,
            [
                "prefer a domain-qualified finalizer name to avoid",
                "name including a path (/) to avoid",
            ],
        ),
        case(
            "a label whose value is too long",
            with_metadata("labels", &json!({"a": "x".repeat(64)})),
            35,
            ["must be no more than 63 characters", "must be no more than 63 bytes"],
        ),
        case(
            "a label whose key is too long",
            with_metadata("labels", &json!({"x".repeat(64): "a"})),
            35,
            ["must be no more than 63 characters", "must be no more than 63 bytes"],
        ),
        case(
            "the message of a format for labels",
            object(
                &json!({"type": "string", "maxLength": 100, "x-kubernetes-validations": [{
                    "rule": "!format.qualifiedName().validate(self).hasValue()",
                    "messageExpression": "format.qualifiedName().validate(self).value().join(', ')"}]}),
                &json!("a/b/c"),
            ),
            35,
            ["undeclared reference to 'format'|a qualified name must", "a valid label key must"],
        ),
        case(
            "an enumeration of lists",
            object(
                &json!({"type": "object", "properties": {"l": {
                "type": "array", "items": {"type": "integer"}, "enum": [[1]]}}}),
                &json!({"l": [2]}),
            ),
            34,
            ["[]interface {}{2}", "Unsupported value: [2]"],
        ),
        case(
            "a set with an object twice",
            object(
                &json!({"type": "array", "x-kubernetes-list-type": "set", "items": {
                    "type": "object", "x-kubernetes-map-type": "atomic",
                    "properties": {"a": {"type": "string"}, "n": {"type": "number"}}}}),
                &json!([{"a": "<", "n": 1.5}, {"a": "<", "n": 1.5}]),
            ),
            34,
            ["map[string]interface {}{\"a\":\"<\", \"n\":1.5}", "{\"a\":\"\\u003c\",\"n\":1.5}"],
        ),
        case(
            "a key twice",
            object(&by_key(&["a"]), &twice()),
            34,
            ["map[string]interface {}{\"a\":\"x\"}", "{\"a\":\"x\"}"],
        ),
        case(
            "two keys twice",
            object(&by_key(&["b", "a"]), &twice()),
            34,
            ["map[string]interface {}{\"a\":\"x\", \"b\":1}", "{\"a\":\"x\",\"b\":1}"],
        ),
        case(
            "an embedded resource without a kind",
            object(
                &json!({"type": "object", "x-kubernetes-embedded-resource": true,
                    "x-kubernetes-preserve-unknown-fields": true}),
                &json!({"apiVersion": "v1"}),
            ),
            34,
            ["spec.kind: Required value: must not be empty", "spec.kind: Required value\""],
        ),
        case(
            "an event as owner",
            with_metadata(
                "ownerReferences",
                &json!([{"apiVersion": "v1", "kind": "Event", "name": "e", "uid": "u"}]),
            ),
            34,
            ["v1.OwnerReference{APIVersion:\"v1\"", "{\"apiVersion\":\"v1\""],
        ),
        case(
            "a rule that does not hold",
            object(
                &json!({"type": "integer", "x-kubernetes-validations": [{"rule": "self > 3"}]}),
                &json!(2),
            ),
            35,
            ["Invalid value: \\\"integer\\\"", "Invalid value: 2"],
        ),
        case(
            "rules that were not run",
            object(
                &json!({"type": "array", "maxItems": 1, "items": {"type": "integer"},
                "x-kubernetes-validations": [{"rule": "size(self) > 3"}]}),
                &json!([1, 2]),
            ),
            34,
            ["Invalid value: \\\"null\\\"", "Invalid value: null"],
        ),
    ]
}

/// Names the only minor version to compare, such as `1.33`.
const ONE: &str = "CRD_TESTS_KUBERNETES";

#[test]
#[ignore = "builds the code of eight servers, some minutes each: run it with --ignored; CI does so with one of them"]
fn each_minor_says_what_its_server_says() {
    let one = env::var(ONE).ok();
    let is_chosen =
        |version: &KubernetesVersion| one.as_ref().is_none_or(|one| *one == version.to_string());
    let versions: Vec<_> = KubernetesVersion::ALL.into_iter().filter(is_chosen).collect();
    assert!(!versions.is_empty(), "{ONE} is {one:?}, which is no minor version from 1.30 on");
    for version in versions {
        let program = go::build_oracle(version).expect("the oracle builds");
        let mut oracle = Oracle::start(&program, 1).expect("starts");
        let mut ours = Objects::of(version, Depth::Texts);
        for Case { name, request: mut case, since, texts } in
            definitions().into_iter().chain(objects())
        {
            let is_object = case.get("object").is_some();
            let mut question = case.clone();
            question["op"] = if is_object { "object" } else { "crd" }.into();
            if let Some(old) = question.get_mut("oldCrd").map(Value::take) {
                question["old"] = old;
            }
            let answer = oracle.ask(&[question]).expect("answers").remove(0);
            let text_of_answer = answer.to_string().replace("\\\\", "\\");
            let text_of_answer = text_of_answer.replace("\\\"", "\"");
            let text = texts[usize::from(version.minor() >= since)];
            let is_found =
                text.split('|').any(|text| text_of_answer.contains(&text.replace("\\\"", "\"")));
            assert!(is_found, "{version}, {name}: not `{text}`: {text_of_answer}");
            let key = if is_object { "expectObject" } else { "expectCrd" };
            case[key] = answer;
            let difference = if is_object {
                ours.decide(&case)
            } else {
                decide_definition(&case, version, Depth::Texts)
            };
            assert_eq!(difference, None, "{version}, {name}");
        }
    }
}
