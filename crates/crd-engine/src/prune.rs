//! Pruning: drops the keys that the schema does not specify, and the keys whose value is `null` although their schema
//! is not nullable.
//!
//! Source: `pkg/apiserver/schema/pruning/algorithm.go` and `pkg/apiserver/schema/defaulting/prunenulls.go` of
//! apiextensions-apiserver. Unknown fields of metadata are dropped by [`crate::object_meta`], not here.

use std::fmt::Write as _;
use std::iter::Enumerate;
use std::mem;
use std::slice::IterMut;

use serde_json::{Map, Value};

use crate::compiled::{Additional, CompiledSchema, Node, NodeId};
use crate::field::Sink;

/// Returns whether a key is a field that every resource has; pruning leaves these to [`crate::object_meta`].
#[inline]
fn is_meta(key: &str) -> bool {
    matches!(key, "apiVersion" | "kind" | "metadata")
}

impl CompiledSchema {
    /// Drops the keys that the schema does not specify, and returns their paths, sorted bytewise and limited to
    /// [`MAX_UNKNOWN_FIELD_BYTES`](crate::field::MAX_UNKNOWN_FIELD_BYTES) in total.
    ///
    /// `apiVersion`, `kind` and `metadata` are kept at the root and in embedded resources. A scalar under a specified
    /// key is kept even if it has the wrong type; an object where a scalar is specified loses all its keys.
    ///
    /// Source: `pruning.PruneWithOptions`, called for the root of a resource.
    pub fn prune(&self, object: &mut Value) -> Vec<String> {
        let mut found = Sink::new();
        prune_into(self, object, Some(&mut found), false);
        found.into_parts().unknown_fields
    }

    /// Drops the keys whose value is `null` if their schema is known, not nullable, and has no default.
    ///
    /// A `null` with a default is replaced by [`apply_defaults`](Self::apply_defaults). Elements of lists are never
    /// dropped.
    ///
    /// Source: `defaulting.PruneNonNullableNullsWithoutDefaults`.
    pub fn prune_nulls(&self, object: &mut Value) {
        let mut pruner = Pruner { schema: self, found: None, nulls: true };
        pruner.walk(object, self.root(), Unknown::KeepBelow, false, Trail::Root);
    }

    /// Does [`CompiledSchema::prune_nulls`] for an object whose nulls were dropped before its defaults were added, so
    /// that a `null` to drop can only come from a default.
    pub fn prune_nulls_of_defaults(&self, object: &mut Value) {
        if self.has_null_in_defaults() && !self.resource().preserve_unknown_fields {
            self.prune_nulls(object);
        }
    }
}

/// Does [`CompiledSchema::prune`] without collecting the paths.
pub(crate) fn prune_silently(schema: &CompiledSchema, object: &mut Value) {
    prune_into(schema, object, None, false);
}

/// Does [`CompiledSchema::prune`] and [`CompiledSchema::prune_nulls`] in one walk; the paths of unknown fields go to
/// `found`, if given.
///
/// One walk is enough for both, because neither descends into values that the other removes.
pub(crate) fn prune_with_nulls(
    schema: &CompiledSchema,
    object: &mut Value,
    found: Option<&mut Sink>,
) {
    prune_into(schema, object, found, true);
}

/// Drops everything except `apiVersion`, `kind` and `metadata`, for an object of another version than the schema's.
pub(crate) fn prune_to_meta(object: &mut Value, found: &mut Sink) {
    let Value::Object(map) = object else { return };
    map.sort_keys();
    map.retain(|key, _| {
        let keep = is_meta(key);
        if !keep {
            found.unknown_field(|| key.clone());
        }
        keep
    });
}

/// Prunes the value of one node. If the node is an embedded resource, `apiVersion`, `kind` and `metadata` are kept.
pub(crate) fn prune_at(schema: &CompiledSchema, id: NodeId, value: &mut Value) {
    Pruner { schema, found: None, nulls: false }.prune(value, Some(id), Trail::Root);
}

