//! The path of a value, as written in the validator's messages.

use std::fmt::Write as _;

/// A path in a value, linked on the stack and rendered only for a message.
///
/// Messages join keys with dots, and never quote or escape one. At the beginning of a path, a declared property has no
/// dot, but a key of `additionalProperties` has one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Location<'a> {
    parent: Option<&'a Location<'a>>,
    step: LocationStep<'a>,
}

#[derive(Debug, Clone, Copy)]
enum LocationStep<'a> {
    Root,
    Declared(&'a str),
    Additional(&'a str),
    Index(usize),
}

impl Location<'_> {
    pub(super) const ROOT: Location<'static> = Location { parent: None, step: LocationStep::Root };

    /// A key of `properties`.
    pub(super) const fn declared<'b>(&'b self, key: &'b str) -> Location<'b> {
        Location { parent: Some(self), step: LocationStep::Declared(key) }
    }

    /// A key of `additionalProperties`, or a missing key.
    pub(super) const fn additional<'b>(&'b self, key: &'b str) -> Location<'b> {
        Location { parent: Some(self), step: LocationStep::Additional(key) }
    }

    /// An item.
    pub(super) const fn index(&self, index: usize) -> Location<'_> {
        Location { parent: Some(self), step: LocationStep::Index(index) }
    }

    /// Whether the path renders as an empty string.
    pub(super) fn is_empty(&self) -> bool {
        match self.step {
            LocationStep::Root => true,
            // An empty key of the root renders as the root does.
            LocationStep::Declared(key) => {
                key.is_empty() && self.parent.is_none_or(Location::is_empty)
            }
            LocationStep::Additional(_) | LocationStep::Index(_) => false,
        }
    }

    pub(super) fn render(&self) -> String {
        let mut out = String::with_capacity(self.capacity());
        self.render_into(&mut out);
        out
    }

    /// About how many bytes the path takes.
    fn capacity(&self) -> usize {
        let mut length = 0;
        let mut next = Some(self);
        while let Some(location) = next {
            length += match location.step {
                LocationStep::Root => 0,
                LocationStep::Declared(key) | LocationStep::Additional(key) => key.len() + 1,
                LocationStep::Index(_) => 4,
            };
            next = location.parent;
        }
        length
    }

    /// Recursion follows the schema, whose depth is bounded, as the walk does.
    fn render_into(&self, out: &mut String) {
        if let Some(parent) = self.parent {
            parent.render_into(out);
        }
        match self.step {
            LocationStep::Root => {}
            LocationStep::Declared(key) => {
                if !out.is_empty() {
                    out.push('.');
                }
                out.push_str(key);
            }
            LocationStep::Additional(key) => {
                out.push('.');
                out.push_str(key);
            }
            LocationStep::Index(index) => {
                let _ = write!(out, "[{index}]");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_render_as_in_messages() {
        let root = Location::ROOT;
        assert_eq!(root.render(), "");
        assert_eq!(root.declared("a").render(), "a");
        assert_eq!(root.additional("a").render(), ".a");
        let a = root.declared("a");
        let item = a.index(3);
        assert_eq!(item.declared("b.c").render(), "a[3].b.c");
        assert!(root.declared("").is_empty());
        assert!(!root.additional("").is_empty());
    }
}
