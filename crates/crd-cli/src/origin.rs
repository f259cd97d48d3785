//! Maps the field path of an error in a CRD to the Rust source of a derived kind.

use std::fmt::Debug;
use std::sync::Arc;

use serde_json::Value;

use super::Registry;
use super::location::Origin;
use crate::definition::{SchemaStep, part_of_schema};

/// A version of a derived kind.
#[derive(Debug, Clone)]
pub(super) struct DerivedVersion {
    /// The name of the CRD.
    pub(super) crd: String,
    pub(super) version: &'static str,
    pub(super) root: Arc<dyn Locate>,
}

/// Finds the Rust source of the parts of a schema.
pub(super) trait Locate: Debug + Send + Sync {
    /// Returns the Rust source of the part at the end of some steps.
    fn locate(&self, steps: &[SchemaStep<'_>]) -> Option<Origin>;

    /// Returns whether a type or field on the way allows a lint: the root, or one of those that the steps lead through.
    fn allows(&self, steps: &[SchemaStep<'_>], lint: &str) -> bool;

    /// Returns the names of all lints that types and fields allow, each with its place.
    fn allowed(&self) -> Vec<(&'static str, Option<Origin>)>;
}

/// Returns the Rust source that an error of a CRD is about. `None` if the CRD is not registered by its types, or if the
/// error is not in a schema.
pub(super) fn locate(registry: &Registry, crd: &Value, field: &str) -> Option<Origin> {
    let (version, steps) = part_of_schema(crd, field)?;
    derived(registry, crd, version).next()?.root.locate(&steps)
}

/// Returns whether the types of a CRD allow a lint at a field path: the kind, or a type or field on the way.
pub(super) fn allows(registry: &Registry, crd: &Value, field: &str, lint: &str) -> bool {
    // What is not in a schema is about the kind.
    let (version, steps) = part_of_schema(crd, field).unwrap_or_default();
    derived(registry, crd, version).any(|derived| derived.root.allows(&steps, lint))
}

/// Returns the registered types of a version, or of all versions.
fn derived<'r>(
    registry: &'r Registry,
    crd: &'r Value,
    version: Option<&'r str>,
) -> impl Iterator<Item = &'r DerivedVersion> {
    let name = crd.pointer("/metadata/name").and_then(Value::as_str);
    registry.derived.iter().filter(move |derived| {
        name == Some(&*derived.crd) && version.is_none_or(|version| version == derived.version)
    })
}
