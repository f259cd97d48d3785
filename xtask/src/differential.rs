//! `cargo xtask differential`: generated cases, decided here and by the API server's own code.

use std::fs;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crd_tests::differential::{self, Options, Summary};
use crd_tests::go;

use crate::oracle::complain;

/// Runs with `--cases N --seed S [--only NUMBER] [--save DIR]`.
pub(crate) fn main(args: impl Iterator<Item = String>) -> ExitCode {
    let (options, save) = match parse(args) {
        Ok(parsed) => parsed,
        Err(message) => {
            complain(&message);
            return ExitCode::from(super::EXIT_USAGE);
        }
    };
    match run(options, save.as_deref()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            complain(&message);
            ExitCode::FAILURE
        }
    }
}

fn parse(mut args: impl Iterator<Item = String>) -> Result<(Options, Option<PathBuf>), String> {
    let mut options = Options { cases: 20_000, seed: 1, only: None };
    let mut save = None;
    while let Some(flag) = args.next() {
        let value = args.next().ok_or_else(|| format!("`{flag}` takes a value"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("`{flag} {value}`: not a number"));
        match &*flag {
            "--cases" => options.cases = number()?,
            "--seed" => options.seed = number()?,
            "--only" => options.only = Some(number()?),
            "--save" => save = Some(PathBuf::from(&value)),
            _ => return Err(format!("no flag `{flag}`: --cases, --seed, --only, --save")),
        }
    }
    Ok((options, save))
}

fn run(options: Options, save: Option<&Path>) -> Result<bool, String> {
    let program = go::build("oracle")?;
    let terminal = io::stderr().is_terminal();
    let progress = |summary: &Summary| {
        if terminal {
            let (cases, bad) = (summary.cases(), summary.disagreements.len());
            let _ = write!(io::stderr(), "\r{cases} cases, {bad} disagree ");
        }
    };
    let summary = differential::run(&program, options, progress)
        .map_err(|error| format!("the oracle: {error}"))?;
    let out = &mut io::stdout();
    for (n, found) in summary.disagreements.iter().enumerate() {
        let _ = writeln!(out, "\n--only {}: {}\n{}", found.number, found.difference, found.case);
        if let Some(dir) = save {
            let path = dir.join(format!("differential-{}-{n}.json", options.seed));
            fs::create_dir_all(dir)
                .and_then(|()| fs::write(&path, format!("{}\n", found.case)))
                .map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    let Summary {
        definitions,
        accepted,
        objects,
        admitted,
        scales,
        rules,
        costs,
        varying,
        crashed,
        ..
    } = summary;
    let _ = writeln!(
        out,
        "seed {}: {definitions} definitions ({accepted} accepted), {objects} objects ({admitted} admitted), {scales} scales, \
         estimates of {rules} rules, costs in {costs} objects; {varying} to which the server's answers vary, \
         {crashed} more on which its code panics",
        options.seed
    );
    let bad = summary.disagreements.len();
    let _ = writeln!(out, "{} passed, {bad} failed", summary.cases().saturating_sub(bad as u64));
    Ok(bad == 0)
}
