//! Paths of errors, which are rendered only when an error is created.

use std::fmt::{self, Write as _};

/// A path into an object, linked on the stack; rendered only when an error needs it.
///
/// Prints as Go's `field.Path`: `spec.list[0].map[key]`, and `<nil>` for the root.
/// Source: `field/path.go`.
#[derive(Debug, Clone, Copy)]
#[must_use]
pub struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    segment: Segment<'a>,
}

#[derive(Debug, Clone, Copy)]
enum Segment<'a> {
    Root,
    Field(&'a str),
    Key(&'a str),
    Index(usize),
}

impl<'a> Path<'a> {
    /// The root: Go's nil path.
    pub const ROOT: Path<'static> = Path { parent: None, segment: Segment::Root };

    /// Creates a path of one name, which may itself be a rendered path.
    #[inline]
    pub const fn new(name: &'a str) -> Self {
        Path { parent: None, segment: Segment::Field(name) }
    }

    /// Returns the path `self.name`.
    #[inline]
    pub const fn field<'b>(&'b self, name: &'b str) -> Path<'b> {
        Path { parent: Some(self), segment: Segment::Field(name) }
    }

    /// Returns the path `self[key]`.
    #[inline]
    pub const fn key<'b>(&'b self, key: &'b str) -> Path<'b> {
        Path { parent: Some(self), segment: Segment::Key(key) }
    }

    /// Returns the path `self[index]`.
    #[inline]
    pub const fn index(&self, index: usize) -> Path<'_> {
        Path { parent: Some(self), segment: Segment::Index(index) }
    }

    /// Returns whether this is the root.
    #[inline]
    pub const fn is_root(&self) -> bool {
        self.parent.is_none() && matches!(self.segment, Segment::Root)
    }
}

impl Path<'_> {
    /// Returns the path as text.
    pub(crate) fn render(&self) -> String {
        if self.is_root() {
            return "<nil>".to_owned();
        }
        // Most paths of errors are one text, which the walk over a value has rendered.
        if let Segment::Field(name) = self.segment
            && !name.is_empty()
            && self.parent.is_none_or(Path::is_root)
        {
            return name.to_owned();
        }
        // A loop, because the path of a deep object is too long for recursion.
        let mut segments = Vec::with_capacity(16);
        let mut length = 0;
        let mut next = Some(self);
        while let Some(path) = next {
            length += match path.segment {
                Segment::Root => 0,
                Segment::Field(name) | Segment::Key(name) => name.len() + 2,
                Segment::Index(_) => 4,
            };
            segments.push(path.segment);
            next = path.parent;
        }
        let mut out = String::with_capacity(length);
        let mut first = true;
        for segment in segments.into_iter().rev() {
            match segment {
                Segment::Root => continue,
                // Upstream: an empty name renders as an empty subscript.
                Segment::Field("") => out.push_str("[]"),
                Segment::Field(name) => {
                    if !first {
                        out.push('.');
                    }
                    out.push_str(name);
                }
                Segment::Key(key) => {
                    out.push('[');
                    out.push_str(key);
                    out.push(']');
                }
                Segment::Index(index) => {
                    let _ = write!(out, "[{index}]");
                }
            }
            first = false;
        }
        out
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_print_as_go_prints_them() {
        let spec = Path::new("spec");
        let list = spec.field("list");
        let item = list.index(0);
        let map = item.field("map");
        assert_eq!(map.key("a.b").to_string(), "spec.list[0].map[a.b]");
        assert_eq!(Path::ROOT.to_string(), "<nil>");
        assert_eq!(Path::ROOT.field("spec").to_string(), "spec");
        assert_eq!(Path::ROOT.key("k").to_string(), "[k]");
    }
}
