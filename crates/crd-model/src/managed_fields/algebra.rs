//! Union, intersection and differences of sets of paths.
//!
//! Source: structured-merge-diff `fieldpath/set.go`.
//! Upstream has the members of a set and the sets below its elements in two fields; here a [`FieldSetNode`] has both.

use std::mem;

use super::element::Element;
use super::field_set::{FieldSet, FieldSetNode};

impl FieldSet {
    /// Adds a path of fields. The empty path, that of the whole object, is not added, because nobody owns it.
    pub(super) fn insert_fields(&mut self, names: &[&str]) {
        let Some((first, rest)) = names.split_first() else { return };
        let node = self.nodes.entry(Element::Field((*first).to_owned())).or_default();
        if rest.is_empty() {
            node.owned = true;
        } else {
            node.children.insert_fields(rest);
        }
    }

    /// Adds a node, unless it is empty.
    pub(super) fn add(&mut self, element: Element, node: FieldSetNode) {
        if !node.is_empty() {
            self.nodes.insert(element, node);
        }
    }

    /// Returns the union of two sets.
    pub(super) fn union(mut self, other: &Self) -> Self {
        if self.is_empty() {
            return other.clone();
        }
        for (element, theirs) in &other.nodes {
            let ours = self.nodes.entry(element.clone()).or_default();
            ours.owned |= theirs.owned;
            ours.children = mem::take(&mut ours.children).union(&theirs.children);
        }
        self
    }

    /// Returns the intersection of two sets.
    pub(super) fn intersection(&self, other: &Self) -> Self {
        self.filter_map(|element, ours| {
            let theirs = other.nodes.get(element)?;
            Some(FieldSetNode {
                owned: ours.owned && theirs.owned,
                children: ours.children.intersection(&theirs.children),
            })
        })
    }

    /// Returns the paths that the other set does not have.
    pub(super) fn difference(self, other: &Self) -> Self {
        self.replace_shared(other, |ours, theirs| FieldSetNode {
            owned: ours.owned && !theirs.owned,
            children: ours.children.difference(&theirs.children),
        })
    }

    /// Returns the paths that the other set does not have, and that are not below a path that it has.
    pub(super) fn recursive_difference(self, other: &Self) -> Self {
        self.replace_shared(other, |ours, theirs| {
            if theirs.owned {
                return FieldSetNode::default();
            }
            let children = ours.children.recursive_difference(&theirs.children);
            FieldSetNode { owned: ours.owned, children }
        })
    }

    /// Replaces each node that the other set has too by the result of `replace`.
    ///
    /// PERF: most differences are with a few paths, and leave most of a set as it is.
    fn replace_shared(
        mut self,
        other: &Self,
        replace: impl Fn(FieldSetNode, &FieldSetNode) -> FieldSetNode,
    ) -> Self {
        for (element, theirs) in &other.nodes {
            let Some(ours) = self.nodes.get_mut(element) else { continue };
            *ours = replace(mem::take(ours), theirs);
            if ours.is_empty() {
                self.nodes.remove(element);
            }
        }
        self
    }

    /// Returns the paths in upstream's order: all members of a set before the paths below them.
    pub(super) fn paths(&self) -> Vec<String> {
        let mut paths = Vec::new();
        self.add_paths("", &mut paths);
        paths
    }

    fn add_paths(&self, at: &str, into: &mut Vec<String>) {
        let members = self.nodes.iter().filter(|(_, node)| node.owned);
        into.extend(members.map(|(element, _)| format!("{at}{element}")));
        for (element, node) in &self.nodes {
            node.children.add_paths(&format!("{at}{element}"), into);
        }
    }

    /// Returns the set of the nodes that a function returns for the nodes of this set.
    fn filter_map(&self, node: impl Fn(&Element, &FieldSetNode) -> Option<FieldSetNode>) -> Self {
        let mut set = Self::default();
        for (element, ours) in &self.nodes {
            if let Some(node) = node(element, ours) {
                set.add(element.clone(), node);
            }
        }
        set
    }
}

impl FieldSetNode {
    /// Returns whether neither the path nor a longer one is a member.
    pub(super) fn is_empty(&self) -> bool {
        !self.owned && self.children.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn sets() -> (FieldSet, FieldSet) {
        let set = |fields| FieldSet::parse(&fields).expect("a set");
        (
            set(json!({"f:a": {".": {}, "f:b": {}, "f:c": {}}, "f:d": {"f:e": {}}, "f:g": {}})),
            set(json!({"f:a": {"f:b": {}}, "f:d": {}, "f:h": {}})),
        )
    }

    #[test]
    fn sets_are_combined() {
        let (a, b) = sets();
        assert_eq!(a.clone().union(&b).paths(), [".a", ".d", ".g", ".h", ".a.b", ".a.c", ".d.e"]);
        assert_eq!(a.intersection(&b).paths(), [".a.b"]);
        assert_eq!(a.clone().difference(&b).paths(), [".a", ".g", ".a.c", ".d.e"]);
        assert_eq!(a.clone().recursive_difference(&b).paths(), [".a", ".g", ".a.c"]);
        assert!(a.clone().difference(&a).is_empty());
        assert!(a.clone().recursive_difference(&a).is_empty());
    }
}
