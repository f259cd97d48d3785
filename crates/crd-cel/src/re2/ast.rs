//! A parsed pattern.

use super::unicode_names::UnicodeClass;

/// The highest code point.
pub(super) const MAX_RUNE: u32 = 0x0010_FFFF;

/// A node of a parsed pattern.
///
/// Groups are removed, because no caller needs captures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PatternNode {
    /// Matches the empty text.
    Empty,
    /// Matches these code points in a row; a surrogate (from `\x{D800}`) matches nothing.
    Literal { runes: Vec<u32>, fold_case: bool },
    /// Matches a code point of a set.
    Class(Class),
    /// Matches any code point, or any but a line feed.
    Any { line_feed: bool },
    /// Matches the empty text at certain positions.
    Look(Look),
    /// Matches the node repeatedly; `max` is `None` if there is no limit.
    Repeat { min: u32, max: Option<u32>, greedy: bool, node: Box<PatternNode> },
    /// Matches the nodes in sequence.
    Concat(Vec<PatternNode>),
    /// Matches the first node with which the rest of the pattern matches.
    Alternate(Vec<PatternNode>),
}

/// A position between code points.
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
/// Case folding applies to each item before the item is negated, and before the class is negated.
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
    /// `\d`, `[:alpha:]` and similar classes.
    Ascii { ranges: &'static [(u8, u8)], negated: bool },
    /// `\p{Greek}` and similar classes.
    Unicode { class: UnicodeClass, negated: bool },
}

/// The flags of `(?flags)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::struct_excessive_bools, reason = "four flags are four bools")]
pub(super) struct Flags {
    /// `i`: letters match in either case.
    pub(super) fold_case: bool,
    /// `m`: `^` and `$` match at lines.
    pub(super) multi_line: bool,
    /// `s`: `.` matches a line feed.
    pub(super) dot_all: bool,
    /// `U`: repetitions prefer fewer matches, and `*?` prefers more.
    pub(super) swap_greed: bool,
}
