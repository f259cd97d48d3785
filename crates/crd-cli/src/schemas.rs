//! Visits the schemas of a definition with their paths.

use serde_json::{Map, Value};

use crate::model::{CustomResourceDefinitionVersion, JsonSchemaProps, SchemaOrArray, SchemaOrBool};
use crate::schema::MAX_SCHEMA_DEPTH;

/// The fields that the server defines in every resource.
pub(super) const OF_RESOURCES: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// Returns the schema of the objects of a version.
pub(super) fn of_version(version: &CustomResourceDefinitionVersion) -> Option<&JsonSchemaProps> {
    version.schema.as_ref()?.open_api_v3_schema.as_ref()
}

/// Returns whether a version has the subresource `status`.
pub(super) fn has_status(version: &CustomResourceDefinitionVersion) -> bool {
    version.subresources.as_ref().is_some_and(|subresources| subresources.status.is_some())
}

/// Returns the schema of a property that is listed.
pub(super) fn property<'s>(schema: &'s JsonSchemaProps, name: &str) -> Option<&'s JsonSchemaProps> {
    schema.properties.as_ref()?.get(name).map(|property| &**property)
}

/// Returns the one schema of all items.
pub(super) fn items(schema: &JsonSchemaProps) -> Option<&JsonSchemaProps> {
    match &schema.items {
        Some(SchemaOrArray::Schema(items)) => Some(items),
        _ => None,
    }
}

/// Returns the schema of the values of a map.
pub(super) fn values(schema: &JsonSchemaProps) -> Option<&JsonSchemaProps> {
    match &schema.additional_properties {
        Some(SchemaOrBool::Schema(values)) => Some(values),
        _ => None,
    }
}

/// A schema, and its place in its definition.
pub(super) struct Visited<'s, 'p> {
    pub(super) schema: &'s JsonSchemaProps,
    /// The schema that it is in; `None` for the schema of whole objects.
    pub(super) parent: Option<&'s JsonSchemaProps>,
    /// The name of the property; `None` for items, values, and whole objects.
    pub(super) name: Option<&'s str>,
    /// The field path: `spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[ports].items`.
    pub(super) path: &'p str,
    /// The path in objects: `spec.ports[]`. Values of maps are written as `spec.labels{}`.
    pub(super) value: &'p str,
}

/// Calls `visit` for the schema of a version and for those of all fields, items and values below it, outermost first.
/// `path` is the field path of the version. Schemas in junctors are not visited.
pub(super) fn each<'s>(
    version: &'s CustomResourceDefinitionVersion,
    path: &str,
    visit: &mut dyn FnMut(Visited<'s, '_>),
) {
    if let Some(schema) = of_version(version) {
        of_root(schema, &format!("{path}.schema.openAPIV3Schema"), visit);
    }
}

/// Like [`each`], for the schema of whole objects with its own field path.
pub(super) fn of_root<'s>(
    schema: &'s JsonSchemaProps,
    path: &str,
    visit: &mut dyn FnMut(Visited<'s, '_>),
) {
    walk(Visited { schema, parent: None, name: None, path, value: "" }, 0, visit);
}

fn walk<'s>(visited: Visited<'s, '_>, depth: usize, visit: &mut dyn FnMut(Visited<'s, '_>)) {
    let Visited { schema, path, value, .. } = visited;
    visit(visited);
    if depth == MAX_SCHEMA_DEPTH {
        return;
    }
    let parent = Some(schema);
    let mut below = |schema, name: Option<&'s str>, keyword: &str, value: String| {
        let path = format!("{path}.{keyword}");
        walk(Visited { schema, parent, name, path: &path, value: &value }, depth + 1, visit);
    };
    for (name, property) in schema.properties.iter().flatten() {
        let value = if value.is_empty() { name.clone() } else { format!("{value}.{name}") };
        below(property, Some(name), &format!("properties[{name}]"), value);
    }
    if let Some(items) = items(schema) {
        below(items, None, "items", format!("{value}[]"));
    }
    if let Some(values) = values(schema) {
        below(values, None, "additionalProperties", format!("{value}{{}}"));
    }
}

/// Calls `visit` for each schema directly below one in JSON, with the keyword and the name of a property.
pub(super) fn each_below(
    schema: &mut Map<String, Value>,
    visit: &mut dyn FnMut(&str, Option<&str>, &mut Value),
) {
    for (keyword, below) in schema.iter_mut() {
        match (keyword.as_str(), below) {
            (keyword @ ("items" | "additionalProperties" | "not"), below) => {
                visit(keyword, None, below);
            }
            (keyword @ "properties", Value::Object(properties)) => {
                properties.iter_mut().for_each(|(name, below)| visit(keyword, Some(name), below));
            }
            (keyword @ ("allOf" | "anyOf" | "oneOf"), Value::Array(branches)) => {
                for below in branches {
                    visit(keyword, None, below);
                }
            }
            _ => {}
        }
    }
}
