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

/// Ends the evaluation with a text in which each `{}` stands for the next of the parts. The error is at the call of the
/// first caller that is not `#[track_caller]`.
#[track_caller]
pub(super) const fn fail(text: &str, parts: &[&str]) -> ! {
    Message::of(text, parts).fail()
}

/// The kind of a shape, with its article.
pub(super) const fn kind(shape: &Shape) -> &'static str {
    match shape.kind {
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
    }
}

/// The kind of a shape in the plural.
pub(super) const fn kinds(shape: &Shape) -> &'static str {
    match shape.kind {
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
    }
}

impl Message {
    pub(super) const fn new() -> Self {
        Self(Text::new())
    }

    /// Begins with a text in which each `{}` stands for the next of the parts.
    pub(super) const fn of(text: &str, parts: &[&str]) -> Self {
        Self::new().text(text, parts)
    }

    /// Adds a text in which each `{}` stands for the next of the parts.
    pub(super) const fn text(mut self, text: &str, mut parts: &[&str]) -> Self {
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            if let ([b'{', b'}', ..], [part, rest @ ..]) = (bytes.split_at(at).1, parts) {
                self.add(part);
                parts = rest;
                at += 2;
            } else {
                self.0.push_bytes(bytes, at, at + 1);
                at += 1;
            }
        }
        self
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

    /// Adds the name of the field that is most similar to `name` as a question, or else the names of the fields.
    pub(super) const fn fields(mut self, shape: &Shape, name: &str) -> Self {
        let mut nearest = Nearest::to(name);
        nearest.consider_fields(shape);
        if nearest.hint(&mut self) {
            return self;
        }
        let mut names = Names { listed: [""; MAX_LISTED], count: 0, left_out: 0 };
        names.add_fields(shape);
        if names.count == 0 {
            return self.push(", which has no fields");
        }
        let mut at = 0;
        while at < names.count {
            self.add_listed(names.listed[at], at, ", which has `");
            at += 1;
        }
        if names.left_out > 0 {
            return self.push(" and ").int(names.left_out).push(" others");
        }
        self
    }

    pub(super) const fn add_listed(&mut self, name: &str, count: usize, first: &str) {
        self.add(if count == 0 { first } else { ", `" });
        self.add(name);
        self.add("`");
    }

    /// Adds an integer.
    pub(super) const fn int(mut self, value: i64) -> Self {
        self.0.push_int(value as i128);
        self
    }

    /// Adds the string of an enumeration, or of the enumerations among the variants of a union, that is most similar to
    /// `name` as a question, or else the strings.
    pub(super) const fn values(mut self, shape: &Shape, name: &str) -> Self {
        let mut nearest = Nearest::to(name);
        nearest.consider_values(shape);
        if !nearest.hint(&mut self) {
            self.add_values(shape, &mut 0);
        }
        self
    }

    const fn add_values(&mut self, shape: &Shape, count: &mut usize) {
        each!(shape.values, |value| {
            self.add_listed(value, *count, ", which has `");
            *count += 1;
        });
        if matches!(shape.kind, ShapeKind::Union) {
            each!(shape.variants, |variant| {
                self.add_values(variant, count);
            });
        }
    }
}

/// The most names that a message lists.
const MAX_LISTED: usize = 16;

/// Names of fields, each once: variants of an enum can have the same fields.
struct Names<'a> {
    listed: [&'a str; MAX_LISTED],
    count: usize,
    /// The number of names that are not listed.
    left_out: i64,
}

impl<'a> Names<'a> {
    const fn add_fields(&mut self, shape: &'a Shape) {
        each!(shape.fields, |field| {
            let field: &FieldShape = field;
            if field.name.is_empty() {
                self.add_fields(field.shape);
            } else {
                self.add(field.name);
            }
        });
        each!(shape.variants, |variant| {
            self.add_fields(variant);
        });
    }

    const fn add(&mut self, name: &'a str) {
        let mut at = 0;
        while at < self.count {
            if equal(self.listed[at].as_bytes(), name.as_bytes()) {
                return;
            }
            at += 1;
        }
        if self.count < MAX_LISTED {
            self.listed[self.count] = name;
            self.count += 1;
        } else {
            self.left_out += 1;
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
        each!(shape.fields, |field| {
            if field.name.is_empty() {
                self.consider_fields(field.shape);
            } else {
                self.consider(field.name);
            }
        });
        each!(shape.variants, |variant| {
            self.consider_fields(variant);
        });
    }

    const fn consider_values(&mut self, shape: &'a Shape) {
        each!(shape.values, |value| {
            self.consider(value);
        });
        if matches!(shape.kind, ShapeKind::Union) {
            each!(shape.variants, |variant| {
                self.consider_values(variant);
            });
        }
    }

    const fn consider(&mut self, other: &'a str) {
        // The distance is at least the difference of the lengths, and costs rustc much more.
        let difference = self.name.len().abs_diff(other.len());
        if difference >= self.distance || !is_similar(self.name, difference) {
            return;
        }
        let distance = distance(self.name.as_bytes(), other.as_bytes());
        if distance < self.distance && is_similar(self.name, distance) {
            self.distance = distance;
            self.found = other;
        }
    }

    /// Adds the name as a question, and returns whether there is one.
    const fn hint(&self, message: &mut Message) -> bool {
        if self.found.is_empty() {
            return false;
        }
        message.add("; did you mean `");
        message.add(self.found);
        message.add("`?");
        true
    }
}
