//! Tests of single parts of the documents, and of properties that hold for whole documents.

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::{Value, json};

use super::shared;
use crate::Server;
use crate::model::CustomResourceDefinition;

/// A definition whose version has these subresources and no schema.
fn without_schema(subresources: &Value) -> CustomResourceDefinition {
    let version =
        json!({"name": "v1", "served": true, "storage": true, "subresources": subresources});
    crd_fixtures::crd("example.com", "Widget").set("/spec/versions/-", version).read()
}

fn of_schema(schema: &Value) -> CustomResourceDefinition {
    crd_fixtures::widget(schema).read()
}

/// Checks the published schema of a field `f` in both editions.
#[track_caller]
fn check(field: &Value, v3: &Value, v2: &Value) {
    let crd = of_schema(&json!({"type": "object", "properties": {"f": field}}));
    let published =
        |document: Value, pointer: &str| document.pointer(pointer).cloned().expect("published");
    let got = published(
        super::v3(&crd, "v1").expect("a document"),
        "/components/schemas/com.example.v1.Widget/properties/f",
    );
    assert_eq!(got, *v3, "v3 of {field}");
    let got = published(
        super::v2(&crd, "v1").expect("a document"),
        "/definitions/com.example.v1.Widget/properties/f",
    );
    assert_eq!(got, *v2, "v2 of {field}");
}

#[test]
fn keywords_that_break_clients_of_v2_are_removed() {
    let same = json!({"type": "string", "enum": ["a"], "pattern": "x", "x-kubernetes-validations": [{"rule": "true"}]});
    check(&same, &same, &same);
    let nullable = json!({"type": "string", "nullable": true});
    check(&nullable, &nullable, &json!({}));
    let nullable = json!({"type": "array", "nullable": true, "items": {"type": "string"}});
    check(&nullable, &nullable, &json!({}));
    let open = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {"a": {"type": "string"}}});
    check(&open, &open, &json!({"x-kubernetes-preserve-unknown-fields": true}));
    let list = json!({"type": "array", "items": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}});
    check(
        &list,
        &list,
        &json!({"type": "array", "items": {"x-kubernetes-preserve-unknown-fields": true}}),
    );
    let with_default = json!({"type": "integer", "default": 1, "minimum": 0, "maximum": 1.5});
    check(&with_default, &with_default, &json!({"type": "integer", "minimum": 0, "maximum": 1.5}));
    let required = json!({
        "type": "object", "required": ["a", "n"],
        "properties": {"a": {"type": "string"}, "n": {"type": "string", "nullable": true}},
    });
    let v2 = json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}, "n": {}}});
    check(&required, &required, &v2);
    let values = json!({"type": "object", "required": ["q"], "additionalProperties": {"type": "string", "nullable": true}});
    check(&values, &values, &json!({"type": "object", "additionalProperties": {}}));
    let junctors = json!({"type": "string", "oneOf": [{"minLength": 1}], "not": {"enum": ["x"]}});
    check(&junctors, &junctors, &json!({"type": "string"}));
}

#[test]
fn an_int_or_string_has_an_any_of() {
    let either = json!([{"type": "integer"}, {"type": "string"}]);
    let plain = json!({"x-kubernetes-int-or-string": true});
    check(&plain, &json!({"x-kubernetes-int-or-string": true, "anyOf": either}), &plain);
    let complete = json!({"x-kubernetes-int-or-string": true, "anyOf": either});
    check(&complete, &complete, &plain);
    let other =
        json!({"x-kubernetes-int-or-string": true, "anyOf": [{"minimum": 1}, {"minLength": 2}]});
    let unfolded = json!({
        "x-kubernetes-int-or-string": true, "anyOf": [{"minimum": 1}, {"minLength": 2}], "allOf": [{"anyOf": either}],
    });
    check(&other, &unfolded, &plain);
}

