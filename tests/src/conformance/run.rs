//! Runs every suite over a directory.

use std::path::Path;
use std::thread;

use crd_cel::kubernetes::KubernetesVersion;

use super::{Depth, Report, SUITES, Suite};

/// The stack of a thread that runs a suite, in bytes: in a debug build, the recorded cases nest too deep for a test
/// thread's 2 MiB.
const STACK: usize = 64 << 20;

/// The files that every complete recording has.
const LAYOUT: &[&str] = &[
    "kubernetes.jsonl",
    "openshift.jsonl",
    "openshift-crds.json",
    "cel/ast-positions.jsonl",
    "cel/crd-rules.jsonl",
    "cel/regex-re2.jsonl",
    "cel/spec-in-k8s-env.jsonl",
    "cel/syntax-errors.jsonl",
];

/// Returns the files that a directory lacks, in the order of `LAYOUT`.
pub fn absent(dir: &Path) -> Vec<String> {
    let mut missing: Vec<String> = LAYOUT
        .iter()
        .filter(|file| !dir.join(file).is_file())
        .map(|file| (*file).to_owned())
        .collect();
    if !has_language_tests(&dir.join("cel")) {
        missing.push("cel/spec-*.jsonl".to_owned());
    }
    missing
}

/// Whether the directory has a file of CEL's own tests.
fn has_language_tests(dir: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(dir) else { return false };
    entries.flatten().any(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        name.starts_with("spec-") && name.ends_with(".jsonl") && name != "spec-in-k8s-env.jsonl"
    })
}

/// Runs every suite over a directory, each on a thread of its own, and joins the reports in the order of [`SUITES`].
///
/// A suite that panics is reported as one failure; the others still count.
///
/// # Errors
/// If the version of the directory is not known.
pub fn run(dir: &Path) -> Result<Report, String> {
    let kubernetes = super::version_of(dir)?;
    let mut all = Report::of(kubernetes, Depth::of(kubernetes));
    thread::scope(|scope| {
        let running: Vec<_> = SUITES
            .iter()
            .map(|(name, suite)| {
                let thread = thread::Builder::new()
                    .name((*name).to_owned())
                    .stack_size(STACK)
                    .spawn_scoped(scope, move || run_suite(*suite, dir, kubernetes));
                (*name, thread)
            })
            .collect();
        for (name, thread) in running {
            match thread.map(thread::ScopedJoinHandle::join) {
                Ok(Ok(report)) => all.absorb(report),
                Ok(Err(_)) => all.fail(name, "(suite)", "the suite panicked".to_owned()),
                Err(error) => all.fail(name, "(suite)", format!("no thread: {error}")),
            }
        }
    });
    Ok(all)
}

fn run_suite(suite: Suite, dir: &Path, kubernetes: KubernetesVersion) -> Report {
    let mut report = Report::of(kubernetes, Depth::of(kubernetes));
    suite(dir, &mut report);
    report
}

impl Report {
    fn absorb(&mut self, other: Self) {
        self.outcomes.extend(other.outcomes);
        for (key, tally) in other.aspects {
            let sum = self.aspects.entry(key).or_default();
            sum.all += tally.all;
            sum.agree += tally.agree;
        }
    }
}
