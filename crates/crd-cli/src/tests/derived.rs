//! Errors of derived kinds that only `definition::validate` finds, with their places in Rust.
#![allow(unused_qualifications, reason = "the derives write qualified paths")]

use crd_runtime::{CrdSchema, CustomResource, versions};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Registry, run};
use crate::model::{Conversion, JsonSchemaProps};

/// Returns a schema with an unknown type.
fn wrong() -> JsonSchemaProps {
    JsonSchemaProps { type_: "text".to_owned(), ..JsonSchemaProps::default() }
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Wrong", namespaced, test = false)]
#[serde(rename_all = "camelCase")]
struct WrongSpec {
    #[crd(schema_with = wrong)]
    first_field: String,
    nested_parts: Vec<Part>,
    #[serde(flatten)]
    common: Common,
    choice: Choice,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Part {
    #[crd(schema_with = wrong)]
    r#type: String,
    #[crd(max_items = 2)]
    sizes: Vec<Size>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("self.names.all(x, self.names.all(y, x == y))"))]
struct Size {
    #[crd(schema_with = texts)]
    names: Vec<String>,
}

/// Returns the schema of a list without a bound.
fn texts() -> JsonSchemaProps {
    Vec::<String>::schema()
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Common {
    #[crd(schema_with = wrong)]
    name: String,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(tag = "kind")]
enum Choice {
    Many {
        #[crd(schema_with = wrong)]
        parts: String,
    },
}

/// Returns the number of the first line of this file that begins with a text, without its indentation.
fn line(of: &str) -> usize {
    let lines = include_str!("derived.rs").lines();
    lines.clone().position(|line| line.trim_start().starts_with(of)).map_or(0, |index| index + 1)
}

#[test]
fn errors_name_type_field_and_line() {
    let (status, out, err) = run(&Registry::new().crd::<Wrong>(), &["check"]);
    assert_eq!((status, err.as_str()), (1, ""));
    let here = module_path!();
    let file = file!();
    let at = |path: &str, field: &str| {
        let want = format!("{here}::{path} ({file}:{})", line(field));
        let path = format!("\n  at {want}");
        assert!(out.contains(&path), "{path} in\n{out}");
    };
    at("WrongSpec.first_field", "first_field:");
    at("Part.type", "r#type:");
    at("Common.name", "name:");
    at("Choice::Many.parts", "parts:");
    let of_type = format!(
        "\n  at {here}::Part.sizes ({file}:{}), of type {here}::Size ({file}:{})",
        line("sizes:"),
        line("struct Size")
    );
    assert!(out.contains(&of_type), "{of_type} in\n{out}");
    let errors = out.lines().filter(|line| line.starts_with("* ")).count();
    let places = out.lines().filter(|line| line.starts_with("  at ")).count();
    // All errors have a place, except for the one about the whole schema.
    assert_eq!(errors, places + 1, "{out}");

    let (_, out, _) = run(&Registry::new().crd::<Wrong>(), &["check", "-o", "json"]);
    let line = out.lines().next().and_then(|line| serde_json::from_str::<Value>(line).ok());
    let at = line.as_ref().map_or(&Value::Null, |line| &line["errors"][0]["at"]);
    assert!(at.as_str().is_some_and(|at| at.starts_with(here)), "{out}");

    let (_, _, err) = run(&Registry::new().crd::<Wrong>(), &["crds", "--out", "-"]);
    assert!(err.contains("WrongSpec.first_field"), "{err}");
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Pool", namespaced)]
#[crd(
    rule("self.limits.most > 1", unchecked("reported by `check`")),
    rule("!has(self.least) || self.least > 1"),
    rule("self.ports.all(port, port > 0)", unchecked("reported by `check`")),
    rule("self.labels.app == 'a'")
)]
#[crd(root_rule("self.metadata.name != 'x' && self.spec.ports.size() < 3"))]
struct PoolSpec {
    limits: Limits,
    least: Option<u8>,
    #[crd(max_items = 5)]
    ports: Vec<Option<i32>>,
    #[crd(default = 1)]
    filled_in: i32,
    labels: std::collections::BTreeMap<String, String>,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Stage", list_kind = "Stages", namespaced)]
#[crd(short_name = "po")]
#[crd(allow(kind_name, reason = "older than the convention"))]
#[crd(allow(missing_description, reason = "a test"))]
#[serde(rename_all = "camelCase")]
struct StageSpec {
    #[crd(allow(phase_name, reason = "clients read it"))]
    start_phase: String,
    end_phase: String,
    #[crd(allow(no_such_lint, reason = "a typo"))]
    parts: Vec<StagePart>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(allow(float_field, reason = "measured"))]
struct StagePart {
    weight: f64,
    start_timestamp: String,
}

#[test]
fn lints_are_allowed_in_rust() {
    let registry = Registry::new().crd::<Stage>();
    let (status, out, err) = run(&registry, &["lint", "-o", "json"]);
    assert_eq!((status, err.as_str()), (1, ""), "{out}");
    let found = out.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let found: Vec<(String, String)> = found
        .filter(|line| line.get("id").is_some())
        .map(|line| (line["id"].to_string(), line["value"].to_string()))
        .map(|(id, value)| (id.replace('"', ""), value.replace('"', "")))
        .collect();
    let want = [
        ("taken_short_name", ""),
        ("phase_name", "spec.endPhase"),
        ("missing_list_type", "spec.parts"),
        ("field_name", "spec.parts[].start_timestamp"),
        ("timestamp_name", "spec.parts[].start_timestamp"),
        ("unknown_lint", "null"),
    ];
    let want = want.map(|(id, value)| (id.to_owned(), value.to_owned()));
    assert_eq!(found, want, "{out}");
    let (_, out, _) = run(&registry, &["lint"]);
    let place = format!(
        "{}:{}: error[unknown_lint]: stages.example.com: ",
        file!(),
        line("parts: Vec<StagePart>")
    );
    assert!(out.contains(&place), "{place} in {out}");
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Limits {
    most: Option<u8>,
}

#[test]
fn rules_that_reject_what_the_schema_allows_are_reported() {
    let registry = Registry::new().crd::<Pool>();
    let only =
        ["--allow", "all", "--warn", "optional_field_in_rule", "--warn", "null_element_in_rule"];
    let (status, out, err) = run(&registry, &[&["lint"], &only[..]].concat());
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    let here = module_path!();
    let file = file!();
    let warnings: Vec<_> = out.lines().filter(|line| line.contains("warning[")).collect();
    assert_eq!(warnings.len(), 3, "{out}");
    for (warning, want) in warnings.iter().zip([
        "[optional_field_in_rule]: pools.example.com: spec: the rule `self.limits.most > 1` fails if `limits.most` is",
        "[null_element_in_rule]: pools.example.com: spec: the rule `self.ports.all(port, port > 0)` fails if an element",
        "[optional_field_in_rule]: pools.example.com: spec: the rule `self.labels.app == 'a'` fails if `labels.app` is",
    ]) {
        assert!(warning.contains(want) && warning.starts_with(file), "{warning}");
    }
    let at = format!("\n  at: {here}::PoolSpec ({file}:{})\n", line("struct PoolSpec"));
    assert!(out.contains(&at), "{out}");
    // The help of a lint is printed once.
    assert_eq!(out.matches("\n  help: ").count(), 2, "{out}");
    assert!(out.contains("help: `#[crd(rule("), "{out}");
    assert!(out.ends_with("0 errors, 3 warnings, 0 notes\n"), "{out}");

    let deny = [&["lint", "--deny", "warnings", "-o", "json"], &only[..2]].concat();
    let (status, out, _) =
        run(&registry, &[&deny[..], &["--deny", "null_element_in_rule"]].concat());
    assert_eq!(status, 1, "{out}");
    let line = out.lines().next().and_then(|line| serde_json::from_str::<Value>(line).ok());
    let line = line.unwrap_or_default();
    assert_eq!((&line["id"], &line["severity"]), (&"null_element_in_rule".into(), &"error".into()));
    let path =
        "spec.versions[0].schema.openAPIV3Schema.properties[spec].x-kubernetes-validations[2].rule";
    assert_eq!(line["field"], path);
    assert_eq!((&line["value"], &line["versions"][0]), (&"spec".into(), &"v1".into()));
    assert!(line["at"].as_str().is_some_and(|at| at.contains("PoolSpec")), "{out}");

    let (_, out, _) = run(&registry, &[&["lint", "-o", "sarif"], &only[..]].concat());
    let log: Value = serde_json::from_str(&out).unwrap_or_default();
    let results = &log["runs"][0]["results"];
    assert_eq!(results[0]["ruleId"], "optional_field_in_rule", "{out}");
    assert_eq!(results[0]["level"], "warning");
    let location = &results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert!(location.as_str().is_some_and(|uri| uri.ends_with("derived.rs")), "{out}");
    let rule = &log["runs"][0]["tool"]["driver"]["rules"][0];
    assert_eq!(
        rule["shortDescription"]["text"],
        "a rule that reads an optional field without a test"
    );
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Task", namespaced)]
struct TaskSpec {
    run: String,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1beta1", kind = "Task", namespaced)]
#[crd(root = OldTask, storage = false)]
struct OldTaskSpec {
    command: String,
}

#[test]
fn versions_have_the_conversion_of_the_code() {
    let conversion = Conversion::service("ns", "tasks").path("/convert");
    let registry = Registry::new().crd_versions_with::<(Task, OldTask)>(conversion);
    let (status, out, err) = run(&registry, &["crds", "--out", "-"]);
    assert_eq!(status, 0, "{err}");
    assert!(out.contains("strategy: Webhook") && out.contains("name: tasks"), "{out}");
    let registry = Registry::new().crd_versions::<versions!(Task, OldTask)>();
    let (status, out, err) = run(&registry, &["crds", "--out", "-"]);
    assert_eq!(status, 0, "{err}");
    assert!(out.contains("strategy: None"), "{out}");
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Errand", namespaced)]
struct ErrandSpec {
    command: String,
}

/// A manifest with the versions `v1`, of another schema, and `v1beta1`.
const ERRANDS: &str = "
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: errands.example.com, labels: {app: errands}}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Errand, plural: errands}
  conversion:
    strategy: Webhook
    webhook:
      clientConfig: {service: {namespace: a, name: b}}
      conversionReviewVersions: [v1]
  versions:
  - {name: v1beta1, served: true, storage: false, schema: {openAPIV3Schema: {type: object, description: old}}}
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, description: replaced}}}
";

#[test]
fn a_derived_version_joins_those_of_a_manifest() {
    let registry = Registry::new().crd_into::<Errand>(ERRANDS);
    let crd = registry.crds[0].as_ref().expect("a CRD");
    let spec = &crd["spec"];
    assert_eq!(spec["versions"][0]["name"], "v1");
    let schema = &spec["versions"][0]["schema"]["openAPIV3Schema"];
    assert_eq!(schema["properties"]["spec"]["properties"]["command"]["type"], "string");
    assert_eq!(spec["versions"][1]["schema"]["openAPIV3Schema"]["description"], "old");
    assert_eq!(spec["conversion"]["strategy"], "Webhook");
    assert_eq!(crd["metadata"]["labels"]["app"], "errands");
    let (status, _, err) = run(&registry, &["check"]);
    assert_eq!((status, err.as_str()), (0, ""));
}

#[test]
fn a_manifest_of_another_kind_is_an_error() {
    for (manifest, want) in [
        (
            ERRANDS.replace("kind: Errand,", "kind: Job,"),
            "`kind` is `Errand` in version `v1` and `Job`",
        ),
        (
            ERRANDS.replace(
                "{name: v1beta1, served: true, storage: false",
                "{name: v1beta1, served: true, storage: true",
            ),
            "storage versions",
        ),
        ("a: [".to_owned(), "the manifest for `errands.example.com`"),
        (String::new(), "the manifest for `errands.example.com`: it is empty"),
    ] {
        let (status, _, err) =
            run(&Registry::new().crd_into::<Errand>(&manifest), &["crds", "--out", "-"]);
        assert!(status != 0 && err.contains(want), "{err}");
    }
}
