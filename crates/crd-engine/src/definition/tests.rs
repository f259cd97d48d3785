//! Tests of the checks of definitions: changes to a valid definition, and the errors that they cause.

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::{Value, json};

use super::{
    Decoded, decode, for_create, for_update, update_warnings, validate, validate_status_update,
    validate_update, warnings,
};
use crate::Server;
use crate::model::CustomResourceDefinition;
use crate::schema::MAX_SCHEMA_DEPTH;

fn good() -> Value {
    let spec = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    crd_fixtures::crd("example.com", "Thing")
        .set("/spec/names", json!({"plural": "things", "kind": "Thing"}))
        .set("/metadata/resourceVersion", "1")
        .spec("v1", spec)
        .json()
}

fn with(mut crd: Value, changes: &[(&str, Value)]) -> Value {
    for (pointer, value) in changes {
        crd_fixtures::set(&mut crd, pointer, value.clone());
    }
    crd
}

fn definition(crd: &Value) -> CustomResourceDefinition {
    decode(crd).unwrap().crd
}

const ROOT: &str = "/spec/versions/0/schema/openAPIV3Schema";

/// Reads a change: a pointer, and a value after a blank.
fn change(line: &str) -> (String, Value) {
    let (pointer, value) = line.split_once(' ').unwrap();
    let value = crd_fixtures::values(value).remove(0);
    (pointer.replacen('@', ROOT, 1), value)
}

#[test]
fn changes_of_a_definition() {
    crd_fixtures::check_table(include_str!("changes.txt"), |lines| {
        let changed = |crd: Value, lines: &[&str]| {
            let lines = lines.iter().filter(|line| **line != "good");
            lines.map(|line| change(line)).fold(crd, |crd, (at, value)| with(crd, &[(&at, value)]))
        };
        let mut states = lines.split(|line| *line == "then");
        let old = changed(good(), states.next().unwrap());
        let errors = match states.next() {
            None => validate(&definition(&old)),
            Some(lines) => {
                validate_update(&definition(&changed(old.clone(), lines)), &definition(&old))
            }
        };
        let text = |error: &crate::field::Error| {
            error.to_string().replace("spec.validation.openAPIV3Schema", "@")
        };
        errors.iter().map(text).collect()
    });
}

#[test]
fn a_dropped_field_counts_as_a_change() {
    let fields = json!([{"jsonPath": ".spec.a"}]);
    let crd = definition(&with(good(), &[("/spec/versions/0/selectableFields", fields)]));
    for (minor, generation) in [("1.30", 2), ("1.31", 0)] {
        let minor = minor.parse().expect("a minor");
        let stored = for_create(&crd, minor);
        let (again, _) = for_update(&crd, &stored, minor);
        assert_eq!(again.metadata.generation, generation, "{minor}");
        assert_eq!(again.spec.versions, stored.spec.versions, "{minor}");
    }
}

