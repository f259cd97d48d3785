//! Runs a real kube-apiserver on loopback until the value is dropped.

use std::io::{self, BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::{fs, thread};

/// The variable with the path of the admin kubeconfig of a server for end-to-end tests.
pub const KUBECONFIG: &str = "CRD_E2E_KUBECONFIG";

/// The variable with the minor of that server; by default it is that of the reference version.
pub const KUBERNETES: &str = "CRD_E2E_KUBERNETES";

/// The variable with the path of the examples' program `endpoint_webhook`.
pub const WEBHOOK: &str = "CRD_E2E_WEBHOOK";

/// A running kube-apiserver with its own etcd, certificates and admin kubeconfig.
#[derive(Debug)]
pub struct ApiServer {
    child: Child,
    dir: PathBuf,
    url: String,
}

impl ApiServer {
    /// Starts a built server (see [`crate::go::build`]) in an empty directory, and waits until it
    /// answers. It logs to `apiserver.log` there.
    ///
    /// # Errors
    /// If it cannot be started, or ends before it answers.
    pub fn start(program: &Path, dir: &Path) -> io::Result<Self> {
        fs::create_dir_all(dir)?;
        let log = fs::File::create(dir.join("apiserver.log"))?;
        let mut child = Command::new(program)
            .arg("-dir")
            .arg(dir)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()?;
        let stdout = child.stdout.take().ok_or_else(|| io::Error::other("no standard output"))?;
        let mut server = Self { child, dir: dir.to_owned(), url: String::new() };
        let mut lines = BufReader::new(stdout).lines();
        for line in lines.by_ref() {
            if let Some(url) = line?.strip_prefix("ready ") {
                url.clone_into(&mut server.url);
                // A pipe that nobody reads would block the server when it is full.
                thread::spawn(move || lines.for_each(drop));
                return Ok(server);
            }
        }
        let status = server.child.wait()?;
        let log = fs::read_to_string(dir.join("apiserver.log")).unwrap_or_default();
        let lines: Vec<&str> = log.lines().collect();
        let last = lines.get(lines.len().saturating_sub(5)..).unwrap_or_default();
        Err(io::Error::other(format!("ended with {status}: {}", last.join("\n"))))
    }

    /// The path of the admin kubeconfig.
    pub fn kubeconfig(&self) -> PathBuf {
        self.dir.join("kubeconfig")
    }

    /// The URL of the server.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Waits until the server ends by itself.
    ///
    /// # Errors
    /// If waiting fails.
    pub fn wait(mut self) -> io::Result<()> {
        // `Child::wait` closes the standard input, which would end the server, so it is held here until the end.
        let stdin = self.child.stdin.take();
        let result = self.child.wait();
        drop(stdin);
        result.map(drop)
    }
}

impl Drop for ApiServer {
    fn drop(&mut self) {
        // The server ends when its standard input is closed.
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}
