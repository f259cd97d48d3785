//! `cargo dev conformance DIR`: compares the engine with recorded verdicts.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crd_tests::conformance::{self, Options};

use crate::EXIT_USAGE;

/// Runs the chore. The exit status is 1 if a case fails or if no case is selected; 2 if an argument is wrong or the cases cannot be read.
pub(crate) fn main(args: impl Iterator<Item = String>) -> ExitCode {
    match parse(args).and_then(|(dir, options)| compare(&dir, &options)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            let _ = writeln!(io::stderr(), "cargo dev conformance: {message}");
            ExitCode::from(EXIT_USAGE)
        }
    }
}

fn parse(mut args: impl Iterator<Item = String>) -> Result<(PathBuf, Options), String> {
    let mut dir = None;
    let mut options = Options::default();
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
        match arg.as_str() {
            "--show" => {
                options.show = value()?.parse().map_err(|_| "--show needs a number".to_owned())?;
            }
            "--only" => options.only = Some(value()?),
            flag if flag.starts_with('-') => return Err(format!("no option {flag}")),
            _ if dir.is_some() => return Err("one directory at a time".to_owned()),
            path => dir = Some(PathBuf::from(path)),
        }
    }
    Ok((dir.ok_or("which directory of vectors?")?, options))
}

fn compare(dir: &Path, options: &Options) -> Result<bool, String> {
    if !dir.is_dir() {
        return Err(format!("{} is no directory", dir.display()));
    }
    let mut report = conformance::run(dir)?;
    if report.outcomes.is_empty() {
        return Err(format!("{} holds no recorded cases", dir.display()));
    }
    report.outcomes.retain(|outcome| options.selects(outcome));
    let mut text = String::new();
    for file in conformance::absent(dir) {
        let _ = writeln!(text, "{file}: absent, skipped");
    }
    text += &conformance::render(&report, options);
    io::stdout().write_all(text.as_bytes()).map_err(|error| error.to_string())?;
    Ok(report.holds())
}
