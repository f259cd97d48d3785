//! Compares two schemas. An empty list or map equals an absent one.
//!
//! Source: `k8s.io/apimachinery/pkg/api/equality`, `Semantic.DeepEqual`.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::model::{JsonSchemaProps, SchemaOrArray, SchemaOrBool, SchemaOrStrings, VersionSchema};

/// Whether two versions have the same schema.
pub(super) fn schemas(a: Option<&VersionSchema>, b: Option<&VersionSchema>) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => {
            a == b
                || match (&a.open_api_v3_schema, &b.open_api_v3_schema) {
                    (Some(a), Some(b)) => normal(a) == normal(b),
                    (None, None) => true,
                    _ => false,
                }
        }
        _ => false,
    }
}

/// A copy without empty lists and maps.
fn normal(props: &JsonSchemaProps) -> JsonSchemaProps {
    let mut props = props.clone();
    normalize(&mut props);
    props
}

fn normalize(props: &mut JsonSchemaProps) {
    drop_empty(&mut props.enum_, Vec::is_empty);
    drop_empty(&mut props.required, Vec::is_empty);
    drop_empty(&mut props.x_list_map_keys, Vec::is_empty);
    drop_empty(&mut props.x_validations, Vec::is_empty);
    for schemas in [&mut props.all_of, &mut props.one_of, &mut props.any_of] {
        drop_empty(schemas, Vec::is_empty);
        schemas.iter_mut().flatten().for_each(normalize);
    }
    drop_empty(&mut props.properties, BTreeMap::is_empty);
    let properties = props.properties.iter_mut().flat_map(|map| map.values_mut());
    properties.map(Arc::make_mut).for_each(normalize);
    for schemas in [&mut props.pattern_properties, &mut props.definitions] {
        drop_empty(schemas, BTreeMap::is_empty);
        schemas.iter_mut().flat_map(|map| map.values_mut()).for_each(normalize);
    }
    drop_empty(&mut props.dependencies, BTreeMap::is_empty);
    for dependency in props.dependencies.iter_mut().flat_map(|map| map.values_mut()) {
        if let SchemaOrStrings::Schema(schema) = dependency {
            normalize(schema);
        }
    }
    if let Some(not) = &mut props.not {
        normalize(not);
    }
    match &mut props.items {
        Some(SchemaOrArray::Schema(schema)) => normalize(schema),
        Some(SchemaOrArray::Array(schemas)) if schemas.is_empty() => {
            // The keyword is still present.
            props.items = Some(SchemaOrArray::Neither(true));
        }
        Some(SchemaOrArray::Array(schemas)) => schemas.iter_mut().for_each(normalize),
        Some(SchemaOrArray::Neither(_)) | None => {}
    }
    for schema in [&mut props.additional_properties, &mut props.additional_items] {
        if let Some(SchemaOrBool::Schema(schema)) = schema {
            normalize(schema);
        }
    }
}

fn drop_empty<T>(value: &mut Option<T>, is_empty: impl Fn(&T) -> bool) {
    if value.as_ref().is_some_and(is_empty) {
        *value = None;
    }
}
