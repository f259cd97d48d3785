//! The kinds of tokens, and sets of them, named as they appear in error texts.

use std::fmt;
use std::num::NonZeroU32;

/// The kind of a token. The variants are in the order of cel-go's grammar, and error texts list
/// alternatives in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum TokenKind {
    Eof,
    Equals,
    NotEquals,
    In,
    Less,
    LessEquals,
    GreaterEquals,
    Greater,
    And,
    Or,
    LeftBracket,
    RightBracket,
    LeftBrace,
    RightBrace,
    LeftParen,
    RightParen,
    Dot,
    Comma,
    Minus,
    Exclam,
    Question,
    Colon,
    Plus,
    Star,
    Slash,
    Percent,
    True,
    False,
    Null,
    Float,
    Int,
    Uint,
    String,
    Bytes,
    Ident,
    EscapedIdent,
    /// Whitespace or a comment.
    Hidden,
}

/// The names of the kinds in error texts, in the order of [`TokenKind`]; hidden tokens need none.
const NAMES: [&str; 36] = [
    "<EOF>",
    "'=='",
    "'!='",
    "'in'",
    "'<'",
    "'<='",
    "'>='",
    "'>'",
    "'&&'",
    "'||'",
    "'['",
    "']'",
    "'{'",
    "'}'",
    "'('",
    "')'",
    "'.'",
    "','",
    "'-'",
    "'!'",
    "'?'",
    "':'",
    "'+'",
    "'*'",
    "'/'",
    "'%'",
    "'true'",
    "'false'",
    "'null'",
    "NUM_FLOAT",
    "NUM_INT",
    "NUM_UINT",
    "STRING",
    "BYTES",
    "IDENTIFIER",
    "ESC_IDENTIFIER",
];

/// A token of a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'s> {
    pub(super) kind: TokenKind,
    /// The offset of its first character, in code points.
    pub(super) offset: u32,
    /// Its text; empty for the end of the input.
    pub(super) text: &'s str,
    /// The number of the token in the text, from 1, counting hidden tokens; `None` for a token that
    /// error recovery inserted.
    pub(super) index: Option<NonZeroU32>,
}

/// A set of token kinds. It may also contain the end of a rule of the grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TokenSet(u64);

impl TokenSet {
    /// The set with only the end of the rule.
    pub(super) const END: Self = Self(1 << 63);

    pub(super) const fn of(kinds: &[TokenKind]) -> Self {
        let mut bits = 0;
        let mut i = 0;
        while i < kinds.len() {
            bits |= 1 << kinds[i] as u8;
            i += 1;
        }
        Self(bits)
    }

    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(super) const fn has(self, kind: TokenKind) -> bool {
        self.0 & (1 << kind as u8) != 0
    }

    pub(super) const fn reaches_end(self) -> bool {
        self.0 & Self::END.0 != 0
    }
}

/// `{'[', IDENTIFIER}`, or a single name without braces.
impl fmt::Display for TokenSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = (0..NAMES.len())
            .filter(|i| self.0 & (1 << i) != 0)
            .filter_map(|i| NAMES.get(i).copied())
            .collect();
        match names.as_slice() {
            [name] => f.write_str(name),
            names => write!(f, "{{{}}}", names.join(", ")),
        }
    }
}
