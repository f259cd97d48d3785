//! Visits the schemas of a definition with their field paths.

use crate::model::{CustomResourceDefinitionVersion, JsonSchemaProps, SchemaOrArray, SchemaOrBool};
use crate::schema::MAX_SCHEMA_DEPTH;

/// A schema, and its place in its definition.
pub(super) struct Visited<'s, 'p> {
    pub(super) schema: &'s JsonSchemaProps,
    /// The field path: `spec.versions[0].schema.openAPIV3Schema.properties[spec]`.
    pub(super) path: &'p str,
    /// Whether it is the schema of whole objects.
    pub(super) is_root: bool,
}

/// Calls `visit` for the schema of a version and for those of all fields, items and values below it, outermost first.
/// `path` is the field path of the version. Schemas in junctors are not visited.
pub(super) fn each<'s>(
    version: &'s CustomResourceDefinitionVersion,
    path: &str,
    visit: &mut dyn FnMut(Visited<'s, '_>),
) {
    let schema = version.schema.as_ref().and_then(|schema| schema.open_api_v3_schema.as_ref());
    if let Some(schema) = schema {
        walk(schema, &format!("{path}.schema.openAPIV3Schema"), 0, visit);
    }
}

fn walk<'s>(
    schema: &'s JsonSchemaProps,
    path: &str,
    depth: usize,
    visit: &mut dyn FnMut(Visited<'s, '_>),
) {
    visit(Visited { schema, path, is_root: depth == 0 });
    if depth == MAX_SCHEMA_DEPTH {
        return;
    }
    let mut below = |schema, path: String| walk(schema, &path, depth + 1, visit);
    for (name, property) in schema.properties.iter().flatten() {
        below(property, format!("{path}.properties[{name}]"));
    }
    if let Some(SchemaOrArray::Schema(items)) = &schema.items {
        below(items, format!("{path}.items"));
    }
    if let Some(SchemaOrBool::Schema(values)) = &schema.additional_properties {
        below(values, format!("{path}.additionalProperties"));
    }
}
