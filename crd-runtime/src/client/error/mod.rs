//! Errors of calls: what was requested, what the server answered, and what to do next.

mod advice;
mod causes;
pub(super) mod classify;

use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

use kube::core::Status;
use kube::core::response::{StatusDetails, reason};

use crate::CustomResource;
use crate::admit::Rejection;
use crate::cause::Chain;
use crate::compiled::CompiledSchema;
use crate::field::ErrorList;
use crate::managed_fields::Conflict;

pub use causes::{ManagerConflict, parse_cause};

/// A call that failed.
///
/// Prints in one line: what was requested, what went wrong, and what to do next.
///
/// ```text
/// get CronTab prod/nightly: crontabs.stable.example.com "nightly" not found (404 NotFound): create it, or check its name and namespace
/// ```
///
/// # Examples
///
/// ```no_run
/// use crd_runtime::client::{Api, Error};
/// use kube::api::PostParams;
/// # use crd_runtime::CustomResource;
/// # use serde::{Deserialize, Serialize};
/// # #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
/// # #[crd(group = "example.com", version = "v1", kind = "Shirt", namespaced)]
/// # struct ShirtSpec { color: String }
///
/// async fn create(shirts: &Api<Shirt>, shirt: &Shirt) -> Result<(), Error> {
///     match shirts.create(&PostParams::default(), shirt).await {
///         Ok(_) => Ok(()),
///         Err(error) if error.is_already_exists() => Ok(()),
///         Err(error) if error.is_invalid() => {
///             for field in &error.field_errors() {
///                 eprintln!("{}: {}", field.field, field.body());
///             }
///             Err(error)
///         }
///         // Such as 429, or a server that cannot be reached: the same call may succeed later.
///         Err(error) if error.is_transient() => {
///             tokio::time::sleep(error.retry_after().unwrap_or_default()).await;
///             shirts.create(&PostParams::default(), shirt).await.map(drop)
///         }
///         Err(error) => Err(error),
///     }
/// }
/// ```
pub struct Error(Box<Inner>);

struct Inner {
    request: RequestContext,
    kind: ErrorKind,
}

/// The request that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RequestContext {
    /// The call, such as `get` or `replace status`.
    pub verb: &'static str,
    /// The kind, such as `CronTab`.
    pub kind: String,
    /// The resource as RBAC names it, such as `crontabs.stable.example.com`.
    pub resource: String,
    /// The namespace, if the request had one.
    pub namespace: Option<String>,
    /// The object's name, if the request had one.
    pub name: Option<String>,
}

/// What went wrong.
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The server answered with a failure.
    Status {
        /// The server's answer.
        status: Box<Status>,
        /// The time to wait before a retry, from the header `Retry-After` or the status.
        retry_after: Option<Duration>,
    },
    /// The server would reject the object, so it was not sent.
    Rejected {
        /// The answer that the server would give.
        status: Box<Status>,
        /// The reason in full.
        rejection: Box<Rejection>,
    },
    /// The server would reject an apply because other managers own fields, so it was not sent.
    Conflicts {
        /// The answer that the server would give. [`Error::manager_conflicts`] has its parts.
        status: Box<Status>,
    },
    /// The server would reject the definition, so it was not sent.
    Definition(ErrorList),
    /// The server could not be reached; no request was sent.
    Unreachable(BoxError),
    /// TLS failed because of certificates or protocol versions; no request was sent.
    Tls(BoxError),
    /// The connection ended before the answer was complete. The request may have taken effect.
    Interrupted(BoxError),
    /// The answer is not the JSON that was expected.
    Unreadable(serde_json::Error),
    /// An object does not fit the Rust type.
    TypeMismatch(Box<TypeMismatch>),
    /// The Rust type would drop fields of the stored object that cannot be put back; nothing was written.
    Dropped {
        /// The paths of the fields, such as `spec.ports[0].note`.
        fields: Vec<String>,
    },
    /// The awaited state was not reached before the timeout.
    Deadline {
        /// The time waited.
        waited: Duration,
        /// The reason why the state was not reached at the last check.
        last: String,
    },
    /// The request could not be made, such as for a configuration that names another object.
    Request(BoxError),
}

