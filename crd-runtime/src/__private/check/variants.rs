//! Checks that variants of an enum agree on what the schema can express only once for all of them.

use super::elements::are_typed;
use super::message::Message;
use super::types::types;
use super::walk::{FieldLookup, find};
use crate::crd_schema::{FieldPresence, FieldShape, Kind, Shape};

/// Checks that a property of several variants has the same default in all, that lists admit `null` in all variants or in
/// none, and that no rule is of a field that another variant may have with any type.
///
/// # Panics
/// If a check fails.
#[track_caller]
pub const fn variants(shape: &Shape) {
    alternatives(shape.variants);
    let mut at = 0;
    while at < shape.variants.len() {
        rules_of(shape.fields, &shape.variants[at]);
        at += 1;
    }
    at = 0;
    while at < shape.fields.len() {
        let content = shape.fields[at].shape;
        // The content of an adjacently tagged enum.
        if matches!(content.kind, Kind::Union) && !shape.fields[at].name.is_empty() {
            alternatives(content.variants);
        }
        at += 1;
    }
}

/// Compares the variants in pairs only if a quick test finds that some may differ: an enum of hundreds of variants has
/// too many pairs for rustc.
#[track_caller]
const fn alternatives(variants: &[Shape]) {
    let mut names = Names::NONE;
    let mut at = 0;
    while at < variants.len() {
        names.add(&variants[at]);
        let mut other = at + 1;
        while matches!(variants[at].kind, Kind::List | Kind::Set) && other < variants.len() {
            lists(&variants[at], &variants[other]);
            other += 1;
        }
        at += 1;
    }
    at = 0;
    while at < variants.len() {
        if is_free(&variants[at]) {
            let mut other = 0;
            while other < variants.len() {
                if at != other {
                    rules_of(variants[other].fields, &variants[at]);
                }
                other += 1;
            }
        }
        if names.may_differ(&variants[at]) {
            let mut other = 0;
            while other < variants.len() {
                if at != other {
                    defaults(&variants[at], &variants[other]);
                }
                other += 1;
            }
        }
        at += 1;
    }
}

/// The size of a set of names, in bits.
const BITS: usize = 4096;

/// The sets of field names with a default and without one, by their hashes. Different names can have the same hash.
struct Names {
    defaulted: [u64; BITS / 64],
    plain: [u64; BITS / 64],
    /// Whether some variant may have any key, as a map does.
    open: bool,
}

impl Names {
    const NONE: Self = Self { defaulted: [0; BITS / 64], plain: [0; BITS / 64], open: false };

    const fn add(&mut self, shape: &Shape) {
        if !matches!(shape.kind, Kind::Object) || shape.open || !shape.variants.is_empty() {
            self.open = true;
        }
        let mut at = 0;
        while at < shape.fields.len() {
            let field = &shape.fields[at];
            if field.name.is_empty() {
                self.add(field.shape);
            } else {
                let bit = hash(field.name);
                match field.presence {
                    FieldPresence::Defaulted => self.defaulted[bit / 64] |= 1 << (bit % 64),
                    FieldPresence::Required | FieldPresence::Optional => {
                        self.plain[bit / 64] |= 1 << (bit % 64);
                    }
                }
            }
            at += 1;
        }
    }

    /// Whether a field of a variant has a default that another variant may lack.
    const fn may_differ(&self, shape: &Shape) -> bool {
        let mut at = 0;
        while at < shape.fields.len() {
            let field = &shape.fields[at];
            if field.name.is_empty() {
                if self.may_differ(field.shape) {
                    return true;
                }
            } else if matches!(field.presence, FieldPresence::Defaulted) {
                let bit = hash(field.name);
                if self.open || self.plain[bit / 64] & (1 << (bit % 64)) != 0 {
                    return true;
                }
            }
            at += 1;
        }
        false
    }
}

/// FNV-1a, reduced to an index below [`BITS`].
const fn hash(name: &str) -> usize {
    let (bytes, mut at, mut hash) = (name.as_bytes(), 0, 0x811c_9dc5_u32);
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    hash as usize % BITS
}

/// Checks that a field with a default in one variant has one in the other too.
#[track_caller]
const fn defaults(one: &Shape, other: &Shape) {
    let mut at = 0;
    while at < one.fields.len() {
        let field = &one.fields[at];
        if field.name.is_empty() {
            defaults(field.shape, other);
        } else if matches!(field.presence, FieldPresence::Defaulted) {
            let differs = match find(other, field.name) {
                FieldLookup::One { presence, sure, .. } => {
                    sure && !matches!(presence, FieldPresence::Defaulted)
                }
                // The variant may have any key, as a map does.
                FieldLookup::Open => !matches!(other.kind, Kind::Opaque),
                FieldLookup::Nothing | FieldLookup::NoObject => false,
            };
            if differs {
                Message::new()
                    .push("`")
                    .push(field.name)
                    .push("` has a default in one variant and none in another, but they share one schema; use ")
                    .push("`#[serde(default = ..)]` instead")
                    .fail();
            }
        }
        at += 1;
    }
}

