//! A real kube-apiserver on loopback, for as long as the value lives.

use std::io::{self, BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::{fs, thread};

/// The variable that names the admin kubeconfig of a server that end-to-end tests may use.
pub const KUBECONFIG: &str = "CRD_E2E_KUBECONFIG";

/// The variable that names the minor of that server; that of reference where it is not set.
pub const KUBERNETES: &str = "CRD_E2E_KUBERNETES";

/// The variable that names the program `endpoint_webhook` of the examples, built.
pub const WEBHOOK: &str = "CRD_E2E_WEBHOOK";

/// A running kube-apiserver with its own etcd, certificates and admin kubeconfig.
#[derive(Debug)]
pub struct ApiServer {
    child: Child,
    dir: PathBuf,
    url: String,
}

impl ApiServer {
    /// Starts a built server (see [`crate::go::build`]) in a directory of its own, and waits until it
    /// answers. What it logs goes to `apiserver.log` there.
    ///
    /// # Errors
    /// Where it cannot be started, or ended before it answered.
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
                // Nothing may block on a full pipe.
                thread::spawn(move || lines.for_each(drop));
                return Ok(server);
            }
        }
        let status = server.child.wait()?;
        let log = fs::read_to_string(dir.join("apiserver.log")).unwrap_or_default();
        let last: Vec<&str> = log.lines().rev().take(5).collect();
        Err(io::Error::other(format!("ended with {status}: {}", last.join("\n"))))
    }

    /// The admin kubeconfig.
    pub fn kubeconfig(&self) -> PathBuf {
        self.dir.join("kubeconfig")
    }

    /// Where it answers.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Waits until the server ends by itself.
    ///
    /// # Errors
    /// Where waiting fails.
    pub fn wait(mut self) -> io::Result<()> {
        self.child.wait().map(drop)
    }
}

impl Drop for ApiServer {
    fn drop(&mut self) {
        // The end of its standard input is the server's sign to end.
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}
