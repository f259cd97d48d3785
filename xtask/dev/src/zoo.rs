//! `cargo dev zoo`: checks the laws of derived types on random types.

use std::env;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crd_tests::rustc::Rustc;
use crd_tests::zoo::{Sampling, run, source};

use crate::EXIT_USAGE;

/// At least one of this many types must compile. Usually six of ten do; if far fewer do, something else is wrong, such as
/// dependencies that do not fit each other.
const LEAST_PART: u64 = 4;

/// Runs the chore. The exit status is 1 if a law does not hold, 2 if the types cannot be tried or too few of them
/// compile.
pub(crate) fn main(args: impl Iterator<Item = String>) -> ExitCode {
    match parse(args).and_then(|(sampling, options)| check_laws(&sampling, &options)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            let _ = writeln!(io::stderr(), "cargo dev zoo: {message}");
            ExitCode::from(EXIT_USAGE)
        }
    }
}

/// Options that do not affect the generated types.
struct Options {
    show: usize,
    errors: bool,
    /// The number of a type whose source is printed; then no type is checked.
    print_only: Option<u64>,
}

fn parse(mut args: impl Iterator<Item = String>) -> Result<(Sampling, Options), String> {
    let mut sampling = Sampling { types: 300, batch: 300, seed: 1 };
    let mut options = Options { show: 3, errors: false, print_only: None };
    while let Some(arg) = args.next() {
        if arg == "--errors" {
            options.errors = true;
            continue;
        }
        let mut number = || {
            let value = args.next().ok_or_else(|| format!("{arg} needs a value"))?;
            value.parse::<u64>().map_err(|_| format!("{arg} needs a number"))
        };
        match arg.as_str() {
            "--types" => sampling.types = number()?,
            "--batch" => sampling.batch = number()?.max(1),
            "--seed" => sampling.seed = number()?,
            "--show" => options.show = usize::try_from(number()?).unwrap_or(usize::MAX),
            "--only" => options.print_only = Some(number()?),
            other => return Err(format!("no option {other}")),
        }
    }
    Ok((sampling, options))
}

/// Returns whether the laws hold for the sampled types.
fn check_laws(sampling: &Sampling, options: &Options) -> Result<bool, String> {
    let mut text = String::new();
    let mut verdict = Ok(true);
    if let Some(number) = options.print_only {
        text = source(sampling.seed, number);
    } else {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let target =
            env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
        let report = run(sampling, &target.join("zoo"), &Rustc::of_test("rustc"))
            .map_err(|error| error.to_string())?;
        text += &report.render(sampling, options.show);
        if options.errors {
            let mut errors: Vec<_> = report.errors.iter().collect();
            errors.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            for (error, count) in errors {
                let _ = writeln!(text, "{count:6} {error}");
            }
        }
        verdict = if report.compiled < sampling.types / LEAST_PART {
            let most = report.errors.iter().max_by_key(|(_, count)| **count);
            let error = most.map_or("no error", |(error, _)| error.as_str());
            Err(format!(
                "only {} of {} types compile, most often because of: {error}",
                report.compiled, sampling.types
            ))
        } else {
            Ok(report.disagreements.is_empty())
        };
    }
    io::stdout().write_all(text.as_bytes()).map_err(|error| error.to_string())?;
    verdict
}
