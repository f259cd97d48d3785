//! The JSON types of the values of a shape, as a set of bits.

use crate::crd_schema::{Shape, ShapeKind};

pub(super) const INTEGER: u16 = 1;
pub(super) const NUMBER: u16 = 1 << 1;
pub(super) const STRING: u16 = 1 << 2;
pub(super) const BOOLEAN: u16 = 1 << 3;
pub(super) const LIST: u16 = 1 << 4;
pub(super) const OBJECT: u16 = 1 << 5;
pub(super) const NULL: u16 = 1 << 6;
/// Any type: the value is any JSON, or its type is not known.
pub(super) const ANY: u16 = 1 << 7;

/// Returns the types that a value can have.
pub(super) const fn types(shape: &Shape) -> u16 {
    let types = match shape.kind {
        ShapeKind::Integer => INTEGER,
        ShapeKind::Number => NUMBER,
        ShapeKind::String | ShapeKind::Enum => STRING,
        ShapeKind::Boolean => BOOLEAN,
        ShapeKind::List | ShapeKind::Set => LIST,
        ShapeKind::Object | ShapeKind::Map => OBJECT,
        ShapeKind::IntOrString => INTEGER | STRING,
        ShapeKind::Null => NULL,
        ShapeKind::Any | ShapeKind::Opaque => ANY,
        ShapeKind::Union => {
            let mut all = if shape.units { STRING } else { 0 };
            if !shape.fields.is_empty() {
                all |= OBJECT;
            }
            each!(shape.variants, |variant| {
                all |= types(variant);
            });
            all
        }
    };
    if shape.optional { types | NULL } else { types }
}

/// Whether a value can have one of these types, as far as its types are known.
pub(super) const fn has(shape: &Shape, of: u16) -> bool {
    types(shape) & (of | ANY) != 0
}
