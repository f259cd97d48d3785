//! The server on loopback, as kubectl and other clients reach it.

use kube::api::{Api, PostParams};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};

use crd_examples::crontab::CronTab;

use crate::ask::{crontab, server};

#[tokio::test]
async fn a_client_connects_by_the_kubeconfig() {
    let server = server();
    let listening = server.listen().await.expect("a port");
    let config = Kubeconfig::from_yaml(&listening.kubeconfig()).expect("a kubeconfig");
    let config = Config::from_custom_kubeconfig(config, &KubeConfigOptions::default()).await;
    let client = Client::try_from(config.expect("a config")).expect("a client");
    let api: Api<CronTab> = Api::default_namespaced(client);
    api.create(&PostParams::default(), &crontab("a", 2)).await.expect("created");
    // A client in the process reads the same objects.
    let near: Api<CronTab> = Api::namespaced(server.client(), "default");
    assert_eq!(near.get("a").await.expect("there").spec.replicas, 2);
}
