//! Mail addresses as Go's `net/mail.ParseAddress` accepts them.
//!
//! Source: Go 1.26 `net/mail/message.go`, `mime/encodedword.go`.

use crate::base64;
use crate::domain::netip::Addr;

/// Whether a text is exactly one address: `a@b`, `Foo <a@b>`, or a group of one.
pub(super) fn is_address(text: &str) -> bool {
    let mut parser = Parser { rest: text.as_bytes() };
    let count = parser.address(true);
    matches!(count, Some(1)) && parser.skip_comments().is_some() && parser.rest.is_empty()
}

/// Reads from the front of a text. All characters with a meaning are ASCII, so it reads bytes.
#[derive(Clone, Copy)]
struct Parser<'t> {
    rest: &'t [u8],
}

impl<'t> Parser<'t> {
    /// Reads an address, or a group of them if `group` is set, and returns their count.
    fn address(&mut self, group: bool) -> Option<usize> {
        self.skip_space();
        if self.rest.is_empty() {
            return None;
        }
        let start = *self;
        if self.spec().is_some() {
            self.skip_space();
            if self.consume(b'(') {
                let comment = self.comment()?;
                let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
                comment.split(blank).try_for_each(|word| decode_word(word).map(drop))?;
            }
            return Some(1);
        }
        *self = start;
        if !self.rest.starts_with(b"<") {
            self.phrase()?;
        }
        self.skip_space();
        if group && self.consume(b':') {
            return self.group();
        }
        if !self.consume(b'<') {
            return None;
        }
        self.spec()?;
        self.consume(b'>').then_some(1)
    }

    /// Reads the addresses of a group, up to its `;`.
    fn group(&mut self) -> Option<usize> {
        let mut count = 0;
        self.skip_space();
        if self.consume(b';') {
            self.skip_comments()?;
            return Some(count);
        }
        loop {
            self.skip_space();
            count += self.address(false)?;
            self.skip_comments()?;
            if self.consume(b';') {
                self.skip_comments()?;
                return Some(count);
            }
            if !self.consume(b',') {
                return None;
            }
        }
    }

    /// Reads `local@domain`.
    fn spec(&mut self) -> Option<()> {
        self.skip_space();
        if self.rest.starts_with(b"\"") {
            if self.quoted()? == 0 {
                return None;
            }
        } else {
            self.dot_atom()?;
        }
        if !self.consume(b'@') {
            return None;
        }
        self.skip_space();
        if self.consume(b'[') {
            let end = self.rest.iter().position(|byte| *byte == b']')?;
            let (literal, rest) = self.rest.split_at(end);
            let literal = std::str::from_utf8(literal).ok()?;
            self.rest = rest.strip_prefix(b"]")?;
            let (_, zone) = Addr::parse(literal).ok()?;
            return zone.is_empty().then_some(());
        }
        self.dot_atom()
    }

    /// Reads words, at least one; stops before anything else.
    fn phrase(&mut self) -> Option<()> {
        let mut words = 0;
        // Encoded words that stand next to each other make one word, once they have any content.
        let mut encoded = false;
        loop {
            if words > 0 {
                self.skip_comments()?;
            }
            self.skip_space();
            if self.rest.is_empty() {
                break;
            }
            let word = if self.rest.starts_with(b"\"") {
                self.quoted().map(|_| Word::Ordinary)
            } else {
                self.atom().and_then(decode_word)
            };
            match word {
                None => {
                    return (words > 0 || encoded).then_some(());
                }
                Some(Word::Encoded(content)) => encoded |= content > 0,
                Some(Word::Ordinary) => {
                    words += 1 + usize::from(encoded);
                    encoded = false;
                }
            }
        }
        Some(())
    }

    /// Reads a quoted string, and returns the count of bytes in it.
    fn quoted(&mut self) -> Option<usize> {
        let mut length = 0;
        let mut escaped = false;
        let mut rest = self.rest.get(1..)?;
        loop {
            let (byte, after) = rest.split_first()?;
            rest = after;
            match byte {
                b'"' if !escaped => break,
                b'\\' if !escaped => {
                    escaped = true;
                    continue;
                }
                b' ' | b'\t' => {}
                byte if is_visible(*byte) => {}
                _ => return None,
            }
            escaped = false;
            length += 1;
        }
        self.rest = rest;
        Some(length)
    }

