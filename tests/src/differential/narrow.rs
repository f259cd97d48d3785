//! Narrows a schema to one of its alternatives, so that generated values often match exactly one.

use fastrand::Rng;
use serde_json::{Map, Value, json};

/// Returns the schema merged with one of its alternatives; `None` if it has none.
pub(super) fn narrowed(rng: &mut Rng, schema: &Value) -> Option<Value> {
    let keyword = ["oneOf", "anyOf"].into_iter().find(|keyword| schema.get(keyword).is_some())?;
    let branches = schema.get(keyword)?.as_array()?;
    let chosen = rng.usize(..branches.len().max(1));
    let branch = branches.get(chosen)?;
    let mut out = schema.clone();
    out.as_object_mut()?.remove(keyword);
    overlay(&mut out, branch);
    // A field that only another alternative requires would make the value match that one too.
    let mine = required(branch);
    for other in branches.iter().filter(|_| keyword == "oneOf").flat_map(required) {
        if !mine.contains(&other)
            && let Some(Value::Object(properties)) = out.get_mut("properties")
        {
            properties.remove(other);
        }
    }
    Some(out)
}

fn required(schema: &Value) -> Vec<&str> {
    let names = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    names.filter_map(Value::as_str).collect()
}

/// Adds the keywords of `branch` to a schema. Merges schemas and `required`, replaces other keywords, and omits `not`.
fn overlay(schema: &mut Value, branch: &Value) {
    let (Value::Object(schema), Value::Object(branch)) = (schema, branch) else { return };
    for (keyword, value) in branch {
        match (&**keyword, value) {
            ("not", _) => {}
            ("properties", Value::Object(values)) => {
                let own = schema.entry(keyword).or_insert_with(|| Map::new().into());
                for (name, value) in values {
                    if let Value::Object(own) = own {
                        overlay(own.entry(name).or_insert_with(|| json!({})), value);
                    }
                }
            }
            ("items" | "additionalProperties", Value::Object(_)) => {
                overlay(schema.entry(keyword).or_insert_with(|| json!({})), value);
            }
            ("required", Value::Array(names)) => {
                if let Value::Array(own) = schema.entry(keyword).or_insert_with(|| json!([])) {
                    own.extend(names.iter().cloned());
                }
            }
            _ => drop(schema.insert(keyword.clone(), value.clone())),
        }
    }
}
