//! Runs the scenarios with the API server of tests in place of a real one.

use std::path::PathBuf;
use std::sync::mpsc;
use std::{env, fs, process, thread};

use crd_apiserver::ApiServer;

/// Returns the path of the server's kubeconfig.
fn kubeconfig() -> PathBuf {
    env::temp_dir().join(format!("crd-e2e-{}.kubeconfig", process::id()))
}

/// Removes the kubeconfig if a server was started.
pub(crate) fn clean_up() {
    let _ = fs::remove_file(kubeconfig());
}

/// Starts a server that listens for as long as the process lives, and returns the path of its kubeconfig.
pub(crate) fn start() -> PathBuf {
    let path = kubeconfig();
    let (sender, receiver) = mpsc::channel();
    let file = path.clone();
    thread::spawn(move || {
        super::block_on(async {
            // The real server authorizes by roles and runs without a controller-manager, too.
            let server = ApiServer::new().authorize().without_controllers();
            let listening = server.listen().await.expect("a port");
            fs::write(file, listening.kubeconfig()).expect("a file");
            sender.send(()).expect("somebody waits");
            listening.wait().await;
        });
    });
    receiver.recv().expect("a server");
    path
}
