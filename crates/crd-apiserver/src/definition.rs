//! Decodes, prepares and validates definitions, and renders tables of them.
//!
//! Source: `pkg/registry/customresourcedefinition/strategy.go` of apiextensions-apiserver.

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::{Map, Value, json};

use super::failure::{Answer, Failure, GroupResource};
use super::go_types::Decoding;
use super::target::Part;
use crate::admit::FieldValidation;
use crate::field::{ErrorList, Sink};
use crate::model::CustomResourceDefinition;
use crate::object_meta::Scope;
use crd_engine::{Server, definition, table};

pub(super) use super::go_types::definition::GROUP;

/// The resource of definitions in the store.
pub(super) const RESOURCE: &str = "apiextensions.k8s.io/customresourcedefinitions";

/// The kind of definitions as error messages name it.
const GROUP_KIND: GroupResource<'static> =
    GroupResource { group: GROUP, kind: "CustomResourceDefinition" };

/// Decodes a definition and sets its defaults. Also returns the messages about unknown fields, unless `validation`
/// ignores them.
///
/// # Errors
/// The message of the server.
pub(super) fn coerce_object(
    decoding: Decoding,
    object: &Value,
    validation: FieldValidation,
    kubernetes: KubernetesVersion,
) -> Result<(Value, Vec<String>), String> {
    let decoded = Server::of(kubernetes).decode_from(decoding, object);
    let mut decoded = decoded.map_err(|error| error.to_string())?;
    definition::apply_defaults(&mut decoded.crd);
    definition::default_stored_versions(&mut decoded.crd);
    let unknown =
        if validation == FieldValidation::Ignore { Vec::new() } else { decoded.unknown_fields };
    let value = to_value(&decoded.crd, object.get("metadata"));
    Ok((with_empty_conditions(value, object), unknown))
}

/// Returns the model of a stored definition.
pub(super) fn model(object: &Value) -> CustomResourceDefinition {
    // Decoding cannot fail, because the object was decoded before it was stored.
    definition::decode(object).map(|decoded| decoded.crd).unwrap_or_default()
}

/// Returns the object of a model, with the given metadata.
pub(super) fn to_value(crd: &CustomResourceDefinition, metadata: Option<&Value>) -> Value {
    let mut value = serde_json::to_value(crd).unwrap_or_default();
    if let Value::Object(map) = &mut value {
        map.insert("apiVersion".to_owned(), "apiextensions.k8s.io/v1".into());
        map.insert("kind".to_owned(), "CustomResourceDefinition".into());
        let metadata = metadata.cloned().unwrap_or_else(|| Value::Object(Map::new()));
        map.insert("metadata".to_owned(), metadata);
        // Upstream: `conditions` has no `omitempty`, so an absent list is written as null.
        if let Some(Value::Object(status)) = map.get_mut("status") {
            status.entry("conditions").or_insert(Value::Null);
        }
    }
    value
}

/// Writes an empty list of conditions if `of` has one. In the model, an empty list and an absent one are equal.
fn with_empty_conditions(mut value: Value, of: &Value) -> Value {
    let conditions = of.pointer("/status/conditions").filter(|it| **it == json!([]));
    if let (Some(conditions), Some(Value::Object(status))) = (conditions, value.get_mut("status")) {
        status.insert("conditions".to_owned(), conditions.clone());
    }
    value
}

/// Returns a definition without content as the server encodes it, with structs such as `spec` and `spec.names`. A
/// manager that creates a definition does not own these structs themselves.
pub(super) fn blank() -> Value {
    to_value(&CustomResourceDefinition::default(), None)
}

/// Checks that validation has found no errors in the definition of this name.
///
/// # Errors
/// Status 422 if there are errors.
fn check(name: &str, errors: &ErrorList) -> Answer<()> {
    if errors.is_empty() { Ok(()) } else { Err(Failure::invalid(GROUP_KIND, name, errors)) }
}

/// Prepares and validates a new definition.
///
/// # Errors
/// Status 422 if the definition is invalid.
pub(super) fn create(
    object: &Value,
    kubernetes: KubernetesVersion,
    warnings: &mut Vec<String>,
) -> Answer<Value> {
    let crd = model(object);
    check(&crd.metadata.name, &Server::of(kubernetes).validate(&crd))?;
    warnings.extend(Server::of(kubernetes).warnings(&crd));
    let prepared = definition::for_create(&crd, kubernetes);
    Ok(with_generation(&prepared, object))
}

