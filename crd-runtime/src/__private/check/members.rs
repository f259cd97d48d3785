//! Checks fields that attributes name: keys of list maps, and members of `exactly_one_of` and similar rules.

use super::flatten::is_nothing;
use super::message::{Message, fail, kind, kinds};
use super::walk::{FieldLookup, find};
use super::{is_scalar, types};
use crate::crd_schema::{FieldPresence, Shape, ShapeKind};

/// Checks that a key of a list map is a scalar field of the items that is always present.
///
/// Source: `pkg/apis/apiextensions/validation/validation.go`, `validateMapListKeysMapSet` and what it calls.
///
/// # Panics
/// If a check fails.
#[track_caller]
pub const fn list_map_key(list: &Shape, name: &str) {
    let Some(items) = list.items else { return };
    let found = find(items, name);
    if let FieldLookup::Nothing = found {
        no_field(items, name, "the items");
    }
    // `list_type` reports items that are not objects.
    if let FieldLookup::One { shape, presence, sure } = found {
        let may_be_key = matches!(shape.kind, ShapeKind::Opaque | ShapeKind::Union);
        if !may_be_key && !is_scalar(shape) {
            fail(
                "the key `{}` is {}; a key must be a string, number or boolean",
                &[name, kind(shape)],
            );
        }
        if sure && matches!(presence, FieldPresence::Optional) {
            fail(
                "the key `{}` must be required, or have a `#[crd(default = ..)]` and not be an `Option`",
                &[name],
            );
        }
    }
}

/// Checks the items of a list of type `set` or `map`: they must not be `null`; those of a `map` must be objects, and
/// those of a `set` scalars or atomic.
///
/// Source: `hasNonAtomicSetType` in the same file.
///
/// # Panics
/// If a check fails.
#[track_caller]
pub const fn list_type(list: &Shape, list_type: &str) {
    let Some(items) = list.items else { return };
    let set = matches!(list_type.as_bytes(), b"set");
    if is_nothing(items) || matches!(items.kind, ShapeKind::Any) {
        fail(
            "the items of a `{}` list cannot be `null`{}",
            &[
                list_type,
                match items.kind {
                    _ if items.optional => "; remove the `Option`",
                    ShapeKind::Any => ", which any JSON includes",
                    _ => ", as `()` and an untagged variant without content are in JSON",
                },
            ],
        );
    }
    let are_merged = match items.kind {
        ShapeKind::Object | ShapeKind::Map => !items.atomic,
        ShapeKind::Union => types::types(items) == types::OBJECT && !items.atomic,
        ShapeKind::List => !matches!(items.list_type, crate::crd_schema::ListType::Atomic),
        // A set of lists, objects or `null` is atomic.
        ShapeKind::Set => match items.items {
            Some(inner) => {
                is_scalar(inner) && !inner.optional && !matches!(inner.kind, ShapeKind::IntOrString)
            }
            None => false,
        },
        _ => false,
    };
    if set && are_merged {
        fail(
            "the items are {}, which the server merges field by field; a `set` needs scalars or atomic items: add \
             `{}`, or use a `map` list",
            &match items.kind {
                ShapeKind::List | ShapeKind::Set => ["lists", "items(list_type = \"atomic\")"],
                ShapeKind::Map => ["maps", "items(map_type = \"atomic\")"],
                _ => ["objects", "items(map_type = \"atomic\")"],
            },
        );
    }
    if !set && !super::is_object(*items) {
        fail(
            "the items are {}; a `map` list needs objects, which its keys identify",
            &[kinds(items)],
        );
    }
}

/// Checks a field that a rule such as `exactly_one_of` names. `at_most` means that the rule allows at most one of the
/// named fields to be set.
///
/// # Panics
/// If there is no such field, or if serde always writes it, so that an `at_most` rule could not hold.
#[track_caller]
pub const fn member(shape: &Shape, name: &str, at_most: bool) {
    if at_most && is_always_written(shape, name) {
        fail(
            "serde always writes `{}`; make it an `Option` with `#[serde(skip_serializing_if = \"Option::is_none\")]`",
            &[name],
        );
    }
    match find(shape, name) {
        FieldLookup::Nothing => no_field(shape, name, "this type"),
        FieldLookup::NoObject => {
            fail("this type is {} and has no field `{}`", &[kind(shape), name])
        }
        // A rule does not see the unknown fields that an object keeps.
        FieldLookup::Open if lacks(shape, name) => no_field(shape, name, "this type"),
        FieldLookup::One { .. } | FieldLookup::Open => {}
    }
}

/// Whether the schema of an object certainly has no property of this name.
const fn lacks(shape: &Shape, name: &str) -> bool {
    if !matches!(shape.kind, ShapeKind::Object) {
        return false;
    }
    each!(shape.fields, |field| {
        let is_lacking = match field.shape.kind {
            _ if !field.name.is_empty() => !super::equal(field.name.as_bytes(), name.as_bytes()),
            // A part without properties.
            ShapeKind::Any | ShapeKind::Map | ShapeKind::Null => true,
            _ => lacks(field.shape, name),
        };
        if !is_lacking {
            return false;
        }
    });
    each!(shape.variants, |variant| {
        if !lacks(variant, name) {
            return false;
        }
    });
    true
}

#[track_caller]
const fn no_field(shape: &Shape, name: &str, what: &str) -> ! {
    Message::of("there is no field `{}` in {}", &[name, what]).fields(shape, name).fail()
}

/// Whether serde always writes a field, which may be in a flattened part.
const fn is_always_written(shape: &Shape, name: &str) -> bool {
    if !matches!(shape.kind, ShapeKind::Object) {
        return false;
    }
    each!(shape.fields, |field| {
        let found = if field.name.is_empty() {
            !field.shape.optional && is_always_written(field.shape, name)
        } else {
            field.always_written && super::equal(field.name.as_bytes(), name.as_bytes())
        };
        if found {
            return true;
        }
    });
    false
}
