//! Differences between minors that affect objects of every definition, or of every definition with a common part such
//! as a status.
//!
//! Each minor gets one line, because an author of definitions can hardly avoid these differences.

use crd_cel::kubernetes::KubernetesVersion;

use crate::differences::Difference;
use crate::kubernetes::Minors;
use crate::model::CustomResourceDefinition;
use crate::schemas;
use crate::verdict::Incompatibility;

/// The facts about a definition on which the differences depend.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about a definition")]
#[derive(Debug, Default)]
struct DefinitionFacts {
    has_integers: bool,
    /// Whether a schema has `x-kubernetes-int-or-string` or `multipleOf`, which ask whether a number is an integer.
    has_other_integers: bool,
    has_status: bool,
    /// Whether there are several versions.
    has_versions: bool,
}

/// What minors do until a change.
struct OlderBehaviour {
    /// The change that introduced it; `None` if the oldest known minor has it.
    from: Option<Difference>,
    until: Difference,
    /// Whether objects of a definition with these facts can show it.
    shows: fn(&DefinitionFacts) -> bool,
    what: &'static str,
}

/// The behaviours that are reported. Left out are differences in the words of errors and warnings, and those that show
/// only in answers to unusual requests.
const OLDER_BEHAVIOURS: [OlderBehaviour; 7] = [
    OlderBehaviour {
        from: None,
        until: Difference::NumberFormats,
        shows: |facts| facts.has_integers,
        what: "a number that is nearly an integer, such as 3.0000000001, is stored as an integer",
    },
    OlderBehaviour {
        from: None,
        until: Difference::RoundedIntegers,
        shows: |facts| facts.has_other_integers,
        what: "`x-kubernetes-int-or-string` and `multipleOf` take a number such as 2.000000003 for an integer, and not \
               2.9999999999",
    },
    OlderBehaviour {
        from: None,
        until: Difference::StatusesIgnoreInAllVersions,
        shows: |facts| facts.has_status && facts.has_versions,
        what: "a manager that writes the status can own fields outside of it in other versions of the kind",
    },
    OlderBehaviour {
        from: None,
        until: Difference::StatusesIgnoreMetadata,
        shows: |facts| facts.has_status,
        what: "a manager that writes the status also owns metadata, and its write can conflict over metadata",
    },
    OlderBehaviour {
        from: Some(Difference::EmptiedContainersStay),
        until: Difference::EmptiedContainersGo,
        shows: |_| true,
        what: "if an apply removes the last element of a map or list, the empty map or list stays in 1.36.0 to 1.36.2",
    },
    OlderBehaviour {
        from: None,
        until: Difference::DeletionsRejectCreation,
        shows: |_| true,
        what: "objects can be created while the definition is being deleted",
    },
    OlderBehaviour {
        from: None,
        until: Difference::CreationByWriteIsWiped,
        shows: |_| true,
        what: "an apply that creates an object stores metadata that only the server may set",
    },
];

impl OlderBehaviour {
    fn is_in(&self, minor: KubernetesVersion) -> bool {
        !self.until.is_in(minor) && self.from.is_none_or(|from| from.is_in(minor))
    }
}

/// Adds a line for each minor that has one of the older behaviours.
pub(super) fn find(
    crd: &CustomResourceDefinition,
    minors: &Minors,
    found: &mut Vec<Incompatibility>,
) {
    let facts = facts(crd);
    for &minor in minors.all() {
        let behaviours = OLDER_BEHAVIOURS
            .iter()
            .filter(|behaviour| behaviour.is_in(minor) && (behaviour.shows)(&facts));
        let behaviours: Vec<String> = behaviours
            .map(|OlderBehaviour { from, until, what, .. }| match from {
                None => format!("{what} (until 1.{})", until.minor() - 1),
                // The text names the versions itself.
                Some(_) => (*what).to_owned(),
            })
            .collect();
        if !behaviours.is_empty() {
            let message = format!("objects of the kind: {}", behaviours.join("; "));
            found.push(Incompatibility::general(minor, message));
        }
    }
}

fn facts(crd: &CustomResourceDefinition) -> DefinitionFacts {
    let mut facts =
        DefinitionFacts { has_versions: crd.spec.versions.len() > 1, ..DefinitionFacts::default() };
    for version in &crd.spec.versions {
        facts.has_status |= schemas::has_status(version);
        schemas::each(version, "", &mut |visited| {
            let schema = visited.schema;
            facts.has_integers |= schema.type_ == "integer";
            facts.has_other_integers |= schema.x_int_or_string || schema.multiple_of.is_some();
        });
    }
    facts
}
