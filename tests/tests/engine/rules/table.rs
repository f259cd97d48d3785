//! The rows of the Kubernetes documentation on validation rules, one line each: the schema is accepted, the
//! good object is admitted and the bad one gets exactly this error.
//!
//! A row names the schema with one of `fields` (of `spec`), `schema` (`spec` itself) or `root` (the object),
//! to which `rule` is added. `with` has the other fields of the rule. `old` is the stored object of an update.
//! The error is `spec: Invalid value: failed rule: …` unless `error` gives another. A row with `rejected` has
//! no objects: it gives the first error of a schema that is not accepted. `why` explains a surprising row. It
//! is needed if there is no bad object, because the rule holds for every object that the schema allows.
//!
//! Source: the pages of the Kubernetes documentation on custom resource definitions and on CEL.

use crd_runtime::admit;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{errors, object, root_kind, schema_errors, stored};

/// The placeholder of the rule in the errors of a row.
const RULE: &str = "{rule}";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    rule: String,
    #[serde(default)]
    with: Map<String, Value>,
    fields: Option<Value>,
    schema: Option<Value>,
    root: Option<Value>,
    old: Option<Value>,
    good: Option<Value>,
    bad: Option<Value>,
    error: Option<String>,
    rejected: Option<String>,
    why: Option<String>,
}

/// Replaces the short names of schemas in the tables, such as `$int`.
fn expand(schema: &Value) -> Value {
    let list = |items: &str, list_type: &str| {
        json!({"type": "array", "maxItems": 10, "x-kubernetes-list-type": list_type,
               "items": expand(&items.into())})
    };
    match schema {
        Value::String(name) => match name.as_str() {
            "$bool" => json!({"type": "boolean"}),
            "$int" => json!({"type": "integer"}),
            "$number" => json!({"type": "number"}),
            "$string" => json!({"type": "string", "maxLength": 20}),
            "$time" => json!({"type": "string", "format": "date-time"}),
            "$date" => json!({"type": "string", "format": "date"}),
            "$duration" => json!({"type": "string", "format": "duration"}),
            "$bytes" => json!({"type": "string", "format": "byte", "maxLength": 20}),
            "$ints" => list("$int", "atomic"),
            "$strings" => list("$string", "atomic"),
            "$set" => list("$string", "set"),
            _ => schema.clone(),
        },
        Value::Array(items) => items.iter().map(expand).collect(),
        Value::Object(members) => {
            members.iter().map(|(name, value)| (name.clone(), expand(value))).collect()
        }
        other => other.clone(),
    }
}

impl Row {
    fn root_schema(&self) -> Value {
        let with_rule = |schema: &Value| {
            let mut rule = self.with.clone();
            rule.insert("rule".to_owned(), self.rule.as_str().into());
            let mut schema = expand(schema);
            schema["x-kubernetes-validations"] = json!([rule]);
            schema
        };
        if let Some(root) = &self.root {
            return with_rule(root);
        }
        let spec = match &self.fields {
            Some(fields) => json!({"type": "object", "properties": fields}),
            None => self.schema.clone().expect("a row has a schema"),
        };
        json!({"type": "object", "properties": {"spec": with_rule(&spec)}})
    }

    fn admit(&self, value: &Value) -> String {
        let schema = root_kind(&self.root_schema());
        errors(match &self.old {
            Some(old) => admit::update(&schema, stored(value), &stored(old)),
            None => admit::create(&schema, self.object(value)),
        })
    }

    /// The object of a row: its `spec`, or, with a schema of the root, members of the object.
    fn object(&self, value: &Value) -> Value {
        if self.root.is_none() {
            return object(value);
        }
        let mut whole = object(&json!({}));
        for (name, member) in value.as_object().into_iter().flatten() {
            whole[name.as_str()] = member.clone();
        }
        whole
    }

    /// Describes how the result differs from the row; `None` if it does not.
    fn problem(&self) -> Option<String> {
        let found = schema_errors(&root_kind(&self.root_schema()));
        if let Some(want) = &self.rejected {
            let first = found.iter().next().map(ToString::to_string).unwrap_or_default();
            return (first != want.replace(RULE, &self.rule)).then(|| format!("schema: {first}"));
        }
        if found.iter().next().is_some() {
            return Some(format!("schema: {found}"));
        }
        let got = self.admit(self.good.as_ref()?);
        if !got.is_empty() {
            return Some(format!("good: {got}"));
        }
        let Some(bad) = &self.bad else {
            return self.why.is_none().then(|| "neither a bad object nor a reason".to_owned());
        };
        let want = self.error.as_deref().unwrap_or("spec: Invalid value: failed rule: {rule}");
        let got = self.admit(bad);
        (got != want.replace(RULE, &self.rule)).then(|| format!("bad: {got}"))
    }
}

#[track_caller]
fn check(table: &str) {
    let rows = table.lines().filter(|line| !line.is_empty());
    let problems: Vec<String> = rows
        .filter_map(|line| {
            let row: Row = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
            let complete = row.rejected.is_some() || row.good.is_some();
            assert!(complete, "no good object: {line}");
            row.problem().map(|problem| format!("{}\n    {problem}", row.rule))
        })
        .collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn examples_of_the_documentation() {
    check(include_str!("examples.jsonl"));
}

#[test]
fn functions_of_the_documentation() {
    check(include_str!("functions.jsonl"));
}

#[test]
fn types_and_names_of_the_documentation() {
    check(include_str!("types.jsonl"));
}

#[test]
fn transitions_of_the_documentation() {
    check(include_str!("transitions.jsonl"));
}
