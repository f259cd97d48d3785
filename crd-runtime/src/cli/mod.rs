//! The command line: a user's whole `xtask`, and the `crd` command.
//!
//! ```ignore
//! fn main() -> std::process::ExitCode {
//!     crd_runtime::cli::Registry::new().crd::<CronTab>().run()
//! }
//! ```
//!
//! Exit status: 0 when all is well, 1 when something is invalid, 2 when the call makes no sense, 141 when nobody reads
//! on.

mod args;
mod catalog;
mod check;
mod columns;
mod crds;
mod descriptions;
mod diff;
mod explain;
mod get;
mod input;
mod objects;
mod origin;
mod pipeline;
mod progress;
#[cfg(feature = "derive")]
mod registry_of_types;
#[cfg(feature = "derive")]
mod shape_walk;
mod style;
mod validate;

use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser as _;
use serde::Serialize;
use serde_json::Value;

use args::{Cli, Command};
use origin::Derived;

/// Where manifests go when neither the call nor the registry says.
const DEFAULT_OUT: &str = "crds";

/// Exit status when something is invalid.
const EXIT_INVALID: u8 = 1;
/// Exit status when the call makes no sense.
const EXIT_USAGE: u8 = 2;
/// Exit status when nobody reads on: what a shell says of a program that `SIGPIPE` has ended.
const EXIT_UNHEARD: u8 = 141;

/// The kinds of a project, and the commands over them.
#[derive(Debug, Clone)]
pub struct Registry {
    /// Each manifest as JSON, or why there is none.
    crds: Vec<Result<Value, String>>,
    /// Where the schemas of derived kinds are written in Rust.
    derived: Vec<Derived>,
    out: PathBuf,
}

/// What a command works with.
struct Context<'a> {
    registry: &'a Registry,
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
    /// Whether someone watches the error stream.
    watched: bool,
}

/// A stream, and whether its reader has gone.
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

/// How a command ends.
enum Outcome {
    /// All is well.
    Well,
    /// Something is invalid, and it has been said.
    Invalid,
}

/// Why a command cannot do what it is asked.
#[derive(Debug)]
struct Unable(String);

impl From<io::Error> for Unable {
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
    /// A registry without kinds: files name them all.
    pub fn new() -> Self {
        Self { crds: Vec::new(), derived: Vec::new(), out: PathBuf::from(DEFAULT_OUT) }
    }

    /// Adds a CRD by its manifest, of this crate's model or of k8s-openapi's.
    #[must_use]
    pub fn manifest(mut self, crd: &impl Serialize) -> Self {
        self.crds.push(serde_json::to_value(crd).map_err(|error| error.to_string()));
        self
    }

    /// Where `crds` writes when the call does not say; `crds` by default.
    #[must_use]
    pub fn out(mut self, dir: impl Into<PathBuf>) -> Self {
        self.out = dir.into();
        self
    }

    /// Does what the process was called for.
    pub fn run(&self) -> ExitCode {
        self.run_with(std::env::args_os())
    }

    /// Does what a command line says; its first item is the program's name.
    pub fn run_with(&self, args: impl IntoIterator<Item = OsString>) -> ExitCode {
        let watched = io::stderr().is_terminal();
        ExitCode::from(self.execute(
            args,
            &mut anstream::stdout(),
            &mut anstream::stderr(),
            watched,
        ))
    }

    /// As [`Registry::run_with`], with the streams given: the exit status.
    pub fn run_to(
        &self,
        args: impl IntoIterator<Item = OsString>,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> u8 {
        self.execute(args, out, err, false)
    }

    fn execute(
        &self,
        args: impl IntoIterator<Item = OsString>,
        out: &mut dyn Write,
        err: &mut dyn Write,
        watched: bool,
    ) -> u8 {
        let cli = match Cli::try_parse_from(args) {
            Ok(cli) => cli,
            Err(error) => {
                let text = error.render();
                if error.use_stderr() {
                    let _ = write!(err, "{}", text.ansi());
                    return EXIT_USAGE;
                }
                let _ = write!(out, "{}", text.ansi());
                return 0;
            }
        };
        let mut out = Pipe { out, is_closed: false };
        let mut context = Context { registry: self, out: &mut out, err, watched };
        let outcome = match &cli.command {
            Command::Crds(args) => crds::run(&mut context, args),
            Command::Validate(args) => validate::run(&mut context, args),
            Command::Check(args) => check::run(&mut context, args),
            Command::Explain(args) => explain::run(&mut context, args),
            Command::Get(args) => get::run(&mut context, args),
        };
        let flushed = context.out.flush().map_err(Unable::from);
        match outcome.and_then(|outcome| flushed.map(|()| outcome)) {
            Ok(Outcome::Well) => 0,
            Ok(Outcome::Invalid) => EXIT_INVALID,
            // As `head` does when it has enough.
            Err(_) if out.is_closed => EXIT_UNHEARD,
            Err(Unable(message)) => {
                let _ = writeln!(err, "{}: {message}", style::bad("error"));
                EXIT_USAGE
            }
        }
    }
}

#[cfg(test)]
mod tests;
