//! A site: the declaration of a value in a rule, or its alternatives if the value is of an enum.

use super::declared::Declared;

/// The declarations of a value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Site {
    /// One declaration.
    One(&'static Declared),
    /// Several alternatives, as the index of the first in [`Types`](super::types::Types) and their count.
    Several(u16, u16),
}

impl Site {
    /// The number of alternatives.
    pub(super) const fn count(self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::Several(_, count) => count as usize,
        }
    }
}
