//! Schemas that have a type already.

use std::collections::HashMap;
use std::sync::OnceLock;

use serde_json::{Map, Value};

/// The pattern that controller-gen gives to quantities.
pub(super) const QUANTITY: &str = r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$";

/// The schemas of types of Kubernetes without their descriptions, as the derive generates them. A test compares them
/// with the types.
const TYPES: &str = include_str!("known.json");

/// Returns the path of the type with this schema, descriptions apart. Of several types with one schema, such as those of
/// the keys of secrets and of config maps, it is the one that the name of the field or a description names.
pub(super) fn type_of(schema: &Map<String, Value>, field: &str) -> Option<&'static str> {
    static BY_SCHEMA: OnceLock<HashMap<String, Vec<&'static str>>> = OnceLock::new();
    let by_schema = BY_SCHEMA.get_or_init(|| {
        let types: Map<String, Value> = serde_json::from_str(TYPES).unwrap_or_default();
        let mut by_schema = HashMap::<_, Vec<_>>::new();
        for (path, schema) in types {
            by_schema.entry(canonical(&schema)).or_default().push(&*path.leak());
        }
        by_schema
    });
    let found = by_schema.get(&text(schema))?;
    let letters = |text: &str| {
        let letters = text.chars().filter(char::is_ascii_alphanumeric);
        letters.map(|c| c.to_ascii_lowercase()).collect::<String>()
    };
    let named = |text: &str| {
        let text = letters(text);
        found.iter().find(|path| {
            let name = path.rsplit("::").next().unwrap_or(path);
            text.contains(&letters(name.trim_end_matches("KeySelector")))
        })
    };
    let described = || named(&Value::Object(schema.clone()).to_string());
    let path = if found.len() > 1 { named(field).or_else(described) } else { None };
    path.or(found.last()).copied()
}

/// Returns the schema as text, without what differs between places and without descriptions.
fn text(schema: &Map<String, Value>) -> String {
    let mut schema = schema.clone();
    for name in ["default", "nullable", "title", "example", "externalDocs"] {
        schema.remove(name);
    }
    let mut schema = Value::Object(schema);
    remove_descriptions(&mut schema);
    canonical(&schema)
}

/// Writes a schema with its keys and `required` sorted.
fn canonical(schema: &Value) -> String {
    match schema {
        Value::Object(fields) => {
            let fields: std::collections::BTreeMap<_, _> = fields
                .iter()
                .map(|(name, value)| match value {
                    Value::Array(names) if name == "required" => {
                        let mut names: Vec<_> = names.iter().map(canonical).collect();
                        names.sort();
                        (name, names.join(","))
                    }
                    value => (name, canonical(value)),
                })
                .collect();
            let fields: Vec<_> =
                fields.iter().map(|(name, value)| format!("{name:?}:{value}")).collect();
            format!("{{{}}}", fields.join(","))
        }
        Value::Array(items) => {
            format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(","))
        }
        // `0` and `0.0` are one number.
        Value::Number(number) => {
            number.as_f64().map_or_else(|| number.to_string(), |it| it.to_string())
        }
        scalar => scalar.to_string(),
    }
}

/// Removes the descriptions of a schema and of those in it.
pub(super) fn remove_descriptions(schema: &mut Value) {
    let Value::Object(schema) = schema else { return };
    schema.remove("description");
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.values_mut().for_each(remove_descriptions);
    }
    for name in ["items", "additionalProperties"] {
        if let Some(inner) = schema.get_mut(name) {
            remove_descriptions(inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_name_or_description_chooses_among_equal_types() {
        let types: Map<String, Value> = serde_json::from_str(TYPES).unwrap();
        let core = |name: &str| format!("k8s_openapi::api::core::v1::{name}");
        let chosen = |of: &str, field: &str, description: &str| {
            let mut schema = types[&core(of)].as_object().unwrap().clone();
            schema.insert("description".to_owned(), json!(description));
            type_of(&schema, field).map(str::to_owned)
        };
        let cases = [
            ("podAffinity", "", "PodAntiAffinity", "PodAffinity"),
            ("podAntiAffinity", "Like pod affinity.", "PodAffinity", "PodAntiAffinity"),
            ("secretKeyRef", "Not of a ConfigMap.", "ConfigMapKeySelector", "SecretKeySelector"),
            ("configMapKeyRef", "", "SecretKeySelector", "ConfigMapKeySelector"),
            ("from", "The key of a ConfigMap.", "SecretKeySelector", "ConfigMapKeySelector"),
            ("from", "", "ConfigMapKeySelector", "SecretKeySelector"),
        ];
        for (field, description, of, want) in cases {
            assert_eq!(chosen(of, field, description), Some(core(want)), "{field} {description}");
        }
    }
}
