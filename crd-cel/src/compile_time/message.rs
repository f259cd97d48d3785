//! The text of an error: a buffer of a fixed size, and cel-go's layout of findings.

use super::declared::Object;
use super::types::{Type, Types, basic};

/// The longest text, in bytes. What is beyond is cut.
const MAX_TEXT: usize = 6144;
/// The most findings that are shown; a rule with more is shown the rest once these are gone.
const MAX_FINDINGS: usize = 8;
/// The offset of what has no place.
pub(super) const NOWHERE: u16 = u16::MAX;

/// Text under construction.
pub(super) struct Text {
    bytes: [u8; MAX_TEXT],
    len: usize,
}

impl Text {
    pub(super) const fn new() -> Self {
        Self { bytes: [0; MAX_TEXT], len: 0 }
    }

    pub(super) const fn push(&mut self, text: &str) {
        self.push_bytes(text.as_bytes(), 0, text.len());
    }

    const fn push_bytes(&mut self, bytes: &[u8], start: usize, end: usize) {
        let mut i = start;
        while i < end && self.len < MAX_TEXT {
            self.bytes[self.len] = bytes[i];
            self.len += 1;
            i += 1;
        }
    }

    const fn push_number(&mut self, number: u32) {
        let mut digits = [0; 10];
        let mut at = digits.len();
        let mut rest = number;
        loop {
            at -= 1;
            let digit = (rest % 10) as u8;
            digits[at] = b'0' + digit;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.push_bytes(&digits, at, digits.len());
    }

    /// A type as cel-go prints it; what stands for nothing is `dyn`.
    pub(super) const fn push_type(&mut self, types: &Types, ty: Type, depth: u32) {
        if depth > 20 {
            self.push("..");
            return;
        }
        match ty {
            Type::Basic(code) => {
                self.push(if code == basic::FREE { "dyn" } else { basic::NAMES[code as usize] });
            }
            Type::Object(object, _) => self.push(object.name),
            Type::Var(n) => self.push_type(types, types.bound(n), depth + 1),
            Type::List(inner) => self.push_wrapped(types, "list(", inner, depth),
            Type::Optional(inner) => self.push_wrapped(types, "optional_type(", inner, depth),
            Type::Meta(inner) => self.push_wrapped(types, "type(", inner, depth),
            Type::Map(key, value) => {
                self.push("map(");
                self.push_type(types, types.node(key), depth + 1);
                self.push(", ");
                self.push_type(types, types.node(value), depth + 1);
                self.push(")");
            }
        }
    }

    const fn push_wrapped(&mut self, types: &Types, name: &str, inner: u16, depth: u32) {
        self.push(name);
        self.push_type(types, types.node(inner), depth + 1);
        self.push(")");
    }

    pub(super) const fn as_str(&self) -> &str {
        let mut len = self.len;
        // A cut may have split a character.
        loop {
            if let Ok(text) = std::str::from_utf8(self.bytes.split_at(len).0) {
                return text;
            }
            len -= 1;
        }
    }

    /// What there is beside a field that there is not.
    pub(super) const fn push_similar(&mut self, object: &'static Object, name: &str) {
        let mut nearest = Nearest { name: "", distance: usize::MAX };
        nearest.look_in(object, name.as_bytes(), 0);
        if nearest.distance <= limit(name) {
            self.push("help: a field with a similar name exists: `");
            self.push(nearest.name);
            self.push("`");
            return;
        }
        if nearest.name.is_empty() {
            self.push("note: no fields are known to rules here");
            return;
        }
        self.push("note: available fields are: ");
        let mut listed = 0;
        self.push_fields(object, &mut listed, 0);
    }

    const fn push_fields(&mut self, object: &'static Object, listed: &mut u32, depth: u32) {
        let mut i = 0;
        while i < object.fields.len() {
            let field = &object.fields[i];
            if !field.name.is_empty() {
                if *listed > 0 {
                    self.push(", ");
                }
                self.push("`");
                self.push(field.name);
                self.push("`");
                *listed += 1;
            } else if let super::Declared::Object(part) = field.of
                && depth < 8
            {
                self.push_fields(part, listed, depth + 1);
            }
            i += 1;
        }
    }
}

/// How far a name may be off to be what was meant.
const fn limit(name: &str) -> usize {
    let third = name.len() / 3;
    if third > 2 { third } else { 2 }
}

struct Nearest {
    name: &'static str,
    distance: usize,
}

impl Nearest {
    const fn look_in(&mut self, object: &'static Object, name: &[u8], depth: u32) {
        let mut i = 0;
        while i < object.fields.len() {
            let field = &object.fields[i];
            if !field.name.is_empty() {
                let distance = distance(name, field.name.as_bytes());
                if distance < self.distance {
                    *self = Self { name: field.name, distance };
                }
            } else if let super::Declared::Object(part) = field.of
                && depth < 8
            {
                self.look_in(part, name, depth + 1);
            }
            i += 1;
        }
    }
}

/// Levenshtein's distance, letters in different case being equal; long names are far from any.
const fn distance(a: &[u8], b: &[u8]) -> usize {
    const LONGEST: usize = 40;
    if a.len() > LONGEST || b.len() > LONGEST {
        return usize::MAX - 1;
    }
    let mut row = [0; LONGEST + 1];
    let mut j = 0;
    while j <= b.len() {
        row[j] = j;
        j += 1;
    }
    let mut i = 0;
    while i < a.len() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        let mut j = 0;
        while j < b.len() {
            let above = row[j + 1];
            let same = a[i].eq_ignore_ascii_case(&b[j]);
            let mut least = if same { diagonal } else { diagonal + 1 };
            if above + 1 < least {
                least = above + 1;
            }
            if row[j] + 1 < least {
                least = row[j] + 1;
            }
            row[j + 1] = least;
            diagonal = above;
            j += 1;
        }
        i += 1;
    }
    row[b.len()]
}

