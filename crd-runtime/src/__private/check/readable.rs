//! Checks attributes that admit values that the type cannot read, or reject values that it writes.

use super::flatten::is_nothing;
use super::message::{fail, kind};
use super::types;
use super::walk::{FieldLookup, find};
use super::{equal, is_among, is_scalar};
use crate::crd_schema::{Shape, ShapeKind};

/// Checks that the type reads the `null` that `nullable` admits.
///
/// # Panics
/// If it does not.
#[track_caller]
pub const fn nullable(shape: &Shape) {
    if !types::has(shape, types::NULL) {
        fail(
            "`nullable` allows `null`, but the type is {}, which cannot deserialize it; make it an `Option`",
            &[kind(shape)],
        );
    }
}

/// Checks that the type does not write `null`, which `nullable = false` rejects.
///
/// # Panics
/// If it does.
#[track_caller]
pub const fn never_null(shape: &Shape) {
    assert!(
        !shape.optional,
        "serde writes `None` as `null`, which `nullable = false` rejects; add `#[serde(skip_serializing_if = \
         \"Option::is_none\")]`"
    );
    assert!(
        !is_nothing(shape),
        "serde writes `()` and an untagged variant without content as `null`, which `nullable = false` rejects; \
         remove the attribute"
    );
}

/// Whether the default value of the type is not `null`.
#[must_use]
pub const fn has_default(shape: Shape) -> bool {
    !shape.optional && !matches!(shape.kind, ShapeKind::Null)
}

/// Checks that the type reads the numbers and the strings that `int_or_string` admits.
///
/// # Panics
/// If it does not.
#[track_caller]
pub const fn int_or_string(shape: &Shape) {
    if !matches!(
        shape.kind,
        ShapeKind::IntOrString | ShapeKind::Any | ShapeKind::Opaque | ShapeKind::Union
    ) {
        fail(
            "`int_or_string` allows integers and strings, but the type is {}; use `IntOrString` from k8s-openapi",
            &[kind(shape)],
        );
    }
}

/// Checks that `preserve_unknown_fields` is not on a scalar, which has no fields, and not on an externally tagged enum,
/// which has a single one.
///
/// # Panics
/// If it is.
#[track_caller]
pub const fn keeps_unknown_fields(shape: &Shape) {
    check_reads_unknown_fields(shape, "preserve_unknown_fields");
    assert!(
        !shape.keyed,
        "`preserve_unknown_fields` keeps unknown fields, but serde reads an externally tagged enum only from an \
         object with a single field, the variant; remove it, write it on variants to keep unknown fields of their \
         content, or tag the enum, as with `#[serde(tag = \"type\")]`"
    );
    if is_scalar(shape) {
        fail("`preserve_unknown_fields` applies only to objects; the type is {}", &[kind(shape)]);
    }
}

/// Checks that the type reads the unknown fields that the attribute makes the server keep.
#[track_caller]
const fn check_reads_unknown_fields(shape: &Shape, key: &str) {
    if shape.denies_unknown {
        fail(
            "`{}` keeps unknown fields, which the `deny_unknown_fields` of the type rejects; remove one of the two",
            &[key],
        );
    }
}

/// Checks that the type reads and writes whole objects, with `apiVersion` and `kind`.
///
/// # Panics
/// If it does not.
#[track_caller]
pub const fn embedded_resource(shape: &Shape) {
    check_reads_unknown_fields(shape, "embedded_resource");
    let open = match shape.kind {
        ShapeKind::Any | ShapeKind::Opaque | ShapeKind::Union => true,
        ShapeKind::Map => match shape.items {
            Some(values) => matches!(values.kind, ShapeKind::Any),
            None => true,
        },
        _ => false,
    };
    if open {
        return;
    }
    if !matches!(shape.kind, ShapeKind::Object) {
        fail(
            "`embedded_resource` needs an object with `apiVersion`, `kind` and `metadata`, but the type is {}; use \
             `RawExtension` or `serde_json::Value`",
            &[kind(shape)],
        );
    }
    embedded_parts(&[], &[shape]);
}

