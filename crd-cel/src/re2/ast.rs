//! A parsed pattern.

use super::unicode_names::UnicodeClass;

/// The highest code point.
pub(super) const MAX_RUNE: u32 = 0x0010_FFFF;

/// A node of a parsed pattern.
///
/// Groups are gone: nobody asks what they captured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Node {
    /// Matches the empty text.
    Empty,
    /// Matches these code points in a row; a surrogate (from `\x{D800}`) matches nothing.
    Literal { runes: Vec<u32>, fold_case: bool },
    /// Matches a code point of a set.
    Class(Class),
    /// Matches any code point, or any but a line feed.
    Any { line_feed: bool },
    /// Matches the empty text at some places.
    Look(Look),
    /// Matches the node again and again; `max` is `None` where there is no end.
    Repeat { min: u32, max: Option<u32>, greedy: bool, node: Box<Node> },
    /// Matches one after the other.
    Concat(Vec<Node>),
    /// Matches the first that lets the rest match.
    Alternate(Vec<Node>),
}

/// A place between code points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    BeginLine,
    EndLine,
    BeginText,
    EndText,
    WordBoundary,
    NoWordBoundary,
}

/// A set of code points.
///
/// Case folding applies to each item before it is negated, and before the class is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Class {
    pub(super) items: Vec<ClassItem>,
    pub(super) negated: bool,
    pub(super) fold_case: bool,
}

/// A part of a class.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum ClassItem {
    /// Code points from the first to the second, both included.
    Range(u32, u32),
    /// `\d`, `[:alpha:]` and their like.
    Ascii { ranges: &'static [(u8, u8)], negated: bool },
    /// `\p{Greek}` and its like.
    Unicode { class: UnicodeClass, negated: bool },
}
