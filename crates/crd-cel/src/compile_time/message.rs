//! The text of an error, in a buffer of a fixed size and with cel-go's layout of issues.

use super::basic;
use super::code::NOWHERE;
use super::declared::Declared;
use super::fuel::{Fuel, REPORT};
use super::names::Names;
use super::site::Site;
use super::text::equal;
use super::types::{Type, Types};

/// The longest text, in bytes. A longer one is cut.
const MAX_TEXT: usize = 6144;
/// The largest number of issues that are shown at a time.
const MAX_ISSUES: usize = 8;
pub(super) type Text = super::text::Text<MAX_TEXT>;

/// Whether a text is the name of a function. A description has spaces.
const fn is_name(text: &str) -> bool {
    let mut i = 0;
    while i < text.len() {
        if text.as_bytes()[i] == b' ' {
            return false;
        }
        i += 1;
    }
    true
}

impl Text {
    /// Writes that `what`, the name of a function or a description, needs a newer server than the kind's oldest one.
    pub(super) const fn push_need(&mut self, what: &str, since: u32, oldest: u32) {
        // The macro `sortBy` expands to this function.
        let what = if equal(what.as_bytes(), b"@sortByAssociatedKeys") { "sortBy" } else { what };
        let quote = if is_name(what) { "`" } else { "" };
        self.push(quote);
        self.push(what);
        self.push(quote);
        self.push(" needs Kubernetes 1.");
        self.push_int(since as i128);
        self.push("; this kind is for 1.");
        self.push_int(oldest as i128);
        self.push(" and later");
    }

