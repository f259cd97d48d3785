//! The server on loopback, as kubectl and other clients reach it.

use kube::api::{Api, PostParams};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};

use crd_examples::crontab::CronTab;

use crate::ask::{ask, crontab, get, server};

async fn client_of(kubeconfig: &str) -> Client {
    let config = Kubeconfig::from_yaml(kubeconfig).expect("a kubeconfig");
    let config = Config::from_custom_kubeconfig(config, &KubeConfigOptions::default()).await;
    Client::try_from(config.expect("a config")).expect("a client")
}

#[tokio::test]
async fn a_client_connects_by_the_kubeconfig() {
    let server = server();
    let listening = server.listen().await.expect("a port");
    let client = client_of(&listening.kubeconfig()).await;
    let api: Api<CronTab> = Api::default_namespaced(client);
    api.create(&PostParams::default(), &crontab("a", 2)).await.expect("created");
    // A client in the process reads the same objects.
    let near: Api<CronTab> = Api::namespaced(server.client(), "default");
    assert_eq!(near.get("a").await.expect("there").spec.replicas, 2);
}

#[tokio::test]
async fn a_client_connects_with_tls() {
    let server = server();
    let anywhere = "127.0.0.1:0".parse().expect("an address");
    let listening = server.listen_tls(anywhere).await.expect("a port");
    let authority = listening.certificate_authority().expect("an authority");
    assert!(authority.starts_with("-----BEGIN CERTIFICATE-----"), "{authority}");
    let port = listening.address().port();
    assert_eq!(listening.url(), format!("https://127.0.0.1:{port}"));
    let by_name = listening.kubeconfig().replace("127.0.0.1", "localhost");
    for kubeconfig in [listening.kubeconfig(), by_name] {
        assert_eq!(get(&client_of(&kubeconfig).await, "/livez").await.ok(), "ok");
    }
    // Without the authority, the client does not trust the server.
    let lines = listening.kubeconfig();
    let lines = lines.lines().filter(|line| !line.contains("certificate-authority-data"));
    let stranger = client_of(&lines.collect::<Vec<_>>().join("\n")).await;
    stranger.apiserver_version().await.expect_err("the authority is unknown");
    assert_eq!(server.listen().await.expect("a port").certificate_authority(), None);
}

#[tokio::test]
async fn connections_end_with_the_listener() {
    let server = server();
    let listening = server.listen().await.expect("a port");
    let client = client_of(&listening.kubeconfig()).await;
    get(&client, "/version").await.ok();
    drop(listening);
    let request = http::Request::get("/version").body(kube::client::Body::empty());
    assert!(client.send(request.expect("a request")).await.is_err());
}

#[tokio::test]
async fn web_pages_are_rejected() {
    let server = server();
    let listening = server.listen().await.expect("a port");
    let client = client_of(&listening.kubeconfig()).await;
    let path = "/api/v1/namespaces/default/configmaps";
    let body = br#"{"metadata": {"name": "web"}}"#.to_vec();
    for header in [("origin", "https://evil.example"), ("host", "evil.example")] {
        let answer = ask(&client, "POST", path, [header, ("", "")], body.clone()).await;
        assert_eq!(answer.code, 403, "{}", answer.body);
    }
    let answer = ask(&client, "POST", path, [("host", "localhost:1"), ("", "")], body).await;
    assert_eq!(answer.code, 201);
}
