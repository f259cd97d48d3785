//! A definition on several minors of Kubernetes: which of them reject it, and which accept it but treat it differently
//! from the newest one.
//!
//! Both are found by asking: the definition is validated, compiled and estimated as each minor does it.

mod otherwise;
mod rejected;
mod values;

use crd_cel::kubernetes::KubernetesVersion;

use super::kubernetes::Minors;
use super::objects::Placed;
use super::verdict::Incompatibility;
use super::{Registry, catalog};
use crate::field::Error;
use crate::model::CustomResourceDefinition;
use rejected::Rejections;

/// What minors say of a definition.
pub(super) struct Compared {
    /// What all of them refuse, and the newest one that is known: no minor is to blame.
    pub(super) errors: Vec<Error>,
    /// The rest, by minor, oldest first.
    pub(super) incompatibilities: Vec<Incompatibility>,
}

/// Asks each minor about a definition, as new or in place of an old one.
pub(super) fn compare(
    crd: &CustomResourceDefinition,
    old: Option<&CustomResourceDefinition>,
    minors: &Minors,
) -> Compared {
    let mut rejections = Rejections::new(crd, old);
    let errors = rejections.common(minors);
    let mut incompatibilities = Vec::new();
    for &minor in minors.all() {
        incompatibilities.extend(rejections.on(minor, &errors));
    }
    let refused = |minor: KubernetesVersion, field: &str| {
        let field = catalog::in_manifest(field);
        incompatibilities.iter().any(|it| it.kubernetes == minor && it.field == field)
    };
    let otherwise = otherwise::find(crd, old, minors);
    let otherwise: Vec<_> =
        otherwise.into_iter().filter(|it| !refused(it.kubernetes, &it.field)).collect();
    incompatibilities.extend(otherwise);
    incompatibilities.sort_by_key(|it| (it.kubernetes, !it.refused));
    Compared { errors, incompatibilities }
}

/// Looks up the places of incompatibilities.
pub(super) fn locate(registry: &Registry, placed: &Placed, found: &mut [Incompatibility]) {
    let fields: Vec<&str> = found.iter().map(|it| &*it.field).collect();
    let located = placed.locate(registry, &fields);
    for (it, location) in found.iter_mut().zip(located) {
        it.location = location;
    }
}

/// The minors of these that do not refuse the definition.
pub(super) fn accepting(minors: &Minors, found: &[Incompatibility]) -> Vec<KubernetesVersion> {
    let refuses = |minor: &KubernetesVersion| {
        found.iter().any(|found| found.refused && found.kubernetes == *minor)
    };
    minors.all().iter().copied().filter(|minor| !refuses(minor)).collect()
}
