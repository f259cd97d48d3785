//! The characters that the scanner reads.
//!
//! Source: go.yaml.in/yaml v2.4.4 `readerc.go`. It reads blocks of 512 bytes, and an error in a block comes before the
//! errors of the grammar in it.

use super::super::Error;
use super::{Mark, Text};

/// The number of bytes that are read at once.
const BLOCK: usize = 512;

/// The byte order mark as a character.
const BOM: &str = "\u{feff}";

/// The first place of a text that cannot be read.
#[derive(Debug, Clone)]
struct Fault {
    at: usize,
    /// The number of bytes that a character would have there, by its first byte.
    length: usize,
    message: &'static str,
    /// Whether a character is cut off by the end of the text.
    is_incomplete: bool,
}

/// A text, and the position in it.
pub(super) struct Input<'t> {
    /// The text up to its first fault.
    text: &'t str,
    fault: Option<Fault>,
    position: usize,
    pub(super) mark: Mark,
    /// Where the next block begins.
    block: usize,
    /// The end of what has been read.
    loaded: usize,
    /// The position at which the last block was read.
    buffered_from: usize,
    /// How often the end of the text has been read.
    ends: usize,
}

impl<'t> Input<'t> {
    pub(super) fn new(bytes: &'t [u8]) -> Self {
        let (text, fault) = readable(bytes);
        let position = if text.starts_with(BOM) { BOM.len() } else { 0 };
        Self {
            text,
            fault,
            position,
            mark: Mark::default(),
            block: 0,
            loaded: position,
            buffered_from: position,
            ends: 0,
        }
    }

    /// Makes sure that this many characters have been read.
    ///
    /// # Errors
    /// If a block has bytes that are not text.
    pub(super) fn need(&mut self, characters: usize) -> Result<(), Error> {
        if self.position + 4 * characters <= self.loaded {
            return Ok(());
        }
        self.load(characters)
    }

    fn load(&mut self, characters: usize) -> Result<(), Error> {
        let read = self.text.get(self.position..self.loaded).unwrap_or_default();
        let mut unread = read.chars().take(characters).count() + self.ends;
        if unread >= characters {
            return Ok(());
        }
        self.buffered_from = self.position;
        while unread < characters {
            let mut end = (self.block + BLOCK).min(self.text.len());
            while !self.text.is_char_boundary(end) {
                end -= 1;
            }
            // A character that a block cuts off is read with the next one.
            let is_reached = |fault: &Fault| {
                if fault.is_incomplete {
                    end <= self.loaded
                } else {
                    self.block + BLOCK >= fault.at + fault.length
                }
            };
            if let Some(fault) = self.fault.as_ref().filter(|fault| is_reached(fault)) {
                return Err(Error::reading(self.position_of(fault.at), fault.message));
            }
            if end <= self.loaded {
                self.ends += 1;
                return Ok(());
            }
            unread += self.text.get(self.loaded..end).unwrap_or_default().chars().count();
            self.loaded = end;
            self.block = end;
        }
        Ok(())
    }

    /// Returns the place of a byte after the current position.
    fn position_of(&self, at: usize) -> Mark {
        let mut mark = self.mark;
        for c in self.text.get(self.position..at).unwrap_or_default().chars() {
            mark.index += 1;
            mark.column += 1;
            if c == '\n' {
                mark.line += 1;
                mark.column = 0;
            }
        }
        mark
    }

    /// Returns the byte at an offset from the position, or 0 after the end.
    pub(super) fn byte(&self, offset: usize) -> u8 {
        self.text.as_bytes().get(self.position + offset).copied().unwrap_or_default()
    }

    pub(super) fn is_end(&self) -> bool {
        self.position >= self.text.len()
    }

    pub(super) fn is_break(&self, offset: usize) -> bool {
        self.break_length(offset) > 0
    }

    pub(super) fn is_blank(&self, offset: usize) -> bool {
        matches!(self.byte(offset), b' ' | b'\t')
    }

    /// Returns whether a line ends here, or the text.
    pub(super) fn is_break_or_end(&self, offset: usize) -> bool {
        self.byte(offset) == 0 || self.is_break(offset)
    }

    /// Returns whether a word ends here.
    pub(super) fn is_separated(&self, offset: usize) -> bool {
        self.is_blank(offset) || self.is_break_or_end(offset)
    }

    pub(super) fn is_word(&self) -> bool {
        matches!(self.byte(0), b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'-')
    }

    /// Returns whether the line begins with `---` or `...`.
    pub(super) fn is_document_indicator(&self, dots: u8) -> bool {
        self.mark.column == 0
            && (0..3).all(|offset| self.byte(offset) == dots)
            && self.is_separated(3)
    }

