//! Tests the operator with an API server in the process.
//!
//! | file | what it shows |
//! |---|---|
//! | `admission.rs` | defaults, rejected objects, dry runs, fixed names and times |
//! | `builds.rs` | statuses of jobs, as a cluster would write them; pods |
//! | `connection.rs` | the server on a socket, with a kubeconfig; an older version of Kubernetes |
//! | `deletion.rs` | owned objects, namespaces, preconditions, the finalizer |
//! | `discovery.rs` | what clients learn about the kind: discovery, schemas |
//! | `faults.rs` | errors, lost answers and broken watches |
//! | `interruptions.rs` | the operator is stopped after each of its requests |
//! | `life.rs` | from creation to deletion; events and snapshots |
//! | `lists.rs` | what `kubectl get` asks for: columns, selectors, pages |
//! | `requests.rs` | which requests the operator makes |
//! | `restarts.rs` | the server restarts, and keeps or loses its objects |
//! | `roles.rs` | authorization by the roles of the manifest |
//! | `scale.rs` | `kubectl scale`, and two managers of one field |
//! | `start.rs` | a server for each test |
//! | `versions.rs` | an older version of the kind, and the conversion webhook, also over TLS |
//! | `watches.rs` | streaming lists |
//! | `webhooks.rs` | admission webhooks of the cluster |
//!
//! Time is paused in nearly all of them: waiting takes no time.

mod admission;
mod builds;
mod connection;
mod deletion;
mod discovery;
mod faults;
mod interruptions;
mod life;
mod lists;
mod requests;
mod restarts;
mod roles;
mod scale;
mod start;
mod versions;
mod watches;
mod webhooks;

use std::time::Duration;

use crd_apiserver::ApiServer;
use website_operator::controller::NAME;
use website_operator::recording::run_until;
use website_operator::website::Website;

/// What a test returns, so that it can use `?`.
type Outcome = Result<(), Box<dyn std::error::Error>>;

/// How long a test waits, on tokio's clock.
const HOUR: Duration = Duration::from_secs(3_600);

/// Runs the operator until the future `end` completes.
async fn operate(server: &ApiServer, end: impl Future<Output = Outcome>) -> Outcome {
    Ok(run_until(server.client_of(NAME), Box::pin(end)).await?)
}

/// Waits until the website `blog` is gone.
async fn gone(server: &ApiServer) {
    server.eventually(HOUR, || server.get::<Website>("default", "blog").err()).await;
}

/// Waits until the condition `Ready` of the website `blog` in a namespace has this reason.
async fn until(server: &ApiServer, namespace: &str, reason: &str) {
    let has_reason = || {
        let status = server.get::<Website>(namespace, "blog").ok()?.status?;
        status.conditions.iter().any(|it| it.reason == reason).then_some(())
    };
    server.eventually(HOUR, has_reason).await;
}
