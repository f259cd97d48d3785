//! Registers kinds by their types.

use std::sync::Arc;

use super::Registry;
use super::origin::DerivedVersion;
use crate::CustomResource;
use crate::crd_schema::Shape;
use crate::model::{Conversion, CustomResourceDefinition};
use crd_runtime::versions::{MergeError, Versions};

impl Registry {
    /// Adds a kind by its type.
    #[must_use]
    pub fn crd<T: CustomResource>(mut self) -> Self {
        self.derived.push(derived(T::crd_name(), T::VERSION, &T::SHAPE));
        self.manifest(&T::definition())
    }

    /// Adds a kind by the types of its versions: `crd_versions::<versions!(v1beta1::Job, v1::Job)>()`.
    ///
    /// If the types cannot be versions of one kind, [`versions!`](crd_runtime::versions!) makes that an error of
    /// `cargo check` at that line, and a plain tuple an error of `cargo build`.
    /// If they cannot be merged into one CRD, every command reports why and does nothing.
    #[must_use]
    pub fn crd_versions<T: Versions>(self) -> Self {
        self.versions::<T>(T::merged())
    }

    /// Adds a kind by the types of its versions, with this conversion instead of that of the types.
    ///
    /// If they cannot be merged into one CRD, every command reports why and does nothing.
    #[must_use]
    pub fn crd_versions_with<T: Versions>(self, conversion: Conversion) -> Self {
        self.versions::<T>(T::merged_with(conversion))
    }

    fn versions<T: Versions>(
        mut self,
        merged: Result<CustomResourceDefinition, MergeError>,
    ) -> Self {
        match merged {
            Ok(crd) => {
                let versions = T::shapes().into_iter();
                self.derived
                    .extend(versions.map(|(crd, version, shape)| derived(crd, version, &shape)));
                self.manifest(&crd)
            }
            Err(error) => {
                self.crds.push(Err(error.to_string()));
                self
            }
        }
    }
}

fn derived(crd: String, version: &'static str, shape: &Shape) -> DerivedVersion {
    DerivedVersion { crd, version, root: Arc::new(*shape) }
}
