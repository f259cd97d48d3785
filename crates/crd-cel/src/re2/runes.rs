//! Counts the code points in Go's tree of a pattern: the two ends of each range of each class, and
//! those of literals.
//!
//! Go rejects a pattern that holds more than [`MAX_RUNES`]. The three bytes of `\pL` count some
//! 1,300, so only long patterns reach the limit. For most patterns, a bound that needs no tables
//! shows that they are below it.

use super::ast::{Class, ClassItem, PatternNode};

/// The most code points that the nodes of a pattern may hold: 128 MiB of 4 bytes each.
/// Source: `regexp/syntax/parse.go`, `maxRunes`.
pub(super) const MAX_RUNES: u64 = (128 << 20) / 4;

/// A class of Unicode, or its complement: up to some 750 ranges of two ends each.
const TABLE: u64 = 2 * 750;
/// The same with the other cases of its letters.
const FOLDED_TABLE: u64 = 2 * 1500;
/// A code point and its other cases, of which there are at most three.
const FOLDED_RUNE: u64 = 2 * 4;

/// Counts the code points of classes.
pub(super) trait CountRunes {
    /// The code points of a class.
    fn class(&mut self, class: &Class) -> u64;

    /// The code points of the class to which Go converts alternatives that match one code point each.
    /// `sum` is the number of code points that the alternatives hold.
    fn merged(&mut self, alternatives: &[PatternNode], sum: u64) -> u64;

    /// Whether Go converts a class to a literal.
    fn is_literal(&mut self, class: &Class) -> bool;
}

/// An upper bound of what Go counts, without tables.
pub(super) struct AtMost;

impl CountRunes for AtMost {
    fn class(&mut self, class: &Class) -> u64 {
        let item = |item: &ClassItem| match item {
            ClassItem::Range(..) if !class.fold_case => 2,
            ClassItem::Range(low, high) => {
                (FOLDED_RUNE * u64::from(high - low + 1)).min(FOLDED_TABLE)
            }
            ClassItem::Ascii { ranges, .. } if !class.fold_case => 2 * (ranges.len() as u64 + 1),
            ClassItem::Unicode { .. } if !class.fold_case => TABLE,
            ClassItem::Ascii { .. } | ClassItem::Unicode { .. } => FOLDED_TABLE,
        };
        // A complement has one range more.
        class.items.iter().map(item).sum::<u64>() + 2
    }

    fn merged(&mut self, _: &[PatternNode], sum: u64) -> u64 {
        2 * sum
    }

    fn is_literal(&mut self, _: &Class) -> bool {
        false
    }
}

/// The exact number that Go counts.
#[cfg(feature = "eval")]
pub(super) use exact::Exactly;

/// Counting as Go does needs the tables of Unicode, which only the feature `eval` has. Without it,
/// code points in classes count as 0; a crate with the feature reports a pattern that holds too
/// many.
#[cfg(not(feature = "eval"))]
#[derive(Default)]
pub(super) struct Exactly {}

#[cfg(not(feature = "eval"))]
impl CountRunes for Exactly {
    fn class(&mut self, _: &Class) -> u64 {
        0
    }

    fn merged(&mut self, _: &[PatternNode], _: u64) -> u64 {
        0
    }

    fn is_literal(&mut self, _: &Class) -> bool {
        false
    }
}

#[cfg(feature = "eval")]
mod exact {
    use std::collections::HashMap;

    use regex_syntax::hir::ClassUnicode;

    use super::super::ast::{Class, MAX_RUNE, PatternNode};
    use super::super::translate;
    use super::CountRunes;

    /// Resolves each class, and each only once.
    #[derive(Default)]
    pub(in super::super) struct Exactly {
        seen: HashMap<Class, CountedClass>,
    }

    #[derive(Clone, Copy)]
    struct CountedClass {
        runes: u64,
        is_literal: bool,
    }

    impl Exactly {
        fn count(&mut self, class: &Class) -> CountedClass {
            if let Some(counted) = self.seen.get(class) {
                return *counted;
            }
            let resolved = translate::resolve(class);
            let counted =
                CountedClass { runes: ends(&resolved), is_literal: is_letter_or_pair(&resolved) };
            self.seen.insert(class.clone(), counted);
            counted
        }
    }

    impl CountRunes for Exactly {
        fn class(&mut self, class: &Class) -> u64 {
            self.count(class).runes
        }

        fn merged(&mut self, alternatives: &[PatternNode], _: u64) -> u64 {
            let mut all = Vec::new();
            for node in alternatives {
                let Some(class) = translate::single(node) else { continue };
                all.extend_from_slice(class.ranges());
            }
            let all = ClassUnicode::new(all);
            // Upstream: such a class becomes a node of another kind, which holds no code points.
            let any = translate::range(0, MAX_RUNE);
            let any_but_line_feed = translate::any_but_line_feed();
            if all == any || all == any_but_line_feed { 0 } else { ends(&all) }
        }

        fn is_literal(&mut self, class: &Class) -> bool {
            self.count(class).is_literal
        }
    }

    fn ends(class: &ClassUnicode) -> u64 {
        2 * class.ranges().len() as u64
    }

    /// Whether a class is one code point, or the two cases of one.
    ///
    /// Source: `regexp/syntax/parse.go`, `parser.push`.
    fn is_letter_or_pair(class: &ClassUnicode) -> bool {
        let count: u64 = class.iter().map(|range| range.len() as u64).sum();
        let Some(first) = class.ranges().first().map(|range| u32::from(range.start())) else {
            return false;
        };
        count == 1 || (count == 2 && translate::letter(first, true) == *class)
    }
}
