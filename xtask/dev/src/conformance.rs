//! `cargo dev conformance`: compares the engine with recorded verdicts.

use std::path::PathBuf;

use crd_tests::conformance::{self, Options};

use crate::{Outcome, say};

/// Compare with the recorded verdicts of the real API server.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The directory of the verdicts.
    directory: PathBuf,
    /// The largest number of disagreements to show of each source.
    #[arg(long, default_value_t = 3)]
    show: usize,
    /// Compare only what has this source, this id, or both.
    #[arg(long, value_name = "SOURCE|ID|SOURCE:ID")]
    only: Option<String>,
}

/// Returns whether all selected cases agree; it is an error if none is recorded.
pub(crate) fn run(arguments: Arguments) -> Outcome {
    let Arguments { directory, show, only } = arguments;
    let options = Options { show, only };
    let mut report = conformance::run(&directory)?;
    if report.outcomes.is_empty() {
        return Err(format!("{} has no recorded cases", directory.display()));
    }
    report.outcomes.retain(|outcome| options.selects(outcome));
    for file in conformance::absent(&directory) {
        say(&format!("{file}: absent, skipped"));
    }
    say(conformance::render(&report, &options).trim_end());
    Ok(report.holds())
}
