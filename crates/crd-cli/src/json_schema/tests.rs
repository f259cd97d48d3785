//! What is written, and that it is read back.

use serde_json::{Value, json};

use super::*;
use crate::model::CustomResourceDefinition;
use crate::tests::{Dir, run};
use crate::{Registry, schemas};

/// Returns the schema of a version whose spec has these fields.
fn written(spec: &Value) -> Value {
    let crd: CustomResourceDefinition =
        crd_fixtures::crd("example.com", "Widget").spec("v1", spec).read();
    of_version(&crd, &crd.spec.versions[0]).expect("a schema")
}

#[track_caller]
fn check(field: &Value, want: &Value) {
    let root = written(&json!({"type": "object", "properties": {"a": field}}));
    assert_eq!(root["properties"]["spec"]["properties"]["a"], *want, "{field}");
}

#[test]
fn keywords_mean_in_json_schema_what_they_mean_to_the_server() {
    for (field, want) in [
        // The server drops a null of a field that is not required.
        (
            json!({"type": "integer", "minimum": 1}),
            json!({"type": ["integer", "null"], "minimum": 1}),
        ),
        (
            json!({"type": "integer", "minimum": 1, "exclusiveMinimum": true}),
            json!({"type": ["integer", "null"], "exclusiveMinimum": 1}),
        ),
        (
            json!({"type": "string", "enum": ["b", "c"]}),
            json!({"type": ["string", "null"], "enum": ["b", "c", null]}),
        ),
        // It keeps one that is nullable, and then refuses it, because it is no member.
        (
            json!({"type": "string", "nullable": true, "enum": ["b"]}),
            json!({"type": "string", "nullable": true, "enum": ["b"]}),
        ),
        (
            json!({"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}]}),
            json!({"x-kubernetes-int-or-string": true, "type": ["integer", "string", "null"]}),
        ),
        (
            json!({"type": "object", "properties": {"b": {"type": "boolean"}}}),
            json!({
                "type": ["object", "null"],
                "properties": {"b": {"type": ["boolean", "null"]}},
                "additionalProperties": false,
            }),
        ),
        (
            json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true}),
            json!({"type": ["object", "null"], "x-kubernetes-preserve-unknown-fields": true}),
        ),
        // The default is set before anything is required.
        (
            json!({
                "type": "object", "required": ["b", "c"], "properties": {
                    "b": {"type": "string", "default": "x"}, "c": {"type": "string"},
                },
            }),
            json!({
                "type": ["object", "null"], "required": ["c"], "additionalProperties": false, "properties": {
                    "b": {"type": ["string", "null"], "default": "x"}, "c": {"type": "string"},
                },
            }),
        ),
        (
            json!({"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"}),
            json!({
                "type": ["array", "null"], "items": {"type": "string"}, "x-kubernetes-list-type": "set",
                "uniqueItems": true,
            }),
        ),
        // The durations of JSON Schema are others.
        (
            json!({"type": "string", "format": "duration", "pattern": "(?i)a"}),
            json!({"type": ["string", "null"], "x-kubernetes-format": "duration", "x-kubernetes-pattern": "(?i)a"}),
        ),
        // Junctors are not asked about a null.
        (
            json!({"type": "object", "oneOf": [{"required": ["b"]}], "properties": {"b": {"type": "string"}}}),
            json!({
                "type": ["object", "null"], "additionalProperties": false,
                "properties": {"b": {"type": ["string", "null"]}},
                "if": {"not": {"type": "null"}}, "then": {"oneOf": [{"required": ["b"]}]},
            }),
        ),
        (
            json!({"type": "string", "description": "A.", "x-kubernetes-validations": [{"rule": "self != ''", "message": "is set"}]}),
            json!({
                "type": ["string", "null"], "description": "A.\n\nRules:\n- is set: `self != ''`",
                "x-kubernetes-validations": [{"rule": "self != ''", "message": "is set"}],
            }),
        ),
    ] {
        check(&field, &want);
    }
}

