//! The tests of kube's crates that need a cluster, from the crates as they are published.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;
use std::{fs, io};

use crd_tests::go::workspace;
use serde_json::Value;

use super::results::{self, Results};
use super::server::Server;
use crate::cargo;
use crate::metadata::{self, array, text};

/// The crates with such tests. Their versions are those of the workspace.
pub(super) const SUITES: [&str; 3] = ["kube", "kube-client", "kube-runtime"];

/// The crates that use kube itself in their tests, by a path that their packages do not have.
const USE_KUBE: [&str; 2] = ["kube-client", "kube-runtime"];

/// The compiled tests of a crate.
pub(super) struct Program {
    name: &'static str,
    path: PathBuf,
    directory: PathBuf,
}

/// Compiles the tests of a crate.
pub(super) fn build(name: &'static str) -> Result<Program, String> {
    let directory = workspace().join("target").join("suites").join("kube-rs");
    let about = |error: io::Error| format!("{}: {error}", directory.display());
    copy_crates(&directory)?.map_err(about)?;
    let output = cargo()
        .args(["test", "--no-run", "--workspace", "--lib", "--all-features"])
        .args(["--message-format=json", "--target-dir"])
        .arg(directory.join("target"))
        .current_dir(&directory)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    let messages = String::from_utf8_lossy(&output.stdout);
    let mut messages = messages.lines().filter_map(|line| serde_json::from_str(line).ok());
    let path = messages.find_map(|message: Value| {
        let is_it = text(&message["target"]["name"]) == name.replace('-', "_");
        is_it.then(|| message["executable"].as_str().map(PathBuf::from))?
    });
    let path = path.ok_or_else(|| format!("the tests of {name} do not compile"))?;
    Ok(Program { name, path, directory: directory.join(name) })
}

/// Makes a workspace of the crates. Where its files are the same as before, cargo compiles nothing again.
fn copy_crates(directory: &Path) -> Result<io::Result<()>, String> {
    let metadata = metadata::read()?;
    let mut manifest =
        format!("[workspace]\nmembers = {SUITES:?}\nresolver = \"3\"\n\n[patch.crates-io]\n");
    let mut sources = BTreeMap::new();
    for name in SUITES {
        let mut packages = array(&metadata["packages"]).iter();
        let package = packages.find(|package| text(&package["name"]) == name);
        let package = package.ok_or_else(|| format!("no {name} among the dependencies"))?;
        let source = Path::new(text(&package["manifest_path"])).parent().unwrap_or(Path::new(""));
        sources.insert(name, (source.to_path_buf(), text(&package["version"]).to_owned()));
        let _ = writeln!(manifest, "{name} = {{ path = {name:?} }}");
    }
    Ok((|| {
        fs::create_dir_all(directory)?;
        fs::write(directory.join("Cargo.toml"), &manifest)?;
        fs::copy(workspace().join("Cargo.lock"), directory.join("Cargo.lock"))?;
        for (name, (source, version)) in &sources {
            let to = directory.join(name);
            if to.exists() {
                fs::remove_dir_all(&to)?;
            }
            copy(&source.join("src"), &to.join("src"))?;
            // They include it in their documentation.
            copy(&source.join("README.md"), &to.join("README.md"))?;
            let mut text = fs::read_to_string(source.join("Cargo.toml"))?;
            if USE_KUBE.contains(name) {
                let _ = write!(
                    text,
                    "\n[dev-dependencies.kube]\nversion = {version:?}\nfeatures = [\"derive\", \"runtime\", \"ws\"]\n"
                );
            }
            fs::write(to.join("Cargo.toml"), text)?;
        }
        Ok(())
    })())
}

/// Copies a file or a directory, with the times of the files.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if !from.is_dir() {
        fs::copy(from, to)?;
        return fs::File::options()
            .write(true)
            .open(to)?
            .set_modified(from.metadata()?.modified()?);
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

impl Program {
    /// Runs the tests that need a cluster, which are ignored otherwise.
    pub(super) fn run(&self, server: &Server) -> Result<Results, String> {
        let log = results::directory(server.side).join(self.name).with_extension("log");
        let about = |error: io::Error| format!("{}: {error}", log.display());
        let output = fs::File::create(&log).map_err(about)?;
        let begin = Instant::now();
        Command::new(&self.path)
            .args(["--ignored", "--test-threads=1"])
            .current_dir(&self.directory)
            .env("KUBECONFIG", &server.kubeconfig)
            .stdin(Stdio::null())
            .stderr(output.try_clone().map_err(about)?)
            .stdout(output)
            .status()
            .map_err(|error| format!("cannot run {}: {error}", self.path.display()))?;
        let mut results = Results { seconds: begin.elapsed().as_secs_f64(), ..Results::default() };
        add_tests(&String::from_utf8_lossy(&fs::read(&log).map_err(about)?), &mut results);
        Ok(results)
    }
}

/// Adds the tests of the output of Rust's test harness. What a test prints may stand between its name and its verdict.
fn add_tests(log: &str, results: &mut Results) {
    let mut running = None;
    for line in log.lines() {
        if let Some((name, _)) =
            line.strip_prefix("test ").and_then(|rest| rest.split_once(" ... "))
        {
            running = Some(name);
        }
        let verdict = line.rsplit(' ').next().unwrap_or_default();
        if let (Some(name), "ok" | "FAILED") = (running, verdict) {
            results.add(name, (verdict == "FAILED").then(|| "failed".to_owned()));
            running = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_read() {
        let log = "running 3 tests\ntest a::b ... ok\ntest a::c - should panic ... FAILED\ntest d ... printed\nFAILED\n\n\
                   test result: FAILED. 1 passed; 2 failed\n";
        let mut results = Results::default();
        add_tests(log, &mut results);
        let specs: Vec<(&str, bool)> =
            results.specs.iter().map(|(name, why)| (name.as_str(), why.is_none())).collect();
        assert_eq!(specs, [("a::b", true), ("a::c - should panic", false), ("d", false)]);
    }
}
