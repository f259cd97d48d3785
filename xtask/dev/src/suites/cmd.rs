//! `test/cmd`, the suite of kubectl: functions of bash, each with many commands.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;
use std::{env, fs, io};

use crd_tests::go::{self, workspace};

use super::results::{self, Results};
use super::server::{Server, Side};
use crate::temporary_directory;

pub(super) const SUITE: &str = "test/cmd";

/// How many seconds one command of kubectl may take.
const TIMEOUT: u32 = 60;

/// kubectl, the controllers beside the real server, and the directory of the module with the scripts.
pub(super) struct Program {
    kubectl: PathBuf,
    controllers: PathBuf,
    module: PathBuf,
}

/// Builds kubectl and the controllers. The scripts are those of the version of kube-apiserver.
pub(super) fn build() -> Result<Program, String> {
    let modules = workspace().join("tests").join("kube").join("apiserver");
    let mut list = Command::new("go");
    list.args(["list", "-m", "-f", "{{.Dir}}", "k8s.io/kubernetes"]);
    let module = PathBuf::from(go::output(list.current_dir(&modules))?.trim());
    let controllers = workspace().join("target").join("kube").join("controllers");
    let mut build = Command::new("go");
    build.arg("build").arg("-o").arg(&controllers).arg("./controllers");
    go::output(build.current_dir(&modules))?;
    Ok(Program { kubectl: go::build("kubectl")?, controllers, module })
}

/// A process that ends when the value is dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Program {
    /// Runs the functions with these names, or all. A spec is a function with the lines of its commands that have failed.
    pub(super) fn run(&self, server: &Server, functions: &[String]) -> Result<Results, String> {
        let about = |error: io::Error| error.to_string();
        let directory = temporary_directory()?;
        let (bin, work) = (directory.path().join("bin"), directory.path().join("work"));
        fs::create_dir(&bin).and_then(|()| fs::create_dir(&work)).map_err(about)?;
        // A command that waits for what never comes would hold the suite up.
        let kubectl = self.kubectl.display();
        let wrapper =
            format!("#!/bin/sh\nexec timeout --foreground {TIMEOUT} '{kubectl}' \"$@\"\n");
        write_program(&bin.join("kubectl"), &wrapper).map_err(about)?;
        let out = results::directory(server.side).join("cmd");
        let log = fs::File::create(out.with_extension("log")).map_err(about)?;
        let _controllers = match server.side {
            Side::Real => Some(self.start_controllers(server, &log).map_err(about)?),
            Side::Ours => None,
        };
        // The functions change the configuration of kubectl.
        let kubeconfig = directory.path().join("kubeconfig");
        fs::copy(&server.kubeconfig, &kubeconfig).map_err(about)?;
        let mut path = bin.into_os_string();
        path.push(":");
        path.push(env::var_os("PATH").unwrap_or_default());
        let begin = Instant::now();
        Command::new("bash")
            .arg(workspace().join("tests").join("suites").join("cmd.sh"))
            .args([&self.module, &out])
            .args(functions)
            .current_dir(&work)
            .env("PATH", path)
            .env("KUBECONFIG", &kubeconfig)
            .stdin(Stdio::null())
            .stdout(log.try_clone().map_err(about)?)
            .stderr(log)
            .status()
            .map_err(|error| format!("cannot run bash: {error}"))?;
        let seconds = begin.elapsed().as_secs_f64();
        let printed = fs::read_to_string(&out).map_err(about)?;
        Ok(Results { specs: read(&printed), seconds })
    }

    fn start_controllers(&self, server: &Server, log: &fs::File) -> io::Result<Running> {
        let child = Command::new(&self.controllers)
            .arg("-kubeconfig")
            .arg(&server.kubeconfig)
            .stdin(Stdio::piped())
            .stdout(log.try_clone()?)
            .stderr(log.try_clone()?)
            .spawn()?;
        Ok(Running(child))
    }
}

fn write_program(path: &Path, text: &str) -> io::Result<()> {
    fs::write(path, text)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(path, fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}

/// Reads what `cmd.sh` has written. A command that fails several times, in a loop, counts once.
fn read(printed: &str) -> BTreeMap<String, Option<String>> {
    let mut functions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for line in printed.lines() {
        let (function, failed) = line.split_once(' ').unwrap_or((line, ""));
        let lines = functions.entry(function).or_default();
        if !failed.is_empty() {
            lines.insert(failed);
        }
    }
    let why = |lines: BTreeSet<&str>| {
        let lines = lines.into_iter().fold(String::new(), |mut text, line| {
            let _ = write!(text, " {line}");
            text
        });
        (!lines.is_empty()).then(|| format!("failing:{lines}"))
    };
    functions.into_iter().map(|(function, lines)| (function.to_owned(), why(lines))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_passes_if_no_command_fails() {
        let printed = "run_a\nrun_b\nrun_b b.sh:7\nrun_b b.sh:3\nrun_b b.sh:7\nrun_b exit\n";
        let want = [("run_a", None), ("run_b", Some("failing: b.sh:3 b.sh:7 exit"))];
        let want = want.map(|(name, why)| (name.to_owned(), why.map(str::to_owned)));
        assert_eq!(read(printed), want.into());
    }
}
