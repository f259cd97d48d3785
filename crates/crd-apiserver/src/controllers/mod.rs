//! The controllers of the server. After each request, they see the changes of the store, and process the [work](Work)
//! that these cause, until none is left or the rest waits for webhooks or for another try.

mod api_services;
mod definitions;
mod gc;
mod namespaces;
mod policies;
mod protection;
mod roles;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use tokio::time::Instant;

use super::api_services::RESOURCE as API_SERVICES;
use super::catalog::Catalog;
use super::core::Core;
use super::failure::Answer;
use super::handler::with_memo;
use super::namespaces::RESOURCE as NAMESPACES;
use super::policy::VALIDATING_POLICIES;
use super::store::{Store, StoreEvent, StoredObject};
use super::webhooks::Memo;
use super::work::{ObjectKey, Session, Work, WorkQueue};
use super::workloads::Simulation;
use super::{definition, metadata, workloads};
use crate::convert::Converter;
use crate::model::CustomResourceDefinition;

/// The maximum number of rounds of controllers after a request. A chain of owners needs one round for each link; the
/// remaining rounds run after the next request.
const MAX_ROUNDS: usize = 1_000;

/// When the controllers beside the API server act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Runs {
    AfterEachRequest,
    /// When `ApiServer::run_controllers` is called.
    OnDemand,
    /// Only workloads are simulated.
    Never,
}

/// The state of the controllers.
#[derive(Debug)]
pub(super) struct Controllers {
    /// When garbage is collected, namespaces are emptied and cluster roles are aggregated.
    pub(super) runs: Runs,
    /// The work that waits for a demand.
    held: BTreeSet<Work>,
    /// What is simulated after each request.
    pub(super) simulation: Simulation,
    /// Whether the versions that definitions serve get objects of kind `APIService`.
    pub(super) registers_versions: bool,
    /// The converters that run in the process, keyed by group and kind.
    pub(super) converters: BTreeMap<(String, String), Arc<Converter>>,
    /// The kinds that the test has added without storing their definitions.
    pub(super) own_kinds: Vec<CustomResourceDefinition>,
    pub(super) queue: WorkQueue,
    /// The time at which a task continues the work in the queue; `None` if there is no such task.
    pub(super) alarm: Option<Instant>,
    /// The objects that wait for the removal of their dependents, by their uids.
    foreground: BTreeMap<String, ObjectKey>,
    /// The uids of removed owners whose dependents may remain.
    absent_owners: VecDeque<Box<str>>,
    /// The values of the annotation `api-approved.kubernetes.io` from which the conditions of definitions have been
    /// computed, keyed by the names of the definitions.
    approvals: BTreeMap<String, String>,
}

impl Default for Controllers {
    fn default() -> Self {
        Self {
            runs: Runs::AfterEachRequest,
            held: BTreeSet::new(),
            simulation: Simulation::None,
            registers_versions: false,
            converters: BTreeMap::new(),
            own_kinds: Vec::new(),
            queue: WorkQueue::default(),
            alarm: None,
            foreground: BTreeMap::new(),
            absent_owners: VecDeque::new(),
            approvals: BTreeMap::new(),
        }
    }
}

impl Controllers {
    /// Forgets what follows from stored objects.
    pub(super) fn forget(&mut self) {
        self.queue.clear();
        self.held.clear();
        self.foreground.clear();
        self.absent_owners.clear();
        self.approvals.clear();
    }

    /// Ends the flight of all items of a session that nobody continues. They are processed after the next request.
    pub(super) fn abandon(&mut self, session: &mut Session) {
        for (work, _) in std::mem::take(&mut session.waiting) {
            self.queue.end_flight(&work);
            self.queue.add(work);
        }
    }

    /// Adds the work that a change of an object causes.
    fn see(&mut self, change: &StoreEvent, store: &Store, catalog: &Catalog) {
        let StoreEvent { resource, key, before, after, .. } = change;
        let (before, after) = (before.as_deref(), after.as_deref());
        let object = || -> ObjectKey { (Arc::clone(resource), Arc::clone(key)) };
        if let Some(deleting) = after.filter(|after| after.is_deleting()).map(StoredObject::object)
        {
            let uid = metadata::text(&deleting, "uid").to_owned();
            if metadata::waits_for_dependents(&deleting) {
                self.foreground.insert(uid, object());
            } else {
                self.foreground.remove(&uid);
            }
        }
        if **resource == *definition::RESOURCE {
            self.queue.add(Work::Definition(Arc::clone(key)));
            if let (true, Some((_, group))) = (self.registers_versions, key.split_once('.')) {
                self.queue.add(Work::Versions(group.into()));
            }
        }
        if **resource == *API_SERVICES {
            self.queue.add(Work::ApiService(Arc::clone(key)));
        }
        if **resource == *"/services" && before.is_some() != after.is_some() {
            for (name, _) in store.list(API_SERVICES, "") {
                self.queue.add(Work::ApiService(Arc::clone(name)));
            }
        }
        if self.simulation != Simulation::None {
            workloads::owe(&mut self.queue, store, change, self.simulation);
        }
        if self.runs != Runs::Never {
            self.see_object(&object(), before, after, store);
        }
        if let (Some(gone), None) = (before, after) {
            // A definition that is being deleted waits for the removal of its last object.
            let (group, plural) = resource.split_once('/').unwrap_or_default();
            if catalog.is_terminating(group, plural) {
                self.queue.add(Work::Definition(format!("{plural}.{group}").into()));
            }
            self.see_removal(metadata::text(&gone.object(), "uid"), store);
        }
    }