/// Checks that a variant has the `apiVersion` and `kind` of a whole object among the `names` of its own fields or in one
/// of its flattened types, the `parts`.
///
/// # Panics
/// If it does not.
#[track_caller]
pub const fn embedded_parts(names: &[&str], parts: &[&Shape]) {
    let needed = ["apiVersion", "kind"];
    each!(needed, |name| {
        let mut found = is_among(name, names);
        each!(parts, |part| {
            // Unknown fields, which the server keeps, do not count, because the type does not write them.
            let written = Shape { open: false, ..**part };
            found |= !matches!(find(&written, name), FieldLookup::Nothing);
        });
        if !found {
            fail(
                "`embedded_resource` needs an object with `apiVersion`, `kind` and `metadata`; the type has no field `{}`",
                &[name],
            );
        }
    });
}

/// Whether no list or map in the value has an `Option` of an enumeration: serde writes `None` as `null`, which no
/// enumeration admits.
pub(super) const fn has_no_null_values(shape: &Shape) -> bool {
    match shape.items {
        Some(items) => is_no_optional_enum(*items) && has_no_null_values(items),
        None => true,
    }
}

/// Whether the type is not an `Option` of an enumeration, which would reject the `null` of `None`.
#[must_use]
pub const fn is_no_optional_enum(shape: Shape) -> bool {
    !(shape.optional && is_enumeration(&shape))
}

/// Whether `None` is no value of the type.
#[must_use]
pub const fn is_no_option(shape: Shape) -> bool {
    !shape.optional
}

/// Whether the schema restricts all values by `enum`.
const fn is_enumeration(shape: &Shape) -> bool {
    match shape.kind {
        _ if shape.enumerated => true,
        ShapeKind::Enum => true,
        ShapeKind::Union => {
            each!(shape.variants, |variant| {
                if !is_enumeration(variant) {
                    return false;
                }
            });
            shape.fields.is_empty() && !shape.variants.is_empty()
        }
        _ => false,
    }
}

/// Checks that a bound of length admits each value of an enumeration.
///
/// # Panics
/// If it does not.
#[track_caller]
pub const fn length_of_values(shape: &Shape, key: &str, bound: usize) {
    lengths_of(
        shape.values,
        key,
        bound,
        "of the enumeration; list the allowed values with `enum_values(..)`",
    );
    lengths_of(
        shape.unit_variant_names,
        key,
        bound,
        "that serde writes for a variant without content",
    );
    each!(alternatives(shape), |variant| {
        length_of_values(variant, key, bound);
    });
}

/// Checks the lengths of values; `what` says in the message what they are.
#[track_caller]
const fn lengths_of(values: &[&str], key: &str, bound: usize, what: &str) {
    let most = equal(key.as_bytes(), b"max_length");
    each!(values, |value| {
        let length = code_points(value);
        if (most && length > bound) || (!most && length < bound) {
            fail("`{}` rejects the value `{}` {}", &[key, *value, what]);
        }
    });
}

/// The variants, if the value itself is one of them. The variants of other enums are fields, or beside a tag.
const fn alternatives(shape: &Shape) -> &[Shape] {
    if matches!(shape.kind, ShapeKind::Union) { shape.variants } else { &[] }
}

pub(super) const fn code_points(text: &str) -> usize {
    let (bytes, mut at, mut count) = (text.as_bytes(), 0, 0);
    while at < bytes.len() {
        // Continuation bytes of UTF-8 begin with the bits 10.
        if bytes[at] & 0xC0 != 0x80 {
            count += 1;
        }
        at += 1;
    }
    count
}

/// Checks that a `pattern` or `format` is not on an enumeration, whose values are fixed.
///
/// # Panics
/// If it is.
#[track_caller]
pub const fn text_of_values(shape: &Shape, key: &str) {
    if !shape.values.is_empty() || !shape.unit_variant_names.is_empty() || shape.units {
        fail(
            "`{}` could only reject some values of this enumeration; list the allowed values with `enum_values(..)`",
            &[key],
        );
    }
    each!(alternatives(shape), |variant| {
        text_of_values(variant, key);
    });
}
