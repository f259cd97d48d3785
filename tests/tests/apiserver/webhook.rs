//! The conversion webhook's server, over TLS on loopback.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::{fs, process};

use crd_examples::host_port::converter;
use crd_runtime::convert::Converter;
use crd_tests::tls::Authority;
use crd_webhook::{CertificateFiles, Error, Event, Limits, Server};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// The timeout of each wait in these tests.
const PATIENCE: Duration = Duration::from_secs(20);

/// Returns the default limits with a change. `drain` is zero, so the server accepts no connections after the signal to
/// end.
fn limits(change: impl FnOnce(&mut Limits)) -> Limits {
    let mut limits = Limits::default();
    limits.drain = Duration::ZERO;
    change(&mut limits);
    limits
}

struct Running {
    address: SocketAddr,
    /// The certificate that clients trust. It is leaked, because it is needed until the test ends.
    ca: &'static str,
    events: Arc<Mutex<Vec<Event>>>,
    end: Option<oneshot::Sender<()>>,
    served: JoinHandle<()>,
    /// The directory of its certificate, unless the test has one.
    directory: Option<TempDir>,
}

fn directory() -> TempDir {
    tempfile::tempdir().expect("a directory")
}

/// Starts a server whose certificate is issued by a new authority.
async fn start(converter: Converter, limits: Limits) -> Running {
    let authority = Authority::new().expect("an authority");
    let directory = directory();
    let files = authority.issue(directory.path()).expect("files");
    let mut running = start_with(&authority, files, converter, limits).await;
    running.directory = Some(directory);
    running
}

async fn start_with(
    authority: &Authority,
    files: CertificateFiles,
    converter: Converter,
    limits: Limits,
) -> Running {
    let events = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&events);
    let bound = Server::new(files)
        .listen((Ipv4Addr::LOCALHOST, 0))
        .convert("/convert", converter)
        .limits(limits)
        .notify(move |event| log.lock().expect("a log").push(event))
        .bind()
        .await
        .expect("listens");
    let address = bound.address();
    let (end, ended) = oneshot::channel();
    let served = tokio::spawn(bound.serve(async { drop(ended.await) }));
    let ca = authority.pem().to_owned().leak();
    Running { address, ca, events, end: Some(end), served, directory: None }
}

impl Running {
    fn shut_down(&mut self) {
        let _ = self.end.take().expect("once").send(());
    }

    /// Waits for an event.
    async fn event(&self, wanted: impl Fn(&Event) -> bool) {
        let seen = async {
            while !self.events.lock().expect("a log").iter().any(&wanted) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let seen = tokio::time::timeout(PATIENCE, seen).await;
        assert!(seen.is_ok(), "only {:?}", self.events.lock().expect("a log"));
    }

    async fn ended(self) {
        tokio::time::timeout(PATIENCE, self.served).await.expect("in time").expect("no panic");
    }
}

async fn connect(address: SocketAddr, ca: &str) -> std::io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots
        .add(CertificateDer::from_pem_slice(ca.as_bytes()).expect("a certificate"))
        .expect("a root");
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    let stream = TcpStream::connect(address).await?;
    let name = ServerName::try_from("localhost").expect("a name");
    TlsConnector::from(Arc::new(config)).connect(name, stream).await
}

/// Reads an answer, and returns its status and body.
async fn answer(mut stream: TlsStream<TcpStream>) -> (u16, String) {
    let mut bytes = Vec::new();
    // A server that rejects a body does not read it to its end.
    let _ = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut bytes)).await.expect("in time");
    let text = String::from_utf8(bytes).expect("text");
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.unwrap_or_else(|| panic!("no answer: {text:?}")), body.to_owned())
}

async fn ask(address: SocketAddr, ca: &str, head: &str, body: &str) -> (u16, String) {
    let mut stream = connect(address, ca).await.expect("connects");
    let head = format!("{head}\r\nhost: localhost\r\nconnection: close\r\n");
    let length = format!("content-length: {}\r\n\r\n", body.len());
    let request = [head.as_bytes(), length.as_bytes(), body.as_bytes()].concat();
    let _ = stream.write_all(&request).await;
    answer(stream).await
}

