//! Advice on what to do next, for each kind of error.

use kube::core::Status;

use super::{ErrorKind, RequestContext, causes};

/// The answer of a Go server to a client that does not use TLS.
const PLAIN_HTTP: &str = "Client sent an HTTP request to an HTTPS server";

/// Returns advice on what to do next.
pub(super) fn advice(context: &RequestContext, kind: &ErrorKind) -> String {
    match kind {
        ErrorKind::Status { status, retry_after } => {
            let wait = retry_after.map(|wait| format!("{} s", wait.as_secs().max(1)));
            of_status(context, status, wait.as_deref())
        }
        ErrorKind::Rejected { .. } => {
            "correct the object; the server would reject it, too".to_owned()
        }
        ErrorKind::Conflicts { status } => of_status(context, status, None),
        ErrorKind::Definition(_) => {
            "correct the definition, or make the change in a new version".to_owned()
        }
        ErrorKind::Unreachable(_) => {
            "nothing was changed; check the server's address and whether it runs, then try again"
                .to_owned()
        }
        ErrorKind::Tls(_) => {
            "nothing was changed; check the server's name, its certificate authority in \
                          the kubeconfig, and that both speak HTTPS"
                .to_owned()
        }
        ErrorKind::Interrupted(_) if context.reads() => "try again".to_owned(),
        ErrorKind::Interrupted(_) => {
            "it may have happened: read the object before writing again".to_owned()
        }
        ErrorKind::Unreadable(_) => {
            "check that the address is an API server's, and no proxy answers in its \
                                 place"
                .to_owned()
        }
        ErrorKind::TypeMismatch(_) => format!(
            "correct the object as `DynamicObject`, or make the type read it (an `Option`, a `default`) \
             and install its definition of {}",
            context.resource
        ),
        ErrorKind::Dropped { .. } => {
            "add the fields to the type, or write through `kube()` to drop them on purpose"
                .to_owned()
        }
        ErrorKind::Deadline { .. } => "see the last state, or wait longer".to_owned(),
        ErrorKind::Request(_) => "correct the call".to_owned(),
    }
}

fn of_status(context: &RequestContext, status: &Status, wait: Option<&str>) -> String {
    let RequestContext { verb, kind, resource, namespace, name } = context;
    let later = wait.map_or_else(
        || "try again later, with growing pauses".to_owned(),
        |wait| format!("try again in {wait}"),
    );
    match status.code {
        400 if status.message.contains(PLAIN_HTTP) => {
            "use https in the server's address".to_owned()
        }
        400 => "correct the request".to_owned(),
        401 => "renew the token or certificate of the kubeconfig or service account".to_owned(),
        403 if status.message.contains("is being terminated") => {
            "wait until the namespace is gone, and create it again".to_owned()
        }
        403 => {
            let role = if namespace.is_some() { "Role" } else { "ClusterRole" };
            let rbac = rbac_verb(verb);
            let subresource =
                verb.split_once(' ').map_or_else(String::new, |(_, sub)| format!("/{sub}"));
            let (plural, group) = resource.split_once('.').unwrap_or((resource, ""));
            format!(
                "allow it by a {role} with verb `{rbac}` on `{plural}{subresource}` of the group \
                 `{group}`"
            )
        }
        404 if is_of_object(status) => match (verb.starts_with("create"), name) {
            (true, _) => "create its namespace first".to_owned(),
            (false, Some(_)) => "create it, or check its name and namespace".to_owned(),
            (false, None) => format!("check that {kind} is installed"),
        },
        404 => format!(
            "install the definition {resource} with this version served, and wait until it is \
             established (`client::install`)"
        ),
        405 => "the resource does not allow this; check namespace and subresource".to_owned(),
        409 if status.is_already_exists() => {
            "change the object that is there (`create_or_update` does either)".to_owned()
        }
        409 if !causes::manager_conflicts(status).is_empty() => {
            "leave the fields to their managers, or take them over with force".to_owned()
        }
        409 => "read it again and repeat the change (`modify` does so)".to_owned(),
        410 => "list again, and watch from the version of that list".to_owned(),
        413 => "make the object smaller".to_owned(),
        415 => "the resource does not know this kind of patch; use merge or apply".to_owned(),
        422 => "correct the fields".to_owned(),
        429 => format!("{later}; send fewer requests at a time"),
        500.. if context.reads() => later,
        500.. => format!("{later}; read the object first, the write may have happened"),
        _ => "see the server's message".to_owned(),
    }
}

/// A 404 of an object names it; one of a resource that is not served does not.
fn is_of_object(status: &Status) -> bool {
    status.details.as_ref().is_some_and(|details| !details.name.is_empty())
}

/// Returns the verb, as RBAC names it.
fn rbac_verb(verb: &str) -> &str {
    match verb.split(' ').next().unwrap_or(verb) {
        "replace" => "update",
        "apply" => "patch",
        other => other,
    }
}
