//! Compares the API server of tests with kube's client alone, which gets a fixed answer (the floor), and, if
//! one is running, with a real kube-apiserver.
//!
//! `cargo dev speed` starts a real server first and runs this. Without one,
//! `cargo bench --manifest-path bench/Cargo.toml --features apiserver --bench apiserver` measures the rest.
//! `.. -- count server|floor|tree|start N` does one thing N times, for a tool that counts instructions.
//!
//! The objects are of the kind `CronTab` of the examples. The runtime has one thread.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "prints its results")]

mod creates;
mod latency;
mod memory;
mod sides;
mod start;

use std::alloc::System;
use std::env;
use std::future::Future;
use std::process::ExitCode;

use sides::Real;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// The environment variable with the path of the admin kubeconfig of a real server.
const KUBECONFIG: &str = "CRD_E2E_KUBECONFIG";

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let result = match args.iter().map(|arg| &**arg).collect::<Vec<_>>()[..] {
        [] => report(),
        ["count", what, times] => match times.parse() {
            Ok(times) => counted(what, times),
            Err(_) => Err(format!("`{times}` is no number")),
        },
        _ => Err("usage: apiserver [count server|floor|tree|start N]".to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn report() -> Result<(), String> {
    block_on(async {
        let real = match env::var_os(KUBECONFIG) {
            Some(path) => Some(Real::connect(path.as_ref()).await?),
            None => {
                println!("{KUBECONFIG} is not set: no real server is measured");
                None
            }
        };
        println!("| what | median | quartiles |");
        println!("|---|---|---|");
        creates::report(real.as_ref()).await?;
        latency::report(real.as_ref()).await?;
        memory::report().await?;
        start::report();
        Ok(())
    })?
}

fn counted(what: &str, times: usize) -> Result<(), String> {
    block_on(async {
        match what {
            "start" => {
                start::many(times);
                Ok(())
            }
            _ => creates::counted(what, times).await,
        }
    })?
}

fn block_on<T>(future: impl Future<Output = T>) -> Result<T, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    Ok(runtime.map_err(|error| error.to_string())?.block_on(future))
}

/// Prints a row of the table: the median and the quartiles of the values.
fn row(what: &str, values: Vec<f64>, unit: &str) {
    let [low, median, high] = crd_bench::stats::quartiles(values).map(digits);
    println!("| {what} | **{median}**{unit} | {low} to {high} |");
}

/// Formats a value from 1 to 1,000 with three significant digits.
fn digits(value: f64) -> String {
    match value {
        value if value < 10.0 => format!("{value:.2}"),
        value if value < 100.0 => format!("{value:.1}"),
        value => format!("{value:.0}"),
    }
}
