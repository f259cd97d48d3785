//! `cargo dev requests`: generated requests, answered here and by a real kube-apiserver.

use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;
use std::{env, fs, process};

use crd_tests::apiserver::{ApiServer, KUBECONFIG};
use crd_tests::go;
use crd_tests::requests::{self, Options, Summary};

use crate::oracle::complain;

/// The number of requests after which a run without a terminal prints its progress.
const PROGRESS: u64 = 1_000;

/// Runs with `[--requests N] [--seed S] [--only NUMBER] [--show N] [--webhook]`, by default 1,000
/// requests of seed 1. `--only` runs the sequence with this number, and `--show` stops after N
/// disagreements. With `--webhook`, a webhook converts one of the kinds. The real server is that of the
/// variable [`KUBECONFIG`] if it is set; otherwise one is built and started.
pub(crate) fn main(args: impl Iterator<Item = String>) -> ExitCode {
    let options = match parse(args) {
        Ok(options) => options,
        Err(message) => {
            complain(&message);
            return ExitCode::from(super::EXIT_USAGE);
        }
    };
    match run(options) {
        Ok(summary) if summary.failed == 0 => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(message) => {
            complain(&message);
            ExitCode::FAILURE
        }
    }
}

fn parse(mut args: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options =
        Options { requests: 1_000, seed: 1, only: None, show: 10, shrinks: true, webhook: false };
    while let Some(flag) = args.next() {
        if flag == "--webhook" {
            options.webhook = true;
            continue;
        }
        let value = args.next().ok_or_else(|| format!("`{flag}` takes a value"))?;
        let number = value.parse::<u64>().map_err(|_| format!("`{flag} {value}`: not a number"))?;
        match &*flag {
            "--requests" => options.requests = number,
            "--seed" => options.seed = number,
            "--only" => options.only = Some(number),
            "--show" => options.show = usize::try_from(number).unwrap_or(usize::MAX),
            _ => {
                return Err(format!(
                    "unknown flag `{flag}`; known are --requests, --seed, --only, --show, --webhook"
                ));
            }
        }
    }
    Ok(options)
}

fn run(options: Options) -> Result<Summary, String> {
    // Printed first, so that an interrupted run can be repeated.
    let _ = writeln!(io::stdout(), "seed {}", options.seed);
    let terminal = io::stderr().is_terminal();
    let (mut shown, mut next) = (0, PROGRESS);
    let progress = |summary: &Summary| {
        // Prints disagreements as they are found, so that an interrupted run has printed them.
        for found in &summary.disagreements[shown..] {
            let _ = writeln!(io::stdout(), "\n{found}");
        }
        shown = summary.disagreements.len();
        let (requests, failed) = (summary.requests, summary.failed);
        if terminal {
            let _ = write!(io::stderr(), "\r{requests} requests, {failed} sequences disagree ");
        } else if requests >= next {
            next = requests + PROGRESS;
            let _ = writeln!(io::stdout(), "{requests} requests, {failed} sequences disagree");
        }
    };
    let summary = if let Some(kubeconfig) = env::var_os(KUBECONFIG) {
        requests::run(Some(kubeconfig.as_ref()), options, progress)?
    } else {
        let program = go::build("apiserver")?;
        let dir = env::temp_dir().join(format!("crd-requests-{}", process::id()));
        let server = ApiServer::start(&program, &dir).map_err(|error| error.to_string())?;
        let summary = requests::run(Some(&server.kubeconfig()), options, progress);
        drop(server);
        let _ = fs::remove_dir_all(&dir);
        summary?
    };
    let out = &mut io::stdout();
    let Summary { sequences, requests, failed, .. } = summary;
    if options.webhook {
        let _ = writeln!(out, "the webhook converted {} objects", summary.conversions);
    }
    let passed = sequences - failed;
    let _ = writeln!(out, "seed {}: {requests} requests in {sequences} sequences", options.seed);
    let _ = writeln!(out, "{passed} sequences passed, {failed} failed");
    Ok(summary)
}
