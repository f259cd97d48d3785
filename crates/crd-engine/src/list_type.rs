//! Finds duplicate items in lists of type `set` and `map`.
//!
//! The time that a list takes is linear in its length, whatever its items are.
//!
//! Source: `pkg/apiserver/schema/listtype/validation.go` of apiextensions-apiserver.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crd_cel::kubernetes::KubernetesVersion;
use serde_json::Value;

use crate::compiled::{Additional, CompiledSchema, ListType, Node};
use crate::field::{BadValue, ErrorList, Path, Shown, Sink};
use crate::json::{self, Num};

impl CompiledSchema {
    /// Checks an object for duplicate items in lists whose `x-kubernetes-list-type` is `set` or `map`.
    ///
    /// Of items that are equal, only the second one is reported. An item of a `map` list that is neither an object nor
    /// null is an error too. Other values of a wrong type are skipped.
    ///
    /// Source: `ValidateListSetsAndMaps`.
    pub fn validate_list_types(&self, object: &Value) -> ErrorList {
        let mut errors = Sink::of(self.kubernetes());
        check(self, object, &mut errors);
        errors.into_errors()
    }
}

/// As [`CompiledSchema::validate_list_types`], into a sink.
pub(crate) fn check(schema: &CompiledSchema, object: &Value, errors: &mut Sink) {
    walk(schema, schema.root(), object, &Path::ROOT, errors);
}

/// Recursion follows the schema, which is finite.
fn walk(schema: &CompiledSchema, node: &Node, value: &Value, path: &Path<'_>, errors: &mut Sink) {
    if !node.has_unique_lists {
        return;
    }
    match value {
        Value::Object(map) => {
            // Upstream: additional properties are checked for every key, declared ones included.
            if let Additional::Schema(id) = node.additional
                && schema[id].has_unique_lists
            {
                for (key, value) in map {
                    walk(schema, &schema[id], value, &path.key(key), errors);
                }
            }
            for (name, id) in node.properties_at(&node.unique) {
                if let Some(value) = map.get(name) {
                    walk(schema, &schema[id], value, &path.field(name), errors);
                }
            }
        }
        // Upstream: a list at the root is not an object, and is not checked.
        Value::Array(items) if !path.is_root() => {
            match &node.list_type {
                ListType::Set => validate_set(items, path, errors),
                ListType::Map(keys) => validate_map(items, keys, path, errors),
                ListType::Unset | ListType::Atomic => {}
            }
            if let Some(id) = node.items
                && schema[id].has_unique_lists
            {
                let node = &schema[id];
                for (index, item) in items.iter().enumerate() {
                    walk(schema, node, item, &path.index(index), errors);
                }
            }
        }
        _ => {}
    }
}

/// The largest number of items of a set that are compared pairwise, which is faster than hashing so few.
const PAIRED_ELEMENTS: usize = 12;

/// As [`PAIRED_ELEMENTS`], for a list of type `map`, in whose items the keys have to be looked up first.
const PAIRED_OBJECTS: usize = 6;

/// Returns whether a fast check shows that all items differ; `false` means that they need the full check.
///
/// Up to `paired` items are compared by `differ` alone. Of more items, those with different hashes differ, and `differ`
/// compares those with equal hashes. `hash` returns `None` for an item that only the full check can compare.
fn all_differ(
    items: &[Value],
    paired: usize,
    hash: impl Fn(&Value) -> Option<u64>,
    differ: impl Fn(&Value, &Value) -> bool,
) -> bool {
    if items.len() <= paired {
        let mut indexed = items.iter().enumerate();
        return indexed
            .all(|(index, item)| items.iter().take(index).all(|earlier| differ(item, earlier)));
    }
    // At least half of the slots stay empty. A slot holds the upper half of an item's hash, and the item's index plus
    // 1; an index of 0 is an empty slot.
    let mut slots = vec![(0_u32, 0_u32); (items.len() * 2).next_power_of_two()];
    let mask = slots.len() - 1;
    // The hash has no secret key. If items were chosen to have colliding hashes, the probes run out, and the full check
    // follows.
    let mut probes = items.len() * PROBES;
    for (item, index) in items.iter().zip(1_u32..) {
        let Some(hash) = hash(item) else { return false };
        #[expect(clippy::cast_possible_truncation, reason = "the halves of a hash")]
        let (mut at, upper) = (hash as usize & mask, (hash >> 32) as u32);
        while let Some((other, earlier @ 1..)) = slots.get(at) {
            let earlier = items.get(*earlier as usize - 1);
            if probes == 0
                || *other == upper && earlier.is_none_or(|earlier| !differ(item, earlier))
            {
                return false;
            }
            probes -= 1;
            at = (at + 1) & mask;
        }
        if let Some(slot) = slots.get_mut(at) {
            *slot = (upper, index);
        }
    }
    true
}

