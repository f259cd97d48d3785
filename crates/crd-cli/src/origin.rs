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
}

/// Returns the Rust source that an error of a CRD is about. `None` if the CRD is not registered by its types, or if the
/// error is not in a schema.
pub(super) fn locate(registry: &Registry, crd: &Value, field: &str) -> Option<Origin> {
    let name = crd.pointer("/metadata/name")?.as_str()?;
    let (version, steps) = part_of_schema(crd, field)?;
    let derived = registry.derived.iter().find(|derived| {
        derived.crd == name && version.is_none_or(|version| version == derived.version)
    })?;
    derived.root.locate(&steps)
}
