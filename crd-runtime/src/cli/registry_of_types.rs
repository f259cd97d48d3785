//! Kinds by their types.

use super::Registry;
use crate::CustomResource;

impl Registry {
    /// Adds a kind by its type.
    #[must_use]
    pub fn crd<T: CustomResource>(self) -> Self {
        self.manifest(&T::definition())
    }
}
