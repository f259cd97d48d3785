//! Searches texts for matches of a pattern.

use std::iter::FusedIterator;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use regex_automata::Input;

use super::automaton::Automaton;
use super::error::Error;
use super::machine::Machine;
use super::memory::Reservation;
use super::parse;
use super::shape::Shape;
use super::translate;
use crate::error::EvalError;
use crate::minors::KubernetesVersion;
use crate::steps::Steps;

/// The number of bytes that an automaton reads in one step.
const BYTES_OF_STEP: u64 = 8;

/// The longest text, in bytes, for which a pattern that is used once gets no automaton: making one
/// would take longer than the machine takes to match.
const SHORT: usize = 1 << 10;

/// A pattern, ready to match.
///
/// Many patterns are matched by their shape alone. Other small patterns become an automaton when
/// they are first used, because most patterns of a definition are never matched with a value. Large
/// and deep ones become a machine, which takes no more memory than Go does; those that are only
/// large because of classes beyond ASCII also become an automaton for later texts of ASCII. Matching
/// takes time linear in the text for every pattern.
#[derive(Debug, Clone)]
pub struct Regex {
    pattern: Box<str>,
    once: bool,
    shape: OnceLock<Option<Shape>>,
    automaton: OnceLock<Option<Arc<Automaton>>>,
    ascii_automaton: OnceLock<Option<Arc<Automaton>>>,
    machine: OnceLock<Option<Arc<(Machine, Reservation)>>>,
}

impl Regex {
    /// Compiles a pattern.
    ///
    /// # Errors
    ///
    /// Go's error text.
    pub fn new(pattern: &str) -> Result<Self, Error> {
        parse::parse(pattern)?;
        Ok(Self {
            pattern: pattern.into(),
            once: false,
            shape: OnceLock::new(),
            automaton: OnceLock::new(),
            ascii_automaton: OnceLock::new(),
            machine: OnceLock::new(),
        })
    }

    /// As [`Regex::new`], for a pattern that is computed while a rule is evaluated and is not used
    /// often.
    pub(crate) fn once(pattern: &str) -> Result<Self, Error> {
        Ok(Self { once: true, ..Self::new(pattern)? })
    }

    /// The automaton, if making one pays off for a text of `length` bytes.
    fn automaton(&self, length: usize) -> Option<&Automaton> {
        if self.once && length <= SHORT {
            return None;
        }
        let build = || Automaton::new(parse::parse(&self.pattern).ok()?).map(Arc::new);
        self.automaton.get_or_init(build).as_deref()
    }

    /// The automaton that knows only ASCII, if making one pays off and the text has nothing else.
    fn ascii_automaton(&self, text: &str) -> Option<&Automaton> {
        if (self.once && text.len() <= SHORT) || !text.is_ascii() {
            return None;
        }
        let build = || {
            let node = parse::parse(&self.pattern).ok()?;
            Automaton::new(translate::within_ascii(node)).map(Arc::new)
        };
        self.ascii_automaton.get_or_init(build).as_deref()
    }

    /// Calls `search` with the machine, which is kept if there is room.
    fn with_machine<T>(&self, search: impl FnOnce(&Machine) -> T) -> Option<T> {
        if let Some(Some(machine)) = self.machine.get() {
            return Some(search(&machine.0));
        }
        let machine = Machine::new(&parse::parse(&self.pattern).ok()?);
        match Reservation::of(machine.bytes()) {
            Some(reservation) => {
                let kept = self.machine.get_or_init(|| Some(Arc::new((machine, reservation))));
                kept.as_deref().map(|kept| search(&kept.0))
            }
            None => Some(search(&machine)),
        }
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
        self.is_match_within(text, &mut Steps::unlimited(KubernetesVersion::REFERENCE))
            .unwrap_or_default()
    }

