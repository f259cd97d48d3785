//! Checks defaults: their schema must accept them, and must not prune them.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::options::Options;
use super::search;
use crate::compiled::{CompiledSchema, Dialect, NodeId, Properties, Resource};
use crate::field::{Path, Sink};
use crate::model::{JsonSchemaProps, SchemaOrArray};
use crate::ratchet::Ratchet;
use crate::ruleset::RuleTree;
use crate::schema::{Structural, check_structural};
use crate::{json, object_meta, prune, rules, value};

/// The fields that every resource has.
const META_FIELDS: [&str; 3] = ["metadata", "apiVersion", "kind"];

/// Checks every default of a schema, except for those below `additionalProperties` and in junctors.
///
/// Source: `pkg/apiserver/schema/defaulting/validation.go`, `ValidateDefaults`.
pub(super) fn check(
    structural: &Structural,
    options: &Options,
    path: &Path<'_>,
    errors: &mut Sink,
) {
    if !has_defaults(structural) {
        return;
    }
    let schema = compile(structural, options);
    let Some(root) = schema.structural() else { return };
    let budget = rules::BUDGET;
    let must_be_pruned = options.pruned_defaults;
    let mut walk = DefaultsWalk { schema: &schema, must_be_pruned, budget, errors };
    let around = Surroundings { root: schema.root, steps: Steps::Here };
    // If the budget is used up, the remaining defaults are not checked.
    let _ = walk.node(SchemaNode { id: schema.root, schema: root }, around, false, path);
}

/// Compiles a schema as that of a resource, for the check of its defaults.
fn compile(structural: &Structural, options: &Options) -> CompiledSchema {
    let mut root = structural.clone();
    root.extensions.embedded_resource = true;
    CompiledSchema::new(Some(root), Resource::default(), Dialect::Defaults, options.kubernetes)
}

/// A schema as errors show it: with normalized metadata in its defaults.
///
/// Upstream: the check of defaults normalizes their metadata in place. Errors point to the same definition and are
/// printed after all checks, so they show normalized metadata. The check runs only for a structural schema.
pub(super) fn shown<'a>(props: &'a JsonSchemaProps, options: &Options) -> Cow<'a, JsonSchemaProps> {
    let has_metadata = |props: &JsonSchemaProps| props.default.as_ref().is_some_and(has_metadata);
    if !options.structural || !search::any(props, has_metadata) {
        return Cow::Borrowed(props);
    }
    let Ok(structural) = Structural::try_from(props) else { return Cow::Borrowed(props) };
    let mut found = Sink::new();
    check_structural(&Path::ROOT, &structural, &mut found);
    if !found.is_empty() {
        return Cow::Borrowed(props);
    }
    let mut shown = props.clone();
    let schema = compile(&structural, options);
    normalize(&schema, schema.root, false, &mut shown);
    Cow::Owned(shown)
}

/// Whether a value has metadata. Recursion follows the value, which is finite.
fn has_metadata(value: &Value) -> bool {
    match value {
        Value::Object(map) => map.contains_key("metadata") || map.values().any(has_metadata),
        Value::Array(items) => items.iter().any(has_metadata),
        _ => false,
    }
}

/// Normalizes the metadata in the defaults of a schema. Recursion follows the schema, which is finite.
fn normalize(
    schema: &CompiledSchema,
    id: NodeId,
    in_resource_meta: bool,
    props: &mut JsonSchemaProps,
) {
    let node = &schema[id];
    let in_resource_meta = in_resource_meta && !node.embedded_resource;
    if !in_resource_meta && let Some(default) = &mut props.default {
        // `check` reports the error.
        let _ = object_meta::coerce_at(schema, id, default, &Path::ROOT);
    }
    if let (Some(id), Some(SchemaOrArray::Schema(items))) = (node.items, &mut props.items) {
        normalize(schema, id, in_resource_meta, items);
    }
    for (name, props) in props.properties.iter_mut().flatten() {
        let is_meta = node.embedded_resource && META_FIELDS.contains(&name.as_str());
        if let Some(id) = node.properties.as_ref().and_then(|properties| properties.get(name)) {
            normalize(schema, id, in_resource_meta || is_meta, Arc::make_mut(props));
        }
    }
}

/// Whether a schema has a default that [`check`] visits. Recursion follows the schema, which is finite.
fn has_defaults(schema: &Structural) -> bool {
    schema.generic.default.is_some()
        || schema.items.as_deref().is_some_and(has_defaults)
        || schema.properties.values().any(has_defaults)
}

/// The closest resource that contains a default, and the path from it to the default.
#[derive(Clone, Copy)]
struct Surroundings<'a> {
    root: NodeId,
    steps: Steps<'a>,
}

#[derive(Clone, Copy)]
enum Steps<'a> {
    Here,
    Key(&'a Steps<'a>, &'a str),
    Index(&'a Steps<'a>),
}

/// A schema, compiled and as written.
#[derive(Clone, Copy)]
struct SchemaNode<'s> {
    id: NodeId,
    schema: &'s Structural,
}

/// The budget of the rules is used up.
struct Exhausted;

/// Checks the defaults of a schema, outermost first. Recursion follows the schema, which is finite.
struct DefaultsWalk<'s, 'e> {
    schema: &'s CompiledSchema,
    /// Whether pruning must leave a default unchanged.
    must_be_pruned: bool,
    /// The remaining budget of the rules, in cost units.
    budget: u64,
    errors: &'e mut Sink,
}

