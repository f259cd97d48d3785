//! The trait of root types, which `#[derive(CustomResource)]` implements.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1 as apiextensions;

use crd_model::Defined;

use crate::crd_schema::CrdSchema;
use crate::model::{CustomResourceDefinition, to_k8s};

/// A root type: one that `#[derive(CustomResource)]` generates from a spec, or a struct with `metadata` that has the
/// derive itself.
pub trait CustomResource: CrdSchema + Defined {
    /// The API group, such as `stable.example.com`.
    const GROUP: &'static str = Self::DEFINED_AS.group;
    /// The version, such as `v1`.
    const VERSION: &'static str = Self::DEFINED_AS.version;
    /// Group and version, such as `stable.example.com/v1`.
    const API_VERSION: &'static str = Self::DEFINED_AS.api_version;
    /// The kind, such as `CronTab`.
    const KIND: &'static str = Self::DEFINED_AS.kind;
    /// The plural name, which URLs contain, such as `crontabs`.
    const PLURAL: &'static str = Self::DEFINED_AS.plural;
    /// Whether objects are namespaced.
    const NAMESPACED: bool = Self::DEFINED_AS.is_namespaced;
    /// Whether this version is the storage version.
    const STORAGE: bool = Self::DEFINED_AS.is_stored;

    /// Returns the CRD, in this crate's own model.
    ///
    /// Every call returns the same value.
    #[must_use]
    fn definition() -> CustomResourceDefinition {
        Self::defined()
    }

    /// Returns the CRD, in k8s-openapi's types.
    ///
    /// Every call returns the same value.
    #[must_use]
    fn crd() -> apiextensions::CustomResourceDefinition {
        to_k8s(Self::defined())
    }

    /// Returns the name of the CRD: `<plural>.<group>`.
    #[must_use]
    fn crd_name() -> String {
        format!("{}.{}", Self::PLURAL, Self::GROUP)
    }
}

#[diagnostic::do_not_recommend]
impl<T: CrdSchema + Defined> CustomResource for T {}
