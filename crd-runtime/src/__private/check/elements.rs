//! Checks that no list admits a `null` that the type of its elements cannot read.
//!
//! The server drops a `null` in an object. In a list it rejects a `null`, but only if the schema of the elements has a
//! `type`. The schema of an enum whose variants have different types has none.

use super::nested_columns::require_paths;
use super::readable::{has_no_null_values, is_no_optional_enum};
use super::types::{self, types};
use super::{is_list, is_map};
use crate::crd_schema::{Shape, ShapeKind};

/// Whether the schema of values of these types has a `type`, or `x-kubernetes-int-or-string`. Also `true` if `null` is
/// one of the types, which serde then reads, and if they are not known.
pub(super) const fn are_typed(types: u16) -> bool {
    types & (types::ANY | types::NULL) != 0
        || types.count_ones() <= 1
        || types == types::INTEGER | types::NUMBER
        || types == types::INTEGER | types::STRING
}

/// Checks that no value in the lists and maps of a field can be a `null` that its type cannot read, that the server
/// rejects or that stands for two values, and that nothing in them needs a JSON path.
///
/// `place` names what contains the field, such as `a variant`, if the field has no JSON path. For a field of a struct
/// it is empty. `changed` means that attributes change the types of the elements.
///
/// # Panics
/// If a check fails.
#[track_caller]
pub const fn elements(shape: &Shape, place: &str, changed: bool) {
    if !changed && !has_readable_elements(shape) {
        unreadable_null();
    }
    if !has_no_null_values(shape) {
        null_value();
    }
    let mut part = Some(shape);
    while let Some(shape) = part {
        assert!(
            !(shape.optional && matches!(shape.kind, ShapeKind::Null)),
            "serde writes `Some(..)` of a type without content as `null`, and reads that as `None`; use a `bool`"
        );
        part = shape.items;
    }
    require_paths(shape, place);
}

/// Checks an element of a tuple as [`elements`] does.
///
/// # Panics
/// If a check fails.
#[track_caller]
pub const fn element(shape: &Shape) {
    if !is_readable_element(shape) {
        unreadable_null();
    }
    if !is_no_optional_enum(*shape) {
        null_value();
    }
}

/// Checks that the type has elements whose schema `items` can change.
///
/// # Panics
/// If it has none.
#[track_caller]
pub const fn has_items(shape: &Shape) {
    assert!(
        !matches!(shape.kind, ShapeKind::Any),
        "`items` does not apply to any JSON, which has no schema of elements; use the type of a list, such as \
         `Vec<serde_json::Value>`"
    );
    assert!(is_list(*shape), "`items` does not apply here: this type is not a list");
}

/// Checks that the type has values whose schema `values` can change.
///
/// # Panics
/// If it has none.
#[track_caller]
pub const fn has_values(shape: &Shape) {
    let any = match (shape.kind, shape.items) {
        (ShapeKind::Any, _) => true,
        (ShapeKind::Map, Some(values)) => matches!(values.kind, ShapeKind::Any),
        _ => false,
    };
    assert!(
        !any,
        "`values` does not apply here: the values are any JSON, which has no schema; use a map of another type, or \
         write a rule of the map"
    );
    assert!(is_map(shape), "`values` does not apply here: this type is not a map");
}

#[track_caller]
const fn unreadable_null() -> ! {
    panic!(
        "the elements are an enum of several JSON types, so the server allows `null` elements, which the enum cannot \
         deserialize; use `Option<..>` for the elements, or tag the enum with `#[serde(tag = \"type\")]`"
    )
}

#[track_caller]
const fn null_value() -> ! {
    panic!(
        "the elements are an `Option` of an enumeration: serde writes `None` as `null`, which an enumeration does not \
         allow; remove the `Option`"
    )
}

/// Whether the server rejects a `null` as an element, or the type reads it.
const fn is_readable_element(shape: &Shape) -> bool {
    are_typed(types(shape)) && has_readable_elements(shape)
}

/// Whether no list in the value admits a `null` that its elements cannot read.
const fn has_readable_elements(shape: &Shape) -> bool {
    match (shape.kind, shape.items) {
        (ShapeKind::List | ShapeKind::Set, Some(items)) => is_readable_element(items),
        (ShapeKind::Map, Some(items)) => has_readable_elements(items),
        _ => true,
    }
}
