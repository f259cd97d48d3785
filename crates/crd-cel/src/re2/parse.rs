//! Parses patterns as [`PatternNode`]s, with Go's errors.
//!
//! The parser has an explicit stack, like upstream's, so that nested patterns need no recursion, and
//! the limits of height and size count the same nodes as upstream.

use super::ast::{Class, Flags, Look, PatternNode};
use super::error::{Error, ErrorCode};
use super::read::{before, escaped_rune, skip};
use super::runes::{self, CountRunes};
use super::stack::{CountedNode, Group, Stack};

/// The most repetitions, nested ones multiplied. Source: `regexp/syntax/parse.go`, `parse` and
/// `repeat`.
const MAX_REPEAT: u32 = 1000;

/// Parses a pattern as Go's `syntax.Parse` with the flags `Perl` does.
pub(super) fn parse(pattern: &str) -> Result<PatternNode, Error> {
    match parse_counting(pattern, &mut runes::AtMost) {
        // The count of runes that was too large is only an upper bound, so they are counted exactly, as
        // Go does.
        Err(error) if error.code() == ErrorCode::Large => {
            parse_counting(pattern, &mut runes::Exactly::default())
        }
        parsed => parsed,
    }
}

fn parse_counting(pattern: &str, counter: &mut dyn CountRunes) -> Result<PatternNode, Error> {
    Parser { pattern, flags: Flags::default(), stack: Stack::new(counter) }.run()
}

struct Parser<'p, 'c> {
    pattern: &'p str,
    flags: Flags,
    stack: Stack<'c>,
}

type Result<T, E = Error> = std::result::Result<T, E>;

impl<'p, 'c> Parser<'p, 'c> {
    fn run(&mut self) -> Result<PatternNode> {
        let mut rest = self.pattern;
        // The text that begins with the last operator, if this was a repetition. Another repetition must
        // not follow it.
        let mut last_repeat: Option<&'p str> = None;
        while let Some(c) = rest.chars().next() {
            let mut repeat = None;
            rest = match c {
                '(' if rest.starts_with("(?") => self.perl_flags(rest)?,
                '(' => {
                    self.open(true);
                    skip(rest, 1)
                }
                '|' => {
                    self.limit(Stack::bar)?;
                    skip(rest, 1)
                }
                ')' => {
                    self.close()?;
                    skip(rest, 1)
                }
                '^' => {
                    let look =
                        if self.flags.multi_line { Look::BeginLine } else { Look::BeginText };
                    self.push(PatternNode::Look(look))?;
                    skip(rest, 1)
                }
                '$' => {
                    let look = if self.flags.multi_line { Look::EndLine } else { Look::EndText };
                    self.push(PatternNode::Look(look))?;
                    skip(rest, 1)
                }
                '.' => {
                    self.push(PatternNode::Any { line_feed: self.flags.dot_all })?;
                    skip(rest, 1)
                }
                '[' => self.class(rest)?,
                '*' | '+' | '?' => {
                    let (min, max) = match c {
                        '*' => (0, None),
                        '+' => (1, None),
                        _ => (0, Some(1)),
                    };
                    repeat = Some(rest);
                    self.repeat(Operator::Symbol, min, max, rest, skip(rest, 1), last_repeat)?
                }
                '{' => match repeat_counts(rest) {
                    None => {
                        self.literal('{')?;
                        skip(rest, 1)
                    }
                    Some((counts, after)) => {
                        let Some((min, max)) = counts.filter(valid_counts) else {
                            let seen = before(rest, after);
                            return Err(Error::new(ErrorCode::InvalidRepeatSize, seen));
                        };
                        repeat = Some(rest);
                        self.repeat(Operator::Braces, min, max, rest, after, last_repeat)?
                    }
                },
                '\\' => self.escape(rest)?,
                c => {
                    self.literal(c)?;
                    skip(rest, c.len_utf8())
                }
            };
            last_repeat = repeat;
        }
        self.limit(Stack::end_alternation)?;
        self.stack.finish().ok_or_else(|| Error::new(ErrorCode::MissingParen, self.pattern))
    }

    /// Calls `f`, which may reach a limit; the error then shows the whole pattern.
    fn limit(&mut self, f: impl FnOnce(&mut Stack<'c>) -> Result<(), ErrorCode>) -> Result<()> {
        f(&mut self.stack).map_err(|code| Error::new(code, self.pattern))
    }

    fn push(&mut self, node: PatternNode) -> Result<()> {
        self.limit(|stack| stack.push(CountedNode::leaf(node)))
    }

    fn literal(&mut self, c: char) -> Result<()> {
        self.literal_rune(c.into())
    }

    fn literal_rune(&mut self, rune: u32) -> Result<()> {
        self.push(PatternNode::Literal { runes: vec![rune], fold_case: self.flags.fold_case })
    }

    fn open(&mut self, capture: bool) {
        self.stack.open(Group { flags: self.flags, capture });
    }

    fn close(&mut self) -> Result<()> {
        self.limit(Stack::end_alternation)?;
        let mut closed = None;
        self.limit(|stack| stack.close().map(|group| closed = group))?;
        match closed {
            Some(group) => {
                self.flags = group.flags;
                Ok(())
            }
            None => Err(Error::new(ErrorCode::UnexpectedParen, self.pattern)),
        }
    }

    /// Applies a repetition operator, which begins `rest`, to the node on top of the stack.
    fn repeat(
        &mut self,
        operator: Operator,
        min: u32,
        max: Option<u32>,
        rest: &'p str,
        after: &'p str,
        last_repeat: Option<&'p str>,
    ) -> Result<&'p str> {
        let (after, lazy) = match after.strip_prefix('?') {
            Some(after) => (after, true),
            None => (after, false),
        };
        if let Some(last) = last_repeat {
            return Err(Error::new(ErrorCode::InvalidRepeatOp, before(last, after)));
        }
        let greedy = lazy == self.flags.swap_greed;
        let counted = operator == Operator::Braces;
        let mut product = None;
        self.limit(|stack| {
            product = stack.repeat(min, max, greedy, counted)?;
            Ok(())
        })?;
        let Some(product) = product else {
            return Err(Error::new(ErrorCode::MissingRepeatArgument, before(rest, after)));
        };
        let many = min >= 2 || max.is_some_and(|max| max >= 2);
        if counted && many && product > MAX_REPEAT {
            return Err(Error::new(ErrorCode::InvalidRepeatSize, before(rest, after)));
        }
        Ok(after)
    }

