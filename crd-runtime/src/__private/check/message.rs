//! Builds the text of an error while rustc evaluates a constant, in which `format!` is not available.

use crd_cel::compile_time::{Text, distance, equal, is_similar};

use crate::builder::Step;
use crate::crd_schema::{FieldShape, Shape, ShapeKind};

/// A path, and the words for it in messages.
#[derive(Clone, Copy)]
pub(super) struct Path<'a> {
    pub(super) steps: &'a [Step],
    /// The value in which the path starts, such as a type.
    pub(super) from: &'a str,
    /// The beginning of each message about it.
    pub(super) prefix: &'a str,
}

impl<'a> Path<'a> {
    /// A path from the root of an object, or of the value of a rule.
    pub(super) const fn new(steps: &'a [Step]) -> Self {
        Self { steps, from: "the object", prefix: "" }
    }
}

/// The longest message, in bytes. The rest is cut off.
const MAX_BYTES: usize = 2048;

/// A message under construction.
pub(super) struct Message(Text<MAX_BYTES>);

impl Message {
    pub(super) const fn new() -> Self {
        Self(Text::new())
    }

    /// Begins a message about the step `at` of a path.
    pub(super) const fn about(path: &Path<'_>, at: usize) -> Self {
        Self::new().push(path.prefix).path(path, at)
    }

    /// Ends the evaluation with this text. The error is at the call of the first caller that is not
    /// `#[track_caller]`.
    #[track_caller]
    pub(super) const fn fail(&self) -> ! {
        panic!("{}", self.0.as_str())
    }

    pub(super) const fn push(mut self, text: &str) -> Self {
        self.add(text);
        self
    }

    pub(super) const fn add(&mut self, text: &str) {
        self.0.push(text);
    }

    /// Adds the first `length` steps of a path in backticks, or the value in which it starts if `length` is 0.
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

