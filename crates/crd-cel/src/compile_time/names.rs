//! Names that an error lists, and the one of them that may have been meant.

use super::fuel::{Fuel, REPORT, comparison};
use super::name::Name;
use super::text::{distance, equal, is_similar};

/// At most `N` names, each once, and the one that is most similar to another name.
#[derive(Debug)]
pub struct Names<'a, const N: usize> {
    wanted: &'a str,
    listed: [&'a str; N],
    count: usize,
    /// The number of names that are not listed.
    pub left_out: usize,
    /// The name that is similar to the wanted one; empty if there is none.
    pub nearest: &'a str,
    distance: usize,
    comparisons: Fuel,
    distances: Fuel,
}

impl<'a, const N: usize> Names<'a, N> {
    /// No names, to be compared with `wanted`.
    #[must_use]
    pub const fn near(wanted: &'a str) -> Self {
        Self {
            wanted,
            listed: [""; N],
            count: 0,
            left_out: 0,
            nearest: "",
            distance: usize::MAX,
            comparisons: Fuel::new(REPORT / 16),
            distances: Fuel::new(REPORT / 8),
        }
    }

    /// Adds a name. Without fuel, a name may be listed twice, and none is similar.
    pub const fn add(&mut self, name: &'a str) {
        let mut i = 0;
        while i < self.count && self.comparisons.spend(comparison(self.listed[i], Name::new(name)))
        {
            if equal(self.listed[i].as_bytes(), name.as_bytes()) {
                return;
            }
            i += 1;
        }
        self.consider(name);
        if self.count < N {
            self.listed[self.count] = name;
            self.count += 1;
        } else {
            self.left_out += 1;
        }
    }

    const fn consider(&mut self, name: &'a str) {
        let wanted = self.wanted;
        // The distance is at least the difference of the lengths, and costs rustc much more.
        let difference = wanted.len().abs_diff(name.len());
        if difference >= self.distance
            || !is_similar(wanted, difference)
            || !self.distances.spend(8 * (wanted.len() + 1) * (name.len() + 1))
        {
            return;
        }
        let distance = distance(wanted.as_bytes(), name.as_bytes());
        if distance < self.distance && is_similar(wanted, distance) {
            self.distance = distance;
            self.nearest = name;
        }
    }

    /// The names.
    #[must_use]
    pub const fn listed(&self) -> &[&'a str] {
        self.listed.split_at(self.count).0
    }
}
