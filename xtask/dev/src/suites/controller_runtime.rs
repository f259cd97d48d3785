//! The suites of controller-runtime that need an API server.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crd_tests::go::{self, workspace};
use serde_json::Value;

use super::results::{self, Results};
use super::server::Server;

/// The module, whose version is that of `tests/kube/suites/go.mod`.
const MODULE: &str = "sigs.k8s.io/controller-runtime";

/// The packages whose suites start or use an API server.
pub(super) const SUITES: [&str; 18] = [
    "pkg/builder",
    "pkg/cache",
    "pkg/client",
    "pkg/client/apiutil",
    "pkg/cluster",
    "pkg/controller",
    "pkg/controller/controllerutil",
    "pkg/envtest",
    "pkg/envtest/komega",
    "pkg/handler",
    "pkg/internal/controller",
    "pkg/internal/recorder",
    "pkg/manager",
    "pkg/manager/internal/integration",
    "pkg/metrics/filters",
    "pkg/reconcile",
    "pkg/source",
    "pkg/webhook",
];

/// The compiled tests of a package.
pub(super) struct Program {
    name: &'static str,
    path: PathBuf,
    /// The directory of the package in the module cache, where its tests find their data.
    directory: PathBuf,
}

/// Compiles the tests of a package, with the modules of `tests/kube/suites`.
pub(super) fn build(name: &'static str) -> Result<Program, String> {
    let modules = workspace().join("tests").join("kube").join("suites");
    let package = format!("{MODULE}/{name}");
    let path = workspace().join("target").join("kube").join("suites").join(name.replace('/', "-"));
    let mut command = Command::new("go");
    command
        .args(["test", "-c", "-vet=off", "-ldflags=-s -w", "-p", "2", "-o"])
        .arg(&path)
        .arg(&package);
    go::output(command.current_dir(&modules))?;
    let mut list = Command::new("go");
    list.args(["list", "-f", "{{.Dir}}", &package]);
    let directory = PathBuf::from(go::output(list.current_dir(&modules))?.trim());
    Ok(Program { name, path, directory })
}

impl Program {
    /// Runs all specs and tests.
    pub(super) fn run(&self, server: &Server) -> Result<Results, String> {
        let file = results::directory(server.side).join(self.name.replace('/', "-"));
        let (log, report) = (file.with_extension("log"), file.with_extension("report.json"));
        // A report that is there afterwards has to be of this run.
        let _ = fs::remove_file(&report);
        let about =
            |path: &Path, error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let output = fs::File::create(&log).map_err(|error| about(&log, &error))?;
        let errors = output.try_clone().map_err(|error| about(&log, &error))?;
        let begin = Instant::now();
        Command::new(&self.path)
            .args(["-test.v", "-test.timeout=15m", "-ginkgo.no-color", "-ginkgo.seed=1"])
            // Specs with short timeouts fail now and then on a busy machine.
            .arg("-ginkgo.flake-attempts=3")
            .arg(format!("-ginkgo.json-report={}", report.display()))
            .current_dir(&self.directory)
            .env("USE_EXISTING_CLUSTER", "true")
            .env("KUBECONFIG", &server.kubeconfig)
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(errors)
            .status()
            .map_err(|error| about(&self.path, &error))?;
        let mut results = Results { seconds: begin.elapsed().as_secs_f64(), ..Results::default() };
        // Without a report, the program has ended before its end, so that none of its specs count as run.
        if let Ok(text) = fs::read_to_string(&report) {
            let value = serde_json::from_str(&text).map_err(|error| about(&report, &error))?;
            add_specs(&value, &mut results);
        }
        let text = fs::read(&log).map_err(|error| about(&log, &error))?;
        add_tests(&String::from_utf8_lossy(&text), &mut results);
        Ok(results)
    }
}

/// Adds the specs of a report of ginkgo that were not skipped.
fn add_specs(report: &Value, results: &mut Results) {
    let suites = report.as_array().into_iter().flatten();
    for spec in suites.flat_map(|suite| suite["SpecReports"].as_array().into_iter().flatten()) {
        if spec["LeafNodeType"] != "It" {
            continue;
        }
        let containers = spec["ContainerHierarchyTexts"].as_array().into_iter().flatten();
        let words = containers.chain([&spec["LeafNodeText"]]).filter_map(Value::as_str);
        let name = words.collect::<Vec<_>>().join(" ");
        match spec["State"].as_str() {
            Some("passed") => results.add(&name, None),
            Some("skipped" | "pending") | None => {}
            Some(state) => {
                let failure = &spec["Failure"];
                let message = failure["Message"].as_str().unwrap_or_default();
                let line = &failure["Location"]["LineNumber"];
                let file = failure["Location"]["FileName"].as_str().unwrap_or_default();
                let file = file.rsplit('/').next().unwrap_or_default();
                results.add(&name, Some(format!("{state} at {file}:{line}: {message}")));
            }
        }
    }
}

/// Adds the tests that are no suites of ginkgo, from the output of `-test.v`.
fn add_tests(log: &str, results: &mut Results) {
    let (mut running, mut suites) = ("", HashSet::new());
    for line in log.lines() {
        if let Some(name) = line.strip_prefix("=== RUN   ") {
            running = name;
        } else if line.starts_with("Running Suite: ") {
            suites.insert(running);
        } else if let Some((verdict, rest)) =
            line.trim_start().strip_prefix("--- ").and_then(|rest| rest.split_once(": "))
        {
            let name = rest.split(" (").next().unwrap_or_default();
            match verdict {
                _ if suites.contains(name) => {}
                "PASS" => results.add(name, None),
                "FAIL" => results.add(name, Some("failed".to_owned())),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn specs_and_tests_are_read() {
        let spec = |leaf: &str, state: &str| {
            json!({
                "LeafNodeType": "It", "ContainerHierarchyTexts": ["A", "b"], "LeafNodeText": leaf, "State": state,
                "Failure": {"Message": "why", "Location": {"FileName": "/x/y_test.go", "LineNumber": 7}}
            })
        };
        let specs = [spec("one", "passed"), spec("two", "failed"), spec("three", "skipped")];
        let suite = json!({"LeafNodeType": "BeforeSuite", "State": "passed"});
        let report = json!([{"SpecReports": specs.into_iter().chain([suite]).collect::<Vec<_>>()}]);
        let mut results = Results::default();
        add_specs(&report, &mut results);
        let log = "=== RUN   TestSuite\nRunning Suite: Suite - /x\n--- FAIL: TestSuite (0.10s)\n=== RUN   TestA\n\
                   === RUN   TestA/b_c\n--- FAIL: TestA (0.01s)\n    --- PASS: TestA/b_c (0.00s)\n--- SKIP: TestD (0.00s)\n";
        add_tests(log, &mut results);
        let specs: Vec<(&str, Option<&str>)> =
            results.specs.iter().map(|(name, why)| (name.as_str(), why.as_deref())).collect();
        assert_eq!(
            specs,
            [
                ("A b one", None),
                ("A b two", Some("failed at y_test.go:7: why")),
                ("TestA", Some("failed")),
                ("TestA/b_c", None)
            ]
        );
    }
}
