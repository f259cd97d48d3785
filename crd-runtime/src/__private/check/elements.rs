//! Checks that no list admits a `null` that the type of its elements cannot read.
//!
//! The server drops a `null` in an object. In a list it rejects a `null`, but only if the schema of the elements has a
//! `type`. The schema of an enum whose variants have different types has none.

use super::message::Message;
use super::nested_columns::require_paths;
use super::readable::{has_no_null_values, is_no_optional_enum};
use super::types::{self, types};
use crate::crd_schema::{Shape, ShapeKind};

/// As [`are_typed`], for the types of a value.
const fn is_typed(shape: &Shape) -> bool {
    are_typed(types(shape))
}

/// Whether the schema of values of these types has a `type`, or `x-kubernetes-int-or-string`. Also `true` if `null` is
/// one of the types, which serde then reads, and if they are not known.
pub(super) const fn are_typed(types: u16) -> bool {
    types & (types::ANY | types::NULL) != 0
        || types.count_ones() <= 1
        || types == types::INTEGER | types::NUMBER
        || types == types::INTEGER | types::STRING
}

/// Checks that no value in the lists and maps of a field can be a `null` that its type cannot read or that the server
/// rejects, and that nothing in them needs a JSON path.
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

#[track_caller]
const fn unreadable_null() -> ! {
    Message::new()
        .push("the elements are an enum of several JSON types, so the server allows `null` elements, which the enum cannot ")
        .push("deserialize; use `Option<..>` for the elements, or tag the enum with `#[serde(tag = \"type\")]`")
        .fail()
}

#[track_caller]
const fn null_value() -> ! {
    Message::new()
        .push("the elements are an `Option` of an enumeration: serde writes `None` as `null`, which an enumeration does not ")
        .push("allow; remove the `Option`")
        .fail()
}

/// Whether the server rejects a `null` as an element, or the type reads it.
const fn is_readable_element(shape: &Shape) -> bool {
    is_typed(shape) && has_readable_elements(shape)
}

/// Whether no list in the value admits a `null` that its elements cannot read.
const fn has_readable_elements(shape: &Shape) -> bool {
    match (shape.kind, shape.items) {
        (ShapeKind::List | ShapeKind::Set, Some(items)) => is_readable_element(items),
        (ShapeKind::Map, Some(items)) => has_readable_elements(items),
        _ => true,
    }
}
