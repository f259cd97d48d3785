//! Accepts connections until a shutdown signal.

use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::net::{Ipv6Addr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::{Id, JoinSet};
use tokio::time::{Instant, sleep, sleep_until, timeout, timeout_at};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;

use super::activity::Activity;
use super::certificates::CurrentCertificate;
use super::connection::{Connection, ShutdownPhase};
use super::error::Notify;
use super::reload::Reload;
use super::{CertificateFiles, Error, Event, Limits, routes};
use crate::convert::Converter;

/// The default port, on all addresses.
const PORT: u16 = 8443;

/// The pause after a failure to accept a connection, which is mostly due to too many open files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// The number of connections above the limit that may be open while others are being closed.
const EXTRA_CONNECTIONS: usize = 16;

/// A server for conversion webhooks, not yet running.
pub struct Server {
    address: SocketAddr,
    certificates: CertificateFiles,
    converters: Vec<(String, Converter)>,
    limits: Limits,
    notify: Notify,
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("address", &self.address)
            .field("certificates", &self.certificates)
            .field("converters", &self.converters)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

impl Server {
    /// Creates a server that listens on port 8443 of all addresses, without conversions.
    pub fn new(certificates: CertificateFiles) -> Self {
        Self {
            address: SocketAddr::from((Ipv6Addr::UNSPECIFIED, PORT)),
            certificates,
            converters: Vec::new(),
            limits: Limits::default(),
            notify: Arc::new(drop),
        }
    }

    /// Sets the address to listen on.
    #[must_use]
    pub fn listen(mut self, address: impl Into<SocketAddr>) -> Self {
        self.address = address.into();
        self
    }

    /// Serves the conversion of a kind at a path, such as `/convert`. The CRD's `spec.conversion` has to name the same
    /// path.
    #[must_use]
    pub fn convert(mut self, path: impl Into<String>, converter: Converter) -> Self {
        self.converters.push((path.into(), converter));
        self
    }

    /// Sets the limits of the server.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Calls `notify` with each event, such as new certificates. It must not block, because it is called on the
    /// server's own tasks.
    #[must_use]
    pub fn notify(mut self, notify: impl Fn(Event) + Send + Sync + 'static) -> Self {
        self.notify = Arc::new(notify);
        self
    }

    /// Listens and serves until `shutdown` completes. See [`BoundServer::serve`] for how it ends.
    ///
    /// # Errors
    /// Those of [`Server::bind`].
    pub async fn run(self, shutdown: impl Future<Output = ()> + Send) -> Result<(), Error> {
        self.bind().await?.serve(shutdown).await;
        Ok(())
    }

    /// Returns only the routes, for a server of your own. They apply `max_body`, `max_bodies`, `max_requests`,
    /// `max_hanging`, `body` and `request` of [`Limits`]; the other limits are up to that server.
    ///
    /// # Errors
    /// [`Error::Path`] for a path that cannot be served, or is given twice.
    pub fn into_router(self) -> Result<Router, Error> {
        routes::router(self.converters, &self.limits, self.notify)
    }

    /// Reads the certificates and begins to listen.
    ///
    /// # Errors
    /// If the certificates are invalid, the address cannot be listened on, or a path cannot be served.
    pub async fn bind(self) -> Result<BoundServer, Error> {
        let Self { address, certificates, converters, limits, notify } = self;
        let router = routes::router(converters, &limits, Arc::clone(&notify))?;
        let contents = certificates.read()?;
        let current = Arc::new(CurrentCertificate::new(certificates.parse(&contents)?));
        let tls = tls(&current);
        let rejected = |source| Error::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(rejected)?;
        let address = listener.local_addr().map_err(rejected)?;
        let reload = Reload { certificates, contents, current, notify: Arc::clone(&notify) };
        Ok(BoundServer { listener, address, router, tls, reload, limits, notify })
    }
}

fn tls(current: &Arc<CurrentCertificate>) -> TlsAcceptor {
    let provider = Arc::new(ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("ring has what TLS 1.2 and 1.3 need");
    let resolver = Arc::clone(current);
    let mut config = config.with_no_client_auth().with_cert_resolver(resolver);
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    TlsAcceptor::from(Arc::new(config))
}

/// A server that is bound to its address.
pub struct BoundServer {
    listener: TcpListener,
    address: SocketAddr,
    router: Router,
    tls: TlsAcceptor,
    reload: Reload,
    limits: Limits,
    notify: Notify,
}

impl fmt::Debug for BoundServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoundServer").field("address", &self.address).finish_non_exhaustive()
    }
}

impl BoundServer {
    /// Returns the address. For port 0 it has the port that the system chose.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `shutdown` completes, such as [`super::shutdown_signal`].
    ///
    /// Connections are then still accepted for [`Limits::drain`]. After that, received requests are answered, and
    /// remaining connections are closed after [`Limits::shutdown`]. A conversion that hangs does not delay the
    /// shutdown.
    pub async fn serve(self, shutdown: impl Future<Output = ()> + Send) {
        let Self { listener, address, router, tls, reload, limits, notify } = self;
        notify(Event::Listening(address));
        let mut background = JoinSet::new();
        background.spawn(reload.run(limits.reload));
        let (phase, phases) = watch::channel(ShutdownPhase::Serving);
        let mut open = OpenServer {
            listener,
            permits: Arc::new(Semaphore::new(
                limits.max_connections.saturating_add(EXTRA_CONNECTIONS),
            )),
            connections: JoinSet::new(),
            activities: HashMap::new(),
            router,
            tls,
            limits,
            phases,
            notify: Arc::clone(&notify),
        };
        open.accept_until(shutdown).await;
        let ended = Instant::now();
        phase.send_replace(ShutdownPhase::Draining);
        notify(Event::Draining);
        open.accept_until(sleep_until(ended + limits.drain)).await;
        let mut connections = open.close().await;
        notify(Event::ShuttingDown);
        phase.send_replace(ShutdownPhase::Ending);
        let all = async { while connections.join_next().await.is_some() {} };
        if timeout_at(ended + limits.shutdown, all).await.is_err() {
            notify(Event::ConnectionsClosed(connections.len()));
        }
        connections.shutdown().await;
    }
}

/// The listener and its open connections.
struct OpenServer {
    listener: TcpListener,
    permits: Arc<Semaphore>,
    connections: JoinSet<()>,
    activities: HashMap<Id, Arc<Activity>>,
    router: Router,
    tls: TlsAcceptor,
    limits: Limits,
    phases: watch::Receiver<ShutdownPhase>,
    notify: Notify,
}

impl OpenServer {
    async fn accept_until(&mut self, end: impl Future<Output = ()>) {
        let mut end = pin!(end);
        loop {
            let accept = async {
                // Never `None`, because the semaphore is never closed.
                let permit = Arc::clone(&self.permits).acquire_owned().await.ok();
                (permit, self.listener.accept().await)
            };
            tokio::select! {
                Some(ended) = self.connections.join_next_with_id() => {
                    let id = ended.map_or_else(|error| error.id(), |(id, ())| id);
                    self.activities.remove(&id);
                }
                () = &mut end => return,
                (permit, accepted) = accept => match accepted {
                    Ok((stream, peer)) => self.serve(stream, peer, permit),
                    Err(error) => {
                        (self.notify)(Event::Connection { peer: None, reason: error.to_string() });
                        sleep(ACCEPT_PAUSE).await;
                    }
                },
            }
        }
    }

    fn serve(&mut self, stream: TcpStream, peer: SocketAddr, permit: Option<OwnedSemaphorePermit>) {
        if self.activities.len() >= self.limits.max_connections {
            self.evict();
        }
        let activity = Activity::new();
        let connection = Connection {
            tls: self.tls.clone(),
            router: self.router.clone(),
            limits: self.limits,
            activity: Arc::clone(&activity),
            phase: self.phases.clone(),
        };
        let notify = Arc::clone(&self.notify);
        let task = self.connections.spawn(async move {
            if let Err(reason) = connection.serve(stream).await {
                notify(Event::Connection { peer: Some(peer), reason });
            }
            drop(permit);
        });
        self.activities.insert(task.id(), activity);
    }

    /// Closes the connection that has waited for its client for the longest time. Does nothing if every connection
    /// waits for the server.
    fn evict(&mut self) {
        let waits = |(id, activity): (&Id, &Arc<Activity>)| Some((activity.waits_since()?, *id));
        if let Some((_, id)) = self.activities.iter().filter_map(waits).min_by_key(|(since, _)| *since)
            // The connection is removed so that it is not chosen again while it closes.
            && let Some(activity) = self.activities.remove(&id)
        {
            activity.evict();
        }
    }

    /// Stops listening, after accepting the connections that are established already.
    async fn close(mut self) -> JoinSet<()> {
        while let Ok(Ok((stream, peer))) = timeout(Duration::ZERO, self.listener.accept()).await {
            let permit = Arc::clone(&self.permits).try_acquire_owned().ok();
            self.serve(stream, peer, permit);
        }
        self.connections
    }
}
