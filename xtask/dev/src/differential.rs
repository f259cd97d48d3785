//! `cargo dev differential`: compares verdicts on generated cases with those of the API server's own code.

use std::fs;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;

use clap::ValueEnum;
use crd_cel::kubernetes::KubernetesVersion;
use crd_tests::conformance::Depth;
use crd_tests::differential::{self, Corpus, Options, Summary};
use crd_tests::go;

use crate::{Outcome, say};

/// Decide generated cases here and with the API server's own code (needs Go), and compare.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The least number of cases.
    #[arg(long, default_value_t = 20_000)]
    cases: u64,
    /// The seed of the generator; the same seed gives the same cases.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The version of the server, or `all`.
    #[arg(long, value_name = "1.33|all", value_parser = versions)]
    kubernetes: Option<Versions>,
    /// Compare all texts and costs for older minors too, or for none.
    #[arg(long)]
    depth: Option<Compared>,
    /// Decide changes of the definitions and objects that are recorded in this directory, and of those of the examples.
    #[arg(long, value_name = "DIR")]
    recorded: Option<PathBuf>,
    /// Decide only the cases of this number.
    #[arg(long, value_name = "NUMBER")]
    only: Option<u64>,
    /// Write disagreements to this directory.
    #[arg(long, value_name = "DIR")]
    save: Option<PathBuf>,
}

#[derive(Debug, Clone)]
struct Versions(Vec<KubernetesVersion>);

fn versions(text: &str) -> Result<Versions, String> {
    if text == "all" {
        return Ok(Versions(KubernetesVersion::ALL.to_vec()));
    }
    text.parse().map(|version| Versions(vec![version])).map_err(|error| format!("{error}"))
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Compared {
    Texts,
    Verdicts,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let mut all_agree = true;
    let reference = Versions(vec![KubernetesVersion::REFERENCE]);
    for &kubernetes in &arguments.kubernetes.as_ref().unwrap_or(&reference).0 {
        let depth = match arguments.depth {
            None => Depth::of(kubernetes),
            Some(Compared::Texts) => Depth::Texts,
            Some(Compared::Verdicts) => Depth::Verdicts,
        };
        let Arguments { cases, seed, only, .. } = *arguments;
        all_agree &= compare(Options { cases, seed, only, kubernetes, depth }, arguments)?;
    }
    Ok(all_agree)
}

fn compare(options: Options, arguments: &Arguments) -> Outcome {
    let corpus = arguments
        .recorded
        .as_deref()
        .map(|dir| Corpus::read(dir).map_err(|error| format!("{}: {error}", dir.display())));
    let corpus = corpus.transpose()?;
    let program = go::build_oracle(options.kubernetes)?;
    // Printed first, so that an interrupted run can be repeated.
    say(&format!("seed {}", options.seed));
    let terminal = io::stderr().is_terminal();
    let progress = |summary: &Summary| {
        if terminal {
            let (cases, bad) = (summary.cases(), summary.disagreements.len());
            let _ = write!(io::stderr(), "\r{cases} cases, {bad} disagree ");
        }
    };
    let summary = differential::run(&program, options, corpus.as_ref(), progress)
        .map_err(|error| format!("the oracle: {error}"))?;
    for (n, found) in summary.disagreements.iter().enumerate() {
        say(&format!("\n--only {}: {}\n{}", found.number, found.difference, found.case));
        if let Some(dir) = &arguments.save {
            let path =
                dir.join(format!("differential-{}-{}-{n}.json", options.kubernetes, options.seed));
            fs::create_dir_all(dir)
                .and_then(|()| fs::write(&path, format!("{}\n", found.case)))
                .map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    let Summary { definitions, accepted, objects, admitted, scales, rules, .. } = summary;
    let Summary { costs, varying, crashed, .. } = summary;
    say(&format!(
        "Kubernetes {}, seed {}: {definitions} definitions ({accepted} accepted), {objects} objects ({admitted} admitted), {scales} scales, \
         estimates of {rules} rules, costs in {costs} objects; {varying} cases to which the server's answers vary, \
         {crashed} more on which its code panics",
        options.kubernetes, options.seed
    ));
    let bad = summary.disagreements.len();
    say(&format!("{} passed, {bad} failed", summary.cases().saturating_sub(bad as u64)));
    Ok(bad == 0)
}
