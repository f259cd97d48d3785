//! Tests the operator with an API server in the process.
//!
//! | file | what it shows |
//! |---|---|
//! | `admission.rs` | defaults, rejected objects, dry runs, fixed names and times |
//! | `builds.rs` | statuses of jobs and pods, as a cluster would write them |
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

use kube::api::Api;
use kube::runtime::wait::await_condition;
use website_operator::website::Website;

/// What a test returns, so that it can use `?`.
type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Waits until the condition `Ready` of the website `blog` has this reason.
async fn until(api: &Api<Website>, reason: &str) -> Outcome {
    let has_reason = |website: Option<&Website>| {
        let status = website.and_then(|website| website.status.as_ref());
        status.into_iter().flat_map(|it| &it.conditions).any(|it| it.reason == reason)
    };
    await_condition(api.clone(), "blog", has_reason).await?;
    Ok(())
}
