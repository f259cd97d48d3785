//! Request bodies: decoding errors and strict field validation.

use crd_runtime::admit::{self, FieldValidation, MAX_BODY_BYTES, Operation, Rejection, Write};
use crd_runtime::compiled::CompiledSchema;
use serde_json::{Value, json};

use super::support::{object, widget};

fn any() -> CompiledSchema {
    widget(&json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true}))
}

#[track_caller]
fn check(body: &str, want: &str) {
    let rejection = admit::create_from_slice(&any(), body.as_bytes()).unwrap_err();
    assert_eq!(rejection.to_string(), want);
}

#[test]
fn what_is_no_object_of_the_kind() {
    let unparsed = "couldn't get version/kind; json parse error:";
    check("", &format!("{unparsed} unexpected end of JSON input"));
    check("{\"a\":}", &format!("{unparsed} invalid character '}}' looking for beginning of value"));
    check(
        "[]",
        &format!(
            "{unparsed} json: cannot unmarshal array into Go value of type struct {{ APIVersion string \
             \"json:\\\"apiVersion,omitempty\\\"\"; Kind string \"json:\\\"kind,omitempty\\\"\" }}"
        ),
    );
    check(
        r#"{"KIND": 5}"#,
        &format!(
            "{unparsed} json: cannot unmarshal number into Go struct field .kind of type string"
        ),
    );
    check(
        r#"{"kind": "Widget", "APIVERSION": 5}"#,
        &format!(
            "{unparsed} json: cannot unmarshal number into Go struct field .apiVersion of type string"
        ),
    );
    let expected = "does not match the expected API version (example.com/v1)";
    check(
        r#"{"kind": "Widget", "ten-bytes.": 5, "four": 5}"#,
        &format!("the API version in the data () {expected}"),
    );
    check(
        r#"{"kind": "Widget", "a": 1e400}"#,
        "json: cannot unmarshal number 1e400 into Go value of type float64",
    );
    check("null", "Object 'Kind' is missing in 'null'");
    check(r#"{"kind": ""}"#, r#"Object 'Kind' is missing in '{"kind": ""}'"#);
    check(r#"{"kind": "Widget", "apiVersion": "a/b/c"}"#, "unexpected GroupVersion string: a/b/c");
    check(r#"{"kind": "Widget"}"#, &format!("the API version in the data () {expected}"));
    check(
        r#"{"kind": "Widget", "apiVersion": "/v2"}"#,
        &format!("the API version in the data (v2) {expected}"),
    );
    check(
        r#"{"kind": "Widget", "apiVersion": "example.com/v2"}"#,
        &format!("the API version in the data (example.com/v2) {expected}"),
    );
    check(
        r#"{"kind": "Other", "apiVersion": "example.com/v1", "metadata": {"name": "w", "namespace": "d"}}"#,
        r#"kind: Invalid value: "Other": must be Widget"#,
    );
}

#[test]
fn a_tree_of_another_kind_or_version() {
    let mut other = object(&json!({}));
    other["kind"] = "Other".into();
    other["apiVersion"] = "v1".into();
    let rejection = admit::create(&any(), other).unwrap_err();
    assert_eq!(
        rejection.to_string(),
        "[kind: Invalid value: \"Other\": must be Widget, \
         apiVersion: Invalid value: \"v1\": must be example.com/v1]"
    );
    assert_eq!(
        admit::create(&any(), json!("x")).unwrap_err().to_string(),
        "json: cannot unmarshal string into Go value of type map[string]interface {}"
    );
    assert_eq!(
        admit::create(&any(), json!({"kind": 5})).unwrap_err().to_string(),
        ".kind accessor error: 5 is of the type int64, expected string"
    );
}

#[test]
fn unknown_and_duplicate_fields() {
    let schema = widget(&json!({"type": "object", "properties": {"a": {"type": "integer"}}}));
    let body = br#"{"apiVersion": "example.com/v1", "kind": "Widget",
        "metadata": {"name": "w", "namespace": "d", "x": 1}, "spec": {"a": 1, "b": 1, "a": 2}}"#;
    let write = |field_validation| {
        Write::new(Operation::Create).field_validation(field_validation).admit_slice(&schema, body)
    };
    let texts = [
        r#"duplicate field "spec.a""#,
        r#"unknown field "metadata.x""#,
        r#"unknown field "spec.b""#,
    ];
    let warned = write(FieldValidation::Warn).unwrap();
    assert_eq!(warned.object["spec"], json!({"a": 2}));
    assert_eq!(warned.unknown_fields, ["metadata.x", "spec.b"]);
    assert_eq!(warned.duplicate_fields, [texts[0]]);
    assert_eq!(warned.warnings, texts);
    let ignored = write(FieldValidation::Ignore).unwrap();
    assert_eq!(ignored.object, warned.object);
    assert!(ignored.warnings.is_empty() && ignored.unknown_fields.is_empty());
    let strict = write(FieldValidation::Strict).unwrap_err();
    assert_eq!(strict, Rejection::Strict(texts.map(str::to_owned).to_vec()));
    assert_eq!(
        strict.message(&schema),
        format!(
            "Widget in version \"v1\" cannot be handled as a Widget: strict decoding error: {}",
            texts.join(", ")
        )
    );
}

#[test]
fn an_invalid_object_is_named_in_the_message() {
    let schema = widget(&json!({"type": "object", "properties": {"a": {"type": "integer"}}}));
    let rejection = admit::create(&schema, object(&json!({"a": "x"}))).unwrap_err();
    assert_eq!(
        rejection.message(&schema),
        "Widget.example.com \"w\" is invalid: spec.a: Invalid value: \"string\": \
         spec.a in body must be of type integer: \"string\""
    );
    assert_eq!(rejection.errors().map(crd_runtime::field::ErrorList::len), Some(1));
}

#[test]
fn what_is_too_large_or_too_deep() {
    let with = |spec: &str| {
        format!(
            r#"{{"apiVersion":"example.com/v1","kind":"Widget","metadata":{{"name":"w","namespace":"d"}},"spec":{spec}}}"#
        )
    };
    let empty = with(r#"{"a":""}"#).len();
    let fits = with(&format!(r#"{{"a":"{}"}}"#, "x".repeat(MAX_BODY_BYTES - empty)));
    assert_eq!(fits.len(), MAX_BODY_BYTES);
    assert!(admit::create_from_slice(&any(), fits.as_bytes()).is_ok());
    let large = fits + " ";
    let rejection = admit::create_from_slice(&any(), large.as_bytes()).unwrap_err();
    assert_eq!(rejection.to_string(), "Request entity too large: limit is 3145728");

    for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
        for (depth, want) in [
            (600, "json: nested deeper than 500 levels".to_owned()),
            (9_998, "json: nested deeper than 500 levels".to_owned()),
            (10_000, format!("invalid character '{}' exceeded max depth", &open[..1])),
            (200_000, format!("invalid character '{}' exceeded max depth", &open[..1])),
        ] {
            let spec = format!(r#"{{"a":{}1{}}}"#, open.repeat(depth), close.repeat(depth));
            check(&with(&spec), &format!("couldn't get version/kind; json parse error: {want}"));
        }
    }
}

#[test]
fn what_is_nested_as_deep_as_it_may_be() {
    for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
        // The object, its spec and the lists below.
        let depth = crd_runtime::json::MAX_DEPTH - 2;
        let spec = format!(r#"{{"a":{}1{}}}"#, open.repeat(depth), close.repeat(depth));
        let body = format!(
            r#"{{"apiVersion":"example.com/v1","kind":"Widget","metadata":{{"name":"w","namespace":"d","resourceVersion":"1"}},"spec":{spec}}}"#
        );
        let admitted = admit::create_from_slice(&any(), body.as_bytes()).unwrap();
        let old = admitted.object.clone();
        assert_eq!(admit::update(&any(), admitted.object, &old).unwrap().object, old);
    }
}

/// The deepest rules that parse, at the bottom of a deep schema, on the default stack of a Rust thread (2 MiB).
#[test]
fn rules_below_the_deepest_schema_fit_in_the_stack_of_a_thread() {
    for (open, close) in [("(", ")"), ("[1].all(x, ", ")"), ("{1: ", "}.size() > 0")] {
        let parses = |depth: &usize| {
            let rule = format!("{}self{}", open.repeat(*depth), close.repeat(*depth));
            crd_cel::syntax::parse(&rule).is_ok()
        };
        let deep = std::thread::Builder::new().stack_size(2 << 20).spawn(move || {
            let depth = (1..300).take_while(parses).last().unwrap();
            let rule = format!("{}self{}", open.repeat(depth), close.repeat(depth));
            let mut schema =
                json!({"type": "boolean", "x-kubernetes-validations": [{"rule": rule}]});
            // The boolean is a level too.
            for _ in 0..crd_runtime::schema::MAX_SCHEMA_DEPTH - 1 {
                schema = json!({"type": "object", "properties": {"a": schema}});
            }
            let crd = super::support::definition(&schema, &json!({}), "Namespaced");
            crd_runtime::definition::validate(&crd).to_string()
        });
        let errors = deep.unwrap().join().unwrap_or_else(|_| panic!("{open}"));
        assert!(!errors.contains("nested"), "{errors}");
    }
}

#[test]
fn long_paths_do_not_take_memory_without_end() {
    let schema = widget(
        &json!({"type": "object", "additionalProperties": {"type": "array", "items": {"type": "object"}}}),
    );
    let elements = r#"{"x":0},"#.repeat(100_000);
    let body = format!(
        r#"{{"apiVersion":"example.com/v1","kind":"Widget","metadata":{{"name":"w","namespace":"d"}},"spec":{{"{}":[{elements}{{}}]}}}}"#,
        "k".repeat(1_000_000)
    );
    let admitted = admit::create_from_slice(&schema, body.as_bytes()).unwrap();
    assert!(admitted.unknown_fields.len() < 100);
    let owners = vec![json!({"controller": true}); 20_000];
    let metadata = json!({"name": "w", "namespace": "d", "ownerReferences": owners});
    let many = super::support::with_metadata(&metadata);
    let rejection = admit::create(&any(), many).unwrap_err();
    assert!(rejection.to_string().len() < 16 * 1024 * 1024);
}

#[test]
fn a_tree_that_is_too_deep_is_rejected() {
    let mut deep = Value::Null;
    for _ in 0..100_000 {
        deep = Value::Array(vec![deep]);
    }
    let mut object = object(&Value::Null);
    object["spec"] = deep;
    assert_eq!(
        admit::create(&any(), object).unwrap_err().to_string(),
        "json: nested deeper than 500 levels"
    );
}

#[test]
fn an_admitted_object_becomes_a_rust_value() {
    #[derive(serde::Deserialize)]
    struct Widget {
        spec: Spec,
    }
    #[derive(serde::Deserialize)]
    struct Spec {
        a: i64,
    }
    let widget: Widget =
        admit::create(&any(), object(&json!({"a": 3}))).unwrap().into_typed().unwrap();
    assert_eq!(widget.spec.a, 3);
    assert!(admit::create(&any(), object(&json!({}))).unwrap().into_typed::<Widget>().is_err());
}

#[test]
fn rejections_have_codes_and_reasons() {
    let schema =
        widget(&json!({"type": "object", "properties": {"a": {"type": "integer", "maximum": 1}}}));
    let invalid = admit::create(&schema, object(&json!({"a": 2}))).unwrap_err();
    let shown = "The Widget \"w\" is invalid: spec.a: Invalid value: 2: spec.a in body should be less \
                 than or equal to 1";
    for (rejection, code, reason, shown) in [
        (
            Rejection::TooLarge,
            413,
            "RequestEntityTooLarge",
            format!("Error from server (RequestEntityTooLarge): {}", Rejection::TooLarge),
        ),
        (
            Rejection::Decode("no".to_owned()),
            400,
            "BadRequest",
            "Error from server (BadRequest): no".to_owned(),
        ),
        (invalid, 422, "Invalid", shown.to_owned()),
    ] {
        assert_eq!((rejection.code(), rejection.reason()), (code, reason));
        assert_eq!(format!("{rejection:?}"), shown);
    }
}
