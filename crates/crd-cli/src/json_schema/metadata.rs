//! The schema of metadata, from the types that the server publishes.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::model::CustomResourceDefinition;
use crate::openapi;

/// The type of metadata in the server's documents.
const OBJECT_META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
/// Where the server's documents have their types.
const COMPONENTS: &str = "#/components/schemas/";
/// The longest name of an object.
const LONGEST_NAME: u32 = 253;
/// The names of objects: those of DNS subdomains.
const NAME: &str = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";

/// Returns the types that [`reference()`] needs, as the server publishes them.
pub(super) fn definitions() -> Map<String, Value> {
    // Metadata does not depend on the kind.
    let mut any = CustomResourceDefinition::default();
    any.spec.versions.push(crate::model::CustomResourceDefinitionVersion {
        name: "v1".to_owned(),
        ..Default::default()
    });
    let document = openapi::v3(&any, "v1").unwrap_or_default();
    let mut wanted = vec![OBJECT_META.to_owned()];
    let mut seen = BTreeSet::new();
    let mut definitions = Map::new();
    while let Some(name) = wanted.pop() {
        let Some(schema) = document.pointer(&format!("/components/schemas/{name}")) else {
            continue;
        };
        if !seen.insert(name.clone()) {
            continue;
        }
        let mut schema = schema.clone();
        point_here(&mut schema, &mut wanted);
        definitions.insert(short(&name).to_owned(), schema);
    }
    definitions
}

/// Returns the schema of a field with metadata.
pub(super) fn reference() -> Map<String, Value> {
    Map::from_iter([("$ref".to_owned(), format!("#/$defs/{}", short(OBJECT_META)).into())])
}

/// Adds what the server demands of the metadata of whole objects: a name, or the start of one.
pub(super) fn demand_name(metadata: &mut Map<String, Value>) {
    let named = ["name", "generateName"].map(|name| json!({"required": [name]}));
    metadata.insert("anyOf".to_owned(), json!(named));
    let properties = metadata.entry("properties").or_insert_with(|| json!({}));
    if properties.get("name").is_none() {
        properties["name"] = json!({});
    }
    let name = &mut properties["name"];
    for (keyword, value) in [("pattern", json!(NAME)), ("maxLength", json!(LONGEST_NAME))] {
        if name.get(keyword).is_none() {
            name[keyword] = value;
        }
    }
}

/// Undoes [`reference()`] and [`demand_name`]. What a definition demands of a name is kept.
pub(super) fn forget(metadata: &mut Map<String, Value>) {
    metadata.remove("$ref");
    metadata.remove("anyOf");
    let Some(Value::Object(properties)) = metadata.get_mut("properties") else { return };
    if let Some(Value::Object(name)) = properties.get_mut("name") {
        name.retain(|keyword, value| match keyword.as_str() {
            "pattern" => value != NAME,
            "maxLength" => *value != json!(LONGEST_NAME),
            _ => true,
        });
        if name.is_empty() {
            properties.remove("name");
        }
    }
    if properties.is_empty() {
        metadata.remove("properties");
    } else {
        metadata.insert("type".to_owned(), "object".into());
    }
}

fn short(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// Leads references to the definitions of this schema, and collects their names. Defaults, which are those of Go, are
/// removed: the server demands values. Recurses as deep as the server's own types.
fn point_here(schema: &mut Value, wanted: &mut Vec<String>) {
    match schema {
        Value::Object(map) => {
            map.remove("default");
            // The server wraps a reference because of the keywords around it, which this dialect allows.
            if let Some(only) = map.remove("allOf")
                && let Some(Value::Object(only)) = only.get(0).cloned()
            {
                map.extend(only);
            }
            let target = map.get("$ref").and_then(Value::as_str);
            if let Some(name) =
                target.and_then(|target| target.strip_prefix(COMPONENTS)).map(str::to_owned)
            {
                map.insert("$ref".to_owned(), format!("#/$defs/{}", short(&name)).into());
                wanted.push(name);
            }
            map.values_mut().for_each(|below| point_here(below, wanted));
        }
        Value::Array(items) => items.iter_mut().for_each(|below| point_here(below, wanted)),
        _ => {}
    }
}
