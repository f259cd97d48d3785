//! Which keys the server drops because the schema does not specify them.
//!
//! Source: `pkg/apiserver/schema/pruning/algorithm.go` of apiextensions-apiserver.
//! Unspecified fields inside metadata are no business of pruning: see [`crate::object_meta`].

use std::fmt::Write as _;

use serde_json::{Map, Value};

use crate::compiled::{Additional, CompiledSchema, Node, NodeId};

/// The keys of every resource that pruning leaves to [`crate::object_meta`].
const META_FIELDS: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// Drops what the schema does not specify, and returns the paths of what it dropped, sorted bytewise.
///
/// `apiVersion`, `kind` and `metadata` stay at the root and in embedded resources. Scalars stay whatever
/// their type; an object where the schema has a scalar loses all its keys.
///
/// Source: `pruning.PruneWithOptions`, called for the root of a resource.
pub fn prune(schema: &CompiledSchema, object: &mut Value) -> Vec<String> {
    let mut dropped = Vec::new();
    prune_into(schema, object, Some(&mut dropped));
    dropped.sort_unstable();
    dropped
}

/// As [`prune`], where nobody asks for the paths.
pub(crate) fn prune_silently(schema: &CompiledSchema, object: &mut Value) {
    prune_into(schema, object, None);
}

/// Drops all but the type and the metadata, as where a version has no schema.
pub(crate) fn prune_to_meta(object: &mut Value) -> Vec<String> {
    let mut dropped = Vec::new();
    if let Value::Object(map) = object {
        map.retain(|key, _| {
            let keep = META_FIELDS.contains(&key.as_str());
            if !keep {
                dropped.push(key.clone());
            }
            keep
        });
    }
    dropped.sort_unstable();
    dropped
}

/// Prunes the value of one node, which is a resource where the node embeds one.
pub(crate) fn prune_at(schema: &CompiledSchema, id: NodeId, value: &mut Value) {
    Pruner { schema, told: None }.prune(value, Some(id), Trail::Root);
}

fn prune_into(schema: &CompiledSchema, object: &mut Value, dropped: Option<&mut Vec<String>>) {
    let told = dropped.map(|paths| Told { paths, bytes: 0 });
    let mut pruner = Pruner { schema, told };
    let root = schema.root();
    if root.preserve_unknown_fields {
        pruner.keep_unknown(object, root, true, Trail::Root);
    } else {
        pruner.drop_unknown(object, root, true, Trail::Root);
    }
}

/// How many bytes of paths are told: what is dropped may have long keys above it and be many.
///
/// Divergence: the server has no limit.
const TOLD_BYTES: usize = 64 * 1024 * 1024;

/// Where the walk is: linked on the stack, and rendered only for what is dropped.
#[derive(Clone, Copy)]
enum Trail<'a> {
    Root,
    Key(&'a Trail<'a>, &'a str),
    Index(&'a Trail<'a>, usize),
}

impl Trail<'_> {
    /// Keys are joined with dots and never quoted; the ambiguity is the server's.
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
                    // Upstream: what counts is whether there is a key before, even an empty one.
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

    /// What the paths of the keys here begin with.
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

/// Recursion follows the schema, which is finite; where it ends, [`Pruner::drop_all`] loops.
struct Pruner<'s, 'd> {
    schema: &'s CompiledSchema,
    told: Option<Told<'d>>,
}

/// The paths of what was dropped.
struct Told<'d> {
    paths: &'d mut Vec<String>,
    bytes: usize,
}

impl Told<'_> {
    fn tell(&mut self, prefix: impl FnOnce() -> String, keys: impl Iterator<Item = String>) {
        if self.bytes > TOLD_BYTES {
            return;
        }
        let prefix = prefix();
        for key in keys {
            self.bytes += prefix.len() + key.len();
            if self.bytes > TOLD_BYTES {
                return;
            }
            self.paths.push(prefix.clone() + &key);
        }
    }
}

