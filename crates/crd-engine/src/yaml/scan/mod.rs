//! Splits YAML 1.1 into tokens exactly as go-yaml does.
//!
//! Source: go.yaml.in/yaml v2.4.4 `scannerc.go`, which is libyaml's scanner. Unlike YAML 1.2, it does not look at the
//! indentation inside of brackets, braces and quotes.

mod input;
mod properties;
mod scalar;
mod text;

use std::borrow::Cow;
use std::collections::VecDeque;

use super::Error;
use input::Input;
use text::Text;

/// The number of characters within which the `:` of a key without `?` has to be.
const MAX_SIMPLE_KEY: usize = 1024;

/// A place in a text, counted from 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Mark {
    /// In characters from the beginning.
    pub(super) index: usize,
    pub(super) line: usize,
    /// In characters.
    pub(super) column: usize,
}

/// A token with its place.
#[derive(Debug, Clone)]
pub(super) struct Token<'t> {
    pub(super) kind: TokenKind<'t>,
    pub(super) start: Mark,
    pub(super) end: Mark,
}

/// What a token is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum TokenKind<'t> {
    StreamEnd,
    VersionDirective { major: u8, minor: u8 },
    TagDirective { handle: Vec<u8>, prefix: Vec<u8> },
    DocumentStart,
    DocumentEnd,
    BlockSequenceStart,
    BlockMappingStart,
    BlockEnd,
    FlowSequenceStart,
    FlowSequenceEnd,
    FlowMappingStart,
    FlowMappingEnd,
    BlockEntry,
    FlowEntry,
    Key,
    Value,
    Alias(Cow<'t, str>),
    Anchor(Cow<'t, str>),
    Tag { handle: Vec<u8>, suffix: Vec<u8> },
    Scalar { text: Cow<'t, str>, is_plain: bool },
}

/// A place where a key may begin that has no `?` before it.
#[derive(Debug, Clone, Copy, Default)]
struct SimpleKey {
    is_possible: bool,
    /// Whether nothing else than a key may be there.
    is_required: bool,
    /// Whether tokens are held back until it is known whether a key begins here. Upstream forgets to when brackets
    /// close that have nothing in them: `[]: a` is not a mapping.
    is_awaited: bool,
    /// The number of the token with which it begins.
    token: usize,
    mark: Mark,
}

/// Produces the tokens of a text.
pub(super) struct Scanner<'t> {
    input: Input<'t>,
    queue: VecDeque<Token<'t>>,
    /// The number of tokens that have been taken from the queue.
    taken: usize,
    /// The column of the innermost block collection, or -1.
    indent: isize,
    outer_indents: Vec<isize>,
    /// The number of open brackets and braces.
    flow_level: usize,
    is_simple_key_allowed: bool,
    /// One for the block context, and one for each open bracket or brace. Their tokens ascend.
    simple_keys: Vec<SimpleKey>,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(bytes: &'t [u8]) -> Self {
        Self {
            input: Input::new(bytes),
            queue: VecDeque::new(),
            taken: 0,
            indent: -1,
            outer_indents: Vec::new(),
            flow_level: 0,
            is_simple_key_allowed: true,
            simple_keys: vec![SimpleKey::default()],
        }
    }

    /// Returns the next token without taking it.
    pub(super) fn peek(&mut self) -> Result<&Token<'t>, Error> {
        while self.queue.is_empty() || self.may_begin_key()? {
            self.fetch()?;
        }
        self.queue
            .front()
            .ok_or_else(|| Error::scanning(self.input.mark, "did not find expected <stream-end>"))
    }

    /// Takes the token that `peek` has returned.
    pub(super) fn skip(&mut self) -> Option<Token<'t>> {
        self.taken += 1;
        self.queue.pop_front()
    }

    /// Returns whether the next token may turn out to be the beginning of a key, when a `:` comes.
    fn may_begin_key(&mut self) -> Result<bool, Error> {
        match self.awaited_key(self.taken) {
            Some(at) => self.is_key_possible(at),
            None => Ok(false),
        }
    }

    /// Returns the index of the key that is awaited and begins with a token.
    fn awaited_key(&self, token: usize) -> Option<usize> {
        let first = self.simple_keys.partition_point(|key| key.token < token);
        let keys = self.simple_keys.get(first..).unwrap_or_default();
        let at = keys.iter().take_while(|key| key.token == token).position(|key| key.is_awaited)?;
        Some(first + at)
    }

    /// Returns whether a key can still begin at a place: its `:` has to be near, and on the same line.
    fn is_key_possible(&mut self, at: usize) -> Result<bool, Error> {
        let here = self.input.mark;
        let Some(key) = self.simple_keys.get_mut(at).filter(|key| key.is_possible) else {
            return Ok(false);
        };
        if key.mark.line < here.line || key.mark.index + MAX_SIMPLE_KEY < here.index {
            if key.is_required {
                return Err(Error::scanning(here, "could not find expected ':'"));
            }
            key.is_possible = false;
        }
        Ok(key.is_possible)
    }

    /// Remembers that a key may begin here.
    fn save_simple_key(&mut self) -> Result<(), Error> {
        if self.is_simple_key_allowed {
            let mark = self.input.mark;
            let is_required = self.flow_level == 0 && self.indent == column(mark);
            self.remove_simple_key()?;
            let token = self.taken + self.queue.len();
            if let Some(key) = self.simple_keys.last_mut() {
                *key = SimpleKey { is_possible: true, is_required, is_awaited: true, token, mark };
            }
        }
        Ok(())
    }

    fn remove_simple_key(&mut self) -> Result<(), Error> {
        let here = self.input.mark;
        if let Some(key) = self.simple_keys.last_mut().filter(|key| key.is_possible) {
            if key.is_required {
                return Err(Error::scanning(here, "could not find expected ':'"));
            }
            key.is_possible = false;
        }
        Ok(())
    }

    /// Opens a block collection if the column is deeper than the current one. `at` is the number of the token before
    /// which it begins, if not at the end.
    fn roll_indent(&mut self, mark: Mark, at: Option<usize>, kind: TokenKind<'t>) {
        if self.flow_level > 0 || self.indent >= column(mark) {
            return;
        }
        self.outer_indents.push(self.indent);
        self.indent = column(mark);
        self.insert(at, Token { kind, start: mark, end: mark });
    }

    fn insert(&mut self, at: Option<usize>, token: Token<'t>) {
        let index = at.map_or(self.queue.len(), |at| at.saturating_sub(self.taken));
        self.queue.insert(index.min(self.queue.len()), token);
    }

    /// Closes the block collections that are deeper than a column.
    fn unroll_indent(&mut self, to: isize) {
        if self.flow_level > 0 {
            return;
        }
        while self.indent > to {
            let mark = self.input.mark;
            self.insert(None, Token { kind: TokenKind::BlockEnd, start: mark, end: mark });
            self.indent = self.outer_indents.pop().unwrap_or(-1);
        }
    }

    /// Scans the next token, and those that it implies.
    fn fetch(&mut self) -> Result<(), Error> {
        self.input.need(1)?;
        self.skip_to_token()?;
        self.unroll_indent(column(self.input.mark));
        self.input.need(4)?;
        if self.input.is_end() {
            return self.fetch_stream_end();
        }
        let first = self.input.byte(0);
        if self.input.mark.column == 0 && first == b'%' {
            self.leave_blocks()?;
            let token = self.scan_directive()?;
            self.queue.push_back(token);
            return Ok(());
        }
        if self.input.is_document_indicator(b'-') {
            self.leave_blocks()?;
            self.push_indicator(TokenKind::DocumentStart, 3);
            return Ok(());
        }
        if self.input.is_document_indicator(b'.') {
            self.leave_blocks()?;
            self.push_indicator(TokenKind::DocumentEnd, 3);
            return Ok(());
        }
        let is_separated = self.input.is_separated(1);
        let in_flow = self.flow_level > 0;
        match first {
            b'[' => self.fetch_flow_start(TokenKind::FlowSequenceStart),
            b'{' => self.fetch_flow_start(TokenKind::FlowMappingStart),
            b']' => self.fetch_flow_end(TokenKind::FlowSequenceEnd),
            b'}' => self.fetch_flow_end(TokenKind::FlowMappingEnd),
            b',' => {
                self.remove_simple_key()?;
                self.is_simple_key_allowed = true;
                self.push_indicator(TokenKind::FlowEntry, 1);
                Ok(())
            }
            b'-' if is_separated => self.fetch_block_entry(),
            b'?' if in_flow || is_separated => self.fetch_key(),
            b':' if in_flow || is_separated => self.fetch_value(),
            b'*' | b'&' => self.fetch_property(|scanner| scanner.scan_anchor(first == b'*')),
            b'!' => self.fetch_property(Self::scan_tag),
            b'|' | b'>' if !in_flow => {
                self.remove_simple_key()?;
                self.is_simple_key_allowed = true;
                let token = self.scan_block_scalar(first == b'|')?;
                self.queue.push_back(token);
                Ok(())
            }
            b'\'' | b'"' => self.fetch_property(|scanner| scanner.scan_quoted(first)),
            // Upstream: a `-` before a character that is not a blank; a blank itself is a tab here.
            b'-' if !self.input.is_blank(1) => self.fetch_property(Self::scan_plain),
            b'?' | b':' if !in_flow && !is_separated => self.fetch_property(Self::scan_plain),
            b'-' | b'?' | b':' | b'#' | b'|' | b'>' | b'%' | b'@' | b'`' | b' ' | b'\t' => {
                Err(Error::scanning(self.input.mark, "found character that cannot start any token"))
            }
            _ => self.fetch_property(Self::scan_plain),
        }
    }

    /// Skips blanks, line breaks and comments.
    fn skip_to_token(&mut self) -> Result<(), Error> {
        loop {
            self.input.need(1)?;
            if self.input.mark.column == 0 && self.input.is_byte_order_mark() {
                self.input.skip();
            }
            self.input.need(1)?;
            let allows_tabs = self.flow_level > 0 || !self.is_simple_key_allowed;
            while self.input.byte(0) == b' ' || (allows_tabs && self.input.byte(0) == b'\t') {
                self.input.skip();
                self.input.need(1)?;
            }
            self.input.skip_comment()?;
            if !self.input.is_break(0) {
                return Ok(());
            }
            self.input.need(2)?;
            self.input.skip_line();
            if self.flow_level == 0 {
                self.is_simple_key_allowed = true;
            }
        }
    }

    fn push_indicator(&mut self, kind: TokenKind<'t>, length: usize) {
        let start = self.input.mark;
        for _ in 0..length {
            self.input.skip();
        }
        self.queue.push_back(Token { kind, start, end: self.input.mark });
    }

    fn leave_blocks(&mut self) -> Result<(), Error> {
        self.unroll_indent(-1);
        self.remove_simple_key()?;
        self.is_simple_key_allowed = false;
        Ok(())
    }

    fn fetch_stream_end(&mut self) -> Result<(), Error> {
        if self.input.mark.column != 0 {
            self.input.mark.column = 0;
            self.input.mark.line += 1;
        }
        self.leave_blocks()?;
        self.push_indicator(TokenKind::StreamEnd, 0);
        Ok(())
    }

    fn fetch_flow_start(&mut self, kind: TokenKind<'t>) -> Result<(), Error> {
        self.save_simple_key()?;
        let token = self.taken + self.queue.len();
        self.simple_keys.push(SimpleKey { token, ..SimpleKey::default() });
        self.flow_level += 1;
        self.is_simple_key_allowed = true;
        self.push_indicator(kind, 1);
        Ok(())
    }

    fn fetch_flow_end(&mut self, kind: TokenKind<'t>) -> Result<(), Error> {
        self.remove_simple_key()?;
        if self.flow_level > 0 {
            self.flow_level -= 1;
            let inner = self.simple_keys.pop().unwrap_or_default();
            if let Some(at) = self.awaited_key(inner.token)
                && let Some(key) = self.simple_keys.get_mut(at)
            {
                key.is_awaited = false;
            }
        }
        self.is_simple_key_allowed = false;
        self.push_indicator(kind, 1);
        Ok(())
    }

    /// Opens a block collection at the position, if it is allowed there.
    fn begin_block(&mut self, kind: TokenKind<'t>, problem: &'static str) -> Result<(), Error> {
        if self.flow_level > 0 {
            return Ok(());
        }
        if !self.is_simple_key_allowed {
            return Err(Error::scanning(self.input.mark, problem));
        }
        self.roll_indent(self.input.mark, None, kind);
        Ok(())
    }

    fn fetch_block_entry(&mut self) -> Result<(), Error> {
        self.begin_block(
            TokenKind::BlockSequenceStart,
            "block sequence entries are not allowed in this context",
        )?;
        self.remove_simple_key()?;
        self.is_simple_key_allowed = true;
        self.push_indicator(TokenKind::BlockEntry, 1);
        Ok(())
    }

    fn fetch_key(&mut self) -> Result<(), Error> {
        self.begin_block(
            TokenKind::BlockMappingStart,
            "mapping keys are not allowed in this context",
        )?;
        self.remove_simple_key()?;
        self.is_simple_key_allowed = self.flow_level == 0;
        self.push_indicator(TokenKind::Key, 1);
        Ok(())
    }

    fn fetch_value(&mut self) -> Result<(), Error> {
        let last = self.simple_keys.len().saturating_sub(1);
        if self.is_key_possible(last)? {
            let key = self.simple_keys.get(last).copied().unwrap_or_default();
            let token = Token { kind: TokenKind::Key, start: key.mark, end: key.mark };
            self.insert(Some(key.token), token);
            self.roll_indent(key.mark, Some(key.token), TokenKind::BlockMappingStart);
            if let Some(key) = self.simple_keys.get_mut(last) {
                key.is_possible = false;
            }
            self.is_simple_key_allowed = false;
        } else {
            self.begin_block(
                TokenKind::BlockMappingStart,
                "mapping values are not allowed in this context",
            )?;
            self.is_simple_key_allowed = self.flow_level == 0;
        }
        self.push_indicator(TokenKind::Value, 1);
        Ok(())
    }

    /// Scans a token with which a key may begin.
    fn fetch_property(
        &mut self,
        scan: impl FnOnce(&mut Self) -> Result<Token<'t>, Error>,
    ) -> Result<(), Error> {
        self.save_simple_key()?;
        self.is_simple_key_allowed = false;
        let token = scan(self)?;
        self.queue.push_back(token);
        Ok(())
    }
}

/// Returns a column as it is compared with an indentation.
fn column(mark: Mark) -> isize {
    isize::try_from(mark.column).unwrap_or(isize::MAX)
}
