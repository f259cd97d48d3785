//! `cargo dev apiserver`: runs a real kube-apiserver on loopback, to be used with kubectl.

use crd_cel::kubernetes::KubernetesVersion;
use crd_tests::apiserver::ApiServer;
use crd_tests::go;

use crate::{Outcome, say, temporary_directory};

/// Builds and starts the server, and lets it run until interrupted.
pub(crate) fn run(version: KubernetesVersion) -> Outcome {
    let dir = temporary_directory()?;
    let program = go::build_apiserver(version)?;
    let server = ApiServer::start(&program, dir.path()).map_err(|error| error.to_string())?;
    say(&format!(
        "kube-apiserver {version} at {}, until interrupted:\n  kubectl --kubeconfig {} get crds",
        server.url(),
        server.kubeconfig().display()
    ));
    server.wait().map_err(|error| error.to_string())?;
    Ok(true)
}
