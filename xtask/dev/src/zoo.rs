//! `cargo dev zoo`: checks the laws of derived types on random types.

use std::env;
use std::path::PathBuf;

use crd_tests::go::workspace;
use crd_tests::rustc::Rustc;
use crd_tests::zoo::{self, Sampling, source};

use crate::{Outcome, say};

/// At least one of this many types must compile. Usually six of ten do; if far fewer do, something else is wrong, such as
/// dependencies that do not fit each other.
const LEAST_PART: u64 = 4;

/// Compile random types with the derives, and check the laws of derived types.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The number of types.
    #[arg(long, default_value_t = 300)]
    types: u64,
    /// The number of types in one crate.
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    batch: u64,
    /// The seed; a type depends on it and on the type's number.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The largest number of disagreements to show.
    #[arg(long, default_value_t = 3)]
    show: usize,
    /// Print how often each error of the derives occurs.
    #[arg(long)]
    errors: bool,
    /// Print the source of the type with this number, and check none.
    #[arg(long, value_name = "NUMBER")]
    only: Option<u64>,
}

/// Returns whether the laws hold for the sampled types. It is an error if too few of them compile.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let Arguments { types, batch, seed, .. } = *arguments;
    if let Some(number) = arguments.only {
        say(source(seed, number).trim_end());
        return Ok(true);
    }
    let sampling = Sampling { types, batch, seed };
    let target =
        env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace().join("target"), PathBuf::from);
    let report = zoo::run(&sampling, &target.join("zoo"), &Rustc::of_test("rustc"))
        .map_err(|error| error.to_string())?;
    say(report.render(&sampling, arguments.show).trim_end());
    let mut errors: Vec<_> = report.errors.iter().collect();
    errors.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    if arguments.errors {
        for (error, count) in &errors {
            say(&format!("{count:6} {error}"));
        }
    }
    let compiled = report.compiled;
    if compiled < types / LEAST_PART {
        let error = errors.first().map_or("no error", |(error, _)| error.as_str());
        return Err(format!(
            "only {compiled} of {types} types compile, most often because of: {error}"
        ));
    }
    Ok(report.disagreements.is_empty())
}
