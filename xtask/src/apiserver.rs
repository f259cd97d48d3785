//! `cargo xtask apiserver`: a real kube-apiserver on loopback for a person with kubectl.

use std::io::{self, Write as _};
use std::process::ExitCode;
use std::{env, fs, process};

use crd_tests::apiserver::ApiServer;
use crd_tests::go;

use crate::oracle::complain;

/// Builds and starts it, and leaves it running until interrupted.
pub(crate) fn main() -> ExitCode {
    let dir = env::temp_dir().join(format!("crd-apiserver-{}", process::id()));
    let result = go::build("apiserver").and_then(|program| {
        let server = ApiServer::start(&program, &dir).map_err(|error| error.to_string())?;
        let config = server.kubeconfig();
        let _ = writeln!(
            io::stdout(),
            "kube-apiserver at {}, until interrupted:\n  kubectl --kubeconfig {} get crds",
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
