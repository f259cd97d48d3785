//! Go's RE2 regular expressions: syntax, meaning and error texts.
//!
//! The API server hands every pattern (CEL's `matches`, `find`, `findAll`, and OpenAPI's `pattern`) to
//! Go's `regexp` package. Its language differs from the `regex` crate's defaults in what parses and
//! in what matches, so this module has a front end of its own: [`check`] parses a pattern and reports
//! what Go would report, and `Regex` translates the parsed pattern for `regex-automata`.
//!
//! The parser needs no dependency, so that the derive macro can reject a bad pattern; matching comes
//! with the feature `eval`.
//!
//! Source: Go 1.26, `regexp/syntax/parse.go`. Deliberately absent: capture groups (no caller asks for
//! one), POSIX mode, byte-oriented matching.

mod ascii;
mod ascii_classes;
mod ast;
#[cfg(feature = "eval")]
mod automaton;
mod class;
mod error;
mod example;
mod literal;
mod parse;
mod read;
mod runes;
#[cfg(all(test, feature = "eval"))]
mod samples;
mod stack;
mod unicode_names;

#[cfg(feature = "eval")]
mod machine;
#[cfg(feature = "eval")]
mod memory;
#[cfg(feature = "eval")]
mod regex;
#[cfg(feature = "eval")]
mod shape;
#[cfg(feature = "eval")]
mod size;
#[cfg(feature = "eval")]
mod translate;

pub use error::{Error, ErrorCode};
pub use example::example;
pub use literal::matches_literal;
#[cfg(feature = "eval")]
pub use regex::{Matches, Regex};

