//! The recorded creations: every object of `kubernetes.jsonl` and `openshift.jsonl` that is created and has a schema.

use std::collections::BTreeMap;
use std::fs;

use crd_runtime::admit;
use crd_runtime::compiled::CompiledSchema;
use serde_json::Value;

use crate::corpus::{compile, vectors};

/// An object that is created.
#[derive(Debug)]
pub struct Creation {
    /// The index of its schema in the list that [`creations`] returns.
    pub schema: usize,
    /// The body of the request.
    pub body: Vec<u8>,
}

/// Returns the schemas, and the creations that are admitted (`valid`) or rejected; with `only`, the one with
/// that id. Each has been admitted or rejected once, so that everything is initialized.
///
/// # Errors
/// If a file of the recorded verdicts cannot be read or is not JSON.
pub fn creations(
    valid: bool,
    only: Option<&str>,
) -> Result<(Vec<CompiledSchema>, Vec<Creation>), String> {
    let definitions: Value =
        serde_json::from_str(&read("openshift-crds.json")?).map_err(|error| error.to_string())?;
    let mut known: BTreeMap<String, Option<usize>> = BTreeMap::new();
    let (mut schemas, mut creations) = (Vec::new(), Vec::new());
    for line in [read("kubernetes.jsonl")?, read("openshift.jsonl")?].iter().flat_map(|t| t.lines())
    {
        let case: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let id = case["id"].as_str().unwrap_or_default();
        if case.get("old").is_some() || only.is_some_and(|only| only != id) {
            continue;
        }
        let Some(object) = case.get("object") else { continue };
        let version = case["version"].as_str().unwrap_or("v1");
        let definition = match &case["crd"] {
            Value::String(key) => &definitions[key]["crd"],
            definition => definition,
        };
        let schema = *known.entry(format!("{version}{}", case["crd"])).or_insert_with(|| {
            schemas.push(compile(definition, version).ok()?);
            Some(schemas.len() - 1)
        });
        let Some(schema) = schema else { continue };
        let body = object.to_string().into_bytes();
        if admit::create_from_slice(&schemas[schema], &body).is_ok() == valid {
            creations.push(Creation { schema, body });
        }
    }
    Ok((schemas, creations))
}

/// Returns the real definitions, each as JSON text.
///
/// # Errors
/// If their file cannot be read or is not JSON.
pub fn definitions() -> Result<Vec<String>, String> {
    let definitions: BTreeMap<String, Value> =
        serde_json::from_str(&read("openshift-crds.json")?).map_err(|error| error.to_string())?;
    Ok(definitions.values().map(|definition| definition["crd"].to_string()).collect())
}

fn read(name: &str) -> Result<String, String> {
    let path = vectors().join(name);
    fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
}
