//! Patterns that can be matched without an automaton.
//!
//! Most patterns of schemas are a few values, a prefix, or a sequence of repeated classes that do
//! not overlap. A shape has the same result as the automaton.

use std::slice;

use regex_syntax::hir::ClassUnicode;

use super::ast::{Look, PatternNode};
use super::machine::RuneSet;
use super::translate;

/// A sequence of more runs than this is left to the automaton.
const MOST_RUNS: usize = 32;

/// More alternatives than this are left to the automaton, which looks at each byte of a text once.
const MOST_ALTERNATIVES: usize = 16;

/// The condition on a text under which a pattern matches.
#[derive(Debug, Clone)]
pub(super) enum Shape {
    /// It is this text.
    Equals(Box<str>),
    /// It begins with this text.
    Begins(Box<str>),
    /// It ends with this text.
    Ends(Box<str>),
    /// It contains this text.
    Contains(Box<str>),
    /// It begins with these runs.
    Runs {
        runs: Box<[Run]>,
        /// Whether nothing may follow.
        to_end: bool,
    },
    /// One of these holds.
    Any(Box<[Shape]>),
}

/// The longest sequence of code points of a class, at least `min` and at most `max`.
#[derive(Debug, Clone)]
pub(super) struct Run {
    class: RuneSet,
    min: usize,
    max: usize,
}

impl Shape {
    /// The shape of a pattern, if it has one.
    pub(super) fn of(node: &PatternNode) -> Option<Self> {
        Self::of_parts(parts_of(node), false, false)
    }

    /// The shape of a pattern's parts, which match anywhere or at the given ends. Recursion is
    /// bounded by the parser's limit of height.
    fn of_parts(parts: &[PatternNode], from_start: bool, to_end: bool) -> Option<Self> {
        match parts {
            [PatternNode::Look(Look::BeginText), rest @ ..] if !from_start => {
                Self::of_parts(rest, true, to_end)
            }
            [rest @ .., PatternNode::Look(Look::EndText)] if !to_end => {
                Self::of_parts(rest, from_start, true)
            }
            [PatternNode::Alternate(nodes)] if nodes.len() <= MOST_ALTERNATIVES => {
                let shape = |node| Self::of_parts(parts_of(node), from_start, to_end);
                Some(Self::Any(nodes.iter().map(shape).collect::<Option<_>>()?))
            }
            parts => match (text(parts), from_start, to_end) {
                (Some(text), true, true) => Some(Self::Equals(text)),
                (Some(text), true, false) => Some(Self::Begins(text)),
                (Some(text), false, true) => Some(Self::Ends(text)),
                (Some(text), false, false) => Some(Self::Contains(text)),
                (None, true, to_end) => Some(Self::Runs { runs: runs(parts)?, to_end }),
                (None, false, _) => None,
            },
        }
    }

    /// Whether the pattern matches anywhere in a text.
    pub(super) fn is_match(&self, text: &str) -> bool {
        match self {
            Self::Equals(wanted) => **wanted == *text,
            Self::Begins(wanted) => text.starts_with(&**wanted),
            Self::Ends(wanted) => text.ends_with(&**wanted),
            Self::Contains(wanted) => text.contains(&**wanted),
            Self::Runs { runs, to_end } => {
                let mut rest = text;
                for run in runs {
                    let (length, behind) = run.read(rest);
                    if length < run.min {
                        return false;
                    }
                    rest = behind;
                }
                !to_end || rest.is_empty()
            }
            Self::Any(shapes) => shapes.iter().any(|shape| shape.is_match(text)),
        }
    }
}

impl Run {
    fn new(class: ClassUnicode, min: u32, max: Option<u32>) -> Option<Self> {
        let min = usize::try_from(min).ok()?;
        let max = max.map_or(Some(usize::MAX), |max| usize::try_from(max).ok())?;
        Some(Self { class: RuneSet::new(class), min, max })
    }

    /// The number of code points at the start of a text that belong to the run, and the rest of the text.
    #[inline]
    fn read<'t>(&self, text: &'t str) -> (usize, &'t str) {
        // PERF: ASCII text is read byte by byte.
        let ascii = text.bytes().take(self.max).take_while(|byte| self.class.holds_ascii(*byte));
        let mut length = ascii.count();
        let mut rest = text.get(length..).unwrap_or_default();
        if rest.as_bytes().first().is_none_or(u8::is_ascii) {
            return (length, rest);
        }
        let mut chars = rest.chars();
        while length < self.max && chars.next().is_some_and(|c| self.class.holds(c)) {
            length += 1;
            rest = chars.as_str();
        }
        (length, rest)
    }

    fn is_disjoint(&self, other: &Self) -> bool {
        let mut both = self.class.class().clone();
        both.intersect(other.class.class());
        both.ranges().is_empty()
    }
}

/// The parts that a pattern matches one after another.
fn parts_of(node: &PatternNode) -> &[PatternNode] {
    match node {
        PatternNode::Concat(nodes) => nodes,
        node => slice::from_ref(node),
    }
}

/// The text that parts match, if they match only one.
fn text(parts: &[PatternNode]) -> Option<Box<str>> {
    match parts {
        [] | [PatternNode::Empty] => Some("".into()),
        [PatternNode::Literal { runes, fold_case: false }] => {
            let text: Option<String> = runes.iter().map(|rune| char::from_u32(*rune)).collect();
            text.map(Into::into)
        }
        _ => None,
    }
}

