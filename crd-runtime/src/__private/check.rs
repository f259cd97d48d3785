//! Questions about shapes that the derives let rustc answer while it compiles.
//!
//! A type of which nothing is known passes: the exact check is that of the CRD.

use crate::crd_schema::{Kind, Shape};

const fn is_open(shape: Shape) -> bool {
    matches!(shape.kind, Kind::Any | Kind::Opaque | Kind::Union)
}

/// Whether bounds of numbers apply.
#[must_use]
pub const fn is_number(shape: Shape) -> bool {
    is_open(shape) || matches!(shape.kind, Kind::Integer | Kind::Number | Kind::IntOrString)
}

/// Whether bounds of strings apply.
#[must_use]
pub const fn is_text(shape: Shape) -> bool {
    is_open(shape) || matches!(shape.kind, Kind::String | Kind::Enum | Kind::IntOrString)
}

/// Whether bounds of lists apply.
#[must_use]
pub const fn is_list(shape: Shape) -> bool {
    is_open(shape) || matches!(shape.kind, Kind::List | Kind::Set)
}

/// Whether bounds of objects apply.
#[must_use]
pub const fn is_object(shape: Shape) -> bool {
    is_open(shape) || matches!(shape.kind, Kind::Object | Kind::Map)
}

/// Whether field selectors know the type.
#[must_use]
pub const fn is_selectable(shape: Shape) -> bool {
    matches!(shape.kind, Kind::String | Kind::Enum | Kind::Integer | Kind::Boolean | Kind::Opaque)
}

/// Whether absence is read as `None`.
#[must_use]
pub const fn is_optional(shape: Shape) -> bool {
    shape.optional
}

/// Whether `null`, if it is written, is admitted.
#[must_use]
pub const fn is_no_optional_enum(shape: Shape) -> bool {
    !(shape.optional && matches!(shape.kind, Kind::Enum))
}

/// Whether the fields can become those of another object.
#[must_use]
pub const fn flattens(shape: Shape) -> bool {
    match shape.kind {
        Kind::Map => match shape.items {
            Some(values) => matches!(values.kind, Kind::Any),
            None => true,
        },
        _ => is_open(shape) || matches!(shape.kind, Kind::Object | Kind::Null),
    }
}

/// The field `name` of a list's items; `Err` where the items are not known.
const fn key(shape: Shape, name: &str) -> Result<Option<crate::crd_schema::FieldShape>, ()> {
    let Some(items) = shape.items else { return Err(()) };
    if !matches!(items.kind, Kind::Object) || !items.variants.is_empty() {
        return Err(());
    }
    let mut index = 0;
    while index < items.fields.len() {
        let field = items.fields[index];
        // A flattened part may have it.
        if field.name.is_empty() {
            return Err(());
        }
        if equal(field.name.as_bytes(), name.as_bytes()) {
            return Ok(Some(field));
        }
        index += 1;
    }
    Ok(None)
}

/// Whether the items have the field, or are not known.
#[must_use]
pub const fn has_key(shape: Shape, name: &str) -> bool {
    !matches!(key(shape, name), Ok(None))
}

/// Whether the key is a scalar, or not known.
#[must_use]
pub const fn has_scalar_key(shape: Shape, name: &str) -> bool {
    match key(shape, name) {
        Ok(Some(field)) => !matches!(
            field.shape.kind,
            Kind::Object | Kind::Map | Kind::List | Kind::Set | Kind::Null
        ),
        _ => true,
    }
}

/// Whether the key is always there, or not known.
#[must_use]
pub const fn has_present_key(shape: Shape, name: &str) -> bool {
    match key(shape, name) {
        Ok(Some(field)) => field.always,
        _ => true,
    }
}

/// Whether each apply configuration has the key, or nothing is known of it.
#[must_use]
pub const fn requires_key(keys: Option<&[&str]>, name: &str) -> bool {
    let Some(keys) = keys else { return true };
    let mut index = 0;
    while index < keys.len() {
        if equal(keys[index].as_bytes(), name.as_bytes()) {
            return true;
        }
        index += 1;
    }
    false
}

const fn equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut index = 0;
    while index < a.len() {
        if a[index] != b[index] {
            return false;
        }
        index += 1;
    }
    true
}
