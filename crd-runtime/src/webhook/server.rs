//! Accepts connections until it is told to end.

use std::fmt;
use std::future::Future;
use std::net::{Ipv6Addr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;

use super::certificates::{Contents, Current};
use super::{CertificateFiles, Error, Event, routes};
use crate::convert::Converter;

/// The port that is listened on, in all addresses, where no other is given.
const PORT: u16 = 8443;

/// A pause after a connection could not be accepted: mostly there are too many open files.
const PAUSE: Duration = Duration::from_millis(100);

/// How long a connection may be idle. The API server's client ends its own after 90 seconds; a server that
/// is not the first to end them never meets a request halfway.
const IDLE: Duration = Duration::from_secs(120);

type Notify = Arc<dyn Fn(Event) + Send + Sync>;

/// What bounds a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The largest body of a request, in bytes. Default: [`Limits::MAX_BODY`].
    pub max_body: usize,
    /// Requests that are worked on at a time; others wait. Default: 64.
    pub max_requests: usize,
    /// Connections that are open at a time; others wait to be accepted. Default: 512.
    pub max_connections: usize,
    /// The time for a TLS handshake. Default: 10 seconds.
    pub handshake: Duration,
    /// The time from a request's head to its answer. Default: 30 seconds, after which the API server gives
    /// up.
    pub request: Duration,
    /// The time for requests under way when the server ends. Default: 25 seconds; the kubelet kills after
    /// 30.
    pub shutdown: Duration,
    /// How often the files of the certificate are looked at. Default: 10 seconds.
    pub reload: Duration,
}

impl Limits {
    /// The largest body that the API server reads of a request to itself, 3 MiB. What it keeps of an object
    /// is at most half of that, and it sends one object at a time.
    ///
    /// Source: `MaxRequestBodyBytes`, `k8s.io/apiserver/pkg/server/config.go`.
    pub const MAX_BODY: usize = 3 * 1024 * 1024;
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_body: Self::MAX_BODY,
            max_requests: 64,
            max_connections: 512,
            handshake: Duration::from_secs(10),
            request: Duration::from_secs(30),
            shutdown: Duration::from_secs(25),
            reload: Duration::from_secs(10),
        }
    }
}

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
    /// A server that listens on port 8443 of all addresses and converts nothing yet.
    pub fn new(certificates: CertificateFiles) -> Self {
        Self {
            address: SocketAddr::from((Ipv6Addr::UNSPECIFIED, PORT)),
            certificates,
            converters: Vec::new(),
            limits: Limits::default(),
            notify: Arc::new(drop),
        }
    }

    /// Listens on this address.
    #[must_use]
    pub fn listen(mut self, address: impl Into<SocketAddr>) -> Self {
        self.address = address.into();
        self
    }

    /// Converts a kind at a path, such as `/convert`: the one that the CRD's `spec.conversion` names.
    #[must_use]
    pub fn convert(mut self, path: impl Into<String>, converter: Converter) -> Self {
        self.converters.push((path.into(), converter));
        self
    }

    /// Sets what bounds the server.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Tells what happens, such as new certificates. It is called on the server's own tasks: it must not
    /// block.
    #[must_use]
    pub fn notify(mut self, notify: impl Fn(Event) + Send + Sync + 'static) -> Self {
        self.notify = Arc::new(notify);
        self
    }

    /// Listens and serves until `shutdown` is ready; [`Bound::serve`] says how it ends.
    ///
    /// # Errors
    /// As [`Server::bind`].
    pub async fn run(self, shutdown: impl Future<Output = ()> + Send) -> Result<(), Error> {
        self.bind().await?.serve(shutdown).await;
        Ok(())
    }

    /// Reads the certificates and begins to listen.
    ///
    /// # Errors
    /// Where the certificates cannot be used, the address cannot be listened on, or a path not be served.
    pub async fn bind(self) -> Result<Bound, Error> {
        let Self { address, certificates, converters, limits, notify } = self;
        let router = routes::router(converters, &limits)?;
        let contents = certificates.read()?;
        let current = Arc::new(Current::new(certificates.parse(&contents)?));
        let tls = tls(&current);
        let refused = |source| Error::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let files = Files { certificates, contents, current };
        Ok(Bound { listener, address, router, tls, files, limits, notify })
    }
}

