//! Where a value comes from, as far as comparisons with enumerations need to know it.

use super::basic;
use super::declared::Declared;
use super::site::Site;
use super::types::{Type, Types};

/// The origin of a value.
#[derive(Clone, Copy)]
pub(super) struct Origin {
    /// The declaration of the value, if it is a part of `self` or `oldSelf`.
    pub(super) site: Option<Site>,
    /// Whether it is read from `oldSelf`, which another schema may have admitted.
    pub(super) old: bool,
    /// For a string or list literal, the program from its operation on; empty for other values.
    pub(super) literal: &'static [u8],
}

/// A value of a program.
#[derive(Clone, Copy)]
pub(super) struct Value {
    pub(super) ty: Type,
    pub(super) origin: Origin,
}

impl Value {
    /// A computed value of unknown type.
    pub(super) const COMPUTED: Self =
        Self { ty: Type::Basic(basic::UNKNOWN), origin: Origin::COMPUTED };
}

impl Origin {
    /// A computed value.
    pub(super) const COMPUTED: Self = Self { site: None, old: false, literal: &[] };

    pub(super) const fn literal(literal: &'static [u8]) -> Self {
        Self { literal, ..Self::COMPUTED }
    }

    /// A part of this value.
    pub(super) const fn part(self, site: Option<Site>) -> Self {
        Self { site, literal: &[], ..self }
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
