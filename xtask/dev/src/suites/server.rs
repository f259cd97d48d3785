//! The two servers, each in a process of its own.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::{env, fs, thread};

use crd_cel::kubernetes::KubernetesVersion;
use crd_tests::apiserver::ApiServer;
use crd_tests::go;
use tempfile::TempDir;

use super::results;
use crate::{cargo, succeed, temporary_directory};

/// One of the two servers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Side {
    /// kube-apiserver.
    Real,
    /// `crd serve`.
    Ours,
}

impl Side {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Real => "real",
            Self::Ours => "ours",
        }
    }
}

/// A running server, which ends when the value is dropped.
pub(super) struct Server {
    pub(super) side: Side,
    pub(super) kubeconfig: PathBuf,
    // Dropped in this order: the directory goes after the process that writes to it.
    _process: Process,
    _directory: TempDir,
}

/// Held only for its end.
enum Process {
    Real { _server: ApiServer },
    Ours(Child),
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Self::Ours(child) = self {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Server {
    /// Builds the server if needed, and starts it without any objects of earlier runs.
    pub(super) fn start(side: Side) -> Result<Self, String> {
        let directory = temporary_directory()?;
        fs::create_dir_all(results::directory(side)).map_err(|error| error.to_string())?;
        let (process, kubeconfig) = match side {
            Side::Real => {
                let program = go::build_apiserver(KubernetesVersion::REFERENCE)?;
                let server = ApiServer::start(&program, directory.path());
                let server = server.map_err(|error| error.to_string())?;
                let kubeconfig = server.kubeconfig();
                (Process::Real { _server: server }, kubeconfig)
            }
            Side::Ours => {
                let kubeconfig = directory.path().join("kubeconfig");
                let mut child = Command::new(build_crd()?)
                    // Clients send tokens only over TLS.
                    .args(["serve", "--tls", "--kubeconfig"])
                    .arg(&kubeconfig)
                    .stdout(Stdio::piped())
                    .spawn()
                    .map_err(|error| format!("cannot run crd: {error}"))?;
                let out = child.stdout.take();
                let process = Process::Ours(child);
                let mut lines = BufReader::new(out.ok_or("no standard output")?).lines();
                // It writes the kubeconfig before it prints its address.
                let first = lines.next().and_then(Result::ok).unwrap_or_default();
                if !first.starts_with("Serving") {
                    return Err(format!("crd serve has ended: {first}"));
                }
                // A pipe that nobody reads would block the server when it is full.
                thread::spawn(move || lines.for_each(drop));
                (process, kubeconfig)
            }
        };
        Ok(Self { side, kubeconfig, _process: process, _directory: directory })
    }
}

/// Builds `crd`, and returns its path: cargo puts it beside this program.
fn build_crd() -> Result<PathBuf, String> {
    succeed(cargo().args(["build", "--quiet", "--workspace", "--bin", "crd"]))?;
    let here = env::current_exe().map_err(|error| error.to_string())?;
    Ok(here.with_file_name("crd"))
}
