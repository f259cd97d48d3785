//! Digests of the defaults and rules of a field, about which all variants with this field have to agree. An enum of
//! hundreds of variants has too many pairs for rustc, so only variants whose digests differ are compared.

use super::equal;
use super::types::{NULL, types};
use crate::crd_schema::{DefaultDigest, FieldPresence, FieldShape, Shape, ShapeKind};

/// The greatest depth at which defaults and rules are searched for.
pub(super) const MAX_DEPTH: usize = 24;

pub(super) const fn is_metadata(name: &str) -> bool {
    equal(name.as_bytes(), b"metadata")
}

/// Returns a digest of the values that a field can have, without the bounds of attributes.
pub(super) const fn structure_of_field(field: &FieldShape) -> u64 {
    let is_nullable = field.shape.optional && field.always_written;
    mix(structure(field.shape, 0), is_nullable as u64) | 1
}

const fn structure(shape: &Shape, depth: usize) -> u64 {
    let openness = shape.open as u64 + matches!(shape.kind, ShapeKind::Opaque) as u64 * 2;
    let mut all = mix(types(shape) as u64 & !(NULL as u64), openness);
    if let Some((least, most)) = shape.range {
        all = mix(mix(all, least.cast_unsigned()), most.cast_unsigned());
    }
    let mut at = 0;
    while at < shape.values.len() {
        all = mix(all, hash(shape.values[at]));
        at += 1;
    }
    at = 0;
    while depth < MAX_DEPTH && at < shape.fields.len() {
        let field = &shape.fields[at];
        let presence = matches!(field.presence, FieldPresence::Required) as u64;
        let inner = mix(structure(field.shape, depth + 1), presence);
        all = all.wrapping_add(mix(hash(field.name), inner));
        at += 1;
    }
    at = 0;
    while depth < MAX_DEPTH && at < shape.variants.len() {
        all = mix(all, structure(&shape.variants[at], depth + 1));
        at += 1;
    }
    match shape.items {
        Some(items) if depth < MAX_DEPTH => mix(all, structure(items, depth + 1)),
        _ => all,
    }
}

/// The number of slots of [`FieldDigests`].
const SLOTS: usize = 1024;
/// The number of structures that a slot of [`FieldDigests`] keeps. Any further one is treated as new.
const STRUCTURES: usize = 2;

/// The fields of alternatives by the hashes of their names, each with a digest of its defaults and rules. Different
/// names can have the same slot.
pub(super) struct FieldDigests {
    seen: [bool; SLOTS],
    digests: [u64; SLOTS],
    differ: [bool; SLOTS],
    /// The structures of fields with different digests.
    structures: [[u64; STRUCTURES]; SLOTS],
    /// Whether some alternative may have any field, or is no object.
    open: bool,
    /// Whether some field has defaults or rules, so that its digest is not 0.
    any: bool,
    /// Whether two fields of one slot have different digests.
    any_differ: bool,
}

impl FieldDigests {
    pub(super) const NONE: Self = Self {
        seen: [false; SLOTS],
        digests: [0; SLOTS],
        differ: [false; SLOTS],
        structures: [[0; STRUCTURES]; SLOTS],
        open: false,
        any: false,
        any_differ: false,
    };

    pub(super) const fn add(&mut self, shape: &Shape, depth: usize) {
        if !matches!(shape.kind, ShapeKind::Object) || shape.open || depth == MAX_DEPTH {
            self.open = true;
            self.any |= digest(shape, 0) != 0;
        }
        let mut at = 0;
        while at < shape.fields.len() {
            let field = &shape.fields[at];
            at += 1;
            if field.name.is_empty() {
                self.add(field.shape, depth + 1);
                continue;
            }
            let (slot, digest) = (slot(field.name), of_field(field, 0));
            if self.seen[slot] && self.digests[slot] != digest {
                self.differ[slot] = true;
                self.any_differ = true;
            }
            self.any |= digest != 0;
            self.seen[slot] = true;
            self.digests[slot] = digest;
        }
        at = 0;
        while at < shape.variants.len() {
            self.add(&shape.variants[at], depth + 1);
            at += 1;
        }
    }

    /// Whether some alternatives may differ.
    pub(super) const fn any_differ(&self) -> bool {
        self.any_differ || self.open && self.any
    }

    /// Whether an alternative has a field that another one may have with other defaults or rules.
    pub(super) const fn may_differ(&self, shape: &Shape, depth: usize) -> bool {
        if self.open {
            return digest(shape, 0) != 0;
        }
        let mut at = 0;
        while at < shape.fields.len() {
            let field = &shape.fields[at];
            let found = if field.name.is_empty() {
                depth < MAX_DEPTH && self.may_differ(field.shape, depth + 1)
            } else {
                self.differ[slot(field.name)] && of_field(field, 0) != 0
            };
            if found {
                return true;
            }
            at += 1;
        }
        at = 0;
        while at < shape.variants.len() {
            if depth < MAX_DEPTH && self.may_differ(&shape.variants[at], depth + 1) {
                return true;
            }
            at += 1;
        }
        false
    }

