//! Objects that are definitions: as they are decoded, prepared and validated.
//!
//! Source: `pkg/registry/customresourcedefinition/strategy.go` of apiextensions-apiserver.

use std::sync::{Arc, LazyLock};

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::{Map, Value, json};

use super::failure::{Answer, Failure, Of};
use super::kind::Kind;
use super::strategy::Part;
use crate::admit::FieldValidation;
use crate::definition;
use crate::field::ErrorList;
use crate::model::{CustomResourceDefinition, JsonSchemaProps};

/// Definitions in the store.
pub(super) const RESOURCE: &str = "apiextensions.k8s.io/customresourcedefinitions";

/// What owners can own of a definition: versions only as a whole.
/// Source: `+listType` in `pkg/apis/apiextensions/v1/types.go`.
pub(super) static SCHEMA: LazyLock<Arc<JsonSchemaProps>> = LazyLock::new(|| {
    let text = || json!({"type": "string"});
    let whole = || json!({"type": "array", "items": text(), "x-kubernetes-list-type": "atomic"});
    let names = || {
        json!({"type": "object", "properties": {
            "plural": text(), "singular": text(), "kind": text(), "listKind": text(),
            "shortNames": whole(), "categories": whole(),
        }})
    };
    let any = || json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    let schema = json!({"type": "object", "properties": {
        "spec": {"type": "object", "properties": {
            "group": text(), "scope": text(), "names": names(),
            "preserveUnknownFields": {"type": "boolean"},
            "versions": {"type": "array", "items": any(), "x-kubernetes-list-type": "atomic"},
            "conversion": {"type": "object", "properties": {
                "strategy": text(),
                "webhook": {"type": "object", "properties": {
                    "conversionReviewVersions": whole(),
                    "clientConfig": {"type": "object", "properties": {
                        "url": text(), "caBundle": text(),
                        "service": {"type": "object", "properties": {
                            "namespace": text(), "name": text(), "path": text(),
                            "port": {"type": "integer"},
                        }},
                    }},
                }},
            }},
        }},
        "status": {"type": "object", "properties": {
            "acceptedNames": names(), "storedVersions": whole(),
            "observedGeneration": {"type": "integer"},
            "conditions": {
                "type": "array", "items": any(), "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["type"],
            },
        }},
    }});
    Arc::new(serde_json::from_value(schema).unwrap_or_default())
});

/// What stands in an object, with the server's defaults; keys that the API does not have are reported.
///
/// # Errors
/// The text of Go's decoder.
pub(super) fn fit(
    object: &Value,
    validation: FieldValidation,
) -> Result<(Value, Vec<String>), String> {
    let mut decoded = definition::decode(object).map_err(|error| error.to_string())?;
    definition::apply_defaults(&mut decoded.crd);
    let unknown =
        if validation == FieldValidation::Ignore { Vec::new() } else { decoded.unknown_fields };
    Ok((to_value(&decoded.crd, object.get("metadata")), unknown))
}

/// The model of a definition that is an object here.
pub(super) fn model(object: &Value) -> CustomResourceDefinition {
    // What is stored has been decoded before.
    definition::decode(object).map(|decoded| decoded.crd).unwrap_or_default()
}

/// The object of a model, with metadata of its own.
pub(super) fn to_value(crd: &CustomResourceDefinition, metadata: Option<&Value>) -> Value {
    let mut value = serde_json::to_value(crd).unwrap_or_default();
    if let Value::Object(map) = &mut value {
        map.insert("apiVersion".to_owned(), "apiextensions.k8s.io/v1".into());
        map.insert("kind".to_owned(), "CustomResourceDefinition".into());
        let metadata = metadata.cloned().unwrap_or_else(|| Value::Object(Map::new()));
        map.insert("metadata".to_owned(), metadata);
        // Upstream: conditions have no `omitempty`.
        if let Some(Value::Object(status)) = map.get_mut("status") {
            status.entry("conditions").or_insert(Value::Null);
        }
    }
    value
}

fn refuse(kind: &Kind, name: &str, errors: &ErrorList) -> Answer<()> {
    if errors.is_empty() {
        return Ok(());
    }
    Err(Failure::invalid(Of { group: &kind.group, kind: &kind.names.kind }, name, errors))
}

/// Prepares and validates a new definition.
///
/// # Errors
/// Status 422.
pub(super) fn create(kind: &Kind, object: &Value, warnings: &mut Vec<String>) -> Answer<Value> {
    let crd = model(object);
    refuse(kind, &crd.metadata.name, &definition::validate(&crd))?;
    warnings.extend(definition::warnings(&crd));
    let prepared = definition::for_create(&crd, KubernetesVersion::REFERENCE);
    Ok(with_generation(&prepared, object))
}

/// Prepares and validates a definition, or its status, in place of another.
///
/// # Errors
/// Status 422.
pub(super) fn update(
    kind: &Kind,
    object: &Value,
    old: &Value,
    part: Part,
    warnings: &mut Vec<String>,
) -> Answer<Value> {
    let (crd, old_crd) = (model(object), model(old));
    if part == Part::Status {
        refuse(kind, &crd.metadata.name, &definition::validate_status_update(&crd, &old_crd))?;
        let mut next = old.clone();
        if let Value::Object(next) = &mut next {
            match object.get("status") {
                Some(status) => next.insert("status".to_owned(), status.clone()),
                None => next.remove("status"),
            };
        }
        let managed = object.get("metadata").and_then(|metadata| metadata.get("managedFields"));
        let metadata = super::metadata::of_mut(&mut next);
        match managed {
            Some(managed) => metadata.insert("managedFields".to_owned(), managed.clone()),
            None => metadata.remove("managedFields"),
        };
        return Ok(next);
    }
    refuse(kind, &crd.metadata.name, &definition::validate_update(&crd, &old_crd))?;
    warnings.extend(definition::update_warnings(&crd, &old_crd));
    let (prepared, _) = definition::for_update(&crd, &old_crd, KubernetesVersion::REFERENCE);
    let mut next = with_generation(&prepared, object);
    if prepared.spec == old_crd.spec {
        let kept = super::metadata::of(old).and_then(|metadata| metadata.get("generation"));
        let metadata = super::metadata::of_mut(&mut next);
        match kept {
            Some(kept) => metadata.insert("generation".to_owned(), kept.clone()),
            None => metadata.remove("generation"),
        };
    }
    Ok(next)
}

fn with_generation(prepared: &CustomResourceDefinition, object: &Value) -> Value {
    let mut value = to_value(prepared, object.get("metadata"));
    let metadata = super::metadata::of_mut(&mut value);
    metadata.insert("generation".to_owned(), prepared.metadata.generation.into());
    value
}
