//! Patterns and texts for the tests of all matchers, which must agree with the automaton.

/// Patterns of all kinds of syntax.
pub(super) const PATTERNS: &[&str] = &[
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
    "(?i)[^a]",
    r"^[\pL\PN]+$",
    r"(?i)^\p{Lu}+$",
    r"(?i)^\P{Ll}+$",
];

/// Texts that some of the patterns match and others do not.
pub(super) const TEXTS: &[&str] = &[
    "", "a", "b", "ab", "aab", "abc", "ABC", "bca", "12", "1234", "foo bar", "a.b", "a\nb", "10Mi",
    "1.5", "-.5k", "éé", "K", "y", "web-0", "-web", "a_.-", "\u{212A}", "ddde",
];
