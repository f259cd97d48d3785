//! The metadata of a definition.

use serde_json::{Map, Value};

use crate::field::{Path, Sink};
use crate::model::CustomResourceDefinition;
use crate::object_meta::{self, Scope};

const METADATA: Path<'static> = Path::new("metadata");

/// Checks the metadata of a new definition. Its name must be `<plural>.<group>`.
///
/// Source: `ValidateObjectMeta` with the name function of `ValidateCustomResourceDefinition`.
pub(super) fn check_create(crd: &CustomResourceDefinition, errors: &mut Sink) {
    object_meta::validate_create(&fields(crd), Scope::Cluster, &METADATA, errors);
    let want = format!("{}.{}", crd.spec.names.plural, crd.spec.group);
    for (key, name) in [("generateName", &crd.metadata.generate_name), ("name", &crd.metadata.name)]
    {
        if !name.is_empty() && *name != want {
            let detail = r#"must be spec.names.plural+"."+spec.group"#;
            errors.invalid(&METADATA.field(key), name.as_str(), detail);
        }
    }
}

/// Checks the metadata of a definition that replaces another.
///
/// Source: `ValidateObjectMetaUpdate`.
pub(super) fn check_update(
    crd: &CustomResourceDefinition,
    old: &CustomResourceDefinition,
    errors: &mut Sink,
) {
    object_meta::validate_update(&fields(crd), &fields(old), &METADATA, errors);
}

fn fields(crd: &CustomResourceDefinition) -> Map<String, Value> {
    match serde_json::to_value(&crd.metadata) {
        Ok(Value::Object(map)) => map,
        // Not reached: metadata can always be serialized.
        _ => Map::new(),
    }
}