/// Checks that Go's `regexp.Compile` accepts a pattern.
///
/// # Errors
///
/// Go's error text, such as ``error parsing regexp: missing closing ]: `[a` ``.
///
/// ```
/// assert!(crd_cel::re2::check(r"^\d+$").is_ok());
/// let error = crd_cel::re2::check("a**").unwrap_err();
/// assert_eq!(error.to_string(), "error parsing regexp: invalid nested repetition operator: `**`");
/// ```
pub fn check(pattern: &str) -> Result<(), Error> {
    parse::parse(pattern).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn accept(pattern: &str) {
        assert_eq!(check(pattern), Ok(()), "{pattern}");
    }

    #[track_caller]
    fn rejects(pattern: &str, want: &str) {
        let error = check(pattern).expect_err(pattern);
        assert_eq!(error.to_string(), format!("error parsing regexp: {want}"), "{pattern}");
    }

    #[test]
    fn patterns_that_go_accepts() {
        for pattern in [
            "",
            "a|",
            "|a",
            "()",
            "(|)",
            "a||b",
            "a{",
            "a{,5}",
            "a{x}",
            "a{1",
            "a{1,",
            "{",
            "}",
            "]",
            "a{01}",
            r"\Qa.b\E",
            r"\Q*",
            r"\Q\E",
            r"a\Q\E*",
            "[]a]",
            "[^]a]",
            "[a-]",
            "[-a]",
            "[a[b]]",
            "[a&&b]",
            "[a~~b]",
            r"[\d-z]",
            "[[:alpha:][:^digit:]]",
            "[[:]",
            r"\pN",
            r"\PL",
            r"\p{Greek}",
            r"\p{^Greek}",
            r"\p{letter}",
            r"\x41",
            r"\x{10FFFF}",
            r"\x{D800}",
            r"\101",
            r"\0",
            r"\08",
            r"\_",
            r"\<",
            r"\ ",
            "(?i)a",
            "(?i-s:a)",
            "(?)",
            "(?:)",
            "(?P<n>a)",
            "(?<n>a)(?<m>b)",
            "(?:a*)*",
            "a(?i)*",
            "a*(?i)*",
            "^*",
            r"\b+",
            "a{1000}",
            "(a{10}){100}",
            "(a{1000}){0}",
            "((a{1000}){0}){9}",
            "(?U)a+?",
            "a{0}",
            "a*{",
            r"\z\A",
        ] {
            accept(pattern);
        }
    }

    #[test]
    fn patterns_that_go_rejects() {
        rejects("a**", "invalid nested repetition operator: `**`");
        rejects("a*+?", "invalid nested repetition operator: `*+?`");
        rejects("a{2}{3}", "invalid nested repetition operator: `{2}{3}`");
        rejects("*", "missing argument to repetition operator: `*`");
        rejects("(*a)", "missing argument to repetition operator: `*`");
        rejects("a|+?b", "missing argument to repetition operator: `+?`");
        rejects("(?i)*", "missing argument to repetition operator: `*`");
        rejects("a{1001}", "invalid repeat count: `{1001}`");
        rejects("a{2,1}", "invalid repeat count: `{2,1}`");
        rejects("a{99999999999999}", "invalid repeat count: `{99999999999999}`");
        rejects("((a{100}){11}b)", "invalid repeat count: `{11}`");
        rejects("(((a{100}){5}){2}){2}", "invalid repeat count: `{2}`");
        rejects("[a", "missing closing ]: `[a`");
        rejects("[]", "missing closing ]: `[]`");
        rejects("[a-", "missing closing ]: `[a-`");
        rejects("x[^", "missing closing ]: `[^`");
        rejects("[b-a]", "invalid character class range: `b-a`");
        rejects("[a--b]", "invalid character class range: `a--`");
        rejects("[[:foo:]]", "invalid character class range: `[:foo:]`");
        rejects(r"\p", r"invalid character class range: `\p`");
        rejects(r"\p{Foo}x", r"invalid character class range: `\p{Foo}`");
        rejects(r"\p{Script=Greek}", r"invalid character class range: `\p{Script=Greek}`");
        rejects(r"\pé", r"invalid character class range: `\pé`");
        rejects(r"x\p{Foo", r"invalid character class range: `\p{Foo`");
        rejects("a(b", "missing closing ): `a(b`");
        rejects("a)b", "unexpected ): `a)b`");
        rejects("a\\", "trailing backslash at end of expression: ``");
        rejects(r"[\", "trailing backslash at end of expression: ``");
        rejects(r"\y", r"invalid escape sequence: `\y`");
        rejects(r"\C", r"invalid escape sequence: `\C`");
        rejects(r"\Z", r"invalid escape sequence: `\Z`");
        rejects(r"\1", r"invalid escape sequence: `\1`");
        rejects(r"\8", r"invalid escape sequence: `\8`");
        rejects(r"[\b]", r"invalid escape sequence: `\b`");
        rejects(r"\x", r"invalid escape sequence: `\x`");
        rejects(r"\x4", r"invalid escape sequence: `\x4`");
        rejects(r"\x4g1", r"invalid escape sequence: `\x4g`");
        rejects(r"\x{}", r"invalid escape sequence: `\x{}`");
        rejects(r"\x{110000}", r"invalid escape sequence: `\x{110000`");
        rejects(r"\x{4g}", r"invalid escape sequence: `\x{4g`");
        rejects(r"\u{41}", r"invalid escape sequence: `\u`");
        rejects("(?=a)", "invalid or unsupported Perl syntax: `(?=`");
        rejects("(?<=a)b", "invalid named capture: `(?<=a)b`");
        rejects("(?<!a>b)", "invalid named capture: `(?<!a>`");
        rejects("(?P<a", "invalid named capture: `(?P<a`");
        rejects("(?P<>a)", "invalid named capture: `(?P<>`");
        rejects("(?P=a)", "invalid or unsupported Perl syntax: `(?P`");
        rejects("(?i-)a", "invalid or unsupported Perl syntax: `(?i-)`");
        rejects("(?i", "invalid or unsupported Perl syntax: `(?i`");
        rejects("(?x)a", "invalid or unsupported Perl syntax: `(?x`");
        rejects("(?i--s)a", "invalid or unsupported Perl syntax: `(?i--`");
    }

    #[test]
    fn limits() {
        let nested = |n: usize| format!("{}a{}", "(".repeat(n), ")".repeat(n));
        accept(&nested(999));
        rejects(&nested(1000), &format!("expression nests too deeply: `{}`", nested(1000)));
        let unclosed = "(".repeat(100_000);
        rejects(&unclosed, &format!("missing closing ): `{unclosed}`"));
        let large = "((?:abc){500}(?:abc){500}(?:abc){500})".repeat(2000);
        rejects(&large, &format!("expression too large: `{large}`"));
    }
}