/// The number of occupied slots that [`all_differ`] may probe per item, on average.
const PROBES: usize = 4;

/// Hashes a string or an integer; `None` for other values.
fn hash_scalar(value: &Value) -> Option<u64> {
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |hash: u64, word: u64| (hash.rotate_left(23) ^ word).wrapping_mul(MIX);
    let hash = match value {
        Value::String(text) => {
            let (words, rest) = text.as_bytes().as_chunks::<8>();
            let mut hash = text.len() as u64;
            for word in words {
                hash = mix(hash, u64::from_le_bytes(*word));
            }
            let rest = rest.iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
            mix(hash, rest)
        }
        Value::Number(number) => mix(0, number.as_i64()?.cast_unsigned()),
        _ => return None,
    };
    // Mixes the upper half into the lower one, which selects the slot: a multiplication carries only into higher bits.
    Some(hash ^ hash >> 32)
}

/// Returns whether two values certainly differ.
fn scalars_differ(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::String(a), Value::String(b)) => a != b,
        (Value::Number(a), Value::Number(b)) => match (a.as_i64(), b.as_i64()) {
            (Some(a), Some(b)) => a != b,
            _ => false,
        },
        _ => false,
    }
}

fn validate_set(items: &[Value], path: &Path<'_>, errors: &mut Sink) {
    if all_differ(items, PAIRED_ELEMENTS, hash_scalar, scalars_differ) {
        return;
    }
    for_each_repeated(items.iter().map(ComparedItem::of), |index, _| {
        errors.duplicate(&path.index(index), items.get(index).unwrap_or(&Value::Null));
    });
}

fn validate_map(items: &[Value], keys: &[Box<str>], path: &Path<'_>, errors: &mut Sink) {
    let odd = items.iter().position(|item| !matches!(item, Value::Null | Value::Object(_)));
    if let Some(index) = odd {
        let value = items.get(index).unwrap_or(&Value::Null);
        let detail = "must be an object for an array of list-type map";
        errors.invalid(&path.index(index), value, detail);
        return;
    }
    let differ = |a: &Value, b: &Value| {
        let (Value::Object(a), Value::Object(b)) = (a, b) else { return false };
        let differs = |key: &str| match (a.get(key), b.get(key)) {
            (Some(a), Some(b)) => scalars_differ(a, b),
            _ => false,
        };
        keys.iter().any(|key| differs(key))
    };
    let hash = |item: &Value| {
        let Value::Object(map) = item else { return None };
        keys.iter()
            .try_fold(0_u64, |hash, key| Some(hash.rotate_left(9) ^ hash_scalar(map.get(&**key)?)?))
    };
    if all_differ(items, PAIRED_OBJECTS, hash, differ) {
        return;
    }
    match keys {
        [key] => {
            // Upstream: an item without the key equals a null item, and differs from one whose key is null.
            let identities = items
                .iter()
                .map(|item| item.get(&**key).map_or(ComparedItem::Unspecified, ComparedItem::of));
            for_each_repeated(identities, |index, _| {
                let shown = |kubernetes| {
                    keys_shown(items.get(index).unwrap_or(&Value::Null), &[key], kubernetes)
                };
                errors.duplicate(&path.index(index), Shown::Make(&shown));
            });
        }
        keys => {
            let mut sorted: Vec<&str> = keys.iter().map(|key| &**key).collect();
            sorted.sort_unstable();
            sorted.dedup();
            let identities =
                items.iter().map(|item| ComparedItem::Compound(keys_json(item, &sorted)));
            for_each_repeated(identities, |index, _| {
                let shown = |kubernetes| {
                    keys_shown(items.get(index).unwrap_or(&Value::Null), &sorted, kubernetes)
                };
                errors.duplicate(&path.index(index), Shown::Make(&shown));
            });
        }
    }
}

/// Returns the keys of an item that are present, as the server shows them in errors.
fn keys_shown(item: &Value, sorted: &[&str], kubernetes: KubernetesVersion) -> BadValue {
    let present =
        sorted.iter().filter_map(|key| Some(((*key).to_owned(), item.get(*key)?.clone())));
    BadValue::of(&Value::Object(present.collect()), kubernetes)
}

