//! `cargo dev e2e`: runs the end-to-end tests with a real kube-apiserver.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use crd_tests::apiserver::{ApiServer, KUBECONFIG, KUBERNETES, WEBHOOK};
use crd_tests::go;
use crd_tests::kubectl::KUBECTL;

use crate::{Outcome, Server, cargo, complain, say, succeed, temporary_directory};

/// Run the end-to-end tests against a real kube-apiserver (needs Go).
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    server: Server,
    /// Arguments of a test program: words in the names of the tests to run, `--skip WORD`, `--test-threads N`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

/// Builds the server if needed, starts it, runs the tests, and stops it.
pub(crate) fn run(arguments: Arguments) -> Outcome {
    let version = arguments.server.kubernetes;
    let program = go::build_apiserver(version)?;
    let (webhook, kubectl) = (build_webhook()?, go::build("kubectl")?);
    let mut dir = temporary_directory()?;
    let server = ApiServer::start(&program, dir.path()).map_err(|error| error.to_string())?;
    say(&format!("kube-apiserver {version} at {}", server.url()));
    let status = cargo()
        .args(["test", "--quiet", "--package", "crd-tests", "--test", "e2e", "--"])
        .args(arguments.words)
        .env(KUBECONFIG, server.kubeconfig())
        .env(KUBERNETES, version.to_string())
        .env(WEBHOOK, webhook)
        .env(KUBECTL, kubectl)
        .status()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if !status.success() {
        dir.disable_cleanup(true);
        complain(&format!("the server's log is {}", dir.path().join("apiserver.log").display()));
    }
    Ok(status.success())
}

/// Builds the example's conversion webhook. Returns its path: cargo puts it beside this program.
fn build_webhook() -> Result<PathBuf, String> {
    let name = "endpoint_webhook";
    succeed(
        cargo()
            .args(["build", "--quiet", "--workspace", "--features", "crd-examples/webhook"])
            .args(["--bin", name]),
    )?;
    let here = env::current_exe().map_err(|error| error.to_string())?;
    Ok(here.with_file_name(name))
}
