//! The clock of the server, and the generator of UIDs and of suffixes of names.

use std::fmt;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use crd_engine::random::SplitMix64;

use crate::go_types::time::Time;
use crate::names::{MAX_PREFIX_BYTES, SUFFIX_LENGTH};

/// The characters of generated suffixes. Source: `k8s.io/apimachinery/pkg/util/rand`.
const ALPHANUMS: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";

/// The function from which the server reads the time. It may be a user's, so it is not called under the lock.
#[derive(Clone)]
pub(super) struct TimeSource(pub(super) Arc<dyn Fn() -> SystemTime + Send + Sync>);

impl fmt::Debug for TimeSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TimeSource")
    }
}

/// The time of a request, or of a try of one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock(pub(super) SystemTime);

impl Clock {
    pub(super) fn now(&self) -> SystemTime {
        self.0
    }

    /// Returns the time in RFC 3339, with a precision of one second.
    pub(super) fn text(&self) -> String {
        let since = self.now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Time::from_unix(i64::try_from(since.as_secs()).unwrap_or(i64::MAX / 2)).to_rfc3339()
    }
}

/// A generator of UIDs and suffixes. The same seed yields the same sequence.
#[derive(Debug, Clone)]
pub(super) struct Ids(SplitMix64);

impl Ids {
    pub(super) fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    /// Returns the next pseudorandom number.
    pub(super) fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Returns the next UUID, of version 4.
    pub(super) fn uid(&mut self) -> String {
        let (high, low) = (self.0.next_u64(), self.0.next_u64());
        format!(
            "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
            high >> 32,
            high >> 16 & 0xffff,
            high & 0xfff,
            low >> 48 & 0x3fff | 0x8000,
            low & 0xffff_ffff_ffff
        )
    }

    /// Generates a name: `base`, cut to 58 bytes, and a suffix. Source: `SimpleNameGenerator`.
    pub(super) fn name(&mut self, base: &str) -> String {
        let mut end = base.len().min(MAX_PREFIX_BYTES);
        while !base.is_char_boundary(end) {
            end -= 1;
        }
        let mut name = base[..end].to_owned();
        let mut bits = self.0.next_u64();
        for _ in 0..SUFFIX_LENGTH {
            let at = usize::try_from(bits % ALPHANUMS.len() as u64).unwrap_or_default();
            name.push(char::from(ALPHANUMS[at]));
            bits /= ALPHANUMS.len() as u64;
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_give_equal_ids() {
        let (mut a, mut b) = (Ids::new(7), Ids::new(7));
        let uid = a.uid();
        assert_eq!(uid, b.uid());
        assert_ne!(uid, a.uid());
        let parts: Vec<usize> = uid.split('-').map(str::len).collect();
        assert_eq!(parts, [8, 4, 4, 4, 12]);
        assert_eq!(uid.as_bytes()[14], b'4');
        let name = a.name("web-");
        assert!(name.starts_with("web-") && name.len() == 9, "{name}");
        assert_eq!(a.name(&"x".repeat(100)).len(), 63);
    }
}
