//! Checks that serde reads each untagged variant as such: that no earlier one reads it, and that no default of the server
//! turns its objects into those of another or makes serde read a flattened `None` as `Some`.

use super::message::{Message, fail};
use super::reads::{CHANGES, Comparison, FAILS, READS, reads_null};
use crate::crd_schema::{FieldPresence, Shape, ShapeKind};

/// Checks the untagged variants of an enum, which are `shape.variants` without the first `from`. `keyed` means that the
/// enum has externally tagged variants with content, too.
///
/// # Panics
/// If the server adds a default by which serde reads another variant.
#[track_caller]
pub const fn untagged_variants(shape: &Shape, from: usize, keyed: bool) {
    let variants = shape.variants;
    let mut at = from;
    while at < variants.len() {
        if let Some(name) = completing_field(&variants[at])
            && has_object(variants, at + 1)
        {
            fail(
                "the server adds the default of `{}` to objects of the later variants too, and serde would read them \
                 as the variant with this field; use `#[serde(default = ..)]`, move this variant behind the others, or \
                 tag the enum",
                &[name],
            );
        }
        if keyed && let Some(name) = defaulted_field(&variants[at]) {
            fail(
                "the server adds the default of `{}` to objects of the tagged variants too, which must have no other \
                 field; use `#[serde(default = ..)]`",
                &[name],
            );
        }
        at += 1;
    }
}

/// The steps that the comparisons of one enum may take.
pub const STEPS: usize = 10_000;

/// Checks that serde reads the untagged variant `at` as such: an earlier variant must neither read all its values, nor
/// some objects without all their fields. `variants` are the names of the untagged variants, which are those of `shape`
/// from `from` on, each with whether it is a newtype. Returns the rest of the `steps` that the comparison may take.
///
/// # Panics
/// If an earlier variant reads them.
#[track_caller]
pub const fn later_variant(
    shape: &Shape,
    from: usize,
    variants: &[(&str, bool)],
    at: usize,
    steps: usize,
) -> usize {
    let mut comparison = Comparison { steps, lost: None, rounds: false };
    let of = &shape.variants[from + at];
    let mut earlier = 0;
    // `None` is read by one variant, so that another one that reads the rest hides the variant.
    let mut reads_none = false;
    while of.optional && earlier < at {
        reads_none |= reads_null(&shape.variants[from + earlier]);
        earlier += 1;
    }
    let of = Shape { optional: of.optional && !reads_none, ..*of };
    earlier = 0;
    while earlier < at {
        (comparison.lost, comparison.rounds) = (None, false);
        let (name, is_newtype) = variants[earlier];
        let by = &shape.variants[from + earlier];
        let read = comparison.read(by, &of, !is_newtype);
        earlier += 1;
        let is_hidden = read & (FAILS | READS) == READS;
        if !is_hidden && read & CHANGES == 0 {
            continue;
        }
        let some = match is_hidden {
            true if reads_none && !reads_null(by) => "every value but `null`",
            true => "every value",
            false => "some values",
        };
        let message = Message::of(
            "serde reads {} of `{}` as `{}`, which stands before it",
            &[some, variants[at].0, name],
        );
        let message = match comparison.lost {
            Some(lost) => message.text(
                ", without `{}`; move it before `{}`, add `#[serde(deny_unknown_fields)]` to the content of `{}",
                &[lost, name, name],
            ),
            None if comparison.rounds => message
                .text(", and rounds integers above 2^24; use `f64` in `{}", &[name]),
            None => message.text("; move it before `{}", &[name]),
        };
        message.push("`, tag the enum, or keep it with `#[crd(unchecked(\"why\"))]`").fail();
    }
    comparison.steps
}

/// Checks the variant `at` in `shape.variants`, which is untagged, beside internally tagged ones with the names `tagged`:
/// serde reads a tagged variant from a list too, of its name or number and its fields.
///
/// # Panics
/// If the variant is a list that may begin with a name or number.
#[track_caller]
pub const fn list_beside_tag(shape: &Shape, at: usize, tagged: &'static [&'static str]) {
    let Shape { kind: ShapeKind::List | ShapeKind::Set, items: Some(items), .. } =
        &shape.variants[at]
    else {
        return;
    };
    let name = Shape { values: tagged, units: true, ..Shape::of(ShapeKind::Enum) };
    #[expect(clippy::cast_possible_wrap, reason = "an enum has fewer variants")]
    let number = Shape::integer(0, tagged.len() as i64 - 1);
    let mut comparison = Comparison { steps: STEPS, lost: None, rounds: false };
    let read = comparison.read(&name, items, false) | comparison.read(&number, items, false);
    assert!(
        read & READS == 0,
        "serde reads a list as a tagged variant if it begins with the name or the number of the variant; put this list \
         into a field, tag the variant, or keep it with `#[crd(unchecked(\"why\"))]`"
    );
}

/// Checks that a flattened `Option` can be `None`.
///
/// # Panics
/// If the server adds all fields that serde needs to read `Some`.
#[track_caller]
pub const fn absent_part(shape: &Shape) {
    if shape.optional
        && let Some(name) = completing_field(shape)
    {
        fail(
            "the server adds the default of `{}` to every object, so serde reads `None` as `Some`; remove the \
             `Option`, or remove `flatten` to give the type a field of its own",
            &[name],
        );
    }
}

/// Returns a field that serde needs and the server adds, if the server adds all fields that serde needs: every object
/// is then a value of the type.
const fn completing_field(shape: &Shape) -> Option<&str> {
    let mut found = None;
    if is_completed(shape, &mut found) { found } else { None }
}

/// Whether serde reads every object as the type after the server has added defaults. Types that do not derive, and
/// enums, are taken to need more.
const fn is_completed<'a>(shape: &'a Shape, found: &mut Option<&'a str>) -> bool {
    match shape.kind {
        ShapeKind::Any | ShapeKind::Null => return true,
        ShapeKind::Map => {
            return matches!(shape.items, None | Some(Shape { kind: ShapeKind::Any, .. }));
        }
        ShapeKind::Object => {}
        _ => return false,
    }
    each!(shape.fields, |field| {
        if field.schema.is_none() {
            // A tag, or the name of a variant.
            return false;
        }
        if field.name.is_empty() {
            let optional =
                field.shape.optional || !matches!(field.presence, FieldPresence::Required);
            if !optional && !is_completed(field.shape, found) {
                return false;
            }
        } else if matches!(field.presence, FieldPresence::Required) {
            return false;
        } else if field.needs_default {
            *found = Some(field.name);
        }
    });
    shape.variants.is_empty()
}

/// Returns a field with a default of the server.
const fn defaulted_field(shape: &Shape) -> Option<&str> {
    each!(shape.fields, |field| {
        if matches!(field.presence, FieldPresence::Defaulted) {
            return Some(field.name);
        }
        if field.name.is_empty()
            && let Some(name) = defaulted_field(field.shape)
        {
            return Some(name);
        }
    });
    None
}

/// Whether one of the variants from an index on is known to have objects as its values.
const fn has_object(variants: &[Shape], from: usize) -> bool {
    each!(variants.split_at(from).1, |variant| {
        let found = match variant.kind {
            ShapeKind::Object | ShapeKind::Map | ShapeKind::Any => true,
            ShapeKind::Union => !variant.fields.is_empty() || has_object(variant.variants, 0),
            _ => false,
        };
        if found {
            return true;
        }
    });
    false
}
