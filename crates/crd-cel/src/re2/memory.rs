//! The memory that patterns keep between searches: automata, the states that searches have
//! computed, and machines.
//!
//! All patterns of the process share [`KEPT_LIMIT`], which never decides whether a pattern matches: if
//! there is no room for an automaton, a machine searches instead, and a machine without room is made
//! again for each search.

use std::sync::atomic::{AtomicUsize, Ordering};

/// The most memory that all patterns of the process keep, in bytes.
const KEPT_LIMIT: usize = 256 << 20;

static KEPT: AtomicUsize = AtomicUsize::new(0);

/// A reservation of memory for something that is kept. Dropping it makes room for others.
#[derive(Debug, Default)]
pub(super) struct Reservation(usize);

impl Reservation {
    /// A reservation of this many bytes; `None` if that exceeds the limit.
    pub(super) fn of(bytes: usize) -> Option<Self> {
        let mut reservation = Self::default();
        reservation.resize(bytes).then_some(reservation)
    }

    /// Changes the size of the reservation. Returns `false`, and changes nothing, if that exceeds the
    /// limit.
    #[inline]
    pub(super) fn resize(&mut self, bytes: usize) -> bool {
        if bytes > self.0 {
            let more = bytes - self.0;
            let within = |kept: usize| kept.checked_add(more).filter(|kept| *kept <= KEPT_LIMIT);
            if KEPT.fetch_update(Ordering::Relaxed, Ordering::Relaxed, within).is_err() {
                return false;
            }
        } else if bytes < self.0 {
            KEPT.fetch_sub(self.0 - bytes, Ordering::Relaxed);
        }
        self.0 = bytes;
        true
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        KEPT.fetch_sub(self.0, Ordering::Relaxed);
    }
}
