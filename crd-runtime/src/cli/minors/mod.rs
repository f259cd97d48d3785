//! A definition on several minors of Kubernetes: which of them would refuse it, and which would take it and do
//! something else than the newest one.
//!
//! Both are found by asking: the definition is validated, compiled and estimated as each minor does it.

mod otherwise;
mod refused;
mod selection;
mod values;

use crd_cel::kubernetes::KubernetesVersion;

use super::objects::{FileLine, Placed};
use super::origin::{self, Origin};
use super::{Registry, catalog};
use crate::field::Error;
use crate::model::CustomResourceDefinition;
use refused::Refusals;

pub(super) use selection::{Minors, Named};

/// Something about a definition that a minor refuses, or does otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Incompatibility {
    pub(super) kubernetes: KubernetesVersion,
    /// Whether the minor refuses the definition for it.
    pub(super) refused: bool,
    /// The place in the manifest.
    pub(super) field: String,
    pub(super) message: String,
    /// The line of the field, or of what is closest above it; 0 where there is no file.
    pub(super) line: usize,
    /// Where a derived kind has it in Rust.
    pub(super) origin: Option<Origin>,
}

impl Incompatibility {
    fn new(kubernetes: KubernetesVersion, refused: bool, field: &str, message: String) -> Self {
        let field = catalog::in_manifest(field);
        Self { kubernetes, refused, field, message, line: 0, origin: None }
    }

    /// The field, the message, and below it the place in Rust.
    pub(super) fn text(&self) -> String {
        let Self { field, message, origin, .. } = self;
        match origin {
            Some(origin) => format!("{field}: {message}\n  at {}", origin.text),
            None => format!("{field}: {message}"),
        }
    }

    /// Where it is reported: in Rust, else at the line of the field.
    pub(super) fn place(&self, document: &FileLine) -> FileLine {
        match (&self.origin, self.line) {
            (Some(origin), _) => origin.place.clone(),
            (None, 0) => document.clone(),
            (None, line) => FileLine { line, ..document.clone() },
        }
    }
}

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
    let mut refusals = Refusals::new(crd, old);
    let errors = refusals.common(minors);
    let mut incompatibilities = Vec::new();
    for &minor in minors.all() {
        incompatibilities.extend(refusals.on(minor, &errors));
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

/// Looks up the places of incompatibilities: lines of a file, or types of a registered kind.
pub(super) fn locate(registry: &Registry, placed: &Placed, found: &mut [Incompatibility]) {
    let fields: Vec<String> = found.iter().map(|it| it.field.clone()).collect();
    let lines = placed.lines(&fields);
    for (it, line) in found.iter_mut().zip(lines) {
        it.line = line;
        if placed.source.is_none() {
            it.origin = origin::locate(registry, &placed.value, &it.field);
        }
    }
}

/// The minors of these that do not refuse the definition.
pub(super) fn accepting(minors: &Minors, found: &[Incompatibility]) -> Vec<KubernetesVersion> {
    let refuses = |minor: &KubernetesVersion| {
        found.iter().any(|found| found.refused && found.kubernetes == *minor)
    };
    minors.all().iter().copied().filter(|minor| !refuses(minor)).collect()
}
