//! Checks of shapes, which rustc evaluates in derived code.
//!
//! A type without a known shape passes: `definition::validate` makes the exact checks.

/// A `for` loop over a slice, which constant functions cannot have. `return`, `break` and `continue` are those of a loop.
macro_rules! each {
    ($list:expr, |$item:ident| $body:block) => {{
        let mut list: &[_] = &$list;
        while let [$item, rest @ ..] = list {
            list = rest;
            $body
        }
    }};
}

mod constants;
mod elements;
mod flatten;
mod literals;
mod members;
mod message;
mod nested_columns;
mod paths;
mod readable;
mod reads;
mod same;
mod types;
mod untagged;
mod variants;
mod walk;

use crd_cel::compile_time::equal;

use crate::crd_schema::{Shape, ShapeKind};

pub use crate::builder::{ColumnPath, Step};
pub use constants::{
    constant_bound, constant_count, constant_group, constant_label, constant_message,
    constant_message_expression, constant_minor, constant_name, constant_rule, constants_in_order,
    within_constant,
};
pub use elements::{element, elements, has_items, has_values};
pub use flatten::{
    beside_tag, flattens, is_read_whole, is_taggable, keeps_nothing, kept, part, reads_own,
    skipped_part,
};
pub use literals::{
    literal_bool, literal_field, literal_list, literal_number, literal_object, literal_text,
    property,
};
pub use members::{list_map_key, list_type, member};
pub use nested_columns::headings;
pub use paths::{collected, column, column_type, field_path, scale, selectable, selector};
pub use readable::{
    embedded_parts, embedded_resource, has_default, int_or_string, is_no_option,
    is_no_optional_enum, keeps_unknown_fields, length_of_values, never_null, nullable,
    text_of_values,
};
pub use same::{of_std, same_element, same_status};
pub use untagged::{STEPS, absent_part, later_variant, list_beside_tag, untagged_variants};
pub use variants::variants;
pub use walk::{ReadOf, may_be_absent};

/// The checks of a type with parameters, evaluated where it is used.
pub trait Checked {
    /// Does not compile if a check fails.
    const CHECKED: ();
}

/// Checks a condition.
///
/// The derives do not write `assert!`, because editors would look for its errors in the file of the standard library
/// that defines the macro.
///
/// # Panics
/// If the condition does not hold.
#[track_caller]
pub const fn require(holds: bool, message: &str) {
    assert!(holds, "{}", message);
}

/// Returns the elements of a list or the values of a map; of unknown type if they are not known.
#[must_use]
pub const fn items(shape: &Shape) -> &Shape {
    const UNKNOWN: &Shape = &Shape::of(ShapeKind::Opaque);
    match shape.items {
        Some(items) => items,
        None => UNKNOWN,
    }
}

/// Whether bounds of numbers apply.
#[must_use]
pub const fn is_number(shape: Shape) -> bool {
    types::has(&shape, types::INTEGER | types::NUMBER)
}

/// Whether bounds of strings apply.
#[must_use]
pub const fn is_text(shape: Shape) -> bool {
    types::has(&shape, types::STRING)
}

/// Whether bounds of lists apply.
#[must_use]
pub const fn is_list(shape: Shape) -> bool {
    types::has(&shape, types::LIST)
}

/// Whether `values` applies. It does not apply to an enum if the content of a variant is an object with known fields:
/// `values` would change their schemas, like those of the keys of a map whose keys are an enum.
pub(super) const fn is_map(shape: &Shape) -> bool {
    is_object(*shape) && !has_known_fields(shape)
}

const fn has_known_fields(shape: &Shape) -> bool {
    match shape.kind {
        ShapeKind::Object => true,
        ShapeKind::Union => {
            each!(shape.variants, |variant| {
                if has_known_fields(variant) {
                    return true;
                }
            });
            !shape.fields.is_empty()
        }
        _ => false,
    }
}

/// Whether bounds of objects apply.
#[must_use]
pub const fn is_object(shape: Shape) -> bool {
    types::has(&shape, types::OBJECT)
}

/// Whether `list_type` applies, which needs `type: array` beside it.
#[must_use]
pub const fn has_list_type(shape: Shape) -> bool {
    is_list(shape) && has_one_type(&shape, true)
}

/// Whether `map_type` applies, which needs `type: object` beside it.
#[must_use]
pub const fn has_map_type(shape: Shape) -> bool {
    is_object(shape) && has_one_type(&shape, false) && !shape.units
}

/// Whether the schema has `type: array`, or `type: object` if `list` is false. True if the type is not known.
const fn has_one_type(shape: &Shape, list: bool) -> bool {
    match shape.kind {
        ShapeKind::Opaque => true,
        ShapeKind::List | ShapeKind::Set => list,
        ShapeKind::Object | ShapeKind::Map | ShapeKind::Null => !list,
        ShapeKind::Union => {
            each!(shape.variants, |variant| {
                if !has_one_type(variant, list) {
                    return false;
                }
            });
            true
        }
        _ => false,
    }
}

/// Whether the value is a string, number or boolean.
const fn is_scalar(shape: &Shape) -> bool {
    use ShapeKind::{Boolean, Enum, IntOrString, Integer, Number, String};
    matches!(shape.kind, String | Enum | Integer | Number | Boolean | IntOrString)
}

/// Whether a field of the type can be selectable.
#[must_use]
pub const fn is_selectable(shape: Shape) -> bool {
    use ShapeKind::{Boolean, Enum, Integer, Opaque, String, Union};
    matches!(shape.kind, String | Enum | Integer | Boolean | Opaque | Union)
}

/// Whether the type reads an absent field as `None`.
#[must_use]
pub const fn is_optional(shape: Shape) -> bool {
    shape.reads_absence()
}

/// Whether each apply configuration of the type has the key, or the type is not known.
#[must_use]
pub const fn requires_key(keys: Option<&[&str]>, name: &str) -> bool {
    let Some(keys) = keys else { return true };
    is_among(name, keys)
}

/// Whether the names have this one.
const fn is_among(name: &str, names: &[&str]) -> bool {
    each!(names, |other| {
        if equal(other.as_bytes(), name.as_bytes()) {
            return true;
        }
    });
    false
}
