//! Leader election with a `Lease`, in paused time: of two writes that conflict, the server accepts one.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crd_apiserver::ApiServer;
use futures::future::join_all;
use k8s_openapi::api::coordination::v1::{Lease, LeaseSpec};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::MicroTime;
use k8s_openapi::jiff::{SignedDuration, Timestamp};
use kube::api::{Api, ObjectMeta, PostParams};
use kube::{Client, Error, ResourceExt as _};
use tokio::time::{Instant, sleep, sleep_until};

/// The time after which others may take a lease that has not been renewed.
const LEASE: Duration = Duration::from_secs(15);
/// The time after which a leader that cannot renew its lease stops leading. It is shorter than [`LEASE`].
const RENEWAL: Duration = Duration::from_secs(10);
const RETRY: Duration = Duration::from_secs(1);
const NAME: &str = "leader";

fn leases(client: &Client) -> Api<Lease> {
    Api::namespaced(client.clone(), "default")
}

fn lease(holder: &str, transitions: i32, now: MicroTime) -> Lease {
    Lease {
        metadata: ObjectMeta { name: Some(NAME.to_owned()), ..ObjectMeta::default() },
        spec: Some(LeaseSpec {
            holder_identity: Some(holder.to_owned()),
            lease_duration_seconds: i32::try_from(LEASE.as_secs()).ok(),
            lease_transitions: Some(transitions),
            acquire_time: Some(now.clone()),
            renew_time: Some(now),
            ..LeaseSpec::default()
        }),
    }
}

/// The test's timeline: who leads, and what has happened at which second.
struct Timeline {
    start: Instant,
    leader: Mutex<Option<&'static str>>,
    log: Mutex<Vec<(u64, String)>>,
}

impl Timeline {
    fn new() -> Self {
        Self { start: Instant::now(), leader: Mutex::default(), log: Mutex::default() }
    }

    /// Returns the present time as candidates write it.
    fn now(&self) -> MicroTime {
        let since = SignedDuration::try_from(self.start.elapsed()).expect("a short time");
        MicroTime(Timestamp::UNIX_EPOCH + since)
    }

    fn note(&self, name: &str, what: &str) {
        let at = self.start.elapsed().as_secs();
        self.log.lock().expect("not poisoned").push((at, format!("{name} {what}")));
    }

    /// Notes that a candidate leads from now on, or no longer does. Panics if there are two leaders.
    fn set(&self, name: &'static str, leads: bool) {
        let mut leader = self.leader.lock().expect("not poisoned");
        match (*leader, leads) {
            (None, true) => *leader = Some(name),
            (Some(is), false) if is == name => *leader = None,
            (Some(is), true) if is != name => panic!("{name} and {is} lead at one time"),
            _ => return,
        }
        self.note(name, if leads { "leads" } else { "no longer leads" });
    }
}

/// A candidate, which follows the rules of client-go's `leaderelection`.
struct Candidate<'a> {
    name: &'static str,
    api: Api<Lease>,
    timeline: &'a Timeline,
    /// Whether its requests reach the server.
    is_connected: &'a AtomicBool,
    /// The lease as last seen, and when this version of it was first seen.
    seen: Option<(Lease, Instant)>,
}

impl<'a> Candidate<'a> {
    fn new(
        name: &'static str,
        client: &Client,
        timeline: &'a Timeline,
        is_connected: &'a AtomicBool,
    ) -> Self {
        Self { name, api: leases(client), timeline, is_connected, seen: None }
    }

    /// Takes part in the election until this second of the timeline.
    async fn run(mut self, end: u64) {
        let end = self.timeline.start + Duration::from_secs(end);
        while Instant::now() < end {
            if self.is_connected.load(Ordering::Relaxed) {
                self.acquire_or_renew().await;
            } else if self.is_holder() && self.age() >= RENEWAL {
                self.timeline.set(self.name, false);
            }
            sleep(RETRY).await;
        }
    }

    fn is_holder(&self) -> bool {
        let seen = self.seen.as_ref().and_then(|(lease, _)| lease.spec.as_ref());
        seen.is_some_and(|spec| spec.holder_identity.as_deref() == Some(self.name))
    }

    /// Returns the time since the lease was seen to change.
    fn age(&self) -> Duration {
        self.seen.as_ref().map_or(Duration::MAX, |(_, since)| since.elapsed())
    }

