//! The limits of a server.

use std::time::Duration;

/// The limits of a server. Start from [`Limits::default`] and set the fields that should differ.
///
/// ```
/// # use std::time::Duration;
/// # use crd_webhook::Limits;
/// let mut limits = Limits::default();
/// limits.max_connections = 64;
/// limits.request = Duration::from_secs(10);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The largest body of a request, in bytes. Default: [`Limits::MAX_BODY`].
    pub max_body: usize,
    /// The total size of the bodies that the server holds at a time, in bytes. A request that exceeds it is answered
    /// with 503. Default: 256 MiB.
    pub max_bodies: usize,
    /// The number of concurrent conversions; others wait. A conversion that takes longer than a tenth of a second is
    /// counted by [`max_hanging`](Limits::max_hanging) instead. Default: 64.
    pub max_requests: usize,
    /// The number of concurrent conversions that take longer than a tenth of a second. Each has a thread of its own
    /// until it ends, even after its request was answered with 504. When this limit is reached, further ones stay
    /// counted by [`Limits::max_requests`]. When both are reached, requests are answered with 503, and `/livez` fails,
    /// so that the kubelet restarts the container. Default: 256.
    pub max_hanging: usize,
    /// The number of open connections. To accept another one, the server closes the connection that has been idle for
    /// the longest time. Default: 512.
    pub max_connections: usize,
    /// The time for a TLS handshake. Default: 10 seconds.
    pub handshake: Duration,
    /// The time for the head of a request, from its first byte, and for that first byte after the handshake.
    /// Default: 10 seconds.
    pub headers: Duration,
    /// The time for the body of a request. Default: 10 seconds.
    pub body: Duration,
    /// The time from the head of a request to its response. Default: 30 seconds, after which the API server gives up.
    pub request: Duration,
    /// How long a connection may be without a request. Default: 120 seconds, which is longer than the 90 seconds after
    /// which the API server closes idle connections: if this server closed them first, it could miss a request that is
    /// on its way.
    pub idle: Duration,
    /// How long connections are still accepted after the shutdown signal, because it takes a moment until Services stop
    /// routing requests to this server. Meanwhile responses ask clients to close the connection. Default: 2 seconds.
    pub drain: Duration,
    /// The time to answer received requests at shutdown, including `drain`. Default: 25 seconds; the kubelet kills the
    /// container after 30.
    pub shutdown: Duration,
    /// How often the certificate files are read. Default: 10 seconds.
    pub reload: Duration,
}

impl Limits {
    /// 3 MiB, the largest body that the API server itself accepts. A stored object is at most half as large, and the
    /// API server sends one object at a time.
    ///
    /// Source: `MaxRequestBodyBytes`, `k8s.io/apiserver/pkg/server/config.go`.
    pub const MAX_BODY: usize = 3 * 1024 * 1024;
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_body: Self::MAX_BODY,
            max_bodies: 256 * 1024 * 1024,
            max_requests: 64,
            max_hanging: 256,
            max_connections: 512,
            handshake: Duration::from_secs(10),
            headers: Duration::from_secs(10),
            body: Duration::from_secs(10),
            request: Duration::from_secs(30),
            idle: Duration::from_secs(120),
            drain: Duration::from_secs(2),
            shutdown: Duration::from_secs(25),
            reload: Duration::from_secs(10),
        }
    }
}
