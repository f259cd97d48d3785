//! Every keyword, case by case: schema, value, and expected errors.

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

/// Validates `value` as the property `a` of the root.
#[track_caller]
fn check(schema: &str, value: &str, want: &[&str]) {
    check_object(
        &format!(r#"{{"properties":{{"a":{schema}}}}}"#),
        &format!(r#"{{"a":{value}}}"#),
        want,
    );
}

#[track_caller]
fn check_object(schema: &str, object: &str, want: &[&str]) {
    let compiled = compile(schema);
    let object: Value = serde_json::from_str(object).unwrap();
    let errors = validate(&compiled, &object, None);
    let texts: Vec<_> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(texts, want, "{schema} {object}");
}

/// Validates `new` as an update of `old`.
#[track_caller]
fn check_update(schema: &str, old: &str, new: &str, want: &[&str]) {
    let compiled = compile(schema);
    let old: Value = serde_json::from_str(old).unwrap();
    let new: Value = serde_json::from_str(new).unwrap();
    let pair = Correlation::root(&compiled, &new, &old);
    let errors = validate(&compiled, &new, Some(&pair));
    let texts: Vec<_> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(texts, want, "{schema} {old} {new}");
}

/// A collector that counts matches evaluates every keyword; without one, most values take a shortcut.
#[test]
fn shortcuts_accept_no_invalid_value() {
    let types = [
        json!({}),
        json!({"type": "object"}),
        json!({"type": "array"}),
        json!({"type": "string"}),
        json!({"type": "boolean"}),
        json!({"type": "integer"}),
        json!({"type": "number"}),
        json!({"x-kubernetes-int-or-string": true}),
    ];
    let keywords = [
        json!({}),
        json!({"nullable": true}),
        json!({"format": "int32"}),
        json!({"format": "int64"}),
        json!({"format": "float"}),
        json!({"format": "double"}),
        json!({"format": "ipv4"}),
        json!({"minimum": 1}),
        json!({"minimum": 1, "exclusiveMinimum": true}),
        json!({"minimum": 0.5, "maximum": 1.5}),
        json!({"maximum": 2, "exclusiveMaximum": true}),
        json!({"maximum": 1e300}),
        json!({"minimum": -1e300}),
        json!({"minimum": 3_000_000_000_u32, "format": "int32"}),
        json!({"maximum": 3_000_000_000_u32, "format": "int32"}),
        json!({"maximum": 2, "format": "int32"}),
        json!({"multipleOf": 2}),
        json!({"multipleOf": 0.5}),
        json!({"minLength": 1}),
        json!({"maxLength": 1}),
        json!({"minLength": 2, "maxLength": 4}),
        json!({"pattern": "^a"}),
        json!({"minItems": 1}),
        json!({"maxItems": 1}),
        json!({"minProperties": 1}),
        json!({"maxProperties": 1}),
        json!({"required": ["k"]}),
        json!({"required": ["k"], "properties": {"k": {"type": "string"}}}),
        json!({"required": ["k", "l", "k"], "properties": {"k": {}, "l": {}, "m": {}}}),
        json!({"required": ["k", "n"], "properties": {"k": {}}}),
        json!({"items": {"type": "integer"}}),
        json!({"additionalProperties": {"type": "integer"}}),
        json!({"additionalProperties": false}),
        json!({"enum": ["a", 1]}),
        json!({"enum": [null]}),
        json!({"not": {"minimum": 1}}),
        json!({"anyOf": [{"minimum": 2}, {"maxLength": 1}]}),
        json!({"allOf": [{"required": ["k"]}], "properties": {"k": {}}}),
    ];
    let values = [
        json!(null),
        json!(true),
        json!(0),
        json!(1),
        json!(2),
        json!(-1),
        json!(i32::MAX),
        json!(3_000_000_000_u32),
        json!(i64::MAX),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(1.0),
        json!(1.5),
        json!(-1e300),
        json!(""),
        json!("a"),
        json!("ä"),
        json!("ääää"),
        json!("abcde"),
        json!("1.2.3.4"),
        json!([]),
        json!([1]),
        json!([1, "a"]),
        json!({}),
        json!({"k": 1}),
        json!({"k": "a", "l": 1}),
        json!({"l": 1, "m": 1}),
        json!({"k": null, "m": 1}),
    ];
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

#[test]
fn types() {
    check(r#"{"type":"string"}"#, r#""x""#, &[]);
    check(
        r#"{"type":"string"}"#,
        "5",
        &[r#"a: Invalid value: "integer": a in body must be of type string: "integer""#],
    );
    check(
        r#"{"type":"boolean"}"#,
        r#""true""#,
        &[r#"a: Invalid value: "string": a in body must be of type boolean: "string""#],
    );
    check(
        r#"{"type":"object"}"#,
        "[]",
        &[r#"a: Invalid value: "array": a in body must be of type object: "array""#],
    );
    check(r#"{"type":"number"}"#, "5", &[]);
    check(r#"{"type":"integer"}"#, "5.0", &[]);
    check("{}", "{}", &[]);
    check(
        r#"{"type":"integer"}"#,
        "1.5",
        &[
            r#"a: Invalid value: "number": a in body must be of type integer: "number""#,
            r#"<nil>: Invalid value: "": Checked value must be of type integer (default format) in a"#,
        ],
    );
    // Beyond 2^53 a float64 is not an integer for `type`, but it is for the range.
    check(
        r#"{"type":"integer"}"#,
        "9007199254740992.0",
        &[r#"a: Invalid value: "number": a in body must be of type integer: "number""#],
    );
}

#[test]
fn null_is_a_value_of_nullable_and_untyped_nodes() {
    check(r#"{"type":"string","nullable":true}"#, "null", &[]);
    check("{}", "null", &[]);
    check(
        r#"{"type":"string"}"#,
        "null",
        &[r#"a: Invalid value: "null": a in body must be of type string: "null""#],
    );
    // For a null, only the type and the enumeration are checked.
    check(r#"{"nullable":true,"minLength":3,"not":{}}"#, "null", &[]);
    check(
        r#"{"type":"string","nullable":true,"enum":["x",null]}"#,
        "null",
        &[r#"a: Unsupported value: null: supported values: "x", "null""#],
    );
}

#[test]
fn int_or_string_replaces_the_type() {
    let schema =
        r#"{"x-kubernetes-int-or-string":true,"type":"boolean","maxLength":2,"maximum":2}"#;
    check(schema, "1", &[]);
    check(schema, r#""x""#, &[]);
    check(schema, "3", &["a: Invalid value: 3: a in body should be less than or equal to 2"]);
    check(schema, r#""xyz""#, &["a: Too long: may not be more than 2 bytes"]);
    check(
        schema,
        "true",
        &[r#"a: Invalid value: "boolean": a in body must be of type integer,string: "boolean""#],
    );
}

#[test]
fn only_the_first_error_of_a_string_is_reported() {
    let schema = r#"{"type":"string","maxLength":3,"minLength":2,"pattern":"^a+$"}"#;
    check(schema, r#""aa""#, &[]);
    check(schema, r#""日本""#, &[r#"a: Invalid value: "日本": a in body should match '^a+$'"#]);
    check(schema, r#""bbbb""#, &["a: Too long: may not be more than 3 bytes"]);
    check(
        schema,
        r#""b""#,
        &[r#"a: Invalid value: "b": a in body should be at least 2 chars long"#],
    );
    check(r#"{"maxLength":1}"#, r#""日本""#, &["a: Too long: may not be more than 1 byte"]);
    check(r#"{"maxLength":-1}"#, r#""""#, &["a: Too long: value is too long"]);
    check(r#"{"minLength":-1}"#, r#""""#, &[]);
    // A pattern matches anywhere in the text.
    check(r#"{"pattern":"b"}"#, r#""abc""#, &[]);
    check(
        r#"{"pattern":"a("}"#,
        r#""x""#,
        &["a: Invalid value: \"x\": a in body should match 'a(, but pattern is invalid: \
             error parsing regexp: missing closing ): `a(`'"],
    );
}

#[test]
fn integers_are_compared_with_the_whole_part_of_limits() {
    check(
        r#"{"type":"integer","minimum":2,"maximum":4}"#,
        "1",
        &["a: Invalid value: 1: a in body should be greater than or equal to 2"],
    );
    check(
        r#"{"type":"integer","minimum":2,"exclusiveMinimum":true}"#,
        "2",
        &["a: Invalid value: 2: a in body should be greater than 2"],
    );
    check(
        r#"{"type":"integer","maximum":1000000,"exclusiveMaximum":true}"#,
        "1000000",
        &["a: Invalid value: 1000000: a in body should be less than 1000000"],
    );
    check(r#"{"type":"number","minimum":0.5}"#, "0", &[]);
    check(
        r#"{"type":"number","maximum":1.5,"exclusiveMaximum":true}"#,
        "1",
        &["a: Invalid value: 1: a in body should be less than 1"],
    );
    check(
        r#"{"type":"number","maximum":1e300}"#,
        "1",
        &["a: Invalid value: 1: a in body should be less than or equal to -9223372036854775808"],
    );
    check(r#"{"exclusiveMinimum":true}"#, "0", &[]);
}

#[test]
fn floats_are_compared_as_floats() {
    check(
        r#"{"type":"number","maximum":1000000}"#,
        "2000000.5",
        &["a: Invalid value: 2.0000005e+06: a in body should be less than or equal to 1e+06"],
    );
    check(
        r#"{"type":"number","minimum":0.5,"exclusiveMinimum":true}"#,
        "0.5",
        &["a: Invalid value: 0.5: a in body should be greater than 0.5"],
    );
    check(r#"{"type":"number","minimum":0.5,"exclusiveMinimum":true}"#, "0.6", &[]);
    check(r#"{"type":"number","minimum":0.5}"#, "0.5", &[]);
    check(
        r#"{"type":"number","minimum":0.5}"#,
        "0.4",
        &["a: Invalid value: 0.4: a in body should be greater than or equal to 0.5"],
    );
    check(
        r#"{"type":"number","maximum":0.5,"exclusiveMaximum":true}"#,
        "0.5",
        &["a: Invalid value: 0.5: a in body should be less than 0.5"],
    );
    check(r#"{"type":"number","maximum":0.5,"exclusiveMaximum":true}"#, "0.4", &[]);
    check(r#"{"type":"number","maximum":0.5}"#, "0.5", &[]);
}

#[test]
fn limits_out_of_range_are_reported_for_every_number() {
    check(
        r#"{"type":"integer","minimum":0.5}"#,
        "1",
        &[
            r#"<nil>: Invalid value: "": Minimum boundary value must be of type integer (default format) in a"#,
        ],
    );
    check(
        r#"{"type":"integer","format":"int32","maximum":3000000000}"#,
        "4000000",
        &[
            r#"<nil>: Invalid value: "": Maximum boundary value must be of type integer with format int32 in a"#,
        ],
    );
    check(
        r#"{"type":"integer","maximum":1.5}"#,
        "1000000",
        &[
            r#"<nil>: Invalid value: "": Maximum boundary value must be of type integer (default format) in a"#,
            "a: Invalid value: 1e+06: a in body should be less than or equal to 1.5",
        ],
    );
}

#[test]
fn number_formats_are_ranges() {
    check(r#"{"type":"integer","format":"int32"}"#, "2147483647", &[]);
    check(
        r#"{"type":"integer","format":"int32"}"#,
        "2147483648",
        &[
            r#"<nil>: Invalid value: "": Checked value must be of type integer with format int32 in a"#,
        ],
    );
    check(r#"{"type":"number","format":"double"}"#, "1e300", &[]);
    check(
        r#"{"type":"number","format":"float"}"#,
        "1e300",
        &[
            r#"<nil>: Invalid value: "": Checked value must be of type number with format float in a"#,
        ],
    );
    // A format of another type is ignored.
    check(r#"{"type":"number","format":"int32"}"#, "1e300", &[]);
    check(r#"{"format":"int32"}"#, "2147483648", &[]);
}

#[test]
fn multiples() {
    check(r#"{"multipleOf":3}"#, "9", &[]);
    check(
        r#"{"multipleOf":3}"#,
        "10",
        &["a: Invalid value: 10: a in body should be a multiple of 3"],
    );
    // A rounding error is accepted, above an integer and below it.
    check(r#"{"type":"number","multipleOf":0.01}"#, "1.12", &[]);
    check(r#"{"type":"number","multipleOf":0.01}"#, "1.13", &[]);
    check(
        r#"{"type":"number","multipleOf":0.5}"#,
        "0.75",
        &["a: Invalid value: 0.75: a in body should be a multiple of 0.5"],
    );
    check(
        r#"{"type":"number","multipleOf":0.1}"#,
        "1",
        &["a: Invalid value: 0: factor MultipleOf declared for a must be positive: 0"],
    );
    check(
        r#"{"type":"number","multipleOf":-2.5}"#,
        "1.5",
        &["a: Invalid value: -2.5: factor MultipleOf declared for a must be positive: -2.5"],
    );
    check(
        r#"{"type":"number","multipleOf":0}"#,
        "1.5",
        &["a: Invalid value: 0: factor MultipleOf declared for a must be positive: 0"],
    );
    check(r#"{"type":"number","multipleOf":1.5}"#, "4.5", &[]);
    check(
        r#"{"type":"number","multipleOf":1.5}"#,
        "4.1",
        &["a: Invalid value: 4.1: a in body should be a multiple of 1.5"],
    );
    check(
        r#"{"type":"integer","multipleOf":7,"minimum":20,"maximum":10}"#,
        "15",
        &[
            "a: Invalid value: 15: a in body should be a multiple of 7",
            "a: Invalid value: 15: a in body should be greater than or equal to 20",
            "a: Invalid value: 15: a in body should be less than or equal to 10",
        ],
    );
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
fn enumerations_compare_as_go_converts() {
    check(r#"{"enum":[2.5]}"#, "2", &[r#"a: Unsupported value: 2: supported values: "2.5""#]);
    let schema = r#"{"enum":["a",null,1.5,{"b":[1]},"<x>",true]}"#;
    check(schema, r#""a""#, &[]);
    check(schema, "1.5", &[]);
    check(schema, r#"{"b":[1]}"#, &[]);
    check(
        schema,
        r#"{"b":[1.0]}"#,
        &[
            r#"a: Unsupported value: {"b":[1]}: supported values: "a", "null", "1.5", "{\"b\":[1]}", "<x>", "true""#,
        ],
    );
    check(
        schema,
        "false",
        &[
            r#"a: Unsupported value: false: supported values: "a", "null", "1.5", "{\"b\":[1]}", "<x>", "true""#,
        ],
    );
    check(r#"{"enum":[1]}"#, "1.9", &[]);
    check(r#"{"enum":[1.0]}"#, "1", &[]);
    check(r#"{"enum":["A"]}"#, "65", &[]);
    check(r#"{"enum":["A"]}"#, "65.0", &[r#"a: Unsupported value: 65: supported values: "A""#]);
    check(r#"{"enum":[]}"#, "1", &[]);
}

#[test]
fn arrays() {
    let schema = r#"{"type":"array","items":{"type":"string"},"minItems":2,"maxItems":3}"#;
    check(schema, r#"["x","y"]"#, &[]);
    check(
        schema,
        r"[1]",
        &[
            r#"a[0]: Invalid value: "integer": a[0] in body must be of type string: "integer""#,
            "a: Invalid value: 1: a in body should have at least 2 items",
        ],
    );
    check(schema, r#"["a","b","c","d"]"#, &["a: Too many: 4: must have at most 3 items"]);
    check(
        schema,
        r#"["a",null]"#,
        &[r#"a[1]: Invalid value: "null": a[1] in body must be of type string: "null""#],
    );
    check(
        r#"{"uniqueItems":true}"#,
        "[1,1.0,1]",
        &[r#"a: Invalid value: "": a in body shouldn't contain duplicates"#],
    );
    check(r#"{"uniqueItems":true}"#, r#"[1,2,"1",[1]]"#, &[]);
    check(r#"{"uniqueItems":true}"#, "[]", &[]);
}

#[test]
fn objects() {
    let schema = r#"{"type":"object","minProperties":1,"maxProperties":1,"required":["x"],
        "properties":{"x":{"type":"integer"}}}"#;
    check(schema, r#"{"x":1}"#, &[]);
    check(
        schema,
        "{}",
        &[
            "a: Invalid value: 0: a in body should have at least 1 properties",
            "a.x: Required value",
        ],
    );
    check(
        schema,
        r#"{"x":"1","y":1}"#,
        &[
            "a: Too many: 2: must have at most 1 item",
            r#"a.x: Invalid value: "string": a.x in body must be of type integer: "string""#,
        ],
    );
    // A key with a null value counts as present.
    check(r#"{"required":["x"]}"#, r#"{"x":null}"#, &[]);
    check(r#"{"required":[""]}"#, "{}", &["a.: Required value"]);
}

#[test]
fn additional_properties() {
    check(
        r#"{"properties":{"x":{}},"additionalProperties":false}"#,
        r#"{"x":1,"q.r":1}"#,
        &[r#"a: Invalid value: "q.r": a.q.r in body is a forbidden property"#],
    );
    check(
        r#"{"additionalProperties":{"type":"string"}}"#,
        r#"{"k.l":1}"#,
        &[r#"a.k.l: Invalid value: "integer": a.k.l in body must be of type string: "integer""#],
    );
    check(r#"{"additionalProperties":true}"#, r#"{"x":1}"#, &[]);
    check(r#"{"properties":{}}"#, r#"{"x":1}"#, &[]);
    check_object(
        r#"{"additionalProperties":{"type":"string"}}"#,
        r#"{"k":1}"#,
        &[r#"k: Invalid value: "integer": .k in body must be of type string: "integer""#],
    );
    check_object(r#"{"required":[""]}"#, "{}", &["<nil>: Required value"]);
    check_object(
        r#"{"maxProperties":0}"#,
        r#"{"k":1}"#,
        &["<nil>: Too many: 1: must have at most 0 items"],
    );
}

#[test]
fn any_of_reports_the_best_matching_schema() {
    let schema = r#"{"anyOf":[{"required":["x"]},{"required":["y"]}]}"#;
    check(schema, r#"{"y":1}"#, &[]);
    check(
        schema,
        "{}",
        &[
            r#"<nil>: Invalid value: "": "a" must validate at least one schema (anyOf)"#,
            "a.x: Required value",
        ],
    );
    check(
        r#"{"anyOf":[{"properties":{"x":{"enum":[1]}}},
            {"properties":{"x":{"enum":[2]},"y":{"minimum":1}}}]}"#,
        r#"{"x":3,"y":2}"#,
        &[
            r#"<nil>: Invalid value: "": "a" must validate at least one schema (anyOf)"#,
            r#"a.x: Unsupported value: 3: supported values: "2""#,
        ],
    );
    // A value without a schema counts as a match, too.
    check(
        r#"{"anyOf":[{"properties":{"x":{"enum":[1]}}},{"properties":{"x":{"enum":[2]},"y":{}}}]}"#,
        r#"{"x":3,"y":2}"#,
        &[
            r#"<nil>: Invalid value: "": "a" must validate at least one schema (anyOf)"#,
            r#"a.x: Unsupported value: 3: supported values: "2""#,
        ],
    );
    check(
        r#"{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}]}"#,
        "1.5",
        &[
            r#"a: Invalid value: "number": a in body must be of type integer,string: "number""#,
            r#"<nil>: Invalid value: "": "a" must validate at least one schema (anyOf)"#,
            r#"a: Invalid value: "number": a in body must be of type integer: "number""#,
            r#"<nil>: Invalid value: "": Checked value must be of type integer (default format) in a"#,
        ],
    );
}

#[test]
fn one_of_requires_exactly_one() {
    let schema = r#"{"oneOf":[{"required":["x"]},{"required":["y"]},{"required":["x","y"]}]}"#;
    check(schema, r#"{"y":1}"#, &[]);
    check(
        schema,
        r#"{"x":1,"y":1}"#,
        &[
            r#"<nil>: Invalid value: "": "a" must validate one and only one schema (oneOf). Found 3 valid alternatives"#,
        ],
    );
    check(
        schema,
        "{}",
        &[
            r#"<nil>: Invalid value: "": "a" must validate one and only one schema (oneOf). Found none valid"#,
            "a.x: Required value",
        ],
    );
    check(
        r#"{"oneOf":[{"properties":{"x":{"enum":[1]}}},
            {"properties":{"x":{"enum":[2]},"y":{"minimum":1}}}]}"#,
        r#"{"x":3,"y":2}"#,
        &[
            r#"<nil>: Invalid value: "": "a" must validate one and only one schema (oneOf). Found none valid"#,
            r#"a.x: Unsupported value: 3: supported values: "2""#,
        ],
    );
}

#[test]
fn one_of_within_an_alternative() {
    let any = r#"<nil>: Invalid value: "": "a" must validate at least one schema (anyOf)"#;
    let schema = r#"{"anyOf":[{"oneOf":[{"required":["x"]},{"required":["y"]}]}]}"#;
    check(schema, r#"{"y":1}"#, &[]);
    check(
        schema,
        r#"{"x":1,"y":1}"#,
        &[
            any,
            r#"<nil>: Invalid value: "": "a" must validate one and only one schema (oneOf). Found 2 valid alternatives"#,
        ],
    );
    check(
        schema,
        "{}",
        &[
            any,
            r#"<nil>: Invalid value: "": "a" must validate one and only one schema (oneOf). Found none valid"#,
            "a.x: Required value",
        ],
    );
}

#[test]
fn all_of_reports_every_failure_before_its_own() {
    let schema = r#"{"allOf":[{"minimum":3},{"maximum":1}]}"#;
    check(
        schema,
        "2",
        &[
            "a: Invalid value: 2: a in body should be greater than or equal to 3",
            "a: Invalid value: 2: a in body should be less than or equal to 1",
            r#"<nil>: Invalid value: "": "a" must validate all the schemas (allOf). None validated"#,
        ],
    );
    check(
        schema,
        "3",
        &[
            "a: Invalid value: 3: a in body should be less than or equal to 1",
            r#"<nil>: Invalid value: "": "a" must validate all the schemas (allOf)"#,
        ],
    );
}

#[test]
fn not_rejects_what_is_valid() {
    check(r#"{"not":{"enum":["x"]}}"#, r#""y""#, &[]);
    check(
        r#"{"not":{"enum":["x"]}}"#,
        r#""x""#,
        &[r#"<nil>: Invalid value: "": "a" must not validate the schema (not)"#],
    );
    // Under a junctor the server's conversion loses this keyword, but its validation does not.
    check(
        r#"{"not":{"additionalProperties":false}}"#,
        "{}",
        &[r#"<nil>: Invalid value: "": "a" must not validate the schema (not)"#],
    );
}

#[test]
fn a_message_is_reported_once() {
    check(
        r#"{"maximum":1,"allOf":[{"maximum":1},{}]}"#,
        "2",
        &[
            "a: Invalid value: 2: a in body should be less than or equal to 1",
            r#"<nil>: Invalid value: "": "a" must validate all the schemas (allOf)"#,
        ],
    );
}

#[test]
fn unchanged_values_are_ratcheted() {
    let schema = r#"{"properties":{
        "a":{"properties":{"x":{"maximum":1},"y":{}},"required":["z"]},
        "l":{"type":"array","items":{"maximum":1}}}}"#;
    // The list is unchanged, though its items are not correlated.
    check_update(schema, r#"{"l":[2]}"#, r#"{"l":[2]}"#, &[]);
    check_update(
        schema,
        r#"{"l":[2]}"#,
        r#"{"l":[2,0]}"#,
        &["l[0]: Invalid value: 2: l[0] in body should be less than or equal to 1"],
    );
    // The value is unchanged; the missing key is an error of the object, which changed.
    check_update(
        schema,
        r#"{"a":{"x":2,"y":1}}"#,
        r#"{"a":{"x":2,"y":2}}"#,
        &["a.z: Required value"],
    );
    check_update(schema, r#"{"a":{"x":2}}"#, r#"{"a":{"x":2}}"#, &[]);
    check_update(
        schema,
        r#"{"a":{"x":2,"z":1}}"#,
        r#"{"a":{"x":2.0,"z":1}}"#,
        &["a.x: Invalid value: 2: a.x in body should be less than or equal to 1"],
    );
    // `kind` is unchanged, but never ratcheted at the root.
    check_update(
        r#"{"properties":{"kind":{"enum":["A"]},"n":{}}}"#,
        r#"{"kind":"B","n":1}"#,
        r#"{"kind":"B","n":2}"#,
        &[r#"kind: Unsupported value: "B": supported values: "A""#],
    );
    // Below a junctor no value is correlated by itself.
    check_update(
        r#"{"properties":{"a":{"properties":{"x":{},"y":{}},"allOf":[{"properties":{"x":{"maximum":1}}}]}}}"#,
        r#"{"a":{"x":2,"y":1}}"#,
        r#"{"a":{"x":2,"y":2}}"#,
        &[
            "a.x: Invalid value: 2: a.x in body should be less than or equal to 1",
            r#"<nil>: Invalid value: "": "a" must validate all the schemas (allOf). None validated"#,
        ],
    );
}

#[test]
fn floats_at_the_bounds_of_int64_are_no_integers() {
    let text = "Checked value must be of type integer (default format) in a";
    let want = format!("<nil>: Invalid value: \"\": {text}");
    for value in ["-9223372036854775808.0", "-9223372036854775809", "9223372036854775808"] {
        let compiled = compile(r#"{"properties":{"a":{"type":"integer"}}}"#);
        let object = crate::json::decode(format!("{{\"a\":{value}}}").as_bytes()).unwrap().value;
        let errors = validate(&compiled, &object, None);
        assert!(errors.iter().any(|error| error.to_string() == want), "{value}: {errors}");
    }
    check(r#"{"type":"integer"}"#, "-9223372036854775808", &[]);
}
