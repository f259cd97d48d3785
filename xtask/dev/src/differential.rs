//! `cargo dev differential`: compares verdicts on generated cases with those of the API server's own code.

use std::fs;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use crd_cel::kubernetes::KubernetesVersion;
use crd_tests::conformance::Depth;
use crd_tests::differential::{self, Corpus, Options, Summary};
use crd_tests::go;

use crate::oracle::complain;

/// Runs with `[--cases N] [--seed S] [--kubernetes 1.33|all] [--only NUMBER] [--save DIR] [--recorded DIR] [--depth
/// texts|verdicts]`, by default 20,000 cases of seed 1 for the reference version. With `--recorded`, the cases are
/// changes of the recorded definitions and objects of a directory, and of those of the examples. With `--depth texts`,
/// all texts and costs are compared for older minors too; with `--depth verdicts`, for none.
pub(crate) fn main(args: impl Iterator<Item = String>) -> ExitCode {
    let (options, mut arguments) = match parse(args) {
        Ok(parsed) => parsed,
        Err(message) => {
            complain(&message);
            return ExitCode::from(super::EXIT_USAGE);
        }
    };
    let mut all_agree = true;
    for kubernetes in std::mem::take(&mut arguments.versions) {
        let depth = arguments.depth.unwrap_or(Depth::of(kubernetes));
        match run(Options { kubernetes, depth, ..options }, &arguments) {
            Ok(agrees) => all_agree &= agrees,
            Err(message) => {
                complain(&message);
                return ExitCode::FAILURE;
            }
        }
    }
    if all_agree { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The arguments other than [`Options`].
#[derive(Debug, Default)]
struct Arguments {
    versions: Vec<KubernetesVersion>,
    /// The directory to which disagreements are written.
    save: Option<PathBuf>,
    /// The directory of recorded cases.
    recorded: Option<PathBuf>,
    depth: Option<Depth>,
}

fn parse(mut args: impl Iterator<Item = String>) -> Result<(Options, Arguments), String> {
    let kubernetes = KubernetesVersion::REFERENCE;
    let mut options =
        Options { cases: 20_000, seed: 1, only: None, kubernetes, depth: Depth::Texts };
    let versions = vec![KubernetesVersion::REFERENCE];
    let mut arguments = Arguments { versions, ..Arguments::default() };
    while let Some(flag) = args.next() {
        let value = args.next().ok_or_else(|| format!("`{flag}` takes a value"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("`{flag} {value}`: not a number"));
        match &*flag {
            "--cases" => options.cases = number()?,
            "--seed" => options.seed = number()?,
            "--only" => options.only = Some(number()?),
            "--save" => arguments.save = Some(PathBuf::from(&value)),
            "--kubernetes" if value == "all" => {
                arguments.versions = KubernetesVersion::ALL.to_vec();
            }
            "--kubernetes" => {
                arguments.versions =
                    vec![value.parse().map_err(|error| format!("`--kubernetes`: {error}"))?];
            }
            "--depth" if value == "texts" => arguments.depth = Some(Depth::Texts),
            "--depth" if value == "verdicts" => arguments.depth = Some(Depth::Verdicts),
            "--depth" => return Err(format!("`--depth {value}`: not texts or verdicts")),
            "--recorded" => arguments.recorded = Some(PathBuf::from(&value)),
            _ => {
                let flags = "--cases, --seed, --kubernetes, --only, --save, --recorded, --depth";
                return Err(format!("unknown flag `{flag}`; known are {flags}"));
            }
        }
    }
    Ok((options, arguments))
}

fn run(options: Options, arguments: &Arguments) -> Result<bool, String> {
    let corpus = arguments
        .recorded
        .as_deref()
        .map(|dir| Corpus::read(dir).map_err(|error| format!("{}: {error}", dir.display())));
    let corpus = corpus.transpose()?;
    let program = go::build_oracle(options.kubernetes)?;
    // Printed first, so that an interrupted run can be repeated.
    let _ = writeln!(io::stdout(), "seed {}", options.seed);
    let terminal = io::stderr().is_terminal();
    let progress = |summary: &Summary| {
        if terminal {
            let (cases, bad) = (summary.cases(), summary.disagreements.len());
            let _ = write!(io::stderr(), "\r{cases} cases, {bad} disagree ");
        }
    };
    let summary = differential::run(&program, options, corpus.as_ref(), progress)
        .map_err(|error| format!("the oracle: {error}"))?;
    let out = &mut io::stdout();
    for (n, found) in summary.disagreements.iter().enumerate() {
        let _ = writeln!(out, "\n--only {}: {}\n{}", found.number, found.difference, found.case);
        if let Some(dir) = &arguments.save {
            let path =
                dir.join(format!("differential-{}-{}-{n}.json", options.kubernetes, options.seed));
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
        "Kubernetes {}, seed {}: {definitions} definitions ({accepted} accepted), {objects} objects ({admitted} admitted), {scales} scales, \
         estimates of {rules} rules, costs in {costs} objects; {varying} cases to which the server's answers vary, \
         {crashed} more on which its code panics",
        options.kubernetes, options.seed
    );
    let bad = summary.disagreements.len();
    let _ = writeln!(out, "{} passed, {bad} failed", summary.cases().saturating_sub(bad as u64));
    Ok(bad == 0)
}
