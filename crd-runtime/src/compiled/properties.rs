//! The declared properties of a node, found by name.

use super::NodeId;

/// Up to how many properties are scanned for a name: most differ in length, so that a scan compares no text
/// before it finds one.
const SCANNED: usize = 4;

/// How many slots a name may be sought in. Where more are taken, the names were chosen to have one hash, and are
/// searched by halves.
const MAX_PROBES: usize = 32;

/// A slot of [`Properties::slots`] without a property.
const EMPTY: u32 = u32::MAX;

/// `properties`, sorted by name.
#[derive(Debug, Default)]
pub(crate) struct Properties {
    entries: Box<[(Box<str>, NodeId)]>,
    /// Places in `entries` by the hash of the name, with free slots between them; their count is a power of
    /// two. Empty where there are few properties, or where hashes meet too often.
    slots: Box<[u32]>,
}

impl Properties {
    /// `entries` are sorted by name, each name once.
    pub(super) fn new(entries: Vec<(Box<str>, NodeId)>) -> Self {
        let slots = if entries.len() > SCANNED { slots_of(&entries) } else { None };
        Self { entries: entries.into(), slots: slots.unwrap_or_default() }
    }

    /// The schema of a property.
    #[inline]
    pub(crate) fn get(&self, name: &str) -> Option<NodeId> {
        if self.slots.is_empty() {
            return self.search(name);
        }
        let mask = self.slots.len() - 1;
        let mut at = hash(name) & mask;
        loop {
            // Half of the slots are empty: the loop ends.
            let (key, id) = self.entries.get(*self.slots.get(at)? as usize)?;
            if **key == *name {
                return Some(*id);
            }
            at = (at + 1) & mask;
        }
    }

    fn search(&self, name: &str) -> Option<NodeId> {
        if self.entries.len() <= SCANNED {
            return self.entries.iter().find(|(key, _)| **key == *name).map(|(_, id)| *id);
        }
        let index = self.entries.binary_search_by(|(key, _)| (**key).cmp(name)).ok()?;
        self.entries.get(index).map(|(_, id)| *id)
    }

    /// All of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, NodeId)> {
        self.entries.iter().map(|(name, id)| (&**name, *id))
    }

    /// The one at a place.
    pub(crate) fn at(&self, place: u32) -> Option<(&str, NodeId)> {
        let (name, id) = self.entries.get(place as usize)?;
        Some((&**name, *id))
    }
}

fn slots_of(entries: &[(Box<str>, NodeId)]) -> Option<Box<[u32]>> {
    let mut slots = vec![EMPTY; (entries.len() * 2).next_power_of_two()];
    let mask = slots.len() - 1;
    for (place, (name, _)) in (0_u32..).zip(entries) {
        let start = hash(name);
        let free = (0..MAX_PROBES)
            .map(|probe| (start + probe) & mask)
            .find(|at| slots.get(*at) == Some(&EMPTY))?;
        *slots.get_mut(free)? = place;
    }
    Some(slots.into())
}

/// Names differ in their length, their beginning or their end.
#[inline]
fn hash(name: &str) -> usize {
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
    // Two odd numbers with bits all over; what they mix is in the high half.
    let mixed = (first ^ (bytes.len() as u64) << 56)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(last.rotate_left(29).wrapping_mul(0xc2b2_ae3d_27d4_eb4f));
    usize::try_from(mixed >> 40).unwrap_or_default()
}

/// The first and the last bytes, which may be the same.
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
        let entries = names.iter().zip(0..).map(|(name, id)| (name.as_str().into(), NodeId(id)));
        let properties = Properties::new(entries.collect());
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
            check((0..count).map(|i| format!("name{i}")), count > SCANNED);
        }
        let short = ["", "a", "ab", "abc", "abcd", "abcdefgh", "abcdefghi", "b", "é"];
        check(short.into_iter().map(str::to_owned), true);
    }

    #[test]
    fn names_that_are_chosen_to_meet_are_searched() {
        check((0..100).map(|i| format!("aaaaaaaa{i:03}aaaaaaaa")), false);
    }
}