    /// Adds a name as in a path: with a backslash before each dot and bracket.
    const fn add_escaped(&mut self, name: &str) {
        let bytes = name.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            if matches!(bytes[at], b'.' | b'[' | b']') {
                self.add("\\");
            }
            self.0.push_bytes(bytes, at, at + 1);
            at += 1;
        }
    }

    /// Adds the kind of a shape, with its article.
    pub(super) const fn kind(self, shape: &Shape) -> Self {
        self.push(match shape.kind {
            ShapeKind::Object => "an object",
            ShapeKind::Map => "a map",
            ShapeKind::List | ShapeKind::Set => "a list",
            ShapeKind::String => "a string",
            ShapeKind::Enum => "a string of an enumeration",
            ShapeKind::Integer => "an integer",
            ShapeKind::Number => "a number",
            ShapeKind::Boolean => "a boolean",
            ShapeKind::IntOrString => "an integer or string",
            ShapeKind::Null => "nothing but `null`",
            ShapeKind::Any | ShapeKind::Opaque => "any JSON",
            ShapeKind::Union => "one of several types",
        })
    }

    /// Adds the kind of a shape in the plural.
    pub(super) const fn kinds(self, shape: &Shape) -> Self {
        self.push(match shape.kind {
            ShapeKind::Object => "objects",
            ShapeKind::Map => "maps",
            ShapeKind::List | ShapeKind::Set => "lists",
            ShapeKind::String | ShapeKind::Enum => "strings",
            ShapeKind::Integer => "integers",
            ShapeKind::Number => "numbers",
            ShapeKind::Boolean => "booleans",
            ShapeKind::IntOrString => "integers or strings",
            ShapeKind::Null => "nothing but `null`",
            ShapeKind::Any | ShapeKind::Opaque => "any JSON",
            ShapeKind::Union => "of several types",
        })
    }

    /// Adds the names of a shape's fields, and the most similar one to `name` as a question.
    pub(super) const fn fields(mut self, shape: &Shape, name: &str) -> Self {
        let (start, mut count) = (self.0.as_str().len(), 0);
        self.add_names(shape, start, &mut count);
        if count == 0 {
            return self.push(", which has no fields");
        }
        let mut nearest = Nearest::to(name);
        nearest.consider_fields(shape);
        nearest.hint(&mut self);
        self
    }

    /// Adds the names that the text after `start` does not contain yet: variants of an enum can have the same
    /// fields.
    const fn add_names(&mut self, shape: &Shape, start: usize, count: &mut usize) {
        let mut at = 0;
        while at < shape.fields.len() {
            let field: &FieldShape = &shape.fields[at];
            if field.name.is_empty() {
                self.add_names(field.shape, start, count);
            } else if !self.mentions(start, field.name) {
                self.add_listed(field.name, *count, ", which has `");
                *count += 1;
            }
            at += 1;
        }
        at = 0;
        while at < shape.variants.len() {
            self.add_names(&shape.variants[at], start, count);
            at += 1;
        }
    }

    /// Whether the text after `start` contains the name in backticks.
    const fn mentions(&self, start: usize, name: &str) -> bool {
        let (text, name) = (self.0.as_str().as_bytes(), name.as_bytes());
        let mut at = start;
        while at + name.len() + 2 <= text.len() {
            let (_, rest) = text.split_at(at + 1);
            let (word, after) = rest.split_at(name.len());
            if text[at] == b'`' && after[0] == b'`' && equal(word, name) {
                return true;
            }
            at += 1;
        }
        false
    }

    const fn add_listed(&mut self, name: &str, count: usize, first: &str) {
        self.add(if count == 0 { first } else { ", `" });
        self.add(name);
        self.add("`");
    }

    /// Adds an integer.
    pub(super) const fn int(mut self, value: i64) -> Self {
        let mut digits = [0; 20];
        let mut start = digits.len();
        let mut rest = value.unsigned_abs();
        loop {
            start -= 1;
            digits[start] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        if value < 0 {
            self.add("-");
        }
        self.0.push_bytes(&digits, start, digits.len());
        self
    }

    /// Adds the strings of an enumeration, or of the enumerations among the variants of a union, and the most similar
    /// one to `name` as a question.
    pub(super) const fn values(mut self, shape: &Shape, name: &str) -> Self {
        let (mut nearest, mut count) = (Nearest::to(name), 0);
        self.add_values(shape, &mut count, &mut nearest);
        nearest.hint(&mut self);
        self
    }

    const fn add_values<'a>(
        &mut self,
        shape: &'a Shape,
        count: &mut usize,
        nearest: &mut Nearest<'a>,
    ) {
        self.list(shape.values, count, ", which has `", nearest);
        let mut at = 0;
        while matches!(shape.kind, ShapeKind::Union) && at < shape.variants.len() {
            self.add_values(&shape.variants[at], count, nearest);
            at += 1;
        }
    }

    /// As [`Message::values`], for a text that ends with a verb: adds the list without `, which has`.
    pub(super) const fn listed(mut self, values: &[&str], name: &str) -> Self {
        let mut nearest = Nearest::to(name);
        self.list(values, &mut 0, " `", &mut nearest);
        nearest.hint(&mut self);
        self
    }

    const fn list<'a>(
        &mut self,
        values: &[&'a str],
        count: &mut usize,
        first: &str,
        nearest: &mut Nearest<'a>,
    ) {
        let mut at = 0;
        while at < values.len() {
            self.add_listed(values[at], *count, first);
            nearest.consider(values[at]);
            *count += 1;
            at += 1;
        }
    }
}

/// The name that is most similar to another.
struct Nearest<'a> {
    name: &'a str,
    found: &'a str,
    distance: usize,
}

impl<'a> Nearest<'a> {
    const fn to(name: &'a str) -> Self {
        Self { name, found: "", distance: usize::MAX }
    }

    const fn consider_fields(&mut self, shape: &'a Shape) {
        let mut at = 0;
        while at < shape.fields.len() {
            let field = &shape.fields[at];
            if field.name.is_empty() {
                self.consider_fields(field.shape);
            } else {
                self.consider(field.name);
            }
            at += 1;
        }
        at = 0;
        while at < shape.variants.len() {
            self.consider_fields(&shape.variants[at]);
            at += 1;
        }
    }

    const fn consider(&mut self, other: &'a str) {
        let distance = distance(self.name.as_bytes(), other.as_bytes());
        if distance < self.distance && is_similar(self.name, distance) {
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
