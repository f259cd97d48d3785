//! What the engine asks of a kind that has its definition as a type.

use crate::model::CustomResourceDefinition;

/// A type with a definition. `#[derive(CustomResource)]` implements it: use `crd_runtime::CustomResource`, which has
/// more.
///
/// Functions of the engine with a kind as their parameter have this bound, so that the engine compiles without the
/// derives, and beside k8s-openapi.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a kind",
    note = "derive `CustomResource` for it, or name the root type that the derive generates"
)]
pub trait Defined {
    /// The names, the scope, and whether the version is stored.
    const DEFINED_AS: DefinedAs;

    /// Returns the definition.
    fn defined() -> CustomResourceDefinition;
}

/// The names and the scope of a type.
#[derive(Debug, Clone, Copy)]
pub struct DefinedAs {
    /// The API group, such as `stable.example.com`.
    pub group: &'static str,
    /// Group and version, such as `stable.example.com/v1`.
    pub api_version: &'static str,
    /// The version, such as `v1`.
    pub version: &'static str,
    /// The kind, such as `CronTab`.
    pub kind: &'static str,
    /// The plural name, which URLs contain, such as `crontabs`.
    pub plural: &'static str,
    /// Whether objects are namespaced.
    pub is_namespaced: bool,
    /// Whether this version is the storage version.
    pub is_stored: bool,
}
