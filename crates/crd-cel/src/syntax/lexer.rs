//! Splits a text into tokens: the longest match wins, and text that matches no token is reported
//! and skipped.
//!
//! Source: cel-go `parser/gen/CEL.g4`, lexer rules; the error texts are those of ANTLR's lexer.

use super::token::{Token, TokenKind};

/// A token, or text that is not one.
pub(super) enum Lexed<'s> {
    Token(Token<'s>),
    /// Text that no token matches, up to and including the first character that no token can have
    /// there.
    Unrecognized {
        offset: u32,
        text: &'s str,
    },
}

pub(super) struct Lexer<'s> {
    source: &'s str,
    /// The offset of the next character in bytes.
    byte: usize,
    /// The offset of the next character in code points.
    offset: u32,
}

/// The result of matching tokens at the start of a text. Lengths are in bytes.
struct Scan {
    /// The length and kind of the longest token, if there is one.
    accepted: Option<(usize, TokenKind)>,
    /// The length of the longest prefix of the text with which a token can start.
    viable: usize,
}

impl<'s> Lexer<'s> {
    pub(super) fn new(source: &'s str) -> Self {
        Self { source, byte: 0, offset: 0 }
    }

    pub(super) fn next(&mut self) -> Lexed<'s> {
        let rest = self.source.get(self.byte..).unwrap_or_default();
        let offset = self.offset;
        if rest.is_empty() {
            return Lexed::Token(Token { kind: TokenKind::Eof, offset, text: "", index: None });
        }
        let scan = scan(rest);
        if let Some((length, kind)) = scan.accepted {
            let text = self.advance(rest, length);
            return Lexed::Token(Token { kind, offset, text, index: None });
        }
        let failing = rest.get(scan.viable..).and_then(|rest| rest.chars().next());
        let length = scan.viable + failing.map_or(0, char::len_utf8);
        Lexed::Unrecognized { offset, text: self.advance(rest, length) }
    }

    fn advance(&mut self, rest: &'s str, length: usize) -> &'s str {
        let text = rest.get(..length).unwrap_or(rest);
        self.byte += text.len();
        self.offset += u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
        text
    }
}

impl Scan {
    fn accept(length: usize, kind: TokenKind) -> Self {
        Self { accepted: Some((length, kind)), viable: length }
    }
}

fn scan(text: &str) -> Scan {
    let bytes = text.as_bytes();
    let at = |i: usize| bytes.get(i).copied();
    let Some(first) = at(0) else { return Scan { accepted: None, viable: 0 } };
    match first {
        b'\t' | b' ' | b'\r' | b'\n' | 0x0c => Scan::accept(
            run(bytes, 0, |b| matches!(b, b'\t' | b' ' | b'\r' | b'\n' | 0x0c)),
            TokenKind::Hidden,
        ),
        b'/' if at(1) == Some(b'/') => {
            Scan::accept(run(bytes, 0, |b| b != b'\n'), TokenKind::Hidden)
        }
        b'0'..=b'9' => number(bytes),
        b'.' if at(1).is_some_and(|b| b.is_ascii_digit()) => {
            Scan::accept(exponent(bytes, digits(bytes, 1)), TokenKind::Float)
        }
        b'"' | b'\'' => quoted(text, 0, false, TokenKind::String),
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => word(text),
        b'`' => escaped_ident(bytes),
        _ => operator(first, at(1)),
    }
}

/// The end of the run of bytes at `from` for which `is` holds.
fn run(bytes: &[u8], from: usize, is: impl Fn(u8) -> bool) -> usize {
    from + bytes.iter().skip(from).take_while(|b| is(**b)).count()
}

fn digits(bytes: &[u8], from: usize) -> usize {
    run(bytes, from, |b| b.is_ascii_digit())
}

/// The end of an exponent at `from`; `from` if there is none.
fn exponent(bytes: &[u8], from: usize) -> usize {
    if !matches!(bytes.get(from), Some(b'e' | b'E')) {
        return from;
    }
    let start = from + 1 + usize::from(matches!(bytes.get(from + 1), Some(b'+' | b'-')));
    let end = digits(bytes, start);
    if end == start { from } else { end }
}

fn number(bytes: &[u8]) -> Scan {
    let unsigned = |end: usize| {
        if matches!(bytes.get(end), Some(b'u' | b'U')) {
            Scan::accept(end + 1, TokenKind::Uint)
        } else {
            Scan::accept(end, TokenKind::Int)
        }
    };
    if bytes.starts_with(b"0x") {
        let end = run(bytes, 2, |b| b.is_ascii_hexdigit());
        if end > 2 {
            return unsigned(end);
        }
    }
    let end = digits(bytes, 0);
    let fraction = if bytes.get(end) == Some(&b'.') { digits(bytes, end + 1) } else { end };
    let mantissa = if fraction > end + 1 { fraction } else { end };
    let float = exponent(bytes, mantissa);
    if float > end { Scan::accept(float, TokenKind::Float) } else { unsigned(end) }
}

