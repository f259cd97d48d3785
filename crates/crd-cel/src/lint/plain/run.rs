//! Runs a plain rule on a value: a constant function, which rustc evaluates.

use super::{MAX_HEIGHT, op};
use crate::re2::matches_program;

/// A value without parts, as rules see it.
#[derive(Debug, Clone, Copy)]
pub enum Scalar<'a> {
    /// Not known.
    Unknown,
    /// `bool`
    Bool(bool),
    /// `int`
    Int(i64),
    /// `double`
    Double(f64),
    /// `string`
    Text(&'a str),
}

/// The most work in one run, counted in operations and in iterations of the loops that compare
/// texts. rustc allows two million.
const MAX_STEPS: usize = 200_000;

/// Whether a program of [`rule_program`](super::rule_program) holds for a value. `None` if the
/// result depends on a part of the rule that is not plain, if it takes too much work, or if the
/// bytes are not a program.
#[must_use]
pub const fn rule_holds(program: &[u8], value: Scalar<'_>) -> Option<bool> {
    let mut machine = PlainMachine {
        program,
        at: 0,
        stack: [Scalar::Unknown; MAX_HEIGHT],
        height: 0,
        steps: MAX_STEPS,
    };
    while machine.at < program.len() {
        if machine.spend(1).is_none() || machine.step(value).is_none() {
            return None;
        }
    }
    match machine.stack[0] {
        Scalar::Bool(holds) if machine.height == 1 => Some(holds),
        _ => None,
    }
}

struct PlainMachine<'p> {
    program: &'p [u8],
    at: usize,
    stack: [Scalar<'p>; MAX_HEIGHT],
    height: usize,
    steps: usize,
}

impl<'p> PlainMachine<'p> {
    const fn spend(&mut self, amount: usize) -> Option<()> {
        if amount > self.steps {
            return None;
        }
        self.steps -= amount;
        Some(())
    }

    const fn push(&mut self, value: Scalar<'p>) -> Option<()> {
        if self.height == MAX_HEIGHT {
            return None;
        }
        self.stack[self.height] = value;
        self.height += 1;
        Some(())
    }

