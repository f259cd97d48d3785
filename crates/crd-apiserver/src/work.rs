//! The work that controllers owe, and when they try it again after a failure.
//!
//! Source: `util/workqueue` of client-go: an item is never processed twice at the same time, an item that is added
//! again in the meantime is processed once more, and an item that fails is delayed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::webhooks::Memo;

/// The resource and key under which an object is stored.
pub(super) type ObjectKey = (Arc<str>, Arc<str>);

/// The delay after the first failure, which doubles with each further one.
/// Source: `DefaultTypedControllerRateLimiter`.
const FIRST_DELAY: Duration = Duration::from_millis(5);
/// The longest delay. Source: `DefaultTypedControllerRateLimiter`.
const LONGEST_DELAY: Duration = Duration::from_secs(1_000);
/// The longest delay of the deletion of a namespace. Source: `nsControllerRateLimiter`.
const LONGEST_DELAY_OF_NAMESPACES: Duration = Duration::from_secs(60);

/// Work that a controller owes. It is processed in this order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Work {
    /// Establishing a definition, or removing it with its objects.
    Definition(Arc<str>),
    /// Adding the objects of kind `APIService` of the versions in a group.
    Versions(Arc<str>),
    /// Reporting whether the service of an `APIService` answers.
    ApiService(Arc<str>),
    /// Aggregating the rules of cluster roles.
    Roles,
    /// Deleting an object without owners, or ending its own deletion.
    Garbage(ObjectKey),
    /// Removing the finalizer that protects a claim or a volume in use.
    Protection(ObjectKey),
    /// Emptying and removing a namespace.
    Namespace(Arc<str>),
    /// Reporting that a policy has been seen.
    Policy(Arc<str>),
    /// Reporting how many pods a disruption budget allows to disrupt. Before workloads replace what has been evicted.
    Budget(ObjectKey),
    /// Making a workload succeed.
    Workload(ObjectKey),
}

impl Work {
    /// Whether a controller beside the API server does it.
    pub(super) fn is_of_controllers(&self) -> bool {
        !matches!(self, Self::Definition(_) | Self::Versions(_) | Self::ApiService(_))
    }

    fn longest_delay(&self) -> Duration {
        match self {
            Self::Namespace(_) => LONGEST_DELAY_OF_NAMESPACES,
            _ => LONGEST_DELAY,
        }
    }
}

/// The failures of an item since it last succeeded.
#[derive(Debug)]
struct Failures {
    count: u32,
    /// When the item is tried again.
    due: Instant,
}

/// The work that controllers owe.
#[derive(Debug, Default)]
pub(super) struct WorkQueue {
    ready: BTreeSet<Work>,
    /// The items that wait for answers of webhooks. Only the [`Session`] that waits may process them.
    in_flight: BTreeSet<Work>,
    failed: BTreeMap<Work, Failures>,
    /// The items that wait until another kind is served.
    parked: BTreeSet<Work>,
}

impl WorkQueue {
    pub(super) fn add(&mut self, work: Work) {
        self.ready.insert(work);
    }

    /// Removes and returns the items that can be processed now.
    pub(super) fn take(&mut self, now: Instant) -> Vec<Work> {
        let due = self.failed.iter().filter(|(_, failures)| failures.due <= now);
        // A later failure sets another time.
        self.ready.extend(due.map(|(work, _)| work.clone()));
        let (later, taken) = std::mem::take(&mut self.ready)
            .into_iter()
            .partition(|work| self.in_flight.contains(work));
        self.ready = later;
        for work in &taken {
            if let Some(failures) = self.failed.get_mut(work) {
                failures.due = now + LONGEST_DELAY;
            }
        }
        Vec::from_iter::<BTreeSet<Work>>(taken)
    }

    /// Keeps an item from being processed while a session waits for webhooks.
    pub(super) fn begin_flight(&mut self, work: &Work) {
        self.in_flight.insert(work.clone());
    }

