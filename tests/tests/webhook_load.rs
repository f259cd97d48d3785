//! The conversion webhook's server under load: a healthy client gets answers while other clients block connections.
//!
//! A test program of its own, so that nothing else runs beside it. All traffic stays on loopback, and each part is
//! bounded in connections and in time.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crd_runtime::convert::Converter;
use crd_tests::tls::Authority;
use crd_webhook::{Limits, Server};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// The time within which the healthy client must be answered: below the limits after which the server closes what blocks
/// it, and long enough for a machine that is busy with other work.
const SOON: Duration = Duration::from_secs(5);
/// The number of requests of the healthy client in each part.
const ROUNDS: u32 = 12;

type Stream = TlsStream<TcpStream>;

#[derive(Clone)]
struct Client {
    address: SocketAddr,
    tls: TlsConnector,
}

impl Client {
    async fn connect(&self) -> std::io::Result<Stream> {
        let stream = TcpStream::connect(self.address).await?;
        self.tls.connect(ServerName::try_from("localhost").expect("a name"), stream).await
    }

    /// Sends a request and reads the answer.
    async fn ask(&self, body: &str) -> std::io::Result<String> {
        let mut stream = self.connect().await?;
        let length = body.len();
        let request = format!("{HEAD}connection: close\r\ncontent-length: {length}\r\n\r\n{body}");
        stream.write_all(request.as_bytes()).await?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await?;
        Ok(String::from_utf8_lossy(&answer).into_owned())
    }
}

const HEAD: &str =
    "POST /convert HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";

const HEAD_OF_100_BYTES: &str = "POST /convert HTTP/1.1\r\nhost: localhost\r\n\
                                 content-type: application/json\r\ncontent-length: 100\r\n\r\n";

fn review(name: &str) -> String {
    json!({
        "kind": "ConversionReview", "apiVersion": "apiextensions.k8s.io/v1",
        "request": {"uid": "u", "desiredAPIVersion": "example.com/v1", "objects": [
            {"apiVersion": "example.com/v1beta1", "kind": "Job", "metadata": {"name": name}},
        ]},
    })
    .to_string()
}

/// Signals that all connections are open. Requests are measured only after that.
type Ready = oneshot::Sender<()>;

/// Checks that a healthy client is answered while `hold_up` blocks connections.
async fn beside<F: Future<Output = ()> + Send + 'static>(
    part: &str,
    client: &Client,
    hold_up: impl FnOnce(Ready) -> F,
) {
    let (ready, is_ready) = oneshot::channel();
    let held_up = tokio::spawn(hold_up(ready));
    timeout(Duration::from_secs(60), is_ready).await.expect("set up in time").expect("set up");
    for round in 0..ROUNDS {
        let answer = timeout(SOON, client.ask(&review("healthy"))).await;
        let Ok(Ok(answer)) = answer else { panic!("{part}, round {round}: {answer:?}") };
        assert!(
            answer.starts_with("HTTP/1.1 200") && answer.contains("Success"),
            "{part}: {answer}"
        );
        sleep(Duration::from_millis(150)).await;
    }
    held_up.abort();
    let _ = held_up.await;
}

/// Opens `count` connections, sends `bytes` over each, and then one byte of `then` every half second.
async fn hold(client: Client, count: usize, bytes: &'static str, then: &'static str, ready: Ready) {
    let mut connections = JoinSet::new();
    for _ in 0..count {
        let mut stream = client.connect().await.expect("connects");
        stream.write_all(bytes.as_bytes()).await.expect("writes");
        connections.spawn(async move {
            for byte in then.bytes() {
                sleep(Duration::from_millis(500)).await;
                stream.write_all(&[byte]).await?;
            }
            sleep(Duration::from_secs(60)).await;
            Ok::<_, std::io::Error>(())
        });
    }
    let _ = ready.send(());
    // The server closes some of them to accept the healthy client.
    while connections.join_next().await.is_some() {}
}

/// The number of HTTP/2 connections.
const CONNECTIONS: usize = 4;
/// The maximum number of streams that are opened in each of them; fewer if the server takes no more.
const STREAMS: usize = 100;

