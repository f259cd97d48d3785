//! Texts that a pattern matches.

use super::ast::{Class, ClassItem, PatternNode};
use super::parse;

/// The most repetitions beyond the smallest number, where a pattern allows any number of them.
const MORE: u32 = 3;
/// The most repetitions in a row; patterns with more get this many.
const MOST: u32 = 300;
/// What `.` and a negated class are replaced by, where they match it.
const TYPICAL: &str = "a0-bz_.9A/Z:x @é";

/// Returns a text that a pattern matches, or `None` if the pattern is invalid or one of its classes has no known
/// character. `choose(count)` returns a number below `count`.
///
/// Positions such as `\b` or a `^` in the middle are not taken into account, so the text may not match if the pattern
/// has them.
pub fn example(pattern: &str, choose: &mut dyn FnMut(usize) -> usize) -> Option<String> {
    let mut out = String::new();
    write(&parse::parse(pattern).ok()?, choose, &mut out)?;
    Some(out)
}

/// Recurses at most as deep as a parsed pattern, whose height the parser limits.
fn write(
    node: &PatternNode,
    choose: &mut dyn FnMut(usize) -> usize,
    out: &mut String,
) -> Option<()> {
    match node {
        PatternNode::Empty | PatternNode::Look(_) => {}
        PatternNode::Literal { runes, .. } => {
            for rune in runes {
                out.push(char::from_u32(*rune)?);
            }
        }
        PatternNode::Any { .. } => out.push(typical(choose, |_| true)?),
        PatternNode::Class(class) => out.push(one_of(class, choose)?),
        PatternNode::Repeat { min, max, node, .. } => {
            let most = max.unwrap_or(min.saturating_add(MORE));
            // Often the ends, because bounds of patterns are what changes.
            let count = match choose(3) {
                0 => *min,
                1 => most,
                _ => {
                    let more = most.saturating_sub(*min).min(MORE);
                    let more = choose(usize::try_from(more).ok()?.saturating_add(1));
                    min.saturating_add(u32::try_from(more).ok()?)
                }
            };
            for _ in 0..count.min(MOST) {
                write(node, choose, out)?;
            }
        }
        PatternNode::Concat(nodes) => nodes.iter().try_for_each(|node| write(node, choose, out))?,
        PatternNode::Alternate(nodes) => write(nodes.get(choose(nodes.len()))?, choose, out)?,
    }
    Some(())
}

fn one_of(class: &Class, choose: &mut dyn FnMut(usize) -> usize) -> Option<char> {
    if class.negated {
        return typical(choose, |c| !class.items.iter().any(|item| holds(item, c)));
    }
    match class.items.get(choose(class.items.len()))? {
        ClassItem::Range(low, high) => within(*low, *high, choose),
        ClassItem::Ascii { ranges, negated: false } => {
            let (low, high) = ranges.get(choose(ranges.len()))?;
            within((*low).into(), (*high).into(), choose)
        }
        item => typical(choose, |c| holds(item, c)),
    }
}

/// Returns a code point between two, both included.
fn within(low: u32, high: u32, choose: &mut dyn FnMut(usize) -> usize) -> Option<char> {
    let offset = choose(usize::try_from(high.saturating_sub(low)).ok()?.saturating_add(1));
    char::from_u32(low.saturating_add(u32::try_from(offset).ok()?)).or(char::from_u32(low))
}

fn typical(choose: &mut dyn FnMut(usize) -> usize, accepts: impl Fn(char) -> bool) -> Option<char> {
    let all: Vec<char> = TYPICAL.chars().filter(|c| accepts(*c)).collect();
    all.get(choose(all.len().max(1))).copied()
}

/// Returns whether an item has a character. Of Unicode's classes, only letters are known.
fn holds(item: &ClassItem, c: char) -> bool {
    match item {
        ClassItem::Range(low, high) => (*low..=*high).contains(&u32::from(c)),
        ClassItem::Ascii { ranges, negated } => {
            let found = ranges
                .iter()
                .any(|(low, high)| (char::from(*low)..=char::from(*high)).contains(&c));
            found != *negated
        }
        ClassItem::Unicode { negated, .. } => c.is_ascii_alphabetic() != *negated,
    }
}

#[cfg(all(test, feature = "eval"))]
mod tests {
    use super::*;
    use crate::re2::Regex;

    #[test]
    fn texts_match_their_pattern() {
        for pattern in [
            "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",
            "^(0|(([0-9]+)y)?(([0-9]+)w)?(([0-9]+)d)?(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?(([0-9]+)ms)?)$",
            "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$",
            "^[^/\\s]{1,63}$",
            "[[:alpha:]]\\d\\W",
            "(?i)abc|x.y",
            "a{7}",
            "^\\S+$",
            "^$",
        ] {
            let regex = Regex::new(pattern).expect("a pattern");
            let mut rng = fastrand::Rng::with_seed(1);
            let mut choose = |count: usize| rng.usize(..count.max(1));
            for _ in 0..200 {
                let text = example(pattern, &mut choose).expect("a text");
                assert!(regex.is_match(&text), "{pattern}: {text:?}");
            }
        }
        assert_eq!(example("a**", &mut |_| 0), None);
    }
}
