//! Builds the Go programs of `tests/kube`, which contain the API server's own code and `kubectl`.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crd_cel::kubernetes::KubernetesVersion;

/// Returns the directory of the workspace.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_owned).unwrap_or_default()
}

/// Builds `tests/kube/<command>` into `target/kube/<command>`, and returns the path of the program.
///
/// # Errors
/// If Go is missing or the build fails; the text is for the terminal.
pub fn build(command: &str) -> Result<PathBuf, String> {
    let out = workspace().join("target").join("kube").join(command);
    run(command, &[], &out)
}

/// Builds the oracle of a minor into `target/kube/oracle-<minor>`, and returns its path. A second build is fast,
/// because Go caches what it has compiled.
///
/// # Errors
/// As [`build`].
pub fn build_oracle(version: KubernetesVersion) -> Result<PathBuf, String> {
    let versions = workspace().join("tests").join("kube").join("versions");
    build_of("oracle", version, &versions)
}

/// Builds kube-apiserver of a minor into `target/kube/apiserver-<minor>`, and returns its path. The first build takes
/// minutes.
///
/// # Errors
/// As [`build`].
pub fn build_apiserver(version: KubernetesVersion) -> Result<PathBuf, String> {
    let kube = workspace().join("tests").join("kube");
    build_of("apiserver", version, &kube.join("apiserver").join("versions"))
}

/// Runs `tests/kube/apiserver/types` with the modules of a minor, and returns what it prints.
///
/// # Errors
/// As [`build`], or if the program fails.
pub fn list_types(version: KubernetesVersion) -> Result<String, String> {
    let kube = workspace().join("tests").join("kube");
    let program = build_of("apiserver/types", version, &kube.join("apiserver").join("versions"))?;
    let output = Command::new(&program).output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}

/// Builds a command with the modules of a minor. The directory `versions` has a `.mod` file for each minor, except
/// for the reference version.
fn build_of(command: &str, version: KubernetesVersion, versions: &Path) -> Result<PathBuf, String> {
    let program = format!("{}-{version}", command.replace('/', "-"));
    let out = workspace().join("target").join("kube").join(program);
    let modules = versions.join(format!("{version}.mod"));
    // Code of `tests/kube` that depends on the minor is behind build tags such as `before1_35`.
    let older = KubernetesVersion::ALL.into_iter().filter(|other| *other > version);
    let tags: Vec<String> = older.map(|other| format!("before1_{}", other.minor())).collect();
    let mut flags = vec![format!("-tags={}", tags.join(","))];
    // The modules of the reference version are in the `go.mod` of the command itself.
    if version != KubernetesVersion::REFERENCE {
        if !modules.exists() {
            return Err(format!(
                "no modules of Kubernetes {version} for tests/kube/{command}: add {}",
                modules.display()
            ));
        }
        flags.push(format!("-modfile={}", modules.display()));
    }
    run(command, &flags, &out)
}

fn run(command: &str, flags: &[String], out: &Path) -> Result<PathBuf, String> {
    let source = workspace().join("tests").join("kube").join(command);
    let mut go = Command::new("go");
    go.arg("build").args(flags).arg("-o").arg(out).arg(".").current_dir(&source);
    output(&mut go)?;
    Ok(out.to_owned())
}

/// Runs a command of Go, and returns what it prints.
///
/// # Errors
/// As [`build`].
pub fn output(go: &mut Command) -> Result<String, String> {
    match go.output() {
        Ok(done) if done.status.success() => {
            String::from_utf8(done.stdout).map_err(|error| error.to_string())
        }
        Ok(done) => {
            let (out, err) =
                (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
            Err(format!("{go:?} failed:\n{out}{err}"))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(
            "Go is not installed: `go` is not on the PATH. Kubernetes' own code needs Go 1.26 and \
             the Go module proxy; nothing else in this workspace does."
                .to_owned(),
        ),
        Err(error) => Err(format!("cannot run {go:?}: {error}")),
    }
}