/// Prepares and validates an update of a definition or of its status.
///
/// Source: `PrepareForUpdate` of the strategies, and `BeforeUpdate` of `pkg/registry/rest/update.go` in k8s.io/apiserver.
///
/// # Errors
/// Status 422 if the update is invalid.
pub(super) fn update(
    object: &Value,
    old: &Value,
    part: Part,
    kubernetes: KubernetesVersion,
    warnings: &mut Vec<String>,
) -> Answer<Value> {
    let (mut crd, old_crd) = (model(object), model(old));
    crd.metadata.generation = old_crd.metadata.generation;
    let mut errors = metadata_errors(object, old, kubernetes);
    if part == Part::Status {
        errors.extend(definition::validate_status_update(&crd, &old_crd));
        check(&crd.metadata.name, &errors)?;
        // Upstream: `ResetObjectMetaForStatus` gets the new metadata twice and resets nothing, so a write of the status
        // also changes labels and annotations.
        let mut prepared = crd;
        prepared.spec = old_crd.spec;
        prepared.status.get_or_insert_default();
        return Ok(with_empty_conditions(with_generation(&prepared, object), object));
    }
    errors.extend(Server::of(kubernetes).validate_update(&crd, &old_crd));
    check(&crd.metadata.name, &errors)?;
    warnings.extend(Server::of(kubernetes).update_warnings(&crd, &old_crd));
    let (prepared, _) = definition::for_update(&crd, &old_crd, kubernetes);
    let mut next = with_empty_conditions(with_generation(&prepared, object), old);
    if prepared.metadata.generation == old_crd.metadata.generation {
        let kept = super::metadata::of(old).and_then(|metadata| metadata.get("generation"));
        let metadata = super::metadata::of_mut(&mut next);
        match kept {
            Some(kept) => metadata.insert("generation".to_owned(), kept.clone()),
            None => metadata.remove("generation"),
        };
    }
    Ok(next)
}

/// Returns the errors of the metadata of an update. The strategy finds most of them again, so that the causes of a
/// failure list them twice.
///
/// Source: `validateCommonFields` of `pkg/registry/rest/update.go` in k8s.io/apiserver.
fn metadata_errors(object: &Value, old: &Value, kubernetes: KubernetesVersion) -> ErrorList {
    let fields = |object| super::metadata::of(object).cloned().unwrap_or_default();
    let (mut new, old) = (fields(object), fields(old));
    let generation = old.get("generation").cloned();
    super::metadata::set(&mut new, "generation", generation);
    let mut errors = Sink::of(kubernetes);
    super::metadata::validate_update(&new, &old, Scope::Cluster, &mut errors);
    errors.into_errors()
}

/// Returns the object of a prepared definition, with its generation and otherwise the metadata of `object`.
fn with_generation(prepared: &CustomResourceDefinition, object: &Value) -> Value {
    let mut value = to_value(prepared, object.get("metadata"));
    let metadata = super::metadata::of_mut(&mut value);
    metadata.insert("generation".to_owned(), prepared.metadata.generation.into());
    value
}

/// Returns the columns and cells of a table of definitions.
/// Source: `ConvertToTable` of `pkg/registry/customresourcedefinition/tableconvertor/tableconvertor.go`.
pub(super) fn table(items: &[Value]) -> (Vec<Value>, Vec<Vec<Value>>) {
    let columns = [
        ("Name", "string", "name", table::NAME_DESCRIPTION, 0),
        ("Scope", "string", "", "Cluster/Namespaced", 0),
        ("Versions", "string", "", "Served versions", 0),
        ("Created At", "date", "", table::CREATION_DESCRIPTION, 0),
        ("Group", "string", "", "API group", 1),
        ("Kind", "string", "", "CustomResource kind", 1),
        ("ShortNames", "string", "", "Short names", 1),
        ("Established", "boolean", "", "Established status", 1),
    ];
    let columns = columns.map(|(name, type_, format, description, priority)| {
        json!({
            "name": name, "type": type_, "format": format, "description": description, "priority": priority,
        })
    });
    (columns.into(), items.iter().map(row).collect())
}

fn row(object: &Value) -> Vec<Value> {
    let crd = model(object);
    let served = crd.spec.versions.iter().filter(|version| version.served);
    let mut versions: Vec<String> = served
        .map(|version| {
            let name = &version.name;
            if version.storage { format!("{name}(storage)") } else { name.clone() }
        })
        .collect();
    versions.sort();
    let conditions = crd.status.as_ref().map_or(&[][..], |status| &status.conditions);
    let is_established =
        conditions.iter().any(|it| it["type"] == "Established" && it["status"] == "True");
    let names = &crd.spec.names;
    vec![
        super::metadata::text(object, "name").into(),
        crd.spec.scope.as_str().into(),
        versions.join(",").into(),
        super::metadata::text(object, "creationTimestamp").into(),
        crd.spec.group.as_str().into(),
        names.kind.as_str().into(),
        names.short_names.join(",").into(),
        is_established.into(),
    ]
}
