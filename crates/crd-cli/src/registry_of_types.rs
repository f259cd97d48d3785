//! Registers kinds by their types.

use std::sync::Arc;

use super::Registry;
use super::origin::DerivedVersion;
use crate::CustomResource;
use crate::crd_schema::Shape;
use crate::model::{Conversion, CustomResourceDefinition};
use crate::{definition, yaml};
use crd_runtime::versions::{MergeError, Versions, merge};

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

    /// Adds a kind by the type of one of its versions. The other versions are those of a manifest in YAML or JSON:
    /// `crd_into::<v2::Job>(include_str!("jobs.yaml"))`. A version of the type's name in the manifest is replaced.
    ///
    /// If they cannot be merged into one CRD, every command reports why and does nothing.
    #[must_use]
    pub fn crd_into<T: CustomResource>(mut self, manifest: &str) -> Self {
        match with_other_versions(T::definition(), T::VERSION, manifest) {
            Ok(crd) => {
                self.derived.push(derived(T::crd_name(), T::VERSION, &T::SHAPE));
                self.manifest(&crd)
            }
            Err(error) => {
                self.crds.push(Err(error));
                self
            }
        }
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

/// Merges a definition with the other versions of a manifest.
fn with_other_versions(
    mut definition: CustomResourceDefinition,
    version: &str,
    manifest: &str,
) -> Result<CustomResourceDefinition, String> {
    let name = definition.metadata.name.clone();
    let about = |error: &dyn std::fmt::Display| format!("the manifest for `{name}`: {error}");
    let document = yaml::document(manifest.as_bytes()).map_err(|error| about(&error))?;
    let document = document.ok_or_else(|| about(&"it is empty"))?;
    let decoded = definition::decode(&document.value).map_err(|error| about(&error))?;
    let mut others = decoded.crd;
    definition::apply_defaults(&mut others);
    definition::apply_defaults(&mut definition);
    others.spec.versions.retain(|other| other.name != version);
    // The strategy `None` is what a definition without a conversion has.
    let is_webhook = |crd: &CustomResourceDefinition| {
        crd.spec.conversion.as_ref().is_some_and(|conversion| conversion.webhook.is_some())
    };
    if is_webhook(&others) != is_webhook(&definition) {
        for crd in [&mut others, &mut definition] {
            crd.spec.conversion.take_if(|conversion| conversion.webhook.is_none());
        }
    }
    merge(&[definition, others]).map_err(|error| error.to_string())
}

fn derived(crd: String, version: &'static str, shape: &Shape) -> DerivedVersion {
    DerivedVersion { crd, version, root: Arc::new(*shape) }
}
