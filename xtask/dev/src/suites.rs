//! `cargo dev suites`: runs the test suites of other projects, as their modules and crates are published, against a real
//! kube-apiserver and against `crd serve`, and compares the results spec by spec.

mod cmd;
mod controller_runtime;
mod kube;
mod reasons;
mod results;
mod server;

use std::fs;

use crd_tests::go::workspace;

use self::reasons::Reasons;
use self::results::{Comparison, Results, same_failures, same_verdict, table};
use self::server::{Server, Side};
use crate::{Outcome, between, say};

/// The page that `--write` changes, and the lines around the table.
const PAGE: &str = "BENCHMARKS.md";
const BEGIN: &str = "<!-- suites: written by `cargo dev suites --write` -->\n";
const END: &str = "<!-- end of suites -->";

/// Run the suites of controller-runtime, of kube and of kubectl (test/cmd), as they are published, against a real
/// kube-apiserver (which needs Go) and against `crd serve`, and compare the results. Fails for a difference that
/// tests/suites/reasons.txt gives no reason for, and for a reason without a difference.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Run only the suites with these names, such as `pkg/client` or `test/cmd`.
    suites: Vec<String>,
    /// Of test/cmd, run only the function with this name, such as `run_crd_tests`; can be repeated.
    #[arg(long, value_name = "NAME")]
    function: Vec<String>,
    /// Take the real server's results from the last run that had them.
    #[arg(long)]
    reuse: bool,
    /// Write the table to BENCHMARKS.md. Rows of suites that were not run stay.
    #[arg(long, conflicts_with = "function")]
    write: bool,
}

/// A suite, compiled.
enum Program {
    ControllerRuntime(controller_runtime::Program),
    Kube(kube::Program),
    Cmd(cmd::Program),
}

/// Builds what is missing, runs each suite with both servers, and prints the table and what differs.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let names = controller_runtime::SUITES.into_iter().chain(kube::SUITES).chain([cmd::SUITE]);
    let chosen: Vec<&str> = if arguments.suites.is_empty() {
        names.collect()
    } else {
        let known =
            |suite: &String| names.clone().find(|name| name == suite).ok_or_else(|| suite.clone());
        arguments.suites.iter().map(known).collect::<Result<_, _>>().map_err(|unknown| {
            format!(
                "no suite `{unknown}`; the suites are {}",
                names.clone().collect::<Vec<_>>().join(", ")
            )
        })?
    };
    let reasons = Reasons::read()?;
    let (mut compared, mut complaints) = (Vec::new(), 0);
    for suite in chosen {
        say(&format!("== {suite}"));
        let program = match suite {
            cmd::SUITE => Program::Cmd(cmd::build()?),
            _ if kube::SUITES.contains(&suite) => Program::Kube(kube::build(suite)?),
            _ => Program::ControllerRuntime(controller_runtime::build(suite)?),
        };
        let real = results(&program, suite, Side::Real, arguments)?;
        let ours = results(&program, suite, Side::Ours, arguments)?;
        let same = match program {
            Program::ControllerRuntime(_) | Program::Kube(_) => same_verdict,
            Program::Cmd(_) => same_failures,
        };
        let comparison = Comparison::new(suite, &real, &ours, same);
        for complaint in reasons.judge(&comparison, arguments.function.is_empty()) {
            complaints += 1;
            say(&complaint);
        }
        compared.push(comparison);
    }
    say(&table(&compared, ""));
    if arguments.write {
        let page = workspace().join(PAGE);
        let text = fs::read_to_string(&page).map_err(|error| format!("{PAGE}: {error}"))?;
        let earlier = text.split_once(BEGIN).and_then(|(_, rest)| rest.split_once(END));
        let table = table(&compared, earlier.map_or("", |(earlier, _)| earlier));
        let text = between(&text, BEGIN, END, &table);
        let text = text.ok_or_else(|| format!("{PAGE} has no table of suites"))?;
        fs::write(&page, text).map_err(|error| format!("{PAGE}: {error}"))?;
    }
    say(&format!("{complaints} differences without a reason, or reasons without a difference"));
    Ok(complaints == 0)
}

/// Runs a suite with a new server of one side.
fn results(
    program: &Program,
    suite: &str,
    side: Side,
    arguments: &Arguments,
) -> Result<Results, String> {
    let stored = Results::path(side, suite);
    if arguments.reuse && side == Side::Real && stored.exists() {
        let mut results = Results::read(&stored)?;
        if !arguments.function.is_empty() {
            results.specs.retain(|name, _| arguments.function.contains(name));
        }
        return Ok(results);
    }
    let server = Server::start(side)?;
    let results = match program {
        Program::ControllerRuntime(program) => program.run(&server)?,
        Program::Kube(program) => program.run(&server)?,
        Program::Cmd(program) => program.run(&server, &arguments.function)?,
    };
    if arguments.function.is_empty() {
        results.write(&stored)?;
    }
    Ok(results)
}
