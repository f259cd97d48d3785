//! Where a value comes from, as far as comparisons with enumerations need to know it.

use super::declared::Declared;
use super::site::Site;
use super::types::Types;

/// The origin of a value.
#[derive(Clone, Copy)]
pub(super) struct Origin {
    /// The declaration of the value, if it is a part of `self` or `oldSelf`.
    pub(super) site: Option<Site>,
    /// Whether it is read from `oldSelf`, which another schema may have admitted.
    pub(super) old: bool,
    /// For a string or list literal, its offset in the program; 0 for other values.
    pub(super) literal: usize,
}

impl Origin {
    /// A computed value.
    pub(super) const COMPUTED: Self = Self { site: None, old: false, literal: 0 };

    pub(super) const fn literal(offset: usize) -> Self {
        Self { literal: offset, ..Self::COMPUTED }
    }

    /// A part of this value.
    pub(super) const fn part(self, site: Option<Site>) -> Self {
        Self { site, literal: 0, ..self }
    }

    /// The elements of a list or the values of a map.
    pub(super) const fn elements(self, types: &mut Types<'_>) -> Self {
        match self.site {
            Some(site @ Site::One(Declared::List(_) | Declared::Map(_))) => {
                self.part(Some(types.elements(site)))
            }
            _ => self.part(None),
        }
    }
}
