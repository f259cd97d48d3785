//! Tests of the checks of definitions: changes to a valid definition, and the errors that they cause.

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::{Value, json};

use super::{
    Decoded, decode, decode_on, for_create, for_update, update_warnings, validate,
    validate_status_update, validate_update, warnings,
};
use crate::model::CustomResourceDefinition;
use crate::schema::MAX_SCHEMA_DEPTH;

fn good() -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com", "resourceVersion": "1"},
        "spec": {
            "group": "example.com",
            "names": {"plural": "things", "kind": "Thing"},
            "scope": "Namespaced",
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {
                    "spec": {"type": "object", "properties": {"a": {"type": "string"}}},
                }}},
            }],
        },
    })
}

/// Sets values by their JSON pointer; a null removes.
fn with(mut crd: Value, changes: &[(&str, Value)]) -> Value {
    for (pointer, value) in changes {
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        match crd.pointer_mut(parent).unwrap() {
            Value::Object(map) if value.is_null() => drop(map.remove(key)),
            Value::Object(map) => drop(map.insert(key.to_owned(), value.clone())),
            Value::Array(items) => match key.parse::<usize>() {
                Ok(index) => items[index] = value.clone(),
                Err(_) => items.push(value.clone()),
            },
            other => panic!("{parent} is {other}"),
        }
    }
    crd
}

fn definition(crd: &Value) -> CustomResourceDefinition {
    decode(crd).unwrap().crd
}

#[track_caller]
fn check(changes: &[(&str, Value)], want: &[&str]) {
    let errors = validate(&definition(&with(good(), changes)));
    let texts: Vec<_> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(texts, want);
}

#[track_caller]
fn check_update(old: &[(&str, Value)], new: &[(&str, Value)], want: &[&str]) {
    let old = with(good(), old);
    let new = with(old.clone(), new);
    let errors = validate_update(&definition(&new), &definition(&old));
    let texts: Vec<_> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(texts, want);
}

const ROOT: &str = "/spec/versions/0/schema/openAPIV3Schema";

/// Checks the schema of the root's property `spec`.
#[track_caller]
fn check_schema(schema: Value, want: &[&str]) {
    let prefix = "spec.validation.openAPIV3Schema.properties[spec]";
    let want: Vec<_> = want.iter().map(|text| format!("{prefix}{text}")).collect();
    let want: Vec<_> = want.iter().map(String::as_str).collect();
    check(&[(&format!("{ROOT}/properties/spec"), schema)], &want);
}

#[test]
fn a_good_definition() {
    check(&[], &[]);
}

#[test]
fn metadata() {
    check(
        &[("/metadata/name", json!("x.example.com"))],
        &[
            r#"metadata.name: Invalid value: "x.example.com": must be spec.names.plural+"."+spec.group"#,
        ],
    );
    check(
        &[("/metadata/name", Value::Null)],
        &["metadata.name: Required value: name or generateName is required"],
    );
    check(
        &[("/metadata/namespace", json!("n"))],
        &["metadata.namespace: Forbidden: not allowed on this type"],
    );
}