/// Checks that the elements of two lists can both be `null`, or neither, and have a type if they cannot: the server does
/// not know the variant of an element, and rejects a `null` only if the schema of the elements has a type.
#[track_caller]
const fn lists(one: &Shape, other: &Shape) {
    if let (Kind::List | Kind::Set, Some(a)) = (one.kind, one.items)
        && let (Kind::List | Kind::Set, Some(b)) = (other.kind, other.items)
        && !matches!(a.kind, Kind::Opaque)
        && !matches!(b.kind, Kind::Opaque)
    {
        if is_nullable(a) != is_nullable(b) {
            Message::new()
                .push("one variant is a list of `Option` elements and another is a list without, but they share one schema; use ")
                .push("`Option` in both or in neither, or tag the enum")
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
    shape.optional || matches!(shape.kind, Kind::Null | Kind::Any)
}

/// The greatest depth at which rules are searched for.
pub(super) const MAX_DEPTH: usize = 24;

/// Checks that no field has a rule, in it or below it, if another variant may have a field of this name with any value.
#[track_caller]
const fn rules_of(fields: &[FieldShape], other: &Shape) {
    if !is_free(other) {
        return;
    }
    let mut at = 0;
    while at < fields.len() {
        let field = &fields[at];
        at += 1;
        if field.name.is_empty() {
            rules_of(field.shape.fields, other);
            continue;
        }
        let is_free = match find(other, field.name) {
            FieldLookup::Open => true,
            FieldLookup::One { .. } => matches!(other.kind, Kind::Map),
            FieldLookup::Nothing | FieldLookup::NoObject => false,
        };
        if is_free && has_rule(field.shape, 0) {
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
    if shape.open || matches!(shape.kind, Kind::Any | Kind::Map) {
        return !matches!(shape.kind, Kind::Union);
    }
    let mut at = 0;
    while matches!(shape.kind, Kind::Object) && at < shape.fields.len() {
        let field = &shape.fields[at];
        if field.name.is_empty() && is_free(field.shape) {
            return true;
        }
        at += 1;
    }
    false
}

/// Whether a type or what is in it has a rule. The values of maps do not count: they have no schema in such an enum.
pub(super) const fn has_rule(shape: &Shape, depth: usize) -> bool {
    if shape.ruled || depth == MAX_DEPTH {
        return shape.ruled;
    }
    let mut at = 0;
    while at < shape.fields.len() {
        if has_rule(shape.fields[at].shape, depth + 1) {
            return true;
        }
        at += 1;
    }
    at = 0;
    while at < shape.variants.len() {
        if has_rule(&shape.variants[at], depth + 1) {
            return true;
        }
        at += 1;
    }
    match (shape.kind, shape.items) {
        (Kind::List | Kind::Set, Some(items)) => has_rule(items, depth + 1),
        _ => false,
    }
}

/// Checks that the content of an untagged variant has no rule: the server would apply it to the other variants too.
///
/// # Panics
/// If it has one.
#[track_caller]
pub const fn untagged_content(shape: &Shape) {
    if shape.ruled {
        Message::new()
            .push("a rule of this type cannot tell the untagged variant from the others; tag the enum, as with ")
            .push("`#[serde(tag = \"type\")]`, or write a rule on the enum")
            .fail();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: Shape = Shape::of(Kind::String);

    const fn with(presence: FieldPresence, name: &'static str) -> FieldShape {
        FieldShape { presence, ..FieldShape::required(name, &TEXT) }
    }

    #[test]
    fn variants_are_compared_where_a_default_may_be_missing() {
        const A: Shape = Shape::object(&[const { with(FieldPresence::Defaulted, "a") }]);
        const B: Shape = Shape::object(&[const { with(FieldPresence::Required, "b") }]);
        const A_WITHOUT: Shape = Shape::object(&[const { with(FieldPresence::Optional, "a") }]);
        let of = |shapes: &[Shape]| {
            let mut names = Names::NONE;
            for shape in shapes {
                names.add(shape);
            }
            shapes.iter().map(|shape| names.may_differ(shape)).collect::<Vec<_>>()
        };
        assert_eq!(of(&[A, B, A]), [false, false, false]);
        assert_eq!(of(&[A, A_WITHOUT]), [true, false]);
        assert_eq!(of(&[A, Shape::of(Kind::Map)]), [true, false]);
    }

    #[test]
    #[should_panic(expected = "has a default in one variant and none in another")]
    fn a_default_that_is_missing_is_found() {
        const A: Shape = Shape::object(&[const { with(FieldPresence::Defaulted, "a") }]);
        const B: Shape = Shape::object(&[const { with(FieldPresence::Required, "a") }]);
        alternatives(&[A, B]);
    }
}
