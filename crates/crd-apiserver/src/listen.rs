//! Serves the API on a TCP socket.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use crd_cel::base64::STANDARD;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};
use tokio_rustls::TlsAcceptor;

use super::ApiServer;
use super::caller::Caller;
use super::certificate::acceptor;
use super::guard::Guarded;
use super::server::Shared;
use super::service::ApiService;
use super::user::User;

/// The time in which a client has to complete the handshake of TLS, and to send the headers of a request.
const HEADER_TIMEOUT: Duration = Duration::from_secs(30);
/// The maximum number of connections at a time. Further clients wait until one has ended.
const MAX_CONNECTIONS: usize = 1_000;
/// The token in kubeconfigs with TLS, which nobody checks.
const TOKEN: &str = "none";

/// A server that listens on a socket until this value is dropped.
#[derive(Debug)]
#[must_use = "the server stops listening when this is dropped"]
pub struct Listening {
    address: SocketAddr,
    /// The certificate authority, as PEM; `None` without TLS.
    authority: Option<String>,
    task: JoinHandle<()>,
}

impl ApiServer {
    /// Listens on a free port of the loopback interface, without TLS.
    ///
    /// # Errors
    /// Returns an error if no port is free.
    pub async fn listen(&self) -> io::Result<Listening> {
        self.listen_on(SocketAddr::from(([127, 0, 0, 1], 0))).await
    }

    /// Listens on an address, without TLS and without authentication: every client that can connect has full access.
    /// Only requests of web pages are rejected: those with an `Origin`, and those whose `Host` is a name other than
    /// `localhost`.
    ///
    /// # Errors
    /// Returns an error if the address cannot be bound.
    pub async fn listen_on(&self, address: SocketAddr) -> io::Result<Listening> {
        let listener = TcpListener::bind(address).await?;
        self.listen_to(listener, None)
    }

    /// Listens as [`ApiServer::listen_on`] does, with TLS. The certificate is for `localhost` and the addresses of
    /// loopback, for `address` and for the names of the Service `kubernetes`. An authority that is made for this call
    /// signs it; [`Listening::kubeconfig`] and [`Listening::certificate_authority`] have its certificate.
    ///
    /// Some clients need TLS: those of Go send the token of a kubeconfig only over TLS.
    ///
    /// # Errors
    /// Returns an error if the address cannot be bound, or no key can be generated.
    pub async fn listen_tls(&self, address: SocketAddr) -> io::Result<Listening> {
        let listener = TcpListener::bind(address).await?;
        self.listen_to(listener, Some(acceptor(address.ip())?))
    }

    fn listen_to(
        &self,
        listener: TcpListener,
        tls: Option<(TlsAcceptor, String)>,
    ) -> io::Result<Listening> {
        let address = listener.local_addr()?;
        let (tls, authority) = tls.unzip();
        let shared = Arc::clone(&self.shared);
        let task = tokio::spawn(accept(listener, tls, shared, MAX_CONNECTIONS));
        Ok(Listening { address, authority, task })
    }
}

/// Serves at most `limit` connections at a time. All of them end when the future is dropped.
async fn accept(
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    shared: Arc<Shared>,
    limit: usize,
) {
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept(), if connections.len() < limit => accepted,
            Some(_) = connections.join_next() => continue,
        };
        let Ok((stream, _)) = accepted else {
            // The process may have too many open files. The server waits until some have been closed.
            tokio::time::sleep(Duration::from_millis(10)).await;
            continue;
        };
        // Watch events are small, and clients wait for each of them.
        let _ = stream.set_nodelay(true);
        let service = ApiService { shared: Arc::clone(&shared), caller: Caller::default() };
        let tls = tls.clone();
        connections.spawn(async move {
            let Some(tls) = tls else { return serve(stream, service).await };
            let accepted = tokio::time::timeout(HEADER_TIMEOUT, tls.accept(stream)).await;
            if let Ok(Ok(stream)) = accepted {
                serve(stream, service).await;
            }
        });
    }
}

/// Serves a connection. Its error is ignored, because its client gets it too.
async fn serve(stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static, service: ApiService) {
    let mut server = Builder::new(TokioExecutor::new());
    server.http1().timer(TokioTimer::new()).header_read_timeout(HEADER_TIMEOUT);
    let service = TowerToHyperService::new(Guarded(service));
    let _ = server.serve_connection(TokioIo::new(stream), service).await;
}

