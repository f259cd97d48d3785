//! Errors of patterns, with Go's text.

use std::fmt;

/// The error with which Go's `regexp/syntax` rejects a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    code: ErrorCode,
    expr: Box<str>,
}

impl Error {
    pub(super) fn new(code: ErrorCode, expr: &str) -> Self {
        Self { code, expr: expr.into() }
    }

    /// The kind of error.
    pub fn code(&self) -> ErrorCode {
        self.code
    }

    /// The invalid part of the pattern.
    pub fn expr(&self) -> &str {
        &self.expr
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error parsing regexp: {}: `{}`", self.code, self.expr)
    }
}

impl std::error::Error for Error {}

/// The kinds of errors.
///
/// Source: `regexp/syntax/parse.go`, `ErrorCode`, except for `ErrInvalidUTF8`, which no `str` causes, and the two that
/// Go's parser never returns (`ErrInternalError` and `ErrInvalidCharClass`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorCode {
    /// A class such as `[z-a]`, `[[:nothing:]]`, `\p{Nothing}`.
    InvalidCharRange,
    /// An unknown escape, such as `\y`.
    InvalidEscape,
    /// A group name that is not `[A-Za-z0-9_]+` or does not end.
    InvalidNamedCapture,
    /// `(?` and something unknown.
    InvalidPerlOp,
    /// A repetition of a repetition, such as `a**`.
    InvalidRepeatOp,
    /// A count above 1000, such as `a{1001}` or nested `(a{100}){100}`, or a maximum below the minimum: `a{2,1}`.
    InvalidRepeatSize,
    /// `[` without its `]`.
    MissingBracket,
    /// `(` without its `)`.
    MissingParen,
    /// A repetition of nothing.
    MissingRepeatArgument,
    /// A `\` at the end.
    TrailingBackslash,
    /// `)` without its `(`.
    UnexpectedParen,
    /// Nested deeper than 1000 levels.
    NestingDepth,
    /// Compiles to more than Go, or this crate, allows.
    Large,
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InvalidCharRange => "invalid character class range",
            Self::InvalidEscape => "invalid escape sequence",
            Self::InvalidNamedCapture => "invalid named capture",
            Self::InvalidPerlOp => "invalid or unsupported Perl syntax",
            Self::InvalidRepeatOp => "invalid nested repetition operator",
            Self::InvalidRepeatSize => "invalid repeat count",
            Self::MissingBracket => "missing closing ]",
            Self::MissingParen => "missing closing )",
            Self::MissingRepeatArgument => "missing argument to repetition operator",
            Self::TrailingBackslash => "trailing backslash at end of expression",
            Self::UnexpectedParen => "unexpected )",
            Self::NestingDepth => "expression nests too deeply",
            Self::Large => "expression too large",
        })
    }
}
