//! `fieldsV1`: a set of paths in an object.
//!
//! Source: structured-merge-diff `fieldpath/serialize.go`, `readIterV1`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Error;
use super::element::Element;
use crate::json::MAX_DEPTH;

/// A set of paths in an object, as `fieldsV1` of a managed-fields entry writes it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FieldSet {
    pub(super) nodes: BTreeMap<Element, FieldSetNode>,
}

/// A node of the set: the paths that begin with the same elements.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct FieldSetNode {
    /// Whether the path that ends here is a member of the set.
    pub owned: bool,
    /// The longer paths, by their next element.
    pub children: FieldSet,
}

impl FieldSet {
    /// Reads `fieldsV1`. Elements of unknown kinds, which a later version may have, are ignored, as by the server.
    ///
    /// # Errors
    /// [`Error::Malformed`] for a key that is no path element, or a value that is no object.
    pub fn parse(fields_v1: &Value) -> Result<Self, Error> {
        Ok(Self::read(fields_v1, "", 0)?.0)
    }

    /// Returns whether no path is in the set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the members without members below them, such as `.spec.ports[name="http"].port`, in order.
    #[must_use]
    pub fn leaves(&self) -> Vec<String> {
        let mut leaves = Vec::new();
        self.add_leaves("", &mut leaves);
        leaves
    }

    fn add_leaves(&self, at: &str, into: &mut Vec<String>) {
        for (element, node) in &self.nodes {
            let at = format!("{at}{element}");
            if node.is_leaf() {
                into.push(at);
            } else {
                node.children.add_leaves(&at, into);
            }
        }
    }

    /// Reads the paths below a path. Returns their set, and whether that path is itself a member.
    fn read(value: &Value, at: &str, depth: usize) -> Result<(Self, bool), Error> {
        if depth > MAX_DEPTH {
            return Err(Error::malformed(at, format!("nests deeper than {MAX_DEPTH} levels")));
        }
        let mut set = Self::default();
        let mut member = false;
        let entries = match value {
            Value::Object(entries) => entries,
            Value::Null => return Ok((set, true)),
            _ => return Err(Error::malformed(at, "must be an object")),
        };
        for (key, value) in entries {
            if key == "." {
                member = true;
                continue;
            }
            let at = format!("{at}/{key}");
            let Some(element) = Element::parse(key, &at)? else { continue };
            let (children, owned) = Self::read(value, &at, depth + 1)?;
            set.nodes.insert(element, FieldSetNode { owned, children });
        }
        let alone = set.nodes.is_empty();
        Ok((set, member || alone))
    }

    /// Returns the set as the `fieldsV1` of an entry.
    pub(super) fn to_value(&self) -> Value {
        let entry = |(element, node): (&Element, &FieldSetNode)| {
            let mut below = node.children.to_value();
            if let (Value::Object(map), true) = (&mut below, node.owned && !node.is_leaf()) {
                map.insert(".".to_owned(), Value::Object(serde_json::Map::new()));
            }
            (element.to_key(), below)
        };
        Value::Object(self.nodes.iter().map(entry).collect())
    }

    pub(super) fn get(&self, element: &Element) -> Option<&FieldSetNode> {
        self.nodes.get(element)
    }

    pub(super) fn nodes(&self) -> impl Iterator<Item = (&Element, &FieldSetNode)> {
        self.nodes.iter()
    }
}

impl FieldSetNode {
    /// Returns whether the path is a member and no longer path is. Source: `fieldpath/set.go`, `Set.Leaves`.
    pub(super) fn is_leaf(&self) -> bool {
        self.owned && self.children.is_empty()
    }
}
