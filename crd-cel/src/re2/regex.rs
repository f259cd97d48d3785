//! Matching.

use std::iter::FusedIterator;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use regex_automata::Input;
use regex_automata::util::iter::Searcher;

use super::automaton::Automaton;
use super::error::{Error, ErrorCode};
use super::parse;
use super::shape::Shape;
use super::size::most_bytes;

/// The most memory that a compiled pattern may take, in bytes: as much as Go grants it.
/// Source: `regexp/syntax/parse.go`, `maxSize`.
const COMPILED_LIMIT: usize = 128 << 20;

/// A pattern, ready to match.
///
/// The automaton is built when it is first asked: a Unicode class that is repeated takes a fraction of a
/// second, and most patterns of a definition never see a value.
/// Whether a pattern matches, many can tell by their shape, without any automaton.
/// Matching takes time linear in the text, whatever the pattern.
#[derive(Debug, Clone)]
pub struct Regex {
    pattern: Box<str>,
    shape: OnceLock<Option<Shape>>,
    /// `None` never happens: what could fail was built at once.
    automaton: OnceLock<Option<Arc<Automaton>>>,
}

impl Regex {
    /// Compiles a pattern.
    ///
    /// # Errors
    ///
    /// What Go says of the pattern; [`ErrorCode::Large`] also where it takes more than 128 MiB here.
    pub fn new(pattern: &str) -> Result<Self, Error> {
        let node = parse::parse(pattern)?;
        let automaton = OnceLock::new();
        if most_bytes(&node) > COMPILED_LIMIT as u64 {
            let built = Automaton::new(node, COMPILED_LIMIT);
            let built = built.map_err(|_| Error::new(ErrorCode::Large, pattern))?;
            let _ = automaton.set(Some(Arc::new(built)));
        }
        Ok(Self { pattern: pattern.into(), shape: OnceLock::new(), automaton })
    }

    fn automaton(&self) -> Option<&Automaton> {
        let build = || {
            let node = parse::parse(&self.pattern).ok()?;
            Automaton::new(node, COMPILED_LIMIT).ok().map(Arc::new)
        };
        self.automaton.get_or_init(build).as_deref()
    }

    /// The pattern as it was written.
    pub fn pattern(&self) -> &str {
        &self.pattern
    }

    /// Whether the pattern matches anywhere in the text.
    ///
    /// ```
    /// use crd_cel::re2::Regex;
    /// assert!(Regex::new(r"^\w+$")?.is_match("abc"));
    /// assert!(!Regex::new(r"^\w+$")?.is_match("é"));
    /// # Ok::<(), crd_cel::re2::Error>(())
    /// ```
    pub fn is_match(&self, text: &str) -> bool {
        let shape = || Shape::of(&parse::parse(&self.pattern).ok()?);
        match self.shape.get_or_init(shape) {
            Some(shape) => shape.is_match(text),
            None => self.automaton().is_some_and(|automaton| automaton.is_match(text)),
        }
    }

    /// The first match: the bytes it covers.
    pub fn find(&self, text: &str) -> Option<Range<usize>> {
        Some(self.automaton()?.find(&Input::new(text))?.range())
    }

    /// All matches, in order, none overlapping; an empty match right behind a match does not count.
    pub fn find_iter<'r, 't>(&'r self, text: &'t str) -> Matches<'r, 't> {
        Matches(self.automaton().map(|automaton| (automaton, Searcher::new(Input::new(text)))))
    }
}

/// The matches of a pattern in a text: the bytes they cover.
#[derive(Debug)]
pub struct Matches<'r, 't>(Option<(&'r Automaton, Searcher<'t>)>);

impl Iterator for Matches<'_, '_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let (automaton, searcher) = self.0.as_mut()?;
        Some(searcher.advance(|input| Ok(automaton.find(input)))?.range())
    }
}

impl FusedIterator for Matches<'_, '_> {}

#[cfg(test)]
mod tests {
    use super::*;

    /// `want` is what matches, joined by `|`; `-` for nothing.
    #[track_caller]
    fn check(pattern: &str, text: &str, want: &str) {
        let regex = Regex::new(pattern).expect(pattern);
        let found: Vec<&str> = regex.find_iter(text).map(|range| &text[range]).collect();
        let got = if found.is_empty() { "-".to_owned() } else { found.join("|") };
        assert_eq!(got, want, "{pattern} in {text:?}");
        assert_eq!(regex.is_match(text), !found.is_empty(), "{pattern} in {text:?}");
        assert_eq!(regex.find(text).map(|range| &text[range]), found.first().copied());
    }