fn prune_into(schema: &CompiledSchema, object: &mut Value, found: Option<&mut Sink>, nulls: bool) {
    let root = schema.root();
    let mut pruner = Pruner { schema, found, nulls };
    let before = pruner.found.as_mut().map_or(0, |found| found.unknown_fields().len());
    pruner.walk(object, root, Unknown::of(root), true, Trail::Root);
    if let Some(found) = pruner.found
        && let Some(added) = found.unknown_fields().get_mut(before..)
    {
        added.sort_unstable();
    }
}

/// The path of the walk: linked on the stack, and rendered only for dropped keys.
#[derive(Clone, Copy)]
enum Trail<'a> {
    Root,
    Key(&'a Trail<'a>, &'a str),
    Index(&'a Trail<'a>, usize),
}

impl Trail<'_> {
    /// Returns the path as text. Keys are joined with dots and never quoted; the server's paths are ambiguous, too.
    fn render(&self) -> String {
        let mut links = Vec::new();
        let mut next = self;
        loop {
            match next {
                Trail::Root => break,
                Trail::Key(parent, _) | Trail::Index(parent, _) => {
                    links.push(next);
                    next = parent;
                }
            }
        }
        let mut out = String::new();
        for (depth, link) in links.into_iter().rev().enumerate() {
            match link {
                Trail::Root => {}
                Trail::Key(_, key) => {
                    // Upstream: a dot follows any key before it, even an empty one.
                    if depth > 0 {
                        out.push('.');
                    }
                    out.push_str(key);
                }
                Trail::Index(_, index) => push_index(&mut out, *index),
            }
        }
        out
    }

    /// Returns the prefix of the paths of the keys in the object at this path.
    fn prefix(&self) -> String {
        let mut out = self.render();
        if !matches!(self, Trail::Root) {
            out.push('.');
        }
        out
    }
}

fn push_index(out: &mut String, index: usize) {
    let _ = write!(out, "[{index}]");
}

/// The walk. Recursion follows the schema, which is finite; [`Pruner::drop_all`] prunes values without a schema in a
/// loop.
struct Pruner<'s, 'f> {
    schema: &'s CompiledSchema,
    /// The collector of dropped paths.
    found: Option<&'f mut Sink>,
    /// Whether nulls are dropped.
    nulls: bool,
}

/// How to treat the keys of an object that its schema does not specify.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unknown {
    Drop,
    /// Keep them, and prune only below specified keys: `x-kubernetes-preserve-unknown-fields`.
    Keep,
    /// Keep them here and everywhere below; only nulls are dropped.
    KeepBelow,
}

impl Unknown {
    const fn of(node: &Node) -> Self {
        if node.preserve_unknown_fields { Self::Keep } else { Self::Drop }
    }
}

impl Pruner<'_, '_> {
    fn prune(&mut self, value: &mut Value, id: Option<NodeId>, trail: Trail<'_>) {
        if !matches!(value, Value::Object(_) | Value::Array(_)) {
            return;
        }
        let Some(id) = id else { return self.drop_all(value, trail) };
        let node = &self.schema[id];
        self.walk(value, node, Unknown::of(node), node.embedded_resource, trail);
    }

