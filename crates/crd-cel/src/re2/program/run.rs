//! Runs a program on a text: a constant function, which rustc evaluates.

use super::super::ast::Look;
use super::{LOOKS, MAX_BYTES, beyond, op};

/// The most work in one run, counted in calls and iterations of loops. rustc allows two million.
const MAX_STEPS: u32 = 100_000;
/// The most operations at which matches can continue at once: the shortest operation that reads a
/// code point has five bytes.
const MAX_THREADS: usize = MAX_BYTES / 5 + 1;

/// Whether a program of [`pattern_program`](super::pattern_program) matches anywhere in a text.
/// `None` if that needs Unicode's tables or too much work, or if the bytes are not a program.
#[must_use]
pub const fn matches_program(program: &[u8], text: &str) -> Option<bool> {
    if program.is_empty() || program.len() > MAX_BYTES {
        return None;
    }
    let mut search = Search {
        program,
        text: text.as_bytes(),
        steps: MAX_STEPS,
        threads: [0; MAX_THREADS],
        count: 0,
        seen: [0; MAX_BYTES / 64],
        is_match: false,
    };
    let (mut at, mut before) = (0, None);
    loop {
        let (next, width) = search.rune(at);
        // A match may begin anywhere.
        if !search.follow(0, before, next) {
            return None;
        }
        if search.is_match {
            return Some(true);
        }
        let Some(rune) = next else { return Some(false) };
        at += width;
        let (threads, count) = (search.threads, search.count);
        search.count = 0;
        search.seen = [0; MAX_BYTES / 64];
        let (after, _) = search.rune(at);
        let mut i = 0;
        while i < count {
            let Some((takes, to)) = search.takes(threads[i] as usize, rune) else { return None };
            if takes && !search.follow(to, next, after) {
                return None;
            }
            i += 1;
        }
        if search.is_match {
            return Some(true);
        }
        before = next;
    }
}

struct Search<'t> {
    program: &'t [u8],
    text: &'t [u8],
    steps: u32,
    /// The offsets in the program at which matches continue after the text that has been read.
    threads: [u16; MAX_THREADS],
    count: usize,
    /// A bit for each offset in the program at which a match has continued.
    seen: [u64; MAX_BYTES / 64],
    is_match: bool,
}

impl Search<'_> {
    /// The code point at an offset in the text, and how many bytes it takes.
    const fn rune(&self, at: usize) -> (Option<u32>, usize) {
        if at >= self.text.len() {
            return (None, 0);
        }
        let first = self.text[at];
        let width = match first {
            0..=0x7f => return (Some(first as u32), 1),
            0x80..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0.. => 4,
        };
        let mut rune = (first as u32) & (0x7f >> width);
        let mut i = 1;
        while i < width {
            rune = (rune << 6) | (self.text[at + i] & 0x3f) as u32;
            i += 1;
        }
        (Some(rune), width)
    }

    const fn byte(&self, at: usize) -> u8 {
        if at < self.program.len() { self.program[at] } else { 0 }
    }

    const fn word(&self, at: usize) -> usize {
        u16::from_le_bytes([self.byte(at), self.byte(at + 1)]) as usize
    }

    const fn number(&self, at: usize) -> u32 {
        let high = [self.byte(at + 2), self.byte(at + 3)];
        u32::from_le_bytes([self.byte(at), self.byte(at + 1), high[0], high[1]])
    }

    const fn spend(&mut self) -> bool {
        self.steps = self.steps.saturating_sub(1);
        self.steps > 0
    }

    /// Continues at an offset in the program until a code point must be read; `false` if that takes
    /// too much work, or the bytes are not a program.
    const fn follow(&mut self, from: usize, before: Option<u32>, after: Option<u32>) -> bool {
        let mut stack = [0_u16; MAX_THREADS];
        let (mut height, mut at) = (0, from);
        loop {
            if !self.spend() || at >= self.program.len() {
                return false;
            }
            let bit = 1 << (at % 64);
            let is_new = self.seen[at / 64] & bit == 0;
            self.seen[at / 64] |= bit;
            match self.byte(at) {
                _ if !is_new => {}
                op::SPLIT => {
                    if height == MAX_THREADS {
                        return false;
                    }
                    #[expect(clippy::cast_possible_truncation, reason = "it is 16 bits")]
                    let other = self.word(at + 3) as u16;
                    stack[height] = other;
                    height += 1;
                    at = self.word(at + 1);
                    continue;
                }
                op::JUMP => {
                    at = self.word(at + 1);
                    continue;
                }
                op::LOOK => {
                    let number = self.byte(at + 1) as usize;
                    if number >= LOOKS.len() {
                        return false;
                    }
                    if looks(LOOKS[number], before, after) {
                        at += 2;
                        continue;
                    }
                }
                op::MATCH => self.is_match = true,
                op::RUNE | op::CLASS if self.count < MAX_THREADS => {
                    #[expect(clippy::cast_possible_truncation, reason = "programs are short")]
                    let thread = at as u16;
                    self.threads[self.count] = thread;
                    self.count += 1;
                }
                _ => return false,
            }
            if height == 0 {
                return true;
            }
            height -= 1;
            at = stack[height] as usize;
        }
    }

    /// Whether the operation at an offset matches a code point, and the offset at which it
    /// continues.
    const fn takes(&mut self, at: usize, rune: u32) -> Option<(bool, usize)> {
        if !self.spend() {
            return None;
        }
        if self.byte(at) == op::RUNE {
            return Some((self.number(at + 1) == rune, at + 5));
        }
        let how = self.byte(at + 17);
        let ranges = matches!(how, beyond::IN | beyond::NOT_IN);
        let count = if ranges { self.byte(at + 18) as usize } else { 0 };
        let end = if ranges { at + 19 + 8 * count } else { at + 18 };
        if rune <= 0x7f {
            let bits = self.byte(at + 1 + (rune / 8) as usize);
            return Some((bits >> (rune % 8) & 1 == 1, end));
        }
        let mut is_in = false;
        let mut i = 0;
        while i < count {
            let range = at + 19 + 8 * i;
            is_in = is_in || (self.number(range) <= rune && rune <= self.number(range + 4));
            i += 1;
            if !self.spend() {
                return None;
            }
        }
        match how {
            beyond::NONE => Some((false, end)),
            beyond::ALL => Some((true, end)),
            beyond::IN => Some((is_in, end)),
            beyond::NOT_IN => Some((!is_in, end)),
            // beyond::UNKNOWN
            _ => None,
        }
    }
}

const fn looks(look: Look, before: Option<u32>, after: Option<u32>) -> bool {
    const LINE_FEED: u32 = '\n' as u32;
    match look {
        Look::BeginText => before.is_none(),
        Look::EndText => after.is_none(),
        Look::BeginLine => matches!(before, None | Some(LINE_FEED)),
        Look::EndLine => matches!(after, None | Some(LINE_FEED)),
        Look::WordBoundary => is_word(before) != is_word(after),
        Look::NoWordBoundary => is_word(before) == is_word(after),
    }
}

const fn is_word(rune: Option<u32>) -> bool {
    match rune {
        #[expect(clippy::cast_possible_truncation, reason = "it is ASCII")]
        Some(rune) if rune <= 0x7f => {
            let byte = rune as u8;
            byte.is_ascii_alphanumeric() || byte == b'_'
        }
        _ => false,
    }
}