    /// As [`Regex::is_match`].
    ///
    /// # Errors
    /// If it takes too many steps.
    pub(crate) fn is_match_within(&self, text: &str, steps: &mut Steps) -> Result<bool, EvalError> {
        let shape = || Shape::of(&parse::parse(&self.pattern).ok()?);
        if let Some(shape) = self.shape.get_or_init(shape) {
            return Ok(shape.is_match(text));
        }
        // The first search makes a machine. The automaton is larger, and pays off for a pattern that is searched again.
        let is_searched_again = self.machine.get().is_some();
        let of_ascii = || if is_searched_again { self.ascii_automaton(text) } else { None };
        if let Some(automaton) = self.automaton(text.len()).or_else(of_ascii) {
            steps.take(text.len() as u64 / BYTES_OF_STEP)?;
            if let Ok(matches) = automaton.is_match(text) {
                return Ok(matches);
            }
        }
        let found = self.with_machine(|machine| machine.find(text, 0, true, steps)).transpose()?;
        Ok(found.flatten().is_some())
    }

    /// The first match: the bytes it covers.
    pub fn find(&self, text: &str) -> Option<Range<usize>> {
        self.find_within(text, 0, &mut Steps::unlimited(KubernetesVersion::REFERENCE))
            .unwrap_or_default()
    }

    /// The first match that begins at `from` or after it.
    ///
    /// # Errors
    /// If it takes too many steps.
    pub(crate) fn find_within(
        &self,
        text: &str,
        from: usize,
        steps: &mut Steps,
    ) -> Result<Option<Range<usize>>, EvalError> {
        if let Some(automaton) = self.automaton(text.len())
            && let Ok((found, read)) = automaton.find(&Input::new(text).range(from..))
        {
            steps.take(read / BYTES_OF_STEP)?;
            return Ok(found.map(|found| found.range()));
        }
        let found = self.with_machine(|machine| machine.find(text, from, false, steps));
        Ok(found.transpose()?.flatten())
    }

    /// All matches, in order, none overlapping; an empty match right after a match does not count.
    pub fn find_iter<'r, 't>(&'r self, text: &'t str) -> Matches<'r, 't> {
        Matches { regex: self, text, from: Some(0), last: None }
    }
}

/// The matches of a pattern in a text: the bytes they cover.
#[derive(Debug)]
pub struct Matches<'r, 't> {
    regex: &'r Regex,
    text: &'t str,
    /// The offset at which the next search begins; `None` at the end.
    from: Option<usize>,
    /// The end of the last match.
    last: Option<usize>,
}

impl Matches<'_, '_> {
    /// The next match.
    ///
    /// # Errors
    /// If it takes too many steps. A pattern such as `a.*b|a` reads to the end of the text for each
    /// match.
    pub(crate) fn next_within(
        &mut self,
        steps: &mut Steps,
    ) -> Result<Option<Range<usize>>, EvalError> {
        while let Some(from) = self.from {
            steps.take(1)?;
            let Some(found) = self.regex.find_within(self.text, from, steps)? else {
                self.from = None;
                break;
            };
            let again = found.is_empty() && self.last == Some(found.end);
            self.from = if found.is_empty() {
                let rest = self.text.get(found.end..).unwrap_or_default();
                rest.chars().next().map(|c| found.end + c.len_utf8())
            } else {
                Some(found.end)
            };
            if !again {
                self.last = Some(found.end);
                return Ok(Some(found));
            }
        }
        Ok(None)
    }
}

impl Iterator for Matches<'_, '_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        self.next_within(&mut Steps::unlimited(KubernetesVersion::REFERENCE)).unwrap_or_default()
    }
}

impl FusedIterator for Matches<'_, '_> {}

#[cfg(test)]
mod tests {
    use super::*;

