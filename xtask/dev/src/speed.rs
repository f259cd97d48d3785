//! `cargo dev speed [--kubernetes 1.33]`: measures the API server of tests, beside a real kube-apiserver.
//!
//! The measurement is a program of the package `bench`, which is built here in release mode.

use std::process::{Command, ExitCode};
use std::{env, fs, process};

use crd_cel::kubernetes::KubernetesVersion;
use crd_tests::apiserver::{ApiServer, KUBECONFIG};
use crd_tests::go;

use crate::oracle::{complain, version_of};

/// Starts a real server, if Go is installed, and measures.
pub(crate) fn main(args: impl Iterator<Item = String>) -> ExitCode {
    let version = match version_of(args) {
        Ok((version, rest)) if rest.is_empty() => version,
        Ok((_, rest)) => {
            let rest = rest.join(" ");
            complain(&format!("cargo dev speed takes `--kubernetes 1.33` alone, not `{rest}`"));
            return ExitCode::from(super::EXIT_USAGE);
        }
        Err(error) => {
            complain(&format!("cargo dev speed: {error}"));
            return ExitCode::from(super::EXIT_USAGE);
        }
    };
    match run(version) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            complain(&message);
            ExitCode::FAILURE
        }
    }
}

fn run(version: KubernetesVersion) -> Result<(), String> {
    let dir = env::temp_dir().join(format!("crd-speed-{}", process::id()));
    let started = go::build_apiserver(version)
        .and_then(|program| ApiServer::start(&program, &dir).map_err(|error| error.to_string()));
    let mut bench = Command::new(env!("CARGO"));
    bench
        .args(["bench", "--features", "apiserver", "--bench", "apiserver", "--manifest-path"])
        .arg(go::workspace().join("bench").join("Cargo.toml"));
    match &started {
        Ok(server) => {
            bench.env(KUBECONFIG, server.kubeconfig());
        }
        Err(message) => complain(&format!("{message}\nThe rows of the real server are left out.")),
    }
    let status = bench.status();
    drop(started);
    let _ = fs::remove_dir_all(&dir);
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("bench: {status}")),
        Err(error) => Err(format!("cannot run cargo: {error}")),
    }
}