    /// Writes a type as cel-go prints it; a free variable is `dyn`.
    pub(super) const fn push_type(&mut self, types: &Types<'_>, ty: Type, depth: u32) {
        if depth > 20 {
            self.push("..");
            return;
        }
        match ty {
            Type::Basic(code) => {
                self.push(if code == basic::FREE { "dyn" } else { basic::name(code) });
            }
            Type::Object(object, _) => self.push(types.name_of(object)),
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

    /// Writes the name of a type as cel-go's evaluator prints it.
    ///
    /// Source: cel-go `common/types/types.go`, `Type.TypeName`.
    pub(super) const fn push_runtime_name(&mut self, types: &Types<'_>, ty: Type) {
        match ty {
            Type::Basic(basic::NULL) => self.push("null_type"),
            Type::Basic(basic::DURATION) => self.push("google.protobuf.Duration"),
            Type::Basic(basic::TIMESTAMP) => self.push("google.protobuf.Timestamp"),
            Type::Basic(code) if code != basic::FREE => self.push(basic::name(code)),
            Type::Object(object, _) => self.push(types.name_of(object)),
            Type::List(_) => self.push("list"),
            Type::Map(..) => self.push("map"),
            Type::Optional(_) => self.push("optional_type"),
            Type::Meta(_) => self.push("type"),
            Type::Basic(_) | Type::Var(_) => self.push("dyn"),
        }
    }

    const fn push_wrapped(&mut self, types: &Types<'_>, name: &str, inner: u16, depth: u32) {
        self.push(name);
        self.push_type(types, types.node(inner), depth + 1);
        self.push(")");
    }

    /// Writes the members of an enumeration, or of all alternatives of a site, and asks whether the most similar one
    /// was meant.
    pub(super) const fn push_members(&mut self, types: &Types<'_>, enums: Site, text: &str) {
        let mut names = Names::<MAX_NAMES>::near(text);
        let mut n = 0;
        while n < enums.count() {
            let Declared::Enum(members) = types.nth(enums, n) else { return };
            let mut i = 0;
            while i < members.len() {
                names.add(members[i]);
                i += 1;
            }
            n += 1;
        }
        self.push(", which has ");
        self.push_names(names.listed());
        if !names.nearest.is_empty() {
            self.push("; did you mean `");
            self.push(names.nearest);
            self.push("`?");
        }
    }

    /// Writes a hint for an undefined field: a similar name, or the available fields.
    pub(super) const fn push_similar(&mut self, types: &Types<'_>, object: Site, name: &str) {
        let mut names = Names::<MAX_NAMES>::near(name);
        let mut i = 0;
        while i < object.count() {
            add_fields(&mut names, types.nth(object, i), 0);
            i += 1;
        }
        if !names.nearest.is_empty() {
            self.push("help: a field with a similar name exists: `");
            self.push(names.nearest);
            self.push("`");
        } else if names.listed().is_empty() {
            self.push("note: rules can see no fields here");
        } else {
            self.push("note: available fields are: ");
            self.push_names(names.listed());
        }
    }
}

/// The largest number of names that an error lists.
const MAX_NAMES: usize = 128;

/// Adds the names of an object's fields.
const fn add_fields(names: &mut Names<'_, MAX_NAMES>, within: &'static Declared, depth: u32) {
    if depth == 8 {
        return;
    }
    let mut i = 0;
    match within {
        Declared::Object(object) => {
            while i < object.fields.len() {
                let field = &object.fields[i];
                if field.name.is_empty() {
                    add_fields(names, field.of, depth + 1);
                } else {
                    names.add(field.name);
                }
                i += 1;
            }
        }
        Declared::Keyed(keys, _) => {
            while i < keys.len() {
                names.add(keys[i]);
                i += 1;
            }
        }
        Declared::OneOf(parts) => {
            while i < parts.len() {
                add_fields(names, &parts[i], depth + 1);
                i += 1;
            }
        }
        _ => {}
    }
}

/// The issues of one expression, each a part of one text.
pub(super) struct Issues {
    pub(super) text: Text,
    /// The start of each part, and its offset in the expression.
    starts: [(usize, u16); MAX_ISSUES],
    pub(super) count: usize,
}

impl Issues {
    pub(super) const fn new() -> Self {
        Self { text: Text::new(), starts: [(0, 0); MAX_ISSUES], count: 0 }
    }

    /// Drops all but the first `count` issues.
    pub(super) const fn keep(&mut self, count: usize) {
        if count < self.count {
            self.text.len = self.starts[count].0;
            self.count = count;
        }
    }

    /// Begins an issue; `false` if there are [`MAX_ISSUES`] already.
    pub(super) const fn begin(&mut self, at: u16) -> bool {
        if self.count == MAX_ISSUES {
            return false;
        }
        self.starts[self.count] = (self.text.len, at);
        self.count += 1;
        true
    }

    /// The offset of the first issue in the expression, in code points; 0 if there is none, or it has no position.
    pub(super) const fn first(&self) -> u16 {
        let (mut first, mut n) = (NOWHERE, 0);
        while n < self.count {
            if self.starts[n].1 < first {
                first = self.starts[n].1;
            }
            n += 1;
        }
        if first == NOWHERE { 0 } else { first }
    }

    /// Writes all issues sorted by position, in the order of cel-go's `Errors.ToDisplayString`, each with its line and a
    /// caret in place of cel-go's `ERROR: <input>:1:5`. The lines after the first one of an issue are advice, and are
    /// written below the caret.
    pub(super) const fn print(&self, source: &str, out: &mut Text) {
        let mut shown = [false; MAX_ISSUES];
        // Printing an issue takes some fuel for each byte of the source.
        let mut fuel = Fuel::new(REPORT);
        let mut n = 0;
        while n < self.count && (fuel.spend(12 * source.len()) || n == 0) {
            let mut next = MAX_ISSUES;
            let mut i = 0;
            while i < self.count {
                if !shown[i] && (next == MAX_ISSUES || self.starts[i].1 < self.starts[next].1) {
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
            let position = SourcePosition::of(source.as_bytes(), at);
            out.push_bytes(&self.text.bytes, start, line_end);
            position.snippet(source.as_bytes(), out);
            out.push_bytes(&self.text.bytes, line_end, end);
            n += 1;
        }
    }
}

/// A column in code points from 0, and the offset of the line in bytes.
struct SourcePosition {
    column: u32,
    line_start: usize,
}

impl SourcePosition {
    const fn of(source: &[u8], offset: u16) -> Self {
        let mut position = Self { column: 0, line_start: 0 };
        let mut left = if offset == NOWHERE { 0 } else { offset };
        let mut i = 0;
        while i < source.len() && left > 0 {
            i += 1;
            if source[i - 1] == b'\n' {
                position = Self { column: 0, line_start: i };
                left -= 1;
            } else if i == source.len() || !is_continuation(source[i]) {
                position.column += 1;
                left -= 1;
            }
        }
        position
    }

    /// Writes the line, and a caret below the column.
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

/// Panics with a text as the message.
#[track_caller]
pub(super) const fn fail(text: &Text) -> ! {
    panic!("{}", text.as_str())
}
