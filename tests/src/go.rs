//! Builds the Go programs of `tests/kube`: the API server's own code.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the workspace stands.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_owned).unwrap_or_default()
}

/// Builds `tests/kube/<command>` into `target/kube/<command>`, and says where that is.
///
/// # Errors
/// A sentence for a person: Go is missing, or what the build printed.
pub fn build(command: &str) -> Result<PathBuf, String> {
    let out = workspace().join("target").join("kube").join(command);
    let source = workspace().join("tests").join("kube").join(command);
    match Command::new("go").args(["build", "-o"]).arg(&out).arg(".").current_dir(&source).output()
    {
        Ok(done) if done.status.success() => Ok(out),
        Ok(done) => Err(format!(
            "`go build` in tests/kube/{command} failed:\n{}",
            String::from_utf8_lossy(&done.stderr)
        )),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(format!(
            "Go is not installed: `go` is not on the PATH. tests/kube/{command} is the API server's \
             own code and needs Go 1.26 and the Go module proxy; nothing else in this workspace does."
        )),
        Err(error) => Err(format!("cannot run `go build` in {}: {error}", source.display())),
    }
}
