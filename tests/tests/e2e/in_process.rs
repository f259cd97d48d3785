//! Runs the scenarios with the API server of tests in place of a real one.

use std::path::PathBuf;
use std::sync::{Mutex, mpsc};
use std::{fs, thread};

use crd_apiserver::ApiServer;
use tempfile::{NamedTempFile, TempPath};

/// The server's kubeconfig, if one was started.
static KUBECONFIG: Mutex<Option<TempPath>> = Mutex::new(None);

/// Removes the kubeconfig.
pub(crate) fn clean_up() {
    *KUBECONFIG.lock().expect("not poisoned") = None;
}

/// Starts a server that listens for as long as the process lives, and returns the path of its kubeconfig.
pub(crate) fn start() -> PathBuf {
    let file = NamedTempFile::new().expect("a file").into_temp_path();
    let path = file.to_path_buf();
    *KUBECONFIG.lock().expect("not poisoned") = Some(file);
    let (sender, receiver) = mpsc::channel();
    let written = path.clone();
    thread::spawn(move || {
        super::block_on(async {
            // The real server authorizes by roles and runs without a controller-manager, too.
            let server = ApiServer::builder().authorize().without_controllers().start();
            let listening = server.listen().await.expect("a port");
            fs::write(written, listening.kubeconfig()).expect("a file");
            sender.send(()).expect("somebody waits");
            listening.wait().await;
        });
    });
    receiver.recv().expect("a server");
    path
}
