//! Whether an error of an update is forgiven because what it is about has not changed.
//!
//! Source: `ratchetingOptions` in `pkg/apiserver/schema/cel/validation.go`, and
//! `pkg/apiserver/validation/ratcheting.go`, of apiextensions-apiserver.

use crate::correlate::Correlation;

/// Where rules are evaluated, as far as ratcheting goes: this place's own pair, and the closest pair above.
///
/// The pairs of children live in the frames of the walk: take [`Ratchet::pair_at_key`], then
/// [`Ratchet::below_key`] with it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ratchet<'c, 'v> {
    current: Option<&'c Correlation<'v>>,
    nearest: Option<&'c Correlation<'v>>,
}

impl<'c, 'v> Ratchet<'c, 'v> {
    /// Nothing is forgiven: the object is new.
    pub(crate) const OFF: Self = Self { current: None, nearest: None };

    /// At the root of an update.
    pub(crate) const fn root(pair: &'c Correlation<'v>) -> Self {
        Self { current: Some(pair), nearest: None }
    }

    /// Whether an error here is forgiven.
    pub(crate) fn forgives(&self) -> bool {
        self.current.or(self.nearest).is_some_and(Correlation::is_unchanged)
    }

    /// The pair of a child at a key, to keep while the walk is below it.
    pub(crate) fn pair_at_key(&self, key: &str) -> Option<Correlation<'v>> {
        self.current?.key(key)
    }

    /// The pair of an element, to keep while the walk is below it.
    pub(crate) fn pair_at_index(&self, index: usize) -> Option<Correlation<'v>> {
        self.current?.index(index)
    }

    /// Below a key, whose pair is [`Ratchet::pair_at_key`].
    pub(crate) fn below_key<'d>(
        &self,
        key: &str,
        pair: Option<&'d Correlation<'v>>,
    ) -> Ratchet<'d, 'v>
    where
        'c: 'd,
    {
        // Upstream: the server converts between versions, so that a change of these is not seen.
        if self.nearest.is_none() && self.current.is_some() && is_type_meta(key) {
            return Ratchet::OFF;
        }
        self.below(pair)
    }

    /// Below an index, whose pair is [`Ratchet::pair_at_index`].
    pub(crate) fn below_index<'d>(&self, pair: Option<&'d Correlation<'v>>) -> Ratchet<'d, 'v>
    where
        'c: 'd,
    {
        self.below(pair)
    }

    fn below<'d>(&self, pair: Option<&'d Correlation<'v>>) -> Ratchet<'d, 'v>
    where
        'c: 'd,
    {
        match self.current {
            // Only the closest pair is asked, however far down.
            None => Ratchet { current: None, nearest: self.nearest },
            Some(current) => Ratchet { current: pair, nearest: Some(current) },
        }
    }
}

/// Whether a key at the root is never forgiven.
pub(crate) fn is_type_meta(key: &str) -> bool {
    key == "apiVersion" || key == "kind"
}
