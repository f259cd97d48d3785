//! The command line of a project. The `main` of its `xtask` creates a [`Registry`] of its kinds, and runs it.
//!
//! The commands are `crds`, `rbac`, `webhooks`, `validate`, `check`, `lint`, `diff`, `docs`, `schema`, `get` and `explain`;
//! `--help` describes each.
//!
//! | exit status | meaning |
//! |---|---|
//! | 0 | everything is valid and up to date |
//! | 1 | something is invalid or out of date |
//! | 2 | usage error, or another error that ends the command |
//! | 3 | something cannot be read as an object |
//! | 141 | the reader of the output has closed it |

mod args;
#[cfg(feature = "types")]
mod attributes;
mod catalog;
mod check;
mod cluster;
mod columns;
mod config;
mod crds;
mod descriptions;
mod diff;
mod docs;
mod explain;
mod get;
mod git;
mod grammar;
mod hint;
mod identifiers;
pub mod import;
mod init;
mod input;
mod json_schema;
mod kubernetes;
mod last_applied;
mod lint;
mod location;
mod manifests;
pub mod migrate;
mod minors;
mod objects;
mod origin;
mod pipeline;
mod program;
mod progress;
mod rbac;
#[cfg(feature = "types")]
mod registry_of_types;
mod report;
mod schemas;
mod selection;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "types")]
mod shape_walk;
mod style;
mod unified;
mod validate;
mod verdict;
mod warnings;
mod webhooks;
mod workspace;

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches};
use serde::Serialize;
use serde_json::Value;

use crd_engine::convert::Converter;
use crd_engine::rbac::Permissions;
use crd_engine::webhooks::Webhooks;
use crd_engine::{
    Server, admit, compiled, definition, field_selector, generate, go_types, json_path, names,
    object_meta, openapi, ruleset, schema, table, versions, yaml,
};
use crd_model::{differences, field, json, model};
#[cfg(feature = "types")]
use crd_runtime::{CustomResource, crd_schema};

use config::UsageError;
use grammar::{Common, ProjectArgs, ProjectCommand};
use origin::DerivedVersion;

pub use program::{run_crd, run_kubectl_crd};

/// The default directory of manifests, below the root of the workspace.
const DEFAULT_OUT: &str = "crds";
/// Width of tables without a terminal, in columns.
const WIDTH: usize = 120;

/// Exit status when something is invalid.
const EXIT_INVALID: u8 = 1;
/// Exit status of a usage error, and of any other error that ends a command, such as a file that cannot be written.
const EXIT_USAGE: u8 = 2;
/// Exit status when something cannot be read as an object, whether something else is invalid or not.
const EXIT_UNREADABLE: u8 = 3;
/// Exit status when the reader of the output has closed it. It is that of a program ended by `SIGPIPE`.
const EXIT_BROKEN_PIPE: u8 = 141;

/// The kinds of a project, and the commands over them.
///
/// # Examples
///
/// The `main` of an xtask:
///
#[cfg_attr(feature = "types", doc = "```no_run")]
#[cfg_attr(not(feature = "types"), doc = "```ignore")]
/// use crd_cli::Registry;
/// # use crd_runtime::CustomResource;
/// # use serde::{Deserialize, Serialize};
/// # #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
/// # #[crd(group = "example.com", version = "v1", kind = "CronTab", namespaced)]
/// # struct CronTabSpec {}
///
/// fn main() -> std::process::ExitCode {
///     Registry::new().crd::<CronTab>().run()
/// }
/// ```
///
/// In a test, with the streams given:
///
#[cfg_attr(feature = "types", doc = "```")]
#[cfg_attr(not(feature = "types"), doc = "```ignore")]
/// # use crd_cli::Registry;
/// # use crd_runtime::CustomResource;
/// # use serde::{Deserialize, Serialize};
/// # #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
/// # #[crd(group = "example.com", version = "v1", kind = "CronTab", namespaced)]
/// # struct CronTabSpec {}
/// let (mut out, mut err) = (Vec::new(), Vec::new());
/// let args = ["xtask", "crds", "--out", "-"].map(Into::into);
/// let status = Registry::new().crd::<CronTab>().run_to(args, &mut out, &mut err);
/// assert_eq!(status, 0);
/// assert!(String::from_utf8_lossy(&out).contains("kind: CronTab"));
/// ```
#[derive(Debug, Clone)]
pub struct Registry {
    /// Each manifest as JSON, or the error that prevented it.
    crds: Vec<Result<Value, String>>,
    /// The places in Rust source of the schemas of derived kinds.
    derived: Vec<DerivedVersion>,
    out: PathBuf,
    /// The conversions of kinds that a webhook converts.
    converters: Vec<Converter>,
    /// The file for roles, and the function that finds the needed permissions.
    rbac: Option<(PathBuf, rbac::Record)>,
    /// The file for the configurations of admission webhooks, and these.
    webhooks: Option<(PathBuf, Webhooks)>,
}

