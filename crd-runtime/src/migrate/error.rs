//! Errors of migrations, with advice on what to do.

use std::fmt;

use super::Progress;
use crate::cause::Chain;

/// The reason why a migration did not complete. `status.storedVersions` is unchanged.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A request failed with an error that is not retried, or in every attempt.
    Request {
        /// The request, such as `list endpoints.example.com`.
        request: String,
        /// The error of the last attempt.
        source: Box<kube::Error>,
        /// The progress, with the checkpoint to continue from.
        progress: Box<Progress>,
    },
    /// The CRD has to be changed first.
    Definition {
        /// The CRD's name.
        name: String,
        /// The problem, and the change that solves it.
        reason: String,
    },
    /// The server rejected objects.
    Rejected {
        /// The first 100 of them.
        objects: Vec<RejectedObject>,
        /// The progress; all other objects are rewritten.
        progress: Box<Progress>,
    },
    /// The storage version changed while objects were rewritten.
    StorageChanged {
        /// The storage version at the start.
        from: String,
        /// The storage version now.
        to: String,
    },
    /// The continue token of the list expired too often.
    Expired {
        /// The progress.
        progress: Box<Progress>,
    },
}

/// An object that the server rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RejectedObject {
    /// The namespace; empty for a cluster-scoped kind.
    pub namespace: String,
    /// The name.
    pub name: String,
    /// The server's message.
    pub message: String,
}

impl fmt::Display for RejectedObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.namespace.is_empty() { "" } else { "/" };
        write!(f, "{}{separator}{}: {}", self.namespace, self.name, self.message)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request { request, source, progress } => {
                match &**source {
                    kube::Error::Api(status) => write!(f, "{request}: {}", status.message)?,
                    other => write!(f, "{request}: {}", Chain(other))?,
                }
                write!(f, " (so far: {progress})")?;
                if progress.checkpoint.is_some() {
                    f.write_str("; run it again from the checkpoint")?;
                }
                Ok(())
            }
            Self::Definition { name, reason } => write!(f, "{name}: {reason}"),
            Self::Rejected { objects, progress } => {
                write!(f, "{progress}; correct these and run it again:")?;
                objects.iter().try_for_each(|object| write!(f, "\n  {object}"))
            }
            Self::StorageChanged { from, to } => write!(
                f,
                "the storage version changed from {from} to {to} meanwhile: run it again from the start"
            ),
            Self::Expired { progress } => write!(
                f,
                "the continue token of the list expires before a page is done (so far: {progress}): run it again \
                 with smaller pages"
            ),
        }
    }
}

impl std::error::Error for Error {}
