//! Validates the type and the metadata of embedded resources.
//!
//! Source: `pkg/apiserver/schema/objectmeta/validation.go` of apiextensions-apiserver.

use serde_json::{Map, Value};

use super::decode;
use super::fields;
use super::validate::{self, Identity, Scope};
use crate::compiled::{Additional, CompiledSchema, Node, NodeId};
use crate::differences::Difference;
use crate::field::{Path, Sink};
use crate::model::to_lower;
use crate::names;

/// Checks every embedded resource. The root is checked only if its schema has `x-kubernetes-embedded-resource`.
pub fn validate_embedded(schema: &CompiledSchema, object: &Value, errors: &mut Sink) {
    walk(schema, schema.root(), object, &Path::ROOT, errors);
}

/// Checks the value of one node, and every embedded resource below it.
pub fn validate_embedded_at(
    schema: &CompiledSchema,
    id: NodeId,
    value: &Value,
    path: &Path<'_>,
    errors: &mut Sink,
) {
    walk(schema, &schema[id], value, path, errors);
}

const NOT_A_STRING: &str = "must be a string";

/// Recursion follows the schema, which is finite.
fn walk(schema: &CompiledSchema, node: &Node, value: &Value, path: &Path<'_>, errors: &mut Sink) {
    if !node.has_resources {
        return;
    }
    match value {
        Value::Object(map) => {
            if node.embedded_resource {
                validate_resource(map, path, errors);
            }
            for (key, value) in map {
                if let Some(id) = node.property(key) {
                    walk(schema, &schema[id], value, &path.field(key), errors);
                } else if let Additional::Schema(id) = node.additional {
                    walk(schema, &schema[id], value, &path.key(key), errors);
                }
            }
        }
        Value::Array(items) => {
            if let Some(id) = node.items {
                for (index, item) in items.iter().enumerate() {
                    walk(schema, &schema[id], item, &path.index(index), errors);
                }
            }
        }
        _ => {}
    }
}

fn validate_resource(map: &Map<String, Value>, path: &Path<'_>, errors: &mut Sink) {
    let absent = if errors.server_has(Difference::ShortDetails) { "" } else { "must not be empty" };
    let api_version = path.field("apiVersion");
    match map.get("apiVersion") {
        None => errors.required(&api_version, absent),
        Some(Value::String(text)) if text.is_empty() => {
            errors.invalid(&api_version, "", "must not be empty");
        }
        Some(Value::String(text)) => {
            if let Err(message) = fields::parse_group_version(text) {
                errors.invalid(&api_version, text.as_str(), message);
            }
        }
        Some(other) => errors.invalid(&api_version, other, NOT_A_STRING),
    }
    let kind = path.field("kind");
    match map.get("kind") {
        None => errors.required(&kind, absent),
        Some(Value::String(text)) if text.is_empty() => {
            errors.invalid(&kind, "", "must not be empty");
        }
        Some(Value::String(text)) => {
            let messages = names::dns1035_label(&to_lower(text));
            if !messages.is_empty() {
                let detail = format!(
                    "may have mixed case, but should otherwise match: {}",
                    messages.join(",")
                );
                errors.invalid(&kind, text.as_str(), detail);
            }
        }
        Some(other) => errors.invalid(&kind, other, NOT_A_STRING),
    }
    if let Some(metadata) = map.get("metadata") {
        let path = path.field("metadata");
        if let Err(message) = decode::check(metadata) {
            errors.invalid(&path, metadata, message);
        } else if let Value::Object(metadata) = metadata {
            let identity = Identity::of(metadata);
            let scope =
                if identity.namespace.is_empty() { Scope::Cluster } else { Scope::Namespaced };
            validate::validate_name(&identity, names::path_segment, false, &path, errors);
            validate::validate_common(&identity, metadata, scope, &path, errors);
        }
    }
}
