//! The declared properties of a node, looked up by name.

use super::NodeId;

/// The largest number of properties that are searched linearly: comparing a [`Fingerprint`] is cheaper than hashing it.
const MAX_SCANNED: usize = 4;

/// The largest number of slots to probe for a name. If more would be needed, the names were chosen to collide, and
/// binary search is used instead.
const MAX_PROBES: usize = 32;

/// A slot of [`Properties::slots`] without a property.
const EMPTY: u32 = u32::MAX;

/// `properties`, sorted by name.
#[derive(Debug, Default)]
pub(crate) struct Properties {
    entries: Box<[Property]>,
    /// A hash table of indices into `entries`; its length is a power of two. Empty if there are few properties, or if
    /// too many names collide.
    slots: Box<[u32]>,
    /// The number of required properties; `None` if `required` names a key that is not a property.
    required: Option<usize>,
}

/// A declared property.
#[derive(Debug)]
pub(crate) struct Property {
    fingerprint: Fingerprint,
    pub(crate) id: NodeId,
    /// Whether it is in `required`.
    pub(crate) required: bool,
    name: Box<str>,
}

impl Properties {
    /// Creates a table of `entries`, which must be sorted by name, without duplicate names.
    pub(super) fn new(entries: Vec<Property>, required: &[Box<str>]) -> Self {
        let mut entries = entries.into_boxed_slice();
        let mut declares_required = true;
        for name in required {
            let index = entries.binary_search_by(|property| (*property.name).cmp(name));
            match index.ok().and_then(|index| entries.get_mut(index)) {
                Some(property) => property.required = true,
                None => declares_required = false,
            }
        }
        let required =
            declares_required.then(|| entries.iter().filter(|property| property.required).count());
        let slots = if entries.len() > MAX_SCANNED { slots_of(&entries) } else { None };
        Self { entries, slots: slots.unwrap_or_default(), required }
    }

    /// Returns the schema of a property.
    #[inline]
    pub(crate) fn get(&self, name: &str) -> Option<NodeId> {
        self.find(name).map(|property| property.id)
    }

    /// Returns a property.
    #[inline]
    pub(crate) fn find(&self, name: &str) -> Option<&Property> {
        let fingerprint = Fingerprint::of(name);
        if self.slots.is_empty() {
            if self.entries.len() > MAX_SCANNED {
                return self.binary_search(name);
            }
            return self.entries.iter().find(|property| property.has_name(fingerprint, name));
        }
        let mask = self.slots.len() - 1;
        let mut at = fingerprint.hash() & mask;
        loop {
            // The loop ends, because half of the slots are empty.
            let property = self.entries.get(*self.slots.get(at)? as usize)?;
            if property.has_name(fingerprint, name) {
                return Some(property);
            }
            at = (at + 1) & mask;
        }
    }

    #[cold]
    fn binary_search(&self, name: &str) -> Option<&Property> {
        let index = self.entries.binary_search_by(|property| (*property.name).cmp(name)).ok()?;
        self.entries.get(index)
    }

    /// Returns whether `found`, the number of required properties that are present, is the number of all required
    /// properties. Returns `false` also if `required` names a key that is not a property.
    pub(crate) fn has_required(&self, found: usize) -> bool {
        self.required == Some(found)
    }

    /// Returns all properties.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, NodeId)> {
        self.entries.iter().map(|property| (&*property.name, property.id))
    }

    /// Returns the property with the given index.
    pub(crate) fn at(&self, index: u32) -> Option<(&str, NodeId)> {
        let property = self.entries.get(index as usize)?;
        Some((&*property.name, property.id))
    }
}

impl Property {
    pub(super) fn new(name: &str, id: NodeId) -> Self {
        Self { fingerprint: Fingerprint::of(name), id, required: false, name: name.into() }
    }

    #[inline]
    fn has_name(&self, fingerprint: Fingerprint, name: &str) -> bool {
        self.fingerprint == fingerprint
            && (fingerprint.length <= FINGERPRINT_BYTES || *self.name == *name)
    }
}

