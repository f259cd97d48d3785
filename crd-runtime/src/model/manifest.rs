//! What can be read as a CustomResourceDefinition.

use std::borrow::Cow;

use super::{CustomResourceDefinition, Names};
use crate::field::ErrorList;

/// A type that says what a `CustomResourceDefinition` says: this crate's own, and k8s-openapi's with the
/// feature `derive`.
pub trait Manifest {
    /// The manifest in this crate's model.
    ///
    /// # Errors
    /// `Invalid value` at the root where the other type holds what the API's cannot.
    fn manifest(&self) -> Result<Cow<'_, CustomResourceDefinition>, ErrorList>;
}

impl Manifest for CustomResourceDefinition {
    fn manifest(&self) -> Result<Cow<'_, CustomResourceDefinition>, ErrorList> {
        Ok(Cow::Borrowed(self))
    }
}

impl Names {
    /// Fills in the names that the server derives from the kind.
    ///
    /// Source: `pkg/apis/apiextensions/v1/defaults.go`, `SetDefaults_CustomResourceDefinitionSpec`.
    pub fn apply_defaults(&mut self) {
        if self.singular.is_empty() {
            self.singular = to_lower(&self.kind);
        }
        if self.list_kind.is_empty() && !self.kind.is_empty() {
            self.list_kind = format!("{}List", self.kind);
        }
    }
}

/// Lower case as Go's `strings.ToLower` has it: one character for one.
pub(crate) fn to_lower(text: &str) -> String {
    text.chars().map(|c| c.to_lowercase().next().unwrap_or(c)).collect()
}
