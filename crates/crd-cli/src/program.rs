//! The `crd` program, whose kinds all come from files.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory as _, Parser, Subcommand};
use clap_complete::Shell;

#[cfg(feature = "types")]
use super::attributes::{self, Attributes};
use super::config;
use super::crds::{self, Package};
use super::grammar::{Common, EXIT_STATUS};
use super::import::{self, Import};
use super::init::{self, Init};
use super::migrate::{self, Migrate};
#[cfg(feature = "serve")]
use super::serve::Serve;
use super::{CommandError, CommandOutcome, Context, Registry, Streams, with_terminal};

/// Check Kubernetes CRDs and custom resources as the API server would, without a cluster.
#[derive(Debug, Parser)]
#[command(name = "crd", version, after_help = EXIT_STATUS)]
struct GenericProgram {
    #[command(subcommand)]
    command: GenericCommand,
}

#[derive(Debug, Subcommand)]
enum GenericCommand {
    #[command(flatten)]
    Common(Common),
    /// Serve CRDs and objects as the API server does, for `kubectl` and others, until interrupted.
    #[cfg(feature = "serve")]
    Serve(Serve),
    /// Create an operator, or add a kind to an existing package: kind, controller, `xtask` and tests.
    Init(Init),
    /// Print the keys of `#[crd(..)]`, or what one of them does, with an example.
    #[cfg(feature = "types")]
    Attributes(Attributes),
    /// Write CRDs in the form in which they are installed: plain files, a base of kustomize, or a chart of Helm.
    Package(Package),
    /// Write Rust types from CRDs, which derive back to them.
    Import(Import),
    /// Rewrite the attributes of kube's derive and of schemars to `#[crd(..)]`, in place.
    Migrate(Migrate),
    /// Print a shell's completion script.
    Completions { shell: Shell },
    /// Print the manual page, or write one page for each command.
    Man(Man),
}

/// Arguments of `man`.
#[derive(Debug, Args)]
struct Man {
    /// The directory to write a page for each command to.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// The name by which the program was started.
#[derive(Debug, Clone, Copy)]
enum ProgramName {
    Crd,
    /// As a kubectl plugin.
    KubectlCrd,
}

/// Runs the `crd` program.
pub fn run_crd() -> ExitCode {
    with_terminal(|streams| execute(ProgramName::Crd, env::args_os(), streams))
}

/// Runs the `kubectl-crd` program, which `kubectl crd` starts.
pub fn run_kubectl_crd() -> ExitCode {
    with_terminal(|streams| execute(ProgramName::KubectlCrd, env::args_os(), streams))
}

fn execute(called: ProgramName, args: impl Iterator<Item = OsString>, streams: Streams<'_>) -> u8 {
    let registry = Registry::new();
    registry.answer(
        called.grammar(),
        &args.collect::<Vec<_>>(),
        streams,
        |context, args: &GenericProgram| match &args.command {
            GenericCommand::Common(common) => common.run(context),
            #[cfg(feature = "serve")]
            GenericCommand::Serve(args) => super::serve::run(context, args),
            GenericCommand::Init(args) => init::run(context, args),
            #[cfg(feature = "types")]
            GenericCommand::Attributes(args) => attributes::run(context, args),
            GenericCommand::Package(args) => crds::package(context, args),
            GenericCommand::Import(args) => import::run(context, args),
            GenericCommand::Migrate(args) => migrate::run(context, args),
            GenericCommand::Completions { shell } => completions(context, called, *shell),
            GenericCommand::Man(args) => man(context, called, args),
        },
    )
}

impl ProgramName {
    fn name(self) -> &'static str {
        match self {
            Self::Crd => "crd",
            Self::KubectlCrd => "kubectl-crd",
        }
    }

    fn grammar(self) -> clap::Command {
        let grammar = config::with_option(grammar());
        match self {
            Self::Crd => grammar,
            Self::KubectlCrd => grammar.name("kubectl-crd").bin_name("kubectl crd"),
        }
    }
}

/// Returns the grammar of the program, without the options of every program.
pub(super) fn grammar() -> clap::Command {
    GenericProgram::command()
}

fn completions(
    context: &mut Context<'_>,
    called: ProgramName,
    shell: Shell,
) -> Result<CommandOutcome, CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut called.grammar(), called.name(), &mut script);
    context.out.write_all(&script)?;
    Ok(CommandOutcome::Valid)
}

fn man(
    context: &mut Context<'_>,
    called: ProgramName,
    args: &Man,
) -> Result<CommandOutcome, CommandError> {
    match &args.out {
        Some(dir) => {
            std::fs::create_dir_all(dir)
                .and_then(|()| clap_mangen::generate_to(called.grammar(), dir))
                .map_err(|error| CommandError(format!("{}: {error}", dir.display())))?;
        }
        None => clap_mangen::Man::new(called.grammar()).render(&mut context.out)?,
    }
    Ok(CommandOutcome::Valid)
}

#[cfg(test)]
pub(crate) mod tests;