    /// Whether this alternative is the first that has a certain field with a certain structure, among the fields that
    /// may differ. Two alternatives agree if both agree with the first one of each structure.
    pub(super) const fn is_first(&mut self, shape: &Shape, depth: usize) -> bool {
        let mut first = shape.open || !matches!(shape.kind, ShapeKind::Object);
        let mut at = 0;
        while depth < MAX_DEPTH && at < shape.fields.len() {
            let field = &shape.fields[at];
            at += 1;
            if field.name.is_empty() {
                first |= self.is_first(field.shape, depth + 1);
                continue;
            }
            let slot = slot(field.name);
            if self.differ[slot] {
                let structure = mix(structure(field.shape, 0), unknown(field.shape, 0)) | 1;
                first |= add_structure(&mut self.structures[slot], structure);
            }
        }
        at = 0;
        while depth < MAX_DEPTH && at < shape.variants.len() {
            first |= self.is_first(&shape.variants[at], depth + 1);
            at += 1;
        }
        first
    }
}

/// Adds a structure to those of a slot. Returns whether it is new.
const fn add_structure(structures: &mut [u64; STRUCTURES], structure: u64) -> bool {
    let mut at = 0;
    while at < STRUCTURES {
        if structures[at] == structure {
            return false;
        }
        if structures[at] == 0 {
            structures[at] = structure;
            return true;
        }
        at += 1;
    }
    true
}

/// Returns a digest of which defaults and rules are not known. It is part of the structure: a comparison with an
/// unknown default or rule finds no difference, so one alternative cannot stand for another with other unknown ones.
const fn unknown(shape: &Shape, depth: usize) -> u64 {
    let mut all = matches!(shape.default, DefaultDigest::Unknown) as u64
        + matches!(shape.rules.number(), 1) as u64 * 2;
    let mut at = 0;
    while depth < MAX_DEPTH && at < shape.fields.len() {
        all = mix(all, unknown(shape.fields[at].shape, depth + 1));
        at += 1;
    }
    at = 0;
    while depth < MAX_DEPTH && at < shape.variants.len() {
        all = mix(all, unknown(&shape.variants[at], depth + 1));
        at += 1;
    }
    match shape.items {
        Some(items) if depth < MAX_DEPTH => mix(all, unknown(items, depth + 1)),
        _ => all,
    }
}

const PRIME: u64 = 0x0000_0100_0000_01b3;

/// FNV-1a of a name.
const fn hash(name: &str) -> u64 {
    let (bytes, mut at, mut hash) = (name.as_bytes(), 0, 0xcbf2_9ce4_8422_2325_u64);
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u64).wrapping_mul(PRIME);
        at += 1;
    }
    hash
}

const fn mix(hash: u64, with: u64) -> u64 {
    (hash ^ with).wrapping_mul(PRIME)
}

const fn slot(name: &str) -> usize {
    let [low, high, ..] = hash(name).to_le_bytes();
    (low as usize | (high as usize) << 8) % SLOTS
}

/// Returns a digest of what two variants with this field have to agree about; 0 if there is nothing.
const fn of_field(field: &FieldShape, depth: usize) -> u64 {
    let inner = digest(field.shape, depth);
    if is_metadata(field.name) { mix(inner, structure_of_field(field)) | 1 } else { inner }
}

/// Returns a digest of the defaults and rules in a value, and of fields named `metadata`; 0 if it has none.
const fn digest(shape: &Shape, depth: usize) -> u64 {
    if depth == MAX_DEPTH {
        return 1;
    }
    let default = match shape.default {
        DefaultDigest::None => 0,
        DefaultDigest::Unknown => mix(1, 0),
        DefaultDigest::Known(default) => mix(1, default),
    };
    let mut all = match shape.rules.number() {
        0 => default,
        rules => mix(mix(default, rules), types(shape) as u64),
    };
    let mut at = 0;
    while at < shape.fields.len() {
        let field = &shape.fields[at];
        let inner = of_field(field, depth + 1);
        if inner != 0 {
            // The order of fields makes no difference.
            all = all.wrapping_add(mix(hash(field.name), inner) | 1);
        }
        at += 1;
    }
    at = 0;
    while at < shape.variants.len() {
        let inner = digest(&shape.variants[at], depth + 1);
        if inner != 0 {
            all = all.wrapping_add(mix(at as u64, inner) | 1);
        }
        at += 1;
    }
    if let (ShapeKind::List | ShapeKind::Set, Some(items)) = (shape.kind, shape.items) {
        let inner = digest(items, depth + 1);
        if inner != 0 {
            all = mix(all, inner) | 1;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: Shape = Shape::of(ShapeKind::String);
    const A: Shape =
        Shape::object(&[FieldShape::optional("a", &TEXT.defaulted(DefaultDigest::Known(7)))]);
    const B: Shape = Shape::object(&[FieldShape::required("b", &TEXT)]);
    const A_WITHOUT: Shape = Shape::object(&[FieldShape::optional("a", &TEXT)]);

    #[test]
    fn variants_are_compared_where_a_default_may_be_missing() {
        const BELOW: Shape = Shape::object(&[FieldShape::required("of", &A)]);
        const BELOW_WITHOUT: Shape = Shape::object(&[FieldShape::required("of", &A_WITHOUT)]);
        let of = |shapes: &[Shape]| {
            let mut digests = FieldDigests::NONE;
            for shape in shapes {
                digests.add(shape, 0);
            }
            shapes.iter().map(|shape| digests.may_differ(shape, 0)).collect::<Vec<_>>()
        };
        assert_eq!(of(&[A, B, A]), [false, false, false]);
        assert_eq!(of(&[A, A_WITHOUT]), [true, false]);
        assert_eq!(of(&[A, Shape::of(ShapeKind::Map)]), [true, false]);
        assert_eq!(of(&[BELOW, BELOW_WITHOUT]), [true, false]);
        assert_eq!(of(&[BELOW, BELOW]), [false, false]);
    }
}
