//! Stops a program after each of its requests, to prove that it goes on where it was stopped.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use kube::Client;
use tokio::time::error::Elapsed;
use tokio::time::timeout;

use super::ApiServer;
use super::arrival::{Caller, Cut};
use super::mask::Mask;
use super::snapshot::{Changes, Snapshot};
use super::transcript::Transcript;

/// How long a run may take, in tokio's time, if nothing else is said.
const LIMIT: Duration = Duration::from_secs(600);
/// More stops than any program needs to come to its end.
const MAX_STOPS: usize = 10_000;
/// The name of the client that is stopped.
const CLIENT: &str = "interrupted";

/// Stops a program after each of its requests.
///
/// A run on a new server shows what the end is. Then, each time on a new server, the program is stopped after its first
/// request, after its second, and so on: the request is done, its answer is lost, and the future of the run is dropped.
/// A second run, which nothing stops, has to come to the same end: the same objects in the store, except for ids,
/// times, resource versions and managed fields. Events are not compared, as a second run reports again.
///
/// The program must end by itself: a controller runs until a condition is true. Its state is lost as in a crash, so make
/// all of it in the closure.
///
/// ```
/// use crd_runtime::apiserver::{ApiServer, Interruptions};
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
    /// Runs of at most 10 minutes of tokio's time; paused time passes as soon as all wait.
    #[must_use]
    pub fn new() -> Self {
        Self { limit: LIMIT, ignored: vec!["events".to_owned()] }
    }

    /// How long a run may take, in tokio's time.
    #[must_use]
    pub fn within(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// Leaves the objects of a resource out of the comparison, such as `leases.coordination.k8s.io`.
    #[must_use]
    pub fn ignoring(mut self, resource: &str) -> Self {
        self.ignored.push(resource.to_owned());
        self
    }

    /// Stops a program after each of its requests; how many stops there were.
    ///
    /// `server` makes a server with what the program finds; `run` runs it, with the client that is given. The server
    /// is there for what others do meanwhile, and for other clients, whose requests do not count.
    ///
    /// # Errors
    /// Where the run without a stop fails or does not end, and for the first stop after which that happens or the
    /// end is another.
    pub async fn check<E: fmt::Display>(
        &self,
        server: impl Fn() -> ApiServer,
        run: impl AsyncFn(ApiServer, Client) -> Result<(), E>,
    ) -> Result<usize, NotIdempotent> {
        let first = server();
        let recording = first.record();
        let ended = timeout(self.limit, run(first.clone(), first.client_of(CLIENT))).await;
        self.finish(ended).map_err(|why| NotIdempotent {
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

    /// Stops a run after so many requests, and lets another go on; `false` where the run ends before.
    async fn stop_after<E: fmt::Display>(
        &self,
        stop: usize,
        server: ApiServer,
        run: &impl AsyncFn(ApiServer, Client) -> Result<(), E>,
        want: &Snapshot,
    ) -> Result<bool, NotIdempotent> {
        let recording = server.record();
        let cut = Arc::new(Cut::after(stop));
        let client =
            server.client_with(Caller { cut: Some(Arc::clone(&cut)), ..Caller::of(CLIENT) });
        let ended = tokio::select! {
            biased;
            () = cut.reached() => None,
            ended = timeout(self.limit, run(server.clone(), client)) => Some(ended),
        };
        let transcript = recording.transcript().of_client(CLIENT);
        drop(recording);
        let failed =
            |why, changes| NotIdempotent { stop, transcript: transcript.clone(), why, changes };
        if let Some(ended) = ended {
            self.finish(ended).map_err(|why| failed(why, Changes::default()))?;
            return Ok(false);
        }
        let ended = timeout(self.limit, run(server.clone(), server.client_of(CLIENT))).await;
        self.finish(ended).map_err(|why| failed(why, Changes::default()))?;
        let changes = want.changes(&self.state(&server));
        if !changes.is_empty() {
            return Err(failed("comes to another end".to_owned(), changes));
        }
        Ok(true)
    }

    /// Why a run is no success.
    fn finish<E: fmt::Display>(&self, ended: Result<Result<(), E>, Elapsed>) -> Result<(), String> {
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

/// A program does not go on where it was stopped.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct NotIdempotent {
    /// After how many requests it was stopped; 0 for the run without a stop.
    pub stop: usize,
    /// Its requests up to the stop.
    pub transcript: Transcript,
    /// What the run after the stop does.
    pub why: String,
    /// What is other at its end than at the end of a run without a stop.
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
                write!(f, " ({} {})", last.asked.method, last.asked.path)?;
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
