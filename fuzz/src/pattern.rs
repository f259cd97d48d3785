//! Generates regular expressions, as trees, that have the same meaning in Go and in Rust's `regex`.

use std::fmt;

use arbitrary::Arbitrary;

/// A set of characters.
#[derive(Debug, Arbitrary)]
pub enum Class {
    Digit,
    Word,
    Space,
    Lower,
    Negated,
    Letter,
    Any,
}

/// A regular expression.
#[derive(Debug, Arbitrary)]
pub enum Pattern {
    Char(u8),
    Wide(char),
    Class(Class),
    Start,
    End,
    Boundary,
    Row(Vec<Pattern>),
    Either(Box<(Pattern, Pattern)>),
    Star(Box<Pattern>),
    Plus(Box<Pattern>),
    Maybe(Box<Pattern>),
    Lazy(Box<Pattern>),
    Times(Box<Pattern>, u8, u8),
    Insensitive(Box<Pattern>),
    Captured(Box<Pattern>),
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // Few letters, so that texts often match.
            Self::Char(n) => write!(f, "{}", char::from(b'a' + n % 4)),
            Self::Wide(c) => write!(f, r"\x{{{:X}}}", u32::from(*c)),
            Self::Class(class) => f.write_str(match class {
                Class::Digit => "[0-9]",
                Class::Word => "[0-9A-Za-z_]",
                Class::Space => r"[\t\n\f\r ]",
                Class::Lower => "[a-c]",
                Class::Negated => "[^a-b]",
                Class::Letter => r"\p{Lu}",
                Class::Any => ".",
            }),
            Self::Start => f.write_str(r"\A"),
            Self::End => f.write_str(r"\z"),
            // Not `\b`, which considers only ASCII letters in Go.
            Self::Boundary => f.write_str(r"(?:\A|\z)"),
            Self::Row(items) => items.iter().try_for_each(|item| write!(f, "(?:{item})")),
            Self::Either(two) => write!(f, "(?:{}|{})", two.0, two.1),
            Self::Star(inner) => write!(f, "(?:{inner})*"),
            Self::Plus(inner) => write!(f, "(?:{inner})+"),
            Self::Maybe(inner) => write!(f, "(?:{inner})?"),
            Self::Lazy(inner) => write!(f, "(?:{inner})*?"),
            Self::Times(inner, least, more) => {
                let least = least % 4;
                write!(f, "(?:{inner}){{{least},{}}}", least + more % 4)
            }
            Self::Insensitive(inner) => write!(f, "(?i:{inner})"),
            Self::Captured(inner) => write!(f, "({inner})"),
        }
    }
}
