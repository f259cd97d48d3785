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
