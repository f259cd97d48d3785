//! Measures `crd()` of a kind with a pod template, and the time to write 200 manifests as
//! `cargo xtask crds` does.
//!
//! `cargo bench --manifest-path bench/Cargo.toml --bench generation`; the exit status is 1 if one of them
//! exceeds its limit.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "prints its results")]

use std::ffi::OsString;
use std::hint::black_box;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, process};

use crd_bench::clock::Window;
use crd_examples::cleaner::Cleaner;
use crd_examples::cluster_profile::ClusterProfile;
use crd_examples::crontab::CronTab;
use crd_examples::raw::Raw;
use crd_runtime::CustomResource;
use crd_cli::Registry;
use k8s_openapi::api::core::v1::PodTemplateSpec;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Runs a pod.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[crd(group = "bench.example.com", version = "v1", kind = "Runner", namespaced)]
#[serde(rename_all = "camelCase")]
struct RunnerSpec {
    /// What runs.
    template: PodTemplateSpec,
    /// How often.
    replicas: i32,
}

/// The number of manifests that are written.
const KINDS: usize = 200;
/// The limit for writing them, from the start of the process to its end.
const WRITING: Duration = Duration::from_secs(1);
/// The limit for `crd()` of a kind with a pod template, in nanoseconds of CPU time.
const POD_TEMPLATE: f64 = 2e6;
/// The argument by which this program writes the manifests instead of measuring.
const WRITE: &str = "--write-manifests";
/// The number of runs, of which the fastest counts.
const RUNS: usize = 5;

fn main() -> ExitCode {
    let args: Vec<OsString> = env::args_os().skip(1).collect();
    if let [flag, dir] = &args[..]
        && flag == WRITE
    {
        let args = ["xtask", "crds", "--out"].map(OsString::from);
        return registry().run_with(args.into_iter().chain([dir.clone()]));
    }
    let first = Window::once(&mut || {
        black_box(Runner::crd());
    });
    println!("`crd()` of a kind with a pod template, the first time: {:.2} ms", first / 1e6);
    let call: &mut dyn FnMut() = &mut || {
        black_box(Runner::crd());
    };
    let window = Window::of(Duration::from_millis(20), call);
    let nanos = (0..RUNS).map(|_| window.nanos(call)).min_by(f64::total_cmp).unwrap_or(f64::NAN);
    println!("`crd()` of a kind with a pod template: {:.2} ms (at most 2)", nanos / 1e6);

    let dir = env::temp_dir().join(format!("crd-bench-{}", process::id()));
    let writing = (0..RUNS).map(|_| time_to_write(&dir)).min().unwrap_or(Duration::MAX);
    let files = fs::read_dir(&dir).map_or(0, Iterator::count);
    let _ = fs::remove_dir_all(&dir);
    println!("{files} manifests written: {writing:.0?} (at most {WRITING:.0?})");
    if files == KINDS && writing <= WRITING && nanos <= POD_TEMPLATE {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Returns how long another process takes to write all manifests to a directory that does not exist yet.
fn time_to_write(dir: &std::path::Path) -> Duration {
    let _ = fs::remove_dir_all(dir);
    let start = Instant::now();
    let status = Command::new(env::current_exe().expect("this program"))
        .arg(WRITE)
        .arg(dir)
        .stdout(Stdio::null())
        .status();
    assert!(status.is_ok_and(|status| status.success()), "the manifests are written");
    start.elapsed()
}

/// Returns the definitions of five types, each 40 times under different names.
fn registry() -> Registry {
    (0..KINDS).fold(Registry::new(), |registry, n| match n % 5 {
        0 => registry.manifest(&renamed::<CronTab>(n)),
        1 => registry.manifest(&renamed::<Cleaner>(n)),
        2 => registry.manifest(&renamed::<ClusterProfile>(n)),
        3 => registry.manifest(&renamed::<Raw>(n)),
        _ => registry.manifest(&renamed::<Runner>(n)),
    })
}

fn renamed<T: CustomResource>(n: usize) -> Value {
    let mut crd = serde_json::to_value(T::definition()).expect("manifests serialize");
    let plural = format!("kind{n}s");
    let group = crd["spec"]["group"].as_str().unwrap_or_default();
    crd["metadata"]["name"] = format!("{plural}.{group}").into();
    let names = &mut crd["spec"]["names"];
    names["plural"] = plural.into();
    names["singular"] = format!("kind{n}").into();
    names["kind"] = format!("Kind{n}").into();
    names["listKind"] = format!("Kind{n}List").into();
    if let Some(names) = names.as_object_mut() {
        names.remove("shortNames");
    }
    crd
}