    async fn acquire_or_renew(&mut self) {
        let now = self.timeline.now();
        if self.seen.is_some() && !self.is_holder() {
            self.look().await;
        }
        let written = match &self.seen {
            None => self.api.create(&PostParams::default(), &lease(self.name, 0, now)).await,
            Some((seen, _)) if self.is_holder() => {
                let mut next = seen.clone();
                next.spec.as_mut().expect("a spec").renew_time = Some(now);
                self.api.replace(NAME, &PostParams::default(), &next).await
            }
            Some(_) if self.age() < LEASE => return,
            Some((seen, _)) => {
                let spec = seen.spec.as_ref().expect("a spec");
                let mut next = lease(self.name, spec.lease_transitions.unwrap_or(0) + 1, now);
                next.metadata = seen.metadata.clone();
                self.api.replace(NAME, &PostParams::default(), &next).await
            }
        };
        match written {
            Ok(lease) => {
                self.seen = Some((lease, Instant::now()));
                self.timeline.set(self.name, true);
            }
            Err(Error::Api(status)) => {
                self.timeline.set(self.name, false);
                self.timeline.note(self.name, &format!("{} {}", status.code, status.reason));
                self.look().await;
            }
            Err(error) => panic!("{error}"),
        }
    }

    /// Reads the lease.
    async fn look(&mut self) {
        let lease = self.api.get(NAME).await.expect("there");
        let is_new = self.seen.as_ref().is_none_or(|(seen, _)| {
            seen.metadata.resource_version != lease.metadata.resource_version
        });
        if is_new {
            self.seen = Some((lease, Instant::now()));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_lease_has_one_leader_at_a_time() {
    let server = ApiServer::new();
    let client = server.client();
    let timeline = Timeline::new();
    let (a, b) = (AtomicBool::new(true), AtomicBool::new(true));
    let script = async {
        let at =
            |second: u64| sleep_until(timeline.start + Duration::from_millis(second * 1_000 - 500));
        at(30).await;
        let held = leases(&client).get(NAME).await.expect("there").spec.expect("a spec");
        assert_eq!(held.holder_identity.as_deref(), Some("a"));
        assert_eq!(held.lease_transitions, Some(0));
        assert!(held.renew_time > held.acquire_time);
        timeline.note("a", "is cut off");
        a.store(false, Ordering::Relaxed);
        at(50).await;
        let held = leases(&client).get(NAME).await.expect("there").spec.expect("a spec");
        assert_eq!(held.holder_identity.as_deref(), Some("b"));
        assert_eq!(held.lease_transitions, Some(1));
        timeline.note("a", "is back");
        a.store(true, Ordering::Relaxed);
        at(70).await;
    };
    let second = async {
        sleep(Duration::from_millis(100)).await;
        Candidate::new("b", &client, &timeline, &b).run(70).await;
    };
    tokio::join!(Candidate::new("a", &client, &timeline, &a).run(70), second, script);
    let log = timeline.log.into_inner().expect("not poisoned");
    let log: Vec<(u64, &str)> = log.iter().map(|(at, what)| (*at, what.as_str())).collect();
    let want = [
        (0, "a leads"),
        (0, "b 409 AlreadyExists"),
        (29, "a is cut off"),
        (39, "a no longer leads"),
        (44, "b leads"),
        (49, "a is back"),
        // The candidate still has the version of its last renewal.
        (50, "a 409 Conflict"),
    ];
    assert_eq!(log, want);
}

#[tokio::test(start_paused = true)]
async fn an_expired_lease_is_taken_by_one_of_many() {
    let server = ApiServer::new();
    let timeline = Timeline::new();
    let api = leases(&server.client());
    let left = lease("gone", 4, timeline.now());
    let left = api.create(&PostParams::default(), &left).await.expect("created");
    sleep(LEASE).await;
    let attempts = (0..10).map(|number| {
        let mut next = lease(&format!("candidate-{number}"), 5, timeline.now());
        next.metadata.resource_version = left.resource_version();
        let api = api.clone();
        async move { api.replace(NAME, &PostParams::default(), &next).await }
    });
    let mut taken = Vec::new();
    for attempt in join_all(attempts).await {
        match attempt {
            Ok(lease) => taken.push(lease),
            Err(Error::Api(status)) => {
                assert_eq!((status.code, status.reason.as_str()), (409, "Conflict"));
                assert_eq!(
                    status.message,
                    "Operation cannot be fulfilled on leases.coordination.k8s.io \"leader\": the object has been \
                     modified; please apply your changes to the latest version and try again"
                );
            }
            Err(error) => panic!("{error}"),
        }
    }
    let [taken] = &taken[..] else { panic!("{} candidates lead", taken.len()) };
    assert_eq!(api.get(NAME).await.expect("there"), *taken);
    assert_eq!(taken.spec.as_ref().and_then(|spec| spec.lease_transitions), Some(5));
}