#[test]
fn whole_objects_have_their_kind_and_a_name() {
    let root = written(&json!({"type": "object"}));
    assert_eq!(
        root["properties"]["apiVersion"],
        json!({"type": "string", "const": "example.com/v1"})
    );
    assert_eq!(root["properties"]["kind"], json!({"type": "string", "const": "Widget"}));
    assert_eq!(root["required"], json!(["apiVersion", "kind", "metadata"]));
    assert_eq!(root["additionalProperties"], false);
    assert_eq!(root["properties"]["metadata"]["$ref"], "#/$defs/ObjectMeta");
    let defs = root["$defs"].as_object().expect("definitions");
    let names: Vec<&String> = defs.keys().collect();
    assert_eq!(names, ["FieldsV1", "ManagedFieldsEntry", "ObjectMeta", "OwnerReference", "Time"]);
    let meta = &root["$defs"]["ObjectMeta"];
    assert_eq!(meta["additionalProperties"], false);
    assert_eq!(meta["properties"]["creationTimestamp"]["$ref"], "#/$defs/Time");
    assert_eq!(root["$defs"]["Time"]["type"], json!(["string", "null"]));
}

#[test]
fn a_deprecated_version_says_so() {
    let mut crd: CustomResourceDefinition =
        crd_fixtures::widget(json!({"type": "object", "description": "A widget."})).read();
    crd.spec.versions[0].deprecated = true;
    let root = of_version(&crd, &crd.spec.versions[0]).expect("a schema");
    assert_eq!(root["deprecated"], true);
    assert_eq!(root["description"], "A widget.\n\nDeprecated: example.com/v1 Widget is deprecated");
}

#[test]
fn the_replicas_of_a_scale_are_not_negative() {
    let spec =
        json!({"type": "object", "properties": {"size": {"type": "integer", "format": "int32"}}});
    let mut crd: CustomResourceDefinition =
        crd_fixtures::crd("example.com", "Widget").spec("v1", spec).read();
    let scale =
        json!({"scale": {"specReplicasPath": ".spec.size", "statusReplicasPath": ".status.size"}});
    crd.spec.versions[0].subresources = serde_json::from_value(scale).expect("subresources");
    let root = of_version(&crd, &crd.spec.versions[0]).expect("a schema");
    assert_eq!(root["properties"]["spec"]["properties"]["size"]["minimum"], 0);
}

/// Removes what is not read back, because nothing depends on it: texts, and the requirement of what has a default.
fn comparable(schema: &mut Value) {
    let Some(map) = schema.as_object_mut() else { return };
    for keyword in
        ["description", "title", "example", "examples", "externalDocs", "deprecated", KINDS]
    {
        map.remove(keyword);
    }
    let properties = map.get("properties").cloned().unwrap_or_default();
    if let Some(Value::Array(required)) = map.get_mut("required") {
        required
            .retain(|name| properties[name.as_str().unwrap_or_default()].get("default").is_none());
        if required.is_empty() {
            map.remove("required");
        }
    }
    if map.get("properties") == Some(&json!({})) {
        map.remove("properties");
    }
    if map.get("x-kubernetes-int-or-string").is_some() {
        map.remove("anyOf");
    }
    schemas::each_below(map, &mut |_, _, below| comparable(below));
}

