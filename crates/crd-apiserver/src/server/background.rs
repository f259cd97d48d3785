//! Controllers that wait for webhooks, and those that try something again later.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use tokio::runtime::Handle;
use tokio::time::Instant;

use super::Shared;
use crate::core::Core;
use crate::work::Session;

/// The controllers that wait for webhooks. If this is dropped, the next request continues their work.
pub(super) struct Controllers {
    pub(super) shared: Arc<Shared>,
    pub(super) session: Session,
}

impl Controllers {
    /// Calls the webhooks, and runs the controllers until none waits for a webhook.
    pub(super) async fn run(self) {
        let mut next = Some(self);
        while let Some(mut controllers) = next {
            let shared = Arc::clone(&controllers.shared);
            shared.call(controllers.session.memos()).await;
            let session = std::mem::take(&mut controllers.session);
            next = shared.run_controllers(shared.lock(), session);
        }
    }
}

impl Drop for Controllers {
    fn drop(&mut self) {
        if self.session.is_waiting() {
            self.shared.lock().abandon(&mut self.session);
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
    pub(super) fn set_alarm(self: &Arc<Self>, core: &mut Core) {
        let Some(due) = core.queue.next_due() else { return };
        let (false, Ok(runtime)) =
            (core.alarm.is_some_and(|alarm| alarm <= due), Handle::try_current())
        else {
            return;
        };
        core.alarm = Some(due);
        let alarm = Alarm { shared: Arc::downgrade(self), due };
        runtime.spawn(async move {
            tokio::time::sleep_until(due).await;
            let shared = alarm.shared.upgrade();
            drop(alarm);
            if let Some(shared) = shared {
                let controllers = shared.run_controllers(shared.lock(), Session::default());
                if let Some(controllers) = controllers {
                    controllers.run().await;
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
            let mut core = shared.lock();
            if core.alarm == Some(self.due) {
                core.alarm = None;
            }
        }
    }
}
