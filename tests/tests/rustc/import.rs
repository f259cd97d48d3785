//! `crd import`: the types of a definition derive back to it.

use std::fs;
use std::path::Path;

use crd_tests::import::{Options, Purpose, Report, Sharing, Subject, check, subjects};
use serde_json::{Value, json};

use super::RUSTC;

/// Objects that are generated for each version.
const OBJECTS: u64 = 100;

fn definitions(directory: &str) -> Vec<Subject> {
    let mut report = Report::default();
    let found = subjects(Path::new(directory), &mut report).expect("a directory");
    assert!(report.failed.is_empty(), "{}", report.render(0));
    found
}

/// Compiles the types of the definitions, and returns what they derive, read and write otherwise.
fn report(subjects: &[Subject], purpose: Purpose, sharing: Sharing) -> Report {
    let directory = tempfile::tempdir().expect("a directory");
    let options = Options { purpose, sharing, objects: OBJECTS };
    check(subjects, options, &directory.path().join("src"), &RUSTC).expect("the program runs")
}

/// A schema with constraints, one of which is the bound.
fn pool(bound: usize) -> Value {
    json!({
        "type": "object", "required": ["size"], "description": "A pool.",
        "properties": {
            "size": {"type": "integer", "format": "int32", "maximum": bound},
            "mode": {"type": "string", "enum": ["Fast", "Safe"], "description": "How."},
        },
    })
}

#[track_caller]
fn assert_same(report: &Report, definitions: usize) {
    let text = report.render(20);
    assert_eq!(report.equal, definitions, "{text}");
    assert!(report.failed.is_empty(), "{text}");
    assert!(report.objects.equal > 0 && report.objects.changed.is_empty(), "{text}");
}

#[test]
fn imported_types_derive_the_definition() {
    let subjects = definitions("import");
    assert!(!subjects.is_empty());
    assert_same(&report(&subjects, Purpose::Definition, Sharing::Shared), subjects.len());
}

#[test]
fn types_for_clients_keep_objects() {
    let subjects = definitions("import");
    assert_same(&report(&subjects, Purpose::Client, Sharing::Shared), subjects.len());
}

#[test]
fn a_file_that_is_not_yaml_is_named() {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("chart.yaml"), "{{- if .Values.crds }}\nkind: x\n").unwrap();
    let mut report = Report::default();
    assert!(subjects(directory.path(), &mut report).unwrap().is_empty());
    let [(file, error)] = &report.failed[..] else { panic!("{:?}", report.failed) };
    assert!(file.ends_with("chart.yaml") && error.contains("line 1"), "{file}: {error}");
}

/// Two kinds with one type, which is in a module of its own.
#[test]
fn kinds_share_types() {
    let with_pools = |kind: &str| {
        let plural = format!("{}s", kind.to_lowercase());
        let properties = json!({
            "pool": pool(9),
            "own": pool(kind.len()),
            "pools": {"type": "array", "items": pool(9)},
        });
        let spec = json!({"type": "object", "properties": properties});
        let schema = json!({"type": "object", "properties": {"spec": spec}});
        let versions = ["v1", "v1beta1"].map(|name| {
            let is_stored = name == "v1";
            json!({
                "name": name, "served": true, "storage": is_stored,
                "schema": {"openAPIV3Schema": schema},
            })
        });
        json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": format!("{plural}.import.example.com")},
            "spec": {
                "group": "import.example.com", "scope": "Namespaced",
                "names": {"kind": kind, "plural": plural}, "versions": versions,
            },
        })
    };
    let subjects = ["Cluster", "Zone"].map(|kind| {
        let definition = with_pools(kind);
        Subject { file: kind.to_owned(), definition }
    });
    let report = report(&subjects, Purpose::Definition, Sharing::Shared);
    assert_same(&report, subjects.len());
    // The pool and its mode, but not the pools of other bounds.
    assert_eq!(report.shared_types, 2);
}

#[test]
fn manifests_of_derived_kinds_come_back() {
    let subjects = definitions("../examples/crds");
    assert!(subjects.len() > 3);
    assert_same(&report(&subjects, Purpose::Definition, Sharing::Apart), subjects.len());
}

/// The types that `crd import` recognizes by their schemas.
#[test]
fn known_types_have_their_schemas() {
    use crd_runtime::CrdSchema;
    use k8s_openapi::api::core::v1 as core;
    use k8s_openapi::apimachinery::pkg::apis::meta::v1 as meta;

    fn of<T: CrdSchema>() -> (String, Value) {
        // Each type is in a private module of its own, below the version of Kubernetes, and public one level up.
        let path = std::any::type_name::<T>().split("::");
        let path: Vec<_> = path.filter(|segment| !segment.starts_with("v1_")).collect();
        let (name, modules) = path.split_last().unwrap();
        let path = [&modules[..modules.len() - 1], &[*name]].concat().join("::");
        let mut schema = serde_json::to_value(T::schema()).unwrap();
        without_descriptions(&mut schema);
        (path, schema)
    }

    fn without_descriptions(schema: &mut Value) {
        let Value::Object(schema) = schema else { return };
        schema.remove("description");
        for inner in ["items", "additionalProperties"] {
            schema.get_mut(inner).map(without_descriptions);
        }
        if let Some(Value::Object(properties)) = schema.get_mut("properties") {
            properties.values_mut().for_each(without_descriptions);
        }
    }

    let types: serde_json::Map<String, Value> = [
        of::<meta::Condition>(),
        of::<meta::LabelSelector>(),
        of::<meta::LabelSelectorRequirement>(),
        of::<core::ConfigMapKeySelector>(),
        of::<core::LocalObjectReference>(),
        of::<core::NodeAffinity>(),
        of::<core::NodeSelector>(),
        of::<core::NodeSelectorTerm>(),
        of::<core::ObjectFieldSelector>(),
        of::<core::ObjectReference>(),
        of::<core::PodAffinity>(),
        of::<core::PodAntiAffinity>(),
        of::<core::SecretKeySelector>(),
        of::<core::SecretReference>(),
        of::<core::Toleration>(),
        of::<core::TopologySpreadConstraint>(),
        of::<core::TypedLocalObjectReference>(),
        of::<core::TypedObjectReference>(),
    ]
    .into_iter()
    .collect();
    let written = format!("{}\n", serde_json::to_string(&types).unwrap());
    let file = "../crates/crd-cli/src/import/known.json";
    if crd_tests::blesses("known-types") {
        return fs::write(file, written).unwrap();
    }
    assert!(fs::read_to_string(file).unwrap() == written, "BLESS=known-types writes {file} anew");
}
