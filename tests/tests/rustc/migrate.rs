//! `crd migrate`: the migrated types compile, and their definition has what kube's derive wrote for them.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use crd_cli::migrate::migrate;
use serde_json::{Value, json};

use super::RUSTC;

/// Types for kube's derive.
const BEFORE: &str = "migrate/before.rs";
/// The same, migrated.
const AFTER: &str = "migrate/after.rs";

#[test]
fn types_of_kube_are_migrated() {
    let before = fs::read_to_string(BEFORE).unwrap();
    let migration = migrate(vec![(BEFORE.into(), before)], BTreeSet::new());
    let text = migration.files[0].text.clone().unwrap();
    if crd_tests::blesses("migrate") {
        return fs::write(AFTER, text).unwrap();
    }
    assert!(fs::read_to_string(AFTER).unwrap() == text, "BLESS=migrate writes {AFTER} anew");
    assert_eq!(migration.defaults, 6);
}

/// Defaults, bounds, rules and merge strategies are those that kube 5 and schemars 1 write for `before.rs`. Apart from
/// them, two fields are not `nullable`, a format is one that the server knows, and a set is one for the server.
#[test]
fn migrated_types_have_the_schema_of_kube() {
    let directory = tempfile::tempdir().unwrap();
    fs::copy(AFTER, directory.path().join("main.rs")).unwrap();
    let output = RUSTC.run(directory.path(), &["main.rs", "-Dwarnings"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = Command::new(directory.path().join("main")).output().unwrap();
    let derived: Value = serde_json::from_slice(&output.stdout).unwrap();
    let root = &derived["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    let rule = |rule: &str, message: &str| json!([{"rule": rule, "message": message}]);
    assert_eq!(
        root["x-kubernetes-validations"],
        rule("self.metadata.name.size() <= 40", "the name is too long")
    );
    let spec = &root["properties"]["spec"];
    let rules = rule("self.replicas <= self.limit", "too many replicas");
    assert_eq!(spec["x-kubernetes-validations"], rules);
    let is_immutable = json!([{"rule": "self == oldSelf"}]);
    let keys_are_short = rule("self.all(key, key.size() < 9)", "keys are short");
    for (field, keywords) in [
        ("env", json!({"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]})),
        ("eviction", json!({"enum": ["leastRecent", "random"]})),
        ("extra", json!({"x-kubernetes-preserve-unknown-fields": true})),
        (
            "image",
            json!({"minLength": 1, "pattern": "^[a-z./:]+$", "x-kubernetes-validations": is_immutable}),
        ),
        ("labels", json!({"maxProperties": 8, "x-kubernetes-validations": keys_are_short})),
        ("limit", json!({"default": 0})),
        ("replicas", json!({"default": 3, "minimum": 1.0, "maximum": 9.0})),
        ("weights", json!({"additionalProperties": {"type": "integer", "maximum": 100.0}})),
        ("zones", json!({"default": [], "x-kubernetes-list-type": "set"})),
    ] {
        has(&spec["properties"][field], &keywords, field);
    }
    let status = &root["properties"]["status"]["properties"];
    has(&status["phase"], &json!({"default": ""}), "phase");
    has(&status["replicas"], &json!({"default": 0}), "replicas");
    has(&status["version"], &json!({"default": "0.0", "pattern": "^[0-9]+[.][0-9]+$"}), "version");
}

/// Checks that a schema has these keywords, and no other of those that constrain values.
#[track_caller]
fn has(schema: &Value, keywords: &Value, field: &str) {
    let mut rest = schema.clone();
    let rest = rest.as_object_mut().expect(field);
    for (name, value) in keywords.as_object().expect("keywords") {
        assert_eq!(rest.remove(name).as_ref(), Some(value), "{field}: {name}");
    }
    let unsaid = ["additionalProperties", "description", "format", "items", "nullable", "type"];
    rest.retain(|name, _| !unsaid.contains(&&**name));
    assert!(rest.is_empty(), "{field}: {rest:?}");
}
