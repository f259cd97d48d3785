//! What comes next in each style of container.

use super::super::Error;
use super::super::scan::{Mark, TokenKind};
use super::{Composer, Step, Style};

impl<'t> Composer<'t> {
    /// Returns the next step in the innermost container.
    pub(super) fn step(&mut self) -> Result<Step, Error> {
        let Some(open) = self.open.last() else { return Ok(Step::End) };
        let (is_first, has_key) =
            (open.items.is_empty() && open.entries.is_empty(), open.key.is_some());
        match open.style {
            Style::BlockSequence => self.block_item(),
            Style::IndentlessSequence => self.indentless_item(),
            Style::BlockMapping if has_key => self.block_value(),
            Style::BlockMapping => self.block_key(),
            Style::FlowSequence => self.flow_item(is_first),
            Style::FlowMapping if has_key => self.flow_value(),
            Style::FlowMapping => self.flow_key(is_first),
            Style::SinglePair if has_key => self.pair_value(),
            Style::SinglePair if is_first => self.pair_key(),
            Style::SinglePair => {
                self.scanner.peek()?;
                Ok(Step::End)
            }
        }
    }

    /// Returns an empty node before one of some tokens, or else a step.
    fn before(&mut self, ends: &[TokenKind<'t>], mark: Mark, step: Step) -> Result<Step, Error> {
        let is_empty = ends.contains(&self.scanner.peek()?.kind);
        Ok(if is_empty { Step::Add(self.empty(mark)) } else { step })
    }

    /// Skips the next token, and returns where it ends.
    fn pass(&mut self) -> Result<Mark, Error> {
        let end = self.scanner.peek()?.end;
        self.scanner.skip();
        Ok(end)
    }

    fn end(&mut self) -> Step {
        self.scanner.skip();
        Step::End
    }

    fn block_item(&mut self) -> Result<Step, Error> {
        if self.is(&TokenKind::BlockEnd)? {
            return Ok(self.end());
        }
        if !self.is(&TokenKind::BlockEntry)? {
            return self.fail("did not find expected '-' indicator");
        }
        let mark = self.pass()?;
        self.before(&[TokenKind::BlockEntry, TokenKind::BlockEnd], mark, Step::BLOCK_NODE)
    }

    fn indentless_item(&mut self) -> Result<Step, Error> {
        if !self.is(&TokenKind::BlockEntry)? {
            return Ok(Step::End);
        }
        let mark = self.pass()?;
        let ends = [TokenKind::BlockEntry, TokenKind::Key, TokenKind::Value, TokenKind::BlockEnd];
        self.before(&ends, mark, Step::BLOCK_NODE)
    }

    fn block_key(&mut self) -> Result<Step, Error> {
        if self.is(&TokenKind::BlockEnd)? {
            return Ok(self.end());
        }
        if !self.is(&TokenKind::Key)? {
            return self.fail("did not find expected key");
        }
        let mark = self.pass()?;
        let ends = [TokenKind::Key, TokenKind::Value, TokenKind::BlockEnd];
        self.before(&ends, mark, Step::BLOCK_ENTRY)
    }

    fn block_value(&mut self) -> Result<Step, Error> {
        let start = self.scanner.peek()?.start;
        if !self.is(&TokenKind::Value)? {
            return Ok(Step::Add(self.empty(start)));
        }
        let mark = self.pass()?;
        let ends = [TokenKind::Key, TokenKind::Value, TokenKind::BlockEnd];
        self.before(&ends, mark, Step::BLOCK_ENTRY)
    }

    fn flow_item(&mut self, is_first: bool) -> Result<Step, Error> {
        if self.is(&TokenKind::FlowSequenceEnd)? {
            return Ok(self.end());
        }
        if !is_first {
            if !self.is(&TokenKind::FlowEntry)? {
                return self.fail("did not find expected ',' or ']'");
            }
            self.scanner.skip();
            if self.is(&TokenKind::FlowSequenceEnd)? {
                return Ok(self.end());
            }
        }
        if self.is(&TokenKind::Key)? {
            let mark = self.scanner.peek()?.start;
            self.scanner.skip();
            return Ok(Step::Open(self.open(mark, Style::SinglePair)));
        }
        Ok(Step::FLOW_NODE)
    }

    fn pair_key(&mut self) -> Result<Step, Error> {
        let ends = [TokenKind::Value, TokenKind::FlowEntry, TokenKind::FlowSequenceEnd];
        if !ends.contains(&self.scanner.peek()?.kind) {
            return Ok(Step::FLOW_NODE);
        }
        // Upstream: the token is skipped, even if it ends the sequence.
        let mark = self.pass()?;
        Ok(Step::Add(self.empty(mark)))
    }

    fn pair_value(&mut self) -> Result<Step, Error> {
        let start = self.scanner.peek()?.start;
        if !self.is(&TokenKind::Value)? {
            return Ok(Step::Add(self.empty(start)));
        }
        self.scanner.skip();
        self.before(&[TokenKind::FlowEntry, TokenKind::FlowSequenceEnd], start, Step::FLOW_NODE)
    }

    fn flow_key(&mut self, is_first: bool) -> Result<Step, Error> {
        if self.is(&TokenKind::FlowMappingEnd)? {
            return Ok(self.end());
        }
        if !is_first {
            if !self.is(&TokenKind::FlowEntry)? {
                return self.fail("did not find expected ',' or '}'");
            }
            self.scanner.skip();
            if self.is(&TokenKind::FlowMappingEnd)? {
                return Ok(self.end());
            }
        }
        let has_value = self.is(&TokenKind::Key)?;
        if let Some(open) = self.open.last_mut() {
            open.is_lone_key = !has_value;
        }
        if !has_value {
            return Ok(Step::FLOW_NODE);
        }
        self.scanner.skip();
        let start = self.scanner.peek()?.start;
        let ends = [TokenKind::Value, TokenKind::FlowEntry, TokenKind::FlowMappingEnd];
        self.before(&ends, start, Step::FLOW_NODE)
    }

    fn flow_value(&mut self) -> Result<Step, Error> {
        let start = self.scanner.peek()?.start;
        let is_lone_key = self.open.last().is_some_and(|open| open.is_lone_key);
        if is_lone_key || !self.is(&TokenKind::Value)? {
            return Ok(Step::Add(self.empty(start)));
        }
        self.scanner.skip();
        let start = self.scanner.peek()?.start;
        self.before(&[TokenKind::FlowEntry, TokenKind::FlowMappingEnd], start, Step::FLOW_NODE)
    }
}
