//! Follows paths through shapes.
//!
//! A step is an error only if no object of the type can have the field.

use super::equal;
use super::message::{Message, Path, kind};
use crate::builder::Step;
use crate::crd_schema::{FieldPresence, FieldShape, Shape, ShapeKind};

/// What a rule reads, which may be absent or not: whether rustc warns. Derived code implements a trait for
/// `ReadOf<true>`, whose constant is deprecated.
#[derive(Debug)]
pub struct ReadOf<const MAY_BE_ABSENT: bool>;

impl ReadOf<false> {
    /// What the deprecated constant is for the other type.
    pub const READ_WITHOUT_HAS: () = ();
}

/// Whether an object may be without the field at the end of a path, in which `[]` is an element of a list or a value of
/// a map. Only fields of derived structs count, because the tag of an enum tells which of its fields an object has.
#[must_use]
pub const fn may_be_absent(mut shape: &Shape, path: &[&str]) -> bool {
    let mut at = 0;
    while at < path.len() {
        if equal(path[at].as_bytes(), b"[]") {
            shape = match shape.items {
                Some(items) => items,
                None => return false,
            };
        } else {
            let Some(field) = field_of_struct(shape, path[at]) else { return false };
            if at + 1 == path.len() {
                return matches!(field.presence, FieldPresence::Optional);
            }
            shape = field.shape;
        }
        at += 1;
    }
    false
}

/// Returns a field of a derived struct, or of a struct that is flattened into it.
const fn field_of_struct<'a>(shape: &'a Shape, name: &str) -> Option<&'a FieldShape> {
    if !matches!(shape.kind, ShapeKind::Object) || !shape.variants.is_empty() {
        return None;
    }
    each!(shape.fields, |field| {
        if !field.name.is_empty() {
            // The fields that an enum has of its own, such as its tag, have no schema.
            if equal(field.name.as_bytes(), name.as_bytes()) && field.schema.is_some() {
                return Some(field);
            }
        } else if matches!(field.presence, FieldPresence::Required)
            && let Some(found) = field_of_struct(field.shape, name)
        {
            return Some(found);
        }
    });
    None
}

/// The result of looking up a field.
pub(super) enum FieldLookup<'a> {
    /// A field. `sure` is false if only some variants of an enum have it.
    One { shape: &'a Shape, presence: FieldPresence, sure: bool },
    /// A field without a known shape.
    Open,
    /// No field.
    Nothing,
    /// The value is not an object.
    NoObject,
}

/// Looks up a field.
pub(super) const fn find<'a>(shape: &'a Shape, name: &str) -> FieldLookup<'a> {
    match shape.kind {
        ShapeKind::Any | ShapeKind::Opaque => return FieldLookup::Open,
        ShapeKind::Map => {
            return match shape.items {
                Some(shape) => {
                    FieldLookup::One { shape, presence: FieldPresence::Optional, sure: true }
                }
                None => FieldLookup::Open,
            };
        }
        ShapeKind::Object | ShapeKind::Union => {}
        _ => return FieldLookup::NoObject,
    }
    let mut open = shape.open;
    each!(shape.fields, |field| {
        if field.name.is_empty() {
            match find(field.shape, name) {
                FieldLookup::One { shape, presence, sure }
                    if !matches!(field.shape.kind, ShapeKind::Map) =>
                {
                    let presence = match field.presence {
                        FieldPresence::Required => presence,
                        _ => FieldPresence::Optional,
                    };
                    return FieldLookup::One { shape, presence, sure };
                }
                FieldLookup::One { .. } | FieldLookup::Open => open = true,
                // A flattened enum without content has fields with the names of its variants.
                FieldLookup::NoObject if field.shape.units => open = true,
                FieldLookup::Nothing | FieldLookup::NoObject => {}
            }
        } else if equal(field.name.as_bytes(), name.as_bytes()) {
            return FieldLookup::One { shape: field.shape, presence: field.presence, sure: true };
        }
    });
    let mut found = FieldLookup::Nothing;
    each!(shape.variants, |variant| {
        found = match (found, find(variant, name)) {
            // It is not known which variant an object is.
            (FieldLookup::One { .. }, FieldLookup::One { .. }) => FieldLookup::Open,
            (FieldLookup::One { shape, presence, .. }, _)
            | (_, FieldLookup::One { shape, presence, .. }) => {
                FieldLookup::One { shape, presence, sure: false }
            }
            (FieldLookup::Open, _) | (_, FieldLookup::Open) => FieldLookup::Open,
            // If another variant is not an object, the server keeps all fields.
            (_, FieldLookup::NoObject) if matches!(shape.kind, ShapeKind::Union) => {
                FieldLookup::Open
            }
            (found, _) => found,
        };
    });
    match found {
        FieldLookup::Nothing if open => FieldLookup::Open,
        found => found,
    }
}

