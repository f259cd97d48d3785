//! Builds the text of an error while rustc evaluates a constant, in which `format!` is not available.

use crd_cel::compile_time::{Names, Text};

use crate::builder::Step;
use crate::crd_schema::{Shape, ShapeKind};

/// A path, and the words for it in messages.
#[derive(Clone, Copy)]
pub(super) struct Path<'a> {
    pub(super) steps: &'a [Step],
    /// The value in which the path starts, such as a type.
    pub(super) from: &'a str,
    /// The attribute that has it, if that is of another type.
    pub(super) of: &'a str,
    /// The file and line of that type.
    pub(super) place: &'a &'a str,
}

impl<'a> Path<'a> {
    /// A path from the root of an object, or of the value of a rule.
    pub(super) const fn new(steps: &'a [Step]) -> Self {
        Self { steps, from: "the object", of: "", place: &"" }
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
    kind_and_kinds(shape).0
}

/// The kind of a shape in the plural.
pub(super) const fn kinds(shape: &Shape) -> &'static str {
    kind_and_kinds(shape).1
}

const fn kind_and_kinds(shape: &Shape) -> (&'static str, &'static str) {
    match shape.kind {
        ShapeKind::Object => ("an object", "objects"),
        ShapeKind::Map => ("a map", "maps"),
        ShapeKind::List | ShapeKind::Set => ("a list", "lists"),
        ShapeKind::String => ("a string", "strings"),
        ShapeKind::Enum => ("a string of an enumeration", "strings"),
        ShapeKind::Integer => ("an integer", "integers"),
        ShapeKind::Number => ("a number", "numbers"),
        ShapeKind::Boolean => ("a boolean", "booleans"),
        ShapeKind::IntOrString => ("an integer or string", "integers or strings"),
        ShapeKind::Null => ("nothing but `null`", "nothing but `null`"),
        ShapeKind::Any | ShapeKind::Opaque => ("any JSON", "any JSON"),
        ShapeKind::Union => ("one of several types", "of several types"),
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
        Self::of_attribute(path).path(path, at)
    }

    /// Begins with the attribute that has a path, if it is of another type.
    pub(super) const fn of_attribute(path: &Path<'_>) -> Self {
        if path.of.is_empty() {
            return Self::new();
        }
        let (open, close) = if path.place.is_empty() { ("", ": ") } else { (" (", "): ") };
        Self::of("{}{}{}{}", &[path.of, open, path.place, close])
    }

    /// Ends the evaluation with this text. The error is at the call of the first caller that is not
    /// `#[track_caller]`.
    #[track_caller]
    pub(super) const fn fail(&self) -> ! {
        panic!("{}", self.0.as_str())
    }

    pub(super) const fn as_str(&self) -> &str {
        self.0.as_str()
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
    pub(super) const fn fields(self, shape: &Shape, name: &str) -> Self {
        let mut names = Names::near(name);
        add_fields(&mut names, shape);
        if names.listed().is_empty() {
            return self.push(", which has no fields");
        }
        self.names(&names)
    }

    /// Adds the string of an enumeration, or of the enumerations among the variants of a union, that is most similar to
    /// `name` as a question, or else the strings.
    pub(super) const fn values(self, shape: &Shape, name: &str) -> Self {
        let mut names = Names::near(name);
        add_values(&mut names, shape);
        if names.listed().is_empty() { self } else { self.names(&names) }
    }

    const fn names(mut self, names: &Names<'_, MAX_LISTED>) -> Self {
        if !names.nearest.is_empty() {
            return self.text("; did you mean `{}`?", &[names.nearest]);
        }
        self.add(", which has ");
        self.0.push_names(names.listed());
        if names.left_out > 0 {
            return self.push(" and ").int(names.left_out as i128).push(" others");
        }
        self
    }

    /// Adds an integer.
    pub(super) const fn int(mut self, value: i128) -> Self {
        self.0.push_int(value);
        self
    }
}

/// The most names that a message lists.
const MAX_LISTED: usize = 16;

const fn add_fields<'a>(names: &mut Names<'a, MAX_LISTED>, shape: &'a Shape) {
    each!(shape.fields, |field| {
        if field.name.is_empty() {
            add_fields(names, field.shape);
        } else {
            names.add(field.name);
        }
    });
    each!(shape.variants, |variant| {
        add_fields(names, variant);
    });
}

const fn add_values<'a>(names: &mut Names<'a, MAX_LISTED>, shape: &'a Shape) {
    each!(shape.values, |value| {
        names.add(value);
    });
    if matches!(shape.kind, ShapeKind::Union) {
        each!(shape.variants, |variant| {
            add_values(names, variant);
        });
    }
}