const POST: &str = "POST /convert HTTP/1.1\r\ncontent-type: application/json";

fn review(host_port: &str) -> String {
    json!({
        "kind": "ConversionReview", "apiVersion": "apiextensions.k8s.io/v1",
        "request": {"uid": "u", "desiredAPIVersion": "example.com/v1", "objects": [{
            "apiVersion": "example.com/v1beta1", "kind": "Endpoint",
            "metadata": {"name": "e", "namespace": "default"}, "hostPort": host_port,
        }]},
    })
    .to_string()
}

#[tokio::test]
async fn each_call_has_its_answer() {
    let mut server = start(converter(), limits(|_| ())).await;
    let ca = server.ca;

    let (status, body) = ask(server.address, ca, POST, &review("localhost:1234")).await;
    let body: Value = body.parse().expect("JSON");
    assert_eq!((status, &body["response"]["result"]["status"]), (200, &json!("Success")));
    assert_eq!(body["response"]["convertedObjects"][0]["port"], "1234");

    let (status, body) = ask(server.address, ca, POST, &review("localhost")).await;
    let body: Value = body.parse().expect("JSON");
    assert_eq!(status, 200);
    assert_eq!(
        body["response"]["result"],
        json!({"status": "Failed", "message":
            "example.com/v1beta1, Kind=Endpoint default/e: to `v1`: hostPort \"localhost\" has no colon"})
    );

    for (head, body, want) in [
        ("GET /healthz HTTP/1.1", "", (200, "ok")),
        ("GET /readyz HTTP/1.1", "", (200, "ok")),
        ("GET /convert HTTP/1.1", "", (405, "")),
        ("GET /other HTTP/1.1", "", (404, "")),
        (
            "POST /convert HTTP/1.1\r\ncontent-type: text/plain",
            "{}",
            (415, "send application/json"),
        ),
        ("POST /convert HTTP/1.1", "{}", (415, "send application/json")),
        (POST, "{", (400, "the body is not JSON that can be read: unexpected end of JSON input")),
        (
            POST,
            "{}",
            (
                400,
                "the body must be a ConversionReview of apiextensions.k8s.io/v1 or apiextensions.k8s.io/v1beta1, is `` of ``",
            ),
        ),
    ] {
        let (status, text) = ask(server.address, ca, head, body).await;
        assert_eq!((status, &*text), want, "{head}");
    }
    let json = "POST /convert HTTP/1.1\r\ncontent-type: Application/JSON; charset=utf-8";
    assert_eq!(ask(server.address, ca, json, &review("a:1")).await.0, 200);

    server.shut_down();
    server.ended().await;
}

#[tokio::test]
async fn a_conversion_that_panics_fails_its_review() {
    let converter = Converter::new("example.com", "Endpoint")
        .step("v1beta1", "v1", |object| panic!("of {}", object["hostPort"]));
    let server = start(converter, limits(|_| ())).await;
    let (status, body) = ask(server.address, server.ca, POST, &review("x")).await;
    let body: Value = body.parse().expect("JSON");
    assert_eq!(status, 200);
    assert_eq!(
        body["response"]["result"]["message"],
        "example.com/v1beta1, Kind=Endpoint default/e: the conversion panicked: of \"x\""
    );
    assert_eq!(ask(server.address, server.ca, "GET /healthz HTTP/1.1", "").await.0, 200);
}

#[tokio::test]
async fn a_body_above_the_limit_is_rejected() {
    let body = review("a:1");
    let limits = limits(|limits| limits.max_body = body.len());
    let server = start(converter(), limits).await;
    let ca = server.ca;
    assert_eq!(ask(server.address, ca, POST, &body).await.0, 200);
    let want = (413, format!("a body may have {} bytes, not more", body.len()));
    assert_eq!(ask(server.address, ca, POST, &format!("{body} ")).await, want);

    // Without a length in the head, the server counts the bytes that arrive.
    let mut stream = connect(server.address, ca).await.expect("connects");
    let chunk = format!("{:x}\r\n{body} \r\n0\r\n\r\n", body.len() + 1);
    let head =
        format!("{POST}\r\nhost: localhost\r\nconnection: close\r\ntransfer-encoding: chunked");
    stream.write_all(format!("{head}\r\n\r\n{chunk}").as_bytes()).await.expect("writes");
    assert_eq!(answer(stream).await, want);
}

