//! Scalars: plain, in quotes, and in blocks.

use super::{Error, Mark, Scanner, Text, Token, TokenKind, column};

/// The blanks and line breaks between two words of a scalar.
#[derive(Default)]
struct Space<'t> {
    blanks: Text<'t>,
    first_break: String,
    more_breaks: String,
    /// Whether there was a line break.
    is_broken: bool,
}

impl<'t> Space<'t> {
    /// Reads blanks and breaks. A tab in the indentation of a plain scalar is an error.
    fn read(&mut self, scanner: &mut Scanner<'t>, indent: Option<isize>) -> Result<(), Error> {
        let input = &mut scanner.input;
        while input.is_blank(0) || input.is_break(0) {
            if input.is_break(0) {
                input.need(2)?;
                if self.is_broken {
                    input.read_line(&mut self.more_breaks);
                } else {
                    self.blanks.clear();
                    input.read_line(&mut self.first_break);
                    self.is_broken = true;
                }
            } else if !self.is_broken {
                input.read(&mut self.blanks);
            } else {
                if input.byte(0) == b'\t'
                    && indent.is_some_and(|indent| column(input.mark) < indent)
                {
                    let problem = "found a tab character that violates indentation";
                    return Err(Error::scanning(input.mark, problem));
                }
                input.skip();
            }
            input.need(1)?;
        }
        Ok(())
    }

    /// Writes what the space stands for: one break is a blank, more of them are all but the first.
    fn fold_into(&mut self, text: &mut Text<'t>) {
        if !self.is_broken {
            text.append(&mut self.blanks);
            return;
        }
        if !self.first_break.starts_with('\n') {
            text.push(&self.first_break);
            text.push(&self.more_breaks);
        } else if self.more_breaks.is_empty() {
            text.push(" ");
        } else {
            text.push(&self.more_breaks);
        }
        self.first_break.clear();
        self.more_breaks.clear();
        self.is_broken = false;
    }
}