    pub(super) fn end_flight(&mut self, work: &Work) {
        self.in_flight.remove(work);
    }

    pub(super) fn succeed(&mut self, work: &Work) {
        self.failed.remove(work);
    }

    pub(super) fn fail(&mut self, work: Work, now: Instant) {
        let longest = work.longest_delay();
        let failures = self.failed.entry(work).or_insert(Failures { count: 0, due: now });
        let delay = FIRST_DELAY.saturating_mul(1 << failures.count.min(30));
        *failures = Failures { count: failures.count + 1, due: now + delay.min(longest) };
    }

    /// Sets an item aside until [`WorkQueue::unpark`].
    pub(super) fn park(&mut self, work: Work) {
        self.parked.insert(work);
    }

    pub(super) fn unpark(&mut self) {
        self.ready.append(&mut self.parked);
    }

    /// Returns when the next item is due: now, if a run of the controllers has ended before it, or after its failure.
    pub(super) fn next_due(&self, now: Instant) -> Option<Instant> {
        let is_ready = self.ready.iter().any(|work| !self.in_flight.contains(work));
        let due = self.failed.values().map(|failures| failures.due).min();
        if is_ready { Some(now) } else { due }
    }

    /// Forgets all work. Sessions that wait end without effect.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

/// A run of the controllers that may wait for webhooks, and the items that it waits for.
#[derive(Debug, Default)]
pub(super) struct Session {
    pub(super) waiting: BTreeMap<Work, Memo>,
    /// Whether no webhook is called over the network or by name.
    pub(super) is_in_process: bool,
    /// Whether controllers act that act only on demand.
    pub(super) is_demanded: bool,
}

impl Session {
    /// Returns a session in which controllers act that act only on demand.
    pub(super) fn on_demand() -> Self {
        Self { is_demanded: true, ..Self::default() }
    }

    /// Returns a session that calls no webhooks; only converters in the process are run.
    pub(super) fn in_process() -> Self {
        Self { is_in_process: true, ..Self::default() }
    }

    pub(super) fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Returns the memos of the calls that the session waits for.
    pub(super) fn memos(&mut self) -> impl Iterator<Item = &mut Memo> {
        self.waiting.values_mut()
    }

    pub(super) fn memo(&self) -> Memo {
        if self.is_in_process { Memo::in_process() } else { Memo::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(name: &str) -> Work {
        Work::Namespace(name.into())
    }

    #[test]
    fn items_are_delayed_after_failures() {
        let now = Instant::now();
        let mut queue = WorkQueue::default();
        queue.add(work("a"));
        assert_eq!(queue.take(now), [work("a")]);
        queue.fail(work("a"), now);
        assert_eq!(queue.take(now), []);
        let mut at = now;
        for milliseconds in [5, 10, 20, 40] {
            assert_eq!(queue.next_due(at), Some(at + Duration::from_millis(milliseconds)));
            at += Duration::from_millis(milliseconds);
            assert_eq!(queue.take(at), [work("a")]);
            assert_eq!(queue.take(at), []);
            queue.fail(work("a"), at);
        }
        for _ in 0..40 {
            queue.fail(work("a"), at);
        }
        assert_eq!(queue.next_due(at), Some(at + Duration::from_secs(60)));
        // A change of the object does not wait for the delay.
        queue.add(work("a"));
        assert_eq!(queue.take(at), [work("a")]);
        queue.succeed(&work("a"));
        assert_eq!(queue.next_due(now), None);
    }

    #[test]
    fn items_in_flight_are_processed_once_more_afterwards() {
        let now = Instant::now();
        let mut queue = WorkQueue::default();
        queue.begin_flight(&work("a"));
        queue.add(work("a"));
        queue.add(work("b"));
        assert_eq!(queue.take(now), [work("b")]);
        queue.end_flight(&work("a"));
        assert_eq!(queue.take(now), [work("a")]);
    }
}
