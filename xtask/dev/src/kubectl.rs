//! `cargo dev kubectl [SCENARIO]`: runs commands of `kubectl` against a real kube-apiserver and against
//! the API server of tests, and compares their output.

use std::io::{self, Write as _};
use std::process::ExitCode;
use std::{env, fs, process};

use crd_tests::apiserver::ApiServer;
use crd_tests::go;
use crd_tests::kubectl::{self, Summary};

use crate::oracle::complain;

/// Builds kube-apiserver and kubectl if needed, runs the scenarios, and prints the differences.
pub(crate) fn main(mut args: impl Iterator<Item = String>) -> ExitCode {
    let only = args.next();
    if only.as_ref().is_some_and(|word| word.starts_with('-')) || args.next().is_some() {
        complain("cargo dev kubectl takes the name of one scenario at most");
        return ExitCode::from(super::EXIT_USAGE);
    }
    let dir = env::temp_dir().join(format!("crd-kubectl-{}", process::id()));
    let summary = run(only.as_deref(), &dir);
    let _ = fs::remove_dir_all(&dir);
    match summary {
        Ok(summary) if summary.disagreements.is_empty() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(message) => {
            complain(&message);
            ExitCode::FAILURE
        }
    }
}

fn run(only: Option<&str>, dir: &std::path::Path) -> Result<Summary, String> {
    let (program, client) = (go::build("apiserver")?, go::build("kubectl")?);
    let server =
        ApiServer::start(&program, &dir.join("server")).map_err(|error| error.to_string())?;
    let progress = |text: &str| {
        let _ = writeln!(io::stdout(), "{text}");
    };
    let summary = kubectl::run(&client, &server.kubeconfig(), dir, only, progress)?;
    let out = &mut io::stdout();
    let Summary { scenarios, commands, known, disagreements } = &summary;
    let found = disagreements.len();
    let _ = writeln!(
        out,
        "{scenarios} scenarios, {commands} commands: {found} disagree, {known} differ as their scenarios say"
    );
    Ok(summary)
}