/// The runs that parts match, if reading the longest sequence of each gives the answer.
fn runs(parts: &[PatternNode]) -> Option<Box<[Run]>> {
    let mut runs = Vec::new();
    for part in parts {
        match part {
            PatternNode::Literal { runes, fold_case } => {
                for rune in runes {
                    runs.push(Run::new(translate::letter(*rune, *fold_case), 1, Some(1))?);
                }
            }
            PatternNode::Repeat { min, max, node, greedy: _ } => {
                runs.push(Run::new(translate::single(node)?, *min, *max)?);
            }
            node => runs.push(Run::new(translate::single(node)?, 1, Some(1))?),
        }
        if runs.len() > MOST_RUNS {
            return None;
        }
    }
    // The length of a run must follow from the text alone: what can follow the run must not be in
    // its class.
    let decided = runs.iter().enumerate().all(|(index, run)| {
        let later = runs.get(index + 1..).unwrap_or_default();
        let last = later.iter().position(|run| run.min > 0).unwrap_or(later.len());
        run.min == run.max || later.iter().take(last + 1).all(|next| run.is_disjoint(next))
    });
    decided.then(|| runs.into())
}

#[cfg(test)]
mod tests {
    use super::super::{Regex, parse};
    use super::*;

    #[track_caller]
    fn shape(pattern: &str) -> String {
        fn words(shape: &Shape) -> String {
            match shape {
                Shape::Equals(text) => format!("equals {text}"),
                Shape::Begins(text) => format!("begins {text}"),
                Shape::Ends(text) => format!("ends {text}"),
                Shape::Contains(text) => format!("contains {text}"),
                Shape::Runs { runs, to_end: true } => format!("{} runs", runs.len()),
                Shape::Runs { runs, to_end: false } => format!("begins with {} runs", runs.len()),
                Shape::Any(shapes) => shapes.iter().map(words).collect::<Vec<_>>().join(", "),
            }
        }
        let node = parse::parse(pattern).expect(pattern);
        Shape::of(&node).map_or_else(|| "-".to_owned(), |shape| words(&shape))
    }

    #[test]
    fn patterns_with_a_shape() {
        for (pattern, want) in [
            ("^abc$", "equals abc"),
            ("^(?:a|b)$|^$", "equals a, equals b, equals "),
            (r"\Aabc", "begins abc"),
            (r"abc\z", "ends abc"),
            ("abc", "contains abc"),
            ("^(a|b[0-9]+)$", "equals a, 2 runs"),
            ("^[a-z]+[0-9]{2,3}$", "2 runs"),
            ("^[^/]+/[^/]+$", "3 runs"),
            ("(?i)^abc", "begins with 3 runs"),
            ("^https?://", "begins with 8 runs"),
            ("^.*x", "-"),
            ("^[a-z]*[a-c]?[0-9]$", "-"),
            ("^[a-z]?[0-9]?[a-c]$", "-"),
            ("[a-z]+", "-"),
            ("(?m)^a$", "-"),
            (r"^a\b", "-"),
            ("^(?:^a|b)$", "-"),
        ] {
            assert_eq!(shape(pattern), want, "{pattern}");
        }
    }

    /// Random patterns. Most of their parts have a shape.
    #[test]
    fn shapes_answer_as_automata_do() {
        const PARTS: [&str; 22] = [
            "a",
            "b",
            "ab",
            "-",
            "é",
            "[a-z]",
            "[^a]",
            "[0-9]",
            r"\w",
            r"\d*",
            "a?",
            "b+",
            "[ab]*",
            "[-é]{1,2}",
            ".",
            "(?s:.)",
            "(?i:k)",
            "(?i:s)+",
            "(?:a|b)",
            "(?:|ab|[0-9]+)",
            "c{0}",
            r"\x{D800}",
        ];
        const LETTERS: [char; 13] =
            ['a', 'a', 'b', 'b', 'c', '-', 'é', '0', '9', 'k', '\u{212A}', 'ſ', '\n'];
        let mut random = fastrand::Rng::with_seed(1);
        let mut shapes = 0;
        for _ in 0..4000 {
            let alternative = |random: &mut fastrand::Rng| {
                let parts = (0..random.usize(0..4)).map(|_| *random.choice(&PARTS).unwrap_or(&""));
                let parts = parts.collect::<String>();
                let (start, end) = (random.u8(0..4) > 0, random.bool());
                format!("{}{parts}{}", if start { "^" } else { "" }, if end { "$" } else { "" })
            };
            let mut pattern = alternative(&mut random);
            if random.u8(0..4) == 0 {
                pattern = format!("{pattern}|{}", alternative(&mut random));
            }
            if random.u8(0..8) == 0 {
                pattern = format!("^(?:{pattern})$");
            }
            let Some(shape) = Shape::of(&parse::parse(&pattern).expect(&pattern)) else {
                continue;
            };
            shapes += 1;
            let automaton = Regex::new(&pattern).expect(&pattern);
            for _ in 0..40 {
                let letters =
                    (0..random.usize(0..6)).map(|_| *random.choice(&LETTERS).unwrap_or(&'a'));
                let text = letters.collect::<String>();
                let want = automaton.find(&text).is_some();
                assert_eq!(shape.is_match(&text), want, "{pattern} in {text:?}");
            }
        }
        assert!(shapes > 1500, "{shapes} shapes");
    }
}
