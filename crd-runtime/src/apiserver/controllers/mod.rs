//! The controllers of the server, which run after each request until nothing changes.

mod definitions;
mod gc;
mod namespaces;
mod roles;

use http::Request;

use super::core::Core;
use super::failure::Answer;
use super::reply::Reply;
use super::webhooks::Memo;

/// The maximum number of rounds of controllers after a request. A chain of owners needs one round for each link; the
/// remaining rounds run after the next request.
const MAX_ROUNDS: usize = 1_000;

impl Core {
    /// Answers a request, and runs the controllers until nothing changes.
    pub(super) fn handle(
        &mut self,
        request: &Request<Vec<u8>>,
        warnings: &mut Vec<String>,
    ) -> Answer<Reply> {
        let answer = self.route(request, warnings);
        self.settle();
        answer
    }

    /// Runs the controllers until nothing changes. If they need the answers of webhooks, [`Memo::is_waiting`] is true
    /// afterwards, and the next call with the answers continues the work.
    pub(super) fn settle_with(&mut self, memo: &mut Memo) {
        self.webhook_calls.begin(memo);
        self.settle();
        self.webhook_calls.end(memo);
    }

    /// Rebuilds the kinds of all definitions after a change of converters or of the minor.
    pub(super) fn redefine(&mut self) {
        self.catalog.forget_all();
        self.has_changed_definitions = true;
        self.settle();
    }

    /// Runs the controllers until nothing changes.
    pub(super) fn settle(&mut self) {
        for _ in 0..MAX_ROUNDS {
            let work =
                (self.has_changed_definitions, self.removed_uids.clone(), self.dependents.clone());
            let mut changed =
                std::mem::take(&mut self.has_changed_definitions) && self.settle_definitions();
            if self.runs_controllers {
                changed |= self.aggregate_roles();
                changed |= self.collect_garbage();
                changed |= self.settle_namespaces();
            } else {
                self.removed_uids.clear();
                self.dependents.clear();
            }
            changed |= self.settle_workloads();
            if self.webhook_calls.is_waiting() {
                self.has_changed_definitions |= work.0;
                self.removed_uids.extend(work.1);
                self.dependents.extend(work.2);
                return;
            }
            if !changed && !self.has_changed_definitions {
                return;
            }
        }
    }
}
