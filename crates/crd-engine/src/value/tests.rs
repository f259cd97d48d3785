//! The errors of values, keyword by keyword.

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::{Value, json};

use super::ValueWalk;
use super::location::Location;
use super::report::{Budget, Collect as _, Collector};
use crate::compiled::{CompiledSchema, Dialect, Resource};
use crate::correlate::Correlation;
use crate::field::{ErrorList, Path, Sink};
use crate::model::JsonSchemaProps;
use crate::schema::Structural;

fn compile(schema: &str) -> CompiledSchema {
    compile_on(schema, KubernetesVersion::REFERENCE)
}

fn compile_on(schema: &str, version: KubernetesVersion) -> CompiledSchema {
    let props: JsonSchemaProps = serde_json::from_str(schema).unwrap();
    let structural = Structural::try_from(&props).unwrap();
    CompiledSchema::new(Some(structural), Resource::default(), Dialect::Objects, version)
}

fn validate(schema: &CompiledSchema, object: &Value, pair: Option<&Correlation<'_>>) -> ErrorList {
    let mut errors = Sink::new();
    super::validate(schema, schema.root, object, &Path::ROOT, pair, &mut errors);
    errors.into_errors()
}

fn texts(errors: &ErrorList) -> Vec<String> {
    errors.iter().map(ToString::to_string).collect()
}

#[test]
fn keywords() {
    crd_fixtures::check_table(include_str!("keywords.txt"), |lines| {
        let [line] = lines else { panic!("a case is one line") };
        let (kind, rest) = line.split_once(' ').unwrap();
        let is_whole = matches!(kind, "object" | "update");
        let [schema, values @ ..] = &crd_fixtures::values(if is_whole { rest } else { line })[..]
        else {
            panic!("no schema")
        };
        let schema = if is_whole { schema.clone() } else { json!({"properties": {"a": schema}}) };
        let compiled = compile(&schema.to_string());
        texts(&match values {
            [old, new] if kind == "update" => {
                validate(&compiled, new, Some(&Correlation::root(&compiled, new, old)))
            }
            [object] if is_whole => validate(&compiled, object, None),
            [value] => validate(&compiled, &json!({"a": value}), None),
            _ => panic!("{} values", values.len()),
        })
    });
}

/// A collector that counts matches evaluates every keyword; without one, most values take a shortcut.
#[test]
fn shortcuts_accept_no_invalid_value() {
    let types = crd_fixtures::values(
        r#"
        {} {"type": "object"} {"type": "array"} {"type": "string"} {"type": "boolean"} {"type": "integer"}
        {"type": "number"} {"x-kubernetes-int-or-string": true}"#,
    );
    let keywords = crd_fixtures::values(
        r#"
        {} {"nullable": true} {"format": "int32"} {"format": "int64"} {"format": "float"} {"format": "double"}
        {"format": "ipv4"} {"minimum": 1} {"minimum": 1, "exclusiveMinimum": true} {"minimum": 0.5, "maximum": 1.5}
        {"maximum": 2, "exclusiveMaximum": true} {"maximum": 1e300} {"minimum": -1e300}
        {"minimum": 3000000000, "format": "int32"} {"maximum": 3000000000, "format": "int32"}
        {"maximum": 2, "format": "int32"} {"multipleOf": 2} {"multipleOf": 0.5} {"minLength": 1} {"maxLength": 1}
        {"minLength": 2, "maxLength": 4} {"pattern": "^a"} {"minItems": 1} {"maxItems": 1} {"minProperties": 1}
        {"maxProperties": 1} {"required": ["k"]} {"required": ["k"], "properties": {"k": {"type": "string"}}}
        {"required": ["k", "l", "k"], "properties": {"k": {}, "l": {}, "m": {}}}
        {"required": ["k", "n"], "properties": {"k": {}}} {"items": {"type": "integer"}}
        {"additionalProperties": {"type": "integer"}} {"additionalProperties": false} {"enum": ["a", 1]}
        {"enum": [null]} {"not": {"minimum": 1}} {"anyOf": [{"minimum": 2}, {"maxLength": 1}]}
        {"allOf": [{"required": ["k"]}], "properties": {"k": {}}}"#,
    );
    let values = crd_fixtures::values(
        r#"
        null true 0 1 2 -1 2147483647 3000000000 9223372036854775807 -9223372036854775808 18446744073709551615 1.0
        1.5 -1e300 "" "a" "ä" "ääää" "abcde" "1.2.3.4" [] [1] [1, "a"] {} {"k": 1} {"k": "a", "l": 1}
        {"l": 1, "m": 1} {"k": null, "m": 1}"#,
    );
    for (type_, keyword) in types.iter().flat_map(|t| keywords.iter().map(move |k| (t, k))) {
        let mut schema = type_.clone();
        let more = keyword.as_object().into_iter().flatten();
        schema.as_object_mut().unwrap().extend(more.map(|(k, v)| (k.clone(), v.clone())));
        let schema = json!({"properties": {"a": schema}}).to_string();
        let compiled = compile(&schema);
        for value in &values {
            let object = json!({"a": value});
            let walk = ValueWalk { schema: &compiled };
            let budget = Budget::of(&Sink::new());
            let mut counted = Collector::new(&budget).counting();
            walk.value(compiled.root, &object, &Location::ROOT, None, &mut counted);
            let errors = validate(&compiled, &object, None);
            let validity = walk.is_valid(compiled.root, &object, &Location::ROOT);
            let want = counted.is_valid();
            assert_eq!((errors.is_empty(), validity), (want, want), "{schema} {object} {errors}");
        }
    }
}

/// 0.3 / 0.1 is less than 3, and servers before 1.37 do not round quotients; but 1 / 0.1 * 0.3 is 3.
#[test]
fn small_factors_are_replaced_by_their_reciprocal() {
    let object = json!({"a": 0.3});
    for minor in [36, 37] {
        let version = KubernetesVersion::of_minor(minor).expect("a known minor");
        let schema = r#"{"properties":{"a":{"type":"number","multipleOf":0.1}}}"#;
        let errors = validate(&compile_on(schema, version), &object, None);
        assert_eq!(errors.len(), 0, "{errors}");
    }
}

#[test]
fn floats_at_the_bounds_of_int64_are_no_integers() {
    let text = "Checked value must be of type integer (default format) in a";
    let want = format!("<nil>: Invalid value: \"\": {text}");
    let compiled = compile(r#"{"properties":{"a":{"type":"integer"}}}"#);
    for value in ["-9223372036854775808.0", "-9223372036854775809", "9223372036854775808"] {
        let object = crate::json::decode(format!("{{\"a\":{value}}}").as_bytes()).unwrap().value;
        let errors = validate(&compiled, &object, None);
        assert!(errors.iter().any(|error| error.to_string() == want), "{value}: {errors}");
    }
    let lowest = json!({"a": i64::MIN});
    assert_eq!(texts(&validate(&compiled, &lowest, None)), [""; 0]);
}