    const fn pop(&mut self) -> Option<Scalar<'p>> {
        if self.height == 0 {
            return None;
        }
        self.height -= 1;
        Some(self.stack[self.height])
    }

    const fn byte(&mut self) -> u8 {
        self.at += 1;
        if self.at <= self.program.len() { self.program[self.at - 1] } else { 0 }
    }

    const fn long(&mut self) -> u64 {
        let (mut value, mut i) = (0, 0);
        while i < 8 {
            value |= (self.byte() as u64) << (8 * i);
            i += 1;
        }
        value
    }

    /// Reads a length, and then this many bytes.
    const fn bytes(&mut self) -> &'p [u8] {
        let len = u16::from_le_bytes([self.byte(), self.byte()]) as usize;
        if self.at + len > self.program.len() {
            self.at = self.program.len();
            return &[];
        }
        let rest = self.program.split_at(self.at).1;
        self.at += len;
        rest.split_at(len).0
    }

    const fn step<'v: 'p>(&mut self, value: Scalar<'v>) -> Option<()> {
        let code = self.byte();
        let made = match code {
            op::UNKNOWN => Scalar::Unknown,
            op::VALUE => value,
            op::BOOL => Scalar::Bool(self.byte() != 0),
            op::INT => Scalar::Int(self.long().cast_signed()),
            op::DOUBLE => Scalar::Double(f64::from_bits(self.long())),
            op::TEXT => match std::str::from_utf8(self.bytes()) {
                Ok(text) => Scalar::Text(text),
                Err(_) => Scalar::Unknown,
            },
            op::MATCHES => {
                let program = self.bytes();
                match self.pop() {
                    Some(Scalar::Text(text)) => truth(matches_program(program, text)),
                    Some(_) => Scalar::Unknown,
                    None => return None,
                }
            }
            op::IN => {
                let count = self.byte() as usize;
                match self.is_in(count) {
                    Some(is_in) => is_in,
                    None => return None,
                }
            }
            op::NOT => match self.pop() {
                Some(Scalar::Bool(holds)) => Scalar::Bool(!holds),
                Some(_) => Scalar::Unknown,
                None => return None,
            },
            op::SIZE => match self.pop() {
                Some(Scalar::Text(text)) => Scalar::Int(code_points(text)),
                Some(_) => Scalar::Unknown,
                None => return None,
            },
            op::CONDITIONAL => {
                let (Some(no), Some(yes), Some(condition)) = (self.pop(), self.pop(), self.pop())
                else {
                    return None;
                };
                match condition {
                    Scalar::Bool(true) => yes,
                    Scalar::Bool(false) => no,
                    _ => Scalar::Unknown,
                }
            }
            code => {
                let (Some(b), Some(a)) = (self.pop(), self.pop()) else { return None };
                self.of_two(code, a, b)
            }
        };
        self.push(made)
    }

    /// The result of an operator or method for two values.
    const fn of_two(&mut self, code: u8, a: Scalar<'_>, b: Scalar<'_>) -> Scalar<'p> {
        match (code, a, b) {
            // One operand may decide the result, even if the other one is not known.
            (op::AND, Scalar::Bool(false), _) | (op::AND, _, Scalar::Bool(false)) => {
                Scalar::Bool(false)
            }
            (op::OR, Scalar::Bool(true), _) | (op::OR, _, Scalar::Bool(true)) => Scalar::Bool(true),
            (op::AND | op::OR, Scalar::Bool(_), Scalar::Bool(b)) => Scalar::Bool(b),
            (op::STARTS_WITH, Scalar::Text(a), Scalar::Text(b)) => {
                truth(self.is_at(a.as_bytes(), b.as_bytes(), 0))
            }
            (op::ENDS_WITH, Scalar::Text(a), Scalar::Text(b)) => match a.len().checked_sub(b.len())
            {
                Some(at) => truth(self.is_at(a.as_bytes(), b.as_bytes(), at)),
                None => Scalar::Bool(false),
            },
            (op::CONTAINS, Scalar::Text(a), Scalar::Text(b)) => {
                truth(self.contains(a.as_bytes(), b.as_bytes()))
            }
            (op::BINARY.., a, b) => self.binary(code - op::BINARY, a, b),
            _ => Scalar::Unknown,
        }
    }

    /// The result of the operator with this index in [`BINARY`](super::BINARY).
    const fn binary(&mut self, operator: u8, a: Scalar<'_>, b: Scalar<'_>) -> Scalar<'p> {
        if let (Scalar::Int(a), Scalar::Int(b)) = (a, b) {
            let number = match operator {
                6 => a.checked_add(b),
                7 => a.checked_sub(b),
                8 => a.checked_mul(b),
                9 => a.checked_div(b),
                10 => a.checked_rem(b),
                _ => None,
            };
            if let Some(number) = number {
                return Scalar::Int(number);
            }
        }
        let Some((is_less, is_equal)) = self.compare(a, b) else { return Scalar::Unknown };
        Scalar::Bool(match operator {
            0 => is_equal,
            1 => !is_equal,
            2 => is_less,
            3 => is_less || is_equal,
            4 => !is_less && !is_equal,
            5 => !is_less,
            _ => return Scalar::Unknown,
        })
    }

    /// Whether the first of two values of one type is less, and whether they are equal.
    #[expect(clippy::float_cmp, reason = "it is what the rule asks")]
    const fn compare(&mut self, a: Scalar<'_>, b: Scalar<'_>) -> Option<(bool, bool)> {
        match (a, b) {
            (Scalar::Bool(a), Scalar::Bool(b)) => Some((!a && b, a == b)),
            (Scalar::Int(a), Scalar::Int(b)) => Some((a < b, a == b)),
            (Scalar::Double(a), Scalar::Double(b)) if !a.is_nan() && !b.is_nan() => {
                Some((a < b, a == b))
            }
            (Scalar::Text(a), Scalar::Text(b)) => self.compare_texts(a.as_bytes(), b.as_bytes()),
            _ => None,
        }
    }

    const fn compare_texts(&mut self, a: &[u8], b: &[u8]) -> Option<(bool, bool)> {
        let mut i = 0;
        while i < a.len() && i < b.len() {
            if self.spend(1).is_none() {
                return None;
            }
            if a[i] != b[i] {
                return Some((a[i] < b[i], false));
            }
            i += 1;
        }
        Some((a.len() < b.len(), a.len() == b.len()))
    }

    /// Whether `part` is at an offset of a text.
    const fn is_at(&mut self, text: &[u8], part: &[u8], at: usize) -> Option<bool> {
        if at + part.len() > text.len() {
            return Some(false);
        }
        let mut i = 0;
        while i < part.len() {
            if self.spend(1).is_none() {
                return None;
            }
            if text[at + i] != part[i] {
                return Some(false);
            }
            i += 1;
        }
        Some(true)
    }

    const fn contains(&mut self, text: &[u8], part: &[u8]) -> Option<bool> {
        let mut at = 0;
        while at + part.len() <= text.len() {
            match (self.spend(1), self.is_at(text, part, at)) {
                (Some(()), Some(false)) => at += 1,
                (Some(()), found) => return found,
                (None, _) => return None,
            }
        }
        Some(false)
    }

    /// Whether an item is among the `count` values above it on the stack.
    const fn is_in(&mut self, count: usize) -> Option<Scalar<'p>> {
        if self.height <= count {
            return None;
        }
        self.height -= count + 1;
        let item = self.stack[self.height];
        let (mut found, mut i) = (false, 0);
        while i < count {
            let Some((_, is_equal)) = self.compare(item, self.stack[self.height + 1 + i]) else {
                return Some(Scalar::Unknown);
            };
            found = found || is_equal;
            i += 1;
        }
        Some(Scalar::Bool(found))
    }
}

const fn truth<'a>(holds: Option<bool>) -> Scalar<'a> {
    match holds {
        Some(holds) => Scalar::Bool(holds),
        None => Scalar::Unknown,
    }
}

#[expect(clippy::cast_possible_wrap, reason = "no text is that long")]
const fn code_points(text: &str) -> i64 {
    let (bytes, mut count, mut i) = (text.as_bytes(), 0_usize, 0);
    while i < bytes.len() {
        // Continuation bytes of UTF-8 begin with the bits 10.
        if bytes[i] & 0xc0 != 0x80 {
            count += 1;
        }
        i += 1;
    }
    count as i64
}
