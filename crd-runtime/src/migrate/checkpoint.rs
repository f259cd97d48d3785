//! The progress of a migration, and checkpoints to resume from.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Error;

/// The storage settings of a definition. While they do not change, the server stores all rewritten objects in the
/// storage version.
///
/// The name of the storage version does not suffice to detect a change: if it changes from v1 to v2 and back to v1, the
/// name is the same, but objects written in between are stored in v2. Each such change increases the generation. A
/// definition that is deleted and created again has another uid.
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
    /// Returns an error if the storage version has changed, because a person has to decide whether to migrate back.
    pub(super) fn same_storage_version(&self, now: &Self) -> Result<(), Error> {
        if self.storage_version == now.storage_version {
            return Ok(());
        }
        let (from, to) = (self.storage_version.clone(), now.storage_version.clone());
        Err(Error::StorageChanged { from, to })
    }

    /// Returns whether all objects written between `self` and `now` are stored in the storage version.
    pub(super) fn is_unchanged(&self, now: &Self) -> bool {
        let Self { uid, generation, storage_version, stored_versions } = now;
        // Another migration may have removed a version since. If one was added, objects may be stored in it.
        let known = stored_versions.iter().all(|version| self.stored_versions.contains(version));
        known
            && *uid == self.uid
            && *generation == self.generation
            && *storage_version == self.storage_version
    }
}

/// A position in the list of objects from which a migration can continue. Store it as JSON to continue in another
/// process.
///
/// It is valid for one state of the definition (uid, generation, storage version and stored versions). After a change
/// of the definition it is ignored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Checkpoint {
    /// The state of the definition that it is valid for.
    #[serde(flatten)]
    pub(super) basis: Basis,
    /// The server's continue token of the next page.
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
    /// Objects that the server rejected.
    pub rejected: u64,
    /// The approximate number of objects that are left, if the server reports it.
    pub remaining: Option<u64>,
    /// The number of times that the list was restarted, because the continue token had expired or the definition had
    /// changed.
    pub restarts: u32,
    /// The position from which to continue. `None` after the last page, and once an object was rejected.
    pub checkpoint: Option<Checkpoint>,
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} rewritten", self.rewritten)?;
        for (count, what) in [(self.gone, "gone"), (self.rejected, "rejected")] {
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
pub struct Summary {
    /// The version that all objects are now stored in.
    pub storage_version: String,
    /// The versions that were removed from `status.storedVersions`. Empty if there was nothing to do.
    pub dropped: Vec<String>,
    /// The numbers of objects.
    pub progress: Progress,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { storage_version, dropped, progress } = self;
        if dropped.is_empty() {
            return write!(f, "all objects were stored in {storage_version} already");
        }
        let dropped = dropped.join(", ");
        write!(f, "stored in {storage_version}: {progress}; no longer stored: {dropped}")
    }
}
