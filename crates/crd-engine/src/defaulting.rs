//! Defaulting: adds the schema's defaults to an object.
//!
//! Source: `pkg/apiserver/schema/defaulting/algorithm.go` of apiextensions-apiserver.

use serde_json::Value;

use crate::compiled::{Additional, CompiledSchema, Node, NodeId};

impl CompiledSchema {
    /// Sets the schema's default for a missing key, and for a `null` whose schema is not nullable.
    ///
    /// Works top down: an object that is a default is itself completed by the defaults below it. A missing object
    /// without a default of its own is not created, and a default at the root has no effect.
    ///
    /// Source: `defaulting.Default`.
    pub fn apply_defaults(&self, object: &mut Value) {
        apply(self, self.root(), object);
    }
}

/// Recursion follows the schema, which is finite.
fn apply(schema: &CompiledSchema, node: &Node, value: &mut Value) {
    match value {
        Value::Object(map) => {
            for (name, id) in node.properties_at(&node.defaulted) {
                let property = &schema[id];
                match map.get_mut(name) {
                    Some(value) => fill(schema, property, value),
                    None => {
                        if let Some(default) = &property.default {
                            let mut value = default.clone();
                            apply(schema, property, &mut value);
                            map.insert(name.to_owned(), value);
                        }
                    }
                }
            }
            if let Additional::Schema(id) = node.additional
                && schema[id].has_defaults
            {
                for (key, value) in map.iter_mut() {
                    if node.property(key).is_none() {
                        fill(schema, &schema[id], value);
                    }
                }
            }
        }
        Value::Array(items) => {
            if let Some(id) = with_defaults(schema, node.items) {
                for item in items {
                    fill(schema, &schema[id], item);
                }
            }
        }
        _ => {}
    }
}

/// Replaces a `null` whose schema is not nullable by the default, and adds the defaults below it.
fn fill(schema: &CompiledSchema, node: &Node, value: &mut Value) {
    if value.is_null()
        && !node.nullable
        && let Some(default) = &node.default
    {
        *value = default.clone();
    }
    apply(schema, node, value);
}

fn with_defaults(schema: &CompiledSchema, id: Option<NodeId>) -> Option<NodeId> {
    id.filter(|id| schema[*id].has_defaults)
}
