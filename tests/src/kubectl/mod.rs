//! Runs commands of `kubectl` against a real kube-apiserver and against the API server of tests, and compares their
//! output, command by command.
//!
//! The scenarios are the files of `tests/kubectl`. Exit status and output of each command must be equal, except for
//! what [`mask`] replaces, and for the differences that a scenario names.

mod mask;
mod scenario;
mod server;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::{fs, thread};

use crd_apiserver::ApiServer;
use kube::config::Kubeconfig;

use self::scenario::{Action, Differs, Scenario, Step};
use self::server::Server;

/// Names the `kubectl` that the end-to-end tests run. `cargo dev e2e` builds one; without the variable the scenarios
/// that need it are ignored.
pub const KUBECTL: &str = "CRD_E2E_KUBECTL";

/// Masks the ids, versions, times and ages in the output of a command.
#[must_use]
pub fn masked(text: &str) -> String {
    mask::Masks::default().mask(text)
}

/// The scenario that runs before all others. It creates the definitions that they use.
const FIRST: &str = "definitions";

/// The result of a run.
#[derive(Debug, Default)]
pub struct Summary {
    /// The number of scenarios.
    pub scenarios: usize,
    /// The number of commands, each run with both servers.
    pub commands: usize,
    /// The number of commands whose output differs as their scenario says.
    pub known: usize,
    /// The other differences, as text.
    pub disagreements: Vec<String>,
}

/// Returns the directory of the scenarios.
fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("kubectl")
}

/// Runs all scenarios, or `definitions` and the one that `only` names, in a directory for temporary files. `progress`
/// gets the name of each scenario before it runs, and each disagreement.
///
/// # Errors
/// If a scenario cannot be read, or a command cannot be run or does not end.
pub fn run(
    kubectl: &Path,
    kubeconfig: &Path,
    directory: &Path,
    only: Option<&str>,
    mut progress: impl FnMut(&str),
) -> Result<Summary, String> {
    let real = Kubeconfig::read_from(kubeconfig).map_err(|error| error.to_string())?;
    let ours = in_process(directory)?;
    let mut scenarios = scenarios()?;
    if let Some(only) = only {
        if !scenarios.iter().any(|scenario| scenario.name == only) {
            return Err(format!("no scenario `{only}` in tests/kubectl"));
        }
        scenarios.retain(|scenario| scenario.name == only || scenario.name == FIRST);
    }
    let mut summary = Summary::default();
    for scenario in &scenarios {
        progress(&format!("scenario {}", scenario.name));
        let server = |side: &str, kubeconfig: &Kubeconfig| {
            let home = directory.join(side).join(&scenario.name);
            let files = self::directory().join("files");
            Server::new(kubectl, &files, home, kubeconfig, &scenario.name)
        };
        let mut pair = Pair { real: server("real", &real)?, ours: server("ours", &ours)? };
        let before = summary.disagreements.len();
        let done = pair.run(scenario, &mut summary);
        summary.disagreements[before..].iter().for_each(|found| progress(found));
        done?;
    }
    Ok(summary)
}

/// Reads all scenarios: [`FIRST`], then the others by name.
fn scenarios() -> Result<Vec<Scenario>, String> {
    let entries = fs::read_dir(directory()).map_err(|error| error.to_string())?;
    let mut all = Vec::new();
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.extension().is_some_and(|extension| extension == "txt") {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let text = fs::read_to_string(&path).map_err(|error| error.to_string())?;
            all.push(Scenario::parse(&name, &text)?);
        }
    }
    all.sort_by_key(|scenario| (scenario.name != FIRST, scenario.name.clone()));
    Ok(all)
}

