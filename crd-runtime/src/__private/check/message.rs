//! Text that is put together while rustc evaluates a constant, where there is no `format!`.

use super::walk::{Path, Step};
use crate::crd_schema::{FieldShape, Kind, Shape};

/// The longest message, in bytes; what is beyond is left out.
const MAX_BYTES: usize = 2048;
/// How many bytes of names are compared for a hint.
const MAX_NAME_BYTES: usize = 64;

/// A message in the making.
pub(super) struct Message {
    buffer: [u8; MAX_BYTES],
    length: usize,
}

impl Message {
    pub(super) const fn new() -> Self {
        Self { buffer: [0; MAX_BYTES], length: 0 }
    }

    /// Ends the evaluation with this text, as an error where a caller's caller stands that is not
    /// `#[track_caller]`.
    #[track_caller]
    pub(super) const fn fail(&self) -> ! {
        let mut end = self.length;
        // A limit may have cut a character.
        while end > 0 && core::str::from_utf8(self.buffer.split_at(end).0).is_err() {
            end -= 1;
        }
        match core::str::from_utf8(self.buffer.split_at(end).0) {
            Ok(text) => panic!("{}", text),
            Err(_) => panic!("a mistake"),
        }
    }

    pub(super) const fn push(mut self, text: &str) -> Self {
        self.add(text);
        self
    }

    pub(super) const fn add(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() && self.length < MAX_BYTES {
            self.buffer[self.length] = bytes[at];
            self.length += 1;
            at += 1;
        }
    }

    /// The path up to a step, in backticks; what it starts from where there is none.
    pub(super) const fn path(mut self, path: &Path<'_>, length: usize) -> Self {
        if length == 0 {
            return self.push(path.from);
        }
        let steps = path.steps;
        self.add("`");
        let mut at = 0;
        while at < length {
            match steps[at] {
                Step::Field(name) => {
                    self.add(".");
                    self.add_escaped(name);
                }
                Step::Item(text) | Step::Filter(text, _) | Step::Stop(text) => self.add(text),
                Step::Every => self.add(".*"),
            }
            at += 1;
        }
        self.push("`")
    }

    /// A name as a path has it: with a backslash before its dots.
    const fn add_escaped(&mut self, name: &str) {
        let bytes = name.as_bytes();
        let mut at = 0;
        while at < bytes.len() && self.length + 1 < MAX_BYTES {
            if matches!(bytes[at], b'.' | b'[' | b']') {
                self.buffer[self.length] = b'\\';
                self.length += 1;
            }
            self.buffer[self.length] = bytes[at];
            self.length += 1;
            at += 1;
        }
    }

    /// What a shape is, with its article.
    pub(super) const fn kind(self, shape: &Shape) -> Self {
        self.push(match shape.kind {
            Kind::Object => "an object",
            Kind::Map => "a map",
            Kind::List | Kind::Set => "a list",
            Kind::String => "a string",
            Kind::Enum => "a string of an enumeration",
            Kind::Integer => "an integer",
            Kind::Number => "a number",
            Kind::Boolean => "a boolean",
            Kind::IntOrString => "an integer or string",
            Kind::Null => "nothing but `null`",
            Kind::Any | Kind::Opaque => "any JSON",
            Kind::Union => "one of several types",
        })
    }

    /// What several of a shape are.
    pub(super) const fn kinds(self, shape: &Shape) -> Self {
        self.push(match shape.kind {
            Kind::Object => "objects",
            Kind::Map => "maps",
            Kind::List | Kind::Set => "lists",
            Kind::String | Kind::Enum => "strings",
            Kind::Integer => "integers",
            Kind::Number => "numbers",
            Kind::Boolean => "booleans",
            Kind::IntOrString => "integers or strings",
            Kind::Null => "nothing but `null`",
            Kind::Any | Kind::Opaque => "any JSON",
            Kind::Union => "of several types",
        })
    }