/// Opens as many streams as the server takes over each connection, and sends one byte of the body of each every half
/// second.
async fn slow_streams(client: Client, ready: Ready) {
    let mut connections = JoinSet::new();
    let mut streams = Vec::new();
    for _ in 0..CONNECTIONS {
        let stream = client.connect().await.expect("connects");
        let (send, connection) = h2::client::handshake(stream).await.expect("speaks HTTP/2");
        connections.spawn(async move { drop(connection.await) });
        for _ in 0..STREAMS {
            // Not ready within a second: the server has no room for another stream.
            let Ok(Ok(mut send)) = timeout(Duration::from_secs(1), send.clone().ready()).await
            else {
                break;
            };
            let request = http::Request::post("https://localhost/convert")
                .header("content-type", "application/json")
                .body(())
                .expect("a request");
            let Ok((answer, body)) = send.send_request(request, false) else { break };
            streams.push((answer, body));
        }
    }
    assert!(streams.len() >= 2 * CONNECTIONS, "{} streams", streams.len());
    let _ = ready.send(());
    for byte in [b' '; 120] {
        for (_, body) in &mut streams {
            let _ = body.send_data(vec![byte].into(), false);
        }
        sleep(Duration::from_millis(500)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "waits for a quarter of a minute, and needs the machine for itself: `.ci/run` runs it"]
async fn a_healthy_client_is_answered_throughout() {
    let authority = Authority::new().expect("an authority");
    let directory = tempfile::tempdir().expect("a directory");
    let files = authority.issue(directory.path()).expect("files");
    let released = Arc::new(AtomicBool::new(false));
    let until = Arc::clone(&released);
    let converter = Converter::new("example.com", "Job").without_annotation().step(
        "v1beta1",
        "v1",
        move |object| {
            while object["metadata"]["name"] == "hangs" && !until.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(20));
            }
            Ok(object)
        },
    );
    let mut limits = Limits::default();
    limits.drain = Duration::ZERO;
    limits.shutdown = Duration::from_secs(2);
    let bound = Server::new(files)
        .listen((Ipv4Addr::LOCALHOST, 0))
        .convert("/convert", converter)
        .limits(limits)
        .bind()
        .await
        .expect("listens");
    let address = bound.address();
    let (end, ended) = oneshot::channel::<()>();
    let served = tokio::spawn(bound.serve(async { drop(ended.await) }));
    let mut roots = RootCertStore::empty();
    let ca = CertificateDer::from_pem_slice(authority.pem().as_bytes()).expect("a certificate");
    roots.add(ca).expect("a root");
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    let client = Client { address, tls: TlsConnector::from(Arc::new(config.clone())) };
    config.alpn_protocols = vec![b"h2".to_vec()];
    let attacker = Client { address, tls: TlsConnector::from(Arc::new(config)) };
    beside("slow streams of HTTP/2", &client, |ready| slow_streams(attacker, ready)).await;

    let attacker = client.clone();
    beside("silent TLS connections", &client, |ready| hold(attacker, 512, "", "", ready)).await;
    let (attacker, head) = (client.clone(), "POST /convert HTTP/1.1\r\n");
    let slow = |ready| hold(attacker, 512, head, "host: localhost\r\n", ready);
    beside("slow heads", &client, slow).await;
    let (attacker, head) = (client.clone(), HEAD_OF_100_BYTES);
    beside("slow bodies", &client, |ready| hold(attacker, 200, head, "{          }", ready)).await;
    let silent = |ready: Ready| async move {
        let mut streams = Vec::new();
        for _ in 0..540 {
            streams.push(TcpStream::connect(address).await.expect("connects"));
        }
        let _ = ready.send(());
        sleep(Duration::from_secs(60)).await;
    };
    beside("silent TCP connections", &client, silent).await;
    let attacker = client.clone();
    let hang = |ready: Ready| async move {
        let mut requests = JoinSet::new();
        for _ in 0..200 {
            let mut stream = attacker.connect().await.expect("connects");
            let body = review("hangs");
            let request = format!("{HEAD}content-length: {}\r\n\r\n{body}", body.len());
            stream.write_all(request.as_bytes()).await.expect("writes");
            requests.spawn(async move { stream.read(&mut [0]).await });
        }
        let _ = ready.send(());
        while requests.join_next().await.is_some() {}
    };
    beside("conversions that hang", &client, hang).await;
    released.store(true, Ordering::Relaxed);
    let _ = end.send(());
    timeout(Duration::from_secs(10), served).await.expect("ends").expect("no panic");
}
