//! `cargo dev apiserver [--kubernetes 1.33]`: runs a real kube-apiserver on loopback, to be used with kubectl.

use std::io::{self, Write as _};
use std::process::ExitCode;
use std::{env, fs, process};

use crd_tests::apiserver::ApiServer;
use crd_tests::go;

use crate::oracle::{complain, version_of};

/// Builds and starts the server, and lets it run until interrupted.
pub(crate) fn main(args: impl Iterator<Item = String>) -> ExitCode {
    let version = match version_of(args) {
        Ok((version, rest)) if rest.is_empty() => version,
        Ok((_, rest)) => {
            complain(&format!(
                "cargo dev apiserver takes `--kubernetes 1.33` alone, not `{}`",
                rest.join(" ")
            ));
            return ExitCode::from(super::EXIT_USAGE);
        }
        Err(error) => {
            complain(&format!("cargo dev apiserver: {error}"));
            return ExitCode::from(super::EXIT_USAGE);
        }
    };
    let dir = env::temp_dir().join(format!("crd-apiserver-{}", process::id()));
    let result = go::build_apiserver(version).and_then(|program| {
        let server = ApiServer::start(&program, &dir).map_err(|error| error.to_string())?;
        let config = server.kubeconfig();
        let _ = writeln!(
            io::stdout(),
            "kube-apiserver {version} at {}, until interrupted:\n  kubectl --kubeconfig {} get crds",
            server.url(),
            config.display()
        );
        server.wait().map_err(|error| error.to_string())
    });
    let _ = fs::remove_dir_all(&dir);
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            complain(&message);
            ExitCode::FAILURE
        }
    }
}
