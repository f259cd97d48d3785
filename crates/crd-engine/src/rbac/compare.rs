//! Compares the permissions that are needed with those that are granted.

use std::fmt;

use super::Permissions;
use super::need::Need;

/// The needed permissions that a manifest lacks, and the granted permissions that are not needed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Comparison {
    /// The permissions that are needed, but not granted.
    pub missing: Vec<Need>,
    /// The permissions that are granted, but not needed. A permission with `*` as verb, group or resource counts as
    /// needed if it covers at least one needed permission.
    pub superfluous: Vec<Need>,
}

impl Comparison {
    /// Returns whether no permission is missing or superfluous. A grant with `*` may still allow more than is
    /// needed.
    pub fn is_exact(&self) -> bool {
        self.missing.is_empty() && self.superfluous.is_empty()
    }
}

/// Prints a line for each difference.
impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for need in &self.missing {
            writeln!(f, "missing: {need}")?;
        }
        for need in &self.superfluous {
            writeln!(f, "superfluous: {need}")?;
        }
        Ok(())
    }
}

pub(super) fn compare(needed: &Permissions, granted: &Permissions) -> Comparison {
    let (needed, granted): (Vec<Need>, Vec<Need>) =
        (needed.needs().collect(), granted.needs().collect());
    let is_missing = |need: &&Need| !granted.iter().any(|grant| grant.covers(need));
    let is_unused = |grant: &&Need| !needed.iter().any(|need| grant.covers(need));
    Comparison {
        missing: needed.iter().filter(is_missing).cloned().collect(),
        superfluous: granted.iter().filter(is_unused).cloned().collect(),
    }
}
