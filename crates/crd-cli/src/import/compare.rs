//! Compares a definition with the one that its imported types derive.

use serde_json::{Map, Value, json};

use super::keywords::same;
use super::known;
use crate::schemas::OF_RESOURCES;

/// A difference between a definition and what its imported types derive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The path in the definition, where `spec.version` stands for the version.
    pub path: String,
    /// What differs, with both values.
    pub text: String,
}

/// Returns what differs between one version of two definitions, after both are brought to one form:
///
/// - what the server sets by itself is set: names, and the strategy of conversion;
/// - `apiVersion`, `kind` and a plain `metadata` of the root, which the server declares for every object, are left out;
/// - the fields of a type of Kubernetes have the descriptions of that type;
/// - `required` is sorted, and lines of a description are joined where a doc comment does not keep their breaks.
pub(super) fn differences(original: &Value, derived: &Value, version: &str) -> Vec<Difference> {
    let mut found = Vec::new();
    compare(&normalized(original, version), &normalized(derived, version), "", &mut found);
    found
}

fn normalized(definition: &Value, version: &str) -> Value {
    let spec = &definition["spec"];
    let versions = spec["versions"].as_array().map_or(&[][..], Vec::as_slice);
    let mut of_version =
        versions.iter().find(|it| it["name"] == version).cloned().unwrap_or_default();
    if let Some(schema) = of_version.pointer_mut("/schema/openAPIV3Schema") {
        root(schema);
        normalize(schema);
    }
    for column in of_version["additionalPrinterColumns"].as_array_mut().into_iter().flatten() {
        without_zeros(column);
    }
    without_zeros(&mut of_version);
    let names = &spec["names"];
    let kind = names["kind"].as_str().unwrap_or_default();
    let or = |name: &str, default: String| match &names[name] {
        Value::String(text) if !text.is_empty() => text.clone(),
        _ => default,
    };
    let conversion = Some(&spec["conversion"]).filter(|it| it["strategy"] == "Webhook");
    json!({
        "metadata": {
            "name": definition["metadata"]["name"],
            "labels": definition["metadata"]["labels"],
            "annotations": definition["metadata"]["annotations"],
        },
        "spec": {
            "group": spec["group"],
            "scope": spec["scope"],
            "names": {
                "kind": kind,
                "plural": names["plural"],
                "singular": or("singular", kind.to_lowercase()),
                "listKind": or("listKind", format!("{kind}List")),
                "shortNames": names["shortNames"],
                "categories": names["categories"],
            },
            "conversion": conversion,
            "version": of_version,
        },
    })
}

/// Removes what the server declares for the root of every kind.
fn root(schema: &mut Value) {
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else {
        return;
    };
    properties.remove("apiVersion");
    properties.remove("kind");
    let is_plain = |metadata: &Value| {
        metadata
            .as_object()
            .is_some_and(|it| it.keys().all(|name| name == "type" || name == "description"))
    };
    if properties.get("metadata").is_some_and(is_plain) {
        properties.remove("metadata");
    }
    if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|name| !OF_RESOURCES.iter().any(|it| name == it));
    }
}

fn normalize(schema: &mut Value) {
    let Value::Object(map) = schema else { return };
    if known::type_of(map, "").is_some()
        && let Some(Value::Object(properties)) = map.get_mut("properties")
    {
        properties.values_mut().for_each(known::remove_descriptions);
    }
    if let Some(Value::String(description)) = map.get_mut("description") {
        *description = description.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    if let Some(Value::Array(required)) = map.get_mut("required") {
        required.sort_by_key(ToString::to_string);
    }
    if let Some(Value::Object(properties)) = map.get_mut("properties") {
        properties.values_mut().for_each(normalize);
    }
    for name in ["items", "additionalProperties"] {
        if let Some(inner) = map.get_mut(name) {
            normalize(inner);
        }
    }
    map.retain(|name, value| {
        ["default", "example"].contains(&name.as_str())
            || !is_zero(value)
            || name == "minimum"
            || name == "maximum"
    });
}

/// Removes keys with the values that Go leaves out.
fn without_zeros(value: &mut Value) {
    if let Value::Object(map) = value {
        map.retain(|_, value| !is_zero(value));
    }
}

fn is_zero(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(true) => false,
    }
}

fn compare(a: &Value, b: &Value, path: &str, found: &mut Vec<Difference>) {
    let empty = Map::new();
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => fields(a, b, path, found),
        (Value::Object(a), Value::Null) => fields(a, &empty, path, found),
        (Value::Null, Value::Object(b)) => fields(&empty, b, path, found),
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (index, (a, b)) in a.iter().zip(b).enumerate() {
                compare(a, b, &format!("{path}[{index}]"), found);
            }
        }
        _ if same(a, b) || (is_zero(a) && is_zero(b)) => {}
        _ => found.push(Difference {
            path: path.to_owned(),
            text: format!("{} is {}", short(a), short(b)),
        }),
    }
}

fn fields(a: &Map<String, Value>, b: &Map<String, Value>, path: &str, found: &mut Vec<Difference>) {
    let names: std::collections::BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    for name in names {
        let at = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        match (a.get(name), b.get(name)) {
            (Some(a), Some(b)) => compare(a, b, &at, found),
            (Some(Value::Null) | None, None) | (None, Some(Value::Null)) => {}
            (Some(a), None) => {
                found.push(Difference { path: at, text: format!("{} is lost", short(a)) });
            }
            (None, Some(b)) => {
                found.push(Difference { path: at, text: format!("{} is added", short(b)) });
            }
        }
    }
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}..", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definition(schema: &Value) -> Value {
        crd_fixtures::widget(schema).json()
    }

    #[test]
    fn what_the_server_declares_is_no_difference() {
        let original = json!({
            "type": "object", "required": ["b", "a", "metadata"], "description": "One\ntwo.",
            "properties": {"apiVersion": {"type": "string"}, "metadata": {"type": "object"}, "a": {"minimum": 1.0}},
        });
        let derived = json!({
            "type": "object", "required": ["a", "b"], "description": "One two.",
            "properties": {"a": {"minimum": 1}},
        });
        assert_eq!(differences(&definition(&original), &definition(&derived), "v1"), []);
    }

    #[test]
    fn each_lost_keyword_is_a_difference() {
        for (original, derived, want) in [
            (json!({"default": null, "maxLength": 3}), json!({}), "maxLength"),
            (
                json!({"properties": {"a": {"minimum": 0}}}),
                json!({"properties": {"a": {}}}),
                "properties.a.minimum",
            ),
            (json!({"items": {"nullable": true}}), json!({"items": {}}), "items"),
            (
                json!({"oneOf": [{"required": ["a"]}]}),
                json!({"oneOf": [{"required": ["b"]}]}),
                "oneOf[0].required[0]",
            ),
        ] {
            let found = differences(&definition(&original), &definition(&derived), "v1");
            let paths: Vec<_> = found.iter().map(|it| it.path.as_str()).collect();
            assert_eq!(
                paths,
                [format!("spec.version.schema.openAPIV3Schema.{want}")],
                "{original}"
            );
        }
    }
}
