//! The invariants, case by case: schema and errors.

use super::{Structural, validate_structural};
use crate::field::Path;
use crate::model::JsonSchemaProps;

#[track_caller]
fn check(schema: &str, want: &[&str]) {
    let props: JsonSchemaProps = serde_json::from_str(schema).unwrap();
    let structural = Structural::try_from(&props).unwrap();
    let errors = validate_structural(&Path::new("s"), &structural);
    let texts: Vec<_> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(texts, want, "{schema}");
}

/// Checks a property of an object root.
#[track_caller]
fn check_field(schema: &str, want: &[&str]) {
    check(&format!(r#"{{"type":"object","properties":{{"a":{schema}}}}}"#), want);
}

#[test]
fn every_node_has_a_type() {
    check("{}", &["s.type: Required value: must not be empty at the root"]);
    check(r#"{"x-kubernetes-preserve-unknown-fields":true}"#, &[]);
    check(
        r#"{"type":"array","items":{"type":"string"}}"#,
        &[r#"s.type: Invalid value: "array": must be object at the root"#],
    );
    check_field(
        "{}",
        &["s.properties[a].type: Required value: must not be empty for specified object fields"],
    );
    check_field(
        r#"{"type":"array"}"#,
        &["s.properties[a].items: Required value: must be specified"],
    );
    check_field(
        r#"{"type":"array","items":{}}"#,
        &[
            "s.properties[a].items.type: Required value: must not be empty for specified array items",
        ],
    );
    check_field(
        r#"{"type":"object","additionalProperties":{}}"#,
        &[
            "s.properties[a].additionalProperties.type: Required value: must not be empty for specified object fields",
        ],
    );
    check_field(r#"{"x-kubernetes-int-or-string":true}"#, &[]);
}

#[test]
fn int_or_string_excludes_other_extensions() {
    check_field(
        r#"{"type":"object","x-kubernetes-int-or-string":true,"x-kubernetes-embedded-resource":true,
            "x-kubernetes-preserve-unknown-fields":true}"#,
        &[
            "s.properties[a].x-kubernetes-embedded-resource: Invalid value: true: must be false if x-kubernetes-int-or-string is true",
            "s.properties[a].x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true",
        ],
    );
}

#[test]
fn embedded_resources_are_specified_objects() {
    check_field(
        r#"{"x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true}"#,
        &[
            "s.properties[a].type: Required value: must be object if x-kubernetes-embedded-resource is true",
        ],
    );
    check_field(
        r#"{"type":"array","items":{"type":"string"},"x-kubernetes-embedded-resource":true,
            "additionalProperties":true}"#,
        &[
            "s.properties[a].additionalProperties: Forbidden: must not be used if x-kubernetes-embedded-resource is set",
            "s.properties[a].properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields",
            r#"s.properties[a].type: Invalid value: "array": must be object if x-kubernetes-embedded-resource is true"#,
        ],
    );
    check_field(
        r#"{"type":"object","x-kubernetes-embedded-resource":true,"properties":{
            "kind":{"type":"integer"},"apiVersion":{"x-kubernetes-preserve-unknown-fields":true},
            "metadata":{"type":"string","maxLength":3}}}"#,
        &[
            r#"s.properties[a].properties[apiVersion].type: Invalid value: "": must be string"#,
            r#"s.properties[a].properties[kind].type: Invalid value: "integer": must be string"#,
            r#"s.properties[a].properties[metadata].type: Invalid value: "string": must be object"#,
        ],
    );
}

#[test]
fn the_root_does_not_restrict_metadata() {
    check(
        r#"{"type":"object","additionalProperties":false}"#,
        &["s.additionalProperties: Forbidden: must not be used at the root"],
    );
    let metadata =
        |schema: &str| format!(r#"{{"type":"object","properties":{{"metadata":{schema}}}}}"#);
    for allowed in [
        r#"{"type":"object"}"#,
        r#"{"type":"object","default":{}}"#,
        r#"{"type":"object","properties":{"name":{"type":"string","maxLength":3}}}"#,
        r#"{"type":"object","properties":{"name":{"type":"string"},"generateName":{"type":"string"}}}"#,
    ] {
        check(&metadata(allowed), &[]);
    }
    for forbidden in [
        r#"{"type":"object","description":"d"}"#,
        r#"{"type":"object","required":[]}"#,
        r#"{"type":"object","x-kubernetes-validations":[]}"#,
        r#"{"type":"object","minProperties":1}"#,
        r#"{"type":"object","properties":{"name":{"type":"string"},"uid":{"type":"string"}}}"#,
    ] {
        check(
            &metadata(forbidden),
            &[
                "s.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified",
            ],
        );
    }
}

#[test]
fn junctors_only_validate_values() {
    check_field(
        r#"{"type":"object","not":{"type":"object","default":1,"title":"t","description":"d","nullable":true,
            "additionalProperties":true,"x-kubernetes-list-map-keys":["k"],"x-kubernetes-list-type":"map",
            "x-kubernetes-map-type":"atomic","x-kubernetes-int-or-string":true,
            "x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true,
            "x-kubernetes-validations":[{"rule":"true"}],"properties":{"metadata":{}}}}"#,
        &[
            "s.properties[a].not.additionalProperties: Forbidden: must be undefined to be structural",
            "s.properties[a].not.default: Forbidden: must be undefined to be structural",
            "s.properties[a].not.description: Forbidden: must be empty to be structural",
            "s.properties[a].not.nullable: Forbidden: must be false to be structural",
            "s.properties[a].not.properties[metadata]: Forbidden: must not be specified in a nested context",
            "s.properties[a].not.title: Forbidden: must be empty to be structural",
            "s.properties[a].not.type: Forbidden: must be empty to be structural",
            "s.properties[a].not.x-kubernetes-embedded-resource: Forbidden: must be false to be structural",
            "s.properties[a].not.x-kubernetes-int-or-string: Forbidden: must be false to be structural",
            "s.properties[a].not.x-kubernetes-list-map-keys: Forbidden: must be empty to be structural",
            "s.properties[a].not.x-kubernetes-list-type: Forbidden: must be undefined to be structural",
            "s.properties[a].not.x-kubernetes-map-type: Forbidden: must be undefined to be structural",
            "s.properties[a].not.x-kubernetes-preserve-unknown-fields: Forbidden: must be false to be structural",
            "s.properties[a].not.x-kubernetes-validations: Forbidden: must be empty to be structural",
        ],
    );
    check_field(r#"{"type":"object","not":{"additionalProperties":false}}"#, &[]);
    check_field(
        r#"{"type":"array","items":{"type":"string"},"anyOf":[{"items":{"oneOf":[{"type":"string"}]}}]}"#,
        &[
            "s.properties[a].anyOf[0].items.oneOf[0].type: Forbidden: must be empty to be structural",
        ],
    );
}

#[test]
fn a_junctor_may_have_the_types_of_int_or_string() {
    check_field(r#"{"type":"string","anyOf":[{"type":"integer"},{"type":"string"}]}"#, &[]);
    check_field(
        r#"{"x-kubernetes-int-or-string":true,
            "allOf":[{"anyOf":[{"type":"integer"},{"type":"string"}],"title":"t"},{"minLength":1}]}"#,
        &["s.properties[a].allOf[0].title: Forbidden: must be empty to be structural"],
    );
    check_field(
        r#"{"type":"string","anyOf":[{"type":"string"},{"type":"integer"}]}"#,
        &[
            "s.properties[a].anyOf[0].type: Forbidden: must be empty to be structural",
            "s.properties[a].anyOf[1].type: Forbidden: must be empty to be structural",
        ],
    );
    check_field(
        r#"{"type":"string","allOf":[{},{"anyOf":[{"type":"integer"},{"type":"string"}]}]}"#,
        &[
            "s.properties[a].allOf[1].anyOf[0].type: Forbidden: must be empty to be structural",
            "s.properties[a].allOf[1].anyOf[1].type: Forbidden: must be empty to be structural",
        ],
    );
}

#[test]
fn patterns_compile() {
    check_field(
        r#"{"type":"string","pattern":"a(","not":{"pattern":"(?=a)"}}"#,
        &[
            "s.properties[a].not.pattern: Invalid value: \"(?=a)\": must be a valid regular expression, but isn't: \
         error parsing regexp: invalid or unsupported Perl syntax: `(?=`",
            "s.properties[a].pattern: Invalid value: \"a(\": must be a valid regular expression, but isn't: \
         error parsing regexp: missing closing ): `a(`",
        ],
    );
}

#[test]
fn fields_in_junctors_of_the_root_are_specified() {
    check(
        r#"{"type":"object","properties":{"a":{"type":"object"}},
            "anyOf":[{"properties":{"a":{"items":{},"properties":{"b":{}}},"c":{}}}]}"#,
        &[
            "s.properties[a].items: Required value: because it is defined in s.anyOf[0].properties[a].items",
            "s.properties[a].properties[b]: Required value: because it is defined in s.anyOf[0].properties[a].properties[b]",
            "s.properties[c]: Required value: because it is defined in s.anyOf[0].properties[c]",
        ],
    );
    // The fields in a junctor of an inner schema need not be specified.
    check_field(r#"{"type":"object","not":{"properties":{"zz":{}}}}"#, &[]);
}