/// The inputs and outputs of a command.
struct Context<'a> {
    registry: &'a Registry,
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
    /// Whether the error stream is a terminal.
    has_terminal: bool,
    /// Width of tables, in columns.
    width: usize,
}

/// The output streams of a program.
struct Streams<'a> {
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
    has_terminal: bool,
    width: usize,
}

/// A stream, and whether its reader has closed it.
struct Pipe<'a> {
    out: &'a mut dyn Write,
    is_closed: bool,
}

impl Pipe<'_> {
    fn note<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        let kind = result.as_ref().err().map(io::Error::kind);
        self.is_closed |= kind == Some(io::ErrorKind::BrokenPipe);
        result
    }
}

impl Write for Pipe<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes);
        self.note(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.out.flush();
        self.note(flushed)
    }
}

/// The result of a command.
enum CommandOutcome {
    /// Everything is valid.
    Valid,
    /// Something is invalid, and has been reported.
    Invalid,
    /// Something cannot be read as an object, and has been reported.
    Unreadable,
}

/// An error that ends a command.
#[derive(Debug)]
struct CommandError(String);

impl CommandError {
    fn print(&self, err: &mut dyn Write) {
        let _ = writeln!(err, "{}: {}", style::bad("error"), style::text(&self.0));
    }
}

impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> Self {
        Self(error.to_string())
    }
}

impl Default for Registry {
    fn default() -> Self {
        Self::new()
    }
}

impl Registry {
    /// Returns a registry without kinds.
    pub fn new() -> Self {
        Self {
            crds: Vec::new(),
            derived: Vec::new(),
            out: PathBuf::from(DEFAULT_OUT),
            converters: Vec::new(),
            rbac: None,
            webhooks: None,
        }
    }

    /// Adds a CRD, as the type of this crate's `model` or of k8s-openapi.
    #[must_use]
    pub fn manifest(mut self, crd: &impl Serialize) -> Self {
        self.crds.push(serde_json::to_value(crd).map_err(|error| error.to_string()));
        self
    }

    /// Sets the directory that `crds` writes to without `--out`. Default: `crds`.
    ///
    /// A relative path starts at the root of the workspace, not in the current directory. The root is the closest
    /// `Cargo.toml` with `[workspace]` above the package that `cargo run` runs, or above the current directory if cargo
    /// does not run the program; without a workspace it is the package.
    #[must_use]
    pub fn out(mut self, dir: impl Into<PathBuf>) -> Self {
        self.out = dir.into();
        self
    }

    /// Adds the conversion between the versions of a kind that a webhook converts, with which `diff` and
    /// `crds --against` convert objects there and back.
    #[must_use]
    pub fn converter(mut self, converter: Converter) -> Self {
        self.converters.push(converter);
        self
    }

    /// Sets the file that `rbac` writes roles to without `--out`. `record` returns the permissions that the program
    /// needs: it runs the program against the API server of tests, which records the requests, or states them with
    /// [`Permissions::of_needs`].
    ///
    /// A relative path starts at the root of the workspace, as for [`Registry::out`].
    #[must_use]
    pub fn rbac(
        mut self,
        file: impl Into<PathBuf>,
        record: fn() -> Result<Permissions, Box<dyn std::error::Error>>,
    ) -> Self {
        self.rbac = Some((file.into(), record));
        self
    }

    /// Sets the file that `webhooks` writes the configurations of admission webhooks to without `--out`.
    ///
    /// A relative path starts at the root of the workspace, as for [`Registry::out`].
    #[must_use]
    pub fn webhooks(mut self, file: impl Into<PathBuf>, webhooks: Webhooks) -> Self {
        self.webhooks = Some((file.into(), webhooks));
        self
    }

    /// Runs the command of the process's arguments.
    pub fn run(&self) -> ExitCode {
        self.run_with(std::env::args_os())
    }

    /// Runs the command of these arguments, the first of which is the program's name.
    pub fn run_with(&self, args: impl IntoIterator<Item = OsString>) -> ExitCode {
        with_terminal(|streams| self.execute(args, streams))
    }

