//! Matches patterns against short texts without automata or Unicode's tables, for the derive macro.

use std::collections::BTreeSet;

use super::ast::{Class, ClassItem, Look, PatternNode};
use super::{ascii, parse};

/// The most steps that are taken.
const MAX_STEPS: usize = 20_000;

/// Whether a pattern matches anywhere in a text. `None` if that needs Unicode's tables or too much
/// work, or if the pattern does not parse. The classes of Unicode are known up to U+007F.
///
/// ```
/// use crd_cel::re2::matches_literal;
///
/// assert_eq!(matches_literal("^[a-z]+$", "abc"), Some(true));
/// assert_eq!(matches_literal("^[a-z]+$", "aBc"), Some(false));
/// assert_eq!(matches_literal(r"^\p{Greek}+$", "abc"), Some(false));
/// assert_eq!(matches_literal(r"^\p{L}+$", "äbc"), None);
/// ```
pub fn matches_literal(pattern: &str, text: &str) -> Option<bool> {
    let node = parse::parse(pattern).ok()?;
    let text: Vec<char> = text.chars().collect();
    let mut search = LiteralSearch { text: &text, steps: MAX_STEPS };
    let starts = (0..=text.len()).collect();
    Some(!search.ends(&node, &starts)?.is_empty())
}

/// Offsets in the text, in code points.
type Offsets = BTreeSet<usize>;

struct LiteralSearch<'t> {
    text: &'t [char],
    steps: usize,
}

impl LiteralSearch<'_> {
    /// The ends of the matches of a node that begin at one of `starts`. Recursion is bounded by the
    /// parser's limit of height.
    fn ends(&mut self, node: &PatternNode, starts: &Offsets) -> Option<Offsets> {
        self.steps = self.steps.checked_sub(1 + starts.len())?;
        match node {
            PatternNode::Empty => Some(starts.clone()),
            PatternNode::Literal { runes, fold_case } => {
                let mut ends = starts.clone();
                for rune in runes {
                    ends = self.step(&ends, |c| same(c, *rune, *fold_case))?;
                }
                Some(ends)
            }
            PatternNode::Class(class) => self.step(starts, |c| holds(class, c)),
            PatternNode::Any { line_feed } => self.step(starts, |c| Some(*line_feed || c != '\n')),
            PatternNode::Look(look) => {
                Some(starts.iter().copied().filter(|at| self.looks(*look, *at)).collect())
            }
            PatternNode::Repeat { min, max, node, greedy: _ } => {
                self.repeat(node, *min, *max, starts)
            }
            PatternNode::Concat(nodes) => {
                let mut ends = starts.clone();
                for node in nodes {
                    ends = self.ends(node, &ends)?;
                }
                Some(ends)
            }
            PatternNode::Alternate(nodes) => {
                let mut all = Offsets::new();
                for node in nodes {
                    all.extend(self.ends(node, starts)?);
                }
                Some(all)
            }
        }
    }

    fn repeat(
        &mut self,
        node: &PatternNode,
        min: u32,
        max: Option<u32>,
        starts: &Offsets,
    ) -> Option<Offsets> {
        let mut ends = starts.clone();
        for _ in 0..min {
            ends = self.ends(node, &ends)?;
        }
        let mut all = ends.clone();
        let mut rounds = min;
        while !ends.is_empty() && max.is_none_or(|max| rounds < max) {
            let next = self.ends(node, &ends)?;
            ends = next.difference(&all).copied().collect();
            all.extend(&ends);
            rounds += 1;
        }
        Some(all)
    }

    /// The offsets after the next code point, where it is in a set.
    fn step(&self, starts: &Offsets, is_in: impl Fn(char) -> Option<bool>) -> Option<Offsets> {
        let mut ends = Offsets::new();
        for at in starts {
            if let Some(c) = self.text.get(*at)
                && is_in(*c)?
            {
                ends.insert(at + 1);
            }
        }
        Some(ends)
    }

    fn looks(&self, look: Look, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|at| self.text.get(at));
        let after = self.text.get(at);
        let is_word = |c: Option<&char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || *c == '_');
        match look {
            Look::BeginText => before.is_none(),
            Look::EndText => after.is_none(),
            Look::BeginLine => before.is_none_or(|c| *c == '\n'),
            Look::EndLine => after.is_none_or(|c| *c == '\n'),
            Look::WordBoundary => is_word(before) != is_word(after),
            Look::NoWordBoundary => is_word(before) == is_word(after),
        }
    }
}

/// Whether a code point of the text matches one of the pattern. Beyond ASCII, folding needs tables.
fn same(c: char, rune: u32, fold_case: bool) -> Option<bool> {
    if !fold_case {
        return Some(u32::from(c) == rune);
    }
    let rune = u8::try_from(rune).ok().filter(u8::is_ascii)?;
    if !c.is_ascii() {
        return None;
    }
    Some(c.eq_ignore_ascii_case(&char::from(rune)))
}

/// Whether a code point belongs to a class; `None` if that needs tables.
pub(super) fn holds(class: &Class, c: char) -> Option<bool> {
    if class.fold_case && !c.is_ascii() {
        return None;
    }
    let forms =
        if class.fold_case { [c.to_ascii_lowercase(), c.to_ascii_uppercase()] } else { [c, c] };
    let mut found = false;
    for item in &class.items {
        found |= match item {
            ClassItem::Range(low, high) => {
                // Beyond ASCII there are other cases of `k` and `s`.
                if class.fold_case && *high > 0x7f {
                    return None;
                }
                forms.iter().any(|c| (*low..=*high).contains(&u32::from(*c)))
            }
            ClassItem::Ascii { ranges, negated } => {
                let in_range = |c: &char| {
                    u8::try_from(*c).is_ok_and(|byte| {
                        ranges.iter().any(|(low, high)| (*low..=*high).contains(&byte))
                    })
                };
                forms.iter().any(in_range) != *negated
            }
            ClassItem::Unicode { class, negated } => {
                // Other code points need tables.
                let forms = forms.iter().map(|c| u8::try_from(*c).ok().filter(u8::is_ascii));
                let forms: Option<Vec<u8>> = forms.collect();
                forms?.into_iter().any(|byte| ascii::holds(*class, byte)) != *negated
            }
        };
    }
    Some(found != class.negated)
}

#[cfg(all(test, feature = "eval"))]
mod tests {
    use super::*;
    use crate::re2::Regex;
    use crate::re2::samples::{PATTERNS, TEXTS};

    /// If there is a result, it is that of the automaton.
    #[test]
    fn agrees_with_the_automaton() {
        let mut known = 0;
        for pattern in PATTERNS {
            let regex = Regex::new(pattern).unwrap();
            for text in TEXTS {
                if let Some(got) = matches_literal(pattern, text) {
                    known += 1;
                    assert_eq!(got, regex.is_match(text), "{pattern} in {text:?}");
                }
            }
        }
        assert!(known > 450, "{known}");
    }

    #[test]
    fn expensive_searches_have_no_result() {
        assert_eq!(matches_literal(r"\pL", "ä"), None);
        assert_eq!(matches_literal("(", "a"), None);
        assert_eq!(matches_literal("(?:a?){1000}(?:a?){1000}b", &"a".repeat(1000)), None);
    }
}
