//! Restarts: connections end, and what was stored is kept or not.

use super::ApiServer;
use super::core::Core;
use super::snapshot::Snapshot;

/// How far the counter of resource versions jumps when what was stored is lost.
/// Source: `--bump-revision` of `etcdutl snapshot restore`, with `--mark-compacted`.
const BUMP: u64 = 1_000_000_000;

/// What a server knows after a restart.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Stored {
    /// All that it knew before: watches go on from where they were.
    Kept,
    /// Nothing but the namespaces of a new server. Resource versions are new: a watch of an earlier one gets status 410.
    Lost,
    /// What was stored at an earlier moment, as from a backup. Resource versions are new: a watch of an earlier one gets
    /// status 410.
    Restored(Snapshot),
}

impl ApiServer {
    /// Restarts the server: all watches end at once.
    pub fn restart(&self, stored: Stored) {
        let mut core = self.shared.lock();
        match stored {
            Stored::Kept => {}
            Stored::Lost => {
                core.forget();
                core.make_namespaces();
                core.compact_all();
            }
            Stored::Restored(moment) => {
                core.forget();
                core.restore(moment);
                core.compact_all();
            }
        }
        self.shared.end_watches(&core);
        drop(core);
        self.make_roles();
    }
}

impl Core {
    fn forget(&mut self) {
        self.store.forget(BUMP);
        self.catalog.forget_all();
        self.orphaned.clear();
        self.dependents.clear();
        self.definitions = false;
    }

    fn restore(&mut self, moment: Snapshot) {
        for ((resource, key), object) in moment.objects {
            // Nothing that is served has written it: it is read as what it is.
            self.put(&resource, &key, object, 0);
        }
        self.settle();
    }

    fn compact_all(&mut self) {
        let revision = self.store.revision();
        self.store.compact(revision);
    }
}
