//! The trait of root types, which `#[derive(CustomResource)]` implements.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1 as apiextensions;

use crd_model::{Defined, DefinedAs};

use crate::crd_schema::CrdSchema;
use crate::model::{CustomResourceDefinition, to_k8s};

/// A root type: one that `#[derive(CustomResource)]` generates from a spec, or a struct with `metadata` that has the
/// derive itself.
pub trait CustomResource: CrdSchema + Defined {
    /// The API group, such as `stable.example.com`.
    const GROUP: &'static str;
    /// The version, such as `v1`.
    const VERSION: &'static str;
    /// Group and version, such as `stable.example.com/v1`.
    const API_VERSION: &'static str;
    /// The kind, such as `CronTab`.
    const KIND: &'static str;
    /// The plural name, which URLs contain, such as `crontabs`.
    const PLURAL: &'static str;
    /// Whether objects are namespaced.
    const NAMESPACED: bool;
    /// Whether this version is the storage version.
    const STORAGE: bool;

    /// Returns the CRD, in this crate's own model.
    ///
    /// Every call returns the same value.
    fn definition() -> CustomResourceDefinition;

    /// Returns the CRD, in k8s-openapi's types.
    ///
    /// Every call returns the same value.
    #[must_use]
    fn crd() -> apiextensions::CustomResourceDefinition {
        to_k8s(Self::definition())
    }

    /// Returns the name of the CRD: `<plural>.<group>`.
    #[must_use]
    fn crd_name() -> String {
        format!("{}.{}", Self::PLURAL, Self::GROUP)
    }
}

/// Returns what derived code implements [`Defined`] with.
#[doc(hidden)]
#[must_use]
pub const fn defined_as<T: CustomResource>() -> DefinedAs {
    DefinedAs {
        group: T::GROUP,
        api_version: T::API_VERSION,
        version: T::VERSION,
        kind: T::KIND,
        is_namespaced: T::NAMESPACED,
    }
}
