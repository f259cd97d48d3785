//! `cargo dev requests`: generated requests, answered here and by a real kube-apiserver.

use std::env;
use std::io::{self, IsTerminal as _, Write as _};

use crd_tests::apiserver::{ApiServer, KUBECONFIG};
use crd_tests::go;
use crd_tests::requests::{self, Options, Summary};

use crate::{Outcome, say, temporary_directory};

/// The number of requests after which a run without a terminal prints its progress.
const PROGRESS: u64 = 1_000;

/// Send generated sequences of requests to a real kube-apiserver (needs Go) and to the in-process API server, and compare
/// the answers.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The least number of requests.
    #[arg(long, default_value_t = 1_000)]
    requests: u64,
    /// The seed; the same seed gives the same requests.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Send only the sequence with this number.
    #[arg(long, value_name = "NUMBER")]
    only: Option<u64>,
    /// Stop after this many disagreements.
    #[arg(long, default_value_t = 10)]
    show: usize,
    /// Convert one of the kinds by a webhook, and call admission webhooks in some sequences.
    #[arg(long)]
    webhook: bool,
}

/// Asks the real server of the variable [`KUBECONFIG`] if it is set, or else builds and starts one.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let Arguments { requests, seed, only, show, webhook } = *arguments;
    let options = Options { requests, seed, only, show, shrinks: true, webhook };
    // Printed first, so that an interrupted run can be repeated.
    say(&format!("seed {seed}"));
    let terminal = io::stderr().is_terminal();
    let (mut shown, mut next) = (0, PROGRESS);
    let progress = |summary: &Summary| {
        // Prints disagreements as they are found, so that an interrupted run has printed them.
        for found in &summary.disagreements[shown..] {
            say(&format!("\n{found}"));
        }
        shown = summary.disagreements.len();
        let (requests, failed) = (summary.requests, summary.failed);
        if terminal {
            let _ = write!(io::stderr(), "\r{requests} requests, {failed} sequences disagree ");
        } else if requests >= next {
            next = requests + PROGRESS;
            say(&format!("{requests} requests, {failed} sequences disagree"));
        }
    };
    let summary = if let Some(kubeconfig) = env::var_os(KUBECONFIG) {
        requests::run(Some(kubeconfig.as_ref()), options, progress)?
    } else {
        let program = go::build("apiserver")?;
        let dir = temporary_directory()?;
        let server = ApiServer::start(&program, dir.path()).map_err(|error| error.to_string())?;
        requests::run(Some(&server.kubeconfig()), options, progress)?
    };
    let Summary { sequences, requests, failed, .. } = summary;
    if webhook {
        say(&format!("the webhook converted {} objects", summary.conversions));
    }
    let passed = sequences - failed;
    say(&format!("seed {seed}: {requests} requests in {sequences} sequences"));
    say(&format!("{passed} sequences passed, {failed} failed"));
    Ok(failed == 0)
}