#[tokio::test]
async fn a_missing_body_has_a_timeout() {
    let limits = limits(|limits| limits.body = Duration::from_millis(100));
    let server = start(converter(), limits).await;
    let mut stream = connect(server.address, server.ca).await.expect("connects");
    let head = format!("{POST}\r\nhost: localhost\r\nconnection: close\r\ncontent-length: 10");
    stream.write_all(format!("{head}\r\n\r\n{{").as_bytes()).await.expect("writes");
    assert_eq!(answer(stream).await, (408, "the body did not arrive within 0.1 s".to_owned()));
}

#[tokio::test]
async fn certificates_are_read_again_when_they_change() {
    let (first, second) = (Authority::new().expect("one"), Authority::new().expect("two"));
    let directory = directory();
    let files = first.issue(directory.path()).expect("files");
    let limits = limits(|limits| limits.reload = Duration::from_millis(20));
    let server = start_with(&first, files.clone(), converter(), limits).await;
    connect(server.address, first.pem()).await.expect("the first authority's");
    connect(server.address, second.pem()).await.expect_err("not the second's");

    fs::write(&files.certificate, "nothing").expect("writes");
    server.event(|event| matches!(event, Event::CertificatesRejected(reason) if reason.ends_with("tls.crt: holds no `-----BEGIN CERTIFICATE-----` block"))).await;
    connect(server.address, first.pem()).await.expect("still the first authority's");

    second.issue(directory.path()).expect("files");
    server.event(|event| *event == Event::CertificatesReloaded).await;
    connect(server.address, second.pem()).await.expect("the second authority's");
    connect(server.address, first.pem()).await.expect_err("no longer the first's");
}

/// Returns a converter that reports when an object arrives, and holds it until it is released.
fn gate() -> (Converter, mpsc::Receiver<()>, mpsc::Sender<()>) {
    let (arrived, arrival) = mpsc::channel();
    let (release, released) = mpsc::channel::<()>();
    let (arrived, released) = (Mutex::new(arrived), Mutex::new(released));
    let converter = Converter::new("example.com", "Endpoint").without_annotation().step(
        "v1beta1",
        "v1",
        move |object| {
            arrived.lock().expect("one").send(()).expect("waits");
            released.lock().expect("one").recv_timeout(PATIENCE).expect("released");
            Ok(object)
        },
    );
    (converter, arrival, release)
}

async fn arrives(arrival: mpsc::Receiver<()>) {
    let waited = tokio::task::spawn_blocking(move || arrival.recv_timeout(PATIENCE)).await;
    waited.expect("no panic").expect("arrives");
}

#[tokio::test]
async fn requests_under_way_are_answered_before_the_end() {
    let (converter, arrival, release) = gate();
    let mut server = start(converter, limits(|_| ())).await;
    let (address, ca) = (server.address, server.ca);
    let idle = connect(address, ca).await.expect("connects");
    let answer = tokio::spawn(async move { ask(address, ca, POST, &review("a:1")).await });
    arrives(arrival).await;

    server.shut_down();
    server.event(|event| *event == Event::ShuttingDown).await;
    assert!(TcpStream::connect(address).await.is_err(), "no further connection");
    assert!(!server.served.is_finished(), "the request is under way");
    release.send(()).expect("waits");
    assert_eq!(answer.await.expect("no panic").0, 200);
    server.event(|event| *event == Event::ShuttingDown).await;
    server.ended().await;
    drop(idle);
}

