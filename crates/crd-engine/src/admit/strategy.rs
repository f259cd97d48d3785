//! Preparation and validation of writes.
//!
//! Source: `pkg/registry/customresource/{strategy,status_strategy,validator}.go` of
//! apiextensions-apiserver.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::scale;
use crate::compiled::CompiledSchema;
use crate::correlate::Correlation;
use crate::differences::Difference;
use crate::field::{ErrorKind, Path, Sink};
use crate::json;
use crate::list_type;
use crate::object_meta::{self, Scope, generation};
use crate::ratchet::Ratchet;
use crate::rules;
use crate::value;

static NO_METADATA: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);

/// Drops the status of a new object if the kind has the status subresource, and sets the generation to 1.
///
/// Source: `customResourceStrategy.PrepareForCreate`.
pub(super) fn prepare_create(schema: &CompiledSchema, object: &mut Value) {
    if let Value::Object(map) = object
        && schema.resource().has_status
    {
        map.remove("status");
    }
    set_generation(object, 1);
}

/// Keeps the status of the stored object if the kind has the status subresource, and increments the generation if
/// anything but metadata changes.
///
/// Source: `customResourceStrategy.PrepareForUpdate`, after `BeforeUpdate` in
/// `k8s.io/apiserver/pkg/registry/rest/update.go` has copied the generation of the stored object.
pub(super) fn prepare_update(schema: &CompiledSchema, object: &mut Value, old: &Value) {
    let kept = generation(metadata(old));
    set_generation(object, kept);
    let Value::Object(map) = object else { return };
    if schema.resource().has_status {
        match old.get("status") {
            Some(status) => {
                map.insert("status".to_owned(), status.clone());
            }
            None => {
                map.remove("status");
            }
        }
    }
    if !same_but_for_metadata(map, old) {
        // Upstream: Go's integers wrap around; validation then rejects the generation as decremented.
        set_generation(object, kept.wrapping_add(1));
    }
}

/// Takes the status and the managed fields from the written object, and everything else from the stored one.
///
/// Source: `statusStrategy.PrepareForUpdate`.
pub(super) fn prepare_update_status(object: &mut Value, old: &Value) {
    let status = object.as_object_mut().and_then(|map| map.remove("status"));
    let managed_fields = metadata(object).get("managedFields").cloned();
    *object = old.clone();
    let Value::Object(map) = object else { return };
    match status {
        Some(status) => {
            map.insert("status".to_owned(), status);
        }
        None => {
            map.remove("status");
        }
    }
    match managed_fields {
        Some(mut managed_fields) => {
            // Upstream: setting the list encodes it again, without zero times, which are `null` here.
            for entry in managed_fields.as_array_mut().into_iter().flatten() {
                if let Value::Object(entry) = entry {
                    entry.retain(|_, value| !value.is_null());
                }
            }
            // Upstream: setting a field of metadata adds the metadata if there is none.
            let metadata = map.entry("metadata").or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(metadata) = metadata {
                metadata.insert("managedFields".to_owned(), managed_fields);
            }
        }
        None => {
            if let Some(Value::Object(metadata)) = map.get_mut("metadata") {
                metadata.remove("managedFields");
            }
        }
    }
}

fn same_but_for_metadata(new: &Map<String, Value>, old: &Value) -> bool {
    let Value::Object(old) = old else { return false };
    let content = |map: &Map<String, Value>| map.len() - usize::from(map.contains_key("metadata"));
    content(new) == content(old)
        && new.iter().all(|(key, value)| {
            key == "metadata" || old.get(key).is_some_and(|old| json::equal(value, old))
        })
}

/// Validates a new object.
///
/// Source: `customResourceStrategy.Validate`.
pub(super) fn validate_create(schema: &CompiledSchema, object: &Value, errors: &mut Sink) {
    validate_type(schema, object, errors);
    if errors.is_empty() {
        let scope = if schema.resource().namespaced { Scope::Namespaced } else { Scope::Cluster };
        let path = Path::new("metadata");
        object_meta::validate_create(metadata(object), scope, &path, errors);
        value::validate(schema, schema.root, object, &Path::ROOT, None, errors);
        scale::validate_spec(schema, object, errors);
        scale::validate_status(schema, object, errors);
    }
    object_meta::validate_embedded(schema, object, errors);
    list_type::check(schema, object, errors);
    validate_rules(schema, object, None, Ratchet::OFF, errors);
}

/// Validates an update of an object or of its status: first the checks that the server makes outside the strategy, then
/// those of the strategy.
///
/// Source: `BeforeUpdate`, `k8s.io/apiserver/pkg/registry/rest/update.go`.
pub(super) fn validate_over(
    schema: &CompiledSchema,
    object: &Value,
    old: &Value,
    part: UpdatedPart,
    errors: &mut Sink,
) {
    object_meta::validate_before_update(metadata(object), &Path::new("metadata"), errors);
    // The errors so far do not prevent the check of rules; only errors of the strategy do.
    let mut own = errors.below();
    match part {
        UpdatedPart::Object => validate_update(schema, object, old, &mut own),
        UpdatedPart::Status => validate_update_status(schema, object, old, &mut own),
    }
    errors.append(own);
}

/// The part of an object that an update changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UpdatedPart {
    /// The object without its status, if the kind has a status subresource; otherwise the whole object.
    Object,
    /// The status.
    Status,
}

