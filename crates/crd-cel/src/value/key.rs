//! Looks up members of JSON objects.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use serde_json::{Map, Value as Json};

/// The member of a JSON object with this key.
// PERF: a function of its own, into which the search and the comparison of keys are inlined.
#[inline(never)]
pub(crate) fn entry<'a>(entries: &'a Map<String, Json>, key: &str) -> Option<&'a Json> {
    let key: &dyn Key = &key;
    entries.get(key)
}

/// A key of a JSON object, as a search compares it. Keys are ordered by their bytes. Most differ in
/// the first 4, which are compared without a call of `memcmp`.
trait Key {
    fn text(&self) -> &str;
}

impl Key for String {
    #[inline]
    fn text(&self) -> &str {
        self
    }
}

impl Key for &str {
    #[inline]
    fn text(&self) -> &str {
        self
    }
}

impl<'k> Borrow<dyn Key + 'k> for String {
    #[inline]
    fn borrow(&self) -> &(dyn Key + 'k) {
        self
    }
}

impl Ord for dyn Key + '_ {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        let (a, b) = (self.text().as_bytes(), other.text().as_bytes());
        if let (Some(first), Some(second)) = (a.first_chunk::<4>(), b.first_chunk::<4>())
            && first != second
        {
            return u32::from_be_bytes(*first).cmp(&u32::from_be_bytes(*second));
        }
        compare_likely_equal(a, b)
    }
}

/// Compares two keys that are likely to be equal. Two keys of the same length, from 4 to 16 bytes, are equal if their
/// first 4 bytes and their last 4 are, or 8 if the keys are longer than 8. These bytes may overlap.
#[inline(never)]
fn compare_likely_equal(a: &[u8], b: &[u8]) -> Ordering {
    let same = a.len() == b.len()
        && match a.len() {
            4..=8 => {
                a.first_chunk::<4>() == b.first_chunk() && a.last_chunk::<4>() == b.last_chunk()
            }
            9..=16 => {
                a.first_chunk::<8>() == b.first_chunk() && a.last_chunk::<8>() == b.last_chunk()
            }
            _ => false,
        };
    if same { Ordering::Equal } else { a.cmp(b) }
}

impl PartialOrd for dyn Key + '_ {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for dyn Key + '_ {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

impl Eq for dyn Key + '_ {}

impl Hash for dyn Key + '_ {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text().hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_in_the_order_of_strings() {
        let parts = [
            "",
            "a",
            "b",
            "é",
            "\u{7f}",
            "spec",
            "speca",
            "minReplicas",
            "a long name, and longer",
        ];
        let keys: Vec<String> = parts
            .iter()
            .flat_map(|a| parts.iter().map(move |b| format!("{a}{b}")))
            .flat_map(|key| {
                [key.clone(), format!("{key}x"), format!("{key}xy"), format!("{key}xz")]
            })
            .collect();
        for a in &keys {
            for b in &keys {
                let (one, other): (&dyn Key, &dyn Key) = (a, b);
                assert_eq!(one.cmp(other), a.cmp(b), "{a:?} {b:?}");
                assert_eq!(one == other, a == b, "{a:?} {b:?}");
            }
        }
        let map: Map<String, Json> = keys.iter().map(|key| (key.clone(), Json::Null)).collect();
        assert!(keys.iter().all(|key| entry(&map, key).is_some()));
        assert!(entry(&map, "specx!").is_none());
    }
}