#[test]
fn few_keywords_are_allowed_at_the_root_with_a_status() {
    let status = ("/spec/versions/0/subresources", json!({"status": {}}));
    let errors = validate(&definition(&with(
        good(),
        &[status.clone(), (&format!("{ROOT}/minProperties"), json!(1))],
    )));
    let text = errors.to_string();
    assert!(
        text.starts_with(r#"spec.validation.openAPIV3Schema: Invalid value: {"ID":"","#),
        "{text}"
    );
    assert!(text.contains(r#""MinProperties":1,"Required":null"#), "{text}");
    assert!(text.ends_with(
        "only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum \
         MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items \
         Properties ExternalDocs Example XPreserveUnknownFields XValidations] fields are allowed at \
         the root of the schema if the status subresource is enabled"
    ));
    // An empty list counts as present.
    assert!(
        !validate(&definition(&with(good(), &[status, (&format!("{ROOT}/enum"), json!([]))])))
            .is_empty()
    );
}

#[test]
fn unrecognized_formats_are_warned_of() {
    let format = |format: &str| {
        let at = format!("{ROOT}/properties/spec/properties/a/format");
        definition(&with(good(), &[(&at, json!(format))]))
    };
    assert_eq!(warnings(&format("date-time")), Vec::<String>::new());
    assert_eq!(warnings(&format("int32")), [r#"unrecognized format "int32""#]);
    assert_eq!(update_warnings(&format("a"), &format("b")), [r#"unrecognized format "a""#]);
    assert_eq!(update_warnings(&format("a"), &format("a")), Vec::<String>::new());
}

#[track_caller]
fn check_decode(crd: &str, want: &str) {
    let crd: Value = serde_json::from_str(crd).unwrap();
    let got = match decode(&crd) {
        Ok(Decoded { unknown_fields, .. }) => unknown_fields.join("; "),
        Err(error) => error.to_string(),
    };
    assert_eq!(got, want, "{crd}");
}

/// Before 1.35, the decoder of the definition replaces the path in an error below `items` with the path of `items`.
/// Source: `addErrorContext` of `sigs.k8s.io/json`, at the versions that apimachinery 0.34 and 0.35 require.
#[test]
fn older_servers_name_the_path_up_to_items() {
    let schema = json!({"properties": {"a": {"items": {"items": {"type": 1}}}}});
    let crd = json!({"spec": {"versions": [{"schema": {"openAPIV3Schema": schema}}]}});
    let at = "spec.versions.schema.openAPIV3Schema.properties.items";
    for (minor, path) in [(34, at.to_owned()), (35, format!("{at}.items.type"))] {
        let kubernetes = KubernetesVersion::of_minor(minor).unwrap();
        assert_eq!(
            Server::of(kubernetes).decode(&crd).unwrap_err().to_string(),
            format!(
                "json: cannot unmarshal number into Go struct field JSONSchemaProps.{path} of type string"
            )
        );
    }
}

#[test]
fn decoding_is_that_of_go() {
    check_decode(r#"{"spec":{"versions":null,"names":{"shortNames":[null]}},"status":null}"#, "");
    check_decode(
        r#"{"spec":{"versions":[{"name":1,"served":"x"}]}}"#,
        "json: cannot unmarshal number into Go struct field CustomResourceDefinitionVersion.spec.versions.name of type string",
    );
    check_decode(
        r#"{"spec":5}"#,
        "json: cannot unmarshal number into Go struct field CustomResourceDefinition.spec of type v1.CustomResourceDefinitionSpec",
    );
    check_decode(
        r#"{"status":{"conditions":[{"lastTransitionTime":1}]}}"#,
        "json: cannot unmarshal number into Go struct field CustomResourceDefinitionCondition.status.conditions.lastTransitionTime of type string",
    );
    check_decode(
        r#"{"metadata":{"nam":1,"labels":{"a":1}}}"#,
        "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string",
    );
    let schema = |schema: &str| {
        format!(r#"{{"spec":{{"versions":[{{"schema":{{"openAPIV3Schema":{schema}}}}}]}}}}"#)
    };
    let at = "spec.versions.schema.openAPIV3Schema";
    check_decode(
        &schema(r#"{"properties":{"a":{"type":["x"]}}}"#),
        &format!(
            "json: cannot unmarshal array into Go struct field JSONSchemaProps.{at}.properties.type of type string"
        ),
    );
    check_decode(
        &schema(r#"{"items":{"properties":{"a":{"maxLength":1.5}}}}"#),
        &format!(
            "json: cannot unmarshal number 1.5 into Go struct field JSONSchemaProps.{at}.items.properties.maxLength of type int64"
        ),
    );
    check_decode(&schema(r#"{"additionalProperties":"x"}"#), "boolean or JSON schema expected");
    check_decode(&schema(r#"{"items":true,"additionalProperties":null}"#), "");
    // Unknown keys in values that are decoded separately, such as `items`, are not reported.
    check_decode(
        &schema(r#"{"const":1,"properties":{"a":{"if":1}},"items":{"then":1}}"#),
        r#"unknown field "spec.versions[0].schema.openAPIV3Schema.const"; unknown field "spec.versions[0].schema.openAPIV3Schema.properties.a.if""#,
    );
}

#[test]
fn deep_schemas_are_rejected() {
    let nested = |depth: usize| {
        let mut schema = json!({"type": "object"});
        for _ in 0..depth {
            schema = json!({"type": "object", "properties": {"a": schema}});
        }
        with(good(), &[(ROOT, schema)])
    };
    assert!(validate(&definition(&nested(MAX_SCHEMA_DEPTH - 2))).is_empty());
    let error = decode(&nested(MAX_SCHEMA_DEPTH)).unwrap_err();
    assert_eq!(error.to_string(), "schemas are nested deeper than 64 levels");
}

#[test]
fn a_write_to_the_status() {
    let stored = |versions: Value, plural: &str| {
        let status = json!({"storedVersions": versions, "acceptedNames": {"plural": plural}});
        definition(&with(good(), &[("/status", status)]))
    };
    let old = stored(json!(["v0", "v1"]), "things");
    assert!(validate_status_update(&stored(json!([]), "things"), &old).is_empty());
    let errors = validate_status_update(&stored(json!([]), "T"), &old);
    assert!(errors.to_string().starts_with(r#"status.acceptedNames.plural: Invalid value: "T": "#));
}
