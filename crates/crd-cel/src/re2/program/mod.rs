//! A pattern as a program of bytes. The derive macro of a type compiles its patterns to such programs,
//! and rustc runs them on literals of other types, such as defaults for fields of the type.
//!
//! Numbers are little endian, and offsets in the program are in bytes.
//!
//! ```
//! use crd_cel::compile_time::{matches_program, pattern_program};
//!
//! let program = pattern_program("^[a-z]+$").expect("a small pattern");
//! assert_eq!(matches_program(&program, "abc"), Some(true));
//! assert_eq!(matches_program(&program, "aBc"), Some(false));
//! ```

mod run;
mod write;

pub use run::matches_program;
pub use write::pattern_program;

use super::ast::Look;

/// The longest program, in bytes.
const MAX_BYTES: usize = 2048;

/// The codes of the operations; comments list the operands that follow a code.
mod op {
    /// The code point (32 bits).
    pub(super) const RUNE: u8 = 1;
    /// A bit for each code point up to U+007F (16 bytes); a code of [`beyond`](super::beyond) for the
    /// others (8 bits); for ranges, their count (8 bits), and the least and
    /// greatest code point of each (32 bits).
    pub(super) const CLASS: u8 = 2;
    /// Two offsets (16 bits) at which to continue.
    pub(super) const SPLIT: u8 = 3;
    /// The offset (16 bits) at which to continue.
    pub(super) const JUMP: u8 = 4;
    /// The number of a [`Look`](super::Look) (8 bits).
    pub(super) const LOOK: u8 = 5;
    /// The text matches.
    pub(super) const MATCH: u8 = 6;
}

/// The code points beyond U+007F that belong to a class.
mod beyond {
    pub(super) const NONE: u8 = 0;
    pub(super) const ALL: u8 = 1;
    /// Not known without Unicode's tables.
    pub(super) const UNKNOWN: u8 = 2;
    /// These ranges.
    pub(super) const IN: u8 = 3;
    /// All but these ranges.
    pub(super) const NOT_IN: u8 = 4;
}

/// All kinds of positions; an operation refers to one by its index.
const LOOKS: [Look; 6] = [
    Look::BeginLine,
    Look::EndLine,
    Look::BeginText,
    Look::EndText,
    Look::WordBoundary,
    Look::NoWordBoundary,
];

#[cfg(all(test, feature = "eval"))]
mod tests {
    use super::super::Regex;
    use super::super::samples::{PATTERNS, TEXTS};
    use super::*;

    /// Patterns whose programs are too large, because of the cases of letters in Unicode's tables.
    const WITHOUT_PROGRAM: &[&str] = &["(?i)[^a]"];

    /// If the program has a result, it is that of the automaton.
    #[test]
    fn agrees_with_the_automaton() {
        let mut known = 0;
        for pattern in PATTERNS {
            let regex = Regex::new(pattern).unwrap();
            let Some(program) = pattern_program(pattern) else {
                assert!(WITHOUT_PROGRAM.contains(pattern), "{pattern}");
                continue;
            };
            for text in TEXTS {
                if let Some(got) = matches_program(&program, text) {
                    known += 1;
                    assert_eq!(got, regex.is_match(text), "{pattern} in {text:?}");
                }
            }
        }
        assert!(known > 700, "{known}");
    }

    #[test]
    fn large_patterns_and_long_runs_have_no_result() {
        for pattern in ["(", "(a{100}){100}", "(?i)[^é]"] {
            assert_eq!(pattern_program(pattern), None, "{pattern}");
        }
        let program = pattern_program("(?:a?){60}b$").expect("a small pattern");
        assert_eq!(matches_program(&program, &"a".repeat(4000)), None);
        assert_eq!(matches_program(&[], "a"), None);
        assert_eq!(matches_program(&[0], "a"), None);
    }
}
