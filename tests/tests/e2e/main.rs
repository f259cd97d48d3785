//! End to end: the examples against a real kube-apiserver, over HTTP.
//!
//! `cargo dev e2e` starts one and runs these scenarios. Without one they run against an in-process API server, except
//! for those that compare the two. Each scenario uses objects of its own, so they can run at the same time.

mod agreement;
mod applying;
mod built_in;
mod calls;
mod cluster;
mod controller;
mod conversion;
mod conversion_stories;
mod definitions;
mod in_process;
mod kubectl;
mod match_conditions;
mod migration;
mod outcomes;
mod pair;
mod patches;
mod typed;
mod upgrade;
mod webhook;

use std::env;
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::process::ExitCode;
use std::sync::LazyLock;
use std::time::Duration;

use cluster::Cluster;
use crd_tests::apiserver::KUBECONFIG;
use libtest_mimic::{Arguments, Trial};

/// The timeout of one scenario.
const PATIENCE: Duration = Duration::from_secs(240);
/// The number of scenarios that run at a time, without `--test-threads`. Most of them wait for the server.
const AT_A_TIME: usize = 8;

/// The kubeconfig of the server, in which the examples are installed. A server is started if the environment names none.
static SERVER: LazyLock<PathBuf> = LazyLock::new(|| {
    let kubeconfig = env::var_os(KUBECONFIG).map_or_else(in_process::start, PathBuf::from);
    block_on(async {
        definitions::install(&Cluster::connect(kubeconfig.clone()).await).await;
    });
    kubeconfig
});

type Run = Pin<Box<dyn Future<Output = ()>>>;

/// A scenario and its name.
struct Scenario {
    name: &'static str,
    run: fn(Cluster) -> Run,
}

impl Scenario {
    /// Makes a test of it, which runs on a runtime of its own.
    fn into_trial(self) -> Trial {
        let Self { name, run } = self;
        Trial::test(name, move || {
            let kubeconfig = SERVER.clone();
            block_on(async {
                let cluster = Cluster::connect(kubeconfig).await;
                let done = tokio::time::timeout(PATIENCE, run(cluster)).await;
                done.map_err(|_| format!("not done within {} s", PATIENCE.as_secs()).into())
            })
        })
    }
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(future)
}

macro_rules! scenarios {
    ($($module:ident::$name:ident),+ $(,)?) => {
        [$(Scenario {
            name: concat!(stringify!($module), "::", stringify!($name)),
            run: |cluster| Box::pin($module::$name(cluster)),
        }),+]
    };
}

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(AT_A_TIME);
    let scenarios = scenarios![
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
        calls::objects,
        calls::status_and_scale,
        calls::selectors,
        calls::watch,
        calls::finalizers,
        controller::reconciles,
        conversion::applies,
        conversion::both_ways,
        conversion::failures,
        kubectl::table,
        migration::rewrites_and_drops,
        typed::client,
        upgrade::new_fields_and_versions,
        upgrade::rejected_as_predicted,
        upgrade::ratcheting,
    ];
    // These compare the real server with an in-process one. Without a real one there is nothing to compare.
    let of_two_servers = scenarios![
        built_in::read_back,
        built_in::malformed,
        built_in::events,
        conversion_stories::fields_are_kept,
        conversion_stories::nothing_to_convert,
        conversion_stories::wrong_answers,
        conversion_stories::undecodable,
        definitions::finalizers_of_a_deleted_one,
        patches::malformed,
        match_conditions::authorizer,
    ];
    let has_real_server = env::var_os(KUBECONFIG).is_some();
    let with_kubectl = scenarios![kubectl::get, kubectl::explain];
    let has_kubectl = env::var_os(crd_tests::kubectl::KUBECTL).is_some();
    let with_kubectl = with_kubectl
        .into_iter()
        .map(|scenario| scenario.into_trial().with_ignored_flag(!has_kubectl));
    let trials = scenarios.into_iter().map(Scenario::into_trial).chain(with_kubectl);
    let of_two_servers = of_two_servers
        .into_iter()
        .map(|scenario| scenario.into_trial().with_ignored_flag(!has_real_server));
    let conclusion = libtest_mimic::run(&arguments, trials.chain(of_two_servers).collect());
    in_process::clean_up();
    conclusion.exit_code()
}
