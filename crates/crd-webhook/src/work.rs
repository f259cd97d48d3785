//! Runs each conversion on a thread of its own, so that hanging ones do not block others.
//!
//! Tokio's blocking threads are not used: the runtime waits for them when it shuts down, so that one endless conversion
//! would keep the process from ending.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::{Instant, sleep_until, timeout};

use super::error::Notify;
use super::{Event, Limits};

/// The duration after which a conversion counts as hanging. Most take less than a millisecond.
const SLOW: Duration = Duration::from_millis(100);

/// The reason why a conversion has no result.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum WorkFailure {
    /// Running conversions hold all permits, and none became free in time.
    Full,
    /// The conversion exceeds its time limit and still runs.
    Late,
    /// The conversion panicked, or no thread could be started.
    Broken(&'static str),
}

/// Runs conversions, and limits how many run at a time.
#[derive(Clone)]
pub(super) struct Work {
    /// The permits that conversions start with.
    fresh: Arc<Semaphore>,
    /// The permits of conversions that have run for longer than [`SLOW`]. If none is left, a conversion keeps its
    /// `fresh` one.
    hanging: Arc<Semaphore>,
    max_hanging: usize,
    /// The longest time to wait for a permit.
    time: Duration,
    notify: Notify,
}

/// The permit of a running conversion. The thread holds it until the conversion ends, even if the request ends earlier.
type Permit = Arc<Mutex<Option<OwnedSemaphorePermit>>>;

impl Work {
    pub(super) fn new(limits: &Limits, notify: Notify) -> Self {
        Self {
            fresh: Arc::new(Semaphore::new(limits.max_requests.max(1))),
            hanging: Arc::new(Semaphore::new(limits.max_hanging)),
            max_hanging: limits.max_hanging,
            time: limits.request,
            notify,
        }
    }

    /// Returns whether no conversion can start until a hanging one ends.
    pub(super) fn is_full(&self) -> bool {
        self.fresh.available_permits() == 0 && self.hanging.available_permits() == 0
    }

    /// Runs a conversion on a thread of its own, and waits for it until `deadline`.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        deadline: Instant,
        convert: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, WorkFailure> {
        let work = self.clone();
        // A separate task, which continues if the client closes the connection.
        let run = tokio::spawn(async move { work.run_to_the_end(deadline, convert).await });
        run.await.unwrap_or(Err(WorkFailure::Broken("the task ended early")))
    }

    async fn run_to_the_end<T: Send + 'static>(
        self,
        deadline: Instant,
        convert: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, WorkFailure> {
        let permit: Permit = Arc::new(Mutex::new(Some(self.permit(deadline).await?)));
        let (send, mut result) = oneshot::channel();
        let held = Arc::clone(&permit);
        let run = move || {
            let _ = send.send(convert());
            held.lock().unwrap_or_else(PoisonError::into_inner).take();
        };
        thread::Builder::new()
            .name("conversion".to_owned())
            .spawn(run)
            .map_err(|_| WorkFailure::Broken("no thread can be started"))?;
        let done = |result: Result<T, _>| result.map_err(|_| WorkFailure::Broken("it panicked"));
        if let Ok(result) = timeout(SLOW, &mut result).await {
            return done(result);
        }
        self.count_as_hanging(&permit);
        tokio::select! {
            result = &mut result => done(result),
            () = sleep_until(deadline) => {
                (self.notify)(Event::ConversionHangs {
                    running: self.max_hanging - self.hanging.available_permits(),
                });
                Err(WorkFailure::Late)
            }
        }
    }

    /// Waits for a permit until the deadline. Fails after [`SLOW`] if all permits are held, including those of hanging
    /// conversions.
    async fn permit(&self, deadline: Instant) -> Result<OwnedSemaphorePermit, WorkFailure> {
        // The semaphore is never closed.
        let closed = |_| WorkFailure::Broken("shutting down");
        let fresh = || Arc::clone(&self.fresh).acquire_owned();
        if let Ok(permit) = timeout(SLOW, fresh()).await {
            return permit.map_err(closed);
        }
        if self.is_full() {
            return Err(WorkFailure::Full);
        }
        let left = deadline.saturating_duration_since(Instant::now()).min(self.time);
        timeout(left, fresh()).await.map_err(|_| WorkFailure::Full)?.map_err(closed)
    }

    /// Exchanges the permit of a conversion that has become slow for one of `hanging`, if there is one left.
    fn count_as_hanging(&self, permit: &Permit) {
        let Ok(hanging) = Arc::clone(&self.hanging).try_acquire_owned() else { return };
        let mut permit = permit.lock().unwrap_or_else(PoisonError::into_inner);
        // `None` if the conversion has ended meanwhile.
        if permit.is_some() {
            *permit = Some(hanging);
        }
    }
}
