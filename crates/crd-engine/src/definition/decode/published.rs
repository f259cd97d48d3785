//! The schema of definitions, as the server publishes it. It decides which fields an apply may have, and who owns them.
//!
//! Source: `pkg/generated/openapi` of apiextensions-apiserver.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use super::types::{CONDITION_TYPE, DEFINITION, GoType, RULE_TYPE, SCHEMA, Struct};
use crate::model::{JsonSchemaProps, SchemaOrArray, SchemaOrBool};

/// The name under which the schema of `JSONSchemaProps`, which contains itself, is among the `definitions`.
const NESTED: &str = "JSONSchemaProps";

static PUBLISHED: LazyLock<Arc<JsonSchemaProps>> = LazyLock::new(|| {
    let mut schema = of_struct(&DEFINITION);
    // Every kind has these fields. Their schemas are not those of definitions.
    for field in ["apiVersion", "kind", "metadata"] {
        schema.properties.as_mut().and_then(|properties| properties.remove(field));
    }
    schema.definitions = Some(BTreeMap::from([(NESTED.to_owned(), of_struct(&SCHEMA))]));
    Arc::new(schema)
});

/// Returns the schema of definitions. A `$ref` in it names one of its `definitions`.
#[doc(hidden)]
pub fn published_schema() -> Arc<JsonSchemaProps> {
    Arc::clone(&PUBLISHED)
}

/// The recursion ends because only [`SCHEMA`] contains itself, which is written as a reference.
fn of_struct(of: &Struct) -> JsonSchemaProps {
    let mut schema = JsonSchemaProps::of_type("object");
    if !of.fields.is_empty() {
        let fields = of.fields.iter().map(|(name, type_)| ((*name).to_owned(), of_type(type_)));
        schema.properties = Some(fields.map(|(name, schema)| (name, Arc::new(schema))).collect());
    }
    schema
}

fn of_type(type_: &GoType) -> JsonSchemaProps {
    let of = JsonSchemaProps::of_type;
    match type_ {
        // Upstream: the types that are a schema or something else have no type, and nothing in them is checked.
        GoType::Any | GoType::SchemaOrArray | GoType::SchemaOrBool | GoType::SchemaOrStrings => {
            JsonSchemaProps::default()
        }
        GoType::Text(_) => of("string"),
        GoType::Bool => of("boolean"),
        GoType::Int32 | GoType::Int64 => of("integer"),
        GoType::Float => of("number"),
        GoType::Bytes => JsonSchemaProps { format: "byte".to_owned(), ..of("string") },
        GoType::Time => JsonSchemaProps { format: "date-time".to_owned(), ..of("string") },
        GoType::Struct(fields) if std::ptr::eq(*fields, &raw const SCHEMA) => {
            JsonSchemaProps { ref_: Some(format!("#/definitions/{NESTED}")), ..of("") }
        }
        GoType::Struct(fields) => of_struct(fields),
        GoType::Map(values, _) => {
            let values = Box::new(of_type(values));
            JsonSchemaProps {
                additional_properties: Some(SchemaOrBool::Schema(values)),
                ..of("object")
            }
        }
        GoType::List(items, _) => list(items),
    }
}

/// Returns the schema of a list. Source: `+listType` and `+listMapKey` in `pkg/apis/apiextensions/v1`.
fn list(items: &'static GoType) -> JsonSchemaProps {
    let key = if std::ptr::eq(items, &raw const CONDITION_TYPE) {
        Some("type")
    } else if std::ptr::eq(items, &raw const RULE_TYPE) {
        Some("rule")
    } else {
        None
    };
    let mut item = of_type(items);
    let key_schema = key.and_then(|key| item.properties.as_mut()?.get_mut(key));
    if let Some(schema) = key_schema.map(Arc::make_mut) {
        // A required field has the default of its Go type, so that an item without it still has a key.
        schema.default = Some("".into());
    }
    JsonSchemaProps {
        items: Some(SchemaOrArray::Schema(Box::new(item))),
        x_list_type: Some(if key.is_some() { "map" } else { "atomic" }.to_owned()),
        x_list_map_keys: key.map(|key| vec![key.to_owned()]),
        ..JsonSchemaProps::of_type("array")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_with_keys_are_found() {
        let schema = published_schema();
        let text = serde_json::to_string(&*schema).expect("JSON");
        for key in ["type", "rule"] {
            let keys = format!("\"x-kubernetes-list-map-keys\":[\"{key}\"]");
            assert_eq!(text.matches(&keys).count(), 1, "{key}");
        }
        let names: Vec<&String> =
            schema.properties.iter().flatten().map(|(name, _)| name).collect();
        assert_eq!(names, ["spec", "status"]);
    }
}
