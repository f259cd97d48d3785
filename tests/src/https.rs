//! A server of HTTP 1.1 over TLS, written by hand so that a test can answer wrongly with it.

use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

/// An answer: the status with the headers, and the body.
#[derive(Debug, Clone)]
pub struct Reply {
    /// The first line without the version of HTTP, such as `200 OK`, and other headers in lines of their own.
    pub head: String,
    /// The body.
    pub body: Vec<u8>,
}

impl Reply {
    /// An answer with the status 200.
    pub fn ok(body: impl Into<Vec<u8>>) -> Self {
        Self { head: "200 OK".to_owned(), body: body.into() }
    }
}

/// Where requests are served.
#[derive(Debug, Clone)]
pub struct Served {
    /// The address on loopback.
    pub address: SocketAddr,
    /// The certificate, which signs itself.
    pub pem: String,
}

/// Serves requests on loopback for as long as the runtime exists, each on a connection of its own. `respond` gets the path
/// without its query, and the body; without an answer the connection is closed.
///
/// # Errors
/// If there is no certificate or no port.
pub async fn serve<F, A>(respond: F) -> io::Result<Served>
where
    F: Fn(String, Vec<u8>) -> A + Send + Sync + 'static,
    A: Future<Output = Option<Reply>> + Send + 'static,
{
    let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]);
    let made = made.map_err(io::Error::other)?;
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(made.signing_key.serialize_der()));
    let config = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .map_err(io::Error::other)?;
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let address = listener.local_addr()?;
    let respond = Arc::new(respond);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (acceptor, respond) = (acceptor.clone(), Arc::clone(&respond));
            tokio::spawn(async move { answer(acceptor, stream, &*respond).await });
        }
    });
    Ok(Served { address, pem: made.cert.pem() })
}

/// Answers one request, and closes the connection.
async fn answer<A: Future<Output = Option<Reply>>>(
    acceptor: TlsAcceptor,
    stream: TcpStream,
    respond: &impl Fn(String, Vec<u8>) -> A,
) -> Option<()> {
    let mut stream = BufReader::new(acceptor.accept(stream).await.ok()?);
    let mut line = String::new();
    stream.read_line(&mut line).await.ok()?;
    let path = line.split(' ').nth(1)?.split('?').next()?.to_owned();
    let mut length = 0;
    loop {
        line.clear();
        stream.read_line(&mut line).await.ok()?;
        let lower = line.to_ascii_lowercase();
        if let Some(bytes) = lower.strip_prefix("content-length:") {
            length = bytes.trim().parse().ok()?;
        }
        if line.trim_end().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    if let Some(Reply { head, body }) = respond(path, body).await {
        let length = body.len();
        let head =
            format!("HTTP/1.1 {head}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).await.ok()?;
        stream.write_all(&body).await.ok()?;
    }
    stream.shutdown().await.ok()
}
