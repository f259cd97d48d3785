//! Stops a program after each of its requests, to test that it continues correctly after a crash.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use kube::Client;
use tokio::time::error::Elapsed;
use tokio::time::timeout;

use super::ApiServer;
use super::caller::{Caller, RequestLimit};
use super::mask::Mask;
use super::snapshot::{Changes, Snapshot};
use super::transcript::Transcript;

/// The default time limit of a run, on tokio's clock.
const LIMIT: Duration = Duration::from_secs(600);
/// The maximum number of stops; later requests are not tested.
const MAX_STOPS: usize = 10_000;
/// The name of the client that is stopped.
const CLIENT: &str = "interrupted";

/// Stops a program after each of its requests.
///
/// A first run on a new server determines the expected final state. Then, each time on a new server, the program is
/// stopped after its first request, after its second, and so on: the request is carried out, its response is lost, and
/// the future of the run is dropped. A second run, which is not stopped, has to reach the same final state: the same
/// objects in the store, except for UIDs, timestamps, resource versions and managed fields. Events are not compared,
/// because a second run emits its events again.
///
/// The program must terminate: run a controller until a condition is true. The state of the program is lost as in a
/// crash, so create all of it in the closure.
///
/// ```
/// use crd_apiserver::{ApiServer, Interruptions};
/// use k8s_openapi::api::core::v1::ConfigMap;
/// use kube::Client;
/// use kube::api::{Api, PostParams};
///
/// async fn install(client: Client) -> Result<(), kube::Error> {
///     let api: Api<ConfigMap> = Api::default_namespaced(client);
///     let mut config = ConfigMap::default();
///     config.metadata.name = Some("x".to_owned());
///     match api.create(&PostParams::default(), &config).await {
///         Err(kube::Error::Api(status)) if status.is_already_exists() => Ok(()),
///         created => created.map(drop),
///     }
/// }
///
/// # tokio_test(async {
/// let run = async |_: ApiServer, client| install(client).await;
/// let stops = Interruptions::new().check(ApiServer::new, run).await.unwrap();
/// assert_eq!(stops, 1);
/// # });
/// # fn tokio_test(test: impl Future<Output = ()>) {
/// #     tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Interruptions {
    limit: Duration,
    ignored: Vec<String>,
}

impl Default for Interruptions {
    fn default() -> Self {
        Self::new()
    }
}

impl Interruptions {
    /// Creates a check in which each run may take at most 10 minutes on tokio's clock. If the clock is paused, it
    /// advances as soon as all tasks are idle.
    #[must_use]
    pub fn new() -> Self {
        Self { limit: LIMIT, ignored: vec!["events".to_owned()] }
    }

    /// Sets how long a run may take, on tokio's clock.
    #[must_use]
    pub fn within(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// Excludes the objects of a resource from the comparison, such as `leases.coordination.k8s.io`.
    #[must_use]
    pub fn ignoring(mut self, resource: &str) -> Self {
        self.ignored.push(resource.to_owned());
        self
    }

    /// Stops a program after each of its first 10,000 requests, and returns the number of stops.
    ///
    /// `server` creates a server in the state that the program starts from. `run` runs the program with the client that
    /// it is given. It also gets the server, which it can use to simulate other components or to create further
    /// clients; the requests of those clients are not counted.
    ///
    /// # Errors
    /// Returns an error if the run without a stop fails or exceeds the time limit. Otherwise returns the error of the
    /// first stop after which a run fails, exceeds the time limit or reaches another final state.
    pub async fn check<E: fmt::Display>(
        &self,
        server: impl Fn() -> ApiServer,
        run: impl AsyncFn(ApiServer, Client) -> Result<(), E>,
    ) -> Result<usize, NotIdempotent> {
        let first = server();
        let recording = first.record();
        let ended = timeout(self.limit, run(first.clone(), first.client_of(CLIENT))).await;
        self.check_end(ended).map_err(|why| NotIdempotent {
            stop: 0,
            transcript: recording.transcript().of_client(CLIENT),
            why,
            changes: Changes::default(),
        })?;
        let want = self.state(&first);
        for stop in 1..=MAX_STOPS {
            if !self.stop_after(stop, server(), &run, &want).await? {
                return Ok(stop - 1);
            }
        }
        Ok(MAX_STOPS)
    }

    /// Stops a run after `stop` requests, and compares the final state of a second run with `want`. Returns `false` if
    /// the first run ends before it is stopped.
    async fn stop_after<E: fmt::Display>(
        &self,
        stop: usize,
        server: ApiServer,
        run: &impl AsyncFn(ApiServer, Client) -> Result<(), E>,
        want: &Snapshot,
    ) -> Result<bool, NotIdempotent> {
        let recording = server.record();
        let limit = Arc::new(RequestLimit::after(stop));
        let client =
            server.client_with(Caller { limit: Some(Arc::clone(&limit)), ..Caller::of(CLIENT) });
        let ended = tokio::select! {
            biased;
            () = limit.reached() => None,
            ended = timeout(self.limit, run(server.clone(), client)) => Some(ended),
        };
        let transcript = recording.transcript().of_client(CLIENT);
        drop(recording);
        let failed = |stop, why, changes| NotIdempotent {
            stop,
            transcript: transcript.clone(),
            why,
            changes,
        };
        if let Some(ended) = ended {
            self.check_end(ended).map_err(|why| failed(0, why, Changes::default()))?;
            return Ok(false);
        }
        let ended = timeout(self.limit, run(server.clone(), server.client_of(CLIENT))).await;
        self.check_end(ended).map_err(|why| failed(stop, why, Changes::default()))?;
        let changes = want.changes(&self.state(&server));
        if !changes.is_empty() {
            return Err(failed(stop, "reaches another final state".to_owned(), changes));
        }
        Ok(true)
    }

    /// Checks that a run has succeeded within the time limit.
    fn check_end<E: fmt::Display>(
        &self,
        ended: Result<Result<(), E>, Elapsed>,
    ) -> Result<(), String> {
        match ended {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(format!("fails: {error}")),
            Err(_) => Err(format!("does not end within {:?}", self.limit)),
        }
    }

    fn state(&self, server: &ApiServer) -> Snapshot {
        let ignored: Vec<&str> = self.ignored.iter().map(String::as_str).collect();
        server.snapshot().without(&ignored).masked(Mask::default())
    }
}

/// The error for a program that does not reach the expected final state after a stop, or whose first run fails.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct NotIdempotent {
    /// The number of requests after which the program was stopped; 0 for a run that ends without a stop.
    pub stop: usize,
    /// The requests of the program up to the stop.
    pub transcript: Transcript,
    /// How the run ends, such as `fails: timeout` or `does not end within 600s`.
    pub why: String,
    /// The differences from the final state of the run without a stop; empty if a run fails.
    pub changes: Changes,
}

impl fmt::Display for NotIdempotent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { stop, transcript, why, changes } = self;
        if *stop == 0 {
            write!(f, "the run without a stop {why}")?;
        } else {
            write!(f, "stopped after request {stop}")?;
            if let Some(last) = transcript.exchanges().last() {
                write!(f, " ({} {})", last.request.method, last.request.path)?;
            }
            write!(f, ", the next run {why}")?;
        }
        if !changes.is_empty() {
            write!(f, ":\n{changes}")?;
        }
        Ok(())
    }
}

impl std::error::Error for NotIdempotent {}