#[test]
fn group_and_scope() {
    check(
        &[("/spec/group", json!("example")), ("/metadata/name", json!("things.example"))],
        &[r#"spec.group: Invalid value: "example": should be a domain with at least one dot"#],
    );
    check(
        &[("/spec/scope", json!("Galaxy"))],
        &[r#"spec.scope: Unsupported value: "Galaxy": supported values: "Cluster", "Namespaced""#],
    );
    check(&[("/spec/scope", Value::Null)], &["spec.scope: Required value"]);
}

#[test]
fn names() {
    check(
        &[("/spec/names/listKind", json!("Thing"))],
        &[r#"spec.names.listKind: Invalid value: "Thing": kind and listKind may not be the same"#],
    );
    check(
        &[("/spec/names/kind", Value::Null)],
        &[
            "spec.names.singular: Required value",
            "spec.names.kind: Required value",
            "spec.names.listKind: Required value",
        ],
    );
    let label = "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start \
        with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or \
        'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
    check(
        &[("/spec/names/shortNames", json!(["T"])), ("/spec/names/singular", json!("x.y"))],
        &[
            &format!(r#"spec.names.singular: Invalid value: "x.y": {label}"#),
            &format!(r#"spec.names.shortNames[0]: Invalid value: "T": {label}"#),
        ],
    );
    check(
        &[
            ("/spec/names/kind", json!("T_x")),
            ("/spec/names/singular", json!("t")),
            ("/spec/names/listKind", json!("L")),
        ],
        &[&format!(
            r#"spec.names.kind: Invalid value: "T_x": may have mixed case, but should otherwise match: {label}"#
        )],
    );
}

#[test]
fn versions() {
    let go = r#"{"Name":"v1","Served":true,"Storage":STORED,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}"#;
    let (stored, not) = (go.replace("STORED", "true"), go.replace("STORED", "false"));
    let first = good()["spec"]["versions"][0].clone();
    check(
        &[("/spec/versions/-", first)],
        &[
            &format!(
                "spec.versions: Invalid value: [{stored},{stored}]: must contain unique version names"
            ),
            &format!(
                "spec.versions: Invalid value: [{stored},{stored}]: must have exactly one version marked as storage version"
            ),
            r#"status.storedVersions: Invalid value: ["v1"]: must have the storage version v1"#,
        ],
    );
    check(
        &[("/spec/versions/0/storage", json!(false))],
        &[
            &format!(
                "spec.versions: Invalid value: [{not}]: must have exactly one version marked as storage version"
            ),
            "status.storedVersions: Invalid value: null: must have at least one stored version",
        ],
    );
    check(
        &[("/spec/versions/0/schema", Value::Null)],
        &["spec.versions[0].schema.openAPIV3Schema: Required value"],
    );
}

#[test]
fn errors_of_one_version_have_its_path() {
    let second = json!({"name": "v2", "schema": {"openAPIV3Schema": {"type": "array"}}});
    check(
        &[("/spec/versions/-", second)],
        &[
            "spec.versions[1].schema.openAPIV3Schema.items: Required value: must be specified",
            r#"spec.versions[1].schema.openAPIV3Schema.type: Invalid value: "array": must be object at the root"#,
        ],
    );
    // Schemas that are equal in all versions are hoisted to the top. An empty list equals an absent one.
    let mut second = good()["spec"]["versions"][0].clone();
    second["name"] = json!("v2");
    second["storage"] = json!(false);
    second["schema"]["openAPIV3Schema"]["required"] = json!([]);
    second["schema"]["openAPIV3Schema"]["id"] = json!("x");
    check(
        &[("/spec/versions/-", second), (&format!("{ROOT}/id"), json!("x"))],
        &["spec.validation.openAPIV3Schema.id: Forbidden: id is not supported"],
    );
}

#[test]
fn deprecation() {
    let warn = "/spec/versions/0/deprecationWarning";
    let deprecated = ("/spec/versions/0/deprecated", json!(true));
    check(&[deprecated.clone(), (warn, json!("use v2"))], &[]);
    check(
        &[(warn, json!("use v2"))],
        &[
            r#"spec.versions[0].deprecationWarning: Invalid value: "use v2": can only be set for deprecated versions"#,
        ],
    );
    check(
        &[deprecated.clone(), (warn, json!("a\u{1}"))],
        &[
            r#"spec.versions[0].deprecationWarning: Invalid value: "a\u0001": must only contain printable UTF-8 characters; non-printable character found at index 1"#,
        ],
    );
    check(
        &[deprecated, (warn, json!(""))],
        &[r#"spec.versions[0].deprecationWarning: Invalid value: "": must not be an empty string"#],
    );
}

#[test]
fn subresources() {
    let scale = |spec: &str, status: &str, selector: &str| {
        json!({"scale": {"specReplicasPath": spec, "statusReplicasPath": status,
            "labelSelectorPath": selector}})
    };
    let at = "/spec/versions/0/subresources";
    check(&[(at, scale(".spec.", ".status.a[0]", ""))], &[]);
    check(
        &[(at, scale("", "status.x", ".meta.x"))],
        &[
            "spec.subresources.scale.specReplicasPath: Required value",
            r#"spec.subresources.scale.statusReplicasPath: Invalid value: "status.x": must be a simple json path starting with ."#,
            r#"spec.subresources.scale.labelSelectorPath: Invalid value: ".meta.x": should be a json path under either .spec or .status"#,
        ],
    );
    check(
        &[(at, scale(".status.x", ".spec.x", ".spec.x"))],
        &[
            r#"spec.subresources.scale.specReplicasPath: Invalid value: ".status.x": should be a json path under .spec"#,
            r#"spec.subresources.scale.statusReplicasPath: Invalid value: ".spec.x": should be a json path under .status"#,
        ],
    );
}

#[test]
fn columns() {
    check(
        &[(
            "/spec/versions/0/additionalPrinterColumns",
            json!([{"name": "n", "type": "string", "jsonPath": ".[", "priority": -1},
                {"name": "", "type": "text", "format": "f", "jsonPath": "x"}, {"name": "n"}]),
        )],
        &[
            "spec.additionalPrinterColumns[1].name: Required value",
            r#"spec.additionalPrinterColumns[1].type: Invalid value: "text": must be one of boolean,date,integer,number,string"#,
            r#"spec.additionalPrinterColumns[1].format: Invalid value: "f": must be one of byte,date,date-time,double,float,int32,int64,password"#,
            r#"spec.additionalPrinterColumns[1].JSONPath: Invalid value: "x": must be a simple json path starting with ."#,
            "spec.additionalPrinterColumns[2].type: Required value: must be one of boolean,date,integer,number,string",
            "spec.additionalPrinterColumns[2].JSONPath: Required value",
        ],
    );
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
fn selectable_fields() {
    let at = "/spec/versions/0/selectableFields";
    let fields =
        |paths: &[&str]| -> Value { paths.iter().map(|path| json!({"jsonPath": path})).collect() };
    check(
        &[(at, fields(&[".spec.a", "", ".spec.b", ".spec", ".spec.a", ".spec['a']"]))],
        &[
            "spec.selectableFields[1].jsonPath: Required value",
            r#"spec.selectableFields[2].jsonPath: Invalid value: ".spec.b": is an invalid path: does not refer to a valid field"#,
            r#"spec.selectableFields[3].jsonPath: Invalid value: ".spec": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed."#,
            r#"spec.selectableFields[4].jsonPath: Duplicate value: ".spec.a""#,
            r#"spec.selectableFields[5].jsonPath: Invalid value: ".spec['a']": is an invalid path: array notation is not allowed"#,
        ],
    );
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    let properties: Value = Value::Object(
        names.iter().map(|name| ((*name).to_owned(), json!({"type": "string"}))).collect(),
    );
    let paths: Vec<String> = names.iter().map(|name| format!(".spec.{name}")).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let schema = (&*format!("{ROOT}/properties/spec/properties"), properties);
    let too_many = "spec.selectableFields: Too many: 9: must have at most 8 items";
    check(&[schema.clone(), (at, fields(&paths))], &[too_many]);
    // Too many fields may stay, but not change.
    check_update(&[schema.clone(), (at, fields(&paths))], &[], &[]);
    let mut turned = paths.clone();
    turned.reverse();
    check_update(&[schema, (at, fields(&paths))], &[(at, fields(&turned))], &[too_many]);
}

#[test]
fn conversion() {
    let at = "/spec/conversion";
    check(&[(at, json!({}))], &["spec.conversion.strategy: Required value"]);
    check(
        &[(at, json!({"strategy": "Magic", "webhook": {"conversionReviewVersions": ["v1"]}}))],
        &[
            r#"spec.conversion.strategy: Unsupported value: "Magic": supported values: "None", "Webhook""#,
            "spec.conversion.conversionReviewVersions: Forbidden: should not be set when strategy is not set to Webhook",
        ],
    );
    check(
        &[(at, json!({"strategy": "Webhook"}))],
        &[
            "spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook",
            "spec.conversion.conversionReviewVersions: Required value",
        ],
    );
    let url = |url: &str| {
        let config = json!({"url": url});
        (
            at,
            json!({"strategy": "Webhook", "webhook":
            {"clientConfig": config, "conversionReviewVersions": ["v1"]}}),
        )
    };
    check(&[url("https://example.com/convert")], &[]);
    let form = "; desired format: https://host[/path]";
    check(
        &[url("http://u:p@/x?q#f")],
        &[
            &format!(
                r#"spec.conversion.webhookClientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme{form}"#
            ),
            &format!(
                r#"spec.conversion.webhookClientConfig.url: Invalid value: "": host must be specified{form}"#
            ),
            r#"spec.conversion.webhookClientConfig.url: Invalid value: "u:p": user information is not permitted in the URL"#,
            r#"spec.conversion.webhookClientConfig.url: Invalid value: "f": fragments are not permitted in the URL"#,
            r#"spec.conversion.webhookClientConfig.url: Invalid value: "q": query parameters are not permitted in the URL"#,
        ],
    );
    check(
        &[url("://")],
        &[&format!(
            r#"spec.conversion.webhookClientConfig.url: Required value: url must be a valid URL: parse "://": missing protocol scheme{form}"#
        )],
    );
}

#[test]
fn webhook_services() {
    let service = json!({"name": "", "namespace": "n", "port": 0, "path": "a//B/"});
    let webhook = json!({"clientConfig": {"service": service},
        "conversionReviewVersions": ["v3", "v3"]});
    let segment = |text: &str| {
        format!(
            r#"spec.conversion.webhookClientConfig.service.path: Invalid value: "a//B/": {text}"#
        )
    };
    check(
        &[("/spec/conversion", json!({"strategy": "Webhook", "webhook": webhook}))],
        &[
            // Upstream: the error of a missing name is reported for the namespace.
            "spec.conversion.webhookClientConfig.service.namespace: Required value",
            "spec.conversion.webhookClientConfig.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive",
            &segment("must start with a '/'"),
            &segment("segment[0] may not be empty"),
            &segment("segment[1] may not be empty"),
            &segment(
                "segment[2]: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
            ),
            r#"spec.conversion.conversionReviewVersions[1]: Invalid value: "v3": duplicate version"#,
            r#"spec.conversion.conversionReviewVersions: Invalid value: ["v3","v3"]: must include at least one of v1, v1beta1"#,
        ],
    );
}

#[test]
fn keywords_that_no_schema_may_have() {
    check_schema(
        json!({"type": "object", "id": "x", "additionalItems": true, "patternProperties": {"a": {}},
            "definitions": {"a": {}}, "dependencies": {}, "$ref": "", "uniqueItems": true}),
        &[
            ".id: Forbidden: id is not supported",
            ".additionalItems: Forbidden: additionalItems is not supported",
            ".patternProperties: Forbidden: patternProperties is not supported",
            ".definitions: Forbidden: definitions is not supported",
            ".dependencies: Forbidden: dependencies is not supported",
            ".$ref: Forbidden: $ref is not supported",
            ".uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
        ],
    );
    check_schema(
        json!({"type": "null"}),
        &[
            r#".type: Unsupported value: "null": supported values: "array", "boolean", "integer", "number", "object", "string""#,
            ".type: Forbidden: type cannot be set to null, use nullable as an alternative",
        ],
    );
    check_schema(
        json!({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": false}),
        &[
            ".additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive",
        ],
    );
    // An error of the conversion to a structural schema is reported only if there are no other errors.
    check(
        &[(&format!("{ROOT}/$schema"), json!("x"))],
        &[
            r#"spec.validation.openAPIV3Schema: Invalid value: "": OpenAPIV3Schema 'schema' is not supported"#,
        ],
    );
    check(
        &[(&format!("{ROOT}/nullable"), json!(true))],
        &[
            "spec.validation.openAPIV3Schema.nullable: Forbidden: nullable cannot be true at the root",
        ],
    );
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
fn list_and_map_types() {
    check_schema(
        json!({"type": "object", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]}),
        &[
            r#".type: Invalid value: "object": must be array if x-kubernetes-list-type is specified"#,
            ".items: Required value: must have a schema if x-kubernetes-list-type is map",
        ],
    );
    check_schema(
        json!({"type": "array", "x-kubernetes-list-map-keys": ["k"], "items": {"type": "string"},
            "x-kubernetes-map-type": "loose"}),
        &[
            r#".type: Invalid value: "array": must be object if x-kubernetes-map-type is specified"#,
            r#".x-kubernetes-map-type: Unsupported value: "loose": supported values: "atomic", "granular""#,
            ".x-kubernetes-list-type: Required value: must be map if x-kubernetes-list-map-keys is non-empty",
        ],
    );
    let items = json!({"type": "object", "nullable": true, "properties": {
        "o": {"type": "object"}, "n": {"type": "string", "nullable": true, "default": "x"}}});
    check_schema(
        json!({"type": "array", "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["o", "n", "z", "n"], "items": items}),
        &[
            r#".items.properties[o].type: Invalid value: "object": must be a scalar type if parent array's x-kubernetes-list-type is map"#,
            r#".x-kubernetes-list-map-keys: Invalid value: ["o","n","z","n"]: entries must all be names of item properties"#,
            r#".x-kubernetes-list-map-keys: Invalid value: ["o","n","z","n"]: must not contain duplicate entries"#,
            ".items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is map",
            ".items.properties[o].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property",
            ".items.properties[n].nullable: Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable",
            ".items.properties[n].nullable: Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable",
        ],
    );
    check_schema(
        json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "object"}}),
        &[
            ".items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set",
        ],
    );
}

#[test]
fn defaults() {
    check_schema(
        json!({"type": "object", "default": {"b": 1}, "properties": {"a": {"type": "string", "default": 1}}}),
        &[
            r#".default: Invalid value: {"b":1}: must not have unknown fields"#,
            r#".properties[a].default: Invalid value: "integer":  in body must be of type string: "integer""#,
        ],
    );
    // The defaults below a default are not added to it before it is checked.
    check_schema(
        json!({"type": "object", "default": {}, "required": ["a"],
            "properties": {"a": {"type": "string", "default": "x"}}}),
        &[".default.a: Required value"],
    );
    // Defaults below `additionalProperties` are not checked.
    check_schema(
        json!({"type": "object", "additionalProperties": {"type": "string", "default": 3}}),
        &[],
    );
    check_schema(
        json!({"type": "object", "x-kubernetes-embedded-resource": true,
            "properties": {"kind": {"type": "string", "default": "%"}}}),
        &[
            r#".properties[kind].default: Invalid value: "%": must result in valid metadata: kind: Invalid value: "%": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"#,
        ],
    );
    check_schema(
        json!({"type": "string", "default": "no", "x-kubernetes-validations": [{"rule": "self == 'yes'"}]}),
        &[r#".default: Invalid value: "no": failed rule: self == 'yes'"#],
    );
    check(
        &[(&format!("{ROOT}/properties/kind"), json!({"type": "string", "default": "Thing"}))],
        &[
            "spec.validation.openAPIV3Schema.properties[kind].default: Forbidden: must not be set in top-level kind",
        ],
    );
}

#[test]
fn rules() {
    check_schema(
        json!({"type": "string", "x-kubernetes-validations": [
            {"rule": " "}, {"rule": "true", "message": " "}, {"rule": "true\n", "message": "a\nb"},
            {"rule": "true &&\ntrue"}, {"rule": "true", "messageExpression": " "},
            {"rule": "true", "reason": "Because"}, {"rule": "true", "fieldPath": ".x"}]}),
        &[
            ".x-kubernetes-validations[0].rule: Required value: rule is not specified",
            r#".x-kubernetes-validations[1].message: Invalid value: " ": must be non-empty if specified"#,
            r#".x-kubernetes-validations[2].message: Invalid value: "a\nb": must not contain line breaks"#,
            ".x-kubernetes-validations[3].message: Required value: message must be specified if rule contains line breaks",
            ".x-kubernetes-validations[4].messageExpression: Required value: messageExpression must be non-empty if specified",
            r#".x-kubernetes-validations[5].reason: Unsupported value: "Because": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired""#,
            r#".x-kubernetes-validations[6].fieldPath: Invalid value: ".x": must be a valid path"#,
        ],
    );
    check_schema(
        json!({"type": "string", "x-kubernetes-validations": [{"rule": "true", "optionalOldSelf": false}]}),
        &[
            ".x-kubernetes-validations[0].optionalOldSelf: Invalid value: false: may not be set if oldSelf is not used in rule",
        ],
    );
}

#[test]
fn protected_groups_are_approved() {
    let group = [("/spec/group", json!("x.k8s.io")), ("/metadata/name", json!("things.x.k8s.io"))];
    let at = "metadata.annotations[api-approved.kubernetes.io]";
    let must = "protected groups must have approval annotation \"api-approved.kubernetes.io\"";
    let see = "see https://github.com/kubernetes/enhancements/pull/1111";
    let missing = format!("{at}: Required value: {must}, {see}");
    let annotated = |text: &str| {
        let mut changes = group.to_vec();
        changes.push(("/metadata/annotations", json!({"api-approved.kubernetes.io": text})));
        changes
    };
    check(&group, &[&missing]);
    check(&annotated("https://github.com/x/y"), &[]);
    check(&annotated("unapproved, an experiment"), &[]);
    check(
        &annotated("mailto:a@b"),
        &[&format!(
            "{at}: Invalid value: \"mailto:a@b\": {must} with either a URL or a reason starting with \"unapproved\", {see}"
        )],
    );
    check_update(&group, &[], &[]);
    check_update(&annotated("x"), &[("/metadata/annotations", Value::Null)], &[&missing]);
}

#[test]
fn immutable_fields() {
    let established = (
        "/status",
        json!({"conditions": [{"type": "Established", "status": "True"}], "storedVersions": ["v1"]}),
    );
    let renamed = [("/spec/names/kind", json!("Other")), ("/spec/scope", json!("Cluster"))];
    check_update(&[], &renamed, &[]);
    check_update(
        &[established],
        &renamed,
        &[
            r#"spec.scope: Invalid value: "Cluster": field is immutable"#,
            r#"spec.names.kind: Invalid value: "Other": field is immutable"#,
        ],
    );
    check_update(
        &[],
        &[("/spec/names/plural", json!("others")), ("/spec/group", json!("example.org"))],
        &[
            r#"spec.group: Invalid value: "example.org": field is immutable"#,
            r#"spec.names.plural: Invalid value: "others": field is immutable"#,
        ],
    );
    check_update(
        &[("/status", json!({"storedVersions": ["v0", "v1"]}))],
        &[],
        &[
            r#"status.storedVersions[0]: Invalid value: "v0": missing from spec.versions; v0 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v0 and removes v0 from status.storedVersions"#,
        ],
    );
    check_update(
        &[],
        &[("/metadata/resourceVersion", Value::Null)],
        &[r#"metadata.resourceVersion: Invalid value: "": must be specified for an update"#],
    );
}

#[test]
fn errors_of_the_stored_definition_are_ratcheted() {
    let spec = format!("{ROOT}/properties/spec");
    let other = (&*format!("{ROOT}/description"), json!("changed"));
    let types = json!({"type": "bar"});
    check_update(&[(&spec, types.clone())], std::slice::from_ref(&other), &[]);
    check(
        &[(&spec, types)],
        &[
            r#"spec.validation.openAPIV3Schema.properties[spec].type: Unsupported value: "bar": supported values: "array", "boolean", "integer", "number", "object", "string""#,
        ],
    );
    let set =
        json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "object"}});
    check_update(&[(&spec, set)], std::slice::from_ref(&other), &[]);
    let unpruned = json!({"type": "object", "default": {"b": 1}});
    check_update(&[(&spec, unpruned.clone())], std::slice::from_ref(&other), &[]);
    // A default that cannot be pruned ends upstream's search for those that are not pruned.
    let items = format!("{ROOT}/items");
    check_update(
        &[(&spec, unpruned), (&items, json!({"type": "string", "default": "a"}))],
        &[(&items, Value::Null)],
        &[
            r#"spec.validation.openAPIV3Schema.properties[spec].default: Invalid value: {"b":1}: must not have unknown fields"#,
        ],
    );
    check_update(&[("/spec/preserveUnknownFields", json!(true))], &[other], &[]);
    check(
        &[("/spec/preserveUnknownFields", json!(true))],
        &[
            "spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
        ],
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
            decode_on(&crd, kubernetes).unwrap_err().to_string(),
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