/// An object that does not fit the Rust type.
#[derive(Debug)]
#[non_exhaustive]
pub struct TypeMismatch {
    /// The object's name, with its namespace if it has one.
    pub object: String,
    /// The error of serde.
    pub error: serde_json::Error,
    /// The errors of the object against the schema of the type; may be empty.
    pub errors: ErrorList,
}

/// An error of a lower layer.
pub type BoxError = Box<dyn StdError + Send + Sync>;

impl RequestContext {
    /// Returns a call for a kind, without namespace and name.
    pub fn of<K: CustomResource>(verb: &'static str) -> Self {
        Self {
            verb,
            kind: K::KIND.to_owned(),
            resource: K::crd_name(),
            namespace: None,
            name: None,
        }
    }

    /// Returns a call for a definition.
    pub(super) fn definition(verb: &'static str, name: &str) -> Self {
        Self {
            verb,
            kind: "CustomResourceDefinition".to_owned(),
            resource: "customresourcedefinitions.apiextensions.k8s.io".to_owned(),
            namespace: None,
            name: Some(name.to_owned()),
        }
    }

    /// Returns whether the call only reads.
    pub(super) fn reads(&self) -> bool {
        ["get", "list", "watch", "wait for"].iter().any(|verb| self.verb.starts_with(verb))
    }

    /// Returns whether sending the call twice has the effect of sending it once: it reads, or is a server-side apply.
    pub(super) fn is_repeatable(&self) -> bool {
        self.reads() || self.verb.starts_with("apply")
    }

    /// Sets the namespace.
    #[must_use]
    pub fn namespace(mut self, namespace: Option<&str>) -> Self {
        self.namespace = namespace.map(str::to_owned);
        self
    }

    /// Sets the object's name.
    #[must_use]
    pub fn name(mut self, name: &str) -> Self {
        self.name = Some(name.to_owned());
        self
    }

    pub(super) fn error(&self, kind: ErrorKind) -> Error {
        Error(Box::new(Inner { request: self.clone(), kind }))
    }

    /// Turns an error of kube into an error of this call.
    pub fn kube(&self, error: kube::Error) -> Error {
        self.error(classify::kube(error))
    }
}

impl fmt::Display for RequestContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { verb, kind, resource: _, namespace, name } = self;
        write!(f, "{verb} {kind}")?;
        match (namespace, name) {
            (Some(namespace), Some(name)) => write!(f, " {namespace}/{name}"),
            (None, Some(name)) => write!(f, " {name}"),
            (Some(namespace), None) => write!(f, " in {namespace}"),
            (None, None) => Ok(()),
        }
    }
}

impl Error {
    /// Returns the request.
    pub fn request(&self) -> &RequestContext {
        &self.0.request
    }

    /// What went wrong.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// Returns the status that the server answered or, for an object that was not sent, would answer.
    pub fn status(&self) -> Option<&Status> {
        match &self.0.kind {
            ErrorKind::Status { status, .. }
            | ErrorKind::Rejected { status, .. }
            | ErrorKind::Conflicts { status } => Some(status),
            _ => None,
        }
    }

    /// Returns the HTTP status code of [`Error::status`].
    pub fn code(&self) -> Option<u16> {
        self.status().map(|status| status.code)
    }

    /// What to do next.
    pub fn advice(&self) -> String {
        advice::advice(&self.0.request, &self.0.kind)
    }

    /// Returns the errors of the fields of an invalid object: parsed from the server's answer, or found by this crate's
    /// validation. Empty for other errors.
    pub fn field_errors(&self) -> ErrorList {
        match &self.0.kind {
            ErrorKind::Status { status, .. } => causes::field_errors(status),
            ErrorKind::Rejected { rejection, .. } => {
                rejection.errors().cloned().unwrap_or_default()
            }
            ErrorKind::Definition(errors) => errors.clone(),
            ErrorKind::TypeMismatch(mismatch) => mismatch.errors.clone(),
            _ => ErrorList::new(),
        }
    }

