//! `crd import`: the types of a definition derive back to it.

use std::fs;
use std::process::Command;

use crd_cli::import::{Imported, Proof, Purpose, import};
use serde_json::Value;

use super::RUSTC;

/// Returns the definitions in a directory, each with its file.
fn definitions(directory: &str) -> Vec<(String, Value)> {
    let mut files: Vec<_> = fs::read_dir(directory)
        .expect("a directory")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    let definitions = files.into_iter().map(|file| {
        let bytes = fs::read(&file).expect("a file");
        let document = crd_runtime::yaml::document(&bytes).expect("YAML").expect("a document");
        (file.display().to_string(), document.value)
    });
    definitions.collect()
}

/// Compiles and runs the types of the definitions, and returns what they derive otherwise, a line for each difference.
fn differences(definitions: &[(String, Value)]) -> Vec<String> {
    let imported: Vec<Imported> = definitions
        .iter()
        .map(|(file, definition)| {
            import(definition, Purpose::Definition)
                .unwrap_or_else(|error| panic!("{file}: {error}"))
        })
        .collect();
    let proof = Proof::new(definitions.iter().map(|(_, definition)| definition).zip(&imported));
    let directory = tempfile::tempdir().expect("a directory");
    for (path, text) in proof.files() {
        let wide = text.lines().find(|line| line.chars().count() > 100 && !line.contains("http"));
        assert_eq!(wide, None, "{}", path.display());
        let path = directory.path().join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(path, text).expect("written");
    }
    let output = RUSTC.run(directory.path(), &["main.rs", "-Dwarnings", "-Adead_code"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let output = Command::new(directory.path().join("main")).output().expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found = proof
        .differences(&String::from_utf8_lossy(&output.stdout))
        .expect("what the program prints");
    let files = definitions.iter().map(|(file, _)| file);
    let lines = files.zip(found).flat_map(|(file, found)| {
        found.into_iter().map(move |it| format!("{file}: {}: {}", it.path, it.text))
    });
    lines.collect()
}

#[test]
fn imported_types_derive_the_definition() {
    let definitions = definitions("import");
    assert!(!definitions.is_empty());
    assert_eq!(differences(&definitions), Vec::<String>::new());
}

#[test]
fn manifests_of_derived_kinds_come_back() {
    let definitions = definitions("../examples/crds");
    assert!(definitions.len() > 3);
    assert_eq!(differences(&definitions), Vec::<String>::new());
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
