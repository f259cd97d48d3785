//! Kinds by their types.

use super::Registry;
use crate::CustomResource;
use crate::versions::Versions;

impl Registry {
    /// Adds a kind by its type.
    #[must_use]
    pub fn crd<T: CustomResource>(self) -> Self {
        self.manifest(&T::definition())
    }

    /// Adds a kind by the types of its versions, as a tuple.
    ///
    /// Where they cannot be one CRD, every command says why and does nothing.
    #[must_use]
    pub fn crd_versions<T: Versions>(mut self) -> Self {
        match T::merged() {
            Ok(crd) => self.manifest(&crd),
            Err(error) => {
                self.crds.push(Err(error.to_string()));
                self
            }
        }
    }
}
