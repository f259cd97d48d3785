//! Generates schemas, and definitions of kinds with them.

use arbitrary::{Result, Unstructured};
use serde_json::{Map, Value, json};

use crate::rule::Rule;

/// The deepest nesting of schemas, in levels.
const MAX_DEPTH: u32 = 3;
/// Names of properties. `x-y` and `in` need escapes in rules.
pub const NAMES: [&str; 6] = ["a", "b", "name", "spec", "x-y", "in"];

/// Returns a definition of `widgets.example.com`, whose version `v1` has this schema.
pub fn definition(root: &Value) -> Value {
    crd_fixtures::widget(root)
        .set("/spec/versions/0/subresources", json!({"status": {}}))
        .set("/status", json!({"storedVersions": ["v1"]}))
        .json()
}

/// Generates the schema of a whole object. With `rules`, some nodes have rules.
///
/// # Errors
/// If the fuzzer's input is too short or malformed.
pub fn root(u: &mut Unstructured<'_>, rules: bool) -> Result<Value> {
    let mut properties = Map::new();
    properties.insert("spec".into(), node(u, 0, rules)?);
    if u.ratio(1, 3)? {
        properties.insert("status".into(), node(u, 1, rules)?);
    }
    Ok(json!({"type": "object", "properties": properties}))
}

fn node(u: &mut Unstructured<'_>, depth: u32, rules: bool) -> Result<Value> {
    let kinds = if depth >= MAX_DEPTH { 6 } else { 10 };
    let mut node = match u.int_in_range(0..=kinds)? {
        0 | 1 => string(u)?,
        2 | 3 => number(u, "integer")?,
        4 => number(u, "number")?,
        5 => json!({"type": "boolean"}),
        6 => json!({"x-kubernetes-int-or-string": true}),
        7 => array(u, depth, rules)?,
        8 => {
            let values = self::node(u, depth + 1, rules)?;
            json!({"type": "object", "maxProperties": 3, "additionalProperties": values})
        }
        _ => record(u, depth, rules)?,
    };
    if u.ratio(1, 6)? {
        node["nullable"] = true.into();
    }
    if u.ratio(1, 8)? {
        node["default"] = crate::object::value(u, &node, 1)?;
    }
    if u.ratio(1, 10)? {
        let member = crate::object::value(u, &node, 1)?;
        node["enum"] = json!([member, crate::object::value(u, &node, 1)?]);
    }
    if u.ratio(1, 10)? {
        let keyword = *u.choose(&["anyOf", "oneOf", "allOf"])?;
        node[keyword] = json!([{"minLength": 2, "maximum": 5}, {"required": ["a"]}]);
    }
    if rules && u.ratio(1, 4)? {
        node["x-kubernetes-validations"] = json!([{"rule": u.arbitrary::<Rule>()?.to_string()}]);
    }
    Ok(node)
}

fn string(u: &mut Unstructured<'_>) -> Result<Value> {
    let mut node = json!({"type": "string"});
    match u.int_in_range(0..=5)? {
        0 => node["maxLength"] = u.int_in_range(0..=8)?.into(),
        1 => node["minLength"] = u.int_in_range(0..=3)?.into(),
        2 => node["pattern"] = (*u.choose(&["^[a-z]+$", "b$", "^$", "(?i)A"])?).into(),
        3 => node["format"] = (*u.choose(&["date", "uuid", "ipv4", "byte", "duration"])?).into(),
        _ => {}
    }
    Ok(node)
}

fn number(u: &mut Unstructured<'_>, type_: &str) -> Result<Value> {
    let mut node = json!({"type": type_});
    if u.ratio(1, 3)? {
        node["minimum"] = u.int_in_range(-3..=3)?.into();
    }
    if u.ratio(1, 3)? {
        node["maximum"] = u.int_in_range(3..=1_000)?.into();
        node["exclusiveMaximum"] = u.arbitrary::<bool>()?.into();
    }
    if u.ratio(1, 6)? {
        node["multipleOf"] = u.int_in_range(1..=4)?.into();
    }
    Ok(node)
}

fn array(u: &mut Unstructured<'_>, depth: u32, rules: bool) -> Result<Value> {
    let mut node = json!({"type": "array", "maxItems": u.int_in_range(0..=6)?});
    match u.int_in_range(0..=3)? {
        0 => {
            let mut items = record(u, depth + 1, rules)?;
            items["properties"]["name"] = json!({"type": "string"});
            items["required"] = json!(["name"]);
            node["items"] = items;
            node["x-kubernetes-list-type"] = "map".into();
            node["x-kubernetes-list-map-keys"] = json!(["name"]);
        }
        1 => {
            node["items"] = json!({"type": *u.choose(&["string", "integer"])?});
            node["x-kubernetes-list-type"] = "set".into();
        }
        _ => node["items"] = self::node(u, depth + 1, rules)?,
    }
    Ok(node)
}

fn record(u: &mut Unstructured<'_>, depth: u32, rules: bool) -> Result<Value> {
    let mut properties = Map::new();
    for _ in 0..u.int_in_range(1..=4)? {
        let name = *u.choose(&NAMES)?;
        properties.insert(name.to_owned(), node(u, depth + 1, rules)?);
    }
    let mut node = json!({"type": "object", "properties": properties});
    match u.int_in_range(0..=7)? {
        0 => node["x-kubernetes-preserve-unknown-fields"] = true.into(),
        1 => node["minProperties"] = 1.into(),
        2 => node["required"] = json!([*u.choose(&NAMES)?]),
        3 => node["x-kubernetes-map-type"] = "atomic".into(),
        _ => {}
    }
    Ok(node)
}
