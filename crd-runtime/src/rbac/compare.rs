//! What is needed beside what is granted.

use std::fmt;

use super::Permissions;
use super::need::Need;

/// What a manifest lacks, and what it grants that nothing has needed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Comparison {
    /// Needed, and not granted.
    pub missing: Vec<Need>,
    /// Granted, and not needed. A verb, group or resource `*` is needed as soon as it allows anything that is.
    pub superfluous: Vec<Need>,
}

impl Comparison {
    /// Whether exactly what is needed is granted.
    pub fn is_exact(&self) -> bool {
        self.missing.is_empty() && self.superfluous.is_empty()
    }
}

/// A line for each difference.
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
