//! The operator reaches the server over a socket, as it would reach a cluster, and runs with older servers.

use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use website_operator::recording::{builder, create_and_delete, run_until, website};

use crate::{Outcome, operate};

/// Time is not paused: it would jump while the test waits for the socket.
#[tokio::test]
async fn a_website_lives_behind_a_kubeconfig() -> Outcome {
    let server = builder().with_workloads().start();
    let listening = server.listen().await?;
    let kubeconfig = Kubeconfig::from_yaml(&listening.kubeconfig())?;
    let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await?;
    let client = Client::try_from(config)?;
    run_until(client, create_and_delete(server.client(), website())).await?;
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_website_lives_with_an_older_server() -> Outcome {
    let server = builder().kubernetes("1.33".parse()?).with_workloads().start();
    assert_eq!(server.client().apiserver_version().await?.minor, "33");
    operate(&server, create_and_delete(server.client(), website())).await
}