#[test]
fn an_embedded_resource_has_metadata() {
    let crd = of_schema(&json!({"type": "object", "properties": {
        "f": {"type": "object", "x-kubernetes-embedded-resource": true, "required": ["metadata"], "properties": {"metadata": {"type": "object"}}},
    }}));
    let document = super::v3(&crd, "v1").expect("a document");
    let field = &document["components"]["schemas"]["com.example.v1.Widget"]["properties"]["f"];
    assert_eq!(field["required"], json!(["metadata", "kind", "apiVersion"]));
    let reference = "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
    assert_eq!(field["properties"]["metadata"]["allOf"], json!([{"$ref": reference}]));
    let both = json!({"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true});
    let crd = of_schema(&json!({"type": "object", "properties": {"f": both}}));
    let document = super::v2(&crd, "v1").expect("a document");
    let want = json!({"x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true});
    assert_eq!(document["definitions"]["com.example.v1.Widget"]["properties"]["f"], want);
}

#[test]
fn a_kind_without_a_usable_schema_is_an_object() {
    let gvk = json!([{"group": "example.com", "kind": "Widget", "version": "v1"}]);
    let want = json!({"type": "object", "x-kubernetes-group-version-kind": gvk});
    for crd in [
        without_schema(&json!({})),
        of_schema(&json!({"type": "object", "properties": {"f": {"type": "money"}}})),
        of_schema(&json!({"type": "object", "properties": {"f": {}}})),
    ] {
        let document = super::v3(&crd, "v1").expect("a document");
        assert_eq!(document["components"]["schemas"]["com.example.v1.Widget"], want);
        assert_eq!(
            document["components"]["schemas"]["com.example.v1.WidgetList"]["required"],
            json!(["items"])
        );
    }
}

#[test]
fn operations_are_named_for_group_version_and_kind() {
    let crd = without_schema(&json!({
        "status": {}, "scale": {"specReplicasPath": ".spec.n", "statusReplicasPath": ".status.n"},
    }));
    let document = super::v3(&crd, "v1").expect("a document");
    let mut ids: Vec<&str> = document["paths"]
        .as_object()
        .expect("paths")
        .values()
        .flat_map(|path| path.as_object().expect("operations").values())
        .filter_map(|operation| operation["operationId"].as_str())
        .collect();
    ids.sort_unstable();
    assert_eq!(
        ids,
        [
            "createExampleComV1NamespacedWidget",
            "deleteExampleComV1CollectionNamespacedWidget",
            "deleteExampleComV1NamespacedWidget",
            "listExampleComV1NamespacedWidget",
            "listExampleComV1WidgetForAllNamespaces",
            "patchExampleComV1NamespacedWidget",
            "patchExampleComV1NamespacedWidgetScale",
            "patchExampleComV1NamespacedWidgetStatus",
            "readExampleComV1NamespacedWidget",
            "readExampleComV1NamespacedWidgetScale",
            "readExampleComV1NamespacedWidgetStatus",
            "replaceExampleComV1NamespacedWidget",
            "replaceExampleComV1NamespacedWidgetScale",
            "replaceExampleComV1NamespacedWidgetStatus",
        ]
    );
}

/// Every reference of a document can be resolved.
#[test]
fn references_lead_somewhere() {
    fn walk(value: &Value, document: &Value) {
        match value {
            Value::Object(map) => {
                if let Some(Value::String(reference)) = map.get("$ref") {
                    let pointer = reference.strip_prefix('#').expect("within the document");
                    assert!(document.pointer(pointer).is_some(), "{reference}");
                }
                map.values().for_each(|below| walk(below, document));
            }
            Value::Array(items) => items.iter().for_each(|below| walk(below, document)),
            _ => {}
        }
    }
    for subresources in [
        json!({}),
        json!({"scale": {"specReplicasPath": ".spec.n", "statusReplicasPath": ".status.n"}}),
    ] {
        let crd = without_schema(&subresources);
        for document in [super::v2(&crd, "v1"), super::v3(&crd, "v1")] {
            let document = document.expect("a document");
            walk(&document, &document);
        }
    }
}

#[test]
fn parts_of_kubernetes_own_types_have_defaults_until_1_36() {
    let version = |text: &str| text.parse::<KubernetesVersion>().expect("a known version");
    let crd = of_schema(&json!({"type": "object"}));
    let of = |minor: &str| {
        let document = Server::of(version(minor)).openapi_v3(&crd, "v1").expect("a version");
        let metadata = &document["components"]["schemas"][shared::OBJECT_META]["properties"];
        (metadata["finalizers"]["items"].clone(), metadata["managedFields"]["items"].clone())
    };
    let (finalizer, entry) = of("1.36");
    assert_eq!((&finalizer["default"], &entry["default"]), (&json!(""), &json!({})));
    let (finalizer, entry) = of("1.37");
    assert_eq!(finalizer, json!({"type": "string"}));
    assert_eq!(entry.get("default"), None);
    assert!(entry.get("allOf").is_some() || entry.get("$ref").is_some(), "{entry}");
}

#[test]
fn shared_types_are_those_of_the_minor() {
    let definitions_on = |minor: u32| {
        let kubernetes = KubernetesVersion::ALL.into_iter().find(|it| it.minor() == minor);
        shared::definitions(super::Edition::V3, true, kubernetes.expect("a known minor"))
    };
    let groups = |minor: u32| {
        let definitions = definitions_on(minor);
        let groups = &definitions[shared::DELETE_OPTIONS]["x-kubernetes-group-version-kind"];
        let groups = groups.as_array().expect("groups").iter();
        groups.map(|it| format!("{}/{}", it["group"], it["version"])).collect::<Vec<_>>()
    };
    let (old, new) = (groups(36), groups(37));
    assert_eq!((old.len(), new.len()), (53, 55));
    assert!(new.is_sorted() && new.contains(&"\"lifecycle.k8s.io\"/\"v1alpha1\"".to_owned()));
    assert!(!new.contains(&"\"scheduling.k8s.io\"/\"v1alpha2\"".to_owned()));
    let items = |minor: u32| {
        definitions_on(minor)[shared::OBJECT_META]["properties"]["ownerReferences"]["items"].clone()
    };
    let reference = "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.OwnerReference";
    assert_eq!(items(36), json!({"allOf": [{"$ref": reference}], "default": {}}));
    assert_eq!(items(37), json!({"$ref": reference}));
}
