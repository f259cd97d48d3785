//! `cargo dev compare`: measures this engine, the API server's own code and other crates.
//!
//! The other crates are not dependencies of this workspace, but of the package `bench`, which has its own lock file. It
//! is built here in release mode.

use crd_cel::kubernetes::KubernetesVersion;
use crd_tests::go;

use crate::{Outcome, cargo, complain, succeed};

/// Measure beside the API server's own code (needs Go) and other crates, and write BENCHMARKS.md.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The number of rounds.
    #[arg(long)]
    rounds: Option<String>,
    /// Leave BENCHMARKS.md as it is.
    #[arg(long)]
    dry: bool,
}

pub(crate) fn run(arguments: Arguments) -> Outcome {
    let mut bench = cargo();
    bench.args(["run", "--release", "--features", "peers", "--bin", "compare"]);
    bench.args(["--manifest-path", "bench/Cargo.toml", "--"]);
    bench.args(["--release", env!("CARGO_PKG_VERSION")]);
    match go::build_oracle(KubernetesVersion::REFERENCE) {
        Ok(program) => _ = bench.arg("--oracle").arg(program),
        Err(message) => complain(&format!("{message}\nThe rows of the server are left out.")),
    }
    if let Some(rounds) = arguments.rounds {
        bench.args(["--rounds", &rounds]);
    }
    if !arguments.dry {
        bench.args(["--out", "BENCHMARKS.md"]);
    }
    succeed(&mut bench)
}
