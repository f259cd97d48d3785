//! Checks parts whose fields serde writes into another object: `#[serde(flatten)]`, and newtype variants with a tag.

use super::message::{Message, fail, kind};
use super::{equal, is_among, types};
use crate::crd_schema::{FieldPresence, FieldShape, Shape, ShapeKind};

/// Checks that the fields of a type can become those of another object.
///
/// # Panics
/// If they cannot.
#[track_caller]
pub const fn flattens(shape: &Shape) {
    if is_flat(shape) {
        return;
    }
    assert!(
        !matches!(shape.kind, ShapeKind::Map),
        "a schema with properties cannot describe further ones; flatten a map of `serde_json::Value`, or give the \
         map a field of its own"
    );
    if let (ShapeKind::Union, Some(name)) = (shape.kind, shape.unit_variant_names.first()) {
        fail(
            "serde writes the flattened variant `{}` as a field that is `null`, but in the schema of its enum it is a \
             string; write `{} {}`",
            &[name, name, "{}"],
        );
    }
    let message = match shape.kind {
        ShapeKind::Union => Message::new().push(
            "an untagged variant without content, or with a string or number, cannot become fields",
        ),
        _ => Message::of("the type is {}, whose fields cannot become those", &[kind(shape)]),
    };
    message.text(
        " of the object; flatten a struct, a map of `serde_json::Value`, or an enum of structs or of tagged variants \
         without content",
        &[],
    ).fail()
}

const fn is_flat(shape: &Shape) -> bool {
    match shape.kind {
        ShapeKind::Map => match shape.items {
            Some(values) => matches!(values.kind, ShapeKind::Any),
            None => true,
        },
        ShapeKind::Union => {
            each!(shape.variants, |variant| {
                // serde reads `None` and an untagged variant without content only from an object without fields.
                // An enum without content is flat alone, but the schema of several types has it as a string.
                let is_string = matches!(variant.kind, ShapeKind::Enum);
                if !is_flat(variant) || is_nothing(variant) || is_string {
                    return false;
                }
            });
            // A flattened variant without content is `{"Unit": null}`, not a string.
            !shape.units
        }
        // A variant without content becomes the field of `{"Unit": null}`; another string cannot be flattened.
        ShapeKind::Enum => shape.units,
        _ => matches!(
            shape.kind,
            ShapeKind::Object | ShapeKind::Null | ShapeKind::Any | ShapeKind::Opaque
        ),
    }
}

/// Whether serde can write a tag into the type's object and read it again. The type must flatten, and
/// must never be `None`, `()` or an untagged variant without content: serde reads those only from an object without
/// other fields.
#[must_use]
pub const fn is_taggable(shape: Shape) -> bool {
    !is_nothing(&shape) && is_flat(&shape)
}

/// Checks that serde can read the type where it keeps an object until it knows the type: in a flattened field, and in
/// an enum with another representation than the external one. There, the key of a map stays a text.
///
/// Source: serde's `private/de.rs`, `ContentDeserializer`.
///
/// # Panics
/// If it contains a map whose keys are numbers or `bool`.
#[track_caller]
pub const fn kept(shape: &Shape) {
    assert!(
        !parses_keys(shape, &mut 10_000, 0),
        "serde cannot read a map with numbers or `bool` as keys here, because it reads this value before it knows its \
         type; use `String` keys, or write this without `flatten` and with the external representation of enums"
    );
}

/// Whether a map with such keys is in the type; `false` if it is too large, or too deeply nested for rustc.
const fn parses_keys(shape: &Shape, steps: &mut usize, depth: u32) -> bool {
    if shape.parses_keys {
        return true;
    }
    if *steps == 0 || depth > 40 {
        return false;
    }
    *steps -= 1;
    if let Some(items) = shape.items
        && parses_keys(items, steps, depth + 1)
    {
        return true;
    }
    each!(shape.fields, |field| {
        if parses_keys(field.shape, steps, depth + 1) {
            return true;
        }
    });
    each!(shape.variants, |variant| {
        if parses_keys(variant, steps, depth + 1) {
            return true;
        }
    });
    false
}

/// Whether a value of the type can be `None`, `()` or an untagged variant without content, which are `null` in JSON.
pub(super) const fn is_nothing(shape: &Shape) -> bool {
    types::types(shape) & types::NULL != 0
}

/// Whether the type keeps no unknown fields. A type that keeps some cannot be flattened into a container with
/// `#[serde(deny_unknown_fields)]`, because serde would fail for them.
#[must_use]
pub const fn keeps_nothing(shape: Shape) -> bool {
    !shape.open && !matches!(shape.kind, ShapeKind::Map | ShapeKind::Any)
}

/// Whether serde reads all fields of the type if it is flattened. If its container has `deny_unknown_fields`, serde
/// fails for fields that are not read.
#[must_use]
pub const fn is_read_whole(shape: Shape) -> bool {
    // If the part is optional, the server accepts an object with the fields of several variants of an externally tagged
    // enum, of which serde reads one.
    !(shape.leaves_fields_unread || shape.optional && is_keyed(&shape))
}

/// Whether it is an externally tagged enum of several variants.
const fn is_keyed(shape: &Shape) -> bool {
    if shape.units { shape.values.len() > 1 } else { shape.keyed && shape.fields.len() > 1 }
}