    /// Adds the work of garbage collection and the like. `before` and `after` are the states of the object; `None` where
    /// it does not exist.
    fn see_object(
        &mut self,
        object: &ObjectKey,
        before: Option<&StoredObject>,
        after: Option<&StoredObject>,
        store: &Store,
    ) {
        let (resource, key) = (&*object.0, &*object.1);
        if resource == roles::RESOURCE {
            self.queue.add(Work::Roles);
        }
        if resource == VALIDATING_POLICIES && after.is_some() {
            self.queue.add(Work::Policy(key.into()));
        }
        for owner in [before, after].into_iter().flatten().flat_map(StoredObject::owners) {
            if let Some(owner) = self.foreground.get(owner) {
                self.queue.add(Work::Garbage(owner.clone()));
            }
        }
        if after.is_some_and(|after| after.has_owners() || after.is_deleting()) {
            self.queue.add(Work::Garbage(object.clone()));
        }
        protection::owe(&mut self.queue, store, object, after);
        // PERF: most requests are made while nothing is being deleted.
        if store.deleting() == 0 {
            return;
        }
        let namespace = match key.split_once('/') {
            Some((namespace, _)) => namespace,
            None if resource == NAMESPACES => key,
            None => return,
        };
        let found = store.get(NAMESPACES, namespace);
        if found.is_some_and(|namespace| namespace.is_deleting()) {
            self.queue.add(Work::Namespace(namespace.into()));
        }
    }

    /// Adds the work that the removal of an object with this uid causes.
    fn see_removal(&mut self, uid: &str, store: &Store) {
        self.foreground.remove(uid);
        let dependents = store.dependents_of(uid);
        if !dependents.is_empty() && self.runs != Runs::Never {
            self.absent_owners.push_back(uid.into());
            if self.absent_owners.len() > gc::MAX_ABSENT_OWNERS {
                self.absent_owners.pop_front();
            }
            for dependent in dependents {
                self.queue.add(Work::Garbage(dependent));
            }
        }
    }
}

/// Processes the work that controllers owe. If some of it needs the answers of webhooks, [`Session::is_waiting`] is true
/// afterwards, and the next call with the answers continues it.
pub(super) fn settle(controllers: &mut Controllers, core: &mut Core, session: &mut Session) {
    if session.is_demanded {
        for work in std::mem::take(&mut controllers.held) {
            controllers.queue.add(work);
        }
    }
    for (work, memo) in std::mem::take(&mut session.waiting) {
        controllers.queue.end_flight(&work);
        process_with(controllers, core, work, memo, session);
    }
    for _ in 0..MAX_ROUNDS {
        for change in core.store.take_unseen() {
            if change.after.is_none() {
                core.forget(&change.resource, &change.key);
            }
            controllers.see(&change, &core.store, &core.catalog);
        }
        let taken = controllers.queue.take(Instant::now());
        if taken.is_empty() {
            return;
        }
        for work in taken {
            let memo = session.memo();
            process_with(controllers, core, work, memo, session);
        }
    }
}

fn process_with(
    controllers: &mut Controllers,
    core: &mut Core,
    work: Work,
    mut memo: Memo,
    session: &mut Session,
) {
    if controllers.runs == Runs::OnDemand && !session.is_demanded && work.is_of_controllers() {
        controllers.queue.succeed(&work);
        controllers.held.insert(work);
        return;
    }
    let done = with_memo(core, &mut memo, |core| process(controllers, core, &work));
    if memo.is_waiting() && memo.can_be_tried_again() {
        controllers.queue.begin_flight(&work);
        session.waiting.insert(work, memo);
        return;
    }
    match done {
        Ok(()) => controllers.queue.succeed(&work),
        Err(_) => controllers.queue.fail(work, Instant::now()),
    }
}

fn process(controllers: &mut Controllers, core: &mut Core, work: &Work) -> Answer<()> {
    match work {
        Work::Definition(name) => definitions::settle_definition(controllers, core, name),
        Work::Versions(group) => api_services::register(core, group),
        Work::ApiService(name) => api_services::observe(core, name),
        // Without controllers, work that others have left is dropped.
        Work::Budget(key) => workloads::report_budget(core, key),
        Work::Workload(key) => {
            if workloads::simulate_workload(core, key, controllers.simulation)? {
                controllers.queue.add(work.clone());
            }
            Ok(())
        }
        _ if controllers.runs == Runs::Never => Ok(()),
        Work::Roles => {
            roles::aggregate_roles(core);
            Ok(())
        }
        Work::Garbage(key) => gc::collect_garbage(controllers, core, key),
        Work::Protection(key) => protection::end_protection(core, key),
        Work::Namespace(name) => namespaces::empty_namespace(core, name),
        Work::Policy(name) => policies::observe_policy(core, name),
    }
}

/// Rebuilds the kinds of all definitions after a change of converters or of the minor.
pub(super) fn redefine(controllers: &mut Controllers, core: &mut Core) {
    core.catalog.forget_all();
    define_own_kinds(controllers, core);
    for (name, _) in core.store.list(definition::RESOURCE, "") {
        controllers.queue.add(Work::Definition(Arc::clone(name)));
    }
}

/// Serves the kinds that the test has added.
pub(super) fn define_own_kinds(controllers: &Controllers, core: &mut Core) {
    for crd in &controllers.own_kinds {
        core.catalog.define(crd, false, None, &core.webhook_calls);
    }
}
