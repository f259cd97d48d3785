//! Runs the operator in the cluster that the environment or the kubeconfig names.

#[tokio::main]
async fn main() -> kube::Result<()> {
    let client = kube::Client::try_default().await?;
    website_operator::controller::run(client).await;
    Ok(())
}