    /// Reads `(?flags)`, `(?flags:`, `(?P<name>` or `(?<name>`.
    fn perl_flags(&mut self, rest: &'p str) -> Result<&'p str> {
        let name_start = if rest.len() > 4 && rest.starts_with("(?P<") {
            Some(4)
        } else if rest.len() > 3 && rest.starts_with("(?<") {
            Some(3)
        } else {
            None
        };
        if let Some(start) = name_start {
            let Some(end) = rest.find('>') else {
                return Err(Error::new(ErrorCode::InvalidNamedCapture, rest));
            };
            let name = rest.get(start..end).unwrap_or_default();
            let word = |b: u8| b == b'_' || b.is_ascii_alphanumeric();
            if name.is_empty() || !name.bytes().all(word) {
                let group = rest.get(..=end).unwrap_or(rest);
                return Err(Error::new(ErrorCode::InvalidNamedCapture, group));
            }
            self.open(true);
            return Ok(skip(rest, end + 1));
        }

        let mut flags = self.flags;
        let mut on = true;
        let mut saw_flag = false;
        let mut after = skip(rest, 2);
        while let Some(c) = after.chars().next() {
            after = skip(after, c.len_utf8());
            match c {
                'i' => flags.fold_case = on,
                'm' => flags.multi_line = on,
                's' => flags.dot_all = on,
                'U' => flags.swap_greed = on,
                '-' if on => {
                    on = false;
                    saw_flag = false;
                    continue;
                }
                ':' | ')' if on || saw_flag => {
                    if c == ':' {
                        self.open(false);
                    }
                    self.flags = flags;
                    return Ok(after);
                }
                _ => break,
            }
            saw_flag = true;
        }
        Err(Error::new(ErrorCode::InvalidPerlOp, before(rest, after)))
    }

    /// Reads an escape outside a class.
    fn escape(&mut self, rest: &'p str) -> Result<&'p str> {
        let after = skip(rest, 2);
        match rest.as_bytes().get(1) {
            Some(b'A') => self.push(PatternNode::Look(Look::BeginText))?,
            Some(b'z') => self.push(PatternNode::Look(Look::EndText))?,
            Some(b'b') => self.push(PatternNode::Look(Look::WordBoundary))?,
            Some(b'B') => self.push(PatternNode::Look(Look::NoWordBoundary))?,
            // Upstream: RE2's "any byte" is a known escape, and an error.
            Some(b'C') => {
                return Err(Error::new(ErrorCode::InvalidEscape, before(rest, after)));
            }
            Some(b'Q') => {
                let (literal, after) = after.split_once("\\E").unwrap_or((after, ""));
                for c in literal.chars() {
                    self.literal(c)?;
                }
                return Ok(after);
            }
            _ => {
                let mut class = Class { fold_case: self.flags.fold_case, ..Class::default() };
                if let Some(after) = super::class::escaped_class(rest, &mut class)? {
                    self.push(PatternNode::Class(class))?;
                    return Ok(after);
                }
                let (rune, after) = escaped_rune(rest)?;
                self.literal_rune(rune)?;
                return Ok(after);
            }
        }
        Ok(after)
    }

    fn class(&mut self, rest: &'p str) -> Result<&'p str> {
        let (class, after) = super::class::parse(rest, self.flags.fold_case)?;
        self.push(PatternNode::Class(class))?;
        Ok(after)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Symbol,
    Braces,
}

fn valid_counts((min, max): &(u32, Option<u32>)) -> bool {
    *min <= MAX_REPEAT && max.is_none_or(|max| max <= MAX_REPEAT && *min <= max)
}

/// The least and the most repetitions; `None` if there is no limit.
type Counts = (u32, Option<u32>);

/// Reads `{n}`, `{n,}` or `{n,m}`; anything else is not a repetition. Counts that are too large to
/// read are `None`.
fn repeat_counts(rest: &str) -> Option<(Option<Counts>, &str)> {
    let (min, after) = repeat_count(rest.strip_prefix('{')?)?;
    let (max, after) = match after.strip_prefix(',') {
        None => (Some(min), after),
        Some(after) if after.starts_with('}') => (None, after),
        Some(after) => {
            let (max, after) = repeat_count(after)?;
            (Some(max), after)
        }
    };
    let after = after.strip_prefix('}')?;
    let counts = match max {
        None => min.map(|min| (min, None)),
        Some(max) => min.zip(max).map(|(min, max)| (min, Some(max))),
    };
    Some((counts, after))
}

/// Reads digits without a leading zero.
fn repeat_count(text: &str) -> Option<(Option<u32>, &str)> {
    let end = text.bytes().position(|b| !b.is_ascii_digit()).unwrap_or(text.len());
    let (digits, after) = text.split_at(end);
    if digits.is_empty() || (digits.len() > 1 && digits.starts_with('0')) {
        return None;
    }
    Some((digits.parse().ok(), after))
}