impl<'t> Scanner<'t> {
    pub(super) fn scan_plain(&mut self) -> Result<Token<'t>, Error> {
        let start = self.input.mark;
        let mut end = start;
        let mut text = Text::default();
        let mut space = Space::default();
        let indent = self.indent + 1;
        loop {
            self.input.need(4)?;
            if self.is_document_end() || self.input.byte(0) == b'#' {
                break;
            }
            while !self.input.is_separated(0) && !self.is_plain_end() {
                if space.is_broken || !space.blanks.is_empty() {
                    space.fold_into(&mut text);
                }
                self.input.read(&mut text);
                end = self.input.mark;
                self.input.need(2)?;
            }
            if !(self.input.is_blank(0) || self.input.is_break(0)) {
                break;
            }
            self.input.need(1)?;
            space.read(self, Some(indent))?;
            if self.flow_level == 0 && column(self.input.mark) < indent {
                break;
            }
        }
        if space.is_broken {
            self.is_simple_key_allowed = true;
        }
        let kind = TokenKind::Scalar { text: text.into_text(), is_plain: true };
        Ok(Token { kind, start, end })
    }

    fn is_document_end(&self) -> bool {
        self.input.is_document_indicator(b'-') || self.input.is_document_indicator(b'.')
    }

    /// Returns whether a plain scalar ends at a character that is not a blank.
    fn is_plain_end(&self) -> bool {
        match self.input.byte(0) {
            b':' => self.input.is_separated(1),
            b',' | b'?' | b'[' | b']' | b'{' | b'}' => self.flow_level > 0,
            _ => false,
        }
    }

    pub(super) fn scan_quoted(&mut self, quote: u8) -> Result<Token<'t>, Error> {
        let start = self.input.mark;
        self.input.skip();
        let mut text = Text::default();
        let mut space = Space::default();
        loop {
            self.input.need(4)?;
            if self.is_document_end() {
                return self.fail("found unexpected document indicator");
            }
            if self.input.is_end() {
                return self.fail("found unexpected end of stream");
            }
            while !self.input.is_separated(0) && self.input.byte(0) != quote
                || self.is_doubled_quote(quote)
            {
                if quote == b'"' && self.input.byte(0) == b'\\' {
                    if self.input.is_break(1) {
                        // The break and the blanks after it are nothing.
                        self.input.need(3)?;
                        self.input.skip();
                        self.input.skip_line();
                        space.is_broken = true;
                        break;
                    }
                    self.scan_escape(&mut text)?;
                } else if self.input.byte(0) == quote {
                    self.input.skip();
                    text.push("'");
                    self.input.skip();
                } else {
                    self.input.read(&mut text);
                }
                self.input.need(2)?;
            }
            self.input.need(1)?;
            if self.input.byte(0) == quote {
                break;
            }
            space.read(self, None)?;
            space.fold_into(&mut text);
        }
        self.input.skip();
        let kind = TokenKind::Scalar { text: text.into_text(), is_plain: false };
        Ok(Token { kind, start, end: self.input.mark })
    }

    fn is_doubled_quote(&self, quote: u8) -> bool {
        quote == b'\'' && self.input.byte(0) == quote && self.input.byte(1) == quote
    }

    /// Scans an escape: a backslash and a character, or digits.
    fn scan_escape(&mut self, text: &mut Text<'t>) -> Result<(), Error> {
        let digits = match self.input.byte(1) {
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            _ => 0,
        };
        let meant = match self.input.byte(1) {
            b'0' => "\0",
            b'a' => "\x07",
            b'b' => "\x08",
            b't' | b'\t' => "\t",
            b'n' => "\n",
            b'v' => "\x0b",
            b'f' => "\x0c",
            b'r' => "\r",
            b'e' => "\x1b",
            b' ' => " ",
            b'"' => "\"",
            b'\'' => "'",
            b'\\' => "\\",
            b'N' => "\u{85}",
            b'_' => "\u{a0}",
            b'L' => "\u{2028}",
            b'P' => "\u{2029}",
            _ if digits > 0 => "",
            _ => return self.fail("found unknown escape character"),
        };
        text.push(meant);
        self.input.skip();
        self.input.skip();
        if digits == 0 {
            return Ok(());
        }
        self.input.need(digits)?;
        let mut value = 0u32;
        for offset in 0..digits {
            let Some(digit) = char::from(self.input.byte(offset)).to_digit(16) else {
                return self.fail("did not find expected hexdecimal number");
            };
            value = value << 4 | digit;
        }
        let Some(meant) = char::from_u32(value) else {
            return self.fail("found invalid Unicode character escape code");
        };
        text.push(meant.encode_utf8(&mut [0; 4]));
        for _ in 0..digits {
            self.input.skip();
        }
        Ok(())
    }

    pub(super) fn scan_block_scalar(&mut self, is_literal: bool) -> Result<Token<'t>, Error> {
        let start = self.input.mark;
        let (chomping, increment) = self.scan_block_header()?;
        let mut end = self.input.mark;
        let mut indent = match increment {
            0 => 0,
            increment => self.indent.max(0) + increment,
        };
        let mut text = Text::default();
        let (mut first_break, mut more_breaks) = (String::new(), String::new());
        self.scan_block_breaks(&mut indent, &mut more_breaks, &mut end)?;
        self.input.need(1)?;
        let mut was_blank = false;
        while column(self.input.mark) == indent && !self.input.is_end() {
            let is_blank = self.input.is_blank(0);
            let folds = !is_literal && !was_blank && !is_blank && first_break.starts_with('\n');
            if !folds {
                text.push(&first_break);
            } else if more_breaks.is_empty() {
                text.push(" ");
            }
            first_break.clear();
            text.push(&more_breaks);
            more_breaks.clear();
            was_blank = is_blank;
            while !self.input.is_break_or_end(0) {
                self.input.read(&mut text);
                self.input.need(1)?;
            }
            self.input.need(2)?;
            self.input.read_line(&mut first_break);
            self.scan_block_breaks(&mut indent, &mut more_breaks, &mut end)?;
        }
        if chomping != Chomping::Strip {
            text.push(&first_break);
        }
        if chomping == Chomping::Keep {
            text.push(&more_breaks);
        }
        let kind = TokenKind::Scalar { text: text.into_text(), is_plain: false };
        Ok(Token { kind, start, end })
    }

    /// Scans the line of `|` or `>`: what to do with the last line breaks, and the indentation if it is given.
    fn scan_block_header(&mut self) -> Result<(Chomping, isize), Error> {
        self.input.skip();
        self.input.need(1)?;
        let mut chomping = self.scan_chomping()?;
        let increment = match self.input.byte(0) {
            b'0' => return self.fail("found an indentation indicator equal to 0"),
            digit @ b'1'..=b'9' => {
                self.input.skip();
                isize::from(digit - b'0')
            }
            _ => 0,
        };
        if increment > 0 && chomping.is_none() {
            self.input.need(1)?;
            chomping = self.scan_chomping()?;
        }
        self.input.skip_blanks()?;
        self.input.skip_comment()?;
        if !self.input.is_break_or_end(0) {
            return self.fail("did not find expected comment or line break");
        }
        if self.input.is_break(0) {
            self.input.need(2)?;
            self.input.skip_line();
        }
        Ok((chomping.unwrap_or(Chomping::Clip), increment))
    }

    fn scan_chomping(&mut self) -> Result<Option<Chomping>, Error> {
        let chomping = match self.input.byte(0) {
            b'+' => Chomping::Keep,
            b'-' => Chomping::Strip,
            _ => return Ok(None),
        };
        self.input.skip();
        self.input.need(1)?;
        Ok(Some(chomping))
    }

    /// Scans empty lines and the indentation of the next line. The first line decides it unless it is given.
    fn scan_block_breaks(
        &mut self,
        indent: &mut isize,
        breaks: &mut String,
        end: &mut Mark,
    ) -> Result<(), Error> {
        *end = self.input.mark;
        let mut deepest = 0;
        loop {
            self.input.need(1)?;
            let is_before = |mark| *indent == 0 || column(mark) < *indent;
            while is_before(self.input.mark) && self.input.byte(0) == b' ' {
                self.input.skip();
                self.input.need(1)?;
            }
            deepest = deepest.max(column(self.input.mark));
            if is_before(self.input.mark) && self.input.byte(0) == b'\t' {
                return self.fail("found a tab character where an indentation space is expected");
            }
            if !self.input.is_break(0) {
                break;
            }
            self.input.need(2)?;
            self.input.read_line(breaks);
            *end = self.input.mark;
        }
        if *indent == 0 {
            *indent = deepest.max(self.indent + 1).max(1);
        }
        Ok(())
    }
}

/// What becomes of the line breaks at the end of a block scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Chomping {
    Clip,
    Strip,
    Keep,
}
