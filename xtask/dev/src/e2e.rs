//! `cargo dev e2e [--kubernetes 1.33] [WORD..]`: runs the end-to-end tests with a real kube-apiserver.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::{env, fs, process};

use crd_tests::apiserver::{ApiServer, KUBECONFIG, KUBERNETES, WEBHOOK};
use crd_tests::go;
use crd_tests::kubectl::KUBECTL;

use crate::oracle::{complain, version_of};

/// Builds the server if needed, starts it, runs the tests, and stops it. Further arguments are those of a test program:
/// words that are in the names of the tests to run, `--skip WORD`, `--test-threads N`.
pub(crate) fn main(args: impl Iterator<Item = String>) -> ExitCode {
    let (version, words) = match version_of(args) {
        Ok(parsed) => parsed,
        Err(error) => {
            complain(&format!("cargo dev e2e: {error}"));
            return ExitCode::from(super::EXIT_USAGE);
        }
    };
    let dir = env::temp_dir().join(format!("crd-e2e-{}", process::id()));
    let result = go::build_apiserver(version).and_then(|program| {
        let (webhook, kubectl) = (build_webhook()?, go::build("kubectl")?);
        let server = ApiServer::start(&program, &dir).map_err(|error| error.to_string())?;
        let _ = writeln!(io::stdout(), "kube-apiserver {version} at {}", server.url());
        cargo()
            .args(["test", "--quiet", "--package", "crd-tests", "--test", "e2e", "--"])
            .args(words)
            .env(KUBECONFIG, server.kubeconfig())
            .env(KUBERNETES, version.to_string())
            .env(WEBHOOK, webhook)
            .env(KUBECTL, kubectl)
            .status()
            .map_err(|error| format!("cannot run cargo: {error}"))
    });
    let log = dir.join("apiserver.log");
    match result {
        Ok(status) if status.success() => {
            let _ = fs::remove_dir_all(&dir);
            ExitCode::SUCCESS
        }
        Ok(_) => {
            complain(&format!("the server's log is in {}", log.display()));
            ExitCode::FAILURE
        }
        Err(message) => {
            complain(&message);
            ExitCode::FAILURE
        }
    }
}

fn cargo() -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(go::workspace());
    cargo
}

/// Builds the example's conversion webhook. Returns its path: cargo puts it beside this program.
fn build_webhook() -> Result<PathBuf, String> {
    let name = "endpoint_webhook";
    let built = cargo()
        .args(["build", "--quiet", "--workspace", "--features", "crd-examples/webhook"])
        .args(["--bin", name])
        .status();
    match built {
        Ok(status) if status.success() => {}
        Ok(status) => return Err(format!("cannot build {name}: {status}")),
        Err(error) => return Err(format!("cannot run cargo: {error}")),
    }
    let here = env::current_exe().map_err(|error| error.to_string())?;
    Ok(here.with_file_name(name))
}
