//! Why the server does not start, and the events of a running server.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::{fmt, io};

/// The reason why the server does not start.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A file of the certificate or its key is missing or invalid.
    Certificates {
        /// The file.
        path: PathBuf,
        /// The error, and what the file should contain.
        reason: String,
    },
    /// The server cannot listen on the address.
    Listen {
        /// The address.
        address: SocketAddr,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A path cannot be served.
    Path {
        /// The path.
        path: String,
        /// The error, and what to write instead.
        reason: &'static str,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Certificates { path, reason } => write!(f, "{}: {reason}", path.display()),
            Self::Listen { address, source } => write!(f, "cannot listen on {address}: {source}"),
            Self::Path { path, reason } => write!(f, "path `{path}` {reason}"),
        }
    }
}

impl std::error::Error for Error {}

/// An event of a running server, displayed as a line for a log.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// Connections are accepted.
    Listening(SocketAddr),
    /// New certificates are in use.
    CertificatesReloaded,
    /// The certificate files cannot be read or are invalid; the previous certificates stay in use.
    CertificatesRejected(String),
    /// A connection could not be accepted, or ended with an error.
    Connection {
        /// The address of the client, if it is known.
        peer: Option<SocketAddr>,
        /// The error.
        reason: String,
    },
    /// A conversion takes longer than [`Limits::request`](super::Limits::request). It keeps its thread until it
    /// ends.
    ConversionHangs {
        /// The number of conversions that run at the moment and take longer than a tenth of a second, as
        /// [`Limits::max_hanging`](super::Limits::max_hanging) counts them.
        running: usize,
    },
    /// The shutdown signal has arrived. Connections are still accepted for [`Limits::drain`](super::Limits::drain).
    Draining,
    /// No further connections are accepted; received requests are answered.
    ShuttingDown,
    /// [`Limits::shutdown`](super::Limits::shutdown) has passed, and this many connections are closed.
    ConnectionsClosed(usize),
}

/// The function that is called with each event.
pub(super) type Notify = Arc<dyn Fn(Event) + Send + Sync>;

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listening(address) => write!(f, "listening on {address}"),
            Self::CertificatesReloaded => f.write_str("the certificates changed and are in use"),
            Self::CertificatesRejected(reason) => {
                write!(f, "the certificates changed and are invalid; the old ones stay: {reason}")
            }
            Self::Connection { peer: Some(peer), reason } => {
                write!(f, "connection of {peer}: {reason}")
            }
            Self::Connection { peer: None, reason } => write!(f, "connection: {reason}"),
            Self::ConversionHangs { running } => {
                write!(f, "a conversion hangs; {running} take long at the moment")
            }
            Self::Draining => f.write_str("about to shut down"),
            Self::ShuttingDown => f.write_str("shutting down"),
            Self::ConnectionsClosed(count) => {
                write!(f, "{count} connections did not end in time and are closed")
            }
        }
    }
}
