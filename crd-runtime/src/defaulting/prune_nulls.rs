//! Which nulls the server drops.
//!
//! Source: `pkg/apiserver/schema/defaulting/prunenulls.go` of apiextensions-apiserver.

use serde_json::Value;

use crate::compiled::{Additional, CompiledSchema, Node};

/// Drops the keys whose value is `null` where the schema is known, not nullable, and has no default.
///
/// A `null` with a default waits for [`super::apply_defaults`]. Elements of lists are never dropped.
///
/// Source: `defaulting.PruneNonNullableNullsWithoutDefaults`.
pub fn prune_nulls(schema: &CompiledSchema, object: &mut Value) {
    walk(schema, schema.root(), object);
}

/// Recursion follows the schema, which is finite: where it ends, nothing is dropped.
fn walk(schema: &CompiledSchema, node: &Node, value: &mut Value) {
    match value {
        Value::Object(map) => {
            let mut doomed = Vec::new();
            for (key, value) in map.iter_mut() {
                let known = node.property(key).or(match node.additional {
                    Additional::Schema(id) => Some(id),
                    Additional::Absent | Additional::Bool(_) => None,
                });
                let Some(id) = known else { continue };
                let child = &schema[id];
                if value.is_null() {
                    if !child.nullable && child.default.is_none() {
                        doomed.push(key.clone());
                    }
                } else {
                    walk(schema, child, value);
                }
            }
            for key in &doomed {
                map.remove(key);
            }
        }
        Value::Array(items) => {
            if let Some(id) = node.items {
                for item in items {
                    walk(schema, &schema[id], item);
                }
            }
        }
        _ => {}
    }
}
