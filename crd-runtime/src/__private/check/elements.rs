//! Whether `null` can stand in a list where the type of its elements cannot read it.
//!
//! The server drops a `null` from an object, and refuses it in a list by the elements' `type`.
//! An enum whose variants become different types has none.

use super::message::Message;
use super::reached::reached;
use super::readable::{has_no_null_values, is_no_optional_enum};
use crate::crd_schema::{Kind, Shape};

/// Sets of types.
mod types {
    pub(super) const INTEGER: u16 = 1;
    pub(super) const NUMBER: u16 = 1 << 1;
    pub(super) const STRING: u16 = 1 << 2;
    pub(super) const BOOLEAN: u16 = 1 << 3;
    pub(super) const LIST: u16 = 1 << 4;
    pub(super) const OBJECT: u16 = 1 << 5;
    /// `null` is read, or nothing is known: no error.
    pub(super) const ANY: u16 = 1 << 6;
}

/// The types that a value may have.
const fn types(shape: &Shape) -> u16 {
    if shape.optional {
        return types::ANY;
    }
    match shape.kind {
        Kind::Integer => types::INTEGER,
        Kind::Number => types::NUMBER,
        Kind::String | Kind::Enum => types::STRING,
        Kind::Boolean => types::BOOLEAN,
        Kind::List | Kind::Set => types::LIST,
        Kind::Object | Kind::Map => types::OBJECT,
        Kind::IntOrString => types::INTEGER | types::STRING,
        Kind::Any | Kind::Null | Kind::Opaque => types::ANY,
        Kind::Union => {
            let mut all = if shape.units { types::STRING } else { 0 };
            if !shape.fields.is_empty() {
                all |= types::OBJECT;
            }
            let mut at = 0;
            while at < shape.variants.len() {
                all |= types(&shape.variants[at]);
                at += 1;
            }
            all
        }
    }
}

/// Whether the schema has a type, or one of the two that integers and strings share.
const fn is_typed(shape: &Shape) -> bool {
    let types = types(shape);
    types & types::ANY != 0
        || types.count_ones() <= 1
        || types == types::INTEGER | types::NUMBER
        || types == types::INTEGER | types::STRING
}

/// Nothing in the lists and maps of a field is a `null` that its type cannot read or the server refuses, and nothing in
/// them asks for a column.
///
/// `place` is what the field itself stands in where it has no path, such as `a variant`, and empty for a field of a
/// struct; `changed` says that attributes make other types of the elements.
///
/// # Panics
/// If that is not so.
#[track_caller]
pub const fn elements(shape: &Shape, place: &str, changed: bool) {
    if !changed && !has_elements(shape) {
        no_element();
    }
    if !has_no_null_values(shape) {
        null_value();
    }
    reached(shape, place);
}

/// The same of an element of a tuple.
///
/// # Panics
/// As above.
#[track_caller]
pub const fn element(shape: &Shape) {
    if !is_element(shape) {
        no_element();
    }
    if !is_no_optional_enum(*shape) {
        null_value();
    }
}

#[track_caller]
const fn no_element() -> ! {
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

/// Whether an element of a list is refused where it is `null`, or read.
const fn is_element(shape: &Shape) -> bool {
    is_typed(shape) && has_elements(shape)
}

/// Whether no list in it admits a `null` that its elements do not read.
const fn has_elements(shape: &Shape) -> bool {
    match (shape.kind, shape.items) {
        (Kind::List | Kind::Set, Some(items)) => is_element(items),
        (Kind::Map, Some(items)) => has_elements(items),
        _ => true,
    }
}