    /// Reads the longest run of the characters of an atom, with dots.
    fn atom(&mut self) -> Option<&'t [u8]> {
        let ends = |byte: &u8| !is_visible(*byte) || b"()<>[]:;@\\,\"".contains(byte);
        let end = self.rest.iter().position(ends).unwrap_or(self.rest.len());
        let (atom, rest) = self.rest.split_at(end);
        if atom.is_empty() {
            return None;
        }
        self.rest = rest;
        Some(atom)
    }

    /// Reads an atom whose dots each stand between two other characters.
    fn dot_atom(&mut self) -> Option<()> {
        let atom = self.atom()?;
        atom.split(|byte| *byte == b'.').all(|part| !part.is_empty()).then_some(())
    }

    fn skip_space(&mut self) {
        while let [b' ' | b'\t', rest @ ..] = self.rest {
            self.rest = rest;
        }
    }

    /// Skips white space and comments; `None` if a comment does not end.
    fn skip_comments(&mut self) -> Option<()> {
        self.skip_space();
        while self.consume(b'(') {
            self.comment()?;
            self.skip_space();
        }
        Some(())
    }

    /// Reads a comment, whose `(` is read already, up to the `)` that ends it.
    fn comment(&mut self) -> Option<Vec<u8>> {
        let mut comment = Vec::new();
        let mut depth = 1;
        loop {
            match self.rest {
                [] => return None,
                [b'\\', escaped, rest @ ..] => {
                    comment.push(*escaped);
                    self.rest = rest;
                }
                [byte, rest @ ..] => {
                    self.rest = rest;
                    match byte {
                        b'(' => depth += 1,
                        b')' => depth -= 1,
                        _ => {}
                    }
                    if depth == 0 {
                        return Some(comment);
                    }
                    comment.push(*byte);
                }
            }
        }
    }

    fn consume(&mut self, byte: u8) -> bool {
        match self.rest.split_first() {
            Some((first, rest)) if *first == byte => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }
}

fn is_visible(byte: u8) -> bool {
    byte > b' ' && byte != 0x7f
}

/// A word of a phrase.
enum Word {
    Ordinary,
    /// An encoded word (RFC 2047) and the count of bytes it holds.
    Encoded(usize),
}

/// Distinguishes an encoded word from an ordinary one; `None` if it is encoded in a character set
/// that Go does not know.
fn decode_word(word: &[u8]) -> Option<Word> {
    let inner = word.strip_prefix(b"=?").and_then(|word| word.strip_suffix(b"?="));
    let Some(inner) = inner.filter(|_| word.len() >= 8 && word.split(|b| *b == b'?').count() == 5)
    else {
        return Some(Word::Ordinary);
    };
    let mut parts = inner.splitn(3, |byte| *byte == b'?');
    let (Some(charset), Some(encoding), Some(text)) = (parts.next(), parts.next(), parts.next())
    else {
        return Some(Word::Ordinary);
    };
    let content = match encoding {
        b"q" | b"Q" => quoted_printable(text),
        b"b" | b"B" => base64::STANDARD.decode(text).ok().map(|bytes| bytes.len()),
        _ => None,
    };
    let Some(content) = content.filter(|_| !charset.is_empty()) else {
        return Some(Word::Ordinary);
    };
    let known: [&[u8]; 3] = [b"utf-8", b"iso-8859-1", b"us-ascii"];
    known.iter().any(|name| charset.eq_ignore_ascii_case(name)).then_some(Word::Encoded(content))
}

/// The count of bytes that a text in the `Q` encoding stands for; `None` if it is not in this encoding.
fn quoted_printable(text: &[u8]) -> Option<usize> {
    let mut count = 0;
    let mut rest = text;
    loop {
        rest = match rest {
            [] => return Some(count),
            [b'=', high, low, rest @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                rest
            }
            [b'=', ..] => return None,
            [b' '..=b'~' | b'\n' | b'\r' | b'\t', rest @ ..] => rest,
            _ => return None,
        };
        count += 1;
    }
}