#[tokio::test]
async fn requests_that_do_not_end_in_time_are_cut_off() {
    let limits = limits(|limits| limits.shutdown = Duration::from_millis(50));
    let (converter, arrival, release) = gate();
    let mut server = start(converter, limits).await;
    let mut stream = connect(server.address, server.ca).await.expect("connects");
    let body = review("a:1");
    let head = format!("{POST}\r\nhost: localhost\r\ncontent-length: {}\r\n\r\n", body.len());
    stream.write_all(format!("{head}{body}").as_bytes()).await.expect("writes");
    arrives(arrival).await;
    server.shut_down();
    server.event(|event| *event == Event::ConnectionsClosed(1)).await;
    release.send(()).expect("waits");
    server.ended().await;
}

#[tokio::test]
async fn connections_are_accepted_for_a_while_after_the_signal_to_end() {
    let limits = limits(|limits| limits.drain = Duration::from_secs(2));
    let mut server = start(converter(), limits).await;
    let (address, ca) = (server.address, server.ca);
    // Connects before the signal, and sends its request later.
    let mut early = connect(address, ca).await.expect("connects");
    server.shut_down();
    server.event(|event| *event == Event::Draining).await;
    let mut late = connect(address, ca).await.expect("is still accepted");
    let body = review("a:1");
    let request =
        format!("{POST}\r\nhost: localhost\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    late.write_all(request.as_bytes()).await.expect("writes");
    // `answer` returns when the server closes the connection.
    assert_eq!(answer(late).await.0, 200);
    server.event(|event| *event == Event::ShuttingDown).await;
    early.write_all(request.as_bytes()).await.expect("writes");
    assert_eq!(answer(early).await.0, 200);
    server.ended().await;
}

#[tokio::test]
async fn an_endless_conversion_does_not_delay_the_end() {
    let (converter, arrival, release) = gate();
    let limits = limits(|limits| {
        limits.request = Duration::from_millis(300);
        limits.max_requests = 1;
        limits.max_hanging = 1;
    });
    let mut server = start(converter, limits).await;
    let (address, ca) = (server.address, server.ca);
    let late = (504, "the conversion did not end within 0.3 s".to_owned());
    assert_eq!(ask(address, ca, POST, &review("a:1")).await, late);
    server.event(|event| *event == Event::ConversionHangs { running: 1 }).await;
    // One thread hangs, and another one is free.
    assert_eq!(ask(address, ca, "GET /livez HTTP/1.1", "").await.0, 200);
    assert_eq!(ask(address, ca, POST, &review("a:1")).await, late);
    let full = (
        503,
        "no conversion can start: the threads are taken by conversions that take long".to_owned(),
    );
    assert_eq!(ask(address, ca, POST, &review("a:1")).await, full);
    assert_eq!(ask(address, ca, "GET /livez HTTP/1.1", "").await, full);
    server.shut_down();
    server.ended().await;
    drop((arrival, release));
}

#[tokio::test]
async fn the_total_size_of_bodies_is_limited() {
    let body = review("a:1");
    let limits = limits(|limits| limits.max_bodies = body.len() + body.len() / 2);
    let server = start(converter(), limits).await;
    let (address, ca) = (server.address, server.ca);
    let mut half = connect(address, ca).await.expect("connects");
    let head = format!("{POST}\r\nhost: localhost\r\ncontent-length: {}\r\n\r\n", body.len());
    half.write_all(&[head.as_bytes(), &body.as_bytes()[..body.len() * 3 / 4]].concat())
        .await
        .expect("writes");
    let want = (503, "the server holds too many bodies: try again later".to_owned());
    // The first requests may succeed: until the server has read half of the other body, there is room for this one.
    let rejected = async { while ask(address, ca, POST, &body).await != want {} };
    tokio::time::timeout(PATIENCE, rejected).await.expect("rejected");
    drop(half);
    let taken = async { while ask(address, ca, POST, &body).await.0 != 200 {} };
    tokio::time::timeout(PATIENCE, taken).await.expect("there is room again");
}

#[cfg(unix)]
#[tokio::test]
async fn certificates_are_reloaded_after_the_file_was_a_pipe() {
    let (first, second) = (Authority::new().expect("one"), Authority::new().expect("two"));
    let directory = directory();
    let files = first.issue(directory.path()).expect("files");
    let limits = limits(|limits| limits.reload = Duration::from_millis(20));
    let server = start_with(&first, files.clone(), converter(), limits).await;
    fs::remove_file(&files.certificate).expect("removed");
    let made = process::Command::new("mkfifo").arg(&files.certificate).status().expect("mkfifo");
    assert!(made.success());
    server
        .event(|event| matches!(event, Event::CertificatesRejected(reason) if reason.ends_with("is not a regular file")))
        .await;
    fs::remove_file(&files.certificate).expect("removed");
    second.issue(directory.path()).expect("files");
    server.event(|event| *event == Event::CertificatesReloaded).await;
    connect(server.address, second.pem()).await.expect("the second authority's");
}

#[tokio::test]
async fn a_connection_without_work_is_closed_for_another() {
    let server = start(converter(), limits(|limits| limits.max_connections = 2)).await;
    let (address, ca) = (server.address, server.ca);
    let mut oldest = connect(address, ca).await.expect("connects");
    let second = connect(address, ca).await.expect("connects");
    assert_eq!(ask(address, ca, "GET /healthz HTTP/1.1", "").await.0, 200);
    let closed = tokio::time::timeout(PATIENCE, oldest.read(&mut [0])).await.expect("in time");
    assert!(closed.is_err() || closed.is_ok_and(|read| read == 0), "the oldest is closed");
    server.event(|event| event.to_string().ends_with("closed, to accept another connection")).await;
    drop(second);
}

#[tokio::test]
async fn a_missing_head_has_a_timeout() {
    let limits = limits(|limits| limits.headers = Duration::from_millis(200));
    let server = start(converter(), limits).await;
    let (address, ca) = (server.address, server.ca);
    let silent = connect(address, ca).await.expect("connects");
    server.event(|event| event.to_string().ends_with("no request within 0.2 s")).await;
    let mut slow = connect(address, ca).await.expect("connects");
    slow.write_all(b"POST /convert HTTP/1.1\r\n").await.expect("writes");
    server.event(|event| event.to_string().ends_with("no head of a request within 0.2 s")).await;
    drop(silent);
}

#[tokio::test]
async fn callers_without_tls_are_reported() {
    let server = start(converter(), limits(|_| ())).await;
    let mut stream = TcpStream::connect(server.address).await.expect("connects");
    stream.write_all(b"GET / HTTP/1.1\r\n\r\n").await.expect("writes");
    server
        .event(|event| {
            matches!(event, Event::Connection { peer: Some(_), reason } if reason.starts_with("TLS handshake: "))
        })
        .await;
    assert_eq!(ask(server.address, server.ca, "GET /healthz HTTP/1.1", "").await.0, 200);
}

#[tokio::test]
async fn errors_at_the_start_are_reported() {
    let authority = Authority::new().expect("an authority");
    let bind = async |files: &CertificateFiles| {
        let server = Server::new(files.clone()).listen((Ipv4Addr::LOCALHOST, 0));
        server.bind().await.expect_err("does not start").to_string()
    };
    let directory = directory();
    let at = directory.path();
    let absent = CertificateFiles::in_directory(at);
    let shown = at.display();
    assert_eq!(
        bind(&absent).await,
        format!("{shown}/tls.crt: No such file or directory (os error 2)")
    );
    let files = authority.issue(at).expect("files");
    let other = authority.issue(&at.join("other")).expect("files");
    let mixed = CertificateFiles::new(&files.certificate, &other.key);
    let error = bind(&mixed).await;
    let want = format!("{shown}/other/tls.key: is no key for {shown}/tls.crt: ");
    assert!(error.starts_with(&want), "{error}");
    let swapped = CertificateFiles::new(&files.certificate, &files.certificate);
    let error = bind(&swapped).await;
    assert!(error.starts_with(&format!("{shown}/tls.crt: holds no private key: ")), "{error}");

    let first = start_with(&authority, files.clone(), converter(), limits(|_| ())).await;
    let again = Server::new(files).listen(first.address).bind().await.expect_err("taken");
    assert!(matches!(again, Error::Listen { .. }), "{again}");
}