    /// The names of a shape's fields, and the nearest of them to `name` as a question.
    pub(super) const fn fields(mut self, shape: &Shape, name: &str) -> Self {
        let mut count = 0;
        self.add_names(shape, &mut count);
        if count == 0 {
            return self.push(", which has no fields");
        }
        let mut nearest = Nearest::to(name);
        nearest.look(shape);
        nearest.hint(&mut self);
        self
    }

    const fn add_names(&mut self, shape: &Shape, count: &mut usize) {
        let mut at = 0;
        while at < shape.fields.len() {
            let field: &FieldShape = &shape.fields[at];
            if field.name.is_empty() {
                self.add_names(field.shape, count);
            } else {
                self.add_listed(field.name, *count, ", which has `");
                *count += 1;
            }
            at += 1;
        }
        at = 0;
        while at < shape.variants.len() {
            self.add_names(&shape.variants[at], count);
            at += 1;
        }
    }

    const fn add_listed(&mut self, name: &str, count: usize, first: &str) {
        self.add(if count == 0 { first } else { ", `" });
        self.add(name);
        self.add("`");
    }

    /// Strings that may occur, and the nearest of them to `name` as a question.
    pub(super) const fn values(mut self, values: &[&str], name: &str) -> Self {
        let mut at = 0;
        while at < values.len() {
            self.add_listed(values[at], at, ", which has `");
            at += 1;
        }
        let mut nearest = Nearest::to(name);
        at = 0;
        while at < values.len() {
            nearest.consider(values[at]);
            at += 1;
        }
        nearest.hint(&mut self);
        self
    }
}

/// The name that is nearest to another.
struct Nearest<'a> {
    name: &'a str,
    found: &'a str,
    distance: usize,
}

impl<'a> Nearest<'a> {
    const fn to(name: &'a str) -> Self {
        // A third of the letters may differ.
        let third = name.len() / 3;
        Self { name, found: "", distance: if third > 2 { third + 1 } else { 3 } }
    }

    const fn look(&mut self, shape: &'a Shape) {
        let mut at = 0;
        while at < shape.fields.len() {
            let field = &shape.fields[at];
            if field.name.is_empty() {
                self.look(field.shape);
            } else {
                self.consider(field.name);
            }
            at += 1;
        }
        at = 0;
        while at < shape.variants.len() {
            self.look(&shape.variants[at]);
            at += 1;
        }
    }

    const fn consider(&mut self, other: &'a str) {
        let distance = distance(self.name.as_bytes(), other.as_bytes());
        if distance < self.distance {
            self.distance = distance;
            self.found = other;
        }
    }

    const fn hint(&self, message: &mut Message) {
        if !self.found.is_empty() {
            message.add("; did you mean `");
            message.add(self.found);
            message.add("`?");
        }
    }
}

/// Levenshtein's distance of bytes, whatever their case. Long names are as far as can be.
const fn distance(a: &[u8], b: &[u8]) -> usize {
    if b.len() > MAX_NAME_BYTES || a.len() > MAX_NAME_BYTES {
        return usize::MAX;
    }
    let mut row = [0; MAX_NAME_BYTES + 1];
    let mut column = 0;
    while column <= b.len() {
        row[column] = column;
        column += 1;
    }
    let mut line = 0;
    while line < a.len() {
        let mut diagonal = row[0];
        row[0] = line + 1;
        column = 0;
        while column < b.len() {
            let same = a[line].eq_ignore_ascii_case(&b[column]);
            let change = if same { diagonal } else { diagonal + 1 };
            diagonal = row[column + 1];
            let side = if diagonal < row[column] { diagonal + 1 } else { row[column] + 1 };
            row[column + 1] = if change < side { change } else { side };
            column += 1;
        }
        line += 1;
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (a, b, want) in [
            ("", "", 0),
            ("a", "", 1),
            ("", "ab", 2),
            ("replcas", "replicas", 1),
            ("ab", "ba", 2),
            ("labelselector", "labelSelector", 0),
        ] {
            assert_eq!(distance(a.as_bytes(), b.as_bytes()), want, "{a} {b}");
        }
    }
}