    /// Prunes the value of a node. If `resource` is true, the value is a resource, whose type and metadata are kept.
    fn walk(
        &mut self,
        value: &mut Value,
        node: &Node,
        unknown: Unknown,
        resource: bool,
        trail: Trail<'_>,
    ) {
        match value {
            Value::Object(map) => self.object(map, node, unknown, resource, trail),
            Value::Array(items) => {
                for (index, item) in items.iter_mut().enumerate() {
                    let trail = Trail::Index(&trail, index);
                    match (unknown, node.items) {
                        (Unknown::Drop, items) => self.prune(item, items, trail),
                        (Unknown::Keep | Unknown::KeepBelow, None) => return,
                        // Upstream: the unknown fields of items are kept as well, whatever the schema of the items.
                        (Unknown::Keep | Unknown::KeepBelow, Some(id)) => {
                            let node = &self.schema[id];
                            self.walk(item, node, unknown, node.embedded_resource, trail);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    fn object(
        &mut self,
        map: &mut Map<String, Value>,
        node: &Node,
        unknown: Unknown,
        resource: bool,
        trail: Trail<'_>,
    ) {
        let mut dropped = Vec::new();
        let mut nulls = Vec::new();
        // PERF: a scalar is kept or dropped; it contains nothing to prune.
        let keeps_scalars = unknown != Unknown::Drop || node.additional != Additional::Absent;
        for (key, value) in map.iter_mut() {
            if matches!(value, Value::Bool(_) | Value::Number(_) | Value::String(_)) {
                let stays =
                    keeps_scalars || node.property(key).is_some() || (resource && is_meta(key));
                if !stays {
                    dropped.push(key.clone());
                }
                continue;
            }
            let left_alone = unknown == Unknown::KeepBelow || (resource && is_meta(key));
            let known = node.property(key).or(match node.additional {
                Additional::Schema(id) => Some(id),
                Additional::Absent | Additional::Bool(_) => None,
            });
            match (known, node.additional) {
                (Some(id), _) if value.is_null() => {
                    let child = &self.schema[id];
                    if self.nulls && !child.nullable && child.default.is_none() {
                        nulls.push(key.clone());
                    }
                }
                (Some(id), _) if left_alone => {
                    if self.nulls {
                        let trail = Trail::Key(&trail, key);
                        self.walk(value, &self.schema[id], Unknown::KeepBelow, false, trail);
                    }
                }
                (known @ Some(_), _) => self.prune(value, known, Trail::Key(&trail, key)),
                (None, _) if left_alone => {}
                // Upstream: `true` keeps the key, but prunes everything below it.
                (None, Additional::Bool(_)) => self.prune(value, None, Trail::Key(&trail, key)),
                (None, _) => {
                    if unknown == Unknown::Drop {
                        dropped.push(key.clone());
                    }
                }
            }
        }
        for key in &nulls {
            map.remove(key);
        }
        self.drop_keys(map, dropped, trail);
    }

    /// Prunes a value without a schema: objects lose every key, lists keep their elements. This is a loop and not a
    /// recursion, because the client chooses the depth of the value.
    fn drop_all(&mut self, value: &mut Value, trail: Trail<'_>) {
        // The lists around the current value, with the remaining elements of each.
        let mut open: Vec<Enumerate<IterMut<'_, Value>>> = Vec::new();
        let mut indexes: Vec<usize> = Vec::new();
        let mut next = Some(value);
        loop {
            match next.take() {
                Some(Value::Object(map)) => {
                    let keys = mem::take(map).into_iter().map(|(key, _)| key);
                    self.report(keys, || {
                        let mut prefix = trail.render();
                        for index in &indexes {
                            push_index(&mut prefix, *index);
                        }
                        prefix + "."
                    });
                }
                Some(Value::Array(items)) => {
                    open.push(items.iter_mut().enumerate());
                    indexes.push(0);
                }
                _ => {}
            }
            let Some(list) = open.last_mut() else { return };
            if let Some((index, item)) = list.next() {
                if let Some(last) = indexes.last_mut() {
                    *last = index;
                }
                next = Some(item);
            } else {
                open.pop();
                indexes.pop();
            }
        }
    }

    fn drop_keys(&mut self, map: &mut Map<String, Value>, keys: Vec<String>, trail: Trail<'_>) {
        for key in &keys {
            map.remove(key);
        }
        self.report(keys.into_iter(), || trail.prefix());
    }

    /// Reports dropped keys; the prefix of their paths is rendered once.
    fn report(&mut self, keys: impl Iterator<Item = String>, prefix: impl Fn() -> String) {
        let Some(found) = &mut self.found else { return };
        let mut rendered: Option<String> = None;
        for key in keys {
            found.unknown_field(|| {
                let prefix = rendered.get_or_insert_with(&prefix);
                [prefix, key.as_str()].concat()
            });
        }
    }
}
