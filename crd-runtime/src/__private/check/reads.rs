//! What serde reads as one type of the JSON of another. Of several untagged variants, the first that reads a value has
//! it.
//!
//! Only what is certain counts as read: a shape that says too little reads nothing.
//!
//! Source: serde's `private/de.rs`, `ContentRefDeserializer`, and the visitors that `serde_derive` writes.

use super::{equal, is_among};
use crate::crd_schema::{Declared, FieldPresence, FieldShape, Shape, ShapeKind};

/// Some value is not read.
pub(super) const FAILS: u8 = 1;
/// Some value is read.
pub(super) const READS: u8 = 1 << 1;
/// Some value is read, and serde would write another one in its place.
pub(super) const CHANGES: u8 = 1 << 2;

/// The integers of an integer or string.
const INT32: Shape = Shape::integer(i32::MIN as i64, i32::MAX as i64);

/// A comparison of types.
pub(super) struct Comparison {
    /// The steps that it may take, because rustc rejects a constant whose evaluation takes long.
    pub(super) steps: usize,
    /// A field that is not kept.
    pub(super) lost: Option<&'static str>,
    /// Whether integers are read as numbers of single precision.
    pub(super) rounds: bool,
}

/// How an object has a field.
enum Found<'a> {
    Always(&'a Shape),
    Maybe(&'a Shape),
    Nothing,
    Unknown,
}

impl Comparison {
    /// Returns what serde reads as `by` of the values of `of`. `in_place` means that `by` is a variant, and not the
    /// content of one: serde reads it from `null` alone if it has no content, and from no list if it has fields.
    pub(super) const fn read(&mut self, by: &Shape, of: &Shape, in_place: bool) -> u8 {
        let cost = 1 + by.fields.len() * of.fields.len();
        if self.steps < cost {
            return FAILS;
        }
        self.steps -= cost;
        let mut result = 0;
        if of.optional || matches!(of.kind, ShapeKind::Null | ShapeKind::Any) {
            result |= if reads_null(by) { READS } else { FAILS };
        }
        match of.kind {
            ShapeKind::Null => {}
            ShapeKind::Opaque => result |= FAILS,
            ShapeKind::Union => {
                // Of tagged variants beside untagged ones, only the tags and names are known.
                if !of.fields.is_empty() && !of.variants.is_empty() {
                    result |= self.read(by, &Shape::object(of.fields), in_place) | FAILS;
                }
                let mut part = 0;
                while let Some(alternative) = alternative(of, part) {
                    result |= self.read(by, &alternative, in_place);
                    part += 1;
                }
            }
            _ if by.fallible => result |= FAILS,
            _ if by.reads_any => result |= READS,
            _ if matches!(by.kind, ShapeKind::Union) => result |= self.read_as_union(by, of),
            _ => result |= self.read_value(by, of, in_place),
        }
        result
    }

    /// The first alternative that reads a value has it.
    const fn read_as_union(&mut self, by: &Shape, of: &Shape) -> u8 {
        let (mut result, mut part) = (FAILS, 0);
        while let Some(alternative) = alternative(by, part)
            && result & FAILS != 0
        {
            let read = self.read(&alternative, of, true);
            result = (result | read) & (!FAILS | read);
            part += 1;
        }
        result
    }

    const fn read_value(&mut self, by: &Shape, of: &Shape, in_place: bool) -> u8 {
        use ShapeKind::{
            Any, Boolean, Enum, IntOrString, Integer, List, Map, Null, Number, Object, Set, String,
        };
        let is_single = equal(by.bounds.format.as_bytes(), b"float");
        match (by.kind, of.kind) {
            // serde reads a large integer as the nearest float.
            (Number, Any | IntOrString) if is_single => {
                self.rounds = true;
                FAILS | READS | CHANGES
            }
            (Any, _)
            | (Boolean, Boolean)
            | (Number, Integer | Number)
            | (IntOrString, IntOrString | String | Enum) => READS,
            (Integer, Integer) => integers(by, of),
            (IntOrString, Integer) => integers(&INT32, of),
            (String | Enum, String | Enum) => strings(by, of),
            (Integer | Number | String | Enum, IntOrString) | (Integer | IntOrString, Number) => {
                FAILS | READS
            }
            (Boolean | Integer | Number | IntOrString | String | Enum, Any) => FAILS | READS,
            (List | Set, List | Set | Any) => self.read_list(by, of),
            (Object, List | Set) if !in_place => self.read_sequence(by, of),
            (Object | Map, Object | Map | Any) => self.read_object(by, of),
            // `()` is read from an object without fields.
            (Null, Object) if !in_place && may_be_empty(of.fields) => FAILS | READS | CHANGES,
            _ => FAILS,
        }
    }

    const fn read_list(&mut self, by: &Shape, of: &Shape) -> u8 {
        let mut result = if matches!(of.kind, ShapeKind::Any) { FAILS } else { 0 };
        let is_any = result != 0;
        let (least, most) = (of.bounds.min_items, of.bounds.max_items);
        let length = by.bounds.min_items;
        if length == by.bounds.max_items {
            if length < least || length > most {
                return FAILS;
            }
            if least != most {
                result |= FAILS;
            }
        }
        if matches!(by.kind, ShapeKind::Set) && matches!(of.kind, ShapeKind::List) {
            result |= CHANGES;
        }
        let read = match (by.items, of.items) {
            (Some(by), _) if is_any => self.read(by, of, false),
            (Some(by), Some(of)) => self.read(by, of, false),
            _ => FAILS,
        };
        match read & READS {
            // The list without elements.
            0 if least == 0 && length == 0 => FAILS | READS,
            0 => FAILS,
            _ => result | read,
        }
    }

    /// serde reads a struct from a list of its fields.
    const fn read_sequence(&mut self, by: &Shape, of: &Shape) -> u8 {
        let Some(items) = of.items else { return FAILS };
        let (mut most, mut least) = (0, 0);
        each!(by.fields, |field| {
            if is_part(field) || is_tag_of_enum(field) || by.keyed {
                return FAILS;
            }
            if field.schema.is_none() {
                continue;
            }
            most += 1;
            if is_needed(field) || field.shape.optional {
                least = most;
                if self.read(field.shape, items, false) & READS == 0 {
                    return FAILS;
                }
            }
        });
        let is_met =
            by.variants.is_empty() && of.bounds.min_items <= most && of.bounds.max_items >= least;
        if is_met { FAILS | READS | CHANGES } else { FAILS }
    }

    const fn read_object(&mut self, by: &Shape, of: &Shape) -> u8 {
        if matches!(by.kind, ShapeKind::Map) {
            return match by.items {
                None | Some(Shape { kind: ShapeKind::Any, .. }) => READS,
                Some(values) => self.read_values(values, of),
            };
        }
        if by.keyed {
            return if of.keyed { self.read_keyed(by, of) } else { FAILS };
        }
        let read = self.read_fields(by.fields, of);
        if read & READS == 0 {
            return FAILS;
        }
        if is_enum(by) {
            // They have a tag in common; their contents are not compared.
            return FAILS | READS | CHANGES;
        }
        match self.unread(by, of) {
            result if result & READS == 0 => FAILS,
            result => result | read,
        }
    }

    /// The fields of an object, read as the values of a map.
    const fn read_values(&mut self, values: &Shape, of: &Shape) -> u8 {
        if let Some(items) = of.items {
            return FAILS | READS | self.read(values, items, false);
        }
        let mut result = READS;
        each!(of.fields, |field| {
            let read = if is_part(field) { FAILS } else { self.read(values, field.shape, false) };
            if read & READS == 0 && is_there(field) {
                return FAILS;
            }
            result |= read;
        });
        if of.variants.is_empty() && matches!(of.kind, ShapeKind::Object) { result } else { FAILS }
    }

    /// An externally tagged enum, read as another one.
    const fn read_keyed(&mut self, by: &Shape, of: &Shape) -> u8 {
        let mut result = 0;
        each!(of.fields, |field| {
            result |= match find(by, field.name) {
                Found::Maybe(content) => self.read(content, field.shape, true),
                _ => FAILS,
            };
        });
        result
    }

    /// Returns what is read of an object by these fields, without regard to others.
    const fn read_fields(&mut self, fields: &[FieldShape], of: &Shape) -> u8 {
        let mut result = READS;
        each!(fields, |field| {
            let read = if is_part(field) {
                match field.shape.kind {
                    ShapeKind::Object if !is_enum(field.shape) => {
                        let read = self.read_fields(field.shape.fields, of);
                        if is_needed(field) || read & READS != 0 { read } else { READS }
                    }
                    ShapeKind::Map | ShapeKind::Any | ShapeKind::Null => READS,
                    _ => FAILS,
                }
            } else if is_tag_of_enum(field) {
                match find(of, field.name) {
                    Found::Always(tag) if strings(field.shape, tag) & READS != 0 => READS,
                    _ => FAILS,
                }
            } else if field.schema.is_none() {
                // serde writes the tag of a struct, and does not read it.
                READS | CHANGES
            } else {
                match find(of, field.name) {
                    Found::Unknown => FAILS,
                    Found::Nothing if is_needed(field) => FAILS,
                    Found::Nothing if field.always_written => READS | CHANGES,
                    Found::Nothing => READS,
                    Found::Always(value) => self.read(field.shape, value, false),
                    Found::Maybe(value) => {
                        let read = self.read(field.shape, value, false);
                        match (is_needed(field), read & READS) {
                            (true, _) => read | FAILS,
                            // An object without the field.
                            (false, 0) => FAILS | READS,
                            (false, _) => read,
                        }
                    }
                }
            };
            if read & READS == 0 {
                return FAILS;
            }
            result |= read;
        });
        result
    }

    /// Returns what becomes of the fields of an object that the struct `by` does not have.
    const fn unread(&mut self, by: &Shape, of: &Shape) -> u8 {
        let mut result = READS;
        if matches!(of.kind, ShapeKind::Map | ShapeKind::Any) && !has_all(by) {
            result |= if by.denies_unknown { FAILS } else { CHANGES };
        }
        each!(of.fields, |field| {
            if is_part(field) {
                let read = self.unread(by, field.shape);
                if read & READS == 0 && is_there(field) {
                    return FAILS;
                }
                result |= read;
            } else if let Found::Nothing = find(by, field.name) {
                if !by.denies_unknown {
                    self.lost = Some(field.name);
                    result |= CHANGES;
                } else if is_there(field) {
                    return FAILS;
                } else {
                    result |= FAILS;
                }
            }
        });
        each!(of.variants, |variant| {
            result |= self.unread(by, variant);
        });
        result
    }
}

/// Returns one of the alternatives of a union: the names of variants without content, the variants with a tag, and the
/// untagged variants. Of tagged variants beside untagged ones, nothing is known.
const fn alternative(of: &Shape, at: usize) -> Option<Shape> {
    let rest = if of.units { at.checked_sub(1) } else { Some(at) };
    let Some(at) = rest else {
        let names = of.unit_variant_names;
        return Some(Shape { values: names, units: true, ..Shape::of(ShapeKind::Enum) });
    };
    let rest = if of.fields.is_empty() { Some(at) } else { at.checked_sub(1) };
    match rest {
        Some(at) if at < of.variants.len() => Some(of.variants[at]),
        Some(_) => None,
        None if of.variants.is_empty() => Some(Shape { keyed: true, ..Shape::object(of.fields) }),
        None => Some(Shape::of(ShapeKind::Opaque)),
    }
}

/// Whether serde reads the type from `null`.
pub(super) const fn reads_null(by: &Shape) -> bool {
    let mut at = 0;
    while at < by.variants.len() && matches!(by.kind, ShapeKind::Union) {
        if reads_null(&by.variants[at]) {
            return true;
        }
        at += 1;
    }
    by.optional || by.reads_any || matches!(by.kind, ShapeKind::Any | ShapeKind::Null)
}

#[expect(clippy::cast_precision_loss, reason = "bounds are doubles")]
const fn integers(by: &Shape, of: &Shape) -> u8 {
    let Some((least, most)) = by.range else { return FAILS };
    let (mut low, mut high) = match of.range {
        Some((low, high)) => (low as f64, high as f64),
        None => (i64::MIN as f64, i64::MAX as f64),
    };
    if let Some((least, greatest)) = of.bounds.enumerated {
        (low, high) = (least, greatest);
    }
    if let Some((minimum, _)) = of.bounds.minimum
        && minimum > low
    {
        low = minimum;
    }
    if let Some((maximum, _)) = of.bounds.maximum
        && maximum < high
    {
        high = maximum;
    }
    let (least, most) = (least as f64, most as f64);
    if high < least || low > most {
        return FAILS;
    }
    let zero = by.bounds.non_zero && !of.bounds.non_zero && low <= 0.0 && high >= 0.0;
    if low < least || high > most || zero { FAILS | READS } else { READS }
}

const fn strings(by: &Shape, of: &Shape) -> u8 {
    let is_char = by.bounds.max_length == 1 && by.bounds.min_length == 1;
    // An enum, and the tag of one, read certain strings; attributes that enumerate strings are not known to serde.
    let is_enum = matches!(by.kind, ShapeKind::Enum) && (by.units || !by.enumerated);
    if !is_enum {
        let are_chars = of.bounds.max_length == 1 && of.bounds.min_length == 1;
        return if is_char && !are_chars { FAILS | READS } else { READS };
    }
    let mut result = 0;
    each!(of.values, |value| {
        result |= if is_among(value, by.values) { READS } else { FAILS };
    });
    if result == 0 { FAILS | READS } else { result }
}

/// Whether a field is flattened.
const fn is_part(field: &FieldShape) -> bool {
    field.flattened && field.name.is_empty()
}

/// Whether serde fails for an object without the field. [`untagged_variants`](super::untagged_variants) checks the
/// defaults that the server adds to it.
const fn is_needed(field: &FieldShape) -> bool {
    let is_required =
        matches!(field.presence, FieldPresence::Required) && !field.shape.reads_absence();
    is_required || field.needs_default
}

/// Whether each object has the field.
const fn is_there(field: &FieldShape) -> bool {
    !(matches!(field.presence, FieldPresence::Optional) || is_part(field) && field.shape.optional)
}

/// Whether a field is no field of a derived struct, such as the tag of an enum. The tag of a struct has a declaration.
const fn is_tag_of_enum(field: &FieldShape) -> bool {
    field.schema.is_none() && !is_part(field) && matches!(field.cel.of, Declared::Unknown)
}

const fn is_enum(shape: &Shape) -> bool {
    each!(shape.fields, |field| {
        if is_tag_of_enum(field) {
            return true;
        }
    });
    shape.keyed || !shape.variants.is_empty()
}

/// Whether the object keeps fields of any name.
const fn has_all(shape: &Shape) -> bool {
    matches!(find(shape, ""), Found::Unknown)
}

const fn may_be_empty(fields: &[FieldShape]) -> bool {
    each!(fields, |field| {
        if is_there(field) {
            return false;
        }
    });
    true
}

const fn find<'a>(shape: &'a Shape, name: &str) -> Found<'a> {
    let mut found = match shape.kind {
        ShapeKind::Map | ShapeKind::Any | ShapeKind::Opaque => Found::Unknown,
        _ => Found::Nothing,
    };
    each!(shape.fields, |field| {
        if is_part(field) {
            match find(field.shape, name) {
                Found::Nothing => {}
                Found::Unknown => found = Found::Unknown,
                Found::Always(shape) if is_there(field) => return Found::Always(shape),
                Found::Always(shape) | Found::Maybe(shape) => return Found::Maybe(shape),
            }
        } else if equal(field.name.as_bytes(), name.as_bytes()) {
            let shape = field.shape;
            return if is_there(field) { Found::Always(shape) } else { Found::Maybe(shape) };
        }
    });
    each!(shape.variants, |variant| {
        match find(variant, name) {
            Found::Always(shape) | Found::Maybe(shape) => return Found::Maybe(shape),
            Found::Unknown => found = Found::Unknown,
            Found::Nothing => {}
        }
    });
    found
}
