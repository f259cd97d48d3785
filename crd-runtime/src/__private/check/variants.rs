//! Checks that variants of an enum agree on what the schema can express only once for all of them.

use super::elements::are_typed;
use super::flatten::is_nothing;
use super::message::Message;
use super::shared::{self, has_rule, own_rules};
use super::types::types;
use super::walk::{FieldLookup, find};
use crate::crd_schema::{FieldPresence, FieldShape, Shape, ShapeKind};

/// Checks that variants agree on the defaults and rules of the fields that they share, that lists admit `null` in all
/// variants or in none, and that no field has a rule if another variant may have a field of this name with any value.
/// The variants from the index `untagged` on have no tag.
///
/// # Panics
/// If a check fails.
#[track_caller]
pub const fn variants(shape: &Shape, untagged: usize) {
    alternatives(shape.variants, untagged);
    // The fields of the enum itself: a tag, contents, or variants with a tag.
    let own = Shape { kind: ShapeKind::Object, open: false, variants: &[], ..*shape };
    let mut at = 0;
    while at < shape.variants.len() {
        rules_beside_free(own.fields, &shape.variants[at]);
        if at >= untagged && !own.fields.is_empty() {
            shared::pair(&own, &shape.variants[at], false);
            shared::pair(&shape.variants[at], &own, true);
        }
        at += 1;
    }
    at = 0;
    while at < shape.fields.len() {
        let content = shape.fields[at].shape;
        // The content of an adjacently tagged enum.
        if matches!(content.kind, ShapeKind::Union) && !shape.fields[at].name.is_empty() {
            alternatives(content.variants, content.variants.len());
        }
        at += 1;
    }
}

/// Checks each pair of variants. The first `tagged` ones have a tag.
#[track_caller]
const fn alternatives(variants: &[Shape], tagged: usize) {
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
        while is_free(&variants[at]) && other < variants.len() {
            if at != other {
                rules_beside_free(variants[other].fields, &variants[at]);
            }
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
    shared::alternatives(variants, tagged);
}

/// Checks that a variant with `deny_unknown_fields` has each field of another variant that has a default: the server
/// does not know the variant of an object, and adds the default to all of them.
#[track_caller]
const fn unread_defaults(fields: &[FieldShape], denying: &Shape) {
    let mut at = 0;
    while at < fields.len() {
        let field = &fields[at];
        at += 1;
        if field.name.is_empty() {
            unread_defaults(field.shape.fields, denying);
        } else if matches!(field.presence, FieldPresence::Defaulted)
            && matches!(find(denying, field.name), FieldLookup::Nothing)
        {
            Message::new()
                .push("the server adds the default of `")
                .push(field.name)
                .push("` to the objects of all variants, and `deny_unknown_fields` of another variant rejects it; use ")
                .push("`#[serde(default = ..)]`, or remove `deny_unknown_fields`")
                .fail();
        }
    }
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
        if is_nullable(a) != is_nullable(b) {
            Message::new()
                .push("the elements of a list can be `null` in one variant but not in another, and both share one schema; use ")
                .push("`Option` in both or in neither, or tag the enum externally, which is serde's default")
                .fail();
        }
        if !is_nullable(a) && !are_typed(types(a) | types(b)) {
            Message::new()
                .push("two variants are lists with elements of different types, but they share one schema, so the server allows ")
                .push("`null` elements, which serde cannot deserialize; use `Option<..>` for the elements of both, or tag the ")
                .push("enum externally, which is serde's default")
                .fail();
        }
        lists(a, b);
    }
}

const fn is_nullable(shape: &Shape) -> bool {
    is_nothing(shape) || matches!(shape.kind, ShapeKind::Any)
}

/// Checks that no field has a rule, in it or below it, if another variant may have a field of this name with any value.
#[track_caller]
const fn rules_beside_free(fields: &[FieldShape], other: &Shape) {
    if !is_free(other) {
        return;
    }
    let mut at = 0;
    while at < fields.len() {
        let field = &fields[at];
        at += 1;
        if field.name.is_empty() {
            rules_beside_free(field.shape.fields, other);
            continue;
        }
        let has_any_value = match find(other, field.name) {
            FieldLookup::Open => true,
            FieldLookup::One { .. } => matches!(other.kind, ShapeKind::Map),
            FieldLookup::Nothing | FieldLookup::NoObject => false,
        };
        if has_any_value && has_rule(field.shape, 0) {
            Message::new()
                .push("the type of `")
                .push(field.name)
                .push("` has a rule in one variant, and another variant may have a field of this name with any value, but they ")
                .push("share one schema; remove the rule, or name the content of the other variant, as in `V { content: .. }`")
                .fail();
        }
    }
}

/// Whether an object of the type may have any field, with any value.
const fn is_free(shape: &Shape) -> bool {
    if shape.open || matches!(shape.kind, ShapeKind::Any | ShapeKind::Map) {
        return !matches!(shape.kind, ShapeKind::Union);
    }
    let mut at = 0;
    while matches!(shape.kind, ShapeKind::Object) && at < shape.fields.len() {
        let field = &shape.fields[at];
        if field.name.is_empty() && is_free(field.shape) {
            return true;
        }
        at += 1;
    }
    false
}

/// Checks that the content of an untagged variant has no rule: the server would apply it to the other variants too.
///
/// # Panics
/// If it has one.
#[track_caller]
pub const fn untagged_content(shape: &Shape) {
    if !own_rules(shape).is_empty() {
        Message::new()
            .push("a rule of this type cannot tell the untagged variant from the others; tag the enum, as with ")
            .push("`#[serde(tag = \"type\")]`, or write a rule on the enum")
            .fail();
    }
}
