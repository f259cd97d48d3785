//! Prunes the defaults of a schema by that schema, once, when it is compiled.
//!
//! Source: `pkg/apiserver/schema/defaulting/prune.go`, `PruneDefaults`.

use serde_json::{Map, Value};

use crate::compiled::{Additional, CompiledSchema, NodeId, Properties};
use crate::{json, prune};

/// A step from a value to one that it contains.
#[derive(Debug, Clone)]
enum ValueStep {
    Key(Box<str>),
    Index,
}

/// Prunes every default, and drops malformed metadata from it. Returns whether any changed, or `None` if one cannot be
/// pruned, such as a default of the root that is not an object, or any default of the root's `items`.
///
/// A default is pruned inside an object that contains nothing else, because the schema of metadata depends on the
/// object around it.
pub(crate) fn prune_defaults(schema: &mut CompiledSchema) -> Option<bool> {
    let mut pruned = Vec::new();
    let all = collect(schema, schema.root, &mut Vec::new(), &mut pruned);
    let mut changed = false;
    for (NodeId(id), default) in pruned {
        if let Some(node) = schema.nodes.get_mut(id as usize) {
            changed |= match (&node.default, &default) {
                (Some(old), Some(new)) => !json::equal(old, new),
                (old, new) => old.is_some() != new.is_some(),
            };
            node.default = default;
        }
    }
    all.then_some(changed)
}

/// Collects the pruned defaults at and below a node in `pruned`. Returns whether all could be pruned. Recursion follows
/// the schema, which is finite.
fn collect(
    schema: &CompiledSchema,
    id: NodeId,
    steps: &mut Vec<ValueStep>,
    pruned: &mut Vec<(NodeId, Option<Value>)>,
) -> bool {
    let node = &schema[id];
    if !node.has_defaults {
        return true;
    }
    let mut all = true;
    if let Some(node_default) = &node.default {
        let mut object = surround(node_default.clone(), steps);
        // Upstream: the root is an object, also if its schema has `items` with a default.
        let is_object = object.is_object();
        schema.drop_malformed_metadata(&mut object);
        prune::prune_silently(schema, &mut object);
        match extract(object, steps) {
            Ok(default) if is_object => pruned.push((id, default)),
            _ => all = false,
        }
    }
    let mut below = |step: ValueStep, id: NodeId| {
        steps.push(step);
        all &= collect(schema, id, steps, pruned);
        steps.pop();
    };
    if let Additional::Schema(id) = node.additional {
        // Upstream: `*` stands for any key of the map.
        below(ValueStep::Key("*".into()), id);
    }
    if let Some(id) = node.items {
        below(ValueStep::Index, id);
    }
    for (name, id) in node.properties.iter().flat_map(Properties::iter) {
        below(ValueStep::Key(name.into()), id);
    }
    all
}

fn surround(value: Value, steps: &[ValueStep]) -> Value {
    steps.iter().rev().fold(value, |value, step| match step {
        ValueStep::Key(key) => Value::Object(Map::from_iter([(String::from(&**key), value)])),
        ValueStep::Index => Value::Array(vec![value]),
    })
}

/// Returns the pruned value, or `None` if pruning has removed it; `Err` if pruning has changed the type of a value on
/// the path to it.
fn extract(object: Value, steps: &[ValueStep]) -> Result<Option<Value>, ()> {
    let mut value = object;
    for step in steps {
        let below = match (value, step) {
            (Value::Object(mut map), ValueStep::Key(key)) => map.remove(&**key),
            (Value::Array(mut items), ValueStep::Index) if !items.is_empty() => {
                Some(items.remove(0))
            }
            (Value::Array(_), ValueStep::Index) => None,
            _ => return Err(()),
        };
        match below {
            Some(below) => value = below,
            None => return Ok(None),
        }
    }
    Ok(Some(value))
}