/// Returns the keys of an item that are present, as JSON for comparison.
fn keys_json(item: &Value, sorted: &[&str]) -> String {
    let mut out = String::from("{");
    for key in sorted {
        if let Some(value) = item.get(*key) {
            if out.len() > 1 {
                out.push(',');
            }
            json::write_string(&mut out, key);
            out.push(':');
            out.push_str(&json::to_go_string(value));
        }
    }
    out.push('}');
    out
}

/// An item in comparisons: Go compares scalars by type and value, and other items as JSON.
#[derive(PartialEq, Eq, Hash, Clone)]
enum ComparedItem<'a> {
    Unspecified,
    Null,
    Bool(bool),
    Int(i64),
    /// The bits of the number; for -0, those of 0.
    Float(u64),
    Text(&'a str),
    Compound(String),
}

impl<'a> ComparedItem<'a> {
    fn of(value: &'a Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(b) => Self::Bool(*b),
            Value::Number(number) => match Num::of(number) {
                Num::Int(int) => Self::Int(int),
                Num::Float(float) => Self::Float((float + 0.0).to_bits()),
            },
            Value::String(text) => Self::Text(text),
            Value::Array(_) | Value::Object(_) => Self::Compound(json::to_go_string(value)),
        }
    }
}

/// Calls `found` with the second of several equal items.
fn for_each_repeated<'a>(
    identities: impl ExactSizeIterator<Item = ComparedItem<'a>>,
    mut found: impl FnMut(usize, ComparedItem<'a>),
) {
    if identities.len() <= 1 {
        return;
    }
    // The value is `true` once the second of the equal items has been reported.
    let mut seen = HashMap::with_capacity(identities.len());
    for (index, identity) in identities.enumerate() {
        match seen.entry(identity) {
            Entry::Vacant(entry) => {
                entry.insert(false);
            }
            Entry::Occupied(mut entry) => {
                if !entry.insert(true) {
                    found(index, entry.key().clone());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Returns the result of [`all_differ`] for a set, and the number of errors.
    fn set(items: &[Value]) -> (bool, usize) {
        let mut errors = Sink::new();
        validate_set(items, &Path::new("l"), &mut errors);
        (all_differ(items, PAIRED_ELEMENTS, hash_scalar, scalars_differ), errors.len())
    }

    #[test]
    fn long_lists_are_checked_by_their_hashes() {
        let texts: Vec<Value> = (0..1_000).map(|i| json!(format!("{i}-{i}-{i}"))).collect();
        let ints: Vec<Value> = (0..1_000).map(Value::from).collect();
        for items in [texts, ints] {
            assert_eq!(set(&items), (true, 0));
            let mut repeated = items.clone();
            repeated.extend_from_slice(&items[3..5]);
            assert_eq!(set(&repeated), (false, 2));
            let mut mixed = items;
            mixed.extend([json!(1.5), json!([1]), json!(null)]);
            assert_eq!(set(&mixed), (false, 0));
        }
    }

    #[test]
    fn items_with_colliding_hashes_get_the_full_check() {
        // Integers whose hashes have the same slot and different upper halves.
        let mut colliding = Vec::new();
        for i in 0_i64.. {
            let value = Value::from(i);
            if hash_scalar(&value).unwrap().trailing_zeros() >= 7 {
                colliding.push(value);
            }
            if colliding.len() == 60 {
                break;
            }
        }
        assert_eq!(set(&colliding), (false, 0));
        colliding.push(colliding[7].clone());
        assert_eq!(set(&colliding), (false, 1));
    }

    #[test]
    fn items_may_differ_in_one_of_several_keys() {
        let keys: Vec<Box<str>> = vec!["a".into(), "b".into()];
        let item = |a: i64, b: &str| json!({"a": a, "b": b, "c": 0});
        let mut items: Vec<Value> = (0..40).flat_map(|a| ["x", "y"].map(|b| item(a, b))).collect();
        let errors_of = |items: &[Value]| {
            let mut errors = Sink::new();
            validate_map(items, &keys, &Path::new("l"), &mut errors);
            errors.into_errors().to_string()
        };
        assert_eq!(errors_of(&items), "[]");
        items.push(item(7, "y"));
        assert_eq!(errors_of(&items), "l[80]: Duplicate value: {\"a\":7,\"b\":\"y\"}");
    }
}