impl DefaultsWalk<'_, '_> {
    fn node(
        &mut self,
        at: SchemaNode<'_>,
        around: Surroundings<'_>,
        in_resource_meta: bool,
        path: &Path<'_>,
    ) -> Result<(), Exhausted> {
        let node = &self.schema[at.id];
        let (around, in_resource_meta) = if node.embedded_resource {
            (Surroundings { root: at.id, steps: Steps::Here }, false)
        } else {
            (around, in_resource_meta)
        };
        if !node.has_defaults {
            return Ok(());
        }
        if let Some(default) = &node.default {
            let path = path.field("default");
            let valid = if in_resource_meta {
                self.check_in_meta(at.id, default, around, &path).then(|| default.clone())
            } else {
                self.check_default(at.id, default.clone(), &path)
            };
            if let Some(default) = valid {
                self.check_rules(at, &default, &path)?;
            }
        }
        let steps = around.steps;
        if let (Some(id), Some(schema)) = (node.items, &at.schema.items) {
            let around = Surroundings { steps: Steps::Index(&steps), ..around };
            self.node(SchemaNode { id, schema }, around, in_resource_meta, &path.field("items"))?;
        }
        let properties = path.field("properties");
        for (name, id) in node.properties.iter().flat_map(Properties::iter) {
            let Some(schema) = at.schema.properties.get(name) else { continue };
            let is_meta = node.embedded_resource && META_FIELDS.contains(&name);
            let around = Surroundings { steps: Steps::Key(&steps, name), ..around };
            let at = SchemaNode { id, schema };
            self.node(at, around, in_resource_meta || is_meta, &properties.key(name))?;
        }
        Ok(())
    }

    /// Evaluates the rules for a default with the default as the old value and, if they hold, again without an old
    /// value.
    fn check_rules(
        &mut self,
        at: SchemaNode<'_>,
        default: &Value,
        path: &Path<'_>,
    ) -> Result<(), Exhausted> {
        let tree = RuleTree::compile(
            at.schema,
            at.schema.extensions.embedded_resource,
            self.schema.kubernetes(),
        );
        if tree.root.is_none() {
            return Ok(());
        }
        let mut run = |old| {
            let mut found = self.errors.below();
            let left =
                rules::validate(&tree, path, default, old, Ratchet::OFF, self.budget, &mut found);
            let is_valid = found.is_empty();
            self.errors.append(found);
            (left, is_valid)
        };
        let (mut left, is_valid) = run(Some(default));
        if is_valid {
            left = left.min(run(None).0);
        }
        self.budget = left.ok_or(Exhausted)?;
        Ok(())
    }

    /// Checks a default outside the `apiVersion`, `kind` and `metadata` of a resource. If it is valid, returns it with
    /// its metadata normalized.
    fn check_default(&mut self, id: NodeId, mut default: Value, path: &Path<'_>) -> Option<Value> {
        let is_pruned = !self.must_be_pruned || {
            let mut pruned = default.clone();
            prune::prune_at(self.schema, id, &mut pruned);
            json::equal(&pruned, &default)
        };
        let malformed = object_meta::coerce_at(self.schema, id, &mut default, path);
        if !is_pruned {
            // Upstream: the error shows the default with its metadata normalized.
            self.errors.invalid(path, &default, "must not have unknown fields");
        }
        if let Err(error) = malformed {
            self.errors.push(error);
            return None;
        }
        let before = self.errors.len();
        object_meta::validate_embedded_at(self.schema, id, &default, path, self.errors);
        if self.errors.len() == before {
            value::validate(self.schema, id, &default, path, None, self.errors);
        }
        (self.errors.len() == before).then_some(default)
    }

    /// Checks a default in the `apiVersion`, `kind` or `metadata` of a resource: a resource with only this default
    /// must have valid metadata. Returns whether the default is valid.
    fn check_in_meta(
        &mut self,
        id: NodeId,
        default: &Value,
        around: Surroundings<'_>,
        path: &Path<'_>,
    ) -> bool {
        let mut object = surround(default.clone(), &around.steps);
        if let Value::Object(map) = &mut object {
            add_type(map);
        }
        let root = around.root;
        let problem = object_meta::coerce_at(self.schema, root, &mut object, &Path::ROOT)
            .map_err(|error| error.to_string())
            .and_then(|()| {
                let mut found = self.errors.below();
                let path = &Path::ROOT;
                object_meta::validate_embedded_at(self.schema, root, &object, path, &mut found);
                found.into_errors().into_result().map_err(|errors| errors.to_string())
            });
        if let Err(problem) = problem {
            let detail = format!("must result in valid metadata: {problem}");
            self.errors.invalid(path, default, detail);
            return false;
        }
        let before = self.errors.len();
        value::validate(self.schema, id, default, path, None, self.errors);
        self.errors.len() == before
    }
}

/// Returns the value inside otherwise empty objects and lists, at the end of the steps.
///
/// Source: `pkg/apiserver/schema/defaulting/surroundingobject.go`.
fn surround(value: Value, steps: &Steps<'_>) -> Value {
    match steps {
        Steps::Here => value,
        Steps::Key(above, key) => {
            let map = Map::from_iter([((*key).to_owned(), value)]);
            surround(Value::Object(map), above)
        }
        Steps::Index(above) => surround(Value::Array(vec![value]), above),
    }
}

/// Adds the `kind` and `apiVersion` that a resource must have, where they are absent.
fn add_type(map: &mut Map<String, Value>) {
    for (key, value) in [("kind", "Validation"), ("apiVersion", "validation/v1")] {
        if !map.contains_key(key) {
            map.insert(key.to_owned(), value.into());
        }
    }
}