fn tls(current: &Arc<Current>) -> TlsAcceptor {
    let provider = Arc::new(ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("ring has what TLS 1.2 and 1.3 need");
    let resolver = Arc::clone(current);
    let mut config = config.with_no_client_auth().with_cert_resolver(resolver);
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    TlsAcceptor::from(Arc::new(config))
}

/// The certificate's files, as they were last seen.
struct Files {
    certificates: CertificateFiles,
    contents: Contents,
    current: Arc<Current>,
}

impl Files {
    /// Looks at the files again and again.
    async fn watch(mut self, every: Duration, notify: Notify) {
        // Zero would panic.
        let mut ticks = interval(every.max(Duration::from_millis(1)));
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut told = None;
        loop {
            ticks.tick().await;
            let looked = spawn_blocking(move || {
                let outcome = self.look();
                (self, outcome)
            });
            // There is no result where the runtime ends.
            let Ok((files, outcome)) = looked.await else { return };
            self = files;
            match outcome {
                Ok(false) => {}
                Ok(true) => {
                    told = None;
                    notify(Event::CertificatesReloaded);
                }
                Err(error) => {
                    let reason = error.to_string();
                    if told.as_ref() != Some(&reason) {
                        notify(Event::CertificatesRefused(reason.clone()));
                        told = Some(reason);
                    }
                }
            }
        }
    }

    /// Whether new certificates are in use.
    ///
    /// The two files are not changed in one step: a key that does not belong to its certificate yet is looked
    /// at again.
    fn look(&mut self) -> Result<bool, Error> {
        let contents = self.certificates.read()?;
        if contents == self.contents {
            return Ok(false);
        }
        self.current.replace(self.certificates.parse(&contents)?);
        self.contents = contents;
        Ok(true)
    }
}

/// A server that listens.
pub struct Bound {
    listener: TcpListener,
    address: SocketAddr,
    router: Router,
    tls: TlsAcceptor,
    files: Files,
    limits: Limits,
    notify: Notify,
}

impl fmt::Debug for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bound").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Bound {
    /// Where it listens: of port 0, the port that the system chose.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `shutdown` is ready; [`super::shutdown_signal`] is when the pod has to go.
    ///
    /// Then no further connection is accepted, requests under way are answered, and after
    /// [`Limits::shutdown`] what is left is cut.
    pub async fn serve(self, shutdown: impl Future<Output = ()> + Send) {
        let Self { listener, address, router, tls, files, limits, notify } = self;
        notify(Event::Listening(address));
        let mut background = JoinSet::new();
        background.spawn(files.watch(limits.reload, Arc::clone(&notify)));
        let mut connections = JoinSet::new();
        let graceful = GracefulShutdown::new();
        let places = Arc::new(Semaphore::new(limits.max_connections));
        let mut shutdown = pin!(shutdown);
        let accept = async || {
            // The semaphore is never closed.
            let place = Arc::clone(&places).acquire_owned().await.ok();
            (place, listener.accept().await)
        };
        loop {
            let accepted = tokio::select! {
                () = &mut shutdown => break,
                // Finished tasks would otherwise pile up.
                Some(_) = connections.join_next() => continue,
                accepted = accept() => accepted,
            };
            match accepted {
                (place, Ok((stream, peer))) => {
                    let connection = Connection {
                        tls: tls.clone(),
                        router: router.clone(),
                        watcher: graceful.watcher(),
                        handshake: limits.handshake,
                    };
                    let notify = Arc::clone(&notify);
                    connections.spawn(async move {
                        if let Err(reason) = connection.serve(stream).await {
                            notify(Event::Connection { peer: Some(peer), reason });
                        }
                        drop(place);
                    });
                }
                (_, Err(error)) => {
                    notify(Event::Connection { peer: None, reason: error.to_string() });
                    sleep(PAUSE).await;
                }
            }
        }
        drop(listener);
        notify(Event::ShuttingDown);
        if timeout(limits.shutdown, graceful.shutdown()).await.is_err() {
            while connections.try_join_next().is_some() {}
            notify(Event::Cut(connections.len()));
        }
        connections.shutdown().await;
    }
}

/// What a connection needs.
struct Connection {
    tls: TlsAcceptor,
    router: Router,
    watcher: Watcher,
    handshake: Duration,
}

impl Connection {
    async fn serve(self, stream: TcpStream) -> Result<(), String> {
        let Self { tls, router, watcher, handshake } = self;
        let stream = timeout(handshake, tls.accept(stream))
            .await
            .map_err(|_| format!("no TLS handshake within {} s", handshake.as_secs()))?
            .map_err(|error| format!("TLS handshake: {error}"))?;
        let mut builder = auto::Builder::new(TokioExecutor::new());
        builder.http1().timer(TokioTimer::new()).header_read_timeout(IDLE);
        builder.http2().timer(TokioTimer::new()).keep_alive_interval(IDLE);
        let connection =
            builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
        watcher.watch(connection).await.map_err(|error| error.to_string())
    }
}
