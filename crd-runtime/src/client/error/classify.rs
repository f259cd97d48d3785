//! Turns errors of kube into an [`ErrorKind`].

use std::error::Error as StdError;
use std::io;
use std::time::Duration;

use tokio_rustls::rustls;

use super::{BoxError, ErrorKind};
use crate::cause::chain;

/// Turns an error of kube into an [`ErrorKind`].
pub(super) fn kube(error: kube::Error) -> ErrorKind {
    match error {
        kube::Error::Api(status) => {
            let retry_after = wait_of(&status);
            ErrorKind::Status { status, retry_after }
        }
        kube::Error::SerdeError(error) if error.is_eof() => ErrorKind::Interrupted(error.into()),
        kube::Error::SerdeError(error) => ErrorKind::Unreadable(error),
        kube::Error::BuildRequest(error) => ErrorKind::Request(error.into()),
        kube::Error::Service(error) => transport(error),
        kube::Error::RustlsTls(error) => ErrorKind::Tls(error.into()),
        error @ kube::Error::TlsRequired => ErrorKind::Tls(error.into()),
        error @ (kube::Error::HyperError(_) | kube::Error::ReadEvents(_)) => {
            transport(error.into())
        }
        error => ErrorKind::Request(error.into()),
    }
}

/// Returns how long the status asks to wait.
pub(in crate::client) fn wait_of(status: &kube::core::Status) -> Option<Duration> {
    let seconds = status.details.as_ref()?.retry_after_seconds;
    (seconds > 0).then(|| Duration::from_secs(seconds.into()))
}

/// Turns an error of the connection into an [`ErrorKind`].
pub(super) fn transport(error: BoxError) -> ErrorKind {
    let is_tls = chain(&*error).any(<dyn StdError>::is::<rustls::Error>);
    if is_tls {
        return ErrorKind::Tls(error);
    }
    let unreachable = chain(&*error).any(|error| {
        let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
        // hyper-util's error says only in its text that the connection failed.
        error.to_string() == "client error (Connect)"
            || matches!(
                kind,
                Some(
                    io::ErrorKind::ConnectionRefused
                        | io::ErrorKind::HostUnreachable
                        | io::ErrorKind::NetworkUnreachable
                        | io::ErrorKind::AddrNotAvailable
                )
            )
    });
    if unreachable { ErrorKind::Unreachable(error) } else { ErrorKind::Interrupted(error) }
}