/// Returns the hash table of the properties; `None` if too many names collide.
fn slots_of(entries: &[Property]) -> Option<Box<[u32]>> {
    let mut slots = vec![EMPTY; (entries.len() * 2).next_power_of_two()];
    let mask = slots.len() - 1;
    for (index, property) in (0_u32..).zip(entries) {
        let start = property.fingerprint.hash();
        let free = (0..MAX_PROBES)
            .map(|probe| (start + probe) & mask)
            .find(|at| slots.get(*at) == Some(&EMPTY))?;
        *slots.get_mut(free)? = index;
    }
    Some(slots.into())
}

/// The length of a name, its first bytes and its last bytes, which may overlap.
///
/// PERF: a fingerprint contains a name of at most [`FINGERPRINT_BYTES`] bytes completely, so that such names are
/// compared without a call of `memcmp`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Fingerprint {
    first: u64,
    last: u64,
    length: usize,
}

/// The number of bytes of a name in its [`Fingerprint`].
const FINGERPRINT_BYTES: usize = 16;

impl Fingerprint {
    #[inline]
    fn of(name: &str) -> Self {
        let bytes = name.as_bytes();
        let (first, last) = ends::<8>(bytes)
            .map(|(first, last)| (u64::from_le_bytes(*first), u64::from_le_bytes(*last)))
            .or_else(|| {
                let (first, last) = ends::<4>(bytes)?;
                Some((u32::from_le_bytes(*first).into(), u32::from_le_bytes(*last).into()))
            })
            .unwrap_or_else(|| {
                let byte = |at: usize| u64::from(bytes.get(at).copied().unwrap_or_default());
                (byte(0) | byte(1) << 8, byte(2))
            });
        Self { first, last, length: bytes.len() }
    }

    #[inline]
    fn hash(self) -> usize {
        // The constants are odd. The high bits of such a product depend on all bits of the factor.
        let mixed = (self.first ^ (self.length as u64) << 56)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .wrapping_add(self.last.rotate_left(29).wrapping_mul(0xc2b2_ae3d_27d4_eb4f));
        usize::try_from(mixed >> 40).unwrap_or_default()
    }
}

/// Returns the first `N` and the last `N` bytes, which may overlap.
#[inline]
fn ends<const N: usize>(bytes: &[u8]) -> Option<(&[u8; N], &[u8; N])> {
    Some((bytes.first_chunk()?, bytes.last_chunk()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(names: impl Iterator<Item = String>, hashed: bool) {
        let mut names: Vec<String> = names.collect();
        names.sort_unstable();
        let entries = names.iter().zip(0..).map(|(name, id)| Property::new(name, NodeId(id)));
        let properties = Properties::new(entries.collect(), &[]);
        assert_eq!(!properties.slots.is_empty(), hashed, "{} names", names.len());
        for (name, id) in names.iter().zip(0..) {
            assert_eq!(properties.get(name), Some(NodeId(id)), "{name}");
            let other = format!("{name}!");
            assert_eq!(properties.get(&other).is_some(), names.contains(&other));
        }
        assert_eq!(properties.get("no such name"), None);
    }

    #[test]
    fn every_name_is_found_and_no_other() {
        for count in [0, 1, 4, 5, 12, 13, 100, 5_000] {
            check((0..count).map(|i| format!("name{i}")), count > MAX_SCANNED);
        }
        let short = ["", "a", "ab", "abc", "abcd", "abcdefgh", "abcdefghi", "b", "é"];
        check(short.into_iter().map(str::to_owned), true);
    }

    #[test]
    fn required_properties_are_counted() {
        let entries = || ["a", "b", "c"].map(|name| Property::new(name, NodeId(0))).into();
        let required = |names: &[&str]| {
            let names: Vec<Box<str>> = names.iter().map(|name| (*name).into()).collect();
            Properties::new(entries(), &names)
        };
        let properties = required(&["c", "a", "c"]);
        let is_required = |name| properties.find(name).unwrap().required;
        assert_eq!(["a", "b", "c"].map(is_required), [true, false, true]);
        assert!(properties.has_required(2) && !properties.has_required(1));
        let properties = required(&["a", "d"]);
        assert!(!(0..4).any(|found| properties.has_required(found)));
        assert!(required(&[]).has_required(0));
    }

    #[test]
    fn colliding_names_are_found_by_binary_search() {
        check((0..100).map(|i| format!("aaaaaaaa{i:03}aaaaaaaa")), false);
    }
}
