//! Kubernetes' own kinds, and lists as `kubectl` takes them apart.

use std::fs;

use super::{Dir, Registry, run};

/// Validates a text. Returns the exit status and the output without the file's name.
fn validate(text: &str, args: &[&str]) -> (u8, String) {
    let dir = Dir::new("built-in");
    let file = dir.path().join("x.yaml");
    fs::write(&file, text).expect("writable");
    let file = file.display().to_string();
    let (status, out, err) = run(&Registry::new(), &[&["validate", &*file], args].concat());
    (status, (out + &err).replace(&format!("{file}:"), ""))
}

const DEPLOYMENT: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: web
        image: nginx
";

#[test]
fn built_in_kinds_are_validated_by_their_types() {
    let (status, out) = validate(DEPLOYMENT, &[]);
    assert_eq!((status, out.lines().last()), (0, Some("1 valid, 0 invalid")), "{out}");
    let (status, out) = validate(&DEPLOYMENT.replace("- name: web\n        ", "- "), &[]);
    assert!(
        status == 1 && out.contains("spec.template.spec.containers[0].name: Required value"),
        "{out}"
    );
    let (status, out) = validate(&format!("{DEPLOYMENT}  replicas: two\n"), &[]);
    assert!(
        status == 1 && out.contains("json: cannot unmarshal string into Go struct field"),
        "{out}"
    );
    let misspelled = DEPLOYMENT.replace("image: nginx", "imagee: nginx");
    let (status, out) = validate(&misspelled, &["--field-validation", "strict"]);
    let unknown = "unknown field \"spec.template.spec.containers[0].imagee\"";
    assert!(status == 1 && out.contains(unknown), "{out}");
    let (status, out) = validate(&misspelled, &["--field-validation", "warn"]);
    assert!(status == 0 && out.contains(unknown), "{out}");
}

#[test]
fn built_in_kinds_have_the_fields_of_a_minor() {
    let pod = "\
apiVersion: v1
kind: Pod
metadata: {name: a}
spec:
  resources: {limits: {cpu: 1}}
  containers: [{name: a}]
";
    let on = |minor| validate(pod, &["--field-validation", "strict", "--kubernetes", minor]).0;
    assert_eq!((on("1.30"), on("1.37")), (1, 0));
}

#[test]
fn parts_of_objects_and_other_versions_are_no_kinds_of_the_table() {
    let (status, out) = validate("apiVersion: v1\nkind: Container\nname: a\n", &[]);
    assert!(status == 0 && out.contains("skipped"), "{out}");
}

#[test]
fn an_object_needs_a_name() {
    let (status, out) = validate("apiVersion: v1\nkind: ConfigMap\ndata: {a: b}\n", &[]);
    assert!(status == 1 && out.contains("metadata.name: Required value"), "{out}");
    let map = "apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: a-}\n";
    assert_eq!(validate(map, &[]).0, 0);
}

#[test]
fn lists_that_kubectl_cannot_take_apart_are_errors() {
    let item = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}";
    let list = |items: &str| format!("apiVersion: v1\nkind: List\n{items}\n");
    let (status, out) = validate(&list(&format!("items:\n- {item}\n- {item}")), &[]);
    assert_eq!(status, 0, "{out}");
    // Each item has its own line.
    let lines: Vec<_> = out.lines().filter_map(|line| line.split_once(':')).collect();
    assert!(lines[0].0 == "4" && lines[1].0 == "5", "{out}");
    for items in ["items: null", "", "items: {a: b}"] {
        let (status, out) = validate(&list(items), &[]);
        assert!(status == 1 && out.contains("`items` of a List must be a list"), "{items}: {out}");
    }
    let nested = list(&format!("items: [{{apiVersion: v1, kind: List, items: [{item}]}}]"));
    let (status, out) = validate(&nested, &[]);
    assert!(status == 1 && out.contains("a list in a list"), "{out}");
    let without = format!("kind: List\nitems: [{item}]\n");
    let (status, out) = validate(&without, &[]);
    assert!(status == 3 && out.contains("Object 'apiVersion' is missing"), "{out}");
    let (status, out) = validate(&format!("apiVersion: v2\n{without}"), &[]);
    assert!(status == 1 && out.contains("no matches for kind \"List\" in version \"v2\""), "{out}");
    let cart = "apiVersion: example.com/v1\nkind: Cart\nmetadata: {name: a}\nitems: [{a: 1}]\n";
    let (status, out) = validate(cart, &[]);
    assert!(status == 1 && out.contains("rename `items`"), "{out}");
}

const CLOSED_SCHEMA: &str = r#"{"type": "object", "additionalProperties": false, "required": ["spec"], "properties": {
    "apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"},
    "spec": {"type": "object", "additionalProperties": false, "properties": {
        "size": {"type": "integer", "maximum": 3},
        "port": {"oneOf": [{"type": "string"}, {"type": "integer"}]},
        "note": {"type": ["string", "null"]}}}}}"#;

#[test]
fn schemas_of_a_catalog_are_used() {
    let dir = Dir::new("catalog");
    fs::create_dir(dir.path().join("example.com")).expect("a directory");
    let file = dir.path().join("example.com/cart_v1.json");
    fs::write(&file, CLOSED_SCHEMA).expect("writable");
    let cart = |spec: &str| {
        format!("apiVersion: example.com/v1\nkind: Cart\nmetadata: {{name: a}}\nspec: {spec}\n")
    };
    let with = |spec: &str| validate(&cart(spec), &["--crds", dir.text()]);
    assert_eq!(with("{size: 3, port: http, note: null}").0, 0);
    let (status, out) = with("{size: 4}");
    assert!(status == 1 && out.contains("should be less than or equal to 3"), "{out}");
    let (status, out) = with("{colour: red}");
    assert!(status == 1 && out.contains("unknown field \"spec.colour\""), "{out}");
    assert_eq!(validate(&cart("{size: 4}"), &[]).0, 0);
}

#[test]
fn definitions_apart_from_objects_are_not_validated() {
    let dir = Dir::new("crds");
    fs::write(dir.path().join("crd.yaml"), super::CRON_TABS).expect("writable");
    let (status, out) = validate(super::VALID, &["--crds", dir.text()]);
    assert_eq!((status, out.lines().last()), (0, Some("1 valid, 0 invalid")), "{out}");
    assert_eq!(validate(super::VALID, &["--crds", "/nowhere"]).0, 2);
}

#[test]
fn kinds_are_skipped_and_a_run_stops_at_the_first_error() {
    let bad = "apiVersion: v1\nkind: ConfigMap\nx: 1\n---\n".repeat(2) + DEPLOYMENT;
    let (status, out) = validate(&bad, &["--skip-kind", "ConfigMap"]);
    assert!(
        status == 0 && out.ends_with("1 valid, 0 invalid, 2 skipped: ConfigMap (2)\n"),
        "{out}"
    );
    assert_eq!(validate(&bad, &["--skip-kind", "ConfigMap.apps"]).0, 1);
    let (status, out) = validate(&bad, &["--fail-fast"]);
    assert!(status == 1 && out.ends_with("0 valid, 1 invalid\n"), "{out}");
}

#[test]
fn validation_is_strict_unless_warnings_are_enough() {
    let map = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nx: 1\n";
    assert_eq!((validate(map, &[]).0, validate(map, &["--warn"]).0), (1, 0));
}