    #[test]
    fn perl_and_posix_classes_are_ascii() {
        check(r"\w+", "aé_1", "a|_1");
        check(r"\d", "٣3", "3");
        check(r"\s", "\u{b}\u{a0}\n", "\n");
        check("[[:space:]]", "\u{b}", "\u{b}");
        check(r"[^\W]", "é_", "_");
        check(r"\b", "é", "-");
        check(r"a\b", "aé", "a");
        check(r"\B", "é", "|");
    }

    #[test]
    fn classes_hold_what_the_operators_of_others_would_be() {
        check("[a&&b]+", "a&b", "a&b");
        check("[a[b]]", "a] []", "a]|[]");
        check(r"[\d-z]+", "1-z", "1-z");
        check("[]a]+", "]a", "]a");
        check(r"[^\x00-\x{10FFFF}]|x", "ax", "x");
    }

    #[test]
    fn case_folding_is_unicode_and_comes_before_negation() {
        check("(?i)s", "ſS", "ſ|S");
        check("(?i)[a-z]+", "ſK", "ſK");
        check(r"(?i)\w+", "ſK", "ſK");
        check("(?i)[^k]", "Kk", "-");
        check(r"(?i)\p{Lu}+", "aB", "aB");
        check("a(?i)b|c", "aB C", "aB|C");
        check("(?i:a)b", "Ab AB", "Ab");
    }

    #[test]
    fn anchors() {
        check("^a$", "a\n", "-");
        check("(?m)^b$", "a\nb\n", "b");
        check(r"(?m)\Ab|b\z", "a\nb", "b");
        check("a$", "a\r", "-");
    }

    #[test]
    fn repetition_and_alternatives_prefer_what_stands_first() {
        check("a|ab", "ab", "a");
        check("a+?", "aa", "a|a");
        check("(?U)a+", "aa", "a|a");
        check("(?U)a+?", "aa", "aa");
        check("a*", "baaac", "|aaa|");
        check("(|a)*", "aa", "||");
        check("a{,2}", "a{,2}", "a{,2}");
        check("x{2,3}", "xxxxx", "xxx|xx");
        check(".", "\u{1F600}\n", "\u{1F600}");
        check("(?s).", "\n", "\n");
        check("", "é", "|");
    }

    #[test]
    fn surrogates_match_nothing() {
        check(r"\x{D800}", "\u{FFFD}", "-");
        check(r"[\x{D7FF}-\x{E000}]", "\u{D7FF}\u{E000}", "\u{D7FF}|\u{E000}");
        check(r"[\x{D800}-\x{DFFF}]", "a", "-");
    }

    #[test]
    fn deep_and_large_patterns() {
        let deep = format!("{}a{}", "(?:b".repeat(498), ")*".repeat(498));
        check(&deep, "a", "|");
        let deep = format!("{}a{}", "(?:".repeat(20_000), ")".repeat(20_000));
        check(&deep, "a", "a");
        check("(?:a{100}){10}", &"a".repeat(1000), &"a".repeat(1000));
        assert!(Regex::new(r"^\pL{300}$").is_ok());
        assert!(Automaton::new(parse::parse(r"\pL{9}").unwrap(), 1 << 16).is_err());
    }

    /// An automaton that is built late fits.
    #[test]
    fn no_automaton_has_more_states_than_counted() {
        for pattern in [
            r"\pL",
            r"\PL",
            r"(?i)\p{Lu}",
            r"(?i)\PN",
            r"[^a]",
            r"(?i)[^k-ſ]",
            r"\W",
            r"[\x{80}-\x{10FFFF}]",
            r"[\x{81}-\x{2FFFD}]",
            "(?i)kelvin",
            "(?i)ſſſſ",
            "\u{1F600}\u{1F600}",
            ".",
            "(?s).",
            "(a|b|cd)?",
            "(?:a*){3,}",
            r"[\pL\pS\pN\pM]",
            r"\p{Any}",
            r"[[:^alpha:]]",
            "(?m)^$",
            r"\b",
        ] {
            for pattern in
                [pattern.to_owned(), format!("(?:{pattern}){{9}}"), format!("(?:{pattern}){{2,9}}")]
            {
                let node = parse::parse(&pattern).unwrap();
                let limit = usize::try_from(most_bytes(&node)).unwrap();
                // What every automaton has, whatever the pattern.
                let built = Automaton::new(node, limit + 1024);
                assert!(built.is_ok(), "{pattern}: {limit}");
            }
        }
    }
}