/// Starts an API server of tests that listens until the process ends. It has no controllers, like the real one.
fn in_process(directory: &Path) -> Result<Kubeconfig, String> {
    fs::create_dir_all(directory).map_err(|error| error.to_string())?;
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let Ok(runtime) = runtime else { return };
        runtime.block_on(async {
            let Ok(listening) = ApiServer::builder().without_controllers().start().listen().await
            else {
                return;
            };
            if sender.send(listening.kubeconfig()).is_ok() {
                listening.wait().await;
            }
        });
    });
    let kubeconfig = receiver.recv().map_err(|_| "no port is free".to_owned())?;
    Kubeconfig::from_yaml(&kubeconfig).map_err(|error| error.to_string())
}

/// The two servers.
struct Pair {
    real: Server,
    ours: Server,
}

impl Pair {
    fn run(&mut self, scenario: &Scenario, summary: &mut Summary) -> Result<(), String> {
        summary.scenarios += 1;
        self.real.make_namespace(&scenario.name)?;
        self.ours.make_namespace(&scenario.name)?;
        for step in &scenario.steps {
            let within = |error: String| format!("{}, line {}: {error}", scenario.name, step.line);
            let (real, ours) = self.run_step(&step.action).map_err(within)?;
            summary.commands += 1;
            let found = difference(&real, &ours);
            let known = step.differs.as_ref().map(|differs| &*differs.lines).unwrap_or_default();
            if found != known {
                summary.disagreements.push(shown(scenario, step, &found));
            } else if !found.is_empty() {
                summary.known += 1;
            }
        }
        Ok(())
    }

    /// Runs a step with both servers at the same time.
    fn run_step(&mut self, action: &Action) -> Result<(Vec<String>, Vec<String>), String> {
        let Self { real, ours } = self;
        thread::scope(|scope| {
            let ours = scope.spawn(|| ours.run_step(action));
            let real = real.run_step(action).map_err(|error| format!("kube-apiserver: {error}"))?;
            let ours = ours.join().map_err(|_| "the thread has panicked".to_owned())?;
            Ok((real, ours.map_err(|error| format!("here: {error}"))?))
        })
    }
}

/// Returns the lines that only one list has: those of the first after `-`, those of the second after `+`.
fn difference(real: &[String], ours: &[String]) -> Vec<String> {
    // The lengths of the longest common subsequences of the remaining lines.
    let mut lengths = vec![vec![0_usize; ours.len() + 1]; real.len() + 1];
    for i in (0..real.len()).rev() {
        for j in (0..ours.len()).rev() {
            lengths[i][j] = if real[i] == ours[j] {
                lengths[i + 1][j + 1] + 1
            } else {
                lengths[i + 1][j].max(lengths[i][j + 1])
            };
        }
    }
    let (mut out, mut i, mut j) = (Vec::new(), 0, 0);
    while i < real.len() || j < ours.len() {
        if i < real.len() && j < ours.len() && real[i] == ours[j] {
            (i, j) = (i + 1, j + 1);
        } else if j == ours.len() || (i < real.len() && lengths[i + 1][j] >= lengths[i][j + 1]) {
            out.push(format!("-{}", real[i]));
            i += 1;
        } else {
            out.push(format!("+{}", ours[j]));
            j += 1;
        }
    }
    out
}

/// Renders a disagreement as the lines that declare it in a scenario.
fn shown(scenario: &Scenario, step: &Step, found: &[String]) -> String {
    let mut out = format!("{}, line {}:\n{}\n", scenario.name, step.line, step.action);
    if let Some(Differs { reason, .. }) = &step.differs {
        let _ = writeln!(out, "  differs: {reason}");
    }
    for line in found {
        let _ = writeln!(out, "  {line}");
    }
    if found.is_empty() {
        out.push_str("  does not differ any more: remove the lines of the difference\n");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_scenarios_are_well_formed() {
        let scenarios = scenarios().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(scenarios.first().map(|first| &*first.name), Some(FIRST));
    }

    #[test]
    fn lines_of_one_side_are_found() {
        let lines = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
        assert_eq!(difference(&lines("abcd"), &lines("axcde")), ["-b", "+x", "+e"]);
        assert!(difference(&lines("ab"), &lines("ab")).is_empty());
    }
}
