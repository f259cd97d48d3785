//! How far a migration is.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Where a migration can go on: keep it outside of the process to survive its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Checkpoint {
    /// The version that objects are rewritten in.
    pub storage_version: String,
    /// The server's token for the page after those that are done.
    pub continue_token: String,
}

/// How far a migration is, told after each page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Objects that are in the storage version for sure.
    pub rewritten: u64,
    /// Objects that were deleted before their turn came.
    pub gone: u64,
    /// Objects that the server refused to rewrite.
    pub refused: u64,
    /// How many are left, where the server tells.
    pub remaining: Option<u64>,
    /// How often the list began anew, because the server no longer knew its page.
    pub restarts: u32,
    /// Where to go on; nothing after the last page, and nothing once an object was refused.
    pub checkpoint: Option<Checkpoint>,
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} rewritten", self.rewritten)?;
        for (count, what) in [(self.gone, "gone"), (self.refused, "refused")] {
            if count > 0 {
                write!(f, ", {count} {what}")?;
            }
        }
        if let Some(remaining) = self.remaining {
            write!(f, ", about {remaining} left")?;
        }
        if self.restarts > 0 {
            write!(f, ", begun anew {} times", self.restarts)?;
        }
        Ok(())
    }
}

/// What a migration did.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Done {
    /// The one version that objects are stored in now.
    pub storage_version: String,
    /// The versions that were dropped from `status.storedVersions`. None where there was nothing to do.
    pub dropped: Vec<String>,
    /// The objects.
    pub progress: Progress,
}

impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { storage_version, dropped, progress } = self;
        if dropped.is_empty() {
            return write!(f, "all objects were stored in {storage_version} already");
        }
        let dropped = dropped.join(", ");
        write!(f, "stored in {storage_version}: {progress}; no longer stored: {dropped}")
    }
}