    /// `want` has the matches, joined by `|`; `-` if there are none.
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
    fn class_operators_of_other_engines_are_literals() {
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
    fn earlier_alternatives_and_longer_repetitions_are_preferred() {
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
        check(r"\pL{300}", &"é".repeat(301), &"é".repeat(300));
    }

    /// Random patterns and texts: machines and automata give the same results.
    #[test]
    fn machines_find_what_automata_find() {
        const PARTS: [&str; 30] = [
            "a",
            "b",
            "ab",
            "é",
            "[a-z]",
            "[^a]",
            r"\w",
            r"\d*",
            "a?",
            "b+?",
            "[ab]*",
            "[-é]{1,2}",
            ".",
            "(?s:.)",
            "(?i:k)",
            "(?i:s)+",
            "(?:a|b)",
            "(?:|ab|[0-9]+)",
            "(?:|a)*",
            "c{0}",
            r"\x{D800}",
            "^",
            "$",
            "(?m:^)",
            "(?m:$)",
            r"\b",
            r"\B",
            "(?:a*)+",
            "(?:a{2,3}?b|a){0,2}",
            r"\pL{2,}",
        ];
        const LETTERS: [char; 12] =
            ['a', 'a', 'a', 'b', 'b', '-', 'é', '0', 'k', '\u{212A}', 'ſ', '\n'];
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..3000 {
            let mut pattern = String::new();
            for _ in 0..random.usize(1..5) {
                pattern.push_str(random.choice(PARTS).unwrap_or_default());
                if random.u8(0..6) == 0 {
                    pattern.push('|');
                }
            }
            let regex = Regex::new(&pattern).expect(&pattern);
            let machine = Machine::new(&parse::parse(&pattern).expect(&pattern));
            for _ in 0..20 {
                let letters = (0..random.usize(0..8)).filter_map(|_| random.choice(LETTERS));
                let text: String = letters.collect();
                for from in text.char_indices().map(|(at, _)| at).chain([text.len()]) {
                    let automaton = regex.automaton(text.len()).expect("small");
                    let input = Input::new(&text).range(from..);
                    let (want, _) = automaton.find(&input).expect("an answer");
                    let want = want.map(|found| found.range());
                    let steps = &mut Steps::unlimited(KubernetesVersion::REFERENCE);
                    let found = machine.find(&text, from, false, steps);
                    assert_eq!(found, Ok(want.clone()), "{pattern} in {text:?} from {from}");
                    let any = machine.find(&text, from, true, steps).expect("no limit");
                    assert_eq!(any.is_some(), want.is_some(), "{pattern} in {text:?} from {from}");
                }
                if text.is_ascii() {
                    let steps = &mut Steps::unlimited(KubernetesVersion::REFERENCE);
                    let found = machine.find(&text, 0, true, steps).expect("no limit");
                    let automaton = regex.ascii_automaton(&text).expect("small");
                    let matches = automaton.is_match(&text).expect("an answer");
                    assert_eq!(matches, found.is_some(), "{pattern} in {text:?}");
                }
            }
        }
    }

    #[test]
    fn a_pattern_that_is_large_beyond_ascii_has_an_automaton_for_ascii() {
        let label = r"[a-z\p{S}\p{L}]([a-z0-9\-\p{S}\p{L}]{0,61}[^\-\PL])?";
        let regex = Regex::new(&format!(r"^(?i:{label}\.){{1,}}[a-z\p{{L}}]{{2,63}}$")).unwrap();
        assert!(regex.automaton(1).is_none());
        assert!(regex.ascii_automaton("a.b").is_some());
        assert!(regex.ascii_automaton("é.b").is_none());
        for (text, want) in [
            ("console.example.com", true),
            ("CONSOLE.com", true),
            ("a+b.com", true),
            ("a-.com", false),
            ("a..com", false),
            ("a.c", false),
            ("", false),
            ("é.com", true),
            ("é-.com", false),
            ("\u{212A}.com", true),
        ] {
            assert_eq!(regex.is_match(text), want, "{text}");
            assert_eq!(regex.find(text).is_some(), want, "{text}");
        }
    }

    #[test]
    fn a_pattern_used_once_has_the_matches_of_others() {
        let (once, often) = (Regex::once("a*|b").unwrap(), Regex::new("a*|b").unwrap());
        for text in ["", "b", "baac", &"ab".repeat(SHORT)] {
            assert!(once.find_iter(text).eq(often.find_iter(text)), "{text}");
            assert_eq!(once.is_match(text), often.is_match(text), "{text}");
        }
    }
}
