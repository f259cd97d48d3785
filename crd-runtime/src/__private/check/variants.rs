//! Checks that variants of an enum agree on what the schema can express only once for all of them. If they disagree on a
//! default or a rule, the schema is invalid and says so (`builder::union`).

use super::elements::are_typed;
use super::flatten::is_nothing;
use super::message::fail;
use super::types::types;
use super::walk::{FieldLookup, find};
use crate::crd_schema::{FieldPresence, FieldShape, Shape, ShapeKind};

/// Checks that lists admit `null` in all variants or in none, and that no variant rejects the default of another.
///
/// # Panics
/// If a check fails.
#[track_caller]
pub const fn variants(shape: &Shape) {
    alternatives(shape.variants);
    each!(shape.fields, |field| {
        let content = field.shape;
        // The content of an adjacently tagged enum.
        if matches!(content.kind, ShapeKind::Union) && !field.name.is_empty() {
            alternatives(content.variants);
        }
    });
}

/// Checks each pair of variants.
#[track_caller]
const fn alternatives(variants: &[Shape]) {
    let mut at = 0;
    while at < variants.len() {
        let mut other = at + 1;
        while matches!(variants[at].kind, ShapeKind::List | ShapeKind::Set)
            && other < variants.len()
        {
            lists(&variants[at], &variants[other]);
            other += 1;
        }
        other = 0;
        while variants[at].denies_unknown && other < variants.len() {
            if at != other {
                unread_defaults(variants[other].fields, &variants[at]);
            }
            other += 1;
        }
        at += 1;
    }
}

/// Checks that a variant with `deny_unknown_fields` has each field of another variant that has a default: the server
/// does not know the variant of an object, and adds the default to all of them.
#[track_caller]
const fn unread_defaults(fields: &[FieldShape], denying: &Shape) {
    each!(fields, |field| {
        if field.name.is_empty() {
            unread_defaults(field.shape.fields, denying);
        } else if matches!(field.presence, FieldPresence::Defaulted)
            && matches!(find(denying, field.name), FieldLookup::Nothing)
        {
            fail(
                "the server adds the default of `{}` to the objects of all variants, and `deny_unknown_fields` of \
                 another variant rejects it; use `#[serde(default = ..)]`, or remove `deny_unknown_fields`",
                &[field.name],
            );
        }
    });
}

/// Checks that the elements of two lists can both be `null`, or neither, and have a type if they cannot: the server
/// does not know the variant of an element, and rejects a `null` only if the schema of the elements has a type.
#[track_caller]
const fn lists(one: &Shape, other: &Shape) {
    if let (ShapeKind::List | ShapeKind::Set, Some(a)) = (one.kind, one.items)
        && let (ShapeKind::List | ShapeKind::Set, Some(b)) = (other.kind, other.items)
        && !matches!(a.kind, ShapeKind::Opaque)
        && !matches!(b.kind, ShapeKind::Opaque)
    {
        assert!(
            is_nullable(a) == is_nullable(b),
            "the elements of a list can be `null` in one variant but not in another, and both share one schema; \
             use `Option` in both or in neither, or tag the enum externally, which is serde's default"
        );
        assert!(
            is_nullable(a) || are_typed(types(a) | types(b)),
            "two variants are lists with elements of different types, but they share one schema, so the server \
             allows `null` elements, which serde cannot deserialize; use `Option<..>` for the elements of both, or \
             tag the enum externally, which is serde's default"
        );
        lists(a, b);
    }
}

const fn is_nullable(shape: &Shape) -> bool {
    is_nothing(shape) || matches!(shape.kind, ShapeKind::Any)
}
