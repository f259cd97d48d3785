//! Directives, anchors, aliases and tags.

use super::{Error, Scanner, Text, Token, TokenKind};

/// The most digits of a number of `%YAML`.
const MAX_VERSION_DIGITS: usize = 2;

impl<'t> Scanner<'t> {
    pub(super) fn scan_directive(&mut self) -> Result<Token<'t>, Error> {
        let start = self.input.mark;
        self.input.skip();
        let name = self.scan_directive_name()?;
        let kind = match name.as_str() {
            "YAML" => {
                self.input.skip_blanks()?;
                let major = self.scan_version_number()?;
                if self.input.byte(0) != b'.' {
                    return self.fail("did not find expected digit or '.' character");
                }
                self.input.skip();
                TokenKind::VersionDirective { major, minor: self.scan_version_number()? }
            }
            "TAG" => self.scan_tag_directive()?,
            _ => return self.fail("found unknown directive name"),
        };
        let end = self.input.mark;
        self.input.skip_blanks()?;
        self.input.skip_comment()?;
        if !self.input.is_break_or_end(0) {
            return self.fail("did not find expected comment or line break");
        }
        if self.input.is_break(0) {
            self.input.need(2)?;
            self.input.skip_line();
        }
        Ok(Token { kind, start, end })
    }

    pub(super) fn fail<T>(&self, problem: &'static str) -> Result<T, Error> {
        Err(Error::scanning(self.input.mark, problem))
    }

    fn scan_word(&mut self) -> Result<Text<'t>, Error> {
        let mut word = Text::default();
        self.input.need(1)?;
        while self.input.is_word() {
            self.input.read(&mut word);
            self.input.need(1)?;
        }
        Ok(word)
    }

    fn scan_directive_name(&mut self) -> Result<String, Error> {
        let name = self.scan_word()?;
        if name.is_empty() {
            return self.fail("could not find expected directive name");
        }
        if !self.input.is_separated(0) {
            return self.fail("found unexpected non-alphabetical character");
        }
        Ok(name.into_text().into_owned())
    }

    fn scan_version_number(&mut self) -> Result<u8, Error> {
        self.input.need(1)?;
        let (mut value, mut length) = (0u8, 0);
        while self.input.byte(0).is_ascii_digit() {
            length += 1;
            if length > MAX_VERSION_DIGITS {
                return self.fail("found extremely long version number");
            }
            value = value * 10 + (self.input.byte(0) - b'0');
            self.input.skip();
            self.input.need(1)?;
        }
        if length == 0 {
            return self.fail("did not find expected version number");
        }
        Ok(value)
    }

    fn scan_tag_directive(&mut self) -> Result<TokenKind<'t>, Error> {
        self.input.skip_blanks()?;
        let handle = self.scan_tag_handle(true)?;
        self.input.need(1)?;
        if !self.input.is_blank(0) {
            return self.fail("did not find expected whitespace");
        }
        self.input.skip_blanks()?;
        let prefix = self.scan_tag_uri(&[])?;
        self.input.need(1)?;
        if !self.input.is_separated(0) {
            return self.fail("did not find expected whitespace or line break");
        }
        Ok(TokenKind::TagDirective { handle, prefix })
    }

    pub(super) fn scan_anchor(&mut self, is_alias: bool) -> Result<Token<'t>, Error> {
        let start = self.input.mark;
        self.input.skip();
        let name = self.scan_word()?;
        let end = self.input.mark;
        let follows = self.input.is_separated(0)
            || matches!(self.input.byte(0), b'?' | b':' | b',' | b']' | b'}' | b'%' | b'@' | b'`');
        if name.is_empty() || !follows {
            return self.fail("did not find expected alphabetic or numeric character");
        }
        let name = name.into_text();
        let kind = if is_alias { TokenKind::Alias(name) } else { TokenKind::Anchor(name) };
        Ok(Token { kind, start, end })
    }

    pub(super) fn scan_tag(&mut self) -> Result<Token<'t>, Error> {
        let start = self.input.mark;
        self.input.need(2)?;
        let (handle, suffix) = if self.input.byte(1) == b'<' {
            self.input.skip();
            self.input.skip();
            let suffix = self.scan_tag_uri(&[])?;
            if self.input.byte(0) != b'>' {
                return self.fail("did not find the expected '>'");
            }
            self.input.skip();
            (Vec::new(), suffix)
        } else {
            let handle = self.scan_tag_handle(false)?;
            if handle.len() > 1 && handle.ends_with(b"!") {
                let suffix = self.scan_tag_uri(&[])?;
                (handle, suffix)
            } else {
                let suffix = self.scan_tag_uri(&handle)?;
                if suffix.is_empty() { (suffix, b"!".to_vec()) } else { (b"!".to_vec(), suffix) }
            }
        };
        self.input.need(1)?;
        if !self.input.is_separated(0) {
            return self.fail("did not find expected whitespace or line break");
        }
        Ok(Token { kind: TokenKind::Tag { handle, suffix }, start, end: self.input.mark })
    }

    fn scan_tag_handle(&mut self, in_directive: bool) -> Result<Vec<u8>, Error> {
        self.input.need(1)?;
        if self.input.byte(0) != b'!' {
            return self.fail("did not find expected '!'");
        }
        let mut handle = Text::default();
        self.input.read(&mut handle);
        let mut word = self.scan_word()?;
        handle.append(&mut word);
        let mut handle = handle.into_text().into_owned().into_bytes();
        if self.input.byte(0) == b'!' {
            self.input.skip();
            handle.push(b'!');
        } else if in_directive && handle != b"!" {
            return self.fail("did not find expected '!'");
        }
        Ok(handle)
    }

    /// Scans the rest of a tag after a handle that turned out to be its beginning.
    fn scan_tag_uri(&mut self, head: &[u8]) -> Result<Vec<u8>, Error> {
        let mut uri = head.get(1..).unwrap_or_default().to_vec();
        let mut is_tag = !head.is_empty();
        self.input.need(1)?;
        loop {
            match self.input.byte(0) {
                b'%' => self.scan_escaped(&mut uri)?,
                byte if self.input.is_word() || b";/?:@&=+$,.!~*'()[]".contains(&byte) => {
                    uri.push(byte);
                    self.input.skip();
                }
                _ => break,
            }
            self.input.need(1)?;
            is_tag = true;
        }
        if !is_tag {
            return self.fail("did not find expected tag URI");
        }
        Ok(uri)
    }

    /// Scans a character that is written as `%` and two digits for each of its bytes.
    fn scan_escaped(&mut self, into: &mut Vec<u8>) -> Result<(), Error> {
        let mut left: Option<usize> = None;
        loop {
            self.input.need(3)?;
            let digit = |offset| char::from(self.input.byte(offset)).to_digit(16);
            let (b'%', Some(high), Some(low)) = (self.input.byte(0), digit(1), digit(2)) else {
                return self.fail("did not find URI escaped octet");
            };
            let byte = u8::try_from(high * 16 + low).unwrap_or_default();
            let rest = match (left, byte) {
                (None, 0..=0x7f) => 0,
                (None, 0xc0..=0xdf) => 1,
                (None, 0xe0..=0xef) => 2,
                (None, 0xf0..=0xf7) => 3,
                (None, _) => return self.fail("found an incorrect leading UTF-8 octet"),
                (Some(left), 0x80..=0xbf) => left.saturating_sub(1),
                (Some(_), _) => return self.fail("found an incorrect trailing UTF-8 octet"),
            };
            into.push(byte);
            for _ in 0..3 {
                self.input.skip();
            }
            if rest == 0 {
                return Ok(());
            }
            left = Some(rest);
        }
    }
}
