//! What the variants of an enum cannot have apart, because the schema has one property for all of them.

use super::message::Message;
use super::walk::{Found, find};
use crate::crd_schema::{FieldPresence, Kind, Shape};

/// Properties that variants share have one default, and lists admit `null` in all variants or in none.
///
/// # Panics
/// Where that is not so.
#[track_caller]
pub const fn variants(shape: &Shape) {
    alternatives(shape.variants);
    let mut at = 0;
    while at < shape.fields.len() {
        let content = shape.fields[at].shape;
        // The content of an adjacently tagged enum.
        if matches!(content.kind, Kind::Union) && !shape.fields[at].name.is_empty() {
            alternatives(content.variants);
        }
        at += 1;
    }
}

#[track_caller]
const fn alternatives(variants: &[Shape]) {
    let mut at = 0;
    while at < variants.len() {
        let mut other = 0;
        while other < variants.len() {
            if at != other {
                defaults(&variants[at], &variants[other]);
                lists(&variants[at], &variants[other]);
            }
            other += 1;
        }
        at += 1;
    }
}

/// What has a default in one has one in the other too.
#[track_caller]
const fn defaults(one: &Shape, other: &Shape) {
    let mut at = 0;
    while at < one.fields.len() {
        let field = &one.fields[at];
        if field.name.is_empty() {
            defaults(field.shape, other);
        } else if matches!(field.presence, FieldPresence::Defaulted) {
            let differs = match find(other, field.name) {
                Found::One { presence, sure, .. } => {
                    sure && !matches!(presence, FieldPresence::Defaulted)
                }
                // Free keys.
                Found::Open => !matches!(other.kind, Kind::Opaque),
                Found::Nothing | Found::NoObject => false,
            };
            if differs {
                Message::new()
                    .push("`")
                    .push(field.name)
                    .push("` has a default in one variant and none in another, and a schema has one for both; ")
                    .push("give serde's own, `#[serde(default = ..)]`")
                    .fail();
            }
        }
        at += 1;
    }
}

/// Elements are `null` in both or in neither: which list it is, the server cannot tell by an element.
#[track_caller]
const fn lists(one: &Shape, other: &Shape) {
    if let (Kind::List | Kind::Set, Some(a)) = (one.kind, one.items)
        && let (Kind::List | Kind::Set, Some(b)) = (other.kind, other.items)
        && is_nullable(a) != is_nullable(b)
        && !matches!(a.kind, Kind::Opaque)
        && !matches!(b.kind, Kind::Opaque)
    {
        Message::new()
            .push("one variant is a list with `null` among its elements and another is a list without, and a schema has ")
            .push("one for the elements of both; use `Option` in both or in neither, or give the enum a tag")
            .fail();
    }
}

const fn is_nullable(shape: &Shape) -> bool {
    shape.optional || matches!(shape.kind, Kind::Null | Kind::Any)
}