/// Source: `customResourceStrategy.ValidateUpdate`.
fn validate_update(schema: &CompiledSchema, object: &Value, old: &Value, errors: &mut Sink) {
    let pair = Correlation::root(schema, object, old);
    validate_type(schema, object, errors);
    if errors.is_empty() {
        let path = Path::new("metadata");
        object_meta::validate_update(metadata(object), metadata(old), &path, errors);
        value::validate(schema, schema.root, object, &Path::ROOT, Some(&pair), errors);
        scale::validate_spec(schema, object, errors);
        scale::validate_status(schema, object, errors);
    }
    object_meta::validate_embedded(schema, object, errors);
    validate_list_types(schema, object, old, errors);
    validate_rules(schema, object, Some(old), Ratchet::root(&pair), errors);
}

/// Source: `statusStrategy.ValidateUpdate`.
fn validate_update_status(schema: &CompiledSchema, object: &Value, old: &Value, errors: &mut Sink) {
    let ratchets = errors.server_has(Difference::RatchetedStatus);
    let pair = Correlation::root(schema, object, old);
    validate_type(schema, object, errors);
    if errors.is_empty() {
        let path = Path::new("metadata");
        object_meta::validate_update(metadata(object), metadata(old), &path, errors);
        if let (Some(status), Some(node)) = (object.get("status"), schema.root().property("status"))
            && schema.resource().has_status
        {
            // Upstream: if the stored status is absent, the validator compares the new one with nil.
            let pair = pair
                .key("status")
                .unwrap_or_else(|| Correlation::of(schema, node, status, &Value::Null));
            let pair = Some(&pair).filter(|_| ratchets);
            let has_path = errors.server_has(Difference::StatusPaths);
            let path = if has_path { Path::new("status") } else { Path::ROOT };
            value::validate(schema, node, status, &path, pair, errors);
        }
        scale::validate_status(schema, object, errors);
    }
    validate_list_types(schema, object, old, errors);
    let ratchet = if ratchets { Ratchet::root(&pair) } else { Ratchet::OFF };
    validate_rules(schema, object, Some(old), ratchet, errors);
}

/// Checks that the kind and version are those of the schema.
///
/// Source: `customResourceValidator.ValidateTypeMeta`.
fn validate_type(schema: &CompiledSchema, object: &Value, errors: &mut Sink) {
    let resource = schema.resource();
    let object = object.as_object();
    let text = |key| object.and_then(|map| map.get(key)?.as_str()).unwrap_or_default();
    if text("kind") != resource.names.kind {
        let detail = format!("must be {}", resource.names.kind);
        errors.invalid(&Path::new("kind"), text("kind"), detail);
    }
    let api_version = text("apiVersion");
    if !schema.is_api_version(api_version)
        && object_meta::split_at_slash(api_version) != Some((&resource.group, &resource.version))
    {
        let detail = format!("must be {}", resource.api_version());
        // Upstream: the message shows the parsed form, which has no slash after an empty group.
        let shown = api_version.strip_prefix('/').unwrap_or(api_version);
        errors.invalid(&Path::new("apiVersion"), shown, detail);
    }
}

/// Validates lists of type `set` and `map`. If the stored object has any duplicate element, all duplicate elements of
/// the new one are ratcheted.
fn validate_list_types(schema: &CompiledSchema, object: &Value, old: &Value, errors: &mut Sink) {
    let mut found = errors.below();
    list_type::check(schema, object, &mut found);
    if found.is_empty() {
        return;
    }
    let mut before = Sink::counting();
    list_type::check(schema, old, &mut before);
    if before.is_empty() {
        errors.append(found);
    }
}

/// Runs the rules, unless the object has errors of a [`BLOCKING`] kind.
fn validate_rules(
    schema: &CompiledSchema,
    object: &Value,
    old: Option<&Value>,
    ratchet: Ratchet<'_, '_>,
    errors: &mut Sink,
) {
    if !schema.root().has_rules {
        return;
    }
    let rules = schema.rules();
    // Upstream: there is no validator if all rules are in parts of the schema that rules cannot access.
    if rules.root.is_none() {
        return;
    }
    if errors.has_any(&BLOCKING) {
        errors.invalid(
            &Path::ROOT,
            &Value::Null,
            "some validation rules were not checked because the object was invalid; correct the \
             existing errors to complete validation",
        );
        return;
    }
    let path = Path::ROOT;
    rules::validate(rules, &path, object, old, ratchet, rules::BUDGET, errors);
}

/// The kinds of errors that prevent the check of rules. Source: `hasBlockingErr`.
const BLOCKING: [ErrorKind; 5] = [
    ErrorKind::NotSupported,
    ErrorKind::Required,
    ErrorKind::TooLong,
    ErrorKind::TooMany,
    ErrorKind::TypeInvalid,
];

fn metadata(object: &Value) -> &Map<String, Value> {
    let metadata = object.as_object().and_then(|map| map.get("metadata")?.as_object());
    metadata.unwrap_or_else(|| &NO_METADATA)
}

/// Sets the generation; 0 removes it.
///
/// Source: `Unstructured.SetGeneration`.
fn set_generation(object: &mut Value, generation: i64) {
    let Value::Object(map) = object else { return };
    if generation == 0 {
        if let Some(Value::Object(metadata)) = map.get_mut("metadata") {
            metadata.remove("generation");
        }
        return;
    }
    match map.get_mut("metadata") {
        Some(Value::Object(metadata)) => {
            metadata.insert("generation".to_owned(), generation.into());
        }
        Some(_) => {}
        None => {
            let metadata = Map::from_iter([("generation".to_owned(), generation.into())]);
            map.insert("metadata".to_owned(), Value::Object(metadata));
        }
    }
}