/// Checks that serde can read an object without a flattened part, whose fields it may skip. serde ignores the default of
/// a flattened field.
///
/// # Panics
/// If serde needs a field of the part.
#[track_caller]
pub const fn skipped_part(shape: &Shape) {
    if shape.optional {
        return;
    }
    let Some(field) = required_field(shape) else { return };
    let message = Message::of(
        "serde may skip the fields of this flattened type, but cannot deserialize without `{}`; make the flattened \
         field an `Option`",
        &[field.name],
    );
    if field.schema.is_some() {
        message.text(", or add `#[serde(default)]` to `{}`", &[field.name]).fail();
    }
    message.fail();
}

/// Returns a field that every object of the type has, or the first variant of an externally tagged enum. The tag of a
/// struct is none, because serde reads an object without it.
const fn required_field(shape: &Shape) -> Option<&'static FieldShape> {
    if !matches!(shape.kind, ShapeKind::Object) {
        return None;
    }
    let is_enum = shape.keyed || !shape.variants.is_empty();
    each!(shape.fields, |field| {
        if field.name.is_empty() {
            if matches!(field.presence, FieldPresence::Required) && !field.shape.optional {
                let required = required_field(field.shape);
                if required.is_some() {
                    return required;
                }
            }
        } else if is_enum
            || (field.schema.is_some() && matches!(field.presence, FieldPresence::Required))
        {
            return Some(field);
        }
    });
    None
}

/// Checks that a flattened part has no field of its container, and no attribute about the part as a whole, such as
/// `max_properties`.
///
/// `own` are the names of the container's own fields. `parts` are the parts that are flattened into it before this one.
/// Also checks that no map among the parts reads fields of another part.
///
/// # Panics
/// If a check fails.
#[track_caller]
pub const fn part(shape: &Shape, own: &[&str], parts: &[&Shape]) {
    reject_whole(shape);
    reject_read_twice(shape, parts);
    if let Some(name) = shared_name(shape, own, parts) {
        fail(
            "the field `{}` of this flattened type is also a field of the struct or of another flattened type; rename \
             one of them",
            &[name],
        );
    }
}

/// Checks that no map reads fields of another part: serde would write them twice.
///
/// Source: serde's `private/de.rs`: `FlatStructAccess` and `FlatMapDeserializer::deserialize_enum` take the fields that
/// they read, `FlatMapAccess` leaves them.
#[track_caller]
const fn reject_read_twice(shape: &Shape, parts: &[&Shape]) {
    each!(parts, |part| {
        assert!(
            !reads_all(part),
            "serde reads the fields of this flattened type into the map before it too, and would write them twice; \
             move the flattened map behind it"
        );
        assert!(
            !(reads_all(shape) && part.leaves_fields_unread),
            "serde reads the fields of an earlier flattened type into this map too, and would write them twice, \
             because that type is an enum, or has a tag or flattened fields; give the map a field of its own"
        );
    });
}

/// Whether a flattened part reads no fields but its own.
#[must_use]
pub const fn reads_own(shape: Shape) -> bool {
    !reads_all(&shape)
}

/// Whether the type, or a part flattened into it, is a map or any JSON, which reads all fields that are left.
const fn reads_all(shape: &Shape) -> bool {
    if matches!(shape.kind, ShapeKind::Map | ShapeKind::Any) {
        return true;
    }
    each!(shape.fields, |field| {
        if field.name.is_empty() && reads_all(field.shape) {
            return true;
        }
    });
    false
}

/// Checks that the content of a newtype variant has no field with the name of the tag, and no attribute about the
/// object as a whole, except for rules.
///
/// # Panics
/// If a check fails.
#[track_caller]
pub const fn beside_tag(shape: &Shape, tag: &str) {
    if let Some(key) = shape.whole
        && !equal(key.as_bytes(), b"rule")
        && !equal(key.as_bytes(), b"constant")
    {
        reject_whole(shape);
    }
    if shared_name(shape, &[tag], &[]).is_some() {
        fail(
            "the content of this variant has a field with the name of the tag, `{}`; rename one of them",
            &[tag],
        );
    }
}

/// Checks that the type has no attribute about the object as a whole.
#[track_caller]
const fn reject_whole(shape: &Shape) {
    let Some(key) = shape.whole else { return };
    let message = match key.as_bytes() {
        b"rule" => Message::of("a rule of this type uses the whole `self`", &[]),
        b"constant" => panic!(
            "a rule of this type is a constant, which cannot be checked for a use of the whole `self`; write the rule \
             as a literal or with `include_str!`, or put it on the outer type"
        ),
        _ => Message::of("this type has `{}`", &[key]),
    };
    message.push(REST_OF_WHOLE).fail();
}

/// What follows the name of an attribute about the whole object.
const REST_OF_WHOLE: &str = ", but its fields become part of the object that contains it; name the fields, as in \
                             `self.a == oldSelf.a`, or put the attribute on the outer type";

/// Returns a name that a part shares with the container or with an earlier part.
const fn shared_name<'a>(part: &'a Shape, own: &[&str], parts: &[&Shape]) -> Option<&'a str> {
    let mut at = 0;
    while part.units && at < part.values.len() {
        if is_among(part.values[at], own) || is_in_part(part.values[at], parts) {
            return Some(part.values[at]);
        }
        at += 1;
    }
    each!(part.fields, |field| {
        if field.name.is_empty() {
            if let Some(name) = shared_name(field.shape, own, parts) {
                return Some(name);
            }
        } else if is_among(field.name, own) || is_in_part(field.name, parts) {
            return Some(field.name);
        }
    });
    each!(part.variants, |variant| {
        if let Some(name) = shared_name(variant, own, parts) {
            return Some(name);
        }
    });
    None
}

const fn is_in_part(name: &str, parts: &[&Shape]) -> bool {
    each!(parts, |part| {
        if shared_name(part, &[name], &[]).is_some() {
            return true;
        }
    });
    false
}