impl Pruner<'_, '_> {
    fn prune(&mut self, value: &mut Value, id: Option<NodeId>, trail: Trail<'_>) {
        if !matches!(value, Value::Object(_) | Value::Array(_)) {
            return;
        }
        let Some(id) = id else { return self.drop_all(value, trail) };
        let node = &self.schema[id];
        if node.preserve_unknown_fields {
            self.keep_unknown(value, node, node.embedded_resource, trail);
        } else {
            self.drop_unknown(value, node, node.embedded_resource, trail);
        }
    }

    fn drop_unknown(&mut self, value: &mut Value, node: &Node, resource: bool, trail: Trail<'_>) {
        match value {
            Value::Object(map) => {
                let mut unknown = Vec::new();
                for (key, value) in map.iter_mut() {
                    if resource && META_FIELDS.contains(&key.as_str()) {
                        continue;
                    }
                    if let Some(id) = node.property(key) {
                        self.prune(value, Some(id), Trail::Key(&trail, key));
                    } else {
                        match node.additional {
                            Additional::Absent => unknown.push(key.clone()),
                            // Upstream: `true` keeps the key and prunes what is below it to nothing.
                            Additional::Bool(_) => self.prune(value, None, Trail::Key(&trail, key)),
                            Additional::Schema(id) => {
                                self.prune(value, Some(id), Trail::Key(&trail, key));
                            }
                        }
                    }
                }
                self.drop_keys(map, unknown, trail);
            }
            Value::Array(items) => {
                for (index, item) in items.iter_mut().enumerate() {
                    self.prune(item, node.items, Trail::Index(&trail, index));
                }
            }
            _ => {}
        }
    }

    /// Below `x-kubernetes-preserve-unknown-fields`: only what is specified is pruned.
    fn keep_unknown(&mut self, value: &mut Value, node: &Node, resource: bool, trail: Trail<'_>) {
        match value {
            Value::Object(map) => {
                for (key, value) in map.iter_mut() {
                    if resource && META_FIELDS.contains(&key.as_str()) {
                        continue;
                    }
                    if let Some(id) = node.property(key) {
                        self.prune(value, Some(id), Trail::Key(&trail, key));
                    } else {
                        match node.additional {
                            Additional::Absent => {}
                            Additional::Bool(_) => self.prune(value, None, Trail::Key(&trail, key)),
                            Additional::Schema(id) => {
                                self.prune(value, Some(id), Trail::Key(&trail, key));
                            }
                        }
                    }
                }
            }
            Value::Array(items) => {
                // Upstream: preservation reaches through lists, whatever their items say.
                let Some(id) = node.items else { return };
                let node = &self.schema[id];
                for (index, item) in items.iter_mut().enumerate() {
                    let trail = Trail::Index(&trail, index);
                    self.keep_unknown(item, node, node.embedded_resource, trail);
                }
            }
            _ => {}
        }
    }

    /// Where no schema is: objects lose every key, lists keep their elements, and the walk loops because
    /// the depth is the writer's.
    fn drop_all(&mut self, value: &mut Value, trail: Trail<'_>) {
        let mut todo = vec![(value, Vec::new())];
        while let Some((value, indexes)) = todo.pop() {
            match value {
                Value::Object(map) => {
                    let old = std::mem::take(map);
                    if let Some(told) = &mut self.told {
                        let prefix = || {
                            let mut prefix = trail.render();
                            for index in &indexes {
                                push_index(&mut prefix, *index);
                            }
                            prefix + "."
                        };
                        told.tell(prefix, old.into_iter().map(|(key, _)| key));
                    }
                }
                Value::Array(items) => {
                    for (index, item) in items.iter_mut().enumerate() {
                        if matches!(item, Value::Object(_) | Value::Array(_)) {
                            let mut below = indexes.clone();
                            below.push(index);
                            todo.push((item, below));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn drop_keys(&mut self, map: &mut Map<String, Value>, keys: Vec<String>, trail: Trail<'_>) {
        if keys.is_empty() {
            return;
        }
        for key in &keys {
            map.remove(key);
        }
        if let Some(told) = &mut self.told {
            told.tell(|| trail.prefix(), keys.into_iter());
        }
    }
}
