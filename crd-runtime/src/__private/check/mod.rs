//! Questions about shapes that the derives let rustc answer while it compiles.
//!
//! A type of which nothing is known passes: the exact check is that of the CRD.

mod constants;
mod elements;
mod flatten;
mod literals;
mod members;
mod message;
mod paths;
mod reached;
mod readable;
mod transitions;
mod variants;
mod walk;

use crd_cel::compile_time::equal;

use crate::crd_schema::{FieldPresence, Kind, Shape};

pub use crate::builder::{ColumnPath, Step};
pub use constants::{
    constant_bound, constant_count, constant_message, constant_message_expression, constant_rule,
    constants_in_order, within_constant,
};
pub use elements::{element, elements};
pub use flatten::{beside, beside_tag, flattens, is_taggable, keeps_nothing, part};
pub use literals::{
    literal_bool, literal_field, literal_list, literal_number, literal_object, literal_text,
    property,
};
pub use members::{list_map_key, list_type, member};
pub use paths::{collected, column, column_type, field_path, scale, selectable, selector};
pub use reached::{headings, needs_path};
pub use readable::{
    bound, bound_with_fraction, embedded_resource, format, has_default, int_or_string,
    is_no_optional_enum, keeps_unknown_fields, length_of_values, never_null, nullable,
    text_of_values,
};
pub use transitions::{correlatable, correlatable_items};
pub use variants::variants;

/// The checks of a type with parameters, evaluated where it is used.
pub trait Checked {
    /// Ends rustc's evaluation where a check fails.
    const CHECKED: ();
}

/// What is asked of a shape holds.
///
/// The derives write no `assert!`: an error in what a macro of the standard library writes has its place in the
/// library's file, where editors look for it.
///
/// # Panics
/// If it does not.
#[track_caller]
pub const fn require(holds: bool, message: &str) {
    assert!(holds, "{}", message);
}

/// The elements of a list or the values of a map, as far as they are known.
#[must_use]
pub const fn items(shape: &Shape) -> &Shape {
    const UNKNOWN: &Shape = &Shape::of(Kind::Opaque);
    match shape.items {
        Some(items) => items,
        None => UNKNOWN,
    }
}

/// When a field of a type is there that the text of the type says nothing of.
#[must_use]
pub const fn presence(shape: Shape) -> FieldPresence {
    if shape.optional { FieldPresence::Optional } else { FieldPresence::Required }
}

const fn is_open(shape: &Shape) -> bool {
    matches!(shape.kind, Kind::Any | Kind::Opaque | Kind::Union)
}

/// Whether bounds of numbers apply.
#[must_use]
pub const fn is_number(shape: Shape) -> bool {
    is_open(&shape) || matches!(shape.kind, Kind::Integer | Kind::Number | Kind::IntOrString)
}

/// Whether bounds of strings apply.
#[must_use]
pub const fn is_text(shape: Shape) -> bool {
    is_open(&shape) || matches!(shape.kind, Kind::String | Kind::Enum | Kind::IntOrString)
}

/// Whether bounds of lists apply.
#[must_use]
pub const fn is_list(shape: Shape) -> bool {
    is_open(&shape) || matches!(shape.kind, Kind::List | Kind::Set)
}

/// Whether it has values of free keys.
#[must_use]
pub const fn is_map(shape: Shape) -> bool {
    is_open(&shape) || matches!(shape.kind, Kind::Map)
}

/// Whether bounds of objects apply.
#[must_use]
pub const fn is_object(shape: Shape) -> bool {
    is_open(&shape) || matches!(shape.kind, Kind::Object | Kind::Map)
}

/// Whether `list_type` applies, which needs `type: array` beside it.
#[must_use]
pub const fn has_list_type(shape: Shape) -> bool {
    is_list(shape) && !matches!(shape.kind, Kind::Any)
}

/// Whether `map_type` applies, which needs `type: object` beside it.
#[must_use]
pub const fn has_map_type(shape: Shape) -> bool {
    is_object(shape) && !matches!(shape.kind, Kind::Any) && !shape.units
}

/// Whether field selectors know the type.
#[must_use]
pub const fn is_selectable(shape: Shape) -> bool {
    matches!(
        shape.kind,
        Kind::String | Kind::Enum | Kind::Integer | Kind::Boolean | Kind::Opaque | Kind::Union
    )
}

/// Whether absence is read as `None`.
#[must_use]
pub const fn is_optional(shape: Shape) -> bool {
    shape.optional
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
