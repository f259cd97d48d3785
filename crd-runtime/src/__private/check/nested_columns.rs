//! Checks printer columns and selectable fields of nested types: each needs a JSON path, and headings must differ.

use super::equal;
use super::message::{Message, fail};
use crate::crd_schema::{CrdSchema, FieldShape, Shape, ShapeKind};

/// Checks that everything that needs a JSON path has one: that nothing in the lists and maps of a field needs a path,
/// and if `place` is not empty, that the field needs none either. `place` names what contains a field without a path,
/// such as `a variant`.
///
/// # Panics
/// If something needs a path and has none.
#[track_caller]
pub(super) const fn require_paths(shape: &Shape, place: &str) {
    if !place.is_empty()
        && let Some(name) = shape.needs_path
    {
        no_path(name, place);
    }
    let mut items = shape.items;
    while let Some(shape) = items {
        if let Some(name) = shape.needs_path {
            no_path(name, "a list or map");
        }
        items = shape.items;
    }
}

#[track_caller]
const fn no_path(name: &str, place: &str) -> ! {
    fail(
        "the field `{}` of this type has `print_column` or `selectable`, but in {} it has no path of its own; put it \
         on the kind, such as `print_column(name = \"..\", type = \"..\", path = \"..\")`",
        &[name, place],
    )
}

/// Checks that no two columns of fields of a kind have the same heading, or one of the kind's own headings (`own`).
///
/// # Panics
/// If two have.
#[track_caller]
pub const fn headings<T: CrdSchema>(own: &[&str]) {
    let shape: &'static Shape = const { &T::SHAPE };
    let count = count(shape);
    let mut at = 0;
    while at < count {
        let column = nth(shape, at, "");
        let mut before = 0;
        while before < own.len() {
            if let Some(column) = column
                && column.is_like(own[before], true)
            {
                same_heading(None, column);
            }
            before += 1;
        }
        before = 0;
        while before < at {
            if let (Some(a), Some(b)) = (nth(shape, before, ""), column)
                && b.is_like(a.text, a.given)
            {
                same_heading(Some(a), b);
            }
            before += 1;
        }
        at += 1;
    }
}

#[track_caller]
const fn same_heading(other: Option<Heading>, column: Heading) -> ! {
    let message = Message::of("two printer columns of this kind have the name `{}", &[column.text]);
    let message = match other {
        Some(other) => message.push("`, of the fields `").field(other).push("` and `"),
        None => message.push("`, one of the kind and one of the field `"),
    };
    message
        .field(column)
        .push("`; rename one with `name`, or write both on the kind, each with a `path`")
        .fail()
}

impl Message {
    /// Adds the field of a heading, below the field that holds it.
    const fn field(mut self, heading: Heading) -> Self {
        if !heading.within.is_empty() {
            self.add(heading.within);
            self.add(".");
        }
        self.push(heading.field)
    }
}

/// The heading of a field's column.
#[derive(Clone, Copy)]
struct Heading {
    text: &'static str,
    /// Whether an attribute gives the text; otherwise it is the field's name.
    given: bool,
    field: &'static str,
    /// The field of the type that has the field; empty for a field of the kind itself.
    within: &'static str,
}

impl Heading {
    /// Whether two headings are the same to kubectl, which prints them in upper case.
    const fn is_like(self, text: &str, given: bool) -> bool {
        let ignores_separators = !(self.given && given);
        let (a, b) = (self.text.as_bytes(), text.as_bytes());
        let (mut i, mut j) = (0, 0);
        loop {
            // A heading that is not given has spaces between the words of the field's name, so separators are ignored.
            while ignores_separators && i < a.len() && matches!(a[i], b'_' | b'-' | b'.' | b' ') {
                i += 1;
            }
            while ignores_separators && j < b.len() && matches!(b[j], b'_' | b'-' | b'.' | b' ') {
                j += 1;
            }
            if i == a.len() || j == b.len() {
                return i == a.len() && j == b.len();
            }
            if !a[i].eq_ignore_ascii_case(&b[j]) {
                return false;
            }
            i += 1;
            j += 1;
        }
    }
}

const fn count(shape: &Shape) -> usize {
    let mut count = 0;
    each!(shape.fields, |field| {
        count += field.printed.len();
        if descends(field) {
            count += self::count(field.shape);
        }
    });
    count
}

/// `within` is the field that holds the shape.
const fn nth(shape: &Shape, mut index: usize, within: &'static str) -> Option<Heading> {
    each!(shape.fields, |field| {
        if index < field.printed.len() {
            return Some(match field.printed[index].name {
                Some(text) => Heading { text, given: true, field: field.name, within },
                None => Heading { text: field.name, given: false, field: field.name, within },
            });
        }
        index -= field.printed.len();
        if descends(field) {
            let inside = count(field.shape);
            if index < inside {
                return nth(field.shape, index, field.name);
            }
            index -= inside;
        }
    });
    None
}

const fn descends(field: &FieldShape) -> bool {
    matches!(field.shape.kind, ShapeKind::Object) && !equal(field.name.as_bytes(), b"metadata")
}
