//! Checks literals of attributes, most of them defaults, against the type that they are for. Its patterns and rules are
//! not evaluated here: `definition::validate` checks every default completely.

use super::is_among;
use super::message::{Message, fail, kind};
use super::readable::code_points;
use super::types;
use super::walk::{FieldLookup, find};
use crate::crd_schema::{FieldPresence, Shape, ShapeKind};

/// Checks a string in a default or in `enum_values`. `not` has the formats that it does not match, without hyphens.
///
/// # Panics
/// If the type is not a string, is an enumeration without it, or has attributes that reject it.
#[track_caller]
pub const fn literal_text(shape: &Shape, what: &str, text: &str, not: &[&str]) {
    if !super::is_text(*shape) {
        other_kind(shape, what, "a string");
    }
    let bounds = &shape.bounds;
    let length = code_points(text) as u64;
    if length < bounds.min_length || length > bounds.max_length {
        let long = length > bounds.max_length;
        outside(what, if long { "longer than `max_length`" } else { "shorter than `min_length`" });
    }
    if bounds.quantity && !is_quantity(text.as_bytes()) {
        fail(
            "the {} `{}` is not a quantity; write a number and a suffix, such as `500m` or `1Gi`",
            &[what, text],
        );
    }
    if is_among_formats(bounds.format, not) {
        fail("the {} is not of the format `{}`, which the type has", &[what, bounds.format]);
    }
    if may_be(shape, text) {
        return;
    }
    Message::of("`{}` is not a value of the enumeration", &[text]).values(shape, text).fail();
}

/// Whether a text may be a value of the enumeration, or of one of several. Any text may be one if the values are not
/// known, or if the type also admits strings that are not enumerated.
const fn may_be(shape: &Shape, text: &str) -> bool {
    match shape.kind {
        ShapeKind::Union => {
            each!(shape.variants, |variant| {
                // A text is no value of a variant of another type.
                if super::is_text(*variant) && may_be(variant, text) {
                    return true;
                }
            });
            // The names of variants without content are not compared: `unit_variant_names` lacks their aliases.
            shape.units
        }
        _ => shape.values.is_empty() || is_among(text, shape.values),
    }
}

/// Checks a number, as [`literal_text`] checks a string. `whole` means that it has no fraction.
///
/// # Panics
/// If the type is not a number, cannot represent this one, or has attributes that reject it.
#[track_caller]
pub const fn literal_number(shape: &Shape, what: &str, whole: bool, value: f64) {
    if !super::is_number(*shape) {
        other_kind(shape, what, "a number");
    }
    if !whole && !types::has(shape, types::NUMBER) {
        other_kind(shape, what, "a fraction");
    }
    if let Some((least, greatest)) = shape.range
        && matches!(shape.kind, ShapeKind::Integer)
        && (value < as_double(least) || value > as_double(greatest))
    {
        Message::of("the {} is outside the range of the type, ", &[what])
            .int(least as i128)
            .push(" to ")
            .int(greatest as i128)
            .fail();
    }
    let bounds = &shape.bounds;
    if bounds.non_zero && value == 0.0 {
        fail("the {} is 0, which the type does not allow", &[what]);
    }
    if let Some((minimum, exclusive)) = bounds.minimum
        && (value < minimum || (exclusive && value <= minimum))
    {
        outside(what, "below `minimum`");
    }
    if let Some((maximum, exclusive)) = bounds.maximum
        && (value > maximum || (exclusive && value >= maximum))
    {
        outside(what, "above `maximum`");
    }
}

/// Whether a format is among `names`. Hyphens in the format are ignored.
///
/// Source: kube-openapi `pkg/validation/strfmt/format.go`, `DefaultNameNormalizer`.
const fn is_among_formats(format: &str, names: &[&str]) -> bool {
    let mut i = 0;
    while !format.is_empty() && i < names.len() {
        if is_format(format.as_bytes(), names[i].as_bytes()) {
            return true;
        }
        i += 1;
    }
    false
}

const fn is_format(format: &[u8], name: &[u8]) -> bool {
    let (mut at, mut i) = (0, 0);
    while at < format.len() {
        if format[at] != b'-' {
            if i == name.len() || name[i] != format[at] {
                return false;
            }
            i += 1;
        }
        at += 1;
    }
    i == name.len()
}

#[expect(clippy::cast_precision_loss, reason = "the server compares doubles")]
const fn as_double(value: i64) -> f64 {
    value as f64
}

/// Fails because a bound of the type excludes the value. The bound is not at the attribute, so the message names it.
#[track_caller]
const fn outside(what: &str, how: &str) -> ! {
    fail("the {} is {} of the type", &[what, how])
}

/// Checks a boolean.
///
/// # Panics
/// If the type is not a boolean.
#[track_caller]
pub const fn literal_bool(shape: &Shape, what: &str) {
    if !types::has(shape, types::BOOLEAN) {
        other_kind(shape, what, "a boolean");
    }
}

