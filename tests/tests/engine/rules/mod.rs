//! The validation rules of the Kubernetes documentation, each with an object that satisfies it and one
//! that does not; which schemas make a rule too expensive; and what an update changes.

#![expect(clippy::needless_pass_by_value, reason = "tables of cases hand over their values")]

mod constants;
mod cost;
mod messages;
mod table;
mod updates;

use std::collections::BTreeSet;

use crd_runtime::admit::{self, Rejection};
use crd_runtime::compiled::CompiledSchema;
use crd_runtime::field::{ErrorList, Path};
use crd_runtime::model::CustomResourceDefinition;
use crd_runtime::ruleset::{self, Options};
use serde_json::{Value, json};

/// A kind whose `spec` has this schema.
fn kind(spec: &Value) -> CompiledSchema {
    let root = json!({"type": "object", "properties": {"spec": spec}});
    root_kind(&root)
}

fn root_kind(root: &Value) -> CompiledSchema {
    let crd: CustomResourceDefinition =
        crd_fixtures::crd("example.com", "Tab").cluster().version("v1", root).read();
    CompiledSchema::for_version(&crd, "v1").expect("the version is there")
}

fn schema_errors(schema: &CompiledSchema) -> ErrorList {
    let path = Path::new("schema");
    let structural = schema.structural().expect("the version has a schema");
    ruleset::check_rules(structural, &path, &BTreeSet::new(), Options::default())
}

fn object(spec: &Value) -> Value {
    json!({"apiVersion": "example.com/v1", "kind": "Tab", "metadata": {"name": "one"}, "spec": spec})
}

/// An object that has been stored before.
fn stored(spec: &Value) -> Value {
    let mut object = object(spec);
    object["metadata"]["resourceVersion"] = "1".into();
    object
}

fn errors(result: Result<admit::Admitted, Rejection>) -> String {
    match result {
        Ok(_) => String::new(),
        Err(Rejection::Invalid(invalid)) => {
            let texts: Vec<String> = invalid.errors.iter().map(ToString::to_string).collect();
            texts.join("\n")
        }
        Err(other) => panic!("{other}"),
    }
}

fn spec_rule(rule: Value, fields: Value) -> CompiledSchema {
    kind(&json!({"type": "object", "properties": fields, "x-kubernetes-validations": [rule]}))
}

fn int() -> Value {
    json!({"type": "integer"})
}

fn string() -> Value {
    json!({"type": "string", "maxLength": 20})
}
