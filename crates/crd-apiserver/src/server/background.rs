//! Controllers that wait for webhooks, and those that try something again later.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use tokio::runtime::Handle;
use tokio::time::Instant;

use super::Shared;
use crate::controllers::Controllers;
use crate::work::Session;

/// A run of the controllers that waits for webhooks. If this is dropped, the next request continues their work.
pub(super) struct Run {
    pub(super) shared: Arc<Shared>,
    pub(super) session: Session,
}

impl Run {
    /// Calls the webhooks, and runs the controllers until none waits for a webhook.
    pub(super) async fn run(self) {
        let mut next = Some(self);
        while let Some(mut run) = next {
            let shared = Arc::clone(&run.shared);
            shared.call(run.session.memos()).await;
            let session = std::mem::take(&mut run.session);
            next = shared.run_controllers(shared.lock(), session);
        }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        if self.session.is_waiting() {
            self.shared.lock().controllers.abandon(&mut self.session);
        }
    }
}

/// A mark that somebody waits for webhooks, until it is dropped.
pub(super) struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    pub(super) fn begin(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Shared {
    /// Makes a task run the controllers when work that has failed is due. The task does not keep the server.
    pub(super) fn set_alarm(self: &Arc<Self>, controllers: &mut Controllers) {
        let Some(due) = controllers.queue.next_due(Instant::now()) else { return };
        let (false, Ok(runtime)) =
            (controllers.alarm.is_some_and(|alarm| alarm <= due), Handle::try_current())
        else {
            return;
        };
        controllers.alarm = Some(due);
        let alarm = Alarm { shared: Arc::downgrade(self), due };
        runtime.spawn(async move {
            tokio::time::sleep_until(due).await;
            let shared = alarm.shared.upgrade();
            drop(alarm);
            if let Some(shared) = shared {
                let run = shared.run_controllers(shared.lock(), Session::default());
                if let Some(run) = run {
                    run.run().await;
                }
            }
        });
    }
}

/// A task that waits until work is due. It may end early, with the runtime of a test.
struct Alarm {
    shared: Weak<Shared>,
    due: Instant,
}

impl Drop for Alarm {
    fn drop(&mut self) {
        if let Some(shared) = self.shared.upgrade() {
            let controllers = &mut shared.lock().controllers;
            if controllers.alarm == Some(self.due) {
                controllers.alarm = None;
            }
        }
    }
}
