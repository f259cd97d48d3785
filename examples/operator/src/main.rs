//! Runs the operator in the cluster that the environment or the kubeconfig names.

use crd_webhook::{CertificateFiles, shutdown_signal};
use website_operator::{controller, webhook};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = kube::Client::try_default().await?;
    // The certificate is mounted in the operator's pod.
    let webhook = webhook::server(CertificateFiles::in_directory("/etc/webhook"));
    let (ended, ()) = tokio::join!(webhook.run(shutdown_signal()), controller::run(client));
    Ok(ended?)
}
