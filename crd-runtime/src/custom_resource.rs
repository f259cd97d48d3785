//! A kind: the trait that `#[derive(CustomResource)]` implements.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1 as apiextensions;

use crate::crd_schema::CrdSchema;
use crate::model::{CustomResourceDefinition, to_k8s};

/// A root type: what `#[derive(CustomResource)]` generates from a spec, or makes of a struct with
/// metadata.
pub trait CustomResource: CrdSchema {
    /// The API group, such as `stable.example.com`.
    const GROUP: &'static str;
    /// The version, such as `v1`.
    const VERSION: &'static str;
    /// Group and version, such as `stable.example.com/v1`.
    const API_VERSION: &'static str;
    /// The kind, such as `CronTab`.
    const KIND: &'static str;
    /// The resource, such as `crontabs`.
    const PLURAL: &'static str;
    /// Whether objects live in namespaces.
    const NAMESPACED: bool;
    /// Whether the version is the one that is stored.
    const STORAGE: bool;

    /// The manifest, in this crate's own model.
    ///
    /// Pure: the same value each time.
    fn definition() -> CustomResourceDefinition;

    /// The manifest, in k8s-openapi's types.
    ///
    /// Pure: the same value each time.
    #[must_use]
    fn crd() -> apiextensions::CustomResourceDefinition {
        to_k8s(Self::definition())
    }

    /// The name of the CRD: `<plural>.<group>`.
    #[must_use]
    fn crd_name() -> String {
        format!("{}.{}", Self::PLURAL, Self::GROUP)
    }
}
