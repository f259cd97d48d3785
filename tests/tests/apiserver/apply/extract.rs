//! The configurations that managers extract from an object that a real API server has merged.
//!
//! `recorded.json` holds what managers applied to `super::kinds::Widget`, in order, and the object after that.

use crd_runtime::apply::ApplyConfiguration as _;
use crd_runtime::managed_fields::{self, Error, FieldSet};
use crd_runtime::model::JsonSchemaProps;
use serde_json::{Value, json};

use super::kinds::{Widget, WidgetApply};

/// Returns the object that the server has merged.
fn recorded() -> Value {
    let recorded: Value = serde_json::from_str(include_str!("recorded.json")).unwrap();
    recorded["object"].clone()
}

/// Returns the configuration that the manager applied last.
fn applied(manager: &str, subresource: &str) -> Value {
    let recorded: Value = serde_json::from_str(include_str!("recorded.json")).unwrap();
    let steps = recorded["steps"].as_array().unwrap();
    let step = steps.iter().rfind(|step| {
        step["manager"] == manager
            && step["subresource"].as_str().unwrap_or_default() == subresource
    });
    let mut config = step.unwrap()["body"].clone();
    config["apiVersion"] = "example.com/v1".into();
    config["kind"] = "Widget".into();
    config["metadata"]["namespace"] = "default".into();
    config
}

fn json(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap()
}

/// Extracts from the typed object and from JSON; both configurations must be equal.
#[track_caller]
fn extract(manager: &str, subresource: &str) -> Value {
    let object: Widget = serde_json::from_value(recorded()).unwrap();
    let typed = WidgetApply::extract_subresource(&object, manager, subresource).unwrap();
    let raw = WidgetApply::extract_value(&recorded(), manager, subresource).unwrap();
    assert_eq!(typed, raw);
    json(&typed)
}

#[test]
fn fields_that_others_have_taken_over_are_not_extracted() {
    let mut want = applied("first", "");
    let spec = want["spec"].as_object_mut().unwrap();
    // Other managers own these fields now, by force and by an update.
    for taken in ["replicas", "args", "image"] {
        spec.remove(taken);
    }
    assert_eq!(extract("first", ""), want);
}

#[test]
fn a_key_with_its_default_is_extracted() {
    let mut want = applied("second", "");
    want["spec"]["ports"][1]["protocol"] = "TCP".into();
    assert_eq!(extract("second", ""), want);
}

#[test]
fn an_atomic_list_is_extracted_as_a_whole() {
    assert_eq!(extract("third", ""), applied("third", ""));
}

#[test]
fn an_empty_map_that_others_have_filled_is_extracted_as_empty() {
    let mut want = applied("fourth", "");
    want["metadata"].as_object_mut().unwrap().remove("annotations");
    // The server keeps no owner for an empty list.
    want["spec"].as_object_mut().unwrap().remove("ports");
    assert_eq!(want["spec"]["limits"], json!({}));
    assert_eq!(extract("fourth", ""), want);
}

#[test]
fn a_status_is_extracted_by_its_subresource() {
    for manager in ["first", "second"] {
        assert_eq!(extract(manager, "status"), applied(manager, "status"));
    }
    let object: Widget = serde_json::from_value(recorded()).unwrap();
    let status = WidgetApply::extract_status(&object, "first").unwrap();
    assert_eq!(json(&status), applied("first", "status"));
}

#[test]
fn a_manager_without_applied_fields_gets_only_the_name() {
    let name = json!({
        "apiVersion": "example.com/v1",
        "kind": "Widget",
        "metadata": {"name": "w", "namespace": "default"},
    });
    for manager in ["editor", "nobody"] {
        assert_eq!(extract(manager, ""), name, "{manager}");
    }
}

fn schema() -> JsonSchemaProps {
    serde_json::from_value(json!({
        "type": "object",
        "properties": {"spec": {"type": "object", "properties": {
            "size": {"type": "integer"},
            "list": {
                "type": "array",
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["id"],
                "items": {"type": "object", "properties": {
                    "id": {"type": "integer"},
                    "name": {"type": "string"},
                }},
            },
            "set": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "number"}},
            "now": {"type": "object", "x-kubernetes-map-type": "atomic", "properties": {"a": {"type": "integer"}}},
            "open": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
            "template": {"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true},
        }}},
    }))
    .unwrap()
}

