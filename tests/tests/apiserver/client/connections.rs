//! Failing connections. The tests use real sockets, because an in-process service has no connections.

use std::sync::Arc;
use std::time::Duration;

use crd_examples::crontab::{CronTab, CronTabSpec};
use crd_runtime::client::{Api, Error};
use futures::StreamExt;
use kube::api::{PostParams, WatchEvent, WatchParams};
use kube::{Client, Config};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

fn config(scheme: &str, port: u16) -> Config {
    Config::new(format!("{scheme}://localhost:{port}").parse().unwrap())
}

fn api(scheme: &str, port: u16) -> Api<CronTab> {
    Api::namespaced(Client::try_from(config(scheme, port)).unwrap(), "prod")
}

async fn listen() -> (TcpListener, u16) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    (listener, port)
}

/// A server that answers each connection with these bytes, and closes it.
async fn serve(answer: &'static [u8]) -> u16 {
    let (listener, port) = listen().await;
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.read(&mut [0; 4096]).await;
            let _ = stream.write_all(answer).await;
            let _ = stream.shutdown().await;
        }
    });
    port
}

async fn get(api: Api<CronTab>) -> Error {
    api.get("nightly").await.expect_err("an error")
}

#[tokio::test]
async fn a_server_that_is_down() {
    let (listener, port) = listen().await;
    drop(listener);
    let error = get(api("http", port)).await;
    assert!(error.is_unreachable() && error.is_transient(), "{error:?}");
    let text = error.to_string();
    assert!(text.contains("the server cannot be reached"), "{text}");
    assert!(text.contains("Connection refused"), "{text}");
    assert!(
        text.ends_with("check the server's address and whether it runs, then try again"),
        "{text}"
    );
}

#[tokio::test]
async fn a_server_with_an_untrusted_certificate() {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(made.signing_key.serialize_der()));
    let config = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let (listener, port) = listen().await;
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let _ = acceptor.accept(stream).await;
        }
    });
    let error = get(api("https", port)).await;
    assert!(error.is_tls(), "{error:?}");
    assert!(error.to_string().contains("certificate"), "{error}");
    assert!(error.advice().contains("certificate authority in the kubeconfig"), "{error}");
}

#[tokio::test]
async fn https_to_a_server_that_speaks_http() {
    let port = serve(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n").await;
    let error = get(api("https", port)).await;
    assert!(error.is_tls(), "{error:?}");
}

#[tokio::test]
async fn http_to_a_server_that_speaks_https() {
    let port =
        serve(b"HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n")
            .await;
    let error = get(api("http", port)).await;
    assert_eq!(error.code(), Some(400));
    assert_eq!(error.advice(), "use https in the server's address");
}

#[tokio::test]
async fn a_body_that_is_cut_off() {
    for answer in [
        &b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"apiVersion\": "[..],
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"api\r\n",
        b"HTTP/1.1 200 OK\r\n",
        b"",
    ] {
        let api = api("http", serve(answer).await);
        let error = api.get("nightly").await.expect_err("an error");
        assert!(error.is_interrupted(), "{error:?}");
        assert_eq!(error.advice(), "try again");
        let spec = CronTabSpec { cron_spec: "* * * * *".to_owned(), image: None, replicas: 2 };
        let new = CronTab::new("nightly", spec);
        let error = api.create(&PostParams::default(), &new).await.expect_err("an error");
        assert!(error.is_interrupted() && !error.is_transient(), "{error:?}");
        assert_eq!(error.advice(), "it may have happened: read the object before writing again");
    }
}

/// Complete events are returned. A new watch from the last resource version returns the others.
#[tokio::test]
async fn a_watch_that_is_cut_off() {
    let answer = concat!(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1000\r\n",
        r#"{"type": "ADDED", "object": {"apiVersion": "stable.example.com/v1", "kind": "CronTab", "#,
        r#""metadata": {"name": "nightly", "resourceVersion": "7"}, "#,
        r#""spec": {"cronSpec": "* * * * *", "replicas": 2}}}"#,
        "\n",
        r#"{"type": "MODIFIED"#,
    );
    let api = api("http", serve(answer.as_bytes()).await);
    let mut events = api.watch(&WatchParams::default(), "1").await.unwrap();
    let event = events.next().await.expect("an event").expect("whole");
    assert!(matches!(event, WatchEvent::Added(crontab) if crontab.spec.replicas == 2));
    match events.next().await {
        None => {}
        Some(event) => assert!(event.expect_err("no event").is_interrupted()),
    }
    assert!(events.next().await.is_none(), "nothing is tried again");
}

#[tokio::test]
async fn a_server_that_does_not_answer() {
    let (listener, port) = listen().await;
    let mut config = config("http", port);
    config.read_timeout = Some(Duration::from_millis(300));
    let error = get(Api::namespaced(Client::try_from(config).unwrap(), "prod")).await;
    assert!(error.is_interrupted(), "{error:?}");
    drop(listener);
}
