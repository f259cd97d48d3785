//! Restarts of the server: watches end, and the stored objects are kept, lost or restored.

use super::ApiServer;
use super::controllers::{define_own_kinds, redefine};
use super::namespaces::make_namespaces;
use super::published::Published;
use super::server::State;
use super::snapshot::Snapshot;

/// The number that is added to the resource version when stored objects are lost or restored.
/// Source: `--bump-revision` of `etcdutl snapshot restore`, with `--mark-compacted`.
const BUMP: u64 = 1_000_000_000;

/// The objects that a server stores after a restart.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Storage {
    /// All objects and the history of changes: clients can resume their watches.
    Kept,
    /// Only the objects of a new server: its namespaces and, with [`authorize`](super::ApiServerBuilder::authorize), its
    /// default roles. The resource version grows by 10^9, and a watch at an earlier one gets status 410.
    Lost,
    /// The objects of a snapshot, as from a backup. The resource version grows by 10^9, and a watch at an earlier one
    /// gets status 410.
    ///
    /// If the snapshot is that of another server, give both servers different
    /// [seeds](super::ApiServerBuilder::seed): with the same one, new objects get UIDs that restored objects have.
    Restored(Snapshot),
}

impl ApiServer {
    /// Restarts the server: all watches end, and its objects are kept, lost or restored.
    pub fn restart(&self, stored: Storage) {
        let mut state = self.shared.lock();
        let State { core, controllers } = &mut *state;
        match stored {
            Storage::Kept => {
                // A server that has just started publishes documents of served versions only; a running one keeps
                // those of versions that are no longer served.
                core.published = Published::default();
                redefine(controllers, core);
            }
            Storage::Lost => {
                forget(&mut state);
                make_namespaces(&mut state.core);
                state.core.store.compact(u64::MAX);
            }
            Storage::Restored(snapshot) => {
                forget(&mut state);
                for ((resource, key), object) in snapshot.objects {
                    // No served kind has the id 0, so the object is converted and decoded again when it is read.
                    state.core.store.put(&resource, &key, object, 0);
                }
                state.core.store.compact(u64::MAX);
            }
        }
        self.shared.end_watches(&state.core);
        self.shared.settle(state);
        self.make_roles();
        self.register_apis();
    }
}

fn forget(State { core, controllers }: &mut State) {
    core.store.forget(BUMP);
    (core.definitions, core.policies, core.bindings, core.webhooks) = Default::default();
    core.catalog.forget_all();
    define_own_kinds(controllers, core);
    core.published = Published::default();
    controllers.forget();
}
