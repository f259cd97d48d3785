//! Errors of derived kinds, with the place in Rust: what only `definition::validate` finds.
#![allow(unused_qualifications, reason = "what the derives write is qualified, here as for users")]

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Registry, run};
use crate::model::{Conversion, JsonSchemaProps};
use crate::{CrdSchema, CustomResource, versions};

/// A schema with a default that it does not accept, and a type that there is not.
fn wrong() -> JsonSchemaProps {
    JsonSchemaProps { type_: "text".to_owned(), ..JsonSchemaProps::default() }
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(crate = crate, group = "example.com", version = "v1", kind = "Wrong", namespaced)]
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
#[crd(crate = crate)]
struct Part {
    #[crd(schema_with = wrong)]
    r#type: String,
    #[crd(max_items = 2)]
    sizes: Vec<Size>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(crate = crate, rule("lists.range(self.height).all(x, lists.range(x).all(y, y > 0))"))]
struct Size {
    height: i32,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(crate = crate)]
struct Common {
    #[crd(schema_with = wrong)]
    name: String,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(crate = crate)]
#[serde(tag = "kind")]
enum Choice {
    Many {
        #[crd(schema_with = wrong)]
        parts: String,
    },
}

/// The lines of the fields above, by a word in them.
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
        "\n  at {here}::Part.sizes ({file}:{}), of type {here}::Size ({file})",
        line("sizes:")
    );
    assert!(out.contains(&of_type), "{of_type} in\n{out}");
    let errors = out.lines().filter(|line| line.starts_with("* ")).count();
    let places = out.lines().filter(|line| line.starts_with("  at ")).count();
    // All but the one that is about the whole schema.
    assert_eq!(errors, places + 1, "{out}");

    let (_, out, _) = run(&Registry::new().crd::<Wrong>(), &["check", "-o", "json"]);
    let line = out.lines().next().and_then(|line| serde_json::from_str::<Value>(line).ok());
    let told = line.as_ref().map_or(&Value::Null, |line| &line["errors"][0]["at"]);
    assert!(told.as_str().is_some_and(|told| told.starts_with(here)), "{out}");

    let (_, _, err) = run(&Registry::new().crd::<Wrong>(), &["crds", "--out", "-"]);
    assert!(err.contains("WrongSpec.first_field"), "{err}");
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(crate = crate, group = "example.com", version = "v1", kind = "Task", namespaced)]
struct TaskSpec {
    run: String,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(crate = crate, group = "example.com", version = "v1beta1", kind = "Task", namespaced)]
#[crd(root = OldTask, storage = false)]
struct OldTaskSpec {
    command: String,
}

#[test]
fn versions_are_converted_as_the_code_says() {
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
