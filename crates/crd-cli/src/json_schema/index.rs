//! Lists of the schemas of a directory, for editors.

use serde_json::{Value, json};

use super::DIALECT;
use crate::model::{CustomResourceDefinition, CustomResourceDefinitionVersion};
use crate::schemas;

/// The list of schemas, in the form of `SchemaStore`.
pub(super) const CATALOG: &str = "catalog.json";
/// The schema that chooses one by the kind of an object.
pub(super) const ALL: &str = "all.json";
/// The dialect of the list.
const CATALOG_DIALECT: &str = "https://json.schemastore.org/schema-catalog.json";

/// A schema of the list.
pub(super) struct Listed {
    api_version: String,
    kind: String,
    description: String,
    /// The path below the directory, with slashes.
    path: String,
}

impl Listed {
    pub(super) fn of(
        crd: &CustomResourceDefinition,
        version: &CustomResourceDefinitionVersion,
        path: &str,
    ) -> Self {
        let schema = schemas::of_version(version);
        let description = schema.map(|schema| schema.description.as_str()).unwrap_or_default();
        Self {
            api_version: format!("{}/{}", crd.spec.group, version.name),
            kind: crd.spec.names.kind.clone(),
            description: description.lines().next().unwrap_or_default().to_owned(),
            path: path.to_owned(),
        }
    }

    fn name(&self) -> String {
        format!("{} {}", self.api_version, self.kind)
    }
}

/// Returns the list. Only [`ALL`] is for files by their names: what is in a file does not follow from its name.
pub(super) fn catalog(entries: &[Listed], base: Option<&str>) -> Value {
    let url = |path: &str| match base {
        Some(base) => format!("{}/{path}", base.trim_end_matches('/')),
        None => format!("./{path}"),
    };
    let all = json!({
        "name": "Custom resources",
        "description": "Objects of each kind by its schema; other objects are accepted",
        "fileMatch": ["*.yaml", "*.yml"],
        "url": url(ALL),
    });
    let kinds = entries.iter().map(|entry| {
        json!({"name": entry.name(), "description": entry.description, "url": url(&entry.path)})
    });
    let schemas: Vec<Value> = std::iter::once(all).chain(kinds).collect();
    json!({"$schema": CATALOG_DIALECT, "version": 1, "schemas": schemas})
}

/// Returns a schema that holds an object to the schema of its kind.
pub(super) fn all(entries: &[Listed]) -> Value {
    let choices = entries.iter().map(|entry| {
        let Listed { api_version, kind, path, .. } = entry;
        json!({
            "if": {
                "properties": {"apiVersion": {"const": api_version}, "kind": {"const": kind}},
                "required": ["apiVersion", "kind"],
            },
            "then": {"$ref": path},
        })
    });
    let choices: Vec<Value> = choices.collect();
    json!({"$schema": DIALECT, "title": "Custom resources", "type": "object", "allOf": choices})
}
