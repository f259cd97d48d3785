//! Writes a pattern as a program.

use super::super::ast::{Class, ClassItem, PatternNode};
use super::super::literal::holds;
use super::super::parse;
use super::{LOOKS, MAX_BYTES, beyond, op};

/// The last code point that a class has a bit for.
const LAST_ASCII: u32 = 0x7f;

/// A pattern as the program that [`matches_program`](super::matches_program) runs. `None` if it
/// does not parse, is too large, or needs Unicode's tables even for code points up to U+007F.
#[must_use]
pub fn pattern_program(pattern: &str) -> Option<Vec<u8>> {
    let mut writer = Writer { code: Vec::new() };
    writer.node(&parse::parse(pattern).ok()?)?;
    writer.code.push(op::MATCH);
    (writer.code.len() <= MAX_BYTES).then_some(writer.code)
}

struct Writer {
    code: Vec<u8>,
}

impl Writer {
    /// Recursion is bounded by the parser's limit of height.
    fn node(&mut self, node: &PatternNode) -> Option<()> {
        if self.code.len() > MAX_BYTES {
            return None;
        }
        match node {
            PatternNode::Empty => {}
            PatternNode::Literal { runes, fold_case: false } => {
                for rune in runes {
                    self.code.push(op::RUNE);
                    self.code.extend(rune.to_le_bytes());
                }
            }
            PatternNode::Literal { runes, fold_case: true } => {
                for rune in runes {
                    let items = vec![ClassItem::Range(*rune, *rune)];
                    self.class(&Class { items, negated: false, fold_case: true })?;
                }
            }
            PatternNode::Class(class) => self.class(class)?,
            PatternNode::Any { line_feed } => {
                let items = vec![ClassItem::Range('\n'.into(), '\n'.into())];
                let items = if *line_feed { Vec::new() } else { items };
                self.class(&Class { items, negated: true, fold_case: false })?;
            }
            PatternNode::Look(look) => {
                let number = LOOKS.iter().position(|other| other == look)?;
                self.code.extend([op::LOOK, u8::try_from(number).ok()?]);
            }
            PatternNode::Repeat { min, max, node, greedy: _ } => self.repeat(node, *min, *max)?,
            PatternNode::Concat(nodes) => {
                for node in nodes {
                    self.node(node)?;
                }
            }
            PatternNode::Alternate(nodes) => self.alternate(nodes)?,
        }
        Some(())
    }

    fn repeat(&mut self, node: &PatternNode, min: u32, max: Option<u32>) -> Option<()> {
        for _ in 0..min {
            self.node(node)?;
        }
        let Some(max) = max else {
            let start = self.split()?;
            self.node(node)?;
            self.jump(start)?;
            return self.patch(start + 3);
        };
        let mut splits = Vec::new();
        for _ in min..max {
            splits.push(self.split()?);
            self.node(node)?;
        }
        splits.into_iter().try_for_each(|split| self.patch(split + 3))
    }

    fn alternate(&mut self, nodes: &[PatternNode]) -> Option<()> {
        let Some((last, before)) = nodes.split_last() else { return Some(()) };
        let mut ends = Vec::new();
        for node in before {
            let split = self.split()?;
            self.node(node)?;
            ends.push(self.code.len() + 1);
            self.jump(0)?;
            self.patch(split + 3)?;
        }
        self.node(last)?;
        ends.into_iter().try_for_each(|end| self.patch(end))
    }

    /// Writes a choice between the next operation and a target that is not known yet. Returns the
    /// offset of the choice; the target is 3 bytes further.
    fn split(&mut self) -> Option<usize> {
        let at = self.code.len();
        self.code.push(op::SPLIT);
        self.code.extend(u16::try_from(at + 5).ok()?.to_le_bytes());
        self.code.extend([0, 0]);
        Some(at)
    }

    fn jump(&mut self, to: usize) -> Option<()> {
        self.code.push(op::JUMP);
        self.code.extend(u16::try_from(to).ok()?.to_le_bytes());
        Some(())
    }

    /// Writes the offset of the next operation as the target at `at`.
    fn patch(&mut self, at: usize) -> Option<()> {
        let here = u16::try_from(self.code.len()).ok()?.to_le_bytes();
        self.code.get_mut(at..at + 2)?.copy_from_slice(&here);
        Some(())
    }

    fn class(&mut self, class: &Class) -> Option<()> {
        self.code.push(op::CLASS);
        let mut bits = 0_u128;
        for byte in 0..=LAST_ASCII {
            bits |= u128::from(holds(class, char::from_u32(byte)?)?) << byte;
        }
        self.code.extend(bits.to_le_bytes());
        let (how, ranges) = Self::beyond(class);
        self.code.push(how);
        if matches!(how, beyond::IN | beyond::NOT_IN) {
            self.code.push(u8::try_from(ranges.len()).ok()?);
            for (low, high) in ranges {
                self.code.extend(low.to_le_bytes());
                self.code.extend(high.to_le_bytes());
            }
        }
        Some(())
    }

    /// The code points beyond U+007F that belong to a class: a code of [`beyond`], and ranges.
    fn beyond(class: &Class) -> (u8, Vec<(u32, u32)>) {
        let takes_tables = |item: &ClassItem| matches!(item, ClassItem::Unicode { .. });
        if class.fold_case || class.items.iter().any(takes_tables) {
            return (beyond::UNKNOWN, Vec::new());
        }
        let (mut all, mut ranges) = (false, Vec::new());
        for item in &class.items {
            match item {
                ClassItem::Range(low, high) if *high > LAST_ASCII => ranges.push((*low, *high)),
                ClassItem::Ascii { negated, .. } => all |= negated,
                _ => {}
            }
        }
        let how = match (ranges.is_empty(), all, class.negated) {
            (_, true, false) | (true, false, true) => beyond::ALL,
            (_, true, true) | (true, false, false) => beyond::NONE,
            (false, false, false) => beyond::IN,
            (false, false, true) => beyond::NOT_IN,
        };
        (how, ranges)
    }
}