#[test]
fn what_is_written_is_read_back() {
    let field = |mut schema: Value, more: Value| {
        schema
            .as_object_mut()
            .expect("a schema")
            .extend(more.as_object().expect("keywords").clone());
        schema
    };
    let (text, number) = (json!({"type": "string"}), json!({"type": "integer"}));
    let spec = json!({
        "type": "object", "required": ["a", "b"], "properties": {
            "a": field(text.clone(), json!({"default": "x", "minLength": 1, "pattern": "^x$"})),
            "b": field(text.clone(), json!({"enum": ["x", "y"]})),
            "c": field(text.clone(), json!({"nullable": true, "format": "duration", "pattern": "(?i)x"})),
            "d": field(number.clone(), json!({"format": "int32", "exclusiveMaximum": true, "maximum": 9})),
            "e": {"x-kubernetes-int-or-string": true},
            "f": {"type": "array", "items": text, "x-kubernetes-list-type": "set"},
            "g": {"type": "object", "additionalProperties": number},
            "h": {"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true},
            "i": {"type": "object", "oneOf": [{"required": ["j"]}], "properties": {"j": {"type": "boolean"}}},
            "k": {"x-kubernetes-preserve-unknown-fields": true},
            "l": {"type": "number", "minimum": 0.5, "exclusiveMinimum": true, "multipleOf": 0.5},
        },
    });
    let root = json!({
        "type": "object", "description": "A widget.", "required": ["spec"], "properties": {
            "metadata": {"type": "object", "properties": {"name": {"type": "string", "maxLength": 9}}},
            "spec": spec, "status": {"type": "object"},
        },
    });
    let crd: CustomResourceDefinition = crd_fixtures::widget(root.clone()).read();
    let mut read = of_version(&crd, &crd.spec.versions[0]).expect("a schema");
    reopen(&mut read);
    let mut want = root;
    comparable(&mut read);
    comparable(&mut want);
    // The pattern of names is that of the server.
    assert_eq!(crate::json::stored(read), crate::json::stored(want));
}

const WIDGETS: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer, maximum: 3, exclusiveMaximum: true}
              wait: {type: string, format: duration}
  - name: v1alpha1
    served: false
    storage: false
    schema: {openAPIV3Schema: {type: object}}
";

#[test]
fn schemas_are_written_checked_and_used() {
    let dir = Dir::new("schemas");
    let crds = dir.write("crds/widgets.yaml", WIDGETS);
    let (crds, out) = (crds.to_str().expect("UTF-8"), dir.path().join("out"));
    let out = out.to_str().expect("UTF-8");
    let schema =
        |args: &[&str]| run(&Registry::new(), &[&["schema", crds, "--out", out], args].concat());
    let (status, printed, err) = schema(&["--index"]);
    assert_eq!((status, &*err), (0, ""), "{printed}");
    assert_eq!(
        printed.replace(out, "out"),
        "out/all.json created\nout/catalog.json created\nout/example.com/widget_v1.json created\n"
    );
    assert_eq!(
        schema(&["--index", "--check"]),
        (0, "3 schemas up to date\n".to_owned(), String::new())
    );
    // The address of a published catalog is in its list.
    let (status, printed, err) =
        schema(&["--index", "--check", "--base-url", "https://example.com/s/"]);
    assert!(status == 1 && err.contains("1 schema out of date: run `schema`"), "{err}");
    assert!(
        printed.contains("+      \"url\": \"https://example.com/s/example.com/widget_v1.json\""),
        "{printed}"
    );
    let (_, printed, _) = schema(&["--version", "v1alpha1"]);
    assert!(printed.ends_with("out/example.com/widget_v1alpha1.json created\n"), "{printed}");

    for (spec, want) in [
        ("{size: 2, wait: 1h}", None),
        ("{size: 3}", Some("should be less than 3")),
        ("{wait: soon}", Some("must be of type duration")),
        ("{colour: red}", Some("unknown field")),
    ] {
        let object = format!(
            "apiVersion: example.com/v1\nkind: Widget\nmetadata: {{name: a}}\nspec: {spec}\n"
        );
        let object = dir.write("object.yaml", &object);
        let (status, printed, err) =
            run(&Registry::new(), &["validate", object.to_str().expect("UTF-8"), "--crds", out]);
        assert_eq!(status, u8::from(want.is_some()), "{spec}: {printed}{err}");
        assert!(want.is_none_or(|want| printed.contains(want)), "{spec}: {printed}");
    }
}

#[test]
fn wrong_arguments_are_told() {
    let dir = Dir::new("wrong");
    let crds = dir.write("widgets.yaml", WIDGETS);
    let crds = crds.to_str().expect("UTF-8");
    for (args, want) in [
        (&["schema", crds][..], "no directory given; pass `--out DIR`"),
        (&["schema", crds, "--out", "-", "--check"], "`--check` needs a directory"),
        (
            &["schema", crds, "--out", "-", "--kind", "Other"],
            "no served version of a kind is selected",
        ),
        (&["schema", crds, "--out", "-", "--base-url", "x"], "--index"),
    ] {
        let (status, _, err) = run(&Registry::new(), args);
        assert!(status == 2 && err.contains(want), "{args:?}: {err}");
    }
}