/// The findings about one expression, each a part of one text.
pub(super) struct Findings {
    pub(super) text: Text,
    /// Where the part begins, and the offset in the expression.
    starts: [(usize, u16); MAX_FINDINGS],
    pub(super) count: usize,
}

impl Findings {
    pub(super) const fn new() -> Self {
        Self { text: Text::new(), starts: [(0, 0); MAX_FINDINGS], count: 0 }
    }

    /// Begins a finding; false where there are enough of them.
    pub(super) const fn begin(&mut self, at: u16) -> bool {
        if self.count == MAX_FINDINGS {
            return false;
        }
        self.starts[self.count] = (self.text.len, at);
        self.count += 1;
        true
    }

    /// All findings by place, as cel-go's `Errors.ToDisplayString`, each with its line and a caret. What
    /// follows the first line of a finding is advice, and goes below.
    pub(super) const fn print(&self, source: &str, out: &mut Text) {
        let mut shown = [false; MAX_FINDINGS];
        let mut n = 0;
        while n < self.count {
            let mut next = MAX_FINDINGS;
            let mut i = 0;
            while i < self.count {
                if !shown[i] && (next == MAX_FINDINGS || self.starts[i].1 < self.starts[next].1) {
                    next = i;
                }
                i += 1;
            }
            shown[next] = true;
            if n > 0 {
                out.push("\n");
            }
            let (start, at) = self.starts[next];
            let end = if next + 1 < self.count { self.starts[next + 1].0 } else { self.text.len };
            let mut line_end = start;
            while line_end < end && self.text.bytes[line_end] != b'\n' {
                line_end += 1;
            }
            let place = Place::of(source.as_bytes(), at);
            out.push("ERROR: <input>:");
            out.push_number(place.line);
            out.push(":");
            out.push_number(place.column + 1);
            out.push(": ");
            out.push_bytes(&self.text.bytes, start, line_end);
            place.snippet(source.as_bytes(), out);
            out.push_bytes(&self.text.bytes, line_end, end);
            n += 1;
        }
    }
}

/// A line and column, and where the line begins in bytes.
struct Place {
    line: u32,
    column: u32,
    line_start: usize,
}

impl Place {
    const fn of(source: &[u8], offset: u16) -> Self {
        let mut place = Self { line: 1, column: 0, line_start: 0 };
        let mut left = if offset == NOWHERE { 0 } else { offset };
        let mut i = 0;
        while i < source.len() && left > 0 {
            i += 1;
            if source[i - 1] == b'\n' {
                place = Self { line: place.line + 1, column: 0, line_start: i };
                left -= 1;
            } else if i == source.len() || !is_continuation(source[i]) {
                place.column += 1;
                left -= 1;
            }
        }
        place
    }

    const fn snippet(&self, source: &[u8], out: &mut Text) {
        let mut end = self.line_start;
        out.push("\n | ");
        while end < source.len() && source[end] != b'\n' {
            if source[end] == b'\t' {
                out.push(" ");
            } else {
                out.push_bytes(source, end, end + 1);
            }
            end += 1;
        }
        out.push("\n | ");
        let mut column = 0;
        let mut i = self.line_start;
        while column < self.column && i < end {
            out.push(if source[i].is_ascii() { "." } else { "\u{ff0e}" });
            i += 1;
            while i < end && is_continuation(source[i]) {
                i += 1;
            }
            column += 1;
        }
        out.push(if i >= end || source[i].is_ascii() { "^" } else { "\u{ff3e}" });
    }
}

/// Whether a byte continues a character of UTF-8.
const fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}
