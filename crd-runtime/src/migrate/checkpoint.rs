//! The progress of a migration, and checkpoints to continue from.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Error;

/// The storage settings of a definition. As long as they are the same, rewritten objects are stored in the storage
/// version.
///
/// The name of the storage version is not enough: after a change from v1 to v2 and back to v1 it is the same, but
/// objects written in between are stored in v2. Each such change increases the generation, and a definition that is
/// deleted and created again has another uid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Basis {
    /// `metadata.uid`.
    pub(super) uid: String,
    /// `metadata.generation`.
    pub(super) generation: i64,
    /// The version that objects are rewritten in.
    pub(super) storage_version: String,
    /// `status.storedVersions`, sorted.
    pub(super) stored_versions: Vec<String>,
}

impl Basis {
    /// A change to another storage version is an error: a rollback is for a person to decide on.
    pub(super) fn same_storage_version(&self, now: &Self) -> Result<(), Error> {
        if self.storage_version == now.storage_version {
            return Ok(());
        }
        let (from, to) = (self.storage_version.clone(), now.storage_version.clone());
        Err(Error::StorageChanged { from, to })
    }

    /// Whether no object can have been stored in another version between `self` and `now`.
    pub(super) fn still_holds(&self, now: &Self) -> bool {
        let Self { uid, generation, storage_version, stored_versions } = now;
        // Another migration may have dropped versions meanwhile; a version that was added is in use.
        let known = stored_versions.iter().all(|version| self.stored_versions.contains(version));
        known
            && *uid == self.uid
            && *generation == self.generation
            && *storage_version == self.storage_version
    }
}

/// A place from which a migration can continue. Store it as JSON to continue in another process.
///
/// It holds for one state of the definition (uid, generation, storage version and stored versions); after a
/// change of the definition it is ignored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Checkpoint {
    /// The definition as it was.
    #[serde(flatten)]
    pub(super) basis: Basis,
    /// The server's token for the page after those that are done.
    pub(super) continue_token: String,
}

/// The progress of a migration, passed to the caller after each page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Objects that are now stored in the storage version.
    pub rewritten: u64,
    /// Objects that were deleted before they were rewritten.
    pub gone: u64,
    /// Objects that the server failed to rewrite.
    pub refused: u64,
    /// How many are left, if the server says so.
    pub remaining: Option<u64>,
    /// How often the list began again, because the server no longer knew the page or the definition changed.
    pub restarts: u32,
    /// Where to continue: `None` after the last page, and once an object was refused.
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
        match self.restarts {
            0 => Ok(()),
            1 => f.write_str(", started again once"),
            times => write!(f, ", started again {times} times"),
        }
    }
}

/// The result of a migration.
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
