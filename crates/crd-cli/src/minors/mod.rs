//! A definition on several minors of Kubernetes: which of them reject it, and which accept it but treat it differently
//! from the newest one.
//!
//! To find both, the definition is validated and compiled, and its rules are estimated, as each minor does it.

mod behavior;
mod formats;
mod general;
mod rejected;

use crd_cel::kubernetes::KubernetesVersion;

use super::kubernetes::Minors;
use super::objects::Placed;
use super::verdict::Incompatibility;
use super::{Registry, catalog};
use crate::field::Error;
use crate::model::CustomResourceDefinition;
use rejected::Rejections;

/// The differences between minors for a definition.
pub(super) struct MinorComparison {
    /// The errors on all of these minors and on the newest known one: the definition is wrong, whatever the minor.
    pub(super) errors: Vec<Error>,
    /// The other differences, by minor, oldest first.
    pub(super) incompatibilities: Vec<Incompatibility>,
}

/// Compares how minors treat a definition, as new or as an update of `old`.
pub(super) fn compare(
    crd: &CustomResourceDefinition,
    old: Option<&CustomResourceDefinition>,
    minors: &Minors,
) -> MinorComparison {
    let mut rejections = Rejections::new(crd, old);
    let errors = rejections.common(minors);
    let mut incompatibilities = Vec::new();
    for &minor in minors.all() {
        incompatibilities.extend(rejections.on(minor, &errors));
    }
    let is_rejected = |minor: KubernetesVersion, field: &str| {
        let field = catalog::in_manifest(field);
        incompatibilities.iter().any(|it| it.kubernetes == minor && it.field == field)
    };
    let changes = behavior::find(crd, old, minors);
    let changes: Vec<_> =
        changes.into_iter().filter(|it| !is_rejected(it.kubernetes, &it.field)).collect();
    incompatibilities.extend(changes);
    general::find(crd, minors, &mut incompatibilities);
    incompatibilities.sort_by_key(|it| (it.kubernetes, !it.rejected));
    MinorComparison { errors, incompatibilities }
}

/// Looks up the places of incompatibilities.
pub(super) fn locate(registry: &Registry, placed: &Placed, found: &mut [Incompatibility]) {
    let fields: Vec<&str> = found.iter().map(|it| &*it.field).collect();
    let located = placed.locate(registry, &fields);
    for (it, location) in found.iter_mut().zip(located) {
        it.location = location;
    }
}

/// Returns those of the minors that accept the definition.
pub(super) fn accepting(minors: &Minors, found: &[Incompatibility]) -> Vec<KubernetesVersion> {
    let rejects = |minor: &KubernetesVersion| {
        found.iter().any(|found| found.rejected && found.kubernetes == *minor)
    };
    minors.all().iter().copied().filter(|minor| !rejects(minor)).collect()
}
