//! End to end: the examples against a real kube-apiserver, over HTTP.
//!
//! `cargo xtask e2e` starts one and runs these scenarios; without one they run against the API server of tests. They
//! run at the same time, each on objects of its own.

mod agreement;
mod applying;
mod built_in;
mod calls;
mod cluster;
mod controller;
mod conversion;
mod definitions;
mod in_process;
mod kubectl;
mod match_conditions;
mod migration;
mod outcomes;
mod typed;
mod upgrade;

use std::future::Future;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use cluster::Cluster;

/// The timeout of one scenario.
const PATIENCE: Duration = Duration::from_secs(240);

type Run = Pin<Box<dyn Future<Output = ()>>>;

/// A scenario and its name.
struct Scenario {
    name: &'static str,
    run: fn(Cluster) -> Run,
}

impl Scenario {
    /// Runs it on a runtime of its own, and returns the time that it took.
    fn run(&self, kubeconfig: PathBuf) -> Duration {
        let begin = Instant::now();
        block_on(async {
            let cluster = Cluster::connect(kubeconfig).await;
            let done = tokio::time::timeout(PATIENCE, (self.run)(cluster)).await;
            assert!(done.is_ok(), "{}: not done within {} s", self.name, PATIENCE.as_secs());
        });
        begin.elapsed()
    }
}

fn block_on(future: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(future);
}

macro_rules! scenarios {
    ($($module:ident::$name:ident),+ $(,)?) => {
        vec![$(Scenario {
            name: concat!(stringify!($module), "::", stringify!($name)),
            run: |cluster| Box::pin($module::$name(cluster)),
        }),+]
    };
}

fn main() -> ExitCode {
    let filter = env::args().skip(1).find(|arg| !arg.starts_with('-'));
    let filter = filter.as_deref();
    let passes = if let Some(kubeconfig) = env::var_os(crd_tests::apiserver::KUBECONFIG) {
        run(Path::new(&kubeconfig), filter)
    } else {
        let kubeconfig = in_process::start();
        let passes = run(&kubeconfig, filter);
        let _ = fs::remove_file(kubeconfig);
        passes
    };
    if passes { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs the scenarios. Returns whether all passed.
fn run(kubeconfig: &Path, filter: Option<&str>) -> bool {
    let out = &mut io::stdout();
    block_on(async {
        definitions::install(&Cluster::connect(kubeconfig.to_owned()).await).await;
    });
    let mut scenarios = scenarios![
        definitions::established_and_complete,
        definitions::rejected_as_predicted,
        outcomes::documented,
        agreement::crontab,
        agreement::shirt,
        agreement::cleaner,
        agreement::cluster_profile,
        agreement::raw,
        agreement::endpoint,
        applying::foreseen,
        built_in::read_back,
        built_in::malformed,
        calls::objects,
        calls::status_and_scale,
        calls::selectors,
        calls::watch,
        calls::finalizers,
        controller::reconciles,
        conversion::both_ways,
        conversion::failures,
        kubectl::get,
        kubectl::explain,
        match_conditions::authorizer,
        migration::rewrites_and_drops,
        typed::client,
        upgrade::new_fields_and_versions,
        upgrade::rejected_as_predicted,
        upgrade::ratcheting,
    ];
    scenarios.retain(|scenario| filter.is_none_or(|filter| scenario.name.contains(filter)));
    let started: Vec<_> = scenarios
        .into_iter()
        .map(|scenario| {
            let kubeconfig = kubeconfig.to_owned();
            let name = scenario.name;
            let thread = thread::Builder::new().name(name.to_owned());
            (name, thread.spawn(move || scenario.run(kubeconfig)))
        })
        .collect();
    let (mut passed, mut failed) = (0, 0);
    for (name, thread) in started {
        // The message of the panic is already on standard error.
        let outcome = if let Ok(time) = thread.expect("a thread").join() {
            passed += 1;
            format!("ok ({:.1} s)", time.as_secs_f64())
        } else {
            failed += 1;
            "FAILED".to_owned()
        };
        let _ = writeln!(out, "test {name} ... {outcome}");
    }
    let verdict = if failed == 0 { "ok" } else { "FAILED" };
    let _ = writeln!(out, "\ntest result: {verdict}. {passed} passed; {failed} failed");
    failed == 0
}