/// The end of a path.
pub(super) enum Reached<'a> {
    /// A known shape.
    Shape(&'a Shape),
    /// A value without a known shape.
    Open,
}

/// Follows a path.
///
/// # Panics
/// If a step leads nowhere, such as to a field that does not exist; the message names the step.
#[track_caller]
pub(super) const fn walk<'a>(root: &'a Shape, path: &Path<'_>) -> Reached<'a> {
    let mut shape = root;
    let mut in_map = false;
    let mut at = 0;
    while at < path.steps.len() {
        let next = match path.steps[at] {
            Step::Field(name) => match find(shape, name) {
                FieldLookup::One { shape: next, .. } => Reached::Shape(next),
                FieldLookup::Open => Reached::Open,
                FieldLookup::Nothing => no_field(shape, name, path, at),
                FieldLookup::NoObject => no_object(shape, name, path, at, in_map),
            },
            Step::Item(text) => items(shape, text, path, at),
            Step::Filter(text, conditions) => {
                let items = items(shape, text, path, at);
                if let Reached::Shape(items) = items {
                    let mut condition = 0;
                    while condition < conditions.len() {
                        let steps = conditions[condition];
                        walk(items, &Path { steps, from: "the items", ..*path });
                        condition += 1;
                    }
                }
                items
            }
            Step::Every => match (shape.kind, shape.items) {
                (ShapeKind::List | ShapeKind::Set | ShapeKind::Map, Some(items)) => {
                    Reached::Shape(items)
                }
                _ => Reached::Open,
            },
            Step::Stop(_) => Reached::Open,
        };
        in_map = matches!((path.steps[at], shape.kind), (Step::Field(_), ShapeKind::Map));
        shape = match next {
            Reached::Shape(next) => next,
            Reached::Open => return Reached::Open,
        };
        at += 1;
    }
    Reached::Shape(shape)
}

/// Returns the elements of a list.
#[track_caller]
const fn items<'a>(shape: &'a Shape, text: &str, path: &Path<'_>, at: usize) -> Reached<'a> {
    match shape.kind {
        ShapeKind::List | ShapeKind::Set => match shape.items {
            Some(items) => Reached::Shape(items),
            None => Reached::Open,
        },
        ShapeKind::Any | ShapeKind::Opaque | ShapeKind::Union => Reached::Open,
        _ => Message::about(path, at)
            .text(" is {}, but `{}` selects from a list", &[kind(shape), text])
            .fail(),
    }
}

#[track_caller]
const fn no_field(shape: &Shape, name: &str, path: &Path<'_>, at: usize) -> ! {
    Message::of_attribute(path)
        .text("there is no field `{}` in ", &[name])
        .path(path, at)
        .fields(shape, name)
        .fail()
}

#[track_caller]
const fn no_object(shape: &Shape, name: &str, path: &Path<'_>, at: usize, in_map: bool) -> ! {
    let rest = match shape.kind {
        _ if in_map => "; a dot in a key is written `\\.`",
        ShapeKind::List | ShapeKind::Set => {
            "; only printer columns can address list elements, with `[0]` or `[*]`"
        }
        _ => "",
    };
    let parts = [kind(shape), name, rest];
    Message::about(path, at).text(" is {} and has no field `{}`{}", &parts).fail()
}
