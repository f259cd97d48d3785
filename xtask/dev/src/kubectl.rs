//! `cargo dev kubectl`: runs commands of `kubectl` against a real kube-apiserver and against the in-process API server, and
//! compares their output.

use crd_tests::apiserver::ApiServer;
use crd_tests::go;
use crd_tests::kubectl::{self, Summary};

use crate::{Outcome, say, temporary_directory};

/// Run the scenarios of tests/kubectl with kubectl, a real kube-apiserver (both need Go) and the in-process API server,
/// and compare what it prints.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Run this scenario alone.
    scenario: Option<String>,
}

/// Builds kube-apiserver and kubectl if needed, runs the scenarios, and prints the differences.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let dir = temporary_directory()?;
    let (program, client) = (go::build("apiserver")?, go::build("kubectl")?);
    let server = ApiServer::start(&program, &dir.path().join("server"))
        .map_err(|error| error.to_string())?;
    let only = arguments.scenario.as_deref();
    let summary = kubectl::run(&client, &server.kubeconfig(), dir.path(), only, say)?;
    let Summary { scenarios, commands, known, disagreements } = &summary;
    let found = disagreements.len();
    say(&format!(
        "{scenarios} scenarios, {commands} commands: {found} disagree, {known} differ as their scenarios say"
    ));
    Ok(found == 0)
}
