//! Runs the operator in the cluster that the environment or the kubeconfig names.

use crd_runtime::webhook::shutdown_signal;
use website_operator::{controller, versions};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = kube::Client::try_default().await?;
    let (ended, ()) =
        tokio::join!(versions::webhook().run(shutdown_signal()), controller::run(client));
    Ok(ended?)
}