/// Checks a list of `count` elements. The elements are checked separately.
///
/// # Panics
/// If the type is not a list, or has bounds that exclude this length.
#[track_caller]
pub const fn literal_list(shape: &Shape, what: &str, count: u64) {
    if !super::is_list(*shape) {
        other_kind(shape, what, "a list");
    }
    let bounds = &shape.bounds;
    if count < bounds.min_items || count > bounds.max_items {
        let long = count > bounds.max_items;
        outside(what, if long { "longer than `max_items`" } else { "shorter than `min_items`" });
    }
}

/// Checks an object with these fields. The values of the fields are checked separately.
///
/// # Panics
/// If the type is not an object, has bounds that exclude this number of fields, or requires a field that is missing.
#[track_caller]
pub const fn literal_object(shape: &Shape, what: &str, names: &[&str]) {
    if !super::is_object(*shape) {
        other_kind(shape, what, "an object");
    }
    let (bounds, count) = (&shape.bounds, names.len() as u64);
    if count > bounds.max_properties {
        outside(what, "larger than `max_properties`");
    }
    // Fields with defaults of their own may be missing.
    if count < bounds.min_properties && matches!(shape.kind, ShapeKind::Map) {
        outside(what, "smaller than `min_properties`");
    }
    if let Some(name) = missing_field(shape, names) {
        fail("the {} has no field `{}`, which the type requires", &[what, name]);
    }
}

/// Returns a required field that is not among `names`.
const fn missing_field<'a>(shape: &'a Shape, names: &[&str]) -> Option<&'a str> {
    if !matches!(shape.kind, ShapeKind::Object) {
        return None;
    }
    each!(shape.fields, |field| {
        if !matches!(field.presence, FieldPresence::Required) {
            continue;
        }
        let lacking = if !field.name.is_empty() {
            if is_among(field.name, names) { None } else { Some(field.name) }
        } else if field.shape.optional {
            None
        } else {
            missing_field(field.shape, names)
        };
        if lacking.is_some() {
            return lacking;
        }
    });
    None
}

/// Checks the name of a field in an object that [`literal_object`] checks.
///
/// # Panics
/// If the type has no such field: the server rejects a default with a field that it would prune.
#[track_caller]
pub const fn literal_field(shape: &Shape, what: &str, name: &str) {
    if let FieldLookup::Nothing = find(shape, name) {
        Message::of("there is no field `{}` in the type of the {}", &[name, what])
            .fields(shape, name)
            .fail();
    }
}

/// Returns the shape of a field; one of unknown type if it is not certain that the object has the field.
#[must_use]
pub const fn property<'a>(shape: &'a Shape, name: &str) -> &'a Shape {
    const UNKNOWN: &Shape = &Shape::of(ShapeKind::Opaque);
    match find(shape, name) {
        FieldLookup::One { shape, sure: true, .. } => shape,
        _ => UNKNOWN,
    }
}

#[track_caller]
const fn other_kind(shape: &Shape, what: &str, is: &str) -> ! {
    let of = match what.as_bytes() {
        b"element" => "the type of the elements",
        _ => "the field's type",
    };
    let message = Message::of("the {} is {}, but {} is {}", &[what, is, of, kind(shape)]);
    if shape.values.is_empty() { message.fail() } else { message.values(shape, "").fail() }
}

/// Whether a text matches the pattern in the schema of `Quantity`.
const fn is_quantity(text: &[u8]) -> bool {
    let at = number(text, sign(text, 0));
    let Some(at) = at else { return false };
    match text.split_at(at).1 {
        []
        | [b'n' | b'u' | b'm' | b'k' | b'M' | b'G' | b'T' | b'P' | b'E']
        | [b'K' | b'M' | b'G' | b'T' | b'P' | b'E', b'i'] => true,
        [b'e' | b'E', ..] => match number(text, sign(text, at + 1)) {
            Some(end) => end == text.len(),
            None => false,
        },
        _ => false,
    }
}

/// Returns the offset after a sign, or `at` if there is none.
const fn sign(text: &[u8], at: usize) -> usize {
    if at < text.len() && matches!(text[at], b'+' | b'-') { at + 1 } else { at }
}

/// Returns the offset after a number such as `1`, `1.`, `1.5` or `.5`.
const fn number(text: &[u8], start: usize) -> Option<usize> {
    let whole = digits(text, start);
    if whole == text.len() || text[whole] != b'.' {
        return if whole > start { Some(whole) } else { None };
    }
    let end = digits(text, whole + 1);
    if whole > start || end > whole + 1 { Some(end) } else { None }
}

const fn digits(text: &[u8], start: usize) -> usize {
    let mut at = start;
    while at < text.len() && text[at].is_ascii_digit() {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::is_quantity;

    #[test]
    fn quantities() {
        for text in ["1", "500m", "1Gi", "-1.5", "+.5k", "1.", "1e3", "1E-3", "2E", "1.5e.5"] {
            assert!(is_quantity(text.as_bytes()), "{text}");
        }
        for text in ["", "m", "1 Gi", "1gi", "1KI", "1e", ".", "abc", "1Gi ", "--1", "1e3x"] {
            assert!(!is_quantity(text.as_bytes()), "{text}");
        }
    }
}
