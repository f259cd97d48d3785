//! Union, intersection and differences of sets of paths.
//!
//! Source: structured-merge-diff `fieldpath/set.go`.
//! Upstream has the members of a set and the sets below its elements in two fields; here a [`Node`] has both.

use super::element::Element;
use super::field_set::{FieldSet, Node};

impl FieldSet {
    /// Adds a path. The empty path, that of the whole object, is not added, because nobody owns it.
    pub(super) fn insert(&mut self, path: &[Element]) {
        let Some((first, rest)) = path.split_first() else { return };
        let node = self.nodes.entry(first.clone()).or_default();
        if rest.is_empty() {
            node.owned = true;
        } else {
            node.children.insert(rest);
        }
    }

    /// Adds a path of fields.
    pub(super) fn insert_fields(&mut self, names: &[&str]) {
        let path: Vec<_> = names.iter().map(|name| Element::Field((*name).to_owned())).collect();
        self.insert(&path);
    }

    /// Adds a node, unless it is empty.
    pub(super) fn add(&mut self, element: Element, node: Node) {
        if !node.is_nothing() {
            self.nodes.insert(element, node);
        }
    }

    /// The union of two sets.
    pub(super) fn union(mut self, other: &Self) -> Self {
        for (element, theirs) in &other.nodes {
            let ours = self.nodes.entry(element.clone()).or_default();
            ours.owned |= theirs.owned;
            ours.children = std::mem::take(&mut ours.children).union(&theirs.children);
        }
        self
    }

    /// The intersection of two sets.
    pub(super) fn intersection(&self, other: &Self) -> Self {
        self.with(|element, ours| {
            let theirs = other.nodes.get(element)?;
            Some(Node {
                owned: ours.owned && theirs.owned,
                children: ours.children.intersection(&theirs.children),
            })
        })
    }

    /// The paths that the other set does not have.
    pub(super) fn difference(&self, other: &Self) -> Self {
        self.with(|element, ours| {
            let Some(theirs) = other.nodes.get(element) else { return Some(ours.clone()) };
            Some(Node {
                owned: ours.owned && !theirs.owned,
                children: ours.children.difference(&theirs.children),
            })
        })
    }

    /// The paths that the other set does not have, and that are not below a path that it has.
    pub(super) fn recursive_difference(&self, other: &Self) -> Self {
        self.with(|element, ours| match other.nodes.get(element) {
            None => Some(ours.clone()),
            Some(theirs) if theirs.owned => None,
            Some(theirs) => Some(Node {
                owned: ours.owned,
                children: ours.children.recursive_difference(&theirs.children),
            }),
        })
    }

    /// Calls a function for each path in upstream's order: all members of a set before the paths below them.
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

    fn with(&self, node: impl Fn(&Element, &Node) -> Option<Node>) -> Self {
        let mut set = Self::default();
        for (element, ours) in &self.nodes {
            if let Some(node) = node(element, ours) {
                set.add(element.clone(), node);
            }
        }
        set
    }
}

impl Node {
    fn is_nothing(&self) -> bool {
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
        assert_eq!(a.difference(&b).paths(), [".a", ".g", ".a.c", ".d.e"]);
        assert_eq!(a.recursive_difference(&b).paths(), [".a", ".g", ".a.c"]);
        assert!(a.difference(&a).is_empty() && a.recursive_difference(&a).is_empty());
    }
}
