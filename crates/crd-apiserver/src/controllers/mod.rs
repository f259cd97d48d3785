//! The controllers of the server. After each request, they process the [work](Work) that it has caused, until none is
//! left or the rest waits for webhooks or for another try.

mod definitions;
mod gc;
mod namespaces;
mod policies;
mod protection;
mod roles;

use std::sync::Arc;

use tokio::time::Instant;

use super::core::Core;
use super::definition;
use super::failure::Answer;
use super::namespaces::RESOURCE as NAMESPACES;
use super::policy::VALIDATING_POLICIES;
use super::store::StoredObject;
use super::webhooks::Memo;
use super::work::{ObjectKey, Session, Work};

/// The maximum number of rounds of controllers after a request. A chain of owners needs one round for each link; the
/// remaining rounds run after the next request.
const MAX_ROUNDS: usize = 1_000;

impl Core {
    /// Processes the work that controllers owe. If some of it needs the answers of webhooks, [`Session::is_waiting`] is
    /// true afterwards, and the next call with the answers continues it.
    pub(super) fn settle(&mut self, session: &mut Session) {
        for (work, memo) in std::mem::take(&mut session.waiting) {
            self.queue.end_flight(&work);
            self.process_with(work, memo, session);
        }
        for _ in 0..MAX_ROUNDS {
            let taken = self.queue.take(Instant::now());
            if taken.is_empty() {
                return;
            }
            for work in taken {
                let memo = session.memo();
                self.process_with(work, memo, session);
            }
        }
    }

    fn process_with(&mut self, work: Work, mut memo: Memo, session: &mut Session) {
        let done = self.with_memo(&mut memo, |core| core.process(&work));
        if memo.is_waiting() && memo.can_be_tried_again() {
            self.queue.begin_flight(&work);
            session.waiting.insert(work, memo);
            return;
        }
        match done {
            Ok(()) => self.queue.succeed(&work),
            Err(_) => self.queue.fail(work, Instant::now()),
        }
    }

    fn process(&mut self, work: &Work) -> Answer<()> {
        match work {
            Work::Definition(name) => self.settle_definition(name),
            // Without controllers, work that others have left is dropped.
            _ if !self.runs_controllers && !matches!(work, Work::Workload(_)) => Ok(()),
            Work::Roles => {
                self.aggregate_roles();
                Ok(())
            }
            Work::Garbage(key) => self.collect_garbage(key),
            Work::Protection(key) => self.end_protection(key),
            Work::Namespace(name) => self.empty_namespace(name),
            Work::Policy(name) => self.observe_policy(name),
            Work::Workload(key) => self.simulate_workload(key),
        }
    }

    /// Ends the flight of all items of a session that nobody continues. They are processed after the next request.
    pub(super) fn abandon(&mut self, session: &mut Session) {
        for (work, _) in std::mem::take(&mut session.waiting) {
            self.queue.end_flight(&work);
            self.queue.add(work);
        }
    }

    /// Adds the work that a change of an object causes. `before` and `after` are its states; `None` where it does not
    /// exist.
    pub(super) fn owe(
        &mut self,
        (resource, key): (&str, &str),
        before: Option<&StoredObject>,
        after: Option<&StoredObject>,
    ) {
        let object = || -> ObjectKey { (resource.into(), key.into()) };
        if resource == definition::RESOURCE {
            self.queue.add(Work::Definition(key.into()));
        }
        if after.is_some() && self.simulates(resource) {
            self.queue.add(Work::Workload(object()));
        }
        if resource == "/pods" {
            self.owe_budgets(key);
        }
        if !self.runs_controllers {
            return;
        }
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
            self.queue.add(Work::Garbage(object()));
        }
        self.owe_protection((resource, key), after);
        // PERF: most requests are made while nothing is being deleted.
        if self.store.deleting() == 0 {
            return;
        }
        let namespace = match key.split_once('/') {
            Some((namespace, _)) => namespace,
            None if resource == NAMESPACES => key,
            None => return,
        };
        let found = self.store.get(NAMESPACES, namespace);
        if found.is_some_and(|namespace| namespace.is_deleting()) {
            self.queue.add(Work::Namespace(namespace.into()));
        }
    }

    /// Adds the work that the removal of an object with this uid causes.
    pub(super) fn owe_removal(&mut self, uid: &str) {
        self.foreground.remove(uid);
        let dependents = self.store.dependents_of(uid);
        if !dependents.is_empty() && self.runs_controllers {
            self.absent_owners.push_back(uid.into());
            if self.absent_owners.len() > gc::MAX_ABSENT_OWNERS {
                self.absent_owners.pop_front();
            }
            for dependent in dependents {
                self.queue.add(Work::Garbage(dependent));
            }
        }
    }

    /// Rebuilds the kinds of all definitions after a change of converters or of the minor.
    pub(super) fn redefine(&mut self) {
        self.catalog.forget_all();
        self.define_own_kinds();
        let names: Vec<Arc<str>> =
            self.store.list(definition::RESOURCE, "").map(|(key, _)| Arc::clone(key)).collect();
        for name in names {
            self.queue.add(Work::Definition(name));
        }
    }
}