    /// As [`Registry::run_with`], with the streams given. Returns the exit status. Tables are 120 columns wide.
    pub fn run_to(
        &self,
        args: impl IntoIterator<Item = OsString>,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> u8 {
        self.execute(args, Streams { out, err, has_terminal: false, width: WIDTH })
    }

    fn execute(&self, args: impl IntoIterator<Item = OsString>, streams: Streams<'_>) -> u8 {
        let args: Vec<OsString> = args.into_iter().collect();
        let name = args.first().map(Path::new).and_then(Path::file_stem);
        let name = name.map_or_else(|| "xtask".into(), OsStr::to_string_lossy).into_owned();
        let out = format!(
            "The directory to write to, or `-` for standard output [default: {}, from the root of the workspace]",
            self.out.display()
        );
        let grammar = config::with_option(ProjectArgs::command().name(name));
        let grammar =
            grammar.mut_subcommand("crds", |crds| crds.mut_arg("out", |arg| arg.help(out)));
        self.answer(grammar, &args, streams, |context, args: &ProjectArgs| match &args.command {
            ProjectCommand::Crds(args) => crds::run(context, args),
            ProjectCommand::Rbac(args) => rbac::run(context, args),
            ProjectCommand::Webhooks(args) => webhooks::run(context, args),
            ProjectCommand::Common(common) => common.run(context),
        })
    }

    /// Parses arguments and runs the command. Returns the exit status.
    fn answer<A: FromArgMatches>(
        &self,
        mut grammar: clap::Command,
        args: &[OsString],
        streams: Streams<'_>,
        run: impl FnOnce(&mut Context<'_>, &A) -> Result<CommandOutcome, CommandError>,
    ) -> u8 {
        let Streams { out, err, has_terminal, width } = streams;
        let programs = [ProjectArgs::command(), program::grammar()];
        let args = config::parse(&mut grammar, &programs, args)
            .and_then(|matches| Ok(A::from_arg_matches(&matches)?));
        let args = match args {
            Ok(args) => args,
            Err(UsageError::Arguments(error)) => {
                let error = error.format(&mut grammar);
                let text = error.render();
                if error.use_stderr() {
                    let _ = write!(err, "{}", text.ansi());
                    return EXIT_USAGE;
                }
                let _ = write!(out, "{}", text.ansi());
                return 0;
            }
            Err(UsageError::File(error)) => {
                error.print(err);
                return EXIT_USAGE;
            }
        };
        let mut out = Pipe { out, is_closed: false };
        let mut context = Context { registry: self, out: &mut out, err, has_terminal, width };
        let outcome = run(&mut context, &args);
        let flushed = context.out.flush().map_err(CommandError::from);
        match outcome.and_then(|outcome| flushed.map(|()| outcome)) {
            Ok(CommandOutcome::Valid) => 0,
            Ok(CommandOutcome::Invalid) => EXIT_INVALID,
            Ok(CommandOutcome::Unreadable) => EXIT_UNREADABLE,
            // The reader has closed the output, as `head` does.
            Err(_) if out.is_closed => EXIT_BROKEN_PIPE,
            Err(error) => {
                error.print(err);
                EXIT_USAGE
            }
        }
    }
}

impl Common {
    fn run(&self, context: &mut Context<'_>) -> Result<CommandOutcome, CommandError> {
        match self {
            Self::Validate(args) => validate::run(context, args),
            Self::Check(args) => check::run(context, args),
            Self::Lint(args) => lint::run(context, args),
            Self::Diff(args) => diff::run(context, args),
            Self::Docs(args) => docs::run(context, args),
            Self::Schema(args) => json_schema::run(context, args),
            Self::Explain(args) => explain::run(context, args),
            Self::Get(args) => get::run(context, args),
        }
    }
}

/// Runs on the streams of the process, in colour and at their width if they are terminals.
fn with_terminal(run: impl FnOnce(Streams<'_>) -> u8) -> ExitCode {
    let is_terminal = io::stdout().is_terminal();
    let width = terminal_size::terminal_size().filter(|_| is_terminal);
    let width = width.map_or(WIDTH, |(width, _)| usize::from(width.0));
    let has_terminal = io::stderr().is_terminal();
    let (out, err) = (&mut anstream::stdout(), &mut anstream::stderr());
    ExitCode::from(run(Streams { out, err, has_terminal, width }))
}

/// Compiles the examples of the README.
#[cfg(all(doctest, feature = "types"))]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests;