impl Listening {
    /// Returns the address of the socket.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the URL of the server. If it listens on all addresses of the machine, the URL has that of loopback.
    #[must_use]
    pub fn url(&self) -> String {
        let scheme = if self.authority.is_some() { "https" } else { "http" };
        format!("{scheme}://{}", reachable(self.address))
    }

    /// Returns the certificate of the authority that clients have to trust, as PEM, such as the file of
    /// `curl --cacert`; `None` without TLS.
    #[must_use]
    pub fn certificate_authority(&self) -> Option<&str> {
        self.authority.as_deref()
    }

    /// Returns a kubeconfig for the server, as YAML.
    #[must_use]
    pub fn kubeconfig(&self) -> String {
        self.kubeconfig_of(&json!({}))
    }

    /// Returns a kubeconfig with which `kubectl` impersonates a user, as `kubectl --as` does.
    #[must_use]
    pub fn kubeconfig_as(&self, user: impl Into<User>) -> String {
        let user = user.into();
        self.kubeconfig_of(&json!({"as": user.name(), "as-groups": user.groups()}))
    }

    fn kubeconfig_of(&self, user: &Value) -> String {
        let (mut cluster, mut user) = (json!({"server": self.url()}), user.clone());
        if let Some(authority) = &self.authority {
            cluster["certificate-authority-data"] = STANDARD.encode(authority.as_bytes()).into();
            // kubectl asks for a password if it has no credentials.
            user["token"] = TOKEN.into();
        }
        let config: Value = json!({
            "apiVersion": "v1", "kind": "Config", "current-context": "crd",
            "clusters": [{"name": "crd", "cluster": cluster}],
            "users": [{"name": "crd", "user": user}],
            "contexts": [{"name": "crd", "context": {"cluster": "crd", "user": "crd", "namespace": "default"}}],
        });
        crate::yaml::to_string(&config)
    }

    /// Listens until the returned future is dropped.
    pub async fn wait(mut self) {
        let _ = (&mut self.task).await;
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Returns an address that clients on this machine can connect to.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::net::TcpStream;

    /// Connects a client that sends a text.
    async fn connected(address: SocketAddr, text: &str) -> TcpStream {
        let stream = TcpStream::connect(address).await.expect("a connection");
        stream.writable().await.expect("a connection");
        assert_eq!(stream.try_write(text.as_bytes()).expect("written"), text.len());
        stream
    }

    /// Returns what a client receives next; empty at the end of the connection.
    async fn received(stream: &TcpStream) -> String {
        let mut buffer = [0; 4096];
        stream.readable().await.expect("a connection");
        let length = stream.try_read(&mut buffer).expect("read");
        String::from_utf8_lossy(&buffer[..length]).into_owned()
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_sends_no_headers_is_disconnected() {
        let listening = ApiServer::new().listen().await.expect("a port");
        let stream = connected(listening.address(), "GET /version HTTP/1.1\r\n").await;
        // The clock of the test is paused, and moves on when nothing else is left to do.
        assert_eq!(received(&stream).await, "");
    }

    #[tokio::test(start_paused = true)]
    async fn clients_beyond_the_limit_wait() {
        const REQUEST: &str = "GET /version HTTP/1.1\r\nhost: localhost\r\n\r\n";
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let server = ApiServer::new();
        let task = tokio::spawn(accept(listener, None, Arc::clone(&server.shared), 1));
        let first = connected(address, REQUEST).await;
        assert!(received(&first).await.starts_with("HTTP/1.1 200"));
        let second = connected(address, REQUEST).await;
        let waits = tokio::time::timeout(Duration::from_secs(1), received(&second)).await;
        assert!(waits.is_err(), "{waits:?}");
        drop(first);
        assert!(received(&second).await.starts_with("HTTP/1.1 200"));
        task.abort();
    }

    #[test]
    fn urls_have_an_address_to_connect_to() {
        let check = |address: &str, want: &str| {
            let address: SocketAddr = address.parse().expect("an address");
            assert_eq!(reachable(address).to_string(), want);
        };
        check("0.0.0.0:80", "127.0.0.1:80");
        check("[::]:80", "[::1]:80");
        check("10.0.0.1:80", "10.0.0.1:80");
    }
}