    /// Returns the fields that other managers own, if an apply was rejected because of them. Empty for other errors.
    pub fn manager_conflicts(&self) -> Vec<ManagerConflict> {
        self.status().map(causes::manager_conflicts).unwrap_or_default()
    }

    /// How long to wait before a retry, if the server says so.
    pub fn retry_after(&self) -> Option<Duration> {
        match &self.0.kind {
            ErrorKind::Status { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// The object, or the resource itself, does not exist: 404.
    pub fn is_not_found(&self) -> bool {
        self.has(reason::NOT_FOUND, 404)
    }

    /// An object of this name already exists: 409.
    pub fn is_already_exists(&self) -> bool {
        self.status().is_some_and(|status| status.reason == reason::ALREADY_EXISTS)
    }

    /// The object has changed since it was read, or fields belong to other managers: 409.
    pub fn is_conflict(&self) -> bool {
        self.has(reason::CONFLICT, 409)
    }

    /// The object or definition is invalid: 422. [`Error::field_errors`] are the reasons.
    pub fn is_invalid(&self) -> bool {
        self.has(reason::INVALID, 422) || matches!(self.0.kind, ErrorKind::Definition(_))
    }

    /// The resource version or the continue token is too old: 410, also on a watch.
    pub fn is_gone(&self) -> bool {
        // Upstream: a watch that is too old ends with the reason `Expired`.
        self.has(reason::GONE, 410) || self.has(reason::EXPIRED, 410)
    }

    /// The user may not do this: 403.
    pub fn is_forbidden(&self) -> bool {
        self.has(reason::FORBIDDEN, 403)
    }

    /// The server does not know the user: 401.
    pub fn is_unauthorized(&self) -> bool {
        self.has(reason::UNAUTHORIZED, 401)
    }

    /// Too many requests: 429. [`Error::retry_after`] is the time to wait.
    pub fn is_too_many_requests(&self) -> bool {
        self.has(reason::TOO_MANY_REQUESTS, 429)
    }

    /// The request itself is malformed: 400. Strict validation answers unknown fields with this code too.
    pub fn is_bad_request(&self) -> bool {
        self.has(reason::BAD_REQUEST, 400)
    }

    /// The server failed: 500 and above.
    pub fn is_server_error(&self) -> bool {
        self.code().is_some_and(|code| code >= 500)
    }

    /// Returns whether the object was rejected before it was sent.
    pub fn is_preflight(&self) -> bool {
        matches!(
            self.0.kind,
            ErrorKind::Rejected { .. } | ErrorKind::Conflicts { .. } | ErrorKind::Definition(_)
        )
    }

    /// The server could not be reached.
    pub fn is_unreachable(&self) -> bool {
        matches!(self.0.kind, ErrorKind::Unreachable(_))
    }

    /// TLS failed: certificates or protocols do not match.
    pub fn is_tls(&self) -> bool {
        matches!(self.0.kind, ErrorKind::Tls(_))
    }

    /// The connection ended before the answer was complete; a write may have happened.
    pub fn is_interrupted(&self) -> bool {
        matches!(self.0.kind, ErrorKind::Interrupted(_))
    }

    /// An object does not fit the Rust type.
    pub fn is_type_mismatch(&self) -> bool {
        matches!(self.0.kind, ErrorKind::TypeMismatch(_))
    }

    /// The awaited state was not reached before the timeout.
    pub fn is_deadline(&self) -> bool {
        matches!(self.0.kind, ErrorKind::Deadline { .. })
    }

    /// Returns whether the same request can be sent again a little later: it may succeed then, and does not take effect
    /// twice.
    ///
    /// That is so if the server did not process the request (429, or 503 with `Retry-After`) or could not be reached.
    /// After 500, 502, 503, 504 and a connection that ended early, a write may have happened: only reads and
    /// server-side applies are transient then.
    pub fn is_transient(&self) -> bool {
        let not_done = self.is_too_many_requests()
            || self.is_unreachable()
            || (self.code() == Some(503) && self.retry_after().is_some());
        let failed = self.is_interrupted()
            || self.code().is_some_and(|code| matches!(code, 500 | 502..=504));
        not_done || (failed && self.0.request.is_repeatable())
    }

    /// Compares the reason; or the code, if the reason is not one of the API's, as in answers of proxies. kube's own
    /// predicates ignore the code.
    ///
    /// Source: `ReasonForError` of `k8s.io/apimachinery/pkg/api/errors`.
    fn has(&self, reason: &str, code: u16) -> bool {
        self.status().is_some_and(|status| {
            status.reason == reason || (!reason::is_known(&status.reason) && status.code == code)
        })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.0.request, self.0.kind, self.advice())
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status { status, .. } => {
                let Status { message, reason, code, .. } = &**status;
                let message = if message.is_empty() { "no reason given" } else { message.trim() };
                if reason::is_known(reason) {
                    write!(f, "{message} ({code} {reason})")
                } else {
                    write!(f, "{message} ({code})")
                }
            }
            Self::Rejected { status, .. } | Self::Conflicts { status } => {
                write!(f, "{} (not sent)", status.message)
            }
            Self::Definition(errors) => write!(f, "{errors} (not sent)"),
            Self::Unreachable(error) => {
                write!(f, "the server cannot be reached: {}", Chain(&**error))
            }
            Self::Tls(error) => write!(f, "no trusted connection: {}", Chain(&**error)),
            Self::Interrupted(error) => {
                write!(f, "the connection ended before the answer: {}", Chain(&**error))
            }
            Self::Unreadable(error) => write!(f, "the answer is not what was asked for: {error}"),
            Self::TypeMismatch(mismatch) => {
                write!(f, "{} does not fit the Rust type: {}", mismatch.object, mismatch.error)?;
                if mismatch.errors.is_empty() {
                    return Ok(());
                }
                write!(f, " ({})", mismatch.errors)
            }
            Self::Dropped { fields } => {
                write!(f, "not sent, because the Rust type would drop {}", fields.join(", "))
            }
            Self::Deadline { waited, last } => write!(f, "not done after {waited:?}: {last}"),
            Self::Request(error) => write!(f, "no such request: {}", Chain(&**error)),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("request", &self.0.request)
            .field("kind", &self.0.kind)
            .finish()
    }
}

/// There is no `source`: the text of [`Error::kind`] is already part of this error's text.
impl StdError for Error {}

impl ErrorKind {
    /// Returns the server's answer to an object that admission rejects.
    pub(super) fn rejected(schema: &CompiledSchema, name: &str, rejection: Rejection) -> Self {
        let mut status = Status::failure(&rejection.message(schema), rejection.reason())
            .with_code(rejection.code());
        if let Some(errors) = rejection.errors() {
            status = status.with_details(StatusDetails {
                name: name.to_owned(),
                group: schema.resource().group.clone(),
                kind: schema.resource().names.kind.clone(),
                uid: String::new(),
                causes: errors.iter().map(causes::cause).collect(),
                retry_after_seconds: 0,
            });
        }
        Self::Rejected { status: status.boxed(), rejection: Box::new(rejection) }
    }

    /// Returns the server's answer to an apply of fields that other managers own.
    ///
    /// Source: `NewApplyConflict` of `k8s.io/apimachinery/pkg/api/errors`.
    pub(super) fn conflicts(conflicts: &[Conflict]) -> Self {
        let message = Conflict::message(conflicts);
        let details = StatusDetails {
            name: String::new(),
            group: String::new(),
            kind: String::new(),
            uid: String::new(),
            causes: conflicts.iter().map(causes::conflict).collect(),
            retry_after_seconds: 0,
        };
        let status =
            Status::failure(&message, reason::CONFLICT).with_code(409).with_details(details);
        Self::Conflicts { status: status.boxed() }
    }

    pub(super) fn request(error: impl Into<BoxError>) -> Self {
        Self::Request(error.into())
    }
}
