//! A webhook over TLS that answers as a test says, with HTTP 1.1 written by hand, so that it can answer wrongly.

use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, PoisonError};

use crd_runtime::model::Conversion;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

/// An answer: the status with the headers, and the body. If the status is empty, the connection is closed instead.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn ok(body: impl Into<Vec<u8>>) -> Self {
        Self { head: "200 OK".to_owned(), body: body.into() }
    }
}

type Respond = Box<dyn Fn(&Value) -> Reply + Send>;

struct State {
    respond: Mutex<Respond>,
    /// The paths that were called, with the reviews.
    calls: Mutex<Vec<(String, Value)>>,
}

/// A webhook that is served for as long as the runtime exists.
#[derive(Clone)]
pub(crate) struct Webhook {
    state: Arc<State>,
    address: String,
    pem: String,
}

impl Webhook {
    pub(crate) async fn serve(respond: impl Fn(&Value) -> Reply + Send + 'static) -> Self {
        let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).expect("a key");
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(made.signing_key.serialize_der()));
        let config = ServerConfig::builder()
            .with_no_client_auth()
            .with_single_cert(vec![made.cert.der().clone()], key)
            .expect("a certificate");
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let state = State { respond: Mutex::new(Box::new(respond)), calls: Mutex::default() };
        let state = Arc::new(state);
        let served = Arc::clone(&state);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(acceptor.clone(), stream, Arc::clone(&served)));
            }
        });
        Self { state, address, pem: made.cert.pem() }
    }

    /// Returns the `conversion` of a CRD that calls the webhook at a path.
    pub(crate) fn conversion(&self, path: &str) -> Conversion {
        Conversion::url(format!("https://{}{path}", self.address)).ca_bundle(&self.pem)
    }

    pub(crate) fn answer_with(&self, respond: impl Fn(&Value) -> Reply + Send + 'static) {
        *self.state.respond.lock().unwrap_or_else(PoisonError::into_inner) = Box::new(respond);
    }

    /// Returns the calls since the last time.
    pub(crate) fn take_calls(&self) -> Vec<(String, Value)> {
        std::mem::take(&mut *self.state.calls.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Answers one request, and closes the connection.
async fn answer(acceptor: TlsAcceptor, stream: TcpStream, state: Arc<State>) -> Option<()> {
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
    let review = serde_json::from_slice(&body).unwrap_or_default();
    let reply = (state.respond.lock().unwrap_or_else(PoisonError::into_inner))(&review);
    state.calls.lock().unwrap_or_else(PoisonError::into_inner).push((path, review));
    if !reply.head.is_empty() {
        let (head, length) = (reply.head, reply.body.len());
        let head =
            format!("HTTP/1.1 {head}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).await.ok()?;
        stream.write_all(&reply.body).await.ok()?;
    }
    stream.shutdown().await.ok()
}
