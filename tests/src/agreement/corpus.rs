//! The rules of recorded definitions.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::Case;
use crate::conformance::{Report, cases};

/// Keys of a schema whose value is one schema.
const SINGLE_SCHEMA_KEYS: [&str; 2] = ["items", "additionalProperties"];

/// Returns every distinct rule of the files of a directory, in order, with the schema that has it. Rules that the
/// server rejects are included.
pub fn corpus(dir: &Path) -> Vec<Case> {
    let mut found = CaseCollector::default();
    for schema in schemas(dir) {
        found.schema(&schema, true);
    }
    found.cases
}

/// Returns the distinct schemas of the definitions in a directory, in order.
pub(super) fn schemas(dir: &Path) -> Vec<Value> {
    let mut all = Vec::new();
    let mut report = Report::default();
    for (_, case) in cases(dir, "kubernetes.jsonl", &mut report) {
        all.extend(versions(&case["crd"]));
    }
    for (_, case) in cases(dir, "cel/crd-rules.jsonl", &mut report) {
        all.push(case["schema"].clone());
    }
    let openshift = std::fs::read(dir.join("openshift-crds.json")).ok();
    let openshift =
        openshift.and_then(|text| serde_json::from_slice::<Map<String, Value>>(&text).ok());
    for case in openshift.iter().flat_map(Map::values) {
        all.extend(versions(&case["crd"]));
    }
    let mut seen = BTreeSet::new();
    all.retain(|schema| seen.insert(schema.to_string()));
    all
}

fn versions(crd: &Value) -> impl Iterator<Item = Value> {
    let versions = crd["spec"]["versions"].as_array().into_iter().flatten();
    versions.map(|version| version["schema"]["openAPIV3Schema"].clone())
}

/// The rules of the Kubernetes documentation, from the tables of the tests that run them.
pub fn documented() -> Vec<Case> {
    let tables = [
        include_str!("../../tests/engine/rules/examples.jsonl"),
        include_str!("../../tests/engine/rules/functions.jsonl"),
        include_str!("../../tests/engine/rules/transitions.jsonl"),
        include_str!("../../tests/engine/rules/types.jsonl"),
    ];
    let mut found = CaseCollector::default();
    for line in tables.iter().flat_map(|table| table.lines()) {
        let Ok(row) = serde_json::from_str::<Value>(line) else { continue };
        let (schema, root) = match (&row["root"], &row["fields"]) {
            (Value::Null, Value::Null) => (row["schema"].clone(), false),
            (Value::Null, fields) => (json!({"type": "object", "properties": fields}), false),
            (root, _) => (root.clone(), true),
        };
        let mut rule = match &row["with"] {
            with @ Value::Object(_) => with.clone(),
            _ => json!({}),
        };
        rule["rule"] = row["rule"].clone();
        found.rule(&expanded(&schema), root, &rule);
    }
    found.cases
}

/// Expands the short names of schemas in the tables, such as `$int`, to the keywords that determine types.
fn expanded(schema: &Value) -> Value {
    let typed = |type_: &str, format: &str| json!({"type": type_, "format": format});
    match schema {
        Value::String(name) => match name.as_str() {
            "$bool" => typed("boolean", ""),
            "$int" => typed("integer", ""),
            "$number" => typed("number", ""),
            "$string" => typed("string", ""),
            "$time" => typed("string", "date-time"),
            "$date" => typed("string", "date"),
            "$duration" => typed("string", "duration"),
            "$bytes" => typed("string", "byte"),
            "$ints" => json!({"type": "array", "items": typed("integer", "")}),
            "$strings" | "$set" => json!({"type": "array", "items": typed("string", "")}),
            _ => schema.clone(),
        },
        Value::Object(members) => {
            members.iter().map(|(name, value)| (name.clone(), expanded(value))).collect()
        }
        other => other.clone(),
    }
}

/// Collects the cases of distinct rules.
#[derive(Default)]
struct CaseCollector {
    cases: Vec<Case>,
    seen: BTreeSet<(String, Option<String>)>,
}

impl CaseCollector {
    fn schema(&mut self, schema: &Value, root: bool) {
        let Value::Object(members) = schema else { return };
        for rule in
            members.get("x-kubernetes-validations").and_then(Value::as_array).into_iter().flatten()
        {
            self.rule(schema, root, rule);
        }
        for key in SINGLE_SCHEMA_KEYS {
            if let Some(inner) = members.get(key) {
                self.schema(inner, false);
            }
        }
        for inner in members.get("properties").and_then(Value::as_object).into_iter().flatten() {
            self.schema(inner.1, false);
        }
    }

    fn rule(&mut self, schema: &Value, root: bool, rule: &Value) {
        let Some(text) = rule["rule"].as_str().filter(|text| !text.trim().is_empty()) else {
            return;
        };
        let message = rule["messageExpression"].as_str().filter(|text| !text.trim().is_empty());
        if !self.seen.insert((text.to_owned(), message.map(str::to_owned))) {
            return;
        }
        self.cases.push(Case {
            schema: without_rules(schema),
            root,
            rule: text.to_owned(),
            message: message.map(str::to_owned),
            optional_old_self: rule["optionalOldSelf"] == json!(true),
            change: "",
        });
    }
}

/// Returns the schema with only the keywords that determine types and sizes.
fn without_rules(schema: &Value) -> Value {
    const KEPT: [&str; 14] = [
        "type",
        "format",
        "properties",
        "items",
        "additionalProperties",
        "required",
        "nullable",
        "maxItems",
        "maxLength",
        "maxProperties",
        "enum",
        "x-kubernetes-int-or-string",
        "x-kubernetes-preserve-unknown-fields",
        "x-kubernetes-embedded-resource",
    ];
    let Value::Object(members) = schema else { return schema.clone() };
    let kept =
        members.iter().filter(|(key, _)| KEPT.contains(&key.as_str())).map(|(key, value)| {
            let value = match (key.as_str(), value) {
                ("properties", Value::Object(properties)) => properties
                    .iter()
                    .map(|(name, schema)| (name.clone(), without_rules(schema)))
                    .collect::<Map<_, _>>()
                    .into(),
                ("items" | "additionalProperties", value) => without_rules(value),
                (_, value) => value.clone(),
            };
            (key.clone(), value)
        });
    Value::Object(kept.collect())
}
