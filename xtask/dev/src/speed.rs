//! `cargo dev speed`: measures the in-process API server, beside a real kube-apiserver.
//!
//! The measurement is a program of the package `bench`, which is built here in release mode.

use crd_cel::kubernetes::KubernetesVersion;
use crd_tests::apiserver::{ApiServer, KUBECONFIG};
use crd_tests::go;

use crate::{Outcome, cargo, complain, succeed, temporary_directory};

/// Starts a real server, if Go is installed, and measures.
pub(crate) fn run(version: KubernetesVersion) -> Outcome {
    let dir = temporary_directory()?;
    let started = go::build_apiserver(version).and_then(|program| {
        ApiServer::start(&program, dir.path()).map_err(|error| error.to_string())
    });
    let mut bench = cargo();
    bench.args(["bench", "--features", "apiserver", "--bench", "apiserver"]);
    bench.args(["--manifest-path", "bench/Cargo.toml"]);
    match &started {
        Ok(server) => {
            bench.env(KUBECONFIG, server.kubeconfig());
        }
        Err(message) => complain(&format!("{message}\nThe rows of the real server are left out.")),
    }
    succeed(&mut bench)
}
