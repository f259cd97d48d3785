//! The schema of definitions, as the server publishes it. It decides which fields an apply may have, and who owns them.
//!
//! Source: `pkg/generated/openapi` of apiextensions-apiserver.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use crd_cel::kubernetes::KubernetesVersion;

use crate::go_types::{self, GoField, GoType, NamedType, Special, definition};
use crate::model::{JsonSchemaProps, SchemaOrArray, SchemaOrBool};

/// The minor whose types are read. All minors have the same ones.
const REFERENCE: u32 = KubernetesVersion::REFERENCE.minor();

/// The name under which the schema of `JSONSchemaProps`, which contains itself, is among the `definitions`.
const NESTED: &str = "JSONSchemaProps";

static PUBLISHED: LazyLock<Arc<JsonSchemaProps>> = LazyLock::new(|| {
    let of = |name| go_types::named(name).map(of_struct).unwrap_or_default();
    let mut schema = of(definition::ROOT);
    // Every kind has these fields. Their schemas are not those of definitions.
    for field in ["apiVersion", "kind", "metadata"] {
        schema.properties.as_mut().and_then(|properties| properties.remove(field));
    }
    schema.definitions = Some(BTreeMap::from([(NESTED.to_owned(), of(definition::SCHEMA))]));
    Arc::new(schema)
});

/// Returns the schema of definitions. A `$ref` in it names one of its `definitions`.
#[doc(hidden)]
pub fn published_schema() -> Arc<JsonSchemaProps> {
    Arc::clone(&PUBLISHED)
}

/// The recursion ends because only the type of a schema contains itself, which is written as a reference.
fn of_struct(of: &'static NamedType) -> JsonSchemaProps {
    let mut schema = JsonSchemaProps::of_type("object");
    let fields =
        of.fields(REFERENCE).map(|field| (field.name.to_owned(), Arc::new(of_field(field))));
    let fields: BTreeMap<_, _> = fields.collect();
    if !fields.is_empty() {
        schema.properties = Some(fields);
    }
    schema
}

fn of_field(field: &'static GoField) -> JsonSchemaProps {
    let mut schema = of_type(&field.type_);
    if let Some(key) = field.setting("k") {
        schema.x_list_type = Some("map".to_owned());
        schema.x_list_map_keys = Some(vec![key.to_owned()]);
        // A required field has the default of its Go type, so that an item without it still has a key.
        if let Some(SchemaOrArray::Schema(item)) = &mut schema.items
            && let Some(key) = item.properties.as_mut().and_then(|fields| fields.get_mut(key))
        {
            Arc::make_mut(key).default = Some("".into());
        }
    }
    schema
}

fn of_type(type_: &'static GoType) -> JsonSchemaProps {
    let of = JsonSchemaProps::of_type;
    match type_.plain() {
        // Upstream: the types that are a schema or something else have no type, and nothing in them is checked.
        GoType::Special(Special::Raw) | GoType::SchemaOr(..) => JsonSchemaProps::default(),
        GoType::Text | GoType::Special(Special::Quantity | Special::IntOrString) => of("string"),
        GoType::Bool => of("boolean"),
        GoType::Int(_) => of("integer"),
        GoType::Float => of("number"),
        GoType::Bytes => JsonSchemaProps { format: "byte".to_owned(), ..of("string") },
        GoType::Special(Special::Time | Special::MicroTime) => {
            JsonSchemaProps { format: "date-time".to_owned(), ..of("string") }
        }
        GoType::Named(named) if named.name == definition::SCHEMA => {
            JsonSchemaProps { ref_: Some(format!("#/definitions/{NESTED}")), ..of("") }
        }
        GoType::Named(named) => of_struct(named),
        GoType::Pointer(inner) => of_type(inner),
        GoType::Map(_, values) => {
            let values = Box::new(of_type(values));
            JsonSchemaProps {
                additional_properties: Some(SchemaOrBool::Schema(values)),
                ..of("object")
            }
        }
        GoType::List(items) => JsonSchemaProps {
            items: Some(SchemaOrArray::Schema(Box::new(of_type(items)))),
            // Source: `+listType` in `pkg/apis/apiextensions/v1`.
            x_list_type: Some("atomic".to_owned()),
            ..of("array")
        },
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