/// Extracts these fields from a spec.
fn part(spec: &Value, fields: &Value) -> Result<Value, Error> {
    let object = json!({"metadata": {"managedFields": [
        {"manager": "m", "operation": "Update", "fieldsV1": {"f:spec": {"f:size": {}}}},
        {"manager": "m", "operation": "Apply", "fieldsV1": {"f:spec": fields}},
    ]}, "spec": spec});
    let mut extracted = managed_fields::extract(&object, &schema(), "m", "")?;
    Ok(extracted["spec"].take())
}

#[test]
fn fields_and_items() {
    for (spec, fields, want) in [
        // `1` and `1.0` are the same key.
        (
            json!({"list": [{"id": 1.0, "name": "a"}, {"id": 2, "name": "b"}]}),
            json!({"f:list": {r#"k:{"id":1}"#: {".": {}, "f:id": {}, "f:name": {}}}}),
            json!({"list": [{"id": 1.0, "name": "a"}]}),
        ),
        (
            json!({"set": [1.5, 2.0, 3]}),
            json!({"f:set": {"v:2": {}, "v:1.5": {}}}),
            json!({"set": [1.5, 2.0]}),
        ),
        // Of an owned item without owned fields, the keys are extracted.
        (
            json!({"list": [{"id": 1, "name": "a"}]}),
            json!({"f:list": {r#"k:{"id":1}"#: {}}}),
            json!({"list": [{"id": 1}]}),
        ),
        // Owned items that no longer exist.
        (
            json!({"list": []}),
            json!({"f:list": {r#"k:{"id":1}"#: {"f:id": {}}}}),
            json!({"list": []}),
        ),
        (json!({"size": 1}), json!({"f:list": {r#"k:{"id":1}"#: {"f:id": {}}}}), json!(null)),
        // A map that has become atomic is owned as a whole.
        (
            json!({"now": {"a": 1, "b": 2}}),
            json!({"f:now": {"f:a": {}}}),
            json!({"now": {"a": 1, "b": 2}}),
        ),
        (json!({"now": {"a": 1}}), json!({"f:now": {}}), json!({"now": {"a": 1}})),
        // Without a schema objects are owned by fields, and lists as a whole.
        (
            json!({"open": {"a": {"b": 1, "c": 2}, "d": [{"e": 1}]}}),
            json!({"f:open": {"f:a": {"f:b": {}}, "f:d": {}}}),
            json!({"open": {"a": {"b": 1}, "d": [{"e": 1}]}}),
        ),
        // Metadata of an embedded object has the schema of all metadata.
        (
            json!({"template": {"kind": "K", "metadata": {"finalizers": ["a", "b"]}, "x": [1]}}),
            json!({"f:template": {"f:kind": {}, "f:metadata": {"f:finalizers": {r#"v:"b""#: {}}}, "f:x": {}}}),
            json!({"template": {"kind": "K", "metadata": {"finalizers": ["b"]}, "x": [1]}}),
        ),
        // An applied `null` that the server pruned.
        (json!({"list": [{"id": 1}]}), json!({"f:size": {}}), json!(null)),
        // Kinds of path elements that a later version may have.
        (json!({"size": 1}), json!({"f:size": {}, "z:new": {}}), json!({"size": 1})),
        // An index names no item of a list that has owners by item.
        (json!({"list": [{"id": 1}]}), json!({"f:list": {"i:0": {}}}), json!(null)),
    ] {
        assert_eq!(part(&spec, &fields), Ok(want), "{spec} {fields}");
    }
}

#[test]
fn errors_of_an_extraction_have_a_reason() {
    for (spec, fields, want) in [
        (json!({}), json!([]), "fieldsV1 at /f:spec: must be an object"),
        (
            json!({}),
            json!({"size": {}}),
            "fieldsV1 at /f:spec/size: must be one letter, a colon and what it names, such as `f:spec`",
        ),
        (
            json!({}),
            json!({"v:{": {}}),
            "fieldsV1 at /f:spec/v:{: EOF while parsing an object at line 1 column 1",
        ),
        (
            json!({}),
            json!({"k:1": {}}),
            "fieldsV1 at /f:spec/k:1: the keys of an item must be an object",
        ),
        (json!({}), json!({"i:x": {}}), "fieldsV1 at /f:spec/i:x: an index must be an integer"),
        (
            json!({"list": [{"name": "a"}]}),
            json!({"f:list": {r#"k:{"id":1}"#: {}}}),
            ".spec.list: item 0 has none of the keys id",
        ),
        (
            json!({"list": [{"id": 1}, {"id": 1.0}]}),
            json!({"f:list": {r#"k:{"id":1}"#: {}}}),
            ".spec.list: [id=1] occurs twice",
        ),
        (
            json!({"list": [{"id": 1, "name": "a"}], "open": {}}),
            json!({"f:new": {}, "f:open": {"f:x": {}}, "f:list": {r#"k:{"id":1}"#: {"f:new": {}}}}),
            "the manager owns fields that the type does not know: .spec.list[id=1].new, .spec.new, \
             .spec.open.x; applying without them would delete them: add them to the type, or read the object \
             in the version that has them",
        ),
    ] {
        assert_eq!(part(&spec, &fields).unwrap_err().to_string(), want, "{spec} {fields}");
    }
}

#[test]
fn a_set_of_fields_too_deep_is_rejected() {
    let mut fields = json!({});
    for _ in 0..1_000 {
        fields = json!({"f:a": fields});
    }
    let error = FieldSet::parse(&fields).unwrap_err().to_string();
    assert!(error.ends_with("nests deeper than 500 levels"), "{error}");
}

#[test]
fn leaves_are_printed_as_the_server_prints_them() {
    let fields = json!({"f:a": {".": {}, "f:b": {}, r#"k:{"y":"q","x":1}"#: {".": {}}, r#"v:"s""#: {}, "i:3": {}}});
    assert_eq!(
        FieldSet::parse(&fields).unwrap().leaves(),
        [".a.b", r#".a[x=1,y="q"]"#, r#".a[="s"]"#, ".a[3]"],
    );
}

/// Returns the widget with a field below `at` that the type does not have, and that the manager owns.
fn with_unknown(at: &str) -> Value {
    let mut object = recorded();
    object["spec"][at]["unknown"] = json!(1);
    let entries = object["metadata"]["managedFields"].as_array_mut().unwrap();
    entries.retain(|entry| entry["manager"] == "first" && entry["subresource"].is_null());
    entries[0]["fieldsV1"] = json!({"f:spec": {format!("f:{at}"): {"f:unknown": {}}}});
    object
}

#[test]
fn fields_that_the_type_does_not_have_are_an_error() {
    let object = with_unknown("main");
    let raw = WidgetApply::extract_value(&object, "first", "").unwrap_err();
    assert_eq!(raw, Error::Dropped { fields: vec![".spec.main.unknown".into()] });
    let typed: Widget = serde_json::from_value(object).unwrap();
    let typed = WidgetApply::extract(&typed, "first").unwrap_err();
    assert_eq!(typed, Error::Undeclared { fields: vec![".spec.main.unknown".into()] });
}

#[test]
fn an_enum_with_two_variants_cannot_be_extracted() {
    let mut object = recorded();
    object["spec"]["action"] = json!({"scale": {"size": 1}, "call": {"url": "u"}});
    let entries = object["metadata"]["managedFields"].as_array_mut().unwrap();
    entries[0]["fieldsV1"] =
        json!({"f:spec": {"f:action": {"f:scale": {}, "f:call": {"f:url": {}}}}});
    let manager = entries[0]["manager"].as_str().unwrap().to_owned();
    let subresource = entries[0]["subresource"].as_str().unwrap_or_default().to_owned();
    let error = WidgetApply::extract_value(&object, &manager, &subresource).unwrap_err();
    assert!(matches!(error, Error::Mismatch { .. }), "{error}");
}