    /// Returns whether upstream takes the next character for a byte order mark: it looks at the first character of its
    /// buffer, which is another one unless a block has just been read.
    pub(super) fn is_byte_order_mark(&self) -> bool {
        self.text.get(self.buffered_from..).is_some_and(|rest| rest.starts_with(BOM))
    }

    /// Returns the length in bytes of the line break at an offset. `\r\n` are two.
    fn break_length(&self, offset: usize) -> usize {
        match self.byte(offset) {
            b'\r' | b'\n' => 1,
            0xc2 if self.byte(offset + 1) == 0x85 => 2,
            0xe2 if self.byte(offset + 1) == 0x80
                && matches!(self.byte(offset + 2), 0xa8 | 0xa9) =>
            {
                3
            }
            _ => 0,
        }
    }

    /// Skips a character.
    pub(super) fn skip(&mut self) {
        let length = match self.byte(0) {
            0..=0x7f => 1,
            0x80..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0.. => 4,
        };
        self.position = (self.position + length).min(self.text.len());
        self.mark.index += 1;
        self.mark.column += 1;
    }

    /// Skips a character into a text.
    pub(super) fn read(&mut self, into: &mut Text<'t>) {
        let start = self.position;
        self.skip();
        into.push_source(self.text, start, self.position);
    }

    /// Skips a line break.
    pub(super) fn skip_line(&mut self) {
        self.read_line(&mut String::new());
    }

    /// Skips a line break into a text: the separators of Unicode as they are, all others as `\n`.
    pub(super) fn read_line(&mut self, into: &mut String) {
        let length = match self.break_length(0) {
            0 => return,
            1 if self.byte(0) == b'\r' && self.byte(1) == b'\n' => {
                self.mark.index += 1;
                2
            }
            length => length,
        };
        match length {
            3 => into.push(if self.byte(2) == 0xa8 { '\u{2028}' } else { '\u{2029}' }),
            _ => into.push('\n'),
        }
        self.position += length;
        self.mark.index += 1;
        self.mark.line += 1;
        self.mark.column = 0;
    }

    /// Skips blanks.
    pub(super) fn skip_blanks(&mut self) -> Result<(), Error> {
        self.need(1)?;
        while self.is_blank(0) {
            self.skip();
            self.need(1)?;
        }
        Ok(())
    }

    /// Skips a comment up to the end of its line.
    pub(super) fn skip_comment(&mut self) -> Result<(), Error> {
        if self.byte(0) == b'#' {
            while !self.is_break_or_end(0) {
                self.skip();
                self.need(1)?;
            }
        }
        Ok(())
    }
}

/// Returns the text up to the first byte that cannot be read, and what is wrong there.
fn readable(bytes: &[u8]) -> (&str, Option<Fault>) {
    let mut fault = None;
    let text = match str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let at = error.valid_up_to();
            fault = Some(fault_of(at, bytes.get(at..).unwrap_or_default()));
            bytes.get(..at).and_then(|valid| str::from_utf8(valid).ok()).unwrap_or_default()
        }
    };
    let Some(at) = control_character(text) else { return (text, fault) };
    let message = "control characters are not allowed";
    let (text, rest) = text.split_at_checked(at).unwrap_or_default();
    let length = rest.chars().next().map_or(1, char::len_utf8);
    (text, Some(Fault { at, length, message, is_incomplete: false }))
}

/// Finds the first character that is allowed nowhere, not even in quotes.
fn control_character(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let next = |at: usize| bytes.get(at).copied().unwrap_or_default();
    bytes.iter().enumerate().position(|(at, byte)| match byte {
        b'\t' | b'\n' | b'\r' | 0x20..=0x7e => false,
        0..0x20 | 0x7f => true,
        0xc2 => next(at + 1) < 0xa0 && next(at + 1) != 0x85,
        0xef => next(at + 1) == 0xbf && next(at + 2) >= 0xbe,
        _ => false,
    })
}

fn fault_of(at: usize, rest: &[u8]) -> Fault {
    let invalid = "invalid leading UTF-8 octet";
    let length = match rest.first() {
        Some(0xc0..=0xdf) => 2,
        Some(0xe0..=0xef) => 3,
        Some(0xf0..=0xf7) => 4,
        _ => return Fault { at, length: 1, message: invalid, is_incomplete: false },
    };
    let fault = |message| Fault { at, length, message, is_incomplete: false };
    let Some(character) = rest.get(..length) else {
        return Fault { is_incomplete: true, ..fault("incomplete UTF-8 octet sequence") };
    };
    if character.iter().skip(1).any(|byte| byte & 0xc0 != 0x80) {
        return fault("invalid trailing UTF-8 octet");
    }
    match character {
        [0xc0 | 0xc1, ..] | [0xe0, ..=0x9f, ..] | [0xf0, ..=0x8f, ..] => {
            fault("invalid length of a UTF-8 sequence")
        }
        _ => fault("invalid Unicode character"),
    }
}
