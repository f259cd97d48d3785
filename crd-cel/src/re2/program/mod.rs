//! A pattern as a program of bytes: the derive macro of a type writes it, and rustc runs it on the literals that other
//! types have for values of the type.
//!
//! Numbers are little endian, and places in the program are counted in bytes from its beginning.
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

/// The operations, with what follows the code.
mod op {
    /// The code point (32 bits).
    pub(super) const RUNE: u8 = 1;
    /// A bit for each code point up to U+007F (16 bytes); what of the others belongs to the class
    /// ([`beyond`](super::beyond), 8 bits); of ranges their count (8 bits), and the least and greatest code point of
    /// each (32 bits).
    pub(super) const CLASS: u8 = 2;
    /// Two places (16 bits) at which to go on.
    pub(super) const SPLIT: u8 = 3;
    /// The place (16 bits) at which to go on.
    pub(super) const JUMP: u8 = 4;
    /// The number of a [`Look`](super::Look) (8 bits).
    pub(super) const LOOK: u8 = 5;
    /// The text matches.
    pub(super) const MATCH: u8 = 6;
}

/// What of the code points beyond U+007F belongs to a class.
mod beyond {
    pub(super) const NONE: u8 = 0;
    pub(super) const ALL: u8 = 1;
    /// Not known without Unicode's tables.
    pub(super) const UNKNOWN: u8 = 2;
    /// These ranges.
    pub(super) const IN: u8 = 3;
    /// What these ranges leave out.
    pub(super) const NOT_IN: u8 = 4;
}

/// All of them; an operation refers to one by its index.
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
    use super::*;

    /// What is known is what the automaton says.
    #[test]
    fn agrees_with_the_automaton() {
        let patterns = [
            "",
            "^$",
            "a",
            "^a*b?$",
            "^[a-z]([-a-z0-9]*[a-z0-9])?$",
            "^(a|bc)+$",
            r"^\d{2,3}$",
            r"^\w+\.\W$",
            "(?i)^aBc$",
            "(?i)^[a-c]+$",
            r"\bfoo\b",
            r"\Boo",
            "(?m)^b$",
            "(?s)^.+$",
            "^.+$",
            "^(a*)*$",
            "^(|a)+$",
            "x{0}y",
            "[[:^alpha:]]",
            r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE])?$",
            "é+",
            "[é-ü]",
            "[^é-ü]",
            "^[^a]$",
            "^(?U)a+$",
            r"^\p{Greek}+$",
            r"^\pL+$",
            r"^\P{Lu}+$",
            r"^[^\p{Nd}]+$",
            "(a|b)*c|(d{2,4}e?)+$",
            "^.{1,3}$",
        ];
        let texts = [
            "", "a", "b", "ab", "aab", "abc", "ABC", "bca", "12", "1234", "foo bar", "a.b", "a\nb",
            "10Mi", "1.5", "-.5k", "éé", "K", "y", "web-0", "-web", "a_.-", "\u{212A}", "ddde",
        ];
        let mut known = 0;
        for pattern in patterns {
            let regex = Regex::new(pattern).unwrap();
            let program = pattern_program(pattern).expect(pattern);
            for text in texts {
                if let Some(got) = matches_program(&program, text) {
                    known += 1;
                    assert_eq!(got, regex.is_match(text), "{pattern} in {text:?}");
                }
            }
        }
        assert!(known > 700, "{known}");
    }

    #[test]
    fn what_takes_too_much_is_not_known() {
        for pattern in ["(", "(a{100}){100}", "(?i)[^é]"] {
            assert_eq!(pattern_program(pattern), None, "{pattern}");
        }
        let program = pattern_program("(?:a?){60}b$").expect("a small pattern");
        assert_eq!(matches_program(&program, &"a".repeat(4000)), None);
        assert_eq!(matches_program(&[], "a"), None);
        assert_eq!(matches_program(&[0], "a"), None);
    }
}
