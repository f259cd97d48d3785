//! A client of the oracle in `tests/kube`: the API server's own code behind JSON lines.

use std::io::{self, BufRead as _, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;

use serde_json::Value;

/// A running oracle.
#[derive(Debug)]
pub struct Oracle {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

/// Where the workspace stands.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_owned).unwrap_or_default()
}

/// Builds a command of the Go module `tests/kube` into `target/`, and says where it is.
///
/// # Errors
/// A sentence for a person: Go is missing, or what the build printed.
pub fn build(command: &str) -> Result<PathBuf, String> {
    let out = workspace().join("target").join("kube").join(command);
    let package = format!("./{command}");
    let run = Command::new("go")
        .args(["build", "-o"])
        .arg(&out)
        .arg(&package)
        .current_dir(workspace().join("tests").join("kube"))
        .output();
    match run {
        Ok(done) if done.status.success() => Ok(out),
        Ok(done) => Err(format!(
            "`go build {package}` in tests/kube failed:\n{}",
            String::from_utf8_lossy(&done.stderr)
        )),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(
            "Go is not installed: `go` is not on the PATH. The oracle is the API server's own code \
             and needs Go 1.26 and the Go module proxy; nothing else in this workspace does."
                .to_owned(),
        ),
        Err(error) => Err(format!("cannot run `go build {package}`: {error}")),
    }
}

impl Oracle {
    /// Starts a built oracle.
    ///
    /// # Errors
    /// Where the program cannot be started.
    pub fn start(program: &Path) -> io::Result<Self> {
        let mut child =
            Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().ok_or_else(|| io::Error::other("no standard output"))?;
        Ok(Self { child, stdin, stdout: BufReader::new(stdout) })
    }

    /// Asks many questions at once; the answers come in the same order.
    ///
    /// # Errors
    /// Where the oracle ended, or answered with something else than JSON.
    pub fn ask(&mut self, questions: &[Value]) -> io::Result<Vec<Value>> {
        let stdin = self.stdin.as_mut().ok_or_else(|| io::Error::other("already closed"))?;
        let stdout = &mut self.stdout;
        // The oracle answers while it reads: write from a thread of its own, or both pipes fill up.
        thread::scope(|scope| {
            let writer = scope.spawn(move || -> io::Result<()> {
                let mut out = BufWriter::new(stdin);
                for question in questions {
                    serde_json::to_writer(&mut out, question)?;
                    out.write_all(b"\n")?;
                }
                out.flush()
            });
            let mut answers = Vec::with_capacity(questions.len());
            let mut line = String::new();
            for _ in questions {
                line.clear();
                if stdout.read_line(&mut line)? == 0 {
                    return Err(io::Error::other("the oracle ended early"));
                }
                answers.push(serde_json::from_str(&line)?);
            }
            writer.join().map_err(|_| io::Error::other("the writer panicked"))??;
            Ok(answers)
        })
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        drop(self.stdin.take());
        let _ = self.child.wait();
    }
}