fn word(text: &str) -> Scan {
    let bytes = text.as_bytes();
    let end = run(bytes, 0, |b| b.is_ascii_alphanumeric() || b == b'_');
    let kind = match text.get(..end) {
        Some("in") => TokenKind::In,
        Some("true") => TokenKind::True,
        Some("false") => TokenKind::False,
        Some("null") => TokenKind::Null,
        _ => TokenKind::Ident,
    };
    let (literal, raw) = match text.get(..end) {
        Some("r" | "R") => (TokenKind::String, true),
        Some("b" | "B") => (TokenKind::Bytes, false),
        Some("br" | "bR" | "Br" | "BR") => (TokenKind::Bytes, true),
        _ => return Scan::accept(end, kind),
    };
    if !matches!(bytes.get(end), Some(b'"' | b'\'')) {
        return Scan::accept(end, kind);
    }
    let scan = quoted(text, end, raw, literal);
    if scan.accepted.is_some() { scan } else { Scan::accept(end, kind) }
}

/// A string literal whose first quote is at `open`.
fn quoted(text: &str, open: usize, raw: bool, kind: TokenKind) -> Scan {
    let bytes = text.as_bytes();
    let quote = bytes.get(open).copied().unwrap_or(b'"');
    let triple = bytes.iter().skip(open).take(3).filter(|b| **b == quote).count() == 3;
    let start = open + if triple { 3 } else { 1 };
    let mut i = start;
    while let Some(&b) = bytes.get(i) {
        if b == quote {
            if !triple {
                return Scan::accept(i + 1, kind);
            }
            if bytes.get(i + 1) == Some(&quote) && bytes.get(i + 2) == Some(&quote) {
                return Scan::accept(i + 3, kind);
            }
        } else if !triple && matches!(b, b'\n' | b'\r') {
            break;
        }
        if b == b'\\' && !raw {
            match escape(bytes, i) {
                Ok(end) => i = end,
                Err(failing) => {
                    i = failing;
                    break;
                }
            }
        } else {
            i += 1;
        }
    }
    // The first two of three quotes are an empty literal of their own.
    let accepted = triple.then_some((open + 2, kind));
    Scan { accepted, viable: i.min(bytes.len()) }
}

/// The end of the escape at `from`; an error is the index of the first byte that cannot be part of
/// one.
fn escape(bytes: &[u8], from: usize) -> Result<usize, usize> {
    let class: (usize, fn(u8) -> bool) = match bytes.get(from + 1) {
        Some(
            b'a' | b'b' | b'f' | b'n' | b'r' | b't' | b'v' | b'"' | b'\'' | b'\\' | b'?' | b'`',
        ) => {
            return Ok(from + 2);
        }
        Some(b'x' | b'X') => (2, |b| b.is_ascii_hexdigit()),
        Some(b'u') => (4, |b| b.is_ascii_hexdigit()),
        Some(b'U') => (8, |b| b.is_ascii_hexdigit()),
        Some(b'0'..=b'3') => (2, |b| matches!(b, b'0'..=b'7')),
        _ => return Err(from + 1),
    };
    let (count, is) = class;
    let end = run(bytes, from + 2, is);
    if end >= from + 2 + count { Ok(from + 2 + count) } else { Err(end) }
}

fn escaped_ident(bytes: &[u8]) -> Scan {
    let end = run(bytes, 1, |b| {
        b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-' | b'/' | b' ')
    });
    if end > 1 && bytes.get(end) == Some(&b'`') {
        return Scan::accept(end + 1, TokenKind::EscapedIdent);
    }
    Scan { accepted: None, viable: end }
}

fn operator(first: u8, second: Option<u8>) -> Scan {
    let (length, kind) = match (first, second) {
        (b'=', Some(b'=')) => (2, TokenKind::Equals),
        (b'!', Some(b'=')) => (2, TokenKind::NotEquals),
        (b'<', Some(b'=')) => (2, TokenKind::LessEquals),
        (b'>', Some(b'=')) => (2, TokenKind::GreaterEquals),
        (b'&', Some(b'&')) => (2, TokenKind::And),
        (b'|', Some(b'|')) => (2, TokenKind::Or),
        (b'<', _) => (1, TokenKind::Less),
        (b'>', _) => (1, TokenKind::Greater),
        (b'!', _) => (1, TokenKind::Exclam),
        (b'[', _) => (1, TokenKind::LeftBracket),
        (b']', _) => (1, TokenKind::RightBracket),
        (b'{', _) => (1, TokenKind::LeftBrace),
        (b'}', _) => (1, TokenKind::RightBrace),
        (b'(', _) => (1, TokenKind::LeftParen),
        (b')', _) => (1, TokenKind::RightParen),
        (b'.', _) => (1, TokenKind::Dot),
        (b',', _) => (1, TokenKind::Comma),
        (b'-', _) => (1, TokenKind::Minus),
        (b'?', _) => (1, TokenKind::Question),
        (b':', _) => (1, TokenKind::Colon),
        (b'+', _) => (1, TokenKind::Plus),
        (b'*', _) => (1, TokenKind::Star),
        (b'/', _) => (1, TokenKind::Slash),
        (b'%', _) => (1, TokenKind::Percent),
        // The first character of a two-character operator.
        (b'=' | b'&' | b'|', _) => return Scan { accepted: None, viable: 1 },
        _ => return Scan { accepted: None, viable: 0 },
    };
    Scan::accept(length, kind)
}
